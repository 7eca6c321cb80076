"""Recall at k, median rank and mean recall of both directions, each with its interval."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.retrieval.pairs import Pairs
from harness.stats.checks import StatisticsError, check_share
from harness.stats.clustered import cluster_interval, cluster_stderr
from harness.stats.estimate import Estimate
from harness.stats.proportion import wilson
from harness.stats.resampling import bootstrap_statistic
from harness.stats.retrieval import check_ranks, retrieval_metrics
from harness.stats.weighted import WeightedStatistic
from harness.stats.weights import drawn_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

KS = (1, 5, 10)


@dataclass(frozen=True, kw_only=True, slots=True)
class DirectionEstimates:
    """One direction: recall at k, in [0, 1], by k, and the median rank of n queries."""

    n: int
    recalls: Mapping[int, Estimate]
    median_rank: Estimate


@dataclass(frozen=True, kw_only=True, slots=True)
class RetrievalEstimates:
    """Both directions, and the mean of their unrounded recalls."""

    i2t: DirectionEstimates
    t2i: DirectionEstimates
    mean_recall: Estimate


def retrieval_estimates(
    i2t: Sequence[int],
    t2i: Sequence[int],
    joined: Pairs,
    level: float,
    n_resamples: int,
    seed: int,
    ks: Sequence[int] = KS,
) -> RetrievalEstimates:
    """Estimate the protocol's metrics from the ranks of the first relevant items.

    Parameters
    ----------
    i2t, t2i : ranks from 1, in the order of the images and of the texts of `joined`.
    joined : the pairs; the captions of an image are one cluster.
    level : confidence level, strictly between 0 and 1.
    n_resamples, seed : of the bootstrap of the mean recall, whose unit is an image with all its
        captions.
    ks : cut-offs, different integers from 1.

    Returns
    -------
    RetrievalEstimates
        Recall over images has Wilson's interval; over texts, which come in clusters, the
        cluster-robust CR1 with t(G - 1), cut off at 0 and 1. Median ranks have Woodruff's
        interval: the ranks at the shares 1/2 ± radius. The mean recall has a percentile
        interval.

    Raises
    ------
    StatisticsError
        `invalid_rank`, `missing_direction`, `invalid_k`, `length_mismatch` with the pairs,
        `invalid_level`, and those of `bootstrap_statistic`.

    References
    ----------
    R. S. Woodruff, "Confidence intervals for medians and other position measures", JASA 47
    (1952), 635-646; A. Karpathy and L. Fei-Fei (2015) for the metrics.

    Examples
    --------
    >>> from harness.retrieval.pairs import pairs
    >>> joined = pairs(["1", "2"], ["a", "b", "c"], {"a": "1", "b": "1", "c": "2"})
    >>> found = retrieval_estimates([1, 6], [1, 2, 11], joined, 0.95, 100, seed=1)
    >>> found.i2t.recalls[5].value, round(found.t2i.recalls[10].value, 3)
    (0.5, 0.667)
    >>> round(found.mean_recall.value, 4), found.t2i.median_rank.value
    (0.6111, 2.0)
    """
    level = check_share("level", level)
    for name, ranks, ids in (("i2t", i2t, joined.images), ("t2i", t2i, joined.texts)):
        if len(ranks) != len(ids):
            raise StatisticsError(
                "length_mismatch", f"{name}: expected {len(ids)} ranks, found {len(ranks)}"
            )
    point = retrieval_metrics(i2t, t2i, ks)
    images, texts = check_ranks("i2t", i2t), check_ranks("t2i", t2i)
    owners = joined.image_of_text
    recalls = {k: wilson(int((images <= k).sum()), len(images), level) for k in point.i2t.recalls}
    clustered = {
        k: _within(cluster_interval((texts <= k) * 1, owners, "CR1", level)) for k in recalls
    }
    statistic = _mean_recall(images, texts, joined, list(recalls))
    return RetrievalEstimates(
        i2t=DirectionEstimates(
            n=len(images),
            recalls=recalls,
            median_rank=_median(images, point.i2t.median_rank, joined.images, level),
        ),
        t2i=DirectionEstimates(
            n=len(texts),
            recalls=clustered,
            median_rank=_median(texts, point.t2i.median_rank, owners, level),
        ),
        mean_recall=bootstrap_statistic(statistic, level, "percentile", n_resamples, seed),
    )


def _mean_recall(
    images: NDArray[np.int64], texts: NDArray[np.int64], joined: Pairs, ks: list[int]
) -> WeightedStatistic:
    """The mean of all recalls as a function of how often each image was drawn."""
    place = {image: at for at, image in enumerate(joined.images)}
    owners = np.array([place[image] for image in joined.image_of_text])
    n, cuts = len(images), np.array(ks)
    own = (images[:, None] <= cuts).astype(np.float64)
    theirs = np.zeros((n, len(ks) + 1))
    np.add.at(theirs, owners, np.column_stack([texts[:, None] <= cuts, np.ones(len(texts))]))
    columns = np.concatenate([own, theirs], axis=1)

    def compute(weights: NDArray[np.int64]) -> NDArray[np.float64]:
        sums = drawn_sums(weights, columns)
        with np.errstate(invalid="ignore"):
            recalls: Any = sums[:, : len(ks)].sum(axis=1) / weights.sum(axis=1)
            recalls += sums[:, len(ks) : -1].sum(axis=1) / sums[:, -1]
        return np.asarray(recalls / (2 * len(ks)))

    return WeightedStatistic(name="mean recall", n=n, compute=compute)


def _median(
    ranks: NDArray[np.int64], value: float, clusters: Sequence[Hashable], level: float
) -> Estimate:
    spread = cluster_stderr((ranks <= math.floor(value)) * 1, clusters, "CR1")
    low = high = None
    if spread.stderr is not None:
        from scipy.stats import t

        radius = float(t.isf((1.0 - level) / 2.0, spread.n_clusters - 1)) * spread.stderr
        places = [math.ceil(len(ranks) * (0.5 + side * radius)) for side in (-1, 1)]
        ordered = np.sort(ranks)
        low, high = (float(ordered[min(max(at, 1), len(ranks)) - 1]) for at in places)
        low, high = min(low, value), max(high, value)
    return Estimate(
        value=value,
        low=low,
        high=high,
        level=level,
        n=len(ranks),
        method="Woodruff interval, cluster-robust CR1"
        + ("" if low is not None else " (one cluster)"),
        unit="rank",
        degenerate=low is not None and low == high,
    )


def _within(found: Estimate) -> Estimate:
    """The interval cut off at the range of a share."""
    if found.low is None or found.high is None:
        return found
    return Estimate(
        value=found.value,
        low=max(0.0, found.low),
        high=min(1.0, found.high),
        level=found.level,
        n=found.n,
        method=found.method,
        unit="proportion",
        degenerate=found.degenerate,
    )


__all__ = ["KS", "DirectionEstimates", "RetrievalEstimates", "retrieval_estimates"]
