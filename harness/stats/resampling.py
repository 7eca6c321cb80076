"""Bootstrap intervals for real-valued scores and for statistics under weights."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from harness.stats.checks import StatisticsError, check_same_length, check_size
from harness.stats.columns import ROUNDING, as_scores, cluster_codes, mean_of
from harness.stats.draws import DrawPlan, acceleration, interval_from_draws
from harness.stats.weights import drawn_sums, weight_blocks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from harness.stats.estimate import Estimate
    from harness.stats.weighted import WeightedStatistic

    Values: TypeAlias = NDArray[np.float64]

_MOST_SHIFTS = 10**8
_MOST_LEFT_OUT = 2 * 10**8


def bootstrap_interval(
    values: ArrayLike,
    level: float,
    interval: str,
    n_resamples: int,
    seed: int,
    clusters: Sequence[Hashable] | None = None,
) -> tuple[Estimate, ...]:
    """Estimate the means of k columns of scores on the same n examples, drawn together.

    One set of resamples serves all k, as counts: a resample's means are one matrix product.

    Parameters
    ----------
    values : finite numbers, shape (k, n), such as k paired differences on n examples.
    level : confidence level, strictly between 0 and 1.
    interval : "percentile", or "bca" with the mid-rank bias correction and the acceleration of
        the jackknife.
    n_resamples : at least 1; the tails of a 95 % interval want thousands.
    seed : integer of at least 0; with the same seed equal positions are drawn together in
        every call.
    clusters : the cluster of each example, shape (n,), or None. Clusters are drawn whole, and
        the mean is over the examples drawn.

    Returns
    -------
    tuple of k Estimate
        Bounds are quantiles by inverted CDF. Scores that are all equal, or a single example or
        cluster, give the point, flagged degenerate. With n = 0 all three numbers are None.

    Raises
    ------
    StatisticsError
        `invalid_shape`, `nan_value`, `length_mismatch`, `missing_cluster`, `invalid_level`,
        `unknown_variant` for the interval, `invalid_count` for n_resamples or seed;
        `too_large` for more than 1e7 resamples or 1e9 draws in all, or scores beyond 1e90.

    References
    ----------
    B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987), 171-185.

    Examples
    --------
    >>> estimate, = bootstrap_interval([[0.2, 0.5, 0.3, 0.4]], 0.95, "bca", 2000, seed=1)
    >>> estimate.value, 0.2 <= estimate.low < 0.35 < estimate.high <= 0.5
    (0.35, True)
    """
    plan = DrawPlan(level, interval, n_resamples, seed, clusters)
    table = _table(values)
    sizes = np.abs(table).max(axis=1, initial=0.0)
    return _means(table, sizes, plan, "mean")


def bootstrap_paired_scores(
    a: ArrayLike, b: ArrayLike, level: float, interval: str, n_resamples: int, seed: int
) -> Estimate:
    """Estimate the mean difference, b minus a, of two scores on the same examples.

    Parameters
    ----------
    a, b : finite scores, shape (n,) each, the same example at the same place.
    level, interval, n_resamples, seed : as in `bootstrap_interval`.

    Returns
    -------
    Estimate
        As `bootstrap_interval` of b - a. Differences that are equal up to the rounding of the
        scores, such as 0.3 - 0.1 and 0.4 - 0.2, give the point, flagged degenerate, where
        `scipy.stats.bootstrap` gives NaN for BCa.

    Raises
    ------
    StatisticsError
        `length_mismatch`, and as `bootstrap_interval`.

    References
    ----------
    B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987), 171-185.

    Examples
    --------
    >>> estimate = bootstrap_paired_scores([0.1, 0.2], [0.3, 0.4], 0.95, "bca", 1000, seed=1)
    >>> round(estimate.low, 12), round(estimate.high, 12), estimate.degenerate
    (0.2, 0.2, True)
    """
    plan = DrawPlan(level, interval, n_resamples, seed, None)
    check_same_length(a=_sized(a), b=_sized(b))
    first, second = as_scores("a", a), as_scores("b", b)
    size = max(np.abs(first).max(initial=0.0), np.abs(second).max(initial=0.0))
    return _means((second - first)[None], np.array([size]), plan, "difference of means")[0]


def bootstrap_statistic(
    statistic: WeightedStatistic,
    level: float,
    interval: str,
    n_resamples: int,
    seed: int,
    clusters: Sequence[Hashable] | None = None,
) -> Estimate:
    """Estimate a statistic of n examples, such as AURC, ECE, F1 or a difference of two.

    Parameters
    ----------
    statistic : from `harness.stats.weighted` or `harness.stats.weighted_confidence`.
    level, interval, n_resamples, seed, clusters : as in `bootstrap_interval`. "bca" evaluates
        the statistic n more times, once without each example or cluster.

    Returns
    -------
    Estimate
        Resamples that leave the statistic undefined are dropped, and `method` counts them. The
        value is None where the statistic is undefined on all examples; the bounds are None
        then, when no resample is left, and for "bca" when leaving one example out makes it
        undefined. Flagged degenerate when every resample equals the value.

    Raises
    ------
    StatisticsError
        As `bootstrap_interval`; `too_large` also for "bca" of more than 14,142 examples.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), chapters 13 and 14.

    Examples
    --------
    >>> from harness.stats.weighted_confidence import weighted_auroc
    >>> auroc = weighted_auroc([0.9, 0.8, 0.6, 0.3], [1, 1, 0, 1])
    >>> estimate = bootstrap_statistic(auroc, 0.9, "percentile", 1000, seed=3)
    >>> round(estimate.value, 4), estimate.low, estimate.high
    (0.6667, 0.0, 1.0)
    """
    plan = DrawPlan(level, interval, n_resamples, seed, clusters)
    blocks = weight_blocks(statistic.n, n_resamples, seed, clusters)
    every = np.ones((1, statistic.n), dtype=np.int64)
    value = float(statistic.compute(every)[0]) if statistic.n else math.nan
    if math.isnan(value):
        return interval_from_draws(None, np.empty(0), 0.0, 0.0, plan, statistic.n, statistic.name)
    draws = np.concatenate([statistic.compute(block) for block in blocks])
    tie = ROUNDING * max(abs(value), np.abs(draws).max(initial=0.0, where=~np.isnan(draws)))
    bend = 0.0
    if interval == "bca":
        bend = float(acceleration(_without_one(statistic, clusters)[None])[0])
    return interval_from_draws(value, draws - value, tie, bend, plan, statistic.n, statistic.name)


def _means(table: Values, sizes: Values, plan: DrawPlan, unit: str) -> tuple[Estimate, ...]:
    """Intervals for the rows' means; differences within the rounding of `sizes` are none."""
    k, n = table.shape
    check_size("k * n_resamples", k * plan.n_resamples, _MOST_SHIFTS)
    codes, n_units = np.arange(n), n
    if plan.clusters is not None:
        check_same_length(examples=range(n), clusters=plan.clusters)
        codes, n_units = cluster_codes(plan.clusters)
    values = [mean_of(row) for row in table]
    if n == 0:
        return tuple(
            interval_from_draws(None, np.empty(0), 0.0, 0.0, plan, 0, unit) for _ in values
        )
    # Centred sums: equal scores give 0 and not the rounding of a long sum.
    off = table - np.array(values, dtype=np.float64)[:, None]
    counts = np.bincount(codes, minlength=n_units).astype(np.float64)
    if plan.clusters is not None:
        off = np.stack([np.bincount(codes, weights=row, minlength=n_units) for row in off])
    shifts = np.empty((k, plan.n_resamples))
    columns, done = np.ascontiguousarray(off.T), 0
    for block in weight_blocks(n_units, plan.n_resamples, plan.seed):
        here = slice(done, done + len(block))
        total = n if plan.clusters is None else drawn_sums(block, counts[:, None])
        shifts[:, here] = (drawn_sums(block, columns) / total).T
        done += len(block)
    rest = np.maximum(n - counts, 1.0)
    bends = acceleration((off.sum(axis=1, keepdims=True) - off) / rest)
    return tuple(
        interval_from_draws(value, shift, ROUNDING * float(size), float(bend), plan, n, unit)
        for value, shift, size, bend in zip(values, shifts, sizes, bends, strict=True)
    )


def _without_one(statistic: WeightedStatistic, clusters: Sequence[Hashable] | None) -> Values:
    codes, n_units = np.arange(statistic.n), statistic.n
    if clusters is not None:
        codes, n_units = cluster_codes(clusters)
    check_size("n * n without one", statistic.n * n_units, _MOST_LEFT_OUT)
    rows = max(1, 2**17 // statistic.n)
    return np.concatenate(
        [
            statistic.compute((np.arange(at, min(at + rows, n_units))[:, None] != codes) * 1)
            for at in range(0, n_units, rows)
        ]
    )


def _table(values: ArrayLike) -> Values:
    given = values if isinstance(values, np.ndarray) else np.array(values, dtype=object)
    if given.ndim != 2:
        raise StatisticsError(
            "invalid_shape", f"values: expected shape (k, n), found {given.shape}"
        )
    if given.dtype.kind in "biuf":
        return as_scores("values", given.ravel()).reshape(given.shape)
    rows = [as_scores(f"values[{place}]", row) for place, row in enumerate(given)]
    return np.stack(rows) if rows else np.empty(given.shape)


def _sized(values: ArrayLike) -> Sequence[object]:
    return list(np.atleast_1d(np.asarray(values, dtype=object)))


__all__ = ["bootstrap_interval", "bootstrap_paired_scores", "bootstrap_statistic"]
