"""Everything under this folder is a unit test unless it has a mark of another kind."""

import os
from pathlib import Path

import pytest

from harness.plugin.options import selected

_HERE = Path(__file__).parent
# Each worker with a thread for every core is far slower than with one.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
_MARKS = ("unit", "reference", "bench", "bridge", "fuzz")


def pytest_ignore_collect(config: pytest.Config) -> bool | None:
    """Import no test file for a run of the tiers alone, whose plan must come at once."""
    return None if selected(config.option.markexpr, _MARKS) else True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _HERE in item.path.parents and not any(map(item.get_closest_marker, _MARKS)):
            item.add_marker("unit")
