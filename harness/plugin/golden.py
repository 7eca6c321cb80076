"""Golden snapshots on syrupy: one JSON file per item, under `golden/`."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation


class GoldenExtension(SingleFileSnapshotExtension):
    """Snapshots as `golden/<name>.json`, sorted and indented, so that a diff can be read."""

    _write_mode = WriteMode.TEXT
    file_extension = "json"

    def serialize(self, data: Any, **_: Any) -> str:
        return json.dumps(data, indent=1, sort_keys=True, allow_nan=False) + "\n"

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: int | str = 0) -> str:
        return str(index)

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(Path(test_location.item.config.rootpath) / "golden")

    def discover_snapshots(self, **_: Any) -> SnapshotCollections:
        """None: a tier or a study uses a part of the goldens, and an update must not delete
        the others. harness/tests/test_goldens.py looks for orphans instead."""
        return SnapshotCollections()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if getattr(config.option, "numprocesses", None) or hasattr(config, "workerinput"):
        # Nothing is looked for, so the workers have nothing to tell; a worker that died
        # would otherwise be warned of here, beside its own failure.
        config.option.disable_unused_snapshots = True


@pytest.fixture
def golden(request: pytest.FixtureRequest, snapshot: Any) -> Callable[[str, Any], None]:
    """Compare a JSON value with `golden/<name>.json`; `--snapshot-update` writes it."""

    root = request.config.rootpath

    def compare(name: str, value: Any) -> None:
        with warnings.catch_warnings():
            # A golden belongs to the cell that its path names, whatever the test is called.
            warnings.filterwarnings("ignore", message=r"\s*Can not relate snapshot")
            assert value == snapshot(name=name, extension_class=GoldenExtension), _advice(
                name, (root / "golden" / f"{name}.json").exists()
            )

    return compare


def _advice(name: str, exists: bool) -> str:
    if exists:
        return (
            f"golden/{name}.json differs; review the change, then accept it with "
            "--snapshot-update (one process)"
        )
    return (
        f"golden/{name}.json is not there; a study of your own leaves out `golden = true`, or "
        "accepts its first goldens with --snapshot-update (one process)"
    )
