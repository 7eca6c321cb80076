"""The stand-in for lmms-eval, installed once for all tests."""

from __future__ import annotations

import pytest

from harness.tests.bridge import stand_in


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment in which the stand-in is found."""
    return stand_in.install(tmp_path_factory.mktemp("package"))
