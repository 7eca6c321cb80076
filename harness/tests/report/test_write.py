"""Reports are written whole, scrubbed, and only when they are valid; NO-GO like GO."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from harness.errors import AssayError
from harness.report import write
from harness.report.write import write_reports
from harness.tests.report.made_run import cell, gate, metrics

_SUITE = '<testsuite name="pytest" hostname="h"><testcase name="t"/></testsuite>'
_JUNIT = f"<testsuites>{_SUITE}</testsuites>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "reports/run-1"
    folder.mkdir(parents=True)
    (folder / "junit.xml").write_text(_JUNIT, encoding="utf-8")
    return folder


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_all_files_are_there_and_latest_points_to_them(folder: Path) -> None:
    write_reports(folder, metrics(), folder / "junit.xml", {})
    assert _names(folder) == ["junit.xml", "metrics.json", "report.md", "report.zh.md"]
    assert json.loads((folder / "metrics.json").read_text("utf-8")) == metrics()
    assert "GO" in (folder / "report.md").read_text("utf-8")
    assert "评测报告" in (folder / "report.zh.md").read_text("utf-8")
    assert "hostname" not in (folder / "junit.xml").read_text("utf-8")
    assert os.readlink(folder.parent / "latest") == "run-1"
    assert _names(folder.parent) == ["latest", "run-1"]


def test_latest_moves_to_the_next_run(folder: Path) -> None:
    write_reports(folder, metrics(), folder / "junit.xml", {})
    other = folder.parent / "run-2"
    write_reports(other, metrics(id="second"), folder / "junit.xml", {})
    assert json.loads((folder.parent / "latest/metrics.json").read_text())["run"]["id"] == "second"


def test_a_no_go_run_is_written(folder: Path) -> None:
    rows = [cell(), gate(go=False)]
    found = metrics(rows, reasons=["gate: NO-GO"], failures={"x": "NO-GO"})
    write_reports(folder, found, folder / "junit.xml", {})
    assert json.loads((folder / "metrics.json").read_text())["verdict"]["go"] is False


def test_nothing_is_written_when_the_metrics_do_not_validate(folder: Path) -> None:
    found = metrics()
    found["cells"][0]["n"] = -1
    with pytest.raises(AssayError, match=r"cells\[0\]\.n"):
        write_reports(folder, found, folder / "junit.xml", {})
    assert _names(folder) == ["junit.xml"]
    assert _names(folder.parent) == ["run-1"]


def test_every_text_is_scrubbed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    secret = f"{folder}/a.json and /mnt/disk7/secret/b.json"
    issue = {"code": "x", "where": secret, "message": secret}
    row = gate(go=False, issues=json.dumps([issue]), facts=json.dumps({"a": {"b": [secret]}}))
    found = metrics([row], reasons=[secret], failures={secret: secret})
    write_reports(folder, found, folder / "junit.xml", {})
    for name in ("metrics.json", "report.md", "report.zh.md"):
        text = (folder / name).read_text("utf-8")
        assert str(folder) not in text
        assert "disk7" not in text
        assert "b.json" in text


def test_without_links_a_text_file_names_the_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(1, "Operation not permitted")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "symlink_to", refuse)
        write_reports(folder, metrics(), folder / "junit.xml", {})
    assert (folder.parent / "latest.txt").read_text() == "run-1\n"
    assert _names(folder.parent) == ["latest.txt", "run-1"]
    write_reports(folder, metrics(), folder / "junit.xml", {})
    assert _names(folder.parent) == ["latest", "run-1"]


def test_a_file_that_cannot_be_finished_leaves_the_old_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_reports(folder, metrics(id="old"), folder / "junit.xml", {})

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(write.os, "fsync", full)
    with pytest.raises(AssayError, match="run-1: No space left"):
        write_reports(folder, metrics(id="new"), folder / "junit.xml", {})
    assert json.loads((folder / "metrics.json").read_text())["run"]["id"] == "old"
    assert [name for name in _names(folder) if name.endswith(".tmp")] == []


def test_a_missing_junit_file_is_an_error_after_the_reports(folder: Path) -> None:
    (folder / "junit.xml").unlink()
    with pytest.raises(AssayError, match=r"junit\.xml: expected the JUnit file"):
        write_reports(folder, metrics(), folder / "junit.xml", {})
    assert _names(folder) == ["metrics.json", "report.md", "report.zh.md"]


def test_an_unpaired_surrogate_survives(folder: Path) -> None:
    found = metrics([gate(go=False)], reasons=["text \ud800"])
    write_reports(folder, found, folder / "junit.xml", {})
    assert json.loads((folder / "metrics.json").read_text())["verdict"]["reasons"] == [
        "text \ud800"
    ]


def test_tables_are_files_of_their_own(folder: Path) -> None:
    files = {"full/flips.csv": "a,b\n1,2\n", "full/flips.json": '{"name": "flips"}\n'}
    write_reports(folder, metrics(), folder / "junit.xml", files)
    assert _names(folder / "tables/full") == ["flips.csv", "flips.json"]
    assert (folder / "tables/full/flips.csv").read_text("utf-8") == "a,b\n1,2\n"
    assert json.loads((folder / "tables/full/flips.json").read_text("utf-8"))["name"] == "flips"
