"""Queries with several relevant items: all their ranks, and the share found within the first k."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.stats.checks import StatisticsError, check_choice, check_same_length
from harness.stats.retrieval import check_cutoffs, check_ranks, check_relevant, check_scores

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_TIES = ("pessimistic", "optimistic")


@dataclass(frozen=True, kw_only=True, slots=True)
class MultiPositive:
    """Recall at k over queries with several relevant items; None without queries.

    `recalls` maps k to the mean over queries of the share of their relevant items within the
    first k, `any_hit` to the share of queries with at least one there.
    """

    n: int
    recalls: Mapping[int, float | None]
    any_hit: Mapping[int, float | None]


def relevant_ranks(scores: ArrayLike, relevant: Sequence[int], ties: str) -> NDArray[np.int64]:
    """Rank all relevant items of one query.

    Parameters
    ----------
    scores : shape (candidates,), finite numbers; more is better.
    relevant : places of the relevant candidates, from 0, at least one.
    ties : "pessimistic" puts the irrelevant items first among tied ones, "optimistic" last.

    Returns
    -------
    array of int64, shape (relevant items,)
        Different ranks from 1, ascending: the first is that of `rank_of_relevant`.

    Raises
    ------
    StatisticsError
        `unknown_variant` for other ties; `nan_value`, `missing_relevant`, `invalid_index` and
        `duplicate_id` as `rank_of_relevant`.

    References
    ----------
    F. McSherry and M. Najork, ECIR (2008), as `rank_of_relevant`.

    Examples
    --------
    >>> relevant_ranks([0.9, 0.5, 0.5, 0.1], [0, 2], "pessimistic").tolist()
    [1, 3]
    """
    _check_ties(ties)
    row = check_scores("scores", scores)
    places = check_relevant("relevant", relevant, len(row))
    own = np.sort(row[places])[::-1]
    return np.array([_before(row, own, score, ties) + i for i, score in enumerate(own, start=1)])


def first_ranks(
    rows: Iterable[ArrayLike], relevant: Sequence[Sequence[int]], ties: str
) -> NDArray[np.int64]:
    """Rank the best relevant item of each query, row by row of a score matrix.

    Parameters
    ----------
    rows : queries × candidates, as a matrix or one row after another, so that the whole need
        not be in memory; finite numbers, more is better.
    relevant : for each query the places of its relevant candidates, from 0.
    ties : "pessimistic" or "optimistic", as `relevant_ranks`.

    Returns
    -------
    array of int64, shape (queries,)
        Ranks from 1, for `retrieval_metrics`; empty without queries.

    Raises
    ------
    StatisticsError
        `length_mismatch` for other numbers of rows than of relevant sets, and the reasons of
        `relevant_ranks`.

    References
    ----------
    F. McSherry and M. Najork, ECIR (2008), as `rank_of_relevant`.

    Examples
    --------
    >>> first_ranks([[0.9, 0.1], [0.3, 0.3]], [[0], [0]], "pessimistic").tolist()
    [1, 2]
    """
    _check_ties(ties)
    found: list[int] = []
    for place, scores in enumerate(rows):
        if place >= len(relevant):
            raise StatisticsError(
                "length_mismatch", f"expected {len(relevant)} rows of scores, found more"
            )
        row = check_scores(f"row {place}", scores)
        places = check_relevant(f"relevant of row {place}", relevant[place], len(row))
        own = row[places]
        found.append(1 + _before(row, own, own.max(), ties))
    check_same_length(rows=found, relevant=relevant)
    return np.array(found, dtype=np.int64)


def multi_positive_recall(ranks: Sequence[Sequence[int]], ks: Sequence[int]) -> MultiPositive:
    """Average over queries how much of what is relevant stands within the first k.

    Parameters
    ----------
    ranks : for each query the ranks of all its relevant items, as `relevant_ranks` gives them:
        different integers from 1, at least one a query.
    ks : cut-offs, different integers from 1.

    Returns
    -------
    MultiPositive
        Shares in [0, 1]. With k below the number of relevant items the share cannot reach 1,
        while `any_hit` can. All None without queries.

    Raises
    ------
    StatisticsError
        `invalid_rank` for ranks that are no integers from 1; `duplicate_rank` for two items of
        a query at one rank; `missing_relevant` for a query without ranks; `invalid_k`.

    References
    ----------
    C. D. Manning, P. Raghavan and H. Schütze, Introduction to Information Retrieval (2008),
    section 8.4.

    Examples
    --------
    >>> found = multi_positive_recall([[1, 4], [3, 9]], [1, 5])
    >>> found.recalls, found.any_hit
    ({1: 0.25, 5: 0.75}, {1: 0.5, 5: 1.0})
    """
    cutoffs = check_cutoffs(ks)
    found: dict[int, Counter[int]] = {k: Counter() for k in cutoffs}
    hits = dict.fromkeys(cutoffs, 0)
    for place, given in enumerate(ranks):
        own = [int(rank) for rank in check_ranks(f"ranks[{place}]", given)]
        if not own:
            raise StatisticsError("missing_relevant", f"query {place}: expected ranks, found none")
        if len(set(own)) < len(own):
            raise StatisticsError(
                "duplicate_rank", f"query {place}: expected different ranks, found {own}"
            )
        for k in cutoffs:
            n_within = sum(rank <= k for rank in own)
            found[k][len(own)] += n_within
            hits[k] += n_within > 0
    shares = {
        k: sum((Fraction(total, size) for size, total in by_size.items()), Fraction(0))
        for k, by_size in found.items()
    }
    n = len(ranks)
    return MultiPositive(
        n=n,
        recalls={k: float(share / n) if n else None for k, share in shares.items()},
        any_hit={k: hit / n if n else None for k, hit in hits.items()},
    )


def _before(row: NDArray[Any], own: NDArray[Any], score: Any, ties: str) -> int:
    """How many irrelevant items stand before a relevant one of this score."""
    if ties == "optimistic":
        return int(np.count_nonzero(row > score) - np.count_nonzero(own > score))
    return int(np.count_nonzero(row >= score) - np.count_nonzero(own >= score))


def _check_ties(ties: str) -> None:
    check_choice("ties", ties, _TIES)


__all__ = ["MultiPositive", "first_ranks", "multi_positive_recall", "relevant_ranks"]
