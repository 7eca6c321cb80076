import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.selective import aurc, risk_coverage, selective_metrics

ANSWERS = st.lists(st.tuples(st.sampled_from([-1.5, 0.1, 0.3, 0.5, 7.0]), st.integers(0, 1)))
FEW_ANSWERS = st.lists(
    st.tuples(st.sampled_from([0.1, 0.3, 0.9]), st.integers(0, 1)), min_size=1, max_size=6
)
COUNTS = st.tuples(*[st.integers(0, 9)] * 4)


def columns(answers: list[tuple[float, int]]) -> tuple[list[float], list[int]]:
    return [c for c, _ in answers], [y for _, y in answers]


def area(errors: list[int]) -> Fraction:
    """The area for one order of the questions, the surest first."""
    risks = [Fraction(sum(errors[:k]), k) for k in range(1, len(errors) + 1)]
    return sum(risks, Fraction(0)) / len(errors)


def area_over_all_orders(answers: list[tuple[float, int]]) -> Fraction:
    ranked = [
        [1 - y for _, y in order]
        for order in itertools.permutations(answers)
        if all(a[0] >= b[0] for a, b in itertools.pairwise(order))
    ]
    return sum(map(area, ranked), Fraction(0)) / len(ranked)


def expected_area(answers: list[tuple[float, int]]) -> Fraction:
    """The mean over all orders in closed form, in rational arithmetic."""
    risks, before, reached = [], 0, 0
    for score in sorted({c for c, _ in answers}, reverse=True):
        block = [1 - y for c, y in answers if c == score]
        for depth in range(1, len(block) + 1):
            hit = before + Fraction(sum(block) * depth, len(block))
            risks.append(hit / (reached + depth))
        before, reached = before + sum(block), reached + len(block)
    return sum(risks, Fraction(0)) / len(answers)


@given(COUNTS)
def test_selective_metrics_are_exact_and_hold_their_identities(
    counts: tuple[int, int, int, int],
) -> None:
    hits, misses, lost, refused = counts
    n, accepted, right = sum(counts), hits + misses, hits + lost
    found = selective_metrics(n, right, accepted, hits)
    assert (found.coverage is None) == (n == 0) == (found.full_accuracy is None)
    assert (found.gain is None) == (accepted == 0) == (found.selective_accuracy is None)
    assert (found.enrichment is None) == (n == accepted) == (found.rejected_error is None)
    if found.gain is not None:
        assert found.gain == float(Fraction(hits, accepted) - Fraction(right, n))
        assert found.selective_risk == float(1 - Fraction(hits, accepted))
    if found.enrichment is not None:
        assert found.enrichment == float(Fraction(refused, lost + refused) - 1 + Fraction(right, n))
        assert found.rejected_accuracy == lost / (lost + refused)
    if found.gain is not None and found.enrichment is not None:
        assert found.gain * accepted == pytest.approx(found.enrichment * (n - accepted), abs=1e-12)


def test_the_published_gate() -> None:
    found = selective_metrics(642, 252, 288, 139)
    assert found.coverage == 288 / 642
    assert found.selective_accuracy == 139 / 288
    assert found.gain is not None
    assert round(100 * found.gain, 2) == 9.01
    assert found.rejected_error is not None
    assert round(100 * found.rejected_error, 2) == 68.08


@pytest.mark.parametrize(
    "counts",
    [
        (10, 11, 5, 5),
        (10, 5, 11, 5),
        (10, 5, 5, 6),
        (10, 3, 5, 4),
        (10, 9, 5, 3),  # six right answers among five rejected questions
        (-1, 0, 0, 0),
        (10, 5, 5, -1),
        (10.0, 5, 5, 5),
        (True, 1, 1, 1),
        (10, None, 5, 5),
        (10, math.nan, 5, 5),
        ("10", 5, 5, 5),
    ],
)
def test_counts_that_cannot_be(counts: tuple[Any, Any, Any, Any]) -> None:
    with pytest.raises(StatisticsError) as caught:
        selective_metrics(*counts)
    assert caught.value.reason == "invalid_count"


def test_integers_of_numpy_are_counts() -> None:
    assert selective_metrics(*np.array([40, 22, 10, 10])) == selective_metrics(40, 22, 10, 10)


@settings(max_examples=40, deadline=None)
@given(FEW_ANSWERS)
def test_aurc_is_the_mean_over_all_orders_of_tied_answers(
    answers: list[tuple[float, int]],
) -> None:
    exact = area_over_all_orders(answers)
    assert exact == expected_area(answers)
    best = min(area([1 - y for _, y in order]) for order in itertools.permutations(answers))
    found = aurc(*columns(answers))
    assert found.aurc == pytest.approx(float(exact), abs=1e-14)
    assert found.aurc_oracle == pytest.approx(float(best), abs=1e-14)


@settings(max_examples=50, deadline=None)
@given(ANSWERS, st.randoms(use_true_random=False))
def test_aurc_ignores_the_order_of_the_rows_and_the_scale(
    answers: list[tuple[float, int]], dice: Any
) -> None:
    confidence, correct = columns(answers)
    found = aurc(confidence, correct)
    assert aurc([math.exp(c) for c in confidence], correct) == found
    dice.shuffle(answers)
    assert aurc(*columns(answers)) == found
    if answers:
        assert found.aurc == pytest.approx(float(expected_area(answers)), abs=1e-13)
        assert found.e_aurc is not None
        assert found.e_aurc >= 0.0


def test_aurc_of_many_answers_against_rational_arithmetic() -> None:
    generator = np.random.Generator(np.random.PCG64(5))
    confidence = generator.integers(0, 300, 2000) / 300
    correct = generator.integers(0, 2, 2000)
    exact = expected_area(list(zip(confidence.tolist(), correct.tolist(), strict=True)))
    found = aurc(confidence, correct)
    assert found.aurc is not None
    assert abs(found.aurc - exact) < 1e-14
    assert found.n_errors == 2000 - correct.sum()


def test_aurc_at_the_edges() -> None:
    empty = aurc([], [])
    assert (empty.aurc, empty.aurc_oracle, empty.e_aurc) == (None, None, None)
    assert aurc([0.5], [1]).aurc == 0.0
    assert (aurc([0.5], [0]).aurc, aurc([0.5], [0]).e_aurc) == (1.0, 0.0)
    assert aurc([0.5, 0.2, 0.1], [0, 0, 0]).e_aurc == 0.0
    assert aurc([0.9] * 7, [1, 0, 1, 0, 0, 1, 1]).aurc == pytest.approx(3 / 7, abs=1e-15)
    assert aurc([3, 2, 1, 0], [1, 1, 0, 0]).e_aurc == 0.0
    found = aurc([-math.inf, math.inf, 0.0, math.inf], [0, 1, 0, 1])
    assert found.e_aurc == 0.0


def test_aurc_of_a_tie_is_not_that_of_one_order() -> None:
    # Kept in the order given, the right answer first, the area would be 1/4.
    assert aurc([0.5, 0.5], [1, 0]).aurc == aurc([0.5, 0.5], [0, 1]).aurc == 0.5


def test_risk_coverage_has_a_point_per_threshold() -> None:
    points = risk_coverage([0.9, 0.9, 0.5, 0.5, 0.1], [0, 1, 1, 1, 0])
    assert [(p.threshold, p.n_accepted, p.n_errors) for p in points] == [
        (0.9, 2, 1),
        (0.5, 4, 1),
        (0.1, 5, 2),
    ]
    assert [(p.coverage, p.risk) for p in points] == [(0.4, 0.5), (0.8, 0.25), (1.0, 0.4)]
    assert risk_coverage([], []) == ()
    assert risk_coverage([-math.inf], [True])[0].coverage == 1.0
    assert len(risk_coverage([0.0, -0.0], [1, 0])) == 1


@given(ANSWERS)
def test_risk_coverage_against_counting(answers: list[tuple[float, int]]) -> None:
    points = risk_coverage(*columns(answers))
    assert [p.threshold for p in points] == sorted({c for c, _ in answers}, reverse=True)
    for point in points:
        accepted = [y for c, y in answers if c >= point.threshold]
        assert (point.n_accepted, point.n_errors) == (len(accepted), accepted.count(0))
