"""Intervals for a single proportion."""

from __future__ import annotations

import math
from statistics import NormalDist

from harness.stats.estimate import Estimate


def wilson(k: int, n: int, level: float) -> Estimate:
    """Estimate a proportion with its Wilson score interval.

    Parameters
    ----------
    k : number of successes, 0 ≤ k ≤ n.
    n : number of trials, n ≥ 0.
    level : confidence level, strictly between 0 and 1.

    Returns
    -------
    Estimate
        `value` is k / n, the interval lies in [0, 1]; 0 of n starts at exactly 0 and n of n
        ends at exactly 1. With n = 0 the value is None and the interval is the whole range
        0 to 1, since no trial rules anything out.

    Raises
    ------
    ValueError
        For counts that are not integers or out of range, or a level outside (0, 1).

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    JASA 22 (1927), 209-212.

    Examples
    --------
    >>> estimate = wilson(0, 10, 0.95)
    >>> estimate.low, round(estimate.high, 6)
    (0.0, 0.277533)
    """
    if not all(isinstance(count, int) and not isinstance(count, bool) for count in (k, n)):
        raise ValueError(f"wilson: expected integer counts, found k={k!r}, n={n!r}")
    if not 0 <= k <= n:
        raise ValueError(f"wilson: expected 0 <= k <= n, found k={k}, n={n}")
    if not 0.0 < level < 1.0:
        raise ValueError(f"wilson: expected a level strictly between 0 and 1, found {level}")
    method = "Wilson score interval"
    if n == 0:
        return Estimate(
            value=None,
            low=0.0,
            high=1.0,
            level=level,
            n=0,
            method=f"{method} (no data: whole range)",
            unit="proportion",
        )
    # The lower tail keeps its digits for levels close to 1, which 1 - tail would lose.
    z = -NormalDist().inv_cdf((1.0 - level) / 2.0)
    share, shrink = k / n, 1.0 + z * z / n
    centre = (share + z * z / (2 * n)) / shrink
    radius = z * math.sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n)) / shrink
    return Estimate(
        value=share,
        low=0.0 if k == 0 else max(0.0, centre - radius),
        high=1.0 if k == n else min(1.0, centre + radius),
        level=level,
        n=n,
        method=method,
        unit="proportion",
    )


__all__ = ["wilson"]
