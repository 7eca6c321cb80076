"""Stored responses under two scorers, end to end with real processes and a real history."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import AssayError, DataError, StoreError
from harness.rescore import command
from harness.rescore.archive import Skipped, stored_cells
from harness.rescore.command import main, rescore
from harness.rescore.compare import tally
from harness.rescore.history import find_commit
from harness.rescore.report import document, text
from harness.tests.rescore.made_runs import OLD, ROOT, contents, git, history, questions, store

# (how many, reply to a yes question, reply to a no question): old and new verdict in words.
SHAPE = [
    (3549, "Yes.", "No."),  # right, right
    (82, "Answer: yes", "Answer: no"),  # review, right
    (35, "Yes and no.", "No and yes."),  # right, review
    (46, "Answer: no", "Answer: yes"),  # review, wrong
    (1184, "A picture of a room.", "A picture of a room."),  # review, review
    (1104, "No.", "Yes."),  # wrong, wrong
]


def replies(shape: list[tuple[int, str, str]]) -> list[str]:
    found: list[str] = []
    for n, to_yes, to_no in shape:
        found += [(to_yes, to_no)[(len(found) + i) % 2] for i in range(n)]
    return found


def test_the_published_repair_has_this_shape(tmp_path: Path) -> None:
    """3,584 + 82 - 35 = 3,631 correct and 1,312 to 1,219 for review, over two cells."""
    study = questions(tmp_path / "study", 6000)
    runs = tmp_path / "runs"
    texts = replies(SHAPE)
    assert len(texts) == 6000
    store(runs, study, texts)
    before = contents(runs)
    (commit,) = history(tmp_path / "repo", OLD)
    found = rescore(runs, against="1", studies=[study], repository=tmp_path / "repo")
    total = tally(found.pairs)
    assert (total.n, total.n_correct, total.n_review) == (6000, (3584, 3631), (1312, 1219))
    assert (total.changes["up"], total.changes["down"]) == (82, 35)
    assert total.changes["outcome"] == 46
    assert total.difference.value == 47 / 6000
    assert total.difference.low is not None and 0 < total.difference.low < 47 / 6000
    assert total.p == pytest.approx(1.7e-5, rel=0.1)
    report = text(found)
    assert "correct 3,584 → 3,631: 82 up, 35 down; review 1,312 → 1,219" in report
    assert "## Flips up: 82" in report
    assert "## Flips down: 35" in report
    assert "| 3549 |" in report
    assert f"scorer 1 (commit {commit[:12]})" in report
    assert found.complete
    assert contents(runs) == before


def test_cells_add_up_and_each_flip_is_listed(tmp_path: Path) -> None:
    study = questions(tmp_path / "study", 6)
    runs = tmp_path / "runs"
    clean = store(runs, study, ["Answer: yes", "No.", "Yes and no.", None, "No."])
    blank = store(runs, study, ["Yes.", "BOOM", "<b>|x"], view="blank", seal=False)
    history(tmp_path / "repo", OLD)
    found = rescore(runs, against="HEAD", studies=[study], repository=tmp_path / "repo")
    facts = document(found)
    cells = {cell["key"]: cell for cell in facts["cells"]}
    assert cells[clean]["n"] == 4
    assert cells[clean]["n_excluded"] == 1
    assert cells[clean]["n_correct"] == [2, 2]
    assert [row["change"] for row in cells[clean]["changed"]] == ["up", "rule", "down", "rule"]
    counts = [cells[blank][name] for name in ("n", "n_excluded", "n_unscored")]
    assert counts == [2, 0, 1]
    assert cells[blank]["unscored"][0]["old"]["error"] == "RuntimeError: a scorer | that fails"
    total = facts["total"]
    for name in ("n", "n_excluded", "n_unscored"):
        assert total[name] == cells[clean][name] + cells[blank][name]
    assert json.loads(json.dumps(facts)) == facts
    report = text(found)
    assert "Counted by one scorer alone" not in report
    up = next(line for line in report.splitlines() if line.startswith("| 0 |"))
    assert "– (no\\_first\\_word, review) → yes (" in up
    assert up.endswith("| yes |")
    assert "without a score by the old scorer: 1" in report.lower()
    assert "a scorer \\| that fails" in report
    assert found.complete, "an old scorer that fails on a row is listed, not a failure"


def test_a_row_that_one_scorer_alone_counts_is_listed(tmp_path: Path) -> None:
    """It moves an accuracy, though it is no flip among the rows that both count."""
    study = questions(tmp_path / "study", 3)
    store(tmp_path / "runs", study, ["Yes.", "A lamp | a cat.", None])
    found = rescore(tmp_path / "runs", against="policy:drop_unparsed", studies=[study])
    (cell,) = document(found)["cells"]
    (row,) = cell["counted_once"]
    assert (row["example_id"], row["old"]["counted"], row["new"]["counted"]) == ("1", False, True)
    assert (cell["n_excluded"], cell["changed"]) == (2, [])
    report = text(found).splitlines()
    head = report.index("## Counted by one scorer alone: 1")
    (line,) = (line for line in report[head:] if line.startswith("| 1 |"))
    assert line.endswith("| new |")


def test_a_policy_needs_no_history(tmp_path: Path) -> None:
    study = questions(tmp_path / "study", 2)
    store(tmp_path / "runs", study, ["Yes.", "No."])
    found = rescore(
        tmp_path / "runs", against="policy:default", studies=[study], repository=tmp_path
    )
    total = tally(found.pairs)
    assert (total.n_correct, total.changes["same"]) == ((2, 2), 2)
    assert "policy default" in found.old
    with pytest.raises(DataError, match="unknown scoring policy 'fog'"):
        rescore(tmp_path / "runs", against="policy:fog", studies=[study], repository=tmp_path)


def test_a_version_is_the_newest_commit_that_has_it(tmp_path: Path) -> None:
    two, three = (OLD.replace('"1"', f'"{v}"') for v in "23")
    commits = history(tmp_path, OLD, OLD + "\n# a repair\n", two, two + "\n", three)
    (tmp_path / "harness/scoring/other.py").write_text("N = 9\n", encoding="utf-8")
    git(tmp_path, "commit", "-qam", "no change of the version")
    head = git(tmp_path, "rev-parse", "HEAD").strip()
    assert find_commit("1", tmp_path) == commits[1]
    assert find_commit("version:2", tmp_path) == commits[3]
    assert find_commit("3", tmp_path) == head
    assert find_commit(commits[0][:10], tmp_path) == commits[0]
    assert find_commit("HEAD~2", tmp_path) == commits[3]


@pytest.mark.parametrize(
    ("against", "reason"),
    [
        ("7", "version 7: expected a commit with it in the history, found 1"),
        ("no-such-branch", "expected a git ref"),
        ("--output=x", "expected a git ref"),
        ("version:", "version : expected"),
    ],
)
def test_a_scorer_that_is_nowhere_is_an_error(tmp_path: Path, against: str, reason: str) -> None:
    history(tmp_path, OLD, OLD.replace('"1"', '"2"'))
    with pytest.raises(AssayError, match=reason):
        find_commit(against, tmp_path)
    assert not list(tmp_path.glob("x*"))


def test_no_checkout_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="git"):
        find_commit("HEAD", tmp_path)


def test_a_scorer_that_dies_or_is_late_is_an_error(tmp_path: Path) -> None:
    study = questions(tmp_path / "study", 2)
    store(tmp_path / "runs", study, ["Yes.", "No."])
    dying = OLD.replace("if response.text is None", "raise SystemExit(5)\n    if response is None")
    slow = OLD.replace("if response.text is None", "while True: pass\n    if response is None")
    commits = history(tmp_path / "repo", dying, slow, "import no_such_library\n" + OLD)
    for commit, reason in zip(commits, ("status 5", "in time", "no_such_library"), strict=True):
        with pytest.raises(AssayError, match=reason):
            rescore(
                tmp_path / "runs",
                against=commit,
                studies=[study],
                repository=tmp_path / "repo",
                timeout_s=1.5,
            )


def test_what_cannot_be_rescored_is_named(tmp_path: Path) -> None:
    study = questions(tmp_path / "study", 4)
    runs = tmp_path / "runs"
    good = store(runs, study, ["Yes.", "No."])
    renamed = store(runs, study, ["Yes."], view="blank")
    (runs / renamed).rename(runs / ("0" * 32))
    changed = store(runs, study, ["Yes."], view="shuffled")
    segment = runs / changed / "responses/s000.jsonl"
    segment.write_bytes(segment.read_bytes().replace(b"Yes.", b"No.."))
    (runs / ("1" * 32) / "responses").mkdir(parents=True)
    (runs / ("2" * 32)).mkdir()
    (runs / ("2" * 32) / "cell.json").write_text("{}", encoding="utf-8")
    found = list(stored_cells(runs, [study]))
    reasons = {cell.key: cell.reason for cell in found if isinstance(cell, Skipped)}
    assert len(found) == 5
    assert good not in reasons
    assert "folder's name was changed" in reasons["0" * 32]
    assert "sealed" in reasons[changed]
    assert "expected a cell's identity" in reasons["1" * 32]
    assert "expected a cell's identity" in reasons["2" * 32]


def test_other_data_are_never_taken_for_those_that_were_answered(tmp_path: Path) -> None:
    study = questions(tmp_path / "study", 4)
    runs = tmp_path / "runs"
    key = store(runs, study, ["Yes.", "No."])
    other = questions(tmp_path / "other", 5)
    (skipped,) = stored_cells(runs, [other])
    assert isinstance(skipped, Skipped)
    assert "expected the content" in skipped.reason
    (found,) = stored_cells(runs, [other, study])
    assert not isinstance(found, Skipped)
    assert (found.key, len(found.rows)) == (key, 2)
    assert found.name == "made/gold/clean/question"
    (skipped,) = stored_cells(runs, [replace(study, data={})])
    assert isinstance(skipped, Skipped)
    assert "no given study has it" in skipped.reason


def test_a_folder_without_cells_is_an_error(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "absent"):
        with pytest.raises(StoreError, match="expected a folder of cells"):
            list(stored_cells(folder, []))


def test_the_command_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    study = questions(tmp_path / "study", 3)
    runs = tmp_path / "runs"
    store(runs, study, ["Answer: yes", "No.", "\ud800\u202e"])
    history(tmp_path / "repo", OLD)
    monkeypatch.setitem(rescore.__kwdefaults__, "repository", tmp_path / "repo")
    out = tmp_path / "out.json"
    told = ["--against", "1", "--study", str(study.path)]
    assert main([str(runs), *told, "--json", str(out)]) == 0
    assert "correct 1 → 2: 1 up, 0 down" in capfd.readouterr().out
    facts = json.loads(out.read_text(encoding="ascii"))
    assert facts["schema"] == "assay.rescore/1"
    assert str(tmp_path) not in out.read_text(encoding="ascii")
    assert main([str(runs), *told, "--json", str(runs / "x.json")]) == 2
    assert "outside the runs folder" in capfd.readouterr().err
    assert main([str(tmp_path / "none"), *told]) == 2
    assert main([str(runs), "--against", "7", "--study", str(study.path)]) == 2
    monkeypatch.setattr(command, "_STUDIES", tmp_path / "other")
    questions(tmp_path / "other", 2)
    assert main([str(runs), "--against", "1"]) == 1
    assert "## Skipped cells: 1" in capfd.readouterr().out


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
def test_a_time_limit_is_above_zero(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["runs", "--against", "1", "--timeout-s", seconds])
    assert ended.value.code == 2
    assert "argument --timeout-s: " in capsys.readouterr().err


def test_the_package_runs_its_commands(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "harness", *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    assert run("rescore", "--help").returncode == 0
    assert "usage" in run("fog").stderr
    assert run().returncode == 2
    missing = run("conformance", "scorer", "none.jsonl")
    assert (missing.returncode, "no such file" in missing.stderr) == (2, True)
