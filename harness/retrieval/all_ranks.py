"""Ranks of all relevant items of each query, for recall over several positives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from harness.retrieval.pairs import Relevance
from harness.retrieval.ranks import FLOAT32, checked_sides
from harness.retrieval.side import lengths, rescored
from harness.stats.multi_positive import relevant_ranks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_ROWS = 64


def all_ranks(
    queries: ArrayLike, candidates: ArrayLike, relevant: Relevance, ties: str
) -> Iterator[NDArray[np.int64]]:
    """Rank every relevant candidate of each query by the dot product of vectors.

    Parameters
    ----------
    queries, candidates : float32 vectors, shapes (n, d) and (m, d), as for `exact_ranks`.
    relevant : of `relevance`.
    ties : "pessimistic" or "optimistic", as `relevant_ranks`.

    Returns
    -------
    iterator of arrays of int64
        For each query different ranks from 1, ascending, for `multi_positive_recall`; as exact
        as those of `exact_ranks`, the first of which they start with.

    Raises
    ------
    DataError
        As `exact_ranks`.
    StatisticsError
        `unknown_variant` for other ties.

    References
    ----------
    S. Chun et al., "ECCV Caption" (2022), for captions and images with several positives.

    Examples
    --------
    >>> from harness.retrieval.pairs import relevance
    >>> relevant = relevance(["q"], ["a", "b", "c"], {"q": ["b", "c"]})
    >>> eye = np.eye(3, dtype=np.float32)
    >>> one = np.array([[0.6, 0.0, 0.8]], np.float32)
    >>> [ranks.tolist() for ranks in all_ranks(one, eye, relevant, "optimistic")]
    [[1, 3]]
    """
    counts = (len(relevant.queries), len(relevant.candidates))
    left, right = checked_sides(("queries", "candidates"), (queries, candidates), counts)
    slack = lengths(left) * float(lengths(right).max()) * (left.shape[1] + 8) * FLOAT32 * 1.001
    for start in range(0, len(left), _ROWS):
        scores = (left[start : start + _ROWS] @ right.T).astype(np.float64)
        for query, row in enumerate(scores, start=start):
            places = relevant.of(query)
            own = np.sort(rescored(left, right, np.full(len(places), query), places))
            at = np.searchsorted(own, row)
            away = np.minimum(
                np.abs(row - own[np.maximum(at - 1, 0)]),
                np.abs(row - own[np.minimum(at, len(own) - 1)]),
            )
            near = np.flatnonzero(away <= slack[query])
            row[near] = rescored(left, right, np.full(len(near), query), near)
            yield relevant_ranks(row, places.tolist(), ties)


__all__ = ["all_ranks"]
