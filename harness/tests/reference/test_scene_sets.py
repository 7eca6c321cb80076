"""Sets of scenes at their real size: the frozen fixtures made anew, killed runs, metadata."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.data.manifest import pixel_digest
from harness.scene_sets import croissant
from harness.scene_sets.command import main
from harness.scene_sets.freezing import MANIFEST, read_manifest
from harness.scene_sets.journal import NAME as JOURNAL
from harness.scene_sets.specimen import picture, scenes_of
from harness.scenes.render import render
from harness.scenes.rows import specimen_of
from harness.scenes.sampler import static_item, triplet
from harness.scenes.triplet import Item
from harness.tests.scene_sets.made_sets import content

_FIXTURES = Path(__file__).parents[3] / "fixtures/scenes"
_EVERY = 40
_JOBS = ("2", "1", "3")
_AT_LINES = (2, 9, 17)
_PATIENCE_S = 600


@pytest.mark.reference
@pytest.mark.parametrize("kind", ["audit", "static"])
def test_a_frozen_set_is_drawn_and_rendered_again(kind: str) -> None:
    rows = read_manifest(_FIXTURES / f"{kind}.jsonl.gz")
    assert len(rows) == 800
    for row in rows[::_EVERY]:
        specimen, images = specimen_of(row)
        index = int(row["id"][-6:])
        draw = static_item if isinstance(specimen, Item) else triplet
        assert specimen == draw(row["factor"], index), row["id"]
        for variant, scene in scenes_of(specimen).items():
            seen = picture(render(scene, width=320, height=240))
            assert pixel_digest(seen) == images[variant]["320x240"], (row["id"], variant)


@pytest.mark.reference
def test_a_set_killed_three_times_is_the_set_of_one_run(tmp_path: Path) -> None:
    choices = ["--n", "8", "--factor", "count", "--factor", "spatial"]
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert main(["make", str(whole), *choices, "--jobs", "2"]) == 0
    for jobs, n_lines in zip(_JOBS, _AT_LINES, strict=True):
        command = [sys.executable, "-m", "harness", "scenes", "make", str(killed), *choices]
        with subprocess.Popen([*command, "--jobs", jobs], start_new_session=True) as run:
            deadline = time.monotonic() + _PATIENCE_S
            while lines(killed) < n_lines and run.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            # The main process alone: its workers have to end by themselves, or the set stays held.
            os.kill(run.pid, signal.SIGKILL)
    assert main(["make", str(killed), *choices, "--jobs", "2"]) == 0
    assert content(killed) == content(whole)
    assert main(["verify", str(killed), "--jobs", "2"]) == 0


@pytest.mark.reference
@pytest.mark.filterwarnings("default")
def test_metadata_by_its_own_library(tmp_path: Path) -> None:
    try:
        import mlcroissant  # type: ignore[import-not-found]
    except ImportError:
        pytest.fail("expected mlcroissant, found none: pip install mlcroissant")
    made = tmp_path / "made"
    assert main(["make", str(made), "--n", "4", "--factor", "attribute", "--jobs", "1"]) == 0
    data = mlcroissant.Dataset(str(made / croissant.NAME))
    assert not data.metadata.issues.errors
    # When a set is published is for its publisher to say.
    assert [text for text in data.metadata.issues.warnings if "datePublished" not in text] == []
    rows = {row["id"]: row for row in read_manifest(made / MANIFEST)}
    records = list(data.records("specimens"))
    assert {record["specimens/id"].decode() for record in records} == set(rows)
    for record in records:
        row = rows[record["specimens/id"].decode()]
        assert [text.decode() for text in record["specimens/candidates"]] == row["candidates"]
        assert record["specimens/gold_relevant"].decode() == row["gold"]["relevant"]
    assert len(list(data.records("images"))) == 12


def lines(folder: Path) -> int:
    path = folder / JOURNAL
    return path.read_bytes().count(b"\n") if path.exists() else 0
