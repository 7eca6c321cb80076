"""A set is the same however it was made: by one process or two, at once or in pieces."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.scene_sets import croissant
from harness.scene_sets.command import main
from harness.scene_sets.freezing import MANIFEST, read_manifest
from harness.scene_sets.journal import NAME as JOURNAL
from harness.scene_sets.journal import Journal
from harness.tests.scene_sets.made_sets import choices, content, make

_PATIENCE_S = 60


def test_a_killed_run_goes_on_to_the_same_set(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    command = [sys.executable, "-m", "harness", "scenes", "make", str(folder), *choices()]
    with subprocess.Popen(
        [*command, "--jobs", "2"], start_new_session=True, stderr=subprocess.DEVNULL
    ) as run:
        deadline = time.monotonic() + _PATIENCE_S
        while n_lines(folder) < 3 and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(run.pid, signal.SIGKILL)
    assert not (folder / MANIFEST).exists()
    n_kept = n_lines(folder)
    assert n_kept >= 3
    make(folder)
    assert content(folder) == content(made)


def test_what_is_torn_lost_or_strange_is_made_good(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "torn"
    shutil.copytree(made, folder)
    lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    (folder / JOURNAL).write_bytes(b"".join(lines[:-1]) + lines[-1][:40])
    pictures = sorted((folder / "images").iterdir())
    pictures[0].unlink()
    pictures[1].with_suffix(".tmp").write_bytes(b"half a picture")
    make(folder)
    assert content(folder) == content(made)
    assert n_lines(folder) >= len(lines)
    make(folder)
    assert content(folder) == content(made)


def test_a_folder_is_for_one_plan_and_one_process(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(made, folder)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").write_text("")
    damaged = tmp_path / "damaged"
    shutil.copytree(made, damaged)
    (damaged / JOURNAL).write_text("{}\n" + (damaged / JOURNAL).read_text())
    with Journal(folder):
        cases = [
            (folder, choices(), "another process"),
            (folder, choices(n=4), "expected the plan"),
            (tmp_path / "other", choices(), "other files"),
            (damaged, choices(), f"{JOURNAL}:1"),
            (tmp_path / "new", choices(n=3), "a multiple of 4"),
            (tmp_path / "new", choices(size="0x9"), "size '0x9'"),
            (tmp_path / "new", choices("material"), "factor 'material'"),
            (
                tmp_path / "new",
                [*choices(), "--kind", "static", "--direction", "published"],
                "kind",
            ),
        ]
        for where, chosen, words in cases:
            assert main(["make", str(where), *chosen, "--jobs", "1"]) == 2
            assert words in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_every_row_is_kept_and_the_frozen_ones_pass(made: Path) -> None:
    tried = read_manifest(made / "tried.jsonl")
    frozen = read_manifest(made / MANIFEST)
    passed = {row["id"] for row in tried if row["verdict"] == "PASS"}
    assert {row["id"] for row in frozen} <= passed
    assert len(passed) < len(tried), "expected some that fail at this size"
    assert all(row["findings"] for row in tried if row["verdict"] != "PASS")
    assert not {"verdict", "index"} & set(frozen[0])
    assert [row["index"] for row in tried] == list(range(len(tried)))


def test_export_is_the_manifest_and_has_no_time_in_it(made: Path, tmp_path: Path) -> None:
    paths = [tmp_path / "one.jsonl.gz", tmp_path / "two.jsonl.gz"]
    for path in paths:
        assert main(["export", str(made), str(path)]) == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert paths[0].read_bytes()[4:8] == bytes(4)
    assert read_manifest(paths[0]) == read_manifest(made / MANIFEST)


def test_metadata_names_files_that_are_there(made: Path) -> None:
    found = json.loads((made / croissant.NAME).read_text())
    manifest, pictures = found["distribution"]
    assert (made / manifest["contentUrl"]).is_file()
    assert len(list(made.glob(pictures["includes"]))) == 24
    columns = {field["source"]["extract"]["column"] for field in found["recordSet"][0]["field"]}
    assert columns <= set(read_manifest(made / MANIFEST)[0])
    assert str(made) not in json.dumps(found)


def test_a_sheet_shows_every_variant(made: Path) -> None:
    assert main(["sheet", str(made), "--n", "2"]) == 0
    assert (made / "sheet-attribute.png").stat().st_size > 1000


def n_lines(folder: Path) -> int:
    path = folder / JOURNAL
    return path.read_bytes().count(b"\n") if path.exists() else 0
