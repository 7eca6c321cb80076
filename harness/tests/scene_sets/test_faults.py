"""Faults planted in a made set, each of which verification has to name; the clean set passes."""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from harness.scene_sets.checking import check_set
from harness.scene_sets.command import main
from harness.scene_sets.freezing import MANIFEST, read_manifest
from harness.scene_sets.whole import check_whole
from harness.scenes.findings import CODES
from harness.tests.scene_sets.made_sets import (
    Fault,
    at_the_edge,
    edited_twice,
    exchanged,
    hidden,
    lost,
    planted,
    recolored,
    relabelled,
    spotted,
)

# A fault, and codes that it must be named by.
FAULTS: dict[Fault, set[str]] = {
    hidden: {"occluded"},
    recolored: {"answer"},
    edited_twice: {"edited"},
    lost: {"no_picture"},
    relabelled: {"answer"},
    at_the_edge: {"border"},
    exchanged: {"other_picture", "answer", "outside"},
    spotted: {"other_picture", "outside"},
}
_OF_SCENES = {hidden, recolored, edited_twice, relabelled, at_the_edge}


def test_a_clean_set_passes(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(made), "--jobs", "1"]) == 0
    assert "8 specimens, 0 with faults" in capsys.readouterr().out


def test_each_planted_fault_is_named(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = dict(zip((row["id"] for row in read_manifest(made / MANIFEST)), FAULTS, strict=True))
    folder = planted(made, tmp_path / "faulty", where)
    assert check_whole([folder]) == []
    assert main(["verify", str(folder), "--jobs", "1"]) == 1
    found = defaultdict(set)
    for name, code in re.findall(r"^\S+: (\w+): \[(\w+)\]", capsys.readouterr().out, re.M):
        found[name].add(code)
    for name, fault in where.items():
        assert FAULTS[fault] <= found[name], (fault.__name__, found[name])
        if fault in _OF_SCENES:
            assert not {"other_picture", "not_repeated"} & found[name], fault.__name__


def test_faults_of_a_whole_set_are_named(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(made, folder)
    assert {issue.code for issue in check_whole([made, folder])} == {
        "same_id",
        "same_picture",
        "same_scene",
    }
    rows = read_manifest(folder / MANIFEST)
    rows[1]["id"] = rows[2]["id"]
    del rows[-1]
    (folder / MANIFEST).write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "images" / "more.png").write_bytes(b"")
    codes = {issue.code for issue in check_whole([folder])}
    assert {"same_id", "number", "stranger", "metadata"} <= codes


def test_words_over_other_facts_are_named(made: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(made, folder)
    rows = read_manifest(folder / MANIFEST)
    asked, queried = rows[0], rows[-1]
    asked["question"] = "How many pink objects are there?"
    queried["query"] = {**queried["query"], "first": ["red", "cube"], "color": None}
    (folder / MANIFEST).write_text("".join(json.dumps(row) + "\n" for row in (asked, queried)))
    found = dict(check_set(folder, n_processes=1))
    assert {issue.code for issue in found[asked["id"]]} == {"question"}
    (issue,) = found[queried["id"]]
    assert issue.code == "bad_row" and "expected a query of" in issue.message


def test_a_set_that_leans_is_named(made: Path, tmp_path: Path) -> None:
    def lean(row: dict[str, object], folder: Path) -> dict[str, object]:
        return {**row, "design": {**row["design"], "letter": "A"}}  # type: ignore[dict-item]

    names = [row["id"] for row in read_manifest(made / MANIFEST)]
    folder = planted(made, tmp_path / "leaning", dict.fromkeys(names, lean))
    assert "unbalanced" in {issue.code for issue in check_whole([folder])}


def test_no_set_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path)]) == 2
    assert "scenes make" in capsys.readouterr().err


def test_the_documentation_names_every_code() -> None:
    text = (Path(__file__).parents[3] / "docs/scenes.md").read_text(encoding="utf-8")
    missing = [code for code in CODES if f"| `{code}` |" not in text]
    assert not missing
