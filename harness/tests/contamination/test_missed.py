"""The sample below the threshold: who is drawn, and limits against enumeration and simulation."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.audit.hypergeometric import most
from harness.audit.missed import Counted, draw_sample, estimate
from harness.audit.pairs import Near
from harness.audit.stratified import most_in_total
from harness.errors import DataError

NEAR = [
    Near(row, name, item, 1, 0.80 + (row * 37 % 60) / 1000)
    for row, name, item in product(range(400), ("s", "t"), (0,))
]


def test_a_sample_is_drawn_from_strata_of_a_hundredth() -> None:
    strata = draw_sample(NEAR, 25, 7, floor=0.80, threshold=0.85)
    ends = [(one.low, one.high) for one in strata]
    assert ends == [(0.84, 0.85), (0.83, 0.84), (0.82, 0.83), (0.81, 0.82), (0.80, 0.81)]
    assert sum(one.population for one in strata) == sum(0.80 <= n.cosine < 0.85 for n in NEAR)
    for one in strata:
        assert len(one.drawn) == 25 and all(one.low <= n.cosine < one.high for n in one.drawn)
    # Neither order nor the other rows of a shard change who is drawn; the seed does.
    assert draw_sample(NEAR[::-1], 25, 7, floor=0.80, threshold=0.85) == strata
    assert draw_sample(NEAR, 25, 8, floor=0.80, threshold=0.85) != strata
    fewer = draw_sample(NEAR, 10, 7, floor=0.80, threshold=0.85)
    assert all(set(a.drawn) < set(b.drawn) for a, b in zip(fewer, strata, strict=True))


def test_who_is_in_the_population() -> None:
    near = [
        Near(0, "s", 4, 2, 0.83), Near(0, "s", 1, 1, 0.848), Near(1, "s", 0, 1, 0.9),
        Near(1, "s", 2, 2, 0.845), Near(1, "t", 0, 1, 0.845), Near(2, "s", 0, 1, 0.85),
        Near(3, "s", 0, 1, 0.841), Near(4, "s", 0, 1, 0.79), Near(5, "s", 6, 1, 0.842),
        Near(5, "s", 3, 2, 0.842),
    ]  # fmt: skip
    top, low = draw_sample(near, 9, 0, floor=0.835, threshold=0.85, exclude=[(3, "s")])
    assert (low.low, low.high, low.population) == (0.835, 0.84, 0)
    found = [(one.row, one.eval_set, one.item) for one in top.drawn]
    assert found == [(0, "s", 1), (1, "t", 0), (5, "s", 3)]
    assert draw_sample(near, 9, 0, floor=0.85, threshold=0.85) == ()
    assert [one.drawn for one in draw_sample([], 9, 0, floor=0.84, threshold=0.85)] == [()]
    for floor, threshold, n in ((0.9, 0.85, 5), (-2.0, 0.85, 5), (0.8, 0.85, -1)):
        with pytest.raises(DataError, match="sample: expected"):
            draw_sample(near, n, 0, floor=floor, threshold=threshold)


def test_every_row_is_drawn_equally_often() -> None:
    near = [Near(row, "s", 0, 1, 0.845) for row in range(20)]
    counts = np.zeros(20)
    for seed in range(400):
        (top,) = draw_sample(near, 5, seed, floor=0.84, threshold=0.85)
        counts[[one.row for one in top.drawn]] += 1
    # Each is binomial(400, 1/4), standard deviation 8.7.
    assert counts.min() > 100 - 40 and counts.max() < 100 + 40


def fewest(population: int, judged: int, found: int, tail: Fraction) -> int:
    return population - most(population, judged, judged - found, tail)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 30), st.data())
def test_limits_against_enumeration(population: int, data: st.DataObject) -> None:
    judged = data.draw(st.integers(0, population))
    found = data.draw(st.integers(0, judged))
    tail = Fraction(data.draw(st.integers(1, 60)), 120)

    def chance(marked: int, counts: range) -> Fraction:
        ways = [comb(marked, k) * comb(population - marked, judged - k) for k in counts]
        return Fraction(sum(ways), comb(population, judged))

    possible = range(found, population - (judged - found) + 1)
    high = [m for m in possible if chance(m, range(found + 1)) > tail]
    low = [m for m in possible if chance(m, range(found, judged + 1)) > tail]
    assert most(population, judged, found, tail) == max(high, default=found)
    assert fewest(population, judged, found, tail) == min(low, default=possible[-1])


def test_estimates() -> None:
    whole = estimate([Counted(0.84, 0.85, 40, 40, 3), Counted(0.83, 0.84, 0, 0, 0)])
    assert (whole.value, whole.low, whole.high) == (3.0, 3, 3)
    unsure = estimate([Counted(0.84, 0.85, 40, 40, 3, 2)])
    assert (unsure.low, unsure.high) == (3, 5) and unsure.value == 40 * 3 / 38
    unseen = estimate([Counted(0.84, 0.85, 40, 40, 3), Counted(0.83, 0.84, 60, 0, 0)])
    assert (unseen.value, unseen.low, unseen.high) == (None, 3, 63)
    nothing = estimate([])
    assert (nothing.value, nothing.low, nothing.high, nothing.table.rows[-1]["population"]) == (
        0.0, 0, 0, 0,
    )  # fmt: skip
    # One stratum: the limits of the whole level. 5 of 100 in 1,000.
    one = estimate([Counted(0.84, 0.85, 1000, 100, 5)])
    tail = Fraction(1, 40)
    assert (one.low, one.high) == (fewest(1000, 100, 5, tail), most(1000, 100, 5, tail))
    assert one.value == 50.0
    wider = estimate([Counted(0.84, 0.85, 1000, 100, 5, 3)])
    assert wider.low == one.low and wider.high == most(1000, 100, 8, tail)
    assert wider.value is not None and wider.high > wider.value > 50
    assert estimate([Counted(0.84, 0.85, 1000, 100, 5)], 0.8).high < one.high
    both = [Counted(0.84, 0.85, 400, 100, 3), Counted(0.83, 0.84, 900, 100, 0)]
    assert (
        12
        < estimate(both).high
        < sum(most(c.population, 100, c.duplicates, tail / 2) for c in both)
    )
    value, low, high = estimate(both).recall(134)
    assert value == 134 / 146 and low == 134 / (134 + estimate(both).high) and high == 134 / 137
    assert estimate([]).recall(0) == (1.0, 1.0, 1.0)
    for counts in ((5, 6, 0, 0), (5, 3, 2, 2), (5, 3, -1, 0), (5, 3, True, 0)):
        with pytest.raises(DataError, match="judged <= population"):
            Counted(0.84, 0.85, *counts)


def test_the_interval_covers_at_its_level() -> None:
    """Published density: duplicates rise towards the threshold; 25 draws of 60 a stratum."""
    populations, marked = (700, 900, 1100, 1300, 1500), (26, 20, 15, 10, 6)
    generator = np.random.Generator(np.random.PCG64(5))
    known: dict[tuple[int, ...], tuple[int, int]] = {}
    misses = 0
    for _ in range(25):
        found = tuple(
            int(generator.hypergeometric(m, n - m, 60))
            for n, m in zip(populations, marked, strict=True)
        )
        if found not in known:
            result = estimate(
                [Counted(0.8, 0.9, n, 60, k) for n, k in zip(populations, found, strict=True)]
            )
            known[found] = result.low, result.high
        low, high = known[found]
        misses += not low <= sum(marked) <= high
    assert misses <= 1


def test_the_limit_of_a_total_holds_for_every_distribution_over_two_strata() -> None:
    """P(limit < truth), summed over all samples, for every pair of true counts."""
    sizes, drawn, tail = (9, 14), (3, 4), Fraction(1, 10)
    limits = {
        found: most_in_total(list(zip(sizes, drawn, found, strict=True)), tail)
        for found in product(range(4), range(5))
    }
    for truth in product(range(10), range(15)):
        below = Fraction(0)
        for found, limit in limits.items():
            if limit < sum(truth):
                ways = [
                    Fraction(comb(m, k) * comb(size - m, n - k), comb(size, n))
                    for size, n, m, k in zip(sizes, drawn, truth, found, strict=True)
                ]
                below += ways[0] * ways[1]
        assert below <= tail, truth
    assert limits[0, 0] < 23 and limits[3, 4] == 23
