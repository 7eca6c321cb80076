"""Standard errors and intervals for means of scores that come in clusters."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.checks import check_choice, check_same_length, check_share
from harness.stats.columns import ROUNDING, as_scores, cluster_codes, mean_of
from harness.stats.estimate import Estimate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_CORRECTIONS = ("CR0", "CR1")


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterStderr:
    """The standard error of a mean over clustered scores, in the unit of the scores.

    `mean` is None without scores, `stderr` with fewer than two clusters.
    """

    mean: float | None
    stderr: float | None
    n: int
    n_clusters: int
    correction: str


def cluster_stderr(
    scores: ArrayLike, clusters: Sequence[Hashable], correction: str
) -> ClusterStderr:
    """Compute the cluster-robust standard error of a mean.

    CR0 is sqrt(sum over clusters of (sum of the cluster's residuals)²) / n; CR1 is CR0 times
    sqrt(G / (G - 1)) for G clusters, which is what the residuals' G - 1 free sums call for.
    With one score a cluster CR1 is the usual s / sqrt(n).

    Parameters
    ----------
    scores : finite numbers, shape (n,), any unit.
    clusters : the cluster of each score, shape (n,); ids that compare equal are one cluster.
    correction : "CR0" or "CR1".

    Returns
    -------
    ClusterStderr
        `stderr` is None with fewer than two clusters, where the spread between clusters cannot
        be seen, and exactly 0 when all scores are equal.

    Raises
    ------
    StatisticsError
        `length_mismatch`; `nan_value` for a score that is not a finite number, `invalid_shape`
        for what is no sequence of numbers;
        `missing_cluster` for an id that is None, NaN or empty, which is neither dropped nor
        pooled; `unknown_variant` for another correction.

    References
    ----------
    A. C. Cameron and D. L. Miller, "A practitioner's guide to cluster-robust inference",
    Journal of Human Resources 50 (2015), 317-372.

    Examples
    --------
    >>> found = cluster_stderr([1, 1, 0, 0, 1, 0], ["a", "a", "b", "b", "c", "c"], "CR1")
    >>> round(found.stderr, 6), found.n_clusters
    (0.288675, 3)
    """
    return _stderr(as_scores("scores", scores), clusters, correction, 0.0)


def _stderr(
    values: NDArray[np.float64], clusters: Sequence[Hashable], correction: str, tie: float
) -> ClusterStderr:
    """The standard error; residuals of at most `tie` are rounding, and count as none."""
    check_choice("correction", correction, _CORRECTIONS)
    check_same_length(scores=values, clusters=clusters)
    codes, n_clusters = cluster_codes(clusters)
    n = len(values)
    mean = mean_of(values)
    stderr = None
    if mean is not None and n_clusters > 1:
        residuals = values - mean
        if not np.ptp(values) or np.abs(residuals).max() <= tie:
            residuals = np.zeros(n)
        sums = np.bincount(codes, weights=residuals, minlength=n_clusters)
        stderr = math.sqrt(math.fsum(sums * sums)) / n
        if correction == "CR1":
            stderr *= math.sqrt(n_clusters / (n_clusters - 1))
    return ClusterStderr(
        mean=mean, stderr=stderr, n=n, n_clusters=n_clusters, correction=correction
    )


def cluster_interval(
    scores: ArrayLike, clusters: Sequence[Hashable], correction: str, level: float
) -> Estimate:
    """Estimate a mean over clustered scores: mean ± t(G - 1) × cluster-robust standard error.

    Parameters
    ----------
    scores, clusters, correction : as in `cluster_stderr`.
    level : confidence level, strictly between 0 and 1.

    Returns
    -------
    Estimate
        In the unit of the scores, and not cut off at the range that they may have. With one
        cluster the bounds are None, without scores the value too; when the standard error is
        0 the interval is a point and flagged degenerate.

    Raises
    ------
    StatisticsError
        As `cluster_stderr`; `invalid_level`.

    References
    ----------
    C. B. Hansen, "Asymptotic properties of a robust variance matrix estimator for panel data
    when T is large", Journal of Econometrics 141 (2007), 597-620 (t with G - 1 degrees).

    Examples
    --------
    >>> clusters = ["a", "a", "b", "b", "c", "c"]
    >>> estimate = cluster_interval([3, 4, 1, 2, 2, 3], clusters, "CR1", 0.95)
    >>> estimate.value, round(estimate.low, 4), round(estimate.high, 4)
    (2.5, 0.0159, 4.9841)
    """
    level = check_share("level", level)
    return _interval(cluster_stderr(scores, clusters, correction), level, "mean")


def cluster_difference(
    a: ArrayLike, b: ArrayLike, clusters: Sequence[Hashable], correction: str, level: float
) -> Estimate:
    """Estimate the mean paired difference, b minus a, of scores that come in clusters.

    Parameters
    ----------
    a, b : finite scores of the two conditions on the same examples, shape (n,) each.
    clusters, correction, level : as in `cluster_interval`.

    Returns
    -------
    Estimate
        As `cluster_interval` of b - a. Differences that are equal up to the rounding of the
        scores, such as 0.3 - 0.1 and 0.4 - 0.2, give the point, flagged degenerate.

    Raises
    ------
    StatisticsError
        As `cluster_interval`.

    References
    ----------
    E. Miller, "Adding error bars to evals" (2024), section 4.2.

    Examples
    --------
    >>> cluster_difference([0, 0, 1, 1], [1, 1, 1, 1], ["a", "a", "b", "b"], "CR1", 0.95).value
    0.5
    """
    level = check_share("level", level)
    first, second = as_scores("a", a), as_scores("b", b)
    check_same_length(a=first, b=second)
    size = max(np.abs(first).max(initial=0.0), np.abs(second).max(initial=0.0))
    found = _stderr(second - first, clusters, correction, ROUNDING * float(size))
    return _interval(found, level, "difference of means")


def _interval(found: ClusterStderr, level: float, what: str) -> Estimate:
    method = f"{what}, cluster-robust {found.correction}, t({found.n_clusters - 1}) interval"
    low = high = None
    if found.mean is None:
        method = f"{what}, cluster-robust {found.correction} (no data)"
    elif found.stderr is None:
        method = f"{what}, cluster-robust {found.correction} (one cluster: no interval)"
    else:
        from scipy.stats import t

        radius = float(t.isf((1.0 - level) / 2.0, found.n_clusters - 1)) * found.stderr
        low, high = found.mean - radius, found.mean + radius
    return Estimate(
        value=found.mean,
        low=low,
        high=high,
        level=level,
        n=found.n,
        method=method,
        unit=what,
        degenerate=found.stderr == 0.0,
    )


__all__ = [
    "ClusterStderr",
    "cluster_difference",
    "cluster_interval",
    "cluster_stderr",
]
