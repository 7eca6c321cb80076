"""The command line: what it prints, and its exit status."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from harness.bridge.command import main
from harness.tests.bridge import stand_in

PINS = ("--model-revision", stand_in.MODEL, "--upstream-revision", stand_in.UPSTREAM)


def lmms_eval(out: Path, *more: str, model: str = "fine") -> list[str]:
    asked = ["lmms-eval", "--model", model, "--public-model-id", "owner/model", "--tasks", "t"]
    return [*asked, "--output-dir", str(out), *PINS, *more]


def test_a_dry_run_prints_the_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(lmms_eval(tmp_path, "--dry-run", "--limit", "8")) == 0
    asked = json.loads(capsys.readouterr().out)
    assert asked["request"]["limit"] == 8
    assert asked["request"]["claim_level"] == "L3"


def test_a_run_its_samples_and_a_comparison(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", stand_in.install(tmp_path / "package"))
    out = tmp_path / "out"
    assert main(lmms_eval(out, "--claim-level", "L0")) == 0
    assert json.loads(capsys.readouterr().out)["claim_level"] == "L0"
    samples, written = str(out / "samples_t.jsonl"), tmp_path / "p.jsonl"
    common = ("--kind", "text")
    asked = [
        "samples",
        samples,
        *common,
        "--predictions",
        str(written),
        "--model-id",
        "owner/model",
    ]
    assert main([*asked, "--model-revision", stand_in.MODEL]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["ours"]["n_correct"], found["theirs"]["mean"], found["differ"]) == (1, 0.5, [])
    assert len(written.read_text().splitlines()) == 2
    assert main(["compare", "samples", samples, samples, *common]) == 0
    assert json.loads(capsys.readouterr().out)["test"]["p"] == 1.0
    assert main([*asked, "--model-revision", "main"]) == 2
    assert main(lmms_eval(tmp_path / "crashed", model="crash")) == 2
    assert "expected a new *_results.json" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["inspect", "no.json", "--kind", "choice"], "no.json: cannot be read"),
        (["vlmevalkit", "no.tsv", "--kind", "choice"], "no.tsv: no such file"),
        (["samples", "no.jsonl", "--kind", "choice"], "no.jsonl: no such file"),
    ],
)
def test_a_refusal_is_one_message(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err == f"bridge: {says}" + (
        ": No such file or directory\n" if "read" in says else "\n"
    )


def test_a_branch_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [word if word != stand_in.MODEL else "main" for word in lmms_eval(tmp_path)]
    assert main(asked) == 2
    assert "model revision: expected the 40 hex digits" in capsys.readouterr().err
