"""One small set for all tests of this folder."""

from pathlib import Path

import pytest

from harness.tests.scene_sets.made_sets import make


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scenes") / "made"
    make(folder)
    return folder
