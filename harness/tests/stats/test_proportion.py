import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.estimate import Estimate
from harness.stats.levels import critical_value, tail_share
from harness.stats.proportion import clopper_pearson, standard_error, wilson


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 5000), st.integers(0, 5000), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_interval_holds_the_value_and_ends_where_it_must(a: int, b: int, level: float) -> None:
    k, n = a, a + b
    estimate = wilson(k, n, level)
    assert estimate.low is not None
    assert estimate.high is not None
    assert 0.0 <= estimate.low <= estimate.high <= 1.0
    if n:
        assert estimate.value == k / n
        assert estimate.low <= k / n <= estimate.high
        assert (estimate.low == 0.0) == (k == 0)
        assert (estimate.high == 1.0) == (k == n)


@pytest.mark.parametrize(("k", "n", "level"), [(139, 288, 0.95), (5, 20, 0.99), (1, 3, 0.5)])
def test_bounds_solve_the_score_equation(k: int, n: int, level: float) -> None:
    from scipy.stats import norm

    z = norm.isf((1 - level) / 2)
    estimate = wilson(k, n, level)
    for bound in (estimate.low, estimate.high):
        assert bound is not None
        assert abs(k / n - bound) == pytest.approx(z * math.sqrt(bound * (1 - bound) / n), rel=1e-9)


@pytest.mark.parametrize(("n", "level"), [(5, 0.95), (9, 0.9), (7, 0.99)])
def test_none_and_all_end_at_exactly_0_and_1(n: int, level: float) -> None:
    assert wilson(0, n, level).low == 0.0  # the formula leaves a last bit for these
    assert wilson(n, n, level).high == 1.0


def test_mirrored_counts_give_the_mirrored_interval() -> None:
    a, b = wilson(3, 11, 0.95), wilson(8, 11, 0.95)
    assert a.low is not None
    assert b.high is not None
    assert a.low == pytest.approx(1 - b.high, abs=1e-15)


def test_no_data_has_no_value_and_the_whole_range() -> None:
    estimate = wilson(0, 0, 0.95)
    assert (estimate.value, estimate.low, estimate.high, estimate.n) == (None, 0.0, 1.0, 0)
    assert "no data" in estimate.method


@pytest.mark.parametrize("interval", [wilson, clopper_pearson])
@pytest.mark.parametrize(
    ("k", "n", "level", "reason"),
    [(-1, 2, 0.95, "invalid_count"), (3, 2, 0.95, "invalid_count"), (5, 4, 0.95, "invalid_count"),
     (1.0, 2, 0.95, "invalid_count"), (True, 2, 0.95, "invalid_count"),
     (0, None, 0.95, "invalid_count"), (0, -1, 0.95, "invalid_count"),
     (1, 2, 0.0, "invalid_level"), (1, 2, 1.0, "invalid_level"), (1, 2, 95, "invalid_level"),
     (1, 2, math.nan, "invalid_level"), (1, 2, None, "invalid_level"), (0, 0, 2, "invalid_level")],
)  # fmt: skip
def test_bad_input_is_an_error(
    interval: Callable[[int, int, float], Estimate], k: int, n: int, level: float, reason: str
) -> None:
    with pytest.raises(StatisticsError, match="expected .* found") as refused:
        interval(k, n, level)
    assert refused.value.reason == reason


COUNTS = st.tuples(st.integers(0, 400), st.integers(0, 400)).map(lambda ab: (ab[0], sum(ab)))


@settings(max_examples=50, deadline=None)
@given(COUNTS, st.sampled_from([0.5, 0.9, 0.95, 0.9999999]))
def test_clopper_pearson_solves_both_tails(counts: tuple[int, int], level: float) -> None:
    from scipy.stats import binom

    k, n = counts
    estimate, tail = clopper_pearson(k, n, level), float((1 - Fraction(repr(level))) / 2)
    assert estimate.low is not None
    assert estimate.high is not None
    if k:
        assert binom.sf(k - 1, n, estimate.low) == pytest.approx(tail, rel=1e-9)
    else:
        assert estimate.low == 0.0
    if k < n:
        assert binom.cdf(k, n, estimate.high) == pytest.approx(tail, rel=1e-9)
    else:
        assert estimate.high == 1.0
    if n:
        mirrored = clopper_pearson(n - k, n, level)
        assert estimate.low == pytest.approx(1 - (mirrored.high or 0), abs=1e-13)
        assert estimate.low <= k / n <= estimate.high


def test_clopper_pearson_where_nothing_or_all_succeeded() -> None:
    for n in (1, 10, 1000, 10**6):
        for level, tail in ((0.95, 0.025), (0.9999999, 5e-8)):
            bound = -math.expm1(math.log(tail) / n)
            assert clopper_pearson(0, n, level).high == pytest.approx(bound, rel=1e-13)
            assert clopper_pearson(n, n, level).low == pytest.approx(1 - bound, rel=1e-13)


def test_no_data_has_the_whole_range_for_either_interval() -> None:
    estimate = clopper_pearson(0, 0, 0.95)
    assert (estimate.value, estimate.low, estimate.high, estimate.n) == (None, 0.0, 1.0, 0)


def test_numpys_integers_pass() -> None:
    k, n = np.int64(3), np.int64(7)
    assert wilson(k, n, 0.95) == wilson(3, 7, 0.95)
    assert clopper_pearson(k, n, 0.95) == clopper_pearson(3, 7, 0.95)
    assert type(wilson(k, n, 0.95).n) is int


@settings(max_examples=30, deadline=None)
@given(COUNTS)
def test_standard_error_is_the_sample_standard_deviations(counts: tuple[int, int]) -> None:
    k, n = counts
    found = standard_error(k, n)
    if n < 2:
        assert found is None
        return
    outcomes = np.array([1.0] * k + [0.0] * (n - k))
    assert found == pytest.approx(outcomes.std(ddof=1) / math.sqrt(n), abs=1e-14)


def test_standard_errors_refuse_what_intervals_refuse() -> None:
    with pytest.raises(StatisticsError) as refused:
        standard_error(3, 2)
    assert refused.value.reason == "invalid_count"


def test_a_tail_keeps_the_digits_of_its_level() -> None:
    assert tail_share(0.95) == Fraction(1, 40)
    assert tail_share(0.9999999) == Fraction(1, 2 * 10**7)
    assert (1 - 0.9999999) / 2 != 5e-8
    assert critical_value(0.9999999) == pytest.approx(5.326723886384, abs=1e-11)
