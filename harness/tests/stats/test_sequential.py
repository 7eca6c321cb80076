import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from harness.stats.betting import log_wealth
from harness.stats.checks import StatisticsError
from harness.stats.paired import paired_difference
from harness.stats.proportion import wilson
from harness.stats.sequential import difference_sequence, rate_sequence


def chance_of_ever(p: float, n_last: int, missed: Callable[[int], NDArray[np.bool_]]) -> float:
    """Exact probability that a walk of successes is ever in a state that `missed(n)` marks."""
    alive, lost = np.array([1.0]), 0.0
    for n in range(1, n_last + 1):
        alive = np.append(alive, 0.0) * (1 - p) + np.append(0.0, alive) * p
        out = missed(n)
        lost += alive[out].sum()
        alive[out] = 0.0
    return float(lost)


def outside_mixture(p: float, level: float) -> Callable[[int], NDArray[np.bool_]]:
    from scipy.special import betaln, xlog1py, xlogy

    def missed(n: int) -> NDArray[np.bool_]:
        k = np.arange(n + 1)
        log_e = betaln(k + 0.5, n - k + 0.5) - betaln(0.5, 0.5) - xlogy(k, p) - xlog1py(n - k, -p)
        return np.asarray(log_e >= -math.log(1 - level))

    return missed


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("p", [0.02, 0.3, 0.5])
def test_chance_of_ever_missing_stays_below_alpha_at_all_looks(p: float, level: float) -> None:
    lost = chance_of_ever(p, 400, outside_mixture(p, level))
    assert 0.0 < lost <= 1 - level


def test_a_wilson_interval_read_after_every_example_misses_far_too_often() -> None:
    def outside_wilson(n: int) -> NDArray[np.bool_]:
        bounds = [wilson(k, n, 0.95) for k in range(n + 1)]
        return np.array([not (e.low <= 0.5 <= e.high) for e in bounds])  # type: ignore[operator]

    assert chance_of_ever(0.5, 120, outside_wilson) > 0.25  # promised: 0.05


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from([0.5, 0.9, 0.99]))
def test_rate_interval_is_the_mixture_and_mirrors(right: int, wrong: int, level: float) -> None:
    n = right + wrong
    estimate = rate_sequence(right, n, level, 0.5, None)
    mirrored = rate_sequence(wrong, n, level, 0.5, None)
    assert estimate.low is not None and estimate.high is not None
    assert mirrored.low is not None and mirrored.high is not None
    assert estimate.low == pytest.approx(1 - mirrored.high, abs=1e-12)
    if n:
        for p in (0.01, 0.3, 0.5, 0.8):
            inside = not outside_mixture(p, level)(n)[right]
            assert inside == (estimate.low < p < estimate.high)
        assert estimate.low <= right / n <= estimate.high


@pytest.mark.parametrize("population", [1, 2, 7, 16])
def test_finite_sequence_never_misses_the_full_result_more_often_than_alpha(
    population: int,
) -> None:
    bounds = {
        (k, n): rate_sequence(k, n, 0.9, 0.5, population)
        for n in range(population + 1)
        for k in range(n + 1)
    }
    for total in range(population + 1):
        alive, lost = {0: 1.0}, 0.0
        for n in range(population):
            after: dict[int, float] = {}
            for k, mass in alive.items():
                chance = (total - k) / (population - n)
                after[k + 1] = after.get(k + 1, 0.0) + mass * chance
                after[k] = after.get(k, 0.0) + mass * (1 - chance)
            alive = {}
            for k, mass in after.items():
                e = bounds[k, n + 1]
                assert e.low is not None and e.high is not None
                if mass and not e.low <= total / population <= e.high:
                    lost += mass
                elif mass:
                    alive[k] = mass
        assert lost <= 0.1
        closed = bounds[total, population]
        assert closed.low == closed.high == closed.value == total / population


@pytest.mark.parametrize(
    ("p01", "p10"), [(0.1, 0.1), (0.3, 0.1), (0.02, 0.02), (0.5, 0.5), (0.0, 0.2)]
)
def test_chance_of_ever_missing_a_difference_stays_below_alpha(p01: float, p10: float) -> None:
    mean, still = (1 + p01 - p10) / 2, 1 - p01 - p10
    alive, lost = {(0, 0): 1.0}, 0.0
    for n in range(1, 19):
        after: dict[tuple[int, int], float] = {}
        for (up, down), mass in alive.items():
            for state, chance in (
                ((up + 1, down), p01),
                ((up, down + 1), p10),
                ((up, down), still),
            ):
                if chance:
                    after[state] = after.get(state, 0.0) + mass * chance
        alive = {}
        for (up, down), mass in after.items():
            if log_wealth(up, down, n - up - down, 0.5, "both", 0.5)(mean) >= math.log(10):
                lost += mass
            else:
                alive[up, down] = mass
    assert lost <= 0.1


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 60), st.sampled_from([0.9, 0.99]))
def test_difference_is_antisymmetric_and_holds_the_value(
    n01: int, n10: int, ties: int, level: float
) -> None:
    n = n01 + n10 + ties
    for population in (None, n, n + 11):
        a = difference_sequence(n01, n10, n, level, 0.5, population)
        b = difference_sequence(n10, n01, n, level, 0.5, population)
        assert a.low is not None and a.high is not None
        assert b.low is not None and b.high is not None
        assert (a.low, a.high) == pytest.approx((-b.high, -b.low), abs=1e-12)
        assert -1.0 <= a.low <= a.high <= 1.0
        if n:
            step = 0.0 if population is None else 1 / population
            assert a.low - step <= (n01 - n10) / n <= a.high + step
        if n and population == n:
            assert a.low == a.high == a.value


def test_ties_alone_narrow_the_difference_around_0() -> None:
    widths = [difference_sequence(0, 0, n, 0.95, 0.5, None) for n in (1, 10, 100, 1000)]
    assert all(e.low == pytest.approx(-(e.high or 0.0)) for e in widths)
    highs = [e.high or 0.0 for e in widths]
    assert highs == sorted(highs, reverse=True)
    assert highs[-1] < 0.01


def test_price_of_looking_at_all_times_against_a_fixed_interval() -> None:
    def width(e: object) -> float:
        return e.high - e.low  # type: ignore[attr-defined, no-any-return]

    rate = width(rate_sequence(800, 1000, 0.95, 0.5, None)) / width(wilson(800, 1000, 0.95))
    assert 1.8 < rate < 1.9
    paired = width(difference_sequence(30, 12, 300, 0.95, 0.5, None))
    assert 1.65 < paired / width(paired_difference(30, 12, 300, 0.95, "percentile")) < 1.75


def test_a_level_further_up_and_fewer_examples_give_wider_intervals() -> None:
    narrow, wide = (rate_sequence(70, 100, level, 0.5, None) for level in (0.9, 0.999))
    assert wide.low < narrow.low < narrow.high < wide.high  # type: ignore[operator]
    few, many = (rate_sequence(7 * m, 10 * m, 0.95, 0.5, None) for m in (1, 100))
    assert few.low < many.low < many.high < few.high  # type: ignore[operator]


@pytest.mark.parametrize("population", [None, 0, 5])
def test_no_data_has_no_value_and_the_whole_range(population: int | None) -> None:
    rate = rate_sequence(0, 0, 0.95, 0.5, population)
    difference = difference_sequence(0, 0, 0, 0.95, 0.5, population)
    assert (rate.value, rate.low, rate.high, rate.n) == (None, 0.0, 1.0, 0)
    assert (difference.value, difference.low, difference.high) == (None, -1.0, 1.0)
    assert "no data" in rate.method


def test_one_example_excludes_little() -> None:
    estimate = rate_sequence(1, 1, 0.95, 0.5, None)
    assert estimate.low == pytest.approx(0.05 / 2)  # the mixture gives 1/2, so p > 1/2 · alpha
    assert estimate.high == 1.0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((-1, 2, 0.95, 0.5, None), "invalid_count"),
        ((3, 2, 0.95, 0.5, None), "invalid_count"),
        ((1.0, 2, 0.95, 0.5, None), "invalid_count"),
        ((True, 2, 0.95, 0.5, None), "invalid_count"),
        ((1, 2, 0.95, 0.5, 1), "invalid_count"),
        ((1, 2, 0.95, 0.5, 2.0), "invalid_count"),
        ((1, 2, 0.0, 0.5, None), "invalid_level"),
        ((1, 2, 1.0, 0.5, None), "invalid_level"),
        ((1, 2, math.nan, 0.5, None), "invalid_level"),
        ((1, 2, 0.95, 0.0, None), "invalid_prior"),
        ((1, 2, 0.95, -1.0, None), "invalid_prior"),
        ((1, 2, 0.95, math.nan, None), "invalid_prior"),
        ((1, 2, 0.95, math.inf, None), "invalid_prior"),
        ((1, 2, 0.95, True, None), "invalid_prior"),
        ((1, 2, 0.95, "jeffreys", None), "invalid_prior"),
    ],
)
def test_bad_input_is_refused_by_name(arguments: tuple[object, ...], reason: str) -> None:
    with pytest.raises(StatisticsError, match="expected") as caught:
        rate_sequence(*arguments)  # type: ignore[arg-type]
    assert caught.value.reason == reason
    with pytest.raises(StatisticsError, match="expected") as caught:
        difference_sequence(arguments[0], 0, *arguments[1:])  # type: ignore[arg-type]
    assert caught.value.reason == reason


def test_more_discordant_pairs_than_pairs_are_refused() -> None:
    with pytest.raises(StatisticsError, match="n01"):
        difference_sequence(2, 2, 3, 0.95, 0.5, None)
