"""An interval read from bootstrap draws: percentile or BCa, quantiles by inverted CDF."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.checks import check_choice, check_draws, check_share
from harness.stats.estimate import Estimate
from harness.stats.levels import critical_value, percentile_ranks

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Values: TypeAlias = NDArray[np.float64]

_INTERVALS = {"percentile": "percentile", "bca": "BCa"}


@dataclass(frozen=True, slots=True)
class DrawPlan:
    """How to resample: what the intervals of one call have in common.

    Raises
    ------
    StatisticsError
        `invalid_level` for a level outside (0, 1); `unknown_variant` for an interval other than
        "percentile" and "bca"; `invalid_count` for less than one resample or a negative seed.
    """

    level: float
    interval: str
    n_resamples: int
    seed: int
    clusters: Sequence[Hashable] | None

    @property
    def resampled(self) -> str:
        """What is drawn."""
        return "examples" if self.clusters is None else "clusters"

    def __post_init__(self) -> None:
        check_choice("interval", self.interval, _INTERVALS)
        n_resamples, seed = check_draws(self.n_resamples, self.seed)
        object.__setattr__(self, "level", check_share("level", self.level))
        object.__setattr__(self, "n_resamples", n_resamples)
        object.__setattr__(self, "seed", seed)


def interval_from_draws(
    value: float | None, shifts: Values, tie: float, bend: float, plan: DrawPlan, n: int, unit: str
) -> Estimate:
    """Read an interval from the resampled values of a statistic.

    Parameters
    ----------
    value : the statistic of all examples, None where undefined.
    shifts : resampled values minus `value`, shape (B,), NaN where undefined.
    tie : shifts of at most this size are rounding, and count as none.
    bend : the acceleration for BCa, NaN where it is undefined; else not looked at.
    plan : level, interval, number of resamples, seed and clusters.
    n : number of examples.
    unit : what the value is.

    Returns
    -------
    Estimate
        Undefined draws are dropped, and `method` counts them. The bounds are None without a
        value, without a draw or without an acceleration. When no shift exceeds `tie` the
        interval is the point, flagged degenerate. Mirrored shifts give mirrored bounds but for
        the exception that `percentile_ranks` states.

    Raises
    ------
    StatisticsError
        None of its own: `DrawPlan` has checked what can be wrong.

    References
    ----------
    B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987), 171-185; the bias
    correction uses the mid-rank, as `scipy.stats.bootstrap` does.

    Examples
    --------
    >>> plan = DrawPlan(0.5, "percentile", 4, 1, None)
    >>> found = interval_from_draws(2.0, np.array([-1.0, 0.0, 1.0, 3.0]), 0.0, 0.0, plan, 9, "s")
    >>> found.low, found.high
    (1.0, 3.0)
    """
    method = f"bootstrap of {plan.resampled}, {_INTERVALS[plan.interval]} interval"
    kept = shifts[~np.isnan(shifts)]
    low = high = None
    degenerate = False
    if len(kept) < len(shifts):
        method += f"; {len(shifts) - len(kept)} of {len(shifts)} draws undefined and dropped"
    if value is None:
        method += " (undefined)"
    elif not len(kept):
        method += " (no draw left)"
    elif float(np.abs(kept).max()) <= tie:
        low, high, degenerate = value, value, True
    elif math.isnan(bend):
        method += " (undefined when one is left out)"
    else:
        ranks = _ranks(kept, tie, bend, plan)
        placed = np.partition(kept, ranks)
        low, high = (value + float(placed[rank]) for rank in ranks)
    return Estimate(
        value=value,
        low=low,
        high=high,
        level=plan.level,
        n=n,
        method=method,
        unit=unit,
        resampled=plan.resampled,
        n_resamples=plan.n_resamples,
        seed=plan.seed,
        degenerate=degenerate,
    )


def _ranks(shifts: Values, tie: float, bend: float, plan: DrawPlan) -> tuple[int, int]:
    """The places, from 0, of the two quantiles among the sorted shifts, by inverted CDF."""
    size = len(shifts)
    if plan.interval == "percentile":
        return percentile_ranks(size, plan.level)
    below, above = int((shifts < -tie).sum()), int((shifts > tie).sum())
    share = (below + (size - below - above) / 2) / size
    if not 0.0 < share < 1.0:
        end = 0 if share == 0.0 else size - 1
        return end, end
    normal, z = NormalDist(), critical_value(plan.level)
    bias = normal.inv_cdf(share)
    places = []
    for reach in (bias - z, bias + z):
        left = 1.0 - bend * reach
        quantile = normal.cdf(bias + reach / left) if left > 0.0 else float(reach > 0.0)
        # The rounding of a quantile that meets a draw's rank must not reach for the next draw.
        places.append(min(max(math.ceil(quantile * size - 1e-8), 1), size) - 1)
    return places[0], places[1]


def acceleration(left_out: Values) -> Values:
    """Compute Efron's acceleration from jackknife values.

    Parameters
    ----------
    left_out : k statistics without each of n units, up to a shift and a positive factor, shape
        (k, n).

    Returns
    -------
    array of float64, shape (k,)
        Between -1/6 and 1/6; 0 where all n are equal, NaN where one is NaN.

    Raises
    ------
    ValueError
        For an array that is not two-dimensional.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), equation 14.15.

    Examples
    --------
    >>> acceleration(np.array([[-1.0, 0.0, 1.0], [2.0, 2.0, 2.0]])).tolist()
    [0.0, 0.0]
    """
    pull = left_out.mean(axis=1, keepdims=True) - left_out
    below = 6.0 * (pull**2).sum(axis=1) ** 1.5
    bend: Values = np.zeros(len(pull))
    np.divide((pull**3).sum(axis=1), below, out=bend, where=below != 0.0)
    return bend


__all__ = ["DrawPlan", "acceleration", "interval_from_draws"]
