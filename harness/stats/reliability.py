"""Reliability of ratings with gaps: Krippendorff's alpha."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.stats.checks import (
    StatisticsError,
    check_choice,
    check_finite,
    check_same_length,
    check_size,
)
from harness.stats.exact import whole_numbers
from harness.stats.raters import Rating, check_labels

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LEVELS = ("nominal", "ordinal", "interval", "ratio")
_MOST_PAIRS = 5 * 10**7


@dataclass(frozen=True, kw_only=True, slots=True)
class Alpha:
    """Krippendorff's alpha at a level of measurement.

    `alpha` is None where the pairable ratings hold fewer than two values. `observed_agreement`
    is the share of equal ratings among the pairable ones, at any level. `n_units` counts the
    units with at least two ratings, `n_ratings` the ratings of those units.
    """

    alpha: float | None
    observed_agreement: float | None
    level: str
    n_units: int
    n_ratings: int


def krippendorff_alpha(data: Sequence[Sequence[Rating | None]], level: str) -> Alpha:
    """Measure the reliability of ratings by any number of raters, with ratings missing or not.

    A unit with fewer than two ratings cannot be compared and does not count at all.

    Parameters
    ----------
    data : raters × units, None for a rating that was not given.
    level : what the ratings measure: "nominal" (labels of one kind), "ordinal" or "interval"
        (finite numbers), "ratio" (finite numbers of at least 0).

    Returns
    -------
    Alpha
        `alpha` is at most 1; 0 is chance and less is worse than chance. None when the
        pairable ratings hold one value only (0 / 0), or when there are none.

    Raises
    ------
    StatisticsError
        `unknown_variant` for another level; `length_mismatch` for raters with different
        numbers of units; `nan_value` for NaN or infinities; `mixed_labels` for labels of
        several kinds; `invalid_rating` for ratings that the level cannot measure; `too_large`
        for integers beyond the floats and, at the ratio level, for more than 5e7 pairs of
        different values (7,000 values) or of ratings within the units.

    References
    ----------
    K. Krippendorff, "Computing Krippendorff's alpha-reliability" (2011). Computed from
    sums over values and units, in integers but for the ratio level; the `krippendorff` package
    fills a table of units × values, refuses one value only, and gives NaN when a second value
    stands alone in its unit.

    Examples
    --------
    >>> krippendorff_alpha([[1, 2, 3, None], [1, 2, 3, 3]], "nominal").alpha
    1.0
    """
    check_choice("level", level, _LEVELS)
    raters = [list(ratings) for ratings in data]
    check_same_length(**{f"rater {i}": ratings for i, ratings in enumerate(raters)})
    _check_ratings([rating for row in raters for rating in row if rating is not None], level)
    units = [[r for r in unit if r is not None] for unit in zip(*raters, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    ratings = list(chain.from_iterable(units))
    equal = _within(units, lambda unit: sum(c * c for c in Counter(unit).values()) - len(unit))
    return Alpha(
        alpha=_alpha(units, ratings, level, equal),
        observed_agreement=float(equal / len(ratings)) if ratings else None,
        level=level,
        n_units=len(units),
        n_ratings=len(ratings),
    )


def _alpha(units: list[list[Any]], ratings: list[Any], level: str, equal: Fraction) -> float | None:
    """1 - (n - 1) within / between, from squared distances of all ordered pairs of ratings."""
    counts, n = Counter(ratings), len(ratings)
    if len(counts) < 2:
        return None
    within: Fraction | float
    if level == "nominal":
        within, between = n - equal, n * n - sum(count * count for count in counts.values())
    elif level == "ratio":
        return 1.0 - (n - 1) * _ratio_within(units) / _ratio_between(counts)
    else:
        places = _twice_mid_ranks(counts) if level == "ordinal" else _on_one_scale(counts)
        rated = [[places[rating] for rating in unit] for unit in units]
        within, between = _within(rated, _squares), _squares([places[r] for r in ratings])
    return float(1 - (n - 1) * within / between)


def _within(units: list[list[Any]], of_pairs: Callable[[list[Any]], int]) -> Fraction:
    """The sum over units of what their pairs amount to, by the number of ratings less one."""
    by_size: Counter[int] = Counter()
    for unit in units:
        by_size[len(unit) - 1] += of_pairs(unit)
    return sum((Fraction(total, size) for size, total in by_size.items()), Fraction(0))


def _squares(places: list[int]) -> int:
    """The squared differences of all ordered pairs."""
    total = sum(places)
    return 2 * (len(places) * sum(place * place for place in places) - total * total)


def _on_one_scale(counts: Counter[Any]) -> dict[Any, int]:
    return dict(zip(counts, whole_numbers(counts)[0], strict=True))


def _twice_mid_ranks(counts: Counter[Any]) -> dict[Any, int]:
    """The ordinal distance is the distance of mid-ranks."""
    ordered = sorted(counts)
    below = accumulate((counts[value] for value in ordered), initial=0)
    return {value: 2 * b + counts[value] for value, b in zip(ordered, below, strict=False)}


def _ratio_within(units: list[list[Any]]) -> float:
    check_size("ordered pairs of ratings", sum(len(unit) ** 2 for unit in units), _MOST_PAIRS)
    by_size: dict[int, list[list[Any]]] = {}
    for unit in units:
        by_size.setdefault(len(unit), []).append(unit)
    total = 0.0
    for size, group in by_size.items():
        table = np.array(group, dtype=np.float64)
        for i in range(size - 1):
            distances = _ratio_distance(table[:, i : i + 1], table[:, i + 1 :])
            total += 2.0 * float(distances.sum()) / (size - 1)
    return total


def _ratio_between(counts: Counter[Any]) -> float:
    check_size("ordered pairs of values", len(counts) ** 2, _MOST_PAIRS)
    values, often = np.array(list(counts), dtype=np.float64), np.array(list(counts.values()))
    return math.fsum(
        float(count * (often @ _ratio_distance(value, values)))
        for value, count in zip(values, often, strict=True)
    )


def _ratio_distance(x: Any, y: NDArray[np.float64]) -> NDArray[np.float64]:
    # Halves, because the sum of two floats may lie beyond the floats.
    sums = x / 2.0 + y / 2.0
    shares = np.divide(x / 2.0 - y / 2.0, sums, where=sums != 0.0, out=np.zeros(sums.shape))
    return np.asarray(np.square(shares), dtype=np.float64)


def _check_ratings(ratings: list[Any], level: str) -> None:
    if level == "nominal":
        check_labels("data", ratings)
        return
    for kind, rating in {type(rating): rating for rating in ratings}.items():
        if issubclass(kind, bool | np.bool_) or not issubclass(kind, Real):
            raise StatisticsError(
                "invalid_rating", f"expected numbers at the {level} level, found {rating!r}"
            )
    check_finite("data", ratings)
    if level == "ratio" and min(ratings, default=0) < 0:
        raise StatisticsError(
            "invalid_rating",
            f"expected ratings of at least 0 at the ratio level, found {min(ratings)!r}",
        )


__all__ = ["Alpha", "krippendorff_alpha"]
