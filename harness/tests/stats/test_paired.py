from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from harness.stats.paired import mcnemar, paired_difference, walk_pmf


def exact(n01: int, n10: int, n: int) -> list[Fraction]:
    """The walk's distribution on -n … n, by convolution in rational arithmetic."""
    step = {1: Fraction(n01, n), -1: Fraction(n10, n), 0: Fraction(n - n01 - n10, n)}
    mass = {0: Fraction(1)}
    for _ in range(n):
        after: dict[int, Fraction] = {}
        for place, weight in mass.items():
            for move, share in step.items():
                after[place + move] = after.get(place + move, Fraction(0)) + weight * share
        mass = after
    return [mass.get(place, Fraction(0)) for place in range(-n, n + 1)]


def inverted(mass: list[Fraction], q: Fraction, n: int) -> Fraction:
    total = Fraction(0)
    for index, weight in enumerate(mass):
        total += weight
        if total >= q:
            return Fraction(index - n, n)
    raise AssertionError("the distribution does not sum to 1")


COUNTS = st.integers(1, 14).flatmap(
    lambda n: st.integers(0, n).flatmap(lambda a: st.integers(0, n - a).map(lambda b: (a, b, n)))
)


@settings(max_examples=60, deadline=None)
@given(COUNTS, st.sampled_from([0.5, 0.75, 0.9, 0.95, 0.99]))
def test_against_rational_arithmetic(counts: tuple[int, int, int], level: float) -> None:
    n01, n10, n = counts
    mass = exact(n01, n10, n)
    assert np.max(np.abs(walk_pmf(n01, n10, n) - np.array(mass, dtype=float))) < 1e-12
    tail = (1 - Fraction(str(level))) / 2
    estimate = paired_difference(n01, n10, n, level)
    assert estimate.value == (n01 - n10) / n
    assert estimate.low == float(inverted(mass, tail, n))
    assert estimate.high == float(inverted(mass, 1 - tail, n))


def test_a_quantile_that_the_distribution_meets_exactly() -> None:
    # n = 2, steps ±1 with 1/2 each: P(-2) = 1/4 is exactly the lower quantile of level 1/2.
    estimate = paired_difference(1, 1, 2, 0.5)
    assert (estimate.low, estimate.high) == (-1.0, 0.0)
    # P(at most -1) is exactly 15/16, which the floating-point sum misses by its last bit.
    estimate = paired_difference(0, 2, 4, 0.875)
    assert (estimate.low, estimate.high) == (-1.0, -0.25)


def test_a_large_case_against_sampling() -> None:
    n01, n10, n = 400, 300, 2017
    rng = np.random.Generator(np.random.PCG64(1))
    draws = rng.multinomial(n, [n01 / n, n10 / n, 1 - (n01 + n10) / n], size=20_000)
    sums = np.sort((draws[:, 0] - draws[:, 1]) / n)
    estimate = paired_difference(n01, n10, n, 0.95)
    assert estimate.low == pytest.approx(sums[500], abs=0.002)
    assert estimate.high == pytest.approx(sums[19_500], abs=0.002)
    assert abs(walk_pmf(n01, n10, n).sum() - 1) < 1e-12


def test_swapping_the_two_mirrors_the_interval() -> None:
    a, b = paired_difference(9, 4, 40, 0.95), paired_difference(4, 9, 40, 0.95)
    assert a.value == -(b.value or 0)
    assert (a.low, a.high) == (-(b.high or 0), -(b.low or 0))


@pytest.mark.parametrize(("n01", "n10", "value"), [(0, 0, 0.0), (7, 0, 1.0), (0, 7, -1.0)])
def test_degenerate_data_give_a_flagged_point(n01: int, n10: int, value: float) -> None:
    estimate = paired_difference(n01, n10, 7, 0.95)
    assert (estimate.value, estimate.low, estimate.high) == (value, value, value)
    assert "degenerate" in estimate.method


def test_no_pairs_give_nothing() -> None:
    estimate = paired_difference(0, 0, 0, 0.95)
    assert (estimate.value, estimate.low, estimate.high, estimate.n) == (None, None, None, 0)


@pytest.mark.parametrize(
    ("n01", "n10", "n", "level"),
    [(-1, 0, 5, 0.95), (0, -1, 5, 0.95), (3, 3, 5, 0.95), (1, 1, -5, 0.95), (1, 1, 5, 1.0),
     (1, 1, 5, 0.0), (1.0, 1, 5, 0.95), (True, 1, 5, 0.95)],
)  # fmt: skip
def test_bad_input_is_an_error(n01: int, n10: int, n: int, level: float) -> None:
    with pytest.raises(ValueError, match="paired_difference: expected"):
        paired_difference(n01, n10, n, level)


@pytest.mark.parametrize(
    ("n01", "n10", "p"),
    # R1-Onevision study, from its published flip counts; scipy's binomial test agrees below.
    [(141, 144, 0.90572), (49, 24, 0.00463), (24, 47, 0.00855), (0, 0, 1.0), (3, 0, 0.25)],
)
def test_mcnemar_gives_the_published_figures(n01: int, n10: int, p: float) -> None:
    assert round(mcnemar(n01, n10), 5) == p
    assert mcnemar(n01, n10) == mcnemar(n10, n01)
    if n01 + n10:
        assert mcnemar(n01, n10) == pytest.approx(binomtest(n01, n01 + n10).pvalue, rel=1e-12)
