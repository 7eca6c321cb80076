"""Retrieval: the rank of the relevant item under ties, recall at k, median and mean recall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from statistics import mean
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.stats.checks import (
    MOST_COUNT,
    StatisticsError,
    check_finite,
    check_part,
    check_same_length,
    check_unique,
    shown,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, kw_only=True, slots=True)
class Direction:
    """One direction of retrieval: `recalls` maps k to the share of queries with rank ≤ k."""

    n: int
    recalls: Mapping[int, float]
    median_rank: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Retrieval:
    """Both directions; `mean_recall` is the mean of all unrounded recalls, in [0, 1]."""

    i2t: Direction
    t2i: Direction
    mean_recall: float


@dataclass(frozen=True, kw_only=True, slots=True)
class RelevantRank:
    """Rank of the first relevant item, from 1: with ties against it, for it, and on average.

    `expected` is the mean over all orders of the tied items.
    """

    pessimistic: int
    optimistic: int
    expected: float


def retrieval_metrics(
    i2t_ranks: Sequence[int] | None, t2i_ranks: Sequence[int] | None, ks: Sequence[int]
) -> Retrieval:
    """Compute recall at k and median rank of both directions, and their mean recall.

    Parameters
    ----------
    i2t_ranks, t2i_ranks : rank of the first relevant item of each query, integers from 1;
        image queries over texts, and text queries over images. None as a whole is missing.
    ks : cut-offs, different integers from 1.

    Returns
    -------
    Retrieval
        Recalls in [0, 1]; the median rank is the mean of the middle two of an even number.

    Raises
    ------
    StatisticsError
        `invalid_rank` for a rank that is no integer from 1; `missing_direction` without
        queries; `invalid_k` for cut-offs that are none, repeated or no integers from 1.

    References
    ----------
    A. Karpathy and L. Fei-Fei, "Deep visual-semantic alignments for generating image
    descriptions" (2015), section 4.2.

    Examples
    --------
    >>> found = retrieval_metrics([1, 1, 3, 6, 11], [1, 2], [1, 5, 10])
    >>> found.i2t.recalls[5], found.i2t.median_rank, found.mean_recall
    (0.6, 3.0, 0.7166666666666667)
    """
    cutoffs = check_cutoffs(ks)
    ranks = {}
    for name, side in (("i2t", i2t_ranks), ("t2i", t2i_ranks)):
        given = [] if side is None else side
        _check_covered(f"{name}_ranks", len(given))
        ranks[name] = check_ranks(f"{name}_ranks", given)
    hits = {
        name: [Fraction(int(np.count_nonzero(side <= k)), len(side)) for k in cutoffs]
        for name, side in ranks.items()
    }
    directions = {
        name: Direction(
            n=len(side),
            recalls=dict(zip(cutoffs, map(float, hits[name]), strict=True)),
            median_rank=float(np.median(side)),
        )
        for name, side in ranks.items()
    }
    return Retrieval(**directions, mean_recall=float(mean(hits["i2t"] + hits["t2i"])))


def mean_recall_from_hits(
    i2t_hits: Sequence[int], n_images: int, t2i_hits: Sequence[int], n_captions: int
) -> float:
    """Give the mean of the unrounded recalls from published counts.

    Parameters
    ----------
    i2t_hits, t2i_hits : queries with the first relevant item within k, one count for each k
        and the same ks in both.
    n_images, n_captions : queries of each direction.

    Returns
    -------
    float
        Mean of all recalls, in [0, 1].

    Raises
    ------
    StatisticsError
        `missing_direction` without queries or counts; `length_mismatch` for different numbers
        of ks; `invalid_count` for counts that are no integers, negative or beyond the queries.

    References
    ----------
    A. Karpathy and L. Fei-Fei (2015), as `retrieval_metrics`.

    Examples
    --------
    >>> found = mean_recall_from_hits(
    ...     [2515, 3747, 4173], 5000, [7618, 13987, 16735], 25010)
    >>> round(100 * found, 2)
    60.33
    """
    recalls: list[Fraction] = []
    for side, hits, n in (("i2t", i2t_hits, n_images), ("t2i", t2i_hits, n_captions)):
        for place, count in enumerate(hits):
            check_part(f"{side}_hits[{place}]", count, "queries", n)
        _check_covered(side, min(len(hits), n))
        recalls += [Fraction(int(count), int(n)) for count in hits]
    check_same_length(i2t_hits=i2t_hits, t2i_hits=t2i_hits)
    return float(mean(recalls))


def rank_of_relevant(scores: ArrayLike, relevant: Sequence[int]) -> RelevantRank:
    """Give the rank of the best relevant item among all candidates of one query.

    Parameters
    ----------
    scores : shape (candidates,), finite numbers; more is better.
    relevant : places of the relevant candidates, from 0, at least one.

    Returns
    -------
    RelevantRank
        1 is best. `pessimistic` puts the irrelevant items first among tied ones and is the
        rank to report; constant scores then rank last and not first. With one relevant item
        `expected` is the mean of the other two.

    Raises
    ------
    StatisticsError
        `nan_value` for scores that are no finite numbers; `missing_relevant` without a
        relevant item; `invalid_index` for a place that no candidate has; `duplicate_id`.

    References
    ----------
    F. McSherry and M. Najork, "Computing information retrieval performance measures
    efficiently in the presence of tied scores", ECIR (2008).

    Examples
    --------
    >>> rank_of_relevant([0.9, 0.9, 0.9, 0.9], [2])
    RelevantRank(pessimistic=4, optimistic=1, expected=2.5)
    """
    row = check_scores("scores", scores)
    places = check_relevant("relevant", relevant, len(row))
    best = row[places].max()
    n_better = int(np.count_nonzero(row > best))
    n_tied = int(np.count_nonzero(row == best))
    n_relevant = int(np.count_nonzero(row[places] == best))
    return RelevantRank(
        pessimistic=n_better + n_tied - n_relevant + 1,
        optimistic=n_better + 1,
        expected=n_better + (n_tied + 1) / (n_relevant + 1),
    )


def check_scores(name: str, scores: ArrayLike) -> NDArray[Any]:
    """Refuse scores that are no row of finite numbers (`nan_value`)."""
    row = np.asarray(scores)
    if row.dtype.kind == "O" and row.ndim == 1:
        check_finite(name, row.tolist())
    if row.dtype.kind in "bO":
        row = row.astype(np.float64)
    if row.ndim != 1 or row.dtype.kind not in "fiu" or not np.isfinite(row).all():
        raise StatisticsError(
            "nan_value", f"{name}: expected a row of finite numbers, found {scores!s:.200}"
        )
    return row


def check_relevant(name: str, relevant: Sequence[int], n: int) -> NDArray[np.int64]:
    """Refuse places of which there is none or that lie outside the candidates."""
    places = list(relevant)
    if not places:
        raise StatisticsError("missing_relevant", f"{name}: expected a relevant item, found none")
    for place in places:
        if not _is_integer(place) or not 0 <= place < n:
            raise StatisticsError(
                "invalid_index", f"{name}: expected places from 0 to {n - 1}, found {place!r}"
            )
    check_unique(name, places)
    return np.array(places, dtype=np.int64)


def check_ranks(name: str, ranks: Sequence[int]) -> NDArray[np.int64]:
    """Refuse ranks that are no integers from 1 (`invalid_rank`)."""
    for place, rank in enumerate(ranks):
        if not _is_integer(rank) or not 1 <= rank <= MOST_COUNT:
            raise StatisticsError(
                "invalid_rank",
                f"{name}[{place}]: expected an integer from 1 to 2**53, found {shown(rank)}",
            )
    return np.array([int(rank) for rank in ranks], dtype=np.int64)


def check_cutoffs(ks: Sequence[int]) -> list[int]:
    """Refuse cut-offs that are none, repeated or no integers from 1 (`invalid_k`)."""
    found = list(ks)
    if not found or len(set(found)) < len(found):
        raise StatisticsError(
            "invalid_k", f"ks: expected different cut-offs, found {', '.join(map(shown, found))}"
        )
    for k in found:
        if not _is_integer(k) or not 1 <= k <= MOST_COUNT:
            raise StatisticsError(
                "invalid_k", f"ks: expected integers from 1 to 2**53, found {shown(k)}"
            )
    return [int(k) for k in found]


def _check_covered(name: str, n: int) -> None:
    if n == 0:
        raise StatisticsError("missing_direction", f"{name}: expected queries, found none")


def _is_integer(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


__all__ = [
    "Direction",
    "RelevantRank",
    "Retrieval",
    "check_cutoffs",
    "check_ranks",
    "check_relevant",
    "check_scores",
    "mean_recall_from_hits",
    "rank_of_relevant",
    "retrieval_metrics",
]
