"""Tiny checkpoints, built once per process."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.types import ModelSpec


@pytest.fixture(scope="session")
def idefics3(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from harness.tests.models.tiny import save_idefics3

    return save_idefics3(tmp_path_factory.mktemp("idefics3"))


@pytest.fixture(scope="session")
def llava(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from harness.tests.models.tiny import save_llava

    return save_llava(tmp_path_factory.mktemp("llava"))


@pytest.fixture
def spec(idefics3: Path) -> ModelSpec:
    return ModelSpec(name="tiny", source={"kind": "local", "path": str(idefics3)})
