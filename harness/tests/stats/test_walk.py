"""The exact bootstrap distribution against integers, rationals and sampling."""

from fractions import Fraction
from math import comb
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.walk import Walks, exact_quantile, walk_pmf
from harness.stats.walk_interval import walk_intervals

Table = tuple[int, int, int]


def exact(n01: int, n10: int, n: int) -> list[Fraction]:
    """The walk's distribution on -n … n, by convolution in integers."""
    ways = {0: 1}
    for _ in range(n):
        after: dict[int, int] = {}
        for place, count in ways.items():
            for move, weight in ((1, n01), (-1, n10), (0, n - n01 - n10)):
                after[place + move] = after.get(place + move, 0) + count * weight
        ways = after
    return [Fraction(ways.get(place, 0), n**n) for place in range(-n, n + 1)]


def inverted(mass: list[Fraction], q: Fraction, n: int) -> int:
    total = Fraction(0)
    for index, weight in enumerate(mass):
        total += weight
        if total >= q:
            return index - n
    raise AssertionError("the distribution does not sum to 1")


def by_binomials(n01: int, n10: int, n: int, total: int) -> int:
    """Ways of one sum among n**n, over the number of steps up."""
    still = n - n01 - n10
    return sum(
        comb(n, up) * comb(n - up, up - total) * n01**up * n10 ** (up - total)
        * still ** (n - 2 * up + total)
        for up in range(max(0, total), (n + total) // 2 + 1)
    )  # fmt: skip


TABLES = st.integers(1, 24).flatmap(
    lambda n: st.integers(0, n).flatmap(lambda a: st.integers(0, n - a).map(lambda b: (a, b, n)))
)
LEVELS = st.sampled_from([0.5, 0.75, 0.9, 0.95, 0.99, 0.9999999, 1 - 1e-12])


@settings(max_examples=50, deadline=None)
@given(TABLES, LEVELS)
def test_against_integers(table: Table, level: float) -> None:
    n01, n10, n = table
    mass = exact(n01, n10, n)
    assert np.max(np.abs(walk_pmf(n01, n10, n) - np.array(mass, dtype=float))) < 1e-12
    tail = (1 - Fraction(repr(level))) / 2
    [found] = walk_intervals([table], level, "percentile")
    assert found.low_count == inverted(mass, tail, n) == exact_quantile(n01, n10, n, tail)
    assert found.high_count == inverted(mass, 1 - tail, n)


@pytest.mark.parametrize("table", [(144, 141, 942), (5, 0, 942), (0, 937, 942)])
def test_a_study_of_942_pairs_against_big_integers(table: Table) -> None:
    n01, n10, n = table
    found, whole, mean = walk_pmf(n01, n10, n), n**n, n01 - n10
    places = [*range(max(-n, mean - 90), min(n, mean + 90), 13), -n, 0, n]
    expected = [by_binomials(n01, n10, n, total) / whole for total in places]
    assert np.max(np.abs(found[np.array(places) + n] - expected)) < 1e-12
    assert abs(found.sum() - 1) < 1e-12


@pytest.mark.parametrize("table", [(400_000, 100_000, 1_000_000), (30, 20, 1_000_000)])
def test_a_million_pairs_keep_their_moments(table: Table) -> None:
    n01, n10, n = table
    start, mass = Walks([table]).window(0)
    sums = np.arange(start, start + len(mass)) - (n01 - n10)
    assert len(mass) < 25_000
    assert mass.sum() == pytest.approx(1, abs=1e-12)
    assert (mass @ sums) == pytest.approx(0, abs=1e-7)
    variance = n01 + n10 - (n01 - n10) ** 2 / n
    assert (mass @ (sums * sums)) == pytest.approx(variance, rel=1e-9)


def test_a_batch_gives_what_each_walk_gives_alone() -> None:
    tables = [(a, b, n) for n in (3, 40, 942) for a, b in ((1, 0), (1, 2), (n // 3, n // 4))]
    for interval in ("percentile", "bca"):
        together = walk_intervals(tables * 20, 0.95, interval)
        alone = [walk_intervals([table], 0.95, interval)[0] for table in tables]
        for one, other in zip(together, alone * 20, strict=True):
            assert (one.low_count, one.high_count) == (other.low_count, other.high_count)
            assert one.z0 == pytest.approx(other.z0, abs=1e-13)
    assert walk_intervals([], 0.95, "bca") == ()


def test_a_quantile_that_the_distribution_meets_exactly() -> None:
    # n = 2, steps ±1 with 1/2 each: P(-2) = 1/4 is exactly the lower quantile of level 1/2.
    [found] = walk_intervals([(1, 1, 2)], 0.5, "percentile")
    assert (found.low_count, found.high_count) == (-2, 0)
    # P(at most -1) is exactly 15/16, which the floating-point sum misses by its last bit.
    [found] = walk_intervals([(0, 2, 4)], 0.875, "percentile")
    assert (found.low_count, found.high_count) == (-4, -1)
    # P(at most -2) is 1/4, a little less than one tail and a little more than the other.
    [less] = walk_intervals([(1, 1, 2)], 0.499999999998, "percentile")
    [more] = walk_intervals([(1, 1, 2)], 0.500000000002, "percentile")
    assert (less.low_count, more.low_count) == (0, -2)


def test_without_bias_and_skew_bca_is_the_percentile_interval() -> None:
    # P(-4) = 1/256 is exactly the tail, which a normal quantile and back would miss.
    for interval in ("percentile", "bca"):
        [found] = walk_intervals([(1, 1, 4)], 0.9921875, interval)
        assert (found.low_count, found.high_count) == (-4, 3)
    [found] = walk_intervals([(1, 1, 10)], 0.95, "bca")
    assert (found.z0, found.acceleration) == (0.0, 0.0)


@settings(max_examples=40, deadline=None)
@given(TABLES)
def test_bca_from_its_definition(table: Table) -> None:
    n01, n10, n = table
    [found] = walk_intervals([table], 0.95, "bca")
    if found.degenerate:
        assert (found.z0, found.acceleration) == (None, None)
        return
    mass, d = exact(n01, n10, n), n01 - n10
    mid_rank = sum(mass[: n + d]) + mass[n + d] / 2
    data = np.array([1.0] * n01 + [-1.0] * n10 + [0.0] * (n - n01 - n10))
    left_out = np.array([np.delete(data, place).mean() for place in range(n)]) if n > 1 else data
    spread = left_out.mean() - left_out
    assert found.z0 == pytest.approx(NormalDist().inv_cdf(float(mid_rank)), abs=1e-11)
    acceleration = (spread**3).sum() / (6 * (spread**2).sum() ** 1.5)
    assert found.acceleration == pytest.approx(acceleration, abs=1e-9)
    assert found.low_count is not None
    assert found.high_count is not None
    assert -n <= found.low_count <= d <= found.high_count <= n


def test_scipys_bca_agrees_and_is_nan_on_constant_data() -> None:
    from scipy.stats import bootstrap

    data = np.array([1.0] * 30 + [-1.0] * 12 + [0.0] * 58)
    rng = np.random.Generator(np.random.PCG64(1))
    sampled = bootstrap((data,), np.mean, n_resamples=2000, method="BCa", rng=rng)
    sampled = sampled.confidence_interval
    [found] = walk_intervals([(30, 12, 100)], 0.95, "bca")
    assert found.low_count == pytest.approx(100 * sampled.low, abs=1.5)
    assert found.high_count == pytest.approx(100 * sampled.high, abs=1.5)
    with np.errstate(all="ignore"), pytest.warns(Warning, match="degenerate"):
        flat = bootstrap((np.zeros(9),), np.mean, n_resamples=99, method="BCa")
    assert np.isnan(flat.confidence_interval.low)
    [ours] = walk_intervals([(0, 0, 9)], 0.95, "bca")
    assert (ours.low_count, ours.high_count, ours.degenerate) == (0, 0, True)


def test_a_skew_that_has_no_correction_ends_at_the_support() -> None:
    # One discordant pair of many: the acceleration is near 1/6, and z passes 6 at this level.
    [found] = walk_intervals([(1, 0, 10_000)], 1 - 1e-10, "bca")
    assert found.acceleration == pytest.approx(1 / 6, abs=1e-3)
    assert found.high_count == 10_000


@settings(max_examples=30, deadline=None)
@given(TABLES, st.sampled_from([0.9473, 0.6119]), st.sampled_from(["percentile", "bca"]))
def test_swapping_mirrors_and_a_higher_level_is_wider(
    table: Table, level: float, interval: str
) -> None:
    n01, n10, n = table
    [one] = walk_intervals([table], level, interval)
    [other] = walk_intervals([(n10, n01, n)], level, interval)
    assert (one.low_count, one.high_count) == (-(other.high_count or 0), -(other.low_count or 0))
    [wider] = walk_intervals([table], 0.99, interval)
    assert (wider.low_count or 0) <= (one.low_count or 0)
    assert (wider.high_count or 0) >= (one.high_count or 0)


def test_large_numbers_with_a_level_close_to_1() -> None:
    [found] = walk_intervals([(30_000, 20_000, 100_000)], 0.9999999, "percentile")
    spread = (50_000 - 10_000**2 / 100_000) ** 0.5 * -NormalDist().inv_cdf(5e-8)
    assert found.low_count == pytest.approx(10_000 - spread, abs=5)
    assert found.high_count == pytest.approx(10_000 + spread, abs=5)


@pytest.mark.parametrize(
    ("table", "level", "interval", "reason"),
    [
        ((-1, 0, 5), 0.95, "bca", "invalid_count"),
        ((3, 3, 5), 0.95, "bca", "invalid_count"),
        ((True, 1, 5), 0.95, "bca", "invalid_count"),
        ((1, 1, 5.0), 0.95, "bca", "invalid_count"),
        ((1, 1, 5), 1.0, "bca", "invalid_level"),
        ((1, 1, 5), float("nan"), "bca", "invalid_level"),
        ((1, 1, 5), 0.95, "basic", "unknown_variant"),
    ],
)
def test_bad_input_is_refused(table: Table, level: float, interval: str, reason: str) -> None:
    with pytest.raises(StatisticsError, match="expected .* found") as refused:
        walk_intervals([(1, 1, 9), table], level, interval)
    assert refused.value.reason == reason


def test_a_walk_needs_a_step() -> None:
    with pytest.raises(StatisticsError) as refused:
        walk_pmf(0, 0, 0)
    assert refused.value.reason == "invalid_count"
    [found] = walk_intervals([(0, 0, 0)], 0.95, "percentile")
    assert (found.low_count, found.high_count, found.degenerate) == (None, None, False)
