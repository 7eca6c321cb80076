"""Judges of equal static accuracy compared by how they adapt: pairs matched in integers."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from numbers import Real
from typing import Any

from harness.stats.checks import StatisticsError, check_part, check_size, check_unique, shown

_MOST_PAIRS = 500_000
_MOST_PP = 10**9


@dataclass(frozen=True, kw_only=True, slots=True)
class Judge:
    """A judge on one factor: right answers of static items, adapted of base-correct triplets.

    Counts that do not fit together are refused (`invalid_count`), and a judge without static
    items (`empty_cell`), whose static accuracy matches no other.
    """

    name: str
    factor: Hashable
    static_correct: int
    static_n: int
    n_adapted: int
    n_base_correct: int

    def __post_init__(self) -> None:
        for part, whole in (("static_correct", "static_n"), ("n_adapted", "n_base_correct")):
            counts = check_part(part, getattr(self, part), whole, getattr(self, whole))
            for name, count in zip((part, whole), counts, strict=True):
                object.__setattr__(self, name, count)
        if self.static_n == 0:
            raise StatisticsError(
                "empty_cell", f"{self.name} ({self.factor}): expected static items, found none"
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchedPair:
    """Two judges matched on a factor, in the order in which they were given.

    `static_delta_pp` is first minus second in percentage points; `gap` is the absolute
    difference of their relevant adaptations as a fraction, None where a judge has no
    base-correct triplet.
    """

    factor: Hashable
    first: str
    second: str
    static_delta_pp: float
    gap: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class MatchedComparisons:
    """All matched pairs, of `n_candidates` pairs within a factor.

    `median_gap` is a fraction over the pairs whose gap is defined, None where there are none.
    """

    pairs: tuple[MatchedPair, ...]
    n_candidates: int
    max_static_delta_pp: float
    median_gap: float | None


def matched_comparisons(
    judges: Sequence[Judge], max_static_delta_pp: float | Fraction | Decimal
) -> MatchedComparisons:
    """Find the pairs of judges whose static accuracies differ by no more than a threshold.

    The comparison is in integers, 100 |k1 n2 - k2 n1| ≤ threshold · n1 · n2: in floating
    point 0.895 - 0.885 > 0.01, and a pair at exactly the threshold would be lost.

    Parameters
    ----------
    judges : one entry for each judge and factor; only judges on the same factor are compared.
    max_static_delta_pp : threshold in percentage points, at least 0; a float stands for the
        decimal that it prints as, so 0.1 is a tenth.

    Returns
    -------
    MatchedComparisons
        Pairs in the order of their first, then their second judge; no pair and a median of
        None without judges or matches.

    Raises
    ------
    StatisticsError
        `duplicate_id` for a judge given twice on a factor; `invalid_threshold` for one that
        is no number, negative or not finite; `too_large` for more than 500,000 pairs on
        the same factor (1,000 judges of one); `invalid_count` and `empty_cell` on making a
        `Judge`.

    References
    ----------
    The protocol's accuracy-matched comparison, |Δ static| ≤ 1 pp (docs/statistics.md).

    Examples
    --------
    >>> qwen = Judge(name="Qwen", factor="presence", static_correct=179, static_n=200,
    ...              n_adapted=199, n_base_correct=199)
    >>> llava = Judge(name="LLaVA", factor="presence", static_correct=177, static_n=200,
    ...               n_adapted=196, n_base_correct=200)
    >>> matched_comparisons([qwen, llava], 1).median_gap
    0.02
    """
    limit = _threshold(max_static_delta_pp)
    check_unique("judges", ((judge.name, judge.factor) for judge in judges))
    by_factor: dict[Hashable, list[int]] = {}
    for place, judge in enumerate(judges):
        by_factor.setdefault(judge.factor, []).append(place)
    n_candidates = sum(math.comb(len(members), 2) for members in by_factor.values())
    check_size("pairs of judges on the same factor", n_candidates, _MOST_PAIRS)
    found = sorted(
        places
        for members in by_factor.values()
        for places in combinations(members, 2)
        if _is_match(judges[places[0]], judges[places[1]], limit)
    )
    gaps = [_gap(judges[i], judges[j]) for i, j in found]
    return MatchedComparisons(
        pairs=tuple(
            _pair(judges[i], judges[j], gap) for (i, j), gap in zip(found, gaps, strict=True)
        ),
        n_candidates=n_candidates,
        max_static_delta_pp=float(limit),
        median_gap=_median([gap for gap in gaps if gap is not None]),
    )


def _is_match(x: Judge, y: Judge, limit: Fraction) -> bool:
    x_n, y_n = x.static_n, y.static_n
    apart = abs(x.static_correct * y_n - y.static_correct * x_n)
    return 100 * apart * limit.denominator <= limit.numerator * x_n * y_n


def _gap(x: Judge, y: Judge) -> Fraction | None:
    x_n, y_n = x.n_base_correct, y.n_base_correct
    if not x_n or not y_n:
        return None
    return Fraction(abs(x.n_adapted * y_n - y.n_adapted * x_n), x_n * y_n)


def _pair(x: Judge, y: Judge, gap: Fraction | None) -> MatchedPair:
    x_n, y_n = x.static_n, y.static_n
    return MatchedPair(
        factor=x.factor,
        first=x.name,
        second=y.name,
        static_delta_pp=100 * (x.static_correct * y_n - y.static_correct * x_n) / (x_n * y_n),
        gap=None if gap is None else float(gap),
    )


def _median(gaps: list[Fraction]) -> float | None:
    """The median; ranked by their floats, which keeps any order that a float can tell."""
    ranked = sorted(gaps, key=float)
    half = len(ranked) // 2
    return float((ranked[half] + ranked[~half]) / 2) if ranked else None


def _threshold(value: Any) -> Fraction:
    """The threshold as the decimal that it was written as."""
    exact = None
    if isinstance(value, bool):
        pass
    elif isinstance(value, Fraction | int) or (isinstance(value, Decimal) and value.is_finite()):
        exact = Fraction(value)
    elif isinstance(value, Real) and math.isfinite(value):
        exact = Fraction(repr(float(value)))
    if exact is None or not 0 <= exact <= _MOST_PP:
        raise StatisticsError(
            "invalid_threshold",
            f"max_static_delta_pp: expected a number from 0 to 1e9, found {shown(value)}",
        )
    return exact


__all__ = ["Judge", "MatchedComparisons", "MatchedPair", "matched_comparisons"]
