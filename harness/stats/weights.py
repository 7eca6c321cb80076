"""Bootstrap resamples as counts: how often each example was drawn."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.checks import check_count, check_draws, check_same_length, check_size
from harness.stats.columns import cluster_codes

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_DRAWN = 10**9
_MOST_EXAMPLES = 10**7
_BLOCK = 2**17
_MIN_ROWS = 8
# OpenBLAS multiplies products of at most 2**18 steps in one thread. Its other threads would spin
# between the many small ones, and their number would change the last bits of the sums.
_TILE = 2**18
_TILE_ROWS = 32


def bootstrap_weights(
    n: int, n_resamples: int, seed: int, clusters: Sequence[Hashable] | None = None
) -> NDArray[np.uint8]:
    """Draw resamples of n examples with replacement, as a matrix of counts.

    A statistic of a resample is the statistic under its counts, so that one matrix serves
    every comparison on the same examples, which are then drawn together.

    Parameters
    ----------
    n : number of examples, n ≥ 0.
    n_resamples : number of resamples, at least 1.
    seed : integer of at least 0. The same seed gives the same rows, however many are asked for.
    clusters : the cluster of each example, shape (n,), or None. Clusters are drawn whole, as
        many as there are, and each member counts as often as its cluster was drawn.

    Returns
    -------
    array of uint8, shape (n_resamples, n)
        Without clusters every row sums to n. A count above 255, which has a probability below
        1e-500 for each entry, would not fit.

    Raises
    ------
    StatisticsError
        `invalid_count` for n, n_resamples or seed; `length_mismatch` and `missing_cluster` for
        the clusters; `too_large` for more than 1e7 examples or 1e9 draws in all.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), section 6.2.

    Examples
    --------
    >>> weights = bootstrap_weights(4, 1000, seed=7)
    >>> weights.shape, set(weights.sum(axis=1).tolist())
    ((1000, 4), {4})
    >>> drawn_whole = bootstrap_weights(3, 50, seed=7, clusters=["a", "b", "a"])
    >>> bool((drawn_whole[:, 0] == drawn_whole[:, 2]).all())
    True
    """
    n, (n_resamples, seed) = check_count("n", n), check_draws(n_resamples, seed)
    blocks = weight_blocks(n, n_resamples, seed, clusters)
    weights = np.empty((n_resamples, n), dtype=np.uint8)
    done = 0
    for block in blocks:
        weights[done : done + len(block)] = block
        done += len(block)
    return weights


def weight_blocks(
    n: int, n_resamples: int, seed: int, clusters: Sequence[Hashable] | None = None
) -> Iterator[NDArray[np.int64]]:
    """Yield the rows of `bootstrap_weights` a few at a time, so that memory stays bounded.

    Parameters
    ----------
    n, n_resamples, seed, clusters : as in `bootstrap_weights`.

    Returns
    -------
    iterator over arrays of int64, shape (rows, n)
        About a megabyte each, or 8 rows where n is large.

    Raises
    ------
    StatisticsError
        As `bootstrap_weights`.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), section 6.2.

    Examples
    --------
    >>> sum(len(block) for block in weight_blocks(942, 1000, seed=7))
    1000
    """
    n, (n_resamples, seed) = check_count("n", n), check_draws(n_resamples, seed)
    check_size("n", n, _MOST_EXAMPLES)
    check_size("n * n_resamples", n * n_resamples, _MOST_DRAWN)
    if clusters is None:
        return _blocks(n, n_resamples, seed)
    check_same_length(examples=range(n), clusters=clusters)
    codes, n_clusters = cluster_codes(clusters)
    return (block[:, codes] for block in _blocks(n_clusters, n_resamples, seed))


def drawn_sums(weights: NDArray[np.int64], columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum columns over the drawn examples: the matrix product, in tiles for one thread.

    Parameters
    ----------
    weights : counts, shape (B, n).
    columns : values, shape (n, k), finite.

    Returns
    -------
    array of float64, shape (B, k)
        The same to the last bit for any number of threads.

    Raises
    ------
    ValueError
        For shapes that do not fit.

    References
    ----------
    OpenBLAS, interface/gemm.c: the size below which a product is not given to threads.

    Examples
    --------
    >>> drawn_sums(np.array([[2, 0], [1, 1]]), np.array([[0.5], [3.0]])).tolist()
    [[1.0], [3.5]]
    """
    n_rows, n = weights.shape
    k = columns.shape[1]
    counts = weights.astype(np.float64)
    sums = np.zeros((n_rows, k))
    width = max(min(k, _TILE // (16 * _TILE_ROWS)), 1)
    depth = max(min(n, _TILE // (_TILE_ROWS * width)), 1)
    height = _TILE // (depth * width)
    for left in range(0, k, width):
        for start in range(0, n, depth):
            part = np.ascontiguousarray(columns[start : start + depth, left : left + width])
            for top in range(0, n_rows, height):
                tile = counts[top : top + height, start : start + depth]
                sums[top : top + height, left : left + width] += tile @ part
    return sums


def _blocks(n: int, n_resamples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    if n == 0:
        yield np.zeros((n_resamples, 0), dtype=np.int64)
        return
    rng = np.random.Generator(np.random.PCG64(seed))
    # The rows depend on these two, which depend on n alone: more resamples begin with the same.
    size = np.uint16 if n <= 2**16 else np.int64
    rows = max(_MIN_ROWS, _BLOCK // n)
    starts = n * np.arange(rows, dtype=np.int64)[:, None]
    drawn = np.empty((rows, n), dtype=np.int64)
    for done in range(0, n_resamples, rows):
        here = min(rows, n_resamples - done)
        np.add(rng.integers(0, n, (here, n), dtype=size), starts[:here], out=drawn[:here])
        yield np.bincount(drawn[:here].ravel(), minlength=here * n).reshape(here, n)


__all__ = ["bootstrap_weights", "drawn_sums", "weight_blocks"]
