"""Cases whose rows lack a key: refused for the reason that fits, never a KeyError."""

from __future__ import annotations

import pytest

from harness.conformance.statistics import computed
from harness.stats.checks import StatisticsError


@pytest.mark.parametrize(
    ("lacking", "reason"),
    [("id", "missing_id"), ("status", "unknown_outcome"), ("correct", "not_binary")],
)
def test_a_row_without_a_key_is_refused_by_name(lacking: str, reason: str) -> None:
    whole = {"id": "q1", "status": "ok", "correct": True}
    rows = [{key: value for key, value in whole.items() if key != lacking}]
    for function, given in (
        ("accuracy", {"rows": rows}),
        ("paired_table", {"a": rows, "b": [whole], "on_unpaired": "error"}),
    ):
        with pytest.raises(StatisticsError) as refused:
            computed(function, given)
        assert refused.value.reason == reason


@pytest.mark.parametrize("lacking", ["base", "relevant", "irrelevant"])
def test_a_triplet_without_one_of_its_items_is_dropped(lacking: str) -> None:
    whole = {"id": "t0", "base": True, "relevant": True, "irrelevant": True}
    torn = {key: value for key, value in whole.items() if key != lacking} | {"id": "t1"}
    found = computed("ra_ii", {"triplets": [whole, torn]})
    assert found == computed("ra_ii", {"triplets": [whole]})
    assert found == computed("ra_ii", {"triplets": [whole, {**torn, lacking: None}]})
    with pytest.raises(StatisticsError) as refused:
        computed("ra_ii", {"triplets": [whole, {**torn, "id": None}]})
    assert refused.value.reason == "missing_id"


@pytest.mark.parametrize("lacking", ["static_correct", "static_n", "ra"])
def test_a_judge_without_a_count_is_refused(lacking: str) -> None:
    judge = {"name": "a", "factor": "count", "static_correct": 1, "static_n": 2, "ra": [1, 2]}
    given = {key: value for key, value in judge.items() if key != lacking}
    with pytest.raises(StatisticsError) as refused:
        computed("matched_comparisons", {"judges": [given], "max_static_delta_pp": 1})
    assert refused.value.reason == "invalid_count"


def test_a_table_or_cell_without_a_count_is_refused() -> None:
    family = {"n": 9, "alpha": 0.05, "correction": "holm", "comparisons": [{"n01": 1}]}
    cells = {name: {"correct": 1, "n": 2} for name in ("00", "01", "10")} | {"11": {"n": 2}}
    for function, given in (("comparison_family", family), ("factorial_2x2", {"cells": cells})):
        with pytest.raises(StatisticsError) as refused:
            computed(function, given)
        assert refused.value.reason == "invalid_count"
