"""The exact law of one ratio against enumeration, and the drawn gap of two."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, pairwise
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from harness.stats.checks import StatisticsError
from harness.stats.ratio_law import RatioLaw
from harness.stats.ratios import (
    JointCell,
    cells_from_examples,
    ratio_difference,
    ratio_interval,
)

COUNTS = st.integers(1, 10).flatmap(
    lambda n: st.integers(1, n).flatmap(
        lambda of: st.integers(0, of).map(lambda hits: (hits, of, n))
    )
)


def law(hits: int, of: int, n: int) -> dict[Fraction, Fraction]:
    """The distribution of hits / accepted given accepted > 0, by enumeration in fractions."""
    ways: dict[Fraction, int] = {}
    for size in range(1, n + 1):
        for hit in range(size + 1):
            count = comb(n, size) * comb(size, hit)
            count *= hits**hit * (of - hits) ** (size - hit) * (n - of) ** (n - size)
            ways[Fraction(hit, size)] = ways.get(Fraction(hit, size), 0) + count
    total = sum(ways.values())
    return {ratio: Fraction(ways[ratio], total) for ratio in sorted(ways) if ways[ratio]}


def inverted(distribution: dict[Fraction, Fraction], q: Fraction) -> Fraction:
    sums = accumulate(distribution.values())
    return next(ratio for ratio, sum_ in zip(distribution, sums, strict=True) if sum_ >= q)


@settings(max_examples=50, deadline=None)
@given(COUNTS, st.sampled_from([0.5, 0.75, 0.875, 0.9, 0.95, 0.99, 0.9999]))
def test_against_enumeration(counts: tuple[int, int, int], level: float) -> None:
    distribution, tail = law(*counts), (1 - Fraction(str(level))) / 2
    estimate = ratio_interval(*counts, level)
    assert estimate.value == counts[0] / counts[1]
    assert estimate.low == float(inverted(distribution, tail))
    assert estimate.high == float(inverted(distribution, 1 - tail))
    assert estimate.degenerate == (counts[0] in (0, counts[1]))


@pytest.mark.parametrize("counts", [(1, 2, 2), (3, 4, 4), (2, 4, 8), (3, 6, 8), (1, 3, 9)])
def test_quantiles_that_the_distribution_meets_exactly(counts: tuple[int, int, int]) -> None:
    distribution = law(*counts)
    for ratio, reached in zip(distribution, accumulate(distribution.values()), strict=True):
        found = RatioLaw(*counts)
        assert found.quantile(reached) == ratio
        assert found.quantile(reached - Fraction(1, 10**30)) <= ratio
        if ratio < 1:
            assert found.quantile(reached + Fraction(1, 10**30)) > ratio


def test_a_level_that_meets_a_probability() -> None:
    # 1 of 2 accepted, both always: 0, 1/2, 1 with 1/4, 1/2, 1/4, and tails of exactly 1/4.
    estimate = ratio_interval(1, 2, 2, 0.5)
    assert (estimate.low, estimate.high) == (0.0, 0.5)


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        ((139, 288, 642), 0.4249201277955272, 0.5404411764705882),
        ((30, 40, 100), 25 / 41, 29 / 33),
        ((158, 186, 200), 1 - 0.2032967032967033, 1 - 0.10106382978723403),
        ((6, 6, 60), 1.0, 1.0),
    ],
)
def test_published(counts: tuple[int, int, int], low: float, high: float) -> None:
    estimate = ratio_interval(*counts, 0.95)
    assert estimate.low == pytest.approx(low, abs=1e-12)
    assert estimate.high == pytest.approx(high, abs=1e-12)
    assert (estimate.n_resamples, estimate.seed, estimate.resampled) == (None, None, "examples")


def test_all_ratios_by_sorting() -> None:
    hits, of, n = 41, 90, 200
    sizes, hit = np.mgrid[1 : n + 1, 0 : n + 1]
    inside = hit <= sizes
    mass = (binom.pmf(sizes, n, of / n) * binom.pmf(hit, sizes, hits / of))[inside]
    ratio = (hit / sizes)[inside]
    order = np.argsort(ratio)
    reached = np.cumsum(mass[order]) / mass.sum()
    for level in (0.5, 0.9, 0.95, 0.999):
        estimate = ratio_interval(hits, of, n, level)
        for bound, q in ((estimate.low, (1 - level) / 2), (estimate.high, (1 + level) / 2)):
            assert bound == ratio[order][np.searchsorted(reached, q)]


@pytest.mark.parametrize("n", [1, 7, 100, 5_001, 3_000_000])
def test_all_accepted_is_binomial(n: int) -> None:
    hits = max(1, n // 3)
    estimate = ratio_interval(hits, n, n, 0.95)
    if n == 1:
        assert (estimate.low, estimate.high, estimate.degenerate) == (1.0, 1.0, True)
        return
    assert estimate.low == binom.ppf(0.025, n, hits / n) / n
    assert estimate.high == binom.ppf(0.975, n, hits / n) / n


def test_nothing_accepted() -> None:
    for n in (0, 5):
        estimate = ratio_interval(0, 0, n, 0.95)
        assert (estimate.value, estimate.low, estimate.high) == (None, None, None)
        assert not estimate.degenerate and "no denominator" in estimate.method
    assert "probability 0.0018" in ratio_interval(6, 6, 60, 0.95).method


def test_more_hits_never_lower_and_a_higher_level_never_narrower() -> None:
    bounds = [ratio_interval(hits, 20, 50, 0.9) for hits in range(21)]
    for before, after in pairwise(bounds):
        assert before.low <= after.low and before.high <= after.high
    for hits in (1, 10, 19):
        narrow, wide = (ratio_interval(hits, 20, 50, level) for level in (0.8, 0.99))
        assert wide.low <= narrow.low <= narrow.high <= wide.high


@pytest.mark.parametrize(
    ("given_", "reason"),
    [
        ((2, 1, 5, 0.95), "invalid_count"),
        ((1, 6, 5, 0.95), "invalid_count"),
        ((-1, 1, 5, 0.95), "invalid_count"),
        ((1.0, 1, 5, 0.95), "invalid_count"),
        ((True, 1, 5, 0.95), "invalid_count"),
        ((1, None, 5, 0.95), "invalid_count"),
        ((1, 2, 5, 1.0), "invalid_level"),
        ((1, 2, 5, float("nan")), "invalid_level"),
    ],
)
def test_bad_counts(given_: Any, reason: str) -> None:
    with pytest.raises(StatisticsError) as error:
        ratio_interval(*given_)
    assert error.value.reason == reason


CELLS = (
    JointCell(count=10, first=(0, 0), second=(0, 0)),
    JointCell(count=25, first=(0, 0), second=(1, 1)),
    JointCell(count=50, first=(1, 1), second=(1, 1)),
    JointCell(count=10, first=(0, 1), second=(0, 0)),
    JointCell(count=20, first=(0, 1), second=(0, 1)),
)


def test_cells_in_any_order_split_or_empty_give_the_same_draws() -> None:
    gap = ratio_difference(CELLS, 0.95, 2000, 3)
    assert gap.first == 50 / 80 and gap.second == 75 / 95
    assert gap.difference.value == pytest.approx(75 / 95 - 50 / 80, abs=1e-15)
    assert gap.difference.n == 115 and gap.difference.seed == 3
    split = [
        *reversed(CELLS[1:]),
        JointCell(count=4, first=(0, 0), second=(0, 0)),
        JointCell(count=6, first=(0, 0), second=(0, 0)),
        JointCell(count=0, first=(1, 1), second=(0, 1)),
    ]
    assert ratio_difference(split, 0.95, 2000, 3) == gap
    assert ratio_difference(CELLS, 0.95, 2000, 4) != gap


def test_examples_and_their_cells_agree() -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    of = rng.integers(0, 2, (2, 200))
    hit = of * rng.integers(0, 2, (2, 200))
    cells = cells_from_examples(hit[0], of[0].astype(bool), hit[1].tolist(), of[1])
    assert sum(cell.count for cell in cells) == 200 and len(cells) == 9
    gap = ratio_difference(cells, 0.9, 500, 1)
    assert gap.first == hit[0].sum() / of[0].sum()
    assert (gap.first_denominator, gap.second_denominator) == tuple(of.sum(axis=1))
    shuffled = rng.permutation(200)
    again = cells_from_examples(*(x[shuffled] for x in (hit[0], of[0], hit[1], of[1])))
    assert again == cells
    assert cells_from_examples([], [], [], []) == ()


def gap_law(cells: tuple[JointCell, ...]) -> dict[Fraction, Fraction]:
    """The distribution of the gap by enumerating every ordered draw."""
    places = [cell for cell in cells for _ in range(cell.count)]
    n, sums = len(places), {(0, 0, 0, 0): 1}
    for _ in range(n):
        after: dict[Any, int] = {}
        for total, ways in sums.items():
            for cell in places:
                key = tuple(map(sum, zip(total, (*cell.first, *cell.second), strict=True)))
                after[key] = after.get(key, 0) + ways
        sums = after
    gaps: dict[Fraction, int] = {}
    for (a, of_a, b, of_b), ways in sums.items():
        if of_a and of_b:
            gap = Fraction(b, of_b) - Fraction(a, of_a)
            gaps[gap] = gaps.get(gap, 0) + ways
    kept = sum(gaps.values())
    return {gap: Fraction(gaps[gap], kept) for gap in sorted(gaps)}


def test_draws_follow_the_enumerated_law() -> None:
    cells = tuple(
        JointCell(count=count, first=first, second=second)
        for count, first, second in [
            (2, (1, 1), (0, 1)),
            (1, (0, 1), (1, 1)),
            (2, (0, 0), (1, 1)),
            (1, (0, 1), (0, 0)),
            (1, (0, 0), (0, 0)),
        ]
    )
    distribution, n_resamples = gap_law(cells), 40_000
    for level in (0.5, 0.8, 0.95):
        gap = ratio_difference(cells, level, n_resamples, 11)
        for bound, q in (
            (gap.difference.low, (1 - level) / 2),
            (gap.difference.high, (1 + level) / 2),
        ):
            reach = 5 * (q * (1 - q) / n_resamples) ** 0.5
            low, high = (inverted(distribution, Fraction(q + off)) for off in (-reach, reach))
            assert float(low) - 1e-12 <= bound <= float(high) + 1e-12
    dropped = 7**7 - sum(
        comb(7, k) * 5**k * 2 ** (7 - k) for k in range(1, 8)
    )  # without a second denominator
    assert gap.n_dropped >= n_resamples * dropped / 7**7 * 0.5
    assert f"{gap.n_dropped} of {n_resamples} draws" in gap.difference.method


def test_one_denominator_is_the_paired_difference() -> None:
    n01, n10, n = 30, 12, 300
    gap = ratio_difference(
        [
            JointCell(count=n10, first=(1, 1), second=(0, 1)),
            JointCell(count=n01, first=(0, 1), second=(1, 1)),
            JointCell(count=150, first=(1, 1), second=(1, 1)),
            JointCell(count=108, first=(0, 1), second=(0, 1)),
        ],
        0.95,
        10_000,
        5,
    )
    assert (gap.first, gap.second) == (162 / n, 180 / n)
    assert gap.difference.value == 0.06
    assert gap.difference.low == pytest.approx(0.02, abs=1 / n + 1e-12)
    assert gap.difference.high == pytest.approx(31 / n, abs=1 / n + 1e-12)


def test_swapping_the_two_turns_the_gap_round() -> None:
    swapped = [JointCell(count=c.count, first=c.second, second=c.first) for c in CELLS]
    gap, back = (ratio_difference(c, 0.9, 20_000, 2).difference for c in (CELLS, swapped))
    assert gap.value == -back.value
    assert gap.low == pytest.approx(-back.high, abs=0.01)
    assert gap.high == pytest.approx(-back.low, abs=0.01)


def test_a_ratio_without_denominator_and_a_gap_that_cannot_vary() -> None:
    for cells in ([], [JointCell(count=5, first=(1, 1), second=(0, 0))]):
        gap = ratio_difference(cells, 0.95, 100, 1)
        assert (gap.second, gap.difference.value, gap.difference.low) == (None, None, None)
        assert gap.n_dropped == 0 and not gap.difference.degenerate
    gap = ratio_difference([JointCell(count=5, first=(1, 1), second=(0, 1))], 0.95, 100, 1)
    assert (gap.difference.low, gap.difference.high) == (-1.0, -1.0) and gap.difference.degenerate
    perfect = [
        JointCell(count=3, first=(1, 1), second=(1, 1)),
        JointCell(count=3, first=(0, 0), second=(1, 1)),
    ]
    gap = ratio_difference(perfect, 0.95, 1000, 1)
    assert (gap.difference.low, gap.difference.high, gap.difference.degenerate) == (0.0, 0.0, True)
    assert gap.n_dropped > 0


@pytest.mark.parametrize(
    ("joint", "level", "n_resamples", "seed", "reason"),
    [
        ((-1, (0, 1), (0, 1)), 0.95, 10, 1, "invalid_count"),
        ((1.5, (0, 1), (0, 1)), 0.95, 10, 1, "invalid_count"),
        ((1, (2, 1), (0, 1)), 0.95, 10, 1, "invalid_count"),
        ((1, (True, 1), (0, 1)), 0.95, 10, 1, "invalid_count"),
        ((1, (0, 1), (0, 1)), 0.0, 10, 1, "invalid_level"),
        ((1, (0, 1), (0, 1)), 0.95, 0, 1, "invalid_count"),
        ((1, (0, 1), (0, 1)), 0.95, 10, -1, "invalid_count"),
    ],
)
def test_bad_cells(joint: Any, level: float, n_resamples: int, seed: int, reason: str) -> None:
    count, first, second = joint
    with pytest.raises(StatisticsError) as error:
        ratio_difference(
            [JointCell(count=count, first=first, second=second)], level, n_resamples, seed
        )
    assert error.value.reason == reason


@pytest.mark.parametrize(
    ("column", "reason"),
    [([1], "length_mismatch"), ([1, None], "invalid_count"), ([1, -1], "invalid_count"),
     ([0.5, 1], "invalid_count"), ([float("nan"), 1], "invalid_count")],
)  # fmt: skip
def test_bad_examples(column: Any, reason: str) -> None:
    with pytest.raises(StatisticsError) as error:
        cells_from_examples([0, 1], [1, 1], [0, 0], column)
    assert error.value.reason == reason
