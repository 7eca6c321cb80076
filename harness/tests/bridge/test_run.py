"""Runs of a stand-in for lmms-eval: what counts as success, and what is kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.bridge.faults import BridgeError
from harness.bridge.run import run_lmms_eval
from harness.bridge.summary import check_summary
from harness.tests.bridge import stand_in
from harness.tests.bridge.stand_in import run


def test_a_run_becomes_a_summary_without_paths(tmp_path: Path, environment: dict[str, str]) -> None:
    out, tasks = tmp_path / "out", tmp_path / "tasks"
    tasks.mkdir()
    (tasks / "t.yaml").write_text("task: t")
    made = run("fine", out, environment, timeout_s=60, changes={"include_path": tasks})
    check_summary(made)
    assert made["tasks"]["t"] == {
        "version": "1.0",
        "n_original": 9,
        "n_effective": 2,
        "metrics": {"exact_match": 0.5},
    }
    assert made["budget"]["include_path"] == "tasks"
    (tasks / "t.yaml").write_text("task: t, but another one")
    other = run("fine", tmp_path / "b", environment, dry_run=True, changes={"include_path": tasks})
    assert other["include_sha256"] != made["budget"]["include_sha256"]
    assert made["throughput"] == {"avg_speed": 2.0}
    assert made["samples"]["u"]["n"] == 2
    assert json.loads((out / "summary.json").read_text()) == made
    names = {"log.txt", "request.json", "results.json", "summary.json"}
    assert {p.name for p in out.iterdir()} == names | {"samples_t.jsonl", "samples_u.jsonl"}
    for path in out.iterdir():
        text = path.read_text()
        assert "secret" not in text, path
        assert str(tmp_path) not in text, path
        assert "0x7f00" not in text
    # What a model said is not changed, though it looks like a path.
    assert "see /usr/lib/x" in (out / "samples_t.jsonl").read_text()


def test_a_failed_run_is_repeated_and_a_finished_one_is_not(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    with pytest.raises(BridgeError):
        run("late", tmp_path, environment, timeout_s=60)
    assert (tmp_path / "results.json").exists()
    with pytest.raises(BridgeError, match="expected a new"):
        run("crash", tmp_path, environment, timeout_s=60)
    assert not (tmp_path / "results.json").exists()
    run("fine", tmp_path, environment, timeout_s=60)
    assert not (tmp_path / "failure.json").exists()
    with pytest.raises(BridgeError, match="expected no finished run"):
        run("fine", tmp_path, environment, timeout_s=60)


def test_a_dry_run_starts_nothing(tmp_path: Path) -> None:
    asked = run("fine", tmp_path, {}, dry_run=True)
    assert [p.name for p in tmp_path.iterdir()] == ["request.json"]
    assert asked["argv"][1:5] == ["-m", "lmms_eval", "--model", "fine"]
    assert "<tmp>" in asked["argv"]


def test_an_interpreter_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BridgeError, match="cannot start no-such-python"):
        run_lmms_eval(stand_in.request(), tmp_path, python="/x/no-such-python", environment={})
