"""Statistics under weights against the plain statistics of the written-out resample."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.calibration import auroc, brier, ece
from harness.stats.checks import StatisticsError
from harness.stats.selective import aurc
from harness.stats.weighted import (
    YES_NO_METRICS,
    WeightedStatistic,
    weighted_difference,
    weighted_mean,
    weighted_ratio,
    weighted_yes_no,
)
from harness.stats.weighted_confidence import (
    weighted_aurc,
    weighted_auroc,
    weighted_brier,
    weighted_ece,
)

CONFIDENCE = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 1.0])
SCORED = st.lists(st.tuples(CONFIDENCE, st.integers(0, 1), st.integers(0, 4)), max_size=9)


def one(statistic: WeightedStatistic, weights: Any) -> float | None:
    value = float(statistic.compute(np.array([weights], dtype=np.int64))[0])
    return None if np.isnan(value) else value


def near(found: float | None, expected: float | None) -> bool:
    if found is None or expected is None:
        return found is expected
    return abs(found - expected) < 1e-12


@settings(max_examples=50, deadline=None)
@given(SCORED, st.integers(1, 12))
def test_against_the_written_out_resample(rows: list[tuple[float, int, int]], n_bins: int) -> None:
    confidence, correct, weights = [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows]
    drawn = [(c, y) for c, y, w in rows for _ in range(w)]
    p, y = [c for c, _ in drawn], [y for _, y in drawn]
    assert near(one(weighted_aurc(confidence, correct), weights), aurc(p, y).aurc)
    assert near(one(weighted_ece(confidence, correct, n_bins), weights), ece(p, y, n_bins))
    assert near(one(weighted_brier(confidence, correct), weights), brier(p, y))
    assert near(one(weighted_auroc(confidence, correct), weights), auroc(p, y))
    mean = sum(p) / len(p) if p else None
    assert near(one(weighted_mean(confidence), weights), mean)


@pytest.mark.parametrize("weights", [(1, 1, 1, 1), (2, 1, 0, 1), (0, 3, 0, 1), (1, 0, 2, 1)])
def test_aurc_by_all_orders_of_the_tied(weights: tuple[int, ...]) -> None:
    confidence, correct = [0.9, 0.5, 0.5, 0.5], [1, 0, 1, 0]
    drawn = [(c, y) for c, y, w in zip(confidence, correct, weights, strict=True) for _ in range(w)]
    areas = []
    for order in permutations(drawn):
        if all(a[0] >= b[0] for a, b in pairwise(order)):
            wrong = np.cumsum([1 - y for _, y in order])
            areas.append(np.mean(wrong / np.arange(1, len(order) + 1)))
    found = one(weighted_aurc(confidence, correct), weights)
    assert found == pytest.approx(np.mean(areas), abs=1e-14)


GOLD_ANSWER = st.lists(
    st.tuples(st.booleans(), st.sampled_from([True, False, None]), st.integers(0, 3)), max_size=9
)


@settings(max_examples=50, deadline=None)
@given(GOLD_ANSWER)
def test_yes_no_against_the_counts(rows: list[tuple[bool, bool | None, int]]) -> None:
    gold, answer, weights = ([row[place] for row in rows] for place in range(3))
    count = {
        (g, a): sum(w for x, y, w in rows if x is g and y is a)
        for g in (True, False)
        for a in (True, False, None)
    }
    tp, fp = count[True, True], count[False, True]
    missed = count[True, False] + count[True, None]
    n = sum(count.values())
    expected = {
        "accuracy": (tp + count[False, False], n),
        "precision": (tp, tp + fp),
        "recall": (tp, tp + missed),
        "f1": (2 * tp, 2 * tp + fp + missed),
        "yes_ratio": (tp + fp, n),
    }
    for metric in YES_NO_METRICS:
        above, below = expected[metric]
        found = one(weighted_yes_no(metric, gold, answer), weights)
        assert near(found, above / below if below else None), metric


def test_many_resamples_at_once_are_each_alone() -> None:
    rng = np.random.Generator(np.random.PCG64(4))
    confidence, correct = rng.random(30).round(1), rng.integers(0, 2, 30)
    weights = rng.integers(0, 4, (50, 30))
    for statistic in (
        weighted_aurc(confidence, correct),
        weighted_auroc(confidence, correct),
        weighted_ece(confidence, correct, 7),
        weighted_brier(confidence, correct),
    ):
        together = statistic.compute(weights)
        alone = [one(statistic, row) for row in weights]
        assert together == pytest.approx(alone, abs=1e-14)
        shuffled = rng.permutation(30)
        made = {"AURC": weighted_aurc, "AUROC": weighted_auroc, "Brier score": weighted_brier}
        if statistic.name in made:
            other = made[statistic.name](confidence[shuffled], correct[shuffled])
            assert other.compute(weights[:, shuffled]) == pytest.approx(together, abs=1e-13)


def test_bins_follow_the_decimal_value() -> None:
    # As floats 0.29 · 100 is just below 29 and 0.3 · 10 rounds up to 3.
    for confidence, n_bins in (([0.29, 0.285], 100), ([0.3, 0.25], 10), ([1.0, 0.95], 10)):
        statistic = weighted_ece(confidence, [1, 0], n_bins)
        assert near(one(statistic, [1, 1]), ece(confidence, [1, 0], n_bins))
    assert one(weighted_ece([True, False], [1, 1], 10), [1, 1]) == 0.5
    assert one(weighted_ece(np.array([0.3, 0.2], dtype=np.float32), [1, 1], 10), [1, 1]) > 0.7


def test_unbounded_confidence() -> None:
    confidence = [-np.inf, 2.5, 0.0, np.inf]
    assert near(one(weighted_aurc(confidence, [0, 1, 0, 1]), [1] * 4), 0.20833333333333334)
    assert one(weighted_auroc(confidence, [0, 1, 0, 1]), [1] * 4) == 1.0


def test_difference_is_taken_in_each_resample() -> None:
    a, b = weighted_mean([0.0, 1.0, 0.5]), weighted_mean([1.0, 1.0, 0.0])
    weights = np.array([[1, 1, 1], [3, 0, 0], [0, 1, 2]])
    gap = weighted_difference(a, b).compute(weights)
    assert gap == pytest.approx(-weighted_difference(b, a).compute(weights), abs=0)
    assert gap == pytest.approx([1 / 6, 1.0, -1 / 3], abs=1e-15)


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda: weighted_mean([1.0, None]), "nan_value"),
        (lambda: weighted_mean([1.0, float("inf")]), "nan_value"),
        (lambda: weighted_mean([[1.0], [2.0]]), "invalid_shape"),
        (lambda: weighted_ratio("r", [1.0], [1.0, 2.0]), "length_mismatch"),
        (lambda: weighted_difference(weighted_mean([1]), weighted_mean([1, 2])), "length_mismatch"),
        (lambda: weighted_brier([1.2], [1]), "confidence_out_of_range"),
        (lambda: weighted_ece([-0.1], [1], 10), "confidence_out_of_range"),
        (lambda: weighted_ece([0.5], [1], 0), "invalid_count"),
        (lambda: weighted_ece([0.5, None], [1, 0], 10), "nan_confidence"),
        (lambda: weighted_aurc([float("nan")], [1]), "nan_confidence"),
        (lambda: weighted_aurc([0.5], [1, 0]), "length_mismatch"),
        (lambda: weighted_auroc([0.5], [2]), "not_binary"),
        (lambda: weighted_yes_no("mcc", [True], [True]), "unknown_variant"),
        (lambda: weighted_yes_no("f1", [True], []), "length_mismatch"),
        (lambda: weighted_yes_no("f1", [None], [True]), "not_binary"),
        (lambda: weighted_yes_no("f1", [True], ["yes"]), "not_binary"),
    ],
)
def test_bad_input(call: Any, reason: str) -> None:
    with pytest.raises(StatisticsError) as error:
        call()
    assert error.value.reason == reason


def test_a_difference_has_a_unit_of_its_own() -> None:
    first, second = weighted_aurc([0.9, 0.1], [1, 0]), weighted_aurc([0.1, 0.9], [1, 0])
    assert weighted_difference(first, second).name == "difference of AURC"
    gap = weighted_difference(weighted_mean([0.5, 1.0]), first)
    assert gap.name == "AURC - mean"
