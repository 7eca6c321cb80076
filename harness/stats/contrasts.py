"""Contrasts of conditions: paired, difference in differences, 2 × 2 factorial, layout share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from numbers import Integral
from operator import mul
from typing import Any

from harness.stats.checks import StatisticsError, check_finite, check_part, check_same_length
from harness.stats.exact import mean_and_spread, whole_numbers

_CELLS = ("00", "01", "10", "11")


@dataclass(frozen=True, kw_only=True, slots=True)
class Contrast:
    """A mean of `n` differences with its standard error (n - 1 in the variance).

    `estimate` is None without data, `stderr` with fewer than two differences.
    """

    n: int
    estimate: float | None
    stderr: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class LayoutDecomposition:
    """An apparent effect as semantic plus layout part; None where the denominator is 0.

    `layout_share` is None without effect and beyond [0, 1] where the parts differ in sign.
    """

    apparent: float | None
    semantic: float | None
    layout: float | None
    layout_share: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Factorial:
    """Main effects and interaction of two factors, as differences of proportions.

    The standard errors are None where a cell holds one row, whose variance is not known.
    """

    n: int
    main_a: float
    main_b: float
    interaction: float
    stderr_main: float | None
    stderr_interaction: float | None


def paired_contrast(treated: Sequence[float], control: Sequence[float]) -> Contrast:
    """Estimate the mean of treated minus control over the same items.

    Parameters
    ----------
    treated, control : scores (0 or 1, or any finite numbers), item by item.

    Returns
    -------
    Contrast
        In the unit of the scores; one item has no standard error, none no estimate.

    Raises
    ------
    StatisticsError
        `length_mismatch`; `nan_value` for None, NaN or infinities; `too_large` for integers or
        results beyond the floats.

    References
    ----------
    W. G. Cochran, Sampling Techniques (3rd ed., 1977), chapter 2.

    Examples
    --------
    >>> paired_contrast([1, 1, 0, 1], [0, 1, 0, 0])
    Contrast(n=4, estimate=0.5, stderr=0.28867513459481287)
    """
    return _combined((1, -1), treated=treated, control=control)


def difference_in_differences(
    group_a_after: Sequence[float],
    group_a_before: Sequence[float],
    group_b_after: Sequence[float],
    group_b_before: Sequence[float],
) -> Contrast:
    """Estimate how much more one group changed than the other, on the same items.

    The double difference (a after - a before) - (b after - b before) is taken item by item,
    so a baseline that both groups share cancels, in the standard error too.

    Parameters
    ----------
    group_a_after, group_a_before, group_b_after, group_b_before : finite scores, item by item.

    Returns
    -------
    Contrast
        In the unit of the scores; one item has no standard error, none no estimate.

    Raises
    ------
    StatisticsError
        `length_mismatch`; `nan_value` for None, NaN or infinities; `too_large` for integers or
        results beyond the floats.

    References
    ----------
    J. D. Angrist and J.-S. Pischke, Mostly Harmless Econometrics (2009), section 5.2.

    Examples
    --------
    >>> difference_in_differences([1, 1], [0, 1], [0, 1], [0, 1]).estimate
    0.5
    """
    return _combined(
        (1, -1, -1, 1),
        group_a_after=group_a_after,
        group_a_before=group_a_before,
        group_b_after=group_b_after,
        group_b_before=group_b_before,
    )


def layout_decomposition(
    distractor_minus_clean_count: int, distractor_minus_blank_count: int, denominator: int
) -> LayoutDecomposition:
    """Split the effect of a distractor into what it says and the room it takes.

    The apparent effect is against the clean image; the semantic part of it is the one that is
    left against a blank panel of the same layout.

    Parameters
    ----------
    distractor_minus_clean_count, distractor_minus_blank_count : differences of the numbers of
        right answers, each from -denominator to denominator.
    denominator : rows of a condition.

    Returns
    -------
    LayoutDecomposition
        Fractions of the denominator; None without rows, the share None without effect.

    Raises
    ------
    StatisticsError
        `invalid_count` for a denominator that is no count or differences beyond it.

    References
    ----------
    The protocol's matched blank panels (docs/statistics.md).

    Examples
    --------
    >>> layout_decomposition(-123, -54, 1800).semantic
    -0.03
    """
    apparent, semantic = distractor_minus_clean_count, distractor_minus_blank_count
    for name, count in (("clean", apparent), ("blank", semantic)):
        check_part(f"|distractor_minus_{name}_count|", _size(count), "denominator", denominator)
    apparent, semantic = int(apparent), int(semantic)
    n = int(denominator)
    return LayoutDecomposition(
        apparent=apparent / n if n else None,
        semantic=semantic / n if n else None,
        layout=(apparent - semantic) / n if n else None,
        layout_share=(apparent - semantic) / apparent if apparent else None,
    )


def factorial_2x2(cells: Mapping[str, tuple[int, int]]) -> Factorial:
    """Estimate main effects and interaction of two factors from four independent cells.

    A main effect is the mean of two simple effects, the interaction their difference, not halved.

    Parameters
    ----------
    cells : "00", "01", "10" and "11" (level of A, then of B), each (number right, rows).

    Returns
    -------
    Factorial
        Main effects in [-1, 1], interaction in [-2, 2]; standard errors from p(1 - p)/(n - 1)
        of each cell, None where a cell holds one row.

    Raises
    ------
    StatisticsError
        `empty_cell` for a cell that is missing or without rows; `unknown_cell` for another
        name; `invalid_count` for counts that are no integers, negative or k > n.

    References
    ----------
    G. E. P. Box, J. S. Hunter, W. G. Hunter, Statistics for Experimenters (2005), chapter 5.

    Examples
    --------
    >>> found = factorial_2x2({"00": (2, 10), "01": (4, 10), "10": (5, 10), "11": (9, 10)})
    >>> found.main_a, found.main_b, found.interaction
    (0.4, 0.3, 0.2)
    """
    for name in cells:
        if name not in _CELLS:
            raise StatisticsError(
                "unknown_cell", f"expected the cells {', '.join(_CELLS)}, found {name!r}"
            )
    shares, variances, total = [], [], 0
    for name in _CELLS:
        k, n = cells.get(name, (0, 0))
        k, n = check_part(f"correct of {name}", k, f"n of {name}", n)
        total += n
        if n == 0:
            raise StatisticsError("empty_cell", f"cell {name}: expected rows, found none")
        shares.append(Fraction(k, n))
        if n > 1:
            variances.append(shares[-1] * (1 - shares[-1]) / (n - 1))
    p00, p01, p10, p11 = shares
    stderr = math.sqrt(sum(variances)) if len(variances) == len(_CELLS) else None
    return Factorial(
        n=total,
        main_a=float((p10 - p00 + p11 - p01) / 2),
        main_b=float((p01 - p00 + p11 - p10) / 2),
        interaction=float(p11 - p10 - p01 + p00),
        stderr_main=None if stderr is None else stderr / 2,
        stderr_interaction=stderr,
    )


def _combined(signs: Sequence[int], **sequences: Sequence[float]) -> Contrast:
    """The mean over rows of the columns' values, each with its sign."""
    check_same_length(**sequences)
    for name, values in sequences.items():
        check_finite(name, values)
    integers, shift = whole_numbers(chain.from_iterable(sequences.values()))
    n = len(integers) // len(signs)
    columns = [integers[n * i : n * (i + 1)] for i in range(len(signs))]
    differences = [sum(map(mul, signs, row)) for row in zip(*columns, strict=True)]
    estimate, spread = mean_and_spread(differences, shift)
    return Contrast(
        n=n, estimate=estimate, stderr=None if spread is None else spread / math.sqrt(n)
    )


def _size(count: Any) -> Any:
    """The size of an integer; anything else is left for the check to refuse."""
    return -int(count) if isinstance(count, Integral) and count < 0 else count


__all__ = [
    "Contrast",
    "Factorial",
    "LayoutDecomposition",
    "difference_in_differences",
    "factorial_2x2",
    "layout_decomposition",
    "paired_contrast",
]
