"""Runs of a stand-in for lmms-eval that are no success, whatever their exit status."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from harness.bridge.faults import BridgeError
from harness.tests.bridge.stand_in import run


@pytest.mark.parametrize(
    ("adapter", "says"),
    [
        ("crash", "exit status 0.*expected a new .*_results.json.*\n.*no generate"),
        ("status", "exit status 3"),
        ("torn", "cut off or damaged"),
        ("lacking", "found none for u"),
        ("short", "expected a line for each of 2 effective examples, found 1"),
        ("late", "results are there, but the exit status is 1"),
    ],
)
def test_what_is_no_success(
    adapter: str, says: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    with pytest.raises(BridgeError, match=f"(?s){says}") as caught:
        run(adapter, tmp_path, environment, timeout_s=60)
    assert "secret" not in str(caught.value)
    assert str(tmp_path) not in str(caught.value)
    assert not (tmp_path / "summary.json").exists()
    assert json.loads((tmp_path / "failure.json").read_text())["timed_out"] is False
    assert not list(tmp_path.glob(".running-*"))


def test_the_time_limit_ends_the_child_and_its_children(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    began = time.monotonic()
    with pytest.raises(BridgeError, match="the time limit after"):
        run("hang", tmp_path, environment, timeout_s=1.0)
    assert time.monotonic() - began < 5
    inner = (tmp_path / "log.txt").read_text().rpartition("inner ")[2].strip()
    try:
        state = Path(f"/proc/{inner}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        state = "gone"
    assert state in ("gone", "Z", "X")
    assert json.loads((tmp_path / "failure.json").read_text())["timed_out"] is True
