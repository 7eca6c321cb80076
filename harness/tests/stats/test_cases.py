"""The reference cases that lie beside the real data."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from harness.stats.binary_metrics import pope_metrics
from harness.stats.paired import paired_difference
from harness.stats.proportion import wilson


def cases(function: str) -> list[dict[str, Any]]:
    folder = os.environ.get("HARNESS_DATA")
    assert folder, "HARNESS_DATA: expected the folder of real data, found it unset"
    lines = (Path(folder).parent / "cases/stats.jsonl").read_text(encoding="utf-8").splitlines()
    found = [case for case in map(json.loads, lines) if case["function"] == function]
    assert found, f"no case for {function}"
    return found


def close(found: float | None, expected: float | None, tolerance: float) -> bool:
    if found is None or expected is None:
        return found is expected
    return abs(found - expected) <= tolerance


@pytest.mark.reference
def test_wilson() -> None:
    for case in cases("wilson_ci"):
        estimate = wilson(**case["input"])
        found = {"estimate": estimate.value, "low": estimate.low, "high": estimate.high}
        for key, expected in case["expected"].items():
            assert close(found[key], expected, case["tolerance"]), (case["id"], key)


@pytest.mark.reference
def test_paired_difference() -> None:
    n_checked = 0
    for case in cases("bootstrap_paired_binary"):
        given, expected = case["input"], case["expected"]
        if given["interval"] != "percentile":
            continue
        n_checked += 1
        estimate = paired_difference(given["n01"], given["n10"], given["n"], given["level"])
        tolerance = case["tolerance"]
        limit = tolerance["exact_mode"] if isinstance(tolerance, dict) else tolerance
        assert close(estimate.value, expected["estimate"], limit), case["id"]
        assert close(estimate.low, expected["low"], limit), case["id"]
        assert close(estimate.high, expected["high"], limit), case["id"]
        assert ("degenerate" in estimate.method) == expected["degenerate"], case["id"]
    assert n_checked >= 5


@pytest.mark.reference
def test_pope_metrics() -> None:
    for case in cases("pope_metrics"):
        given = case["input"]
        found = pope_metrics(
            *(given[k] for k in ("tp", "fp", "tn", "fn", "unparsed_positive", "unparsed_negative"))
        )
        for key, expected in case["expected"].items():
            assert close(found[key], expected, case["tolerance"]), (case["id"], key)
