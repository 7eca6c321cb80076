"""`python -m harness review`, with real files and real processes."""

from __future__ import annotations

import getpass
import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from harness.review import command
from harness.review.command import main
from harness.study import Study
from harness.tests.review.made_sample import (
    examples,
    labelled,
    made_study,
    right,
    rows_of,
    save,
    store,
    wrong,
)

ROOT = Path(__file__).parents[3]
VIEWS = ("clean", "blank", "shuffled", "downsample_50", "downsample_25")
HOSTILE = ("=1+1", "@SUM(A1)", "\x00\ud800\u202e", "<script>", "x" * 1_000_000, "a\r\nb;=c()", "")


def review(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "harness", "review", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )


def filled(runs: Path, study: Study) -> None:
    asked = examples(study)
    for view in VIEWS:
        few = view == VIEWS[-1]
        texts = [right(e) if few else wrong(e) for e in asked[:25]]
        store(runs, study, view, [*texts, *HOSTILE])


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_from_a_runs_folder_to_the_figures(tmp_path: Path) -> None:
    study = made_study(tmp_path)
    filled(tmp_path / "runs", study)
    before = contents(tmp_path / "runs")
    told = ("sample", "runs", "--study", "made.toml", "--out", "out")
    done = review(*told, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    said = done.stdout.decode().splitlines()
    assert said[0] == "87 rows: sheet.csv, index.html, sample.json"
    assert said[1] == "data shapes, model maker, prompt question, decoding default"
    wrong_of = "questions with a wrong answer"
    assert said[2] == f"clean: 20 of 32 {wrong_of} (32 of 32 answers), seed 20260724"
    assert said[6].startswith(f"downsample_25: 7 of 7 {wrong_of} (7 of 32 answers), ")
    assert said[6].endswith("seed 20260728; fewer than the 20 asked for")
    assert contents(tmp_path / "runs") == before

    rows = rows_of(tmp_path / "out/sheet.csv")
    assert [sum(r["condition"] == view for r in rows) for view in VIEWS] == [20, 20, 20, 20, 7]
    page = (tmp_path / "out/index.html").read_text("utf-8")
    shown = re.findall(r'<img src="([^"]+)"', page)
    assert len(shown) == 87
    assert all((tmp_path / "out" / name).is_file() for name in shown)
    assert "<script" not in page
    written = contents(tmp_path / "out")
    private = [str(tmp_path), platform.node(), getpass.getuser() + "@"]
    for name in ("sheet.csv", "index.html", "sample.json"):
        assert not any(word.encode() in written[name] for word in private), name

    good = save(tmp_path / "out/good.csv", labelled(rows, ["PP", "RRR", "PFU"]))
    done = review("summary", good, "--json", "figures.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Cohen's kappa" in done.stdout
    figures = json.loads((tmp_path / "figures.json").read_bytes())
    assert figures["adjudication"]["third"] == 29
    assert figures["conditions"][4]["n"] == 7

    rows[3]["response"] = "edited"
    done = review("summary", save(tmp_path / "out/bad.csv", rows[1:]), cwd=tmp_path)
    said = done.stderr.decode().splitlines()
    assert (done.returncode, done.stdout) == (1, b"")
    # Two blank labels in each of 86 rows, one row lost and one edited.
    assert said[0].endswith("found 174 fault(s):")
    assert said[1].startswith(f"review:   {rows[0]['id']}: expected one row of it, found none")
    assert said[2].startswith(f"review:   {rows[3]['id']}: expected labels alone")
    assert said[-1] == "review:   and 124 more"


def test_the_same_sample_from_another_machine(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    study = made_study(tmp_path)
    texts = [wrong(e) for e in examples(study)[:25]]
    store(tmp_path / "a/runs", study, "clean", texts)
    store(tmp_path / "b", study, "clean", texts, backwards=True)
    for runs, out in (("a/runs", "one"), ("b", "new/two")):
        told = [str(tmp_path / runs), "--study", str(study.path), "--out", str(tmp_path / out)]
        assert main(["sample", *told, "--per-condition", "3"]) == 0
    assert contents(tmp_path / "one") == contents(tmp_path / "new/two")
    assert sorted(p.name for p in (tmp_path / "new").iterdir()) == ["two"], "nothing left beside"
    assert "clean: 3 of 25 questions with a wrong answer" in capfd.readouterr().out


def test_what_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    study = made_study(tmp_path)
    runs = tmp_path / "runs"
    store(runs, study, "clean", [wrong(e) for e in examples(study)[:3]])
    (tmp_path / "full").mkdir()
    (tmp_path / "full/sheet.csv").write_text("labels", encoding="utf-8")
    of = ["--study", str(study.path), "--out"]
    for arguments, reason in (
        ([str(runs), *of, str(tmp_path / "full")], "never overwritten"),
        ([str(runs), *of, str(runs / "out")], "outside the runs folders"),
        ([str(tmp_path), *of, str(tmp_path / "out")], "outside the runs folders"),
        ([str(tmp_path / "none"), *of, str(tmp_path / "out")], "expected a folder of cells"),
        ([str(runs), *of, str(tmp_path / "out"), "--view", "fog"], "view fog: expected a stored"),
        ([str(runs), *of, str(tmp_path / "out"), "--model", "gold"], "found maker; choose by"),
        ([str(runs), *of, str(tmp_path / "out"), "--policy", "fog"], "unknown scoring policy"),
        ([str(runs), *of, str(tmp_path / "out"), *["--view", "clean"] * 2], "each name once"),
    ):
        assert main(["sample", *arguments]) == 2, reason
        assert reason in capfd.readouterr().err
    assert (tmp_path / "full/sheet.csv").read_text(encoding="utf-8") == "labels"
    assert not (tmp_path / "out").exists()
    assert main(["summary", str(tmp_path / "full/sheet.csv")]) == 2
    assert "sample.json: expected the manifest" in capfd.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(["sample", str(runs), *of, str(tmp_path / "out"), "--per-condition", "0"])
    assert ended.value.code == 2
    # A cell that cannot be read is named, and the status says so.
    (runs / "other").mkdir()
    (runs / "other/cell.json").write_bytes(b"{}")
    monkeypatch.setattr(command, "_STUDIES", tmp_path)
    assert main(["sample", str(runs), "--out", str(tmp_path / "out")]) == 1
    assert "left out: other: " in capfd.readouterr().err
    manifest = json.loads((tmp_path / "out/sample.json").read_bytes())
    assert [s["key"] for s in manifest["skipped"]] == ["other"]
    sheet = tmp_path / "out/sheet.csv"
    assert main(["summary", str(sheet), "--json", str(sheet)]) == 1
    good = save(tmp_path / "out/good.csv", labelled(rows_of(sheet), ["PP"]))
    assert main(["summary", str(good), "--json", str(good)]) == 2
    assert "another file than the sheet" in capfd.readouterr().err
