"""Columns of scores and of cluster ids, as the statistics take them."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.checks import StatisticsError, check_finite, is_missing

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_LARGEST = 1e90
# What a difference of two scores may be off by, as a share of the larger: 0.3 - 0.1 is not 0.2.
ROUNDING = 64 * 2.0**-52


def cluster_codes(clusters: Sequence[Hashable]) -> tuple[NDArray[np.intp], int]:
    """Number the clusters in order of appearance; a missing id is an error (`missing_cluster`).

    Parameters
    ----------
    clusters : the cluster of each example, shape (n,).

    Returns
    -------
    codes, n_clusters
        Codes 0 … n_clusters - 1, shape (n,).

    Raises
    ------
    StatisticsError
        `missing_cluster` for None, NaN or an empty text, which name no cluster.

    References
    ----------
    A. C. Cameron and D. L. Miller, "A practitioner's guide to cluster-robust inference",
    Journal of Human Resources 50 (2015): an estimate depends on which scores share a cluster,
    so that none may be guessed.

    Examples
    --------
    >>> codes, n_clusters = cluster_codes(["b", "a", "b"])
    >>> codes.tolist(), n_clusters
    ([0, 1, 0], 2)
    """
    known: dict[Hashable, int] = {}
    codes = np.empty(len(clusters), dtype=np.intp)
    for place, name in enumerate(clusters):
        if is_missing(name):
            raise StatisticsError(
                "missing_cluster", f"clusters[{place}]: expected a cluster id, found {name!r}"
            )
        codes[place] = known.setdefault(name, len(known))
    return codes, len(known)


def as_scores(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Turn scores into a one-dimensional array, refusing None, NaN and infinities.

    Parameters
    ----------
    name : what the message calls them.
    values : finite numbers, shape (n,).

    Returns
    -------
    array of float64, shape (n,)

    Raises
    ------
    StatisticsError
        `nan_value`, `invalid_shape`; `too_large` beyond 1e90, where the cubes of sums overflow.

    References
    ----------
    IEEE 754-2019, section 6.2: a NaN is passed on through every sum, so that it is refused here.

    Examples
    --------
    >>> as_scores("scores", [1, 0.5]).tolist()
    [1.0, 0.5]
    """
    given = values if isinstance(values, np.ndarray) else np.array(values, dtype=object)
    if given.ndim != 1:
        raise StatisticsError(
            "invalid_shape", f"{name}: expected a sequence of numbers, found shape {given.shape}"
        )
    if given.dtype.kind in "biuf":
        numbers = given.astype(np.float64)
        if not np.isfinite(numbers).all():
            check_finite(name, numbers.tolist())
    else:
        check_finite(name, given.tolist())
        numbers = given.astype(np.float64)
    if np.abs(numbers).max(initial=0.0) > _LARGEST:
        raise StatisticsError(
            "too_large", f"{name}: expected numbers up to {_LARGEST:g}, found one beyond"
        )
    return numbers


def mean_of(values: NDArray[np.float64]) -> float | None:
    """Compute the mean from a sum that is rounded once.

    Parameters
    ----------
    values : finite numbers, shape (n,).

    Returns
    -------
    float or None
        None with n = 0.

    Raises
    ------
    StatisticsError
        `too_large` when the sum lies beyond the floats.

    References
    ----------
    J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
    predicates", Discrete & Computational Geometry 18 (1997), 305-363, as in `math.fsum`.

    Examples
    --------
    >>> mean_of(np.array([0.1] * 10))
    0.1
    """
    try:
        return math.fsum(values) / len(values) if len(values) else None
    except OverflowError as error:
        raise StatisticsError("too_large", "expected a sum that is a float") from error


__all__ = ["ROUNDING", "as_scores", "cluster_codes", "mean_of"]
