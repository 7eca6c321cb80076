"""Everything under this folder is a unit test unless it says `reference` or `bench`."""

from pathlib import Path

import pytest

_HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _HERE in item.path.parents and not (
            item.get_closest_marker("reference") or item.get_closest_marker("bench")
        ):
            item.add_marker("unit")
