"""lmms-eval's results file: the newest one, its metrics, and what cannot be trusted."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from harness.bridge.faults import BridgeError
from harness.bridge.results import metrics_of, newest_results, read_results, task_entries


def test_the_newest_file_counts_and_known_ones_do_not(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    paths = [tmp_path / "m" / f"{stamp}_results.json" for stamp in ("b", "a", "c")]
    for at, path in enumerate(paths):
        path.write_text("{}")
        os.utime(path, (100 - at, 100 - at))
    assert newest_results(tmp_path) == paths[0]
    assert newest_results(tmp_path, known=paths[:1]) == paths[1]
    with pytest.raises(BridgeError, match="expected a new"):
        newest_results(tmp_path, known=paths)


def test_a_name_ends_at_its_first_comma() -> None:
    entry = {
        "alias": "t",
        "acc,none": 0.5,
        "em,strict,x": 1,
        "stderr,none": "N/A",
        "f,none": [1],
        "flag": True,
        "g,none": float("nan"),
    }
    assert metrics_of(entry) == {"acc": 0.5, "em": 1}


def test_two_filters_of_one_metric_stay_apart() -> None:
    entry = {"em,none": 0.1, "em,strict": 0.2, "em,loose": 0.3}
    assert metrics_of(entry) == {"em": 0.1, "em[loose]": 0.3, "em[strict]": 0.2}


def document(**changes: Any) -> dict[str, Any]:
    return {
        "results": {"t": {"acc,none": 0.5}},
        "n-samples": {"t": {"original": 4, "effective": 2}},
        "versions": {"t": "Yaml"},
        **changes,
    }


def test_a_task_is_summarised() -> None:
    assert task_entries(document(), ["t"]) == {
        "t": {"version": "Yaml", "n_original": 4, "n_effective": 2, "metrics": {"acc": 0.5}}
    }


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"results": {}}, "found none for t"),
        ({"results": {"t": {"acc,none": "N/A"}}}, "expected a scalar metric"),
        ({"results": {"t": {"acc,none": float("inf")}}}, "expected a scalar metric"),
        ({"n-samples": {"t": {"original": 4, "effective": 0}}}, "at least one effective"),
        ({"n-samples": {"t": {"original": 4, "effective": True}}}, "at least one effective"),
        ({"n-samples": {"t": {"original": 1, "effective": 2}}}, "at most 1 effective"),
    ],
)
def test_what_is_refused(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(BridgeError, match=says):
        task_entries(document(**changes), ["t"])


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"results": []}', "[" * 100_000])
def test_a_damaged_file_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x_results.json"
    path.write_text(text)
    with pytest.raises(BridgeError, match="x_results.json: expected"):
        read_results(path)
