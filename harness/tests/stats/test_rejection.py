import itertools
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from harness.stats.checks import StatisticsError
from harness.stats.rejection import expected_hits, matched_rejection, pool, random_rejection
from harness.stats.selective import Selection

CELLS = st.tuples(*[st.integers(0, 4)] * 4)
LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95])


def selection(cells: tuple[int, int, int, int]) -> Selection:
    hits, misses, lost, _ = cells
    return Selection(
        n=sum(cells), n_correct=hits + lost, n_accepted=hits + misses, n_accepted_correct=hits
    )


def distribution(strata: list[Selection]) -> dict[int, Fraction]:
    """Right answers among the accepted, over all choices, in rational arithmetic."""
    mass = {0: Fraction(1)}
    for s in strata:
        after: dict[int, Fraction] = {}
        for (place, weight), k in itertools.product(mass.items(), range(s.n_accepted + 1)):
            ways = comb(s.n_correct, k) * comb(s.n - s.n_correct, s.n_accepted - k)
            share = weight * Fraction(ways, comb(s.n, s.n_accepted))
            after[place + k] = after.get(place + k, Fraction(0)) + share
        mass = after
    return mass


def inverted(mass: dict[int, Fraction], q: Fraction) -> int:
    return next(k for k in sorted(mass) if sum(mass[i] for i in mass if i <= k) >= q)


@settings(max_examples=50, deadline=None)
@given(st.lists(CELLS, max_size=3), LEVELS)
def test_against_rational_arithmetic(cells: list[tuple[int, int, int, int]], level: float) -> None:
    strata = [selection(c) for c in cells]
    accepted = sum(s.n_accepted for s in strata)
    found = matched_rejection(strata, level)
    assert found.n == sum(map(sum, cells))
    if not accepted:
        assert (found.value, found.low, found.high) == (None, None, None)
        return
    mass, tail = distribution(strata), (1 - Fraction(str(level))) / 2
    mean = sum((k * weight for k, weight in mass.items()), Fraction(0))
    assert expected_hits(strata) == mean
    assert found.value == float(mean / accepted)
    assert found.low == inverted(mass, tail) / accepted
    assert found.high == inverted(mass, 1 - tail) / accepted
    assert found.degenerate == (sum(weight > 0 for weight in mass.values()) == 1)
    assert matched_rejection(strata[::-1], level) == found


@pytest.mark.parametrize(
    ("n", "n_correct", "n_accepted"),
    [(642, 252, 288), (942, 351, 420), (20_000, 9_000, 700), (20_000, 30, 19_000)],
)
def test_against_scipy(n: int, n_correct: int, n_accepted: int) -> None:
    found = random_rejection(n, n_correct, n_accepted, 0.99)
    low, high = hypergeom.ppf([0.005, 0.995], n, n_correct, n_accepted)
    assert (found.low, found.high) == (low / n_accepted, high / n_accepted)
    assert found.value == n_correct / n


def test_a_quantile_that_the_distribution_meets_exactly() -> None:
    # One right answer among 40: P(0) = 39/40 is exactly the upper quantile of level 0.95.
    assert random_rejection(40, 1, 1, 0.95).high == 0.0
    assert random_rejection(39, 1, 1, 0.95).high == 1.0
    # A level that close to 0.95 is settled exactly too: no tie, although it is near.
    assert random_rejection(40, 1, 1, 0.94999999999).high == 0.0
    assert random_rejection(40, 1, 1, 0.95000000001).high == 1.0
    # 39 of 40: P(0) = 1/40 is exactly the lower quantile.
    assert random_rejection(40, 39, 1, 0.95).low == 0.0
    assert random_rejection(41, 40, 1, 0.95).low == 1.0


def test_the_published_random_and_matched_rejection() -> None:
    # Accepted and right per answer type follow from the published shares of each group.
    strata = [
        Selection(n=534, n_correct=218, n_accepted=282, n_accepted_correct=137),
        Selection(n=108, n_correct=34, n_accepted=6, n_accepted_correct=2),
    ]
    uniform, matched = matched_rejection([pool(strata)], 0.95), matched_rejection(strata, 0.95)
    assert uniform == random_rejection(642, 252, 288, 0.95)
    assert uniform.value == pytest.approx(0.39252336448598136, abs=1e-15)
    assert (uniform.low, uniform.high) == (101 / 288, 125 / 288)
    assert matched.value == pytest.approx(0.40629334859203766, abs=1e-15)
    assert (matched.low, matched.high) == (106 / 288, 128 / 288)


def test_degenerate_choices() -> None:
    for n_correct, n_accepted in ((0, 3), (5, 3), (2, 5)):
        found = random_rejection(5, n_correct, n_accepted, 0.95)
        assert found.low == found.high == found.value == n_correct / 5
        assert found.degenerate
    assert random_rejection(0, 0, 0, 0.95).value is None
    assert random_rejection(1, 1, 1, 0.95).low == 1.0
    nothing = random_rejection(5, 2, 0, 0.95)
    assert (nothing.value, nothing.low, nothing.high) == (None, None, None)
    assert "nothing accepted" in nothing.method
    assert matched_rejection([], 0.95).n == 0


def test_an_empty_stratum_changes_nothing() -> None:
    gate, nobody = selection((3, 2, 4, 1)), selection((0, 0, 0, 0))
    assert matched_rejection([gate, nobody], 0.9) == matched_rejection([gate], 0.9)
    assert expected_hits([gate, nobody]) == expected_hits([gate]) == Fraction(7, 2)


@pytest.mark.parametrize(
    "counts", [(5, 6, 1), (5, 1, 6), (-1, 0, 0), (5.0, 1, 1), (5, True, 1), (5, 1, None)]
)
def test_counts_that_cannot_be(counts: tuple[Any, Any, Any]) -> None:
    with pytest.raises(StatisticsError) as caught:
        random_rejection(*counts, 0.95)
    assert caught.value.reason == "invalid_count"


@pytest.mark.parametrize("level", [0.0, 1.0, 95, -0.1, float("nan"), None])
def test_levels_that_cannot_be(level: Any) -> None:
    with pytest.raises(StatisticsError) as caught:
        random_rejection(5, 2, 3, level)
    assert caught.value.reason == "invalid_level"


def test_counts_of_numpy_do_not_overflow() -> None:
    counts = np.array([100_000, 60_000, 50_000], dtype=np.int32)
    assert random_rejection(*counts, 0.95) == random_rejection(100_000, 60_000, 50_000, 0.95)
