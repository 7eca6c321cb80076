"""Intervals for a ratio of counts whose denominator is itself drawn, and for the gap of two."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.checks import (
    MOST_COUNT,
    check_count,
    check_part,
    check_same_length,
    check_share,
    check_size,
)
from harness.stats.draws import DrawPlan, interval_from_draws
from harness.stats.estimate import Estimate
from harness.stats.levels import tail_share
from harness.stats.ratio_law import RatioLaw
from harness.stats.weights import drawn_sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

_MOST_EXAMPLES = 10**7
_MOST_DRAWN = 10**8


@dataclass(frozen=True, kw_only=True, slots=True)
class JointCell:
    """Examples that are alike: what each adds to (numerator, denominator) of both ratios."""

    count: int
    first: tuple[int, int]
    second: tuple[int, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class RatioDifference:
    """The gap of two ratios, second minus first, and what both stand on.

    `first` and `second` are None where the denominator is 0. `n_dropped` counts the draws in
    which a denominator was 0.
    """

    difference: Estimate
    first: float | None
    second: float | None
    first_denominator: int
    second_denominator: int
    n_dropped: int


def ratio_interval(n_hits: int, n_accepted: int, n: int, level: float) -> Estimate:
    """Estimate hits / accepted when n examples are redrawn and accepted is recounted.

    Redrawing n examples makes `accepted` binomial (n, n_accepted / n), and the hits among them
    binomial (accepted, n_hits / n_accepted). The interval is read from the exact distribution
    of their ratio, so it needs no seed. Draws that accept nothing have no ratio; they are
    conditioned out and `method` states their probability.

    Parameters
    ----------
    n_hits : accepted examples that are right, 0 ≤ n_hits ≤ n_accepted.
    n_accepted : accepted examples, n_accepted ≤ n.
    n : all examples.
    level : confidence level, strictly between 0 and 1.

    Returns
    -------
    Estimate
        Bounds are the (1 - level) / 2 and (1 + level) / 2 quantiles by inverted CDF, fractions
        with a denominator of at most n. With no hit, or only hits, every resample equals the
        estimate: a point, flagged degenerate. With nothing accepted all three numbers are None.

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_level`; `too_large` for more than 1e7 examples.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13: the
    percentile interval, here of a distribution in closed form.

    Examples
    --------
    >>> estimate = ratio_interval(139, 288, 642, 0.95)
    >>> round(100 * estimate.low, 2), round(100 * estimate.high, 2)
    (42.49, 54.04)
    """
    hits, accepted = check_part("n_hits", n_hits, "n_accepted", n_accepted)
    _, size = check_part("n_accepted", n_accepted, "n", n)
    check_size("n", size, _MOST_EXAMPLES)
    level = check_share("level", level)
    tail = tail_share(level)
    method = "exact bootstrap distribution over examples, percentile interval"
    value = low = high = None
    if accepted:
        value = low = high = hits / accepted
        empty = (1.0 - accepted / size) ** size
        if empty > 0.0:
            method += f"; draws without a denominator (probability {empty:.2g}) conditioned out"
        if 0 < hits < accepted:
            law = RatioLaw(hits, accepted, size)
            low, high = float(law.quantile(tail)), float(law.quantile(1 - tail))
    return Estimate(
        value=value,
        low=low,
        high=high,
        level=level,
        n=size,
        method=method if accepted else f"{method} (no denominator)",
        unit="proportion",
        resampled="examples",
        degenerate=accepted > 0 and hits in (0, accepted),
    )


def ratio_difference(
    cells: Sequence[JointCell], level: float, n_resamples: int, seed: int
) -> RatioDifference:
    """Estimate the gap of two ratios on the same examples: second minus first.

    Redrawing the examples is a multinomial draw of the cells' counts. Both ratios stand on the
    same draw, and both denominators are recounted in it.

    Parameters
    ----------
    cells : counts with what one example adds to each ratio; in any order, and cells that add
        the same may be split.
    level : confidence level, strictly between 0 and 1.
    n_resamples : at least 1.
    seed : integer of at least 0.

    Returns
    -------
    RatioDifference
        The interval is the percentile interval by inverted CDF over the draws in which both
        ratios exist; the others are dropped and counted. Where one of the ratios is undefined
        the difference is None. Flagged degenerate when every draw equals the estimate.

    Raises
    ------
    StatisticsError
        `invalid_count` for a count, a contribution, n_resamples or seed; `invalid_level`;
        `too_large` for more than 1e8 cells × resamples.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.

    Examples
    --------
    >>> cells = [
    ...     JointCell(count=60, first=(1, 1), second=(1, 1)),
    ...     JointCell(count=25, first=(0, 1), second=(1, 1)),
    ...     JointCell(count=15, first=(0, 1), second=(0, 0)),
    ... ]
    >>> gap = ratio_difference(cells, 0.95, 10_000, seed=1)
    >>> gap.first, gap.second, gap.difference.value, gap.n_dropped
    (0.6, 1.0, 0.4, 0)
    """
    plan = DrawPlan(level, "percentile", n_resamples, seed, None)
    check_size("cells * n_resamples", len(cells) * plan.n_resamples, _MOST_DRAWN)
    totals, keys = [0, 0, 0, 0], []
    for place, cell in enumerate(cells):
        count = check_count(f"cells[{place}].count", cell.count)
        first, second = (
            check_part(f"cells[{place}] numerator", part, "denominator", whole)
            for part, whole in (cell.first, cell.second)
        )
        key = (*first, *second)
        totals = [total + count * part for total, part in zip(totals, key, strict=True)]
        keys.append((key, count))
    hits_1, of_1, hits_2, of_2 = totals
    check_size("sum of the denominators", max(of_1, of_2, sum(n for _, n in keys)), MOST_COUNT)
    value, shifts = None, np.empty(0)
    if of_1 and of_2:
        value = float(Fraction(hits_2, of_2) - Fraction(hits_1, of_1))
        shifts = _draw(_merged(keys), plan) - value
    return RatioDifference(
        difference=interval_from_draws(
            value,
            shifts,
            1e-14,
            0.0,
            plan,
            sum(count for _, count in keys),
            "difference of proportions",
        ),
        first=hits_1 / of_1 if of_1 else None,
        second=hits_2 / of_2 if of_2 else None,
        first_denominator=of_1,
        second_denominator=of_2,
        n_dropped=int(np.isnan(shifts).sum()),
    )


def cells_from_examples(
    first_hit: ArrayLike, first_in: ArrayLike, second_hit: ArrayLike, second_in: ArrayLike
) -> tuple[JointCell, ...]:
    """Count the joint cells of n examples for `ratio_difference`.

    Parameters
    ----------
    first_hit, second_hit : what each example adds to the numerator, shape (n,), booleans or
        integers of at least 0.
    first_in, second_in : what it adds to the denominator, likewise.

    Returns
    -------
    tuple of JointCell
        One for each combination that occurs; empty with n = 0.

    Raises
    ------
    StatisticsError
        `length_mismatch`; `invalid_count` for None, NaN, a negative number or a fraction.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), section 8.3: what is
    drawn is the example, with everything observed on it.

    Examples
    --------
    >>> for cell in cells_from_examples([1, 0, 1], [1, 1, 1], [0, 0, 0], [0, 1, 0]):
    ...     print(cell.count, cell.first, cell.second)
    1 (0, 1) (0, 1)
    2 (1, 1) (0, 0)
    """
    given = {
        "first_hit": first_hit,
        "first_in": first_in,
        "second_hit": second_hit,
        "second_in": second_in,
    }
    columns = {name: _whole_numbers(name, values) for name, values in given.items()}
    check_same_length(**columns)
    rows, counts = np.unique(np.stack(list(columns.values()), axis=1), axis=0, return_counts=True)
    return tuple(
        JointCell(count=count, first=(row[0], row[1]), second=(row[2], row[3]))
        for row, count in zip(rows.tolist(), counts.tolist(), strict=True)
    )


def _merged(cells: list[tuple[tuple[int, int, int, int], int]]) -> dict[tuple[int, ...], int]:
    """Counts of the cells that differ, sorted: the draws do not depend on the given order."""
    filled = [(key, count) for key, count in cells if count]
    merged: dict[tuple[int, ...], int] = {}
    one_denominator = len({of for key, _ in filled for of in (key[1], key[3])}) == 1
    for (hit_1, of_1, hit_2, of_2), count in sorted(filled):
        # With one fixed denominator a hit of both cancels, and fewer cells are faster to draw.
        both = min(hit_1, hit_2) if one_denominator else 0
        key = (hit_1 - both, of_1, hit_2 - both, of_2)
        merged[key] = merged.get(key, 0) + count
    return merged


def _draw(cells: dict[tuple[int, ...], int], plan: DrawPlan) -> NDArray[np.float64]:
    """Resampled gaps, NaN in the draws without a denominator."""
    counts = np.array(list(cells.values()), dtype=np.int64)
    rng = np.random.Generator(np.random.PCG64(plan.seed))
    n = int(counts.sum())
    drawn = rng.multinomial(n, counts / n, size=plan.n_resamples)
    sums = drawn_sums(drawn, np.array(list(cells), dtype=np.float64)).T
    gaps: NDArray[np.float64] = np.full(plan.n_resamples, np.nan)
    kept = (sums[1] > 0) & (sums[3] > 0)
    np.subtract(
        np.divide(sums[2], sums[3], where=kept, out=np.zeros(len(gaps))),
        np.divide(sums[0], sums[1], where=kept, out=np.zeros(len(gaps))),
        where=kept,
        out=gaps,
    )
    return gaps


def _whole_numbers(name: str, values: ArrayLike) -> NDArray[np.int64]:
    found = np.asarray(values, dtype=object)
    numbers = [int(value) if isinstance(value, bool | np.bool_) else value for value in found]
    for place, value in enumerate(numbers):
        check_count(f"{name}[{place}]", value)
    return np.array(numbers, dtype=np.int64)


__all__ = [
    "JointCell",
    "RatioDifference",
    "cells_from_examples",
    "ratio_difference",
    "ratio_interval",
]
