"""Commands whose output goes nowhere end in one line, and without a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.tests.rescore.made_runs import questions, store

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Each writes more than a pipe holds, or in several steps."""
    folder = tmp_path_factory.mktemp("output")
    case = {"name": "n", "response": "The answer is B.", "options": ["red", "blue"], "gold": "A"}
    (folder / "cases.json").write_text(json.dumps([case] * 40), encoding="utf-8")
    study = questions(folder / "study", 4000)
    store(folder / "runs", study, ["A is it.", "Well."] * 2000)
    against = ["--against", "policy:pope_official", "--study", str(study.path)]
    return {
        "conformance": ["conformance", "extraction", str(folder / "cases.json")],
        "rescore": ["rescore", str(folder / "runs"), *against],
    }


def started(arguments: list[str], stdout: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "harness", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": ""},
        stdout=stdout,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize("name", ["conformance", "rescore"])
def test_a_reader_that_has_enough(commands: dict[str, list[str]], name: str) -> None:
    """As in `| head -1`."""
    process = started(commands[name], subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 1


@pytest.mark.parametrize("name", ["conformance", "rescore"])
def test_a_full_disk(commands: dict[str, list[str]], name: str) -> None:
    with open("/dev/full", "wb") as full:
        process = started(commands[name], full.fileno())
        assert process.stderr is not None
        said = process.stderr.read().decode("ascii")
        process.stderr.close()
        assert process.wait(60) == 2
    assert said == f"{name}: [Errno 28] No space left on device\n"
