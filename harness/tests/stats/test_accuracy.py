import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.accuracy import accuracy, accuracy_from_counts
from harness.stats.checks import StatisticsError
from harness.types import OUTCOMES

Row = tuple[str, str, bool | None]

ROWS: list[Row] = [
    ("q0", "answered", True),
    ("q1", "answered", False),
    ("q2", "review", None),
    ("q3", "truncated", None),
    ("q4", "refused", None),
    ("q5", "resource_error", None),
    ("q6", "runtime_error", None),
    ("q7", "answered", True),
]


def test_every_outcome_is_counted_and_two_leave_the_denominator() -> None:
    found = accuracy(ROWS)
    assert (found.n_rows, found.n_counted, found.n_correct) == (8, 6, 2)
    assert (found.n_review, found.n_excluded) == (1, 2)
    assert found.accuracy == 2 / 6
    assert found.n_by_outcome == dict.fromkeys(OUTCOMES, 1) | {"answered": 3}


def test_what_was_not_answered_is_never_right() -> None:
    found = accuracy([("q1", "review", True), ("q2", "resource_error", True)])
    assert (found.n_counted, found.n_correct, found.accuracy) == (1, 0, 0.0)


@pytest.mark.parametrize("rows", [[], [("q1", "resource_error", None)]])
def test_no_counted_row_gives_none(rows: list[Row]) -> None:
    found = accuracy(rows)
    assert (found.n_rows, found.n_counted) == (len(rows), 0)
    assert found.accuracy is None
    assert found.stderr is None


@pytest.mark.parametrize("correct", [True, False])
def test_one_row_has_no_spread(correct: bool) -> None:
    found = accuracy([("q1", "answered", correct)])
    assert (found.accuracy, found.stderr) == (float(correct), None)


def test_order_does_not_matter() -> None:
    assert len({repr(accuracy(rows)) for rows in permutations(ROWS[:5])}) == 1


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("q1", "answered", True), ("q1", "answered", True)], "duplicate_id"),
        ([("q1", "answered", True), ("q1", "runtime_error", None)], "duplicate_id"),
        ([(None, "answered", True)], "missing_id"),
        ([("", "answered", True)], "missing_id"),
        ([("q1", "manual", True)], "unknown_outcome"),
        ([("q1", None, True)], "unknown_outcome"),
        ([("q1", ["answered"], True)], "unknown_outcome"),
        ([("q1", "answered", None)], "not_binary"),
        ([("q1", "answered", 1)], "not_binary"),
        ([("q1", "answered", math.nan)], "not_binary"),
        ([("q1", "answered", "yes")], "not_binary"),
    ],
)
def test_bad_rows_are_refused(rows: list[Row], reason: str) -> None:
    with pytest.raises(StatisticsError, match="expected .* found") as refused:
        accuracy(rows)
    assert refused.value.reason == reason


def test_numpys_bools_are_bools() -> None:
    assert accuracy([("q1", "answered", np.bool_(True))]).n_correct == 1


COUNT = st.integers(0, 50)


@settings(max_examples=40, deadline=None)
@given(COUNT, COUNT, COUNT, COUNT)
def test_counts_and_rows_agree(correct: int, wrong: int, review: int, excluded: int) -> None:
    kinds = [("answered", True)] * correct + [("answered", False)] * wrong
    kinds += [("review", None)] * review + [("runtime_error", None)] * excluded
    rows = [(f"q{place}", *kind) for place, kind in enumerate(kinds)]
    counted, listed = accuracy_from_counts(correct, wrong, review, excluded), accuracy(rows)
    for name in (
        "n_rows",
        "n_counted",
        "n_correct",
        "n_review",
        "n_excluded",
        "accuracy",
        "stderr",
    ):
        assert getattr(counted, name) == getattr(listed, name), name
    outcomes = np.array([1.0] * correct + [0.0] * (wrong + review))
    if len(outcomes) > 1:
        spread = outcomes.std(ddof=1) / math.sqrt(len(outcomes))
        assert counted.stderr == pytest.approx(spread, abs=1e-14)


@pytest.mark.parametrize(
    "counts", [(-1, 0, 0, 0), (0, 1.0, 0, 0), (0, 0, True, 0), (0, 0, 0, None)]
)
def test_bad_counts_are_refused(counts: tuple[int, int, int, int]) -> None:
    with pytest.raises(StatisticsError) as refused:
        accuracy_from_counts(*counts)
    assert refused.value.reason == "invalid_count"
