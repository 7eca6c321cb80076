import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss, roc_auc_score

from harness.stats.calibration import auroc, brier, ece, reliability_curve
from harness.stats.checks import StatisticsError
from harness.stats.proportion import wilson
from harness.stats.selective import aurc, risk_coverage

PERCENT = st.lists(st.tuples(st.integers(0, 100), st.integers(0, 1)), max_size=30)


def exact_ece(percent: list[int], correct: list[int], n_bins: int) -> Fraction:
    gaps: dict[int, Fraction] = {}
    for p, y in zip(percent, correct, strict=True):
        place = min(p * n_bins // 100, n_bins - 1)
        gaps[place] = gaps.get(place, Fraction(0)) + y - Fraction(p, 100)
    return sum(map(abs, gaps.values()), Fraction(0)) / len(percent)


@given(PERCENT, st.sampled_from([1, 2, 3, 5, 7, 10, 15, 20, 100]))
def test_ece_against_rational_arithmetic(answers: list[tuple[int, int]], n_bins: int) -> None:
    percent, correct = [p for p, _ in answers], [y for _, y in answers]
    found = ece([p / 100 for p in percent], correct, n_bins)
    if not answers:
        assert found is None
    else:
        assert found is not None
        assert abs(found - exact_ece(percent, correct, n_bins)) < 1e-14


@pytest.mark.parametrize("n_bins", [5, 10, 20, 25, 30, 50, 100])
def test_every_edge_falls_in_the_bin_above(n_bins: int) -> None:
    for edge in range(n_bins):
        for confidence in (edge / n_bins, round(edge / n_bins, 6)):
            if Fraction(repr(confidence)) * n_bins == edge:
                curve = reliability_curve([confidence], [1], n_bins, 0.95)
                assert [b.n for b in curve].index(1) == edge
    assert reliability_curve([1.0], [1], n_bins, 0.95)[-1].n == 1


def test_an_edge_that_floats_and_histograms_miss() -> None:
    assert math.floor(0.29 * 100) == 28  # as floats
    assert [b.n for b in reliability_curve([0.29], [1], 100, 0.95)].index(1) == 29
    # np.histogram's own edge is 0.30000000000000004, so it puts 0.3 one bin lower.
    assert np.histogram([0.3], bins=10, range=(0, 1))[0].tolist().index(1) == 2
    assert [b.n for b in reliability_curve([0.3], [1], 10, 0.95)].index(1) == 3
    below = math.nextafter(0.3, 0.0)
    assert [b.n for b in reliability_curve([below], [1], 10, 0.95)].index(1) == 2


@pytest.mark.parametrize(
    "confidence",
    [
        np.array([0.3, 0.7], dtype=np.float32),
        [Decimal("0.3"), Decimal("0.7")],
        [Fraction(3, 10), Fraction(7, 10)],
        (0.3, 0.7),
    ],
)
def test_the_decimal_as_written_decides_in_every_type(confidence: Any) -> None:
    curve = reliability_curve(confidence, [1, 0], 10, 0.95)
    assert [place for place, b in enumerate(curve) if b.n] == [3, 7]


def test_decimals_that_floats_put_one_bin_lower() -> None:
    for confidence in ([0.29, 0.285], [Decimal("0.29"), Decimal("0.285")]):
        # In one bin the two would cancel to 0.2125.
        assert ece(confidence, [1, 0], 100) == pytest.approx(0.4975, abs=1e-15)


def test_ece_of_certain_answers() -> None:
    assert ece([1, 0, 1], [True, False, True], 10) == 0.0
    assert ece([True, False], [0, 1], 3) == 1.0
    assert ece([0.25], [1], 4) == 0.75


@given(PERCENT.filter(bool), st.integers(1, 12))
def test_the_curve_accounts_for_every_answer(answers: list[tuple[int, int]], n_bins: int) -> None:
    confidence, correct = [p / 100 for p, _ in answers], [y for _, y in answers]
    curve = reliability_curve(confidence, correct, n_bins, 0.9)
    assert len(curve) == n_bins
    assert sum(b.n for b in curve) == len(answers)
    assert sum(b.n_correct for b in curve) == sum(correct)
    gap = 0.0
    for b in curve:
        assert b.accuracy == wilson(b.n_correct, b.n, 0.9)
        assert (b.mean_confidence is None) == (b.n == 0)
        if b.mean_confidence is not None:
            assert b.low - 1e-12 <= b.mean_confidence <= b.high + 1e-12
            gap += abs(b.n_correct - b.n * b.mean_confidence) / len(answers)
    assert ece(confidence, correct, n_bins) == pytest.approx(gap, abs=1e-12)


def test_the_curve_against_scikit_learn_away_from_edges() -> None:
    generator = np.random.Generator(np.random.PCG64(3))
    confidence, correct = generator.random(500), generator.integers(0, 2, 500)
    accuracy, mean = calibration_curve(correct, confidence, n_bins=10)
    curve = [b for b in reliability_curve(confidence, correct, 10, 0.95) if b.n]
    assert [b.accuracy.value for b in curve] == pytest.approx(accuracy.tolist(), abs=1e-12)
    assert [b.mean_confidence for b in curve] == pytest.approx(mean.tolist(), abs=1e-12)


def test_the_curve_without_answers() -> None:
    curve = reliability_curve([], [], 4, 0.95)
    assert [(b.low, b.high, b.n) for b in curve] == [
        (0.0, 0.25, 0), (0.25, 0.5, 0), (0.5, 0.75, 0), (0.75, 1.0, 0),
    ]  # fmt: skip


@given(PERCENT.filter(lambda answers: len({y for _, y in answers}) == 2))
def test_brier_and_auroc_against_scikit_learn(answers: list[tuple[int, int]]) -> None:
    confidence, correct = [p / 100 for p, _ in answers], [y for _, y in answers]
    assert brier(confidence, correct) == pytest.approx(
        brier_score_loss(correct, confidence), abs=1e-12
    )
    found = auroc(confidence, correct)
    assert found == pytest.approx(roc_auc_score(correct, confidence), abs=1e-12)
    pairs = [
        Fraction(int(a > b) * 2 + int(a == b), 2) for a, y in answers for b, z in answers if y > z
    ]
    assert found == float(sum(pairs, Fraction(0)) / len(pairs))
    flipped = auroc([-c for c in confidence], correct)
    assert found is not None
    assert flipped == pytest.approx(1.0 - found, abs=1e-15)


@settings(max_examples=30)
@given(PERCENT, st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(answers: list[tuple[int, int]], dice: Any) -> None:
    def all_three() -> list[float | None]:
        confidence, correct = [p / 100 for p, _ in answers], [y for _, y in answers]
        return [
            ece(confidence, correct, 10),
            brier(confidence, correct),
            auroc(confidence, correct),
        ]

    before = all_three()
    dice.shuffle(answers)
    assert all_three() == before


def test_undefined_is_none() -> None:
    assert ece([], [], 10) is None
    assert brier([], []) is None
    assert auroc([], []) is None
    assert auroc([0.2, 0.9], [1, 1]) is None
    assert auroc([0.2, 0.9], [0, 0]) is None
    assert auroc([0.2], [0]) is None


def test_auroc_takes_any_scale() -> None:
    assert auroc([-math.inf, -3.0, 8.0, math.inf], [0, 0, 1, 1]) == 1.0
    assert auroc([5.0, 5.0], [1, 0]) == 0.5


BAD: list[tuple[Any, Any, str]] = [
    ([0.5, None], [1, 0], "nan_confidence"),
    ([0.5, math.nan], [1, 0], "nan_confidence"),
    (np.array([np.nan]), [1], "nan_confidence"),
    (["0.5"], [1], "nan_confidence"),
    ([0.5, "high"], [1, 0], "nan_confidence"),
    ([10**400], [1], "nan_confidence"),
    ([0.5j], [1], "nan_confidence"),
    ([0.5], [1, 0], "length_mismatch"),
    ([], [1], "length_mismatch"),
    ([0.5, 0.6], [1, None], "not_binary"),
    ([0.5, 0.6], [1, 2], "not_binary"),
    ([0.5, 0.6], [1, -1], "not_binary"),
    ([0.5, 0.6], [1, 0.5], "not_binary"),
    ([0.5, 0.6], [1, math.nan], "not_binary"),
    ([0.5, 0.6], ["1", "0"], "not_binary"),
    ([[0.5], [0.6]], [1, 0], "invalid_shape"),
    ([[0.5], [0.6, 0.7]], [1, 0], "invalid_shape"),
    (0.5, 1, "invalid_shape"),
]


@pytest.mark.parametrize(("confidence", "correct", "reason"), BAD)
def test_what_every_function_refuses(confidence: Any, correct: Any, reason: str) -> None:
    for call in (
        lambda: ece(confidence, correct, 10),
        lambda: reliability_curve(confidence, correct, 10, 0.95),
        lambda: brier(confidence, correct),
        lambda: auroc(confidence, correct),
        lambda: aurc(confidence, correct),
        lambda: risk_coverage(confidence, correct),
    ):
        with pytest.raises(StatisticsError) as caught:
            call()
        assert caught.value.reason == reason


@pytest.mark.parametrize("confidence", [1.2, -0.1, math.inf, -math.inf, 1.0000000000000002])
def test_a_probability_lies_between_0_and_1(confidence: float) -> None:
    for call in (lambda: ece([0.5, confidence], [1, 1], 10), lambda: brier([confidence], [1])):
        with pytest.raises(StatisticsError, match="from 0 to 1") as caught:
            call()
        assert caught.value.reason == "confidence_out_of_range"


@pytest.mark.parametrize("n_bins", [0, -1, 2.0, True, None, 10**30])
def test_numbers_of_bins_that_cannot_be(n_bins: Any) -> None:
    with pytest.raises(StatisticsError) as caught:
        ece([0.5], [1], n_bins)
    assert caught.value.reason == "invalid_count"


@pytest.mark.parametrize("level", [0.0, 1.0, 95, math.nan])
def test_levels_that_cannot_be(level: float) -> None:
    with pytest.raises(StatisticsError) as caught:
        reliability_curve([0.5], [1], 2, level)
    assert caught.value.reason == "invalid_level"


@pytest.mark.filterwarnings("ignore:Only one class")
def test_what_scikit_learn_says_at_the_edges() -> None:
    with pytest.raises(ValueError, match="0 sample"):
        brier_score_loss([], [])
    assert brier([], []) is None
    assert math.isnan(roc_auc_score([1, 1], [0.1, 0.2]))
    assert auroc([0.1, 0.2], [1, 1]) is None
    with pytest.raises(ValueError, match="infinity"):
        roc_auc_score([1, 0], [math.inf, 0.2])
    assert auroc([math.inf, 0.2], [1, 0]) == 1.0
