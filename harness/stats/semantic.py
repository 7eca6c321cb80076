"""The semantic aggregate: what the meaning of an insertion changes, row by row."""

from __future__ import annotations

from collections.abc import Sequence

from harness.stats.checks import StatisticsError, check_finite, check_same_length
from harness.stats.exact import whole_numbers


def semantic_differences(
    semantic: Sequence[Sequence[float]], reference: Sequence[Sequence[float]]
) -> list[float]:
    """Give, row by row, the mean over the semantic cells minus the mean over the reference cells.

    Parameters
    ----------
    semantic : rows × cells, such as 3 seeds × 2 sides; finite numbers.
    reference : the same rows × cells: one clean cell, or two blank ones.

    Returns
    -------
    list of float
        One difference a row, empty without rows. The rows are the unit to resample.

    Raises
    ------
    StatisticsError
        `length_mismatch` for different numbers of rows, or of cells within a side;
        `empty_cell` for a side without cells; `nan_value` for a value that is missing;
        `too_large` for integers or differences beyond the floats.

    References
    ----------
    The protocol's semantic aggregate (docs/statistics.md).

    Examples
    --------
    >>> semantic_differences([[1, 0, 0, 1, 0, 1]], [[1, 1]])
    [-0.5]
    """
    check_same_length(semantic=semantic, reference=reference)
    for name, side in (("semantic", semantic), ("reference", reference)):
        lengths = {len(row): place for place, row in enumerate(side)}
        for place in lengths.values():
            check_same_length(**{f"{name} row 0": side[0], f"{name} row {place}": side[place]})
        if len(side) and not len(side[0]):
            raise StatisticsError("empty_cell", f"{name}: expected cells in each row, found none")
        for place, row in enumerate(side):
            check_finite(f"{name} row {place}", row)
    return [_difference(left, right) for left, right in zip(semantic, reference, strict=True)]


def _difference(left: Sequence[float], right: Sequence[float]) -> float:
    integers, shift = whole_numbers((*left, *right))
    n_left, n_right = len(left), len(right)
    apart = sum(integers[:n_left]) * n_right - sum(integers[n_left:]) * n_left
    try:
        return apart / (n_left * n_right << shift)
    except OverflowError as error:
        raise StatisticsError("too_large", "expected differences that are floats") from error


__all__ = ["semantic_differences"]
