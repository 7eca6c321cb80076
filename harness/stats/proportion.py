"""A single proportion: its standard error and its intervals."""

from __future__ import annotations

import math

from harness.stats.checks import check_part, check_share
from harness.stats.estimate import Estimate
from harness.stats.levels import critical_value, tail_share


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
    StatisticsError
        `invalid_count` for counts that are not integers or with k > n; `invalid_level`
        outside (0, 1).

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
    k, n = check_part("k", k, "n", n)
    level = check_share("level", level)
    z = critical_value(level)
    method = "Wilson score interval"
    if n == 0:
        return _no_data(level, method)
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


def clopper_pearson(k: int, n: int, level: float) -> Estimate:
    """Estimate a proportion with the exact interval of Clopper and Pearson.

    The interval holds every proportion under which neither "at most k" nor "at least k" is
    rarer than (1 - level) / 2. It covers at least at its level, and most often above.

    Parameters
    ----------
    k : number of successes, 0 ≤ k ≤ n.
    n : number of trials, n ≥ 0.
    level : confidence level, strictly between 0 and 1.

    Returns
    -------
    Estimate
        `value` is k / n. The bounds are beta quantiles; 0 of n and n of n have closed forms
        and start at exactly 0 or end at exactly 1. With n = 0 the value is None and the
        interval is the whole range 0 to 1.

    Raises
    ------
    StatisticsError
        `invalid_count` for counts that are not integers or with k > n; `invalid_level`
        outside (0, 1).

    References
    ----------
    C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in
    the case of the binomial", Biometrika 26 (1934), 404-413.

    Examples
    --------
    >>> estimate = clopper_pearson(10, 10, 0.95)
    >>> round(estimate.low, 6), estimate.high
    (0.691503, 1.0)
    """
    k, n = check_part("k", k, "n", n)
    level = check_share("level", level)
    tail = float(tail_share(level))
    method = "Clopper-Pearson exact interval"
    if n == 0:
        return _no_data(level, method)
    return Estimate(
        value=k / n,
        low=_lower_limit(k, n, tail),
        high=_upper_limit(k, n, tail),
        level=level,
        n=n,
        method=method,
        unit="proportion",
    )


def standard_error(k: int, n: int) -> float | None:
    """Give the standard error of a proportion, estimated from its own trials.

    Parameters
    ----------
    k : number of successes, 0 ≤ k ≤ n.
    n : number of trials, n ≥ 0.

    Returns
    -------
    float or None
        sqrt(p (1 - p) / (n - 1)) with p = k / n: the sample standard deviation, with n - 1 in
        its denominator, over the root of n. 0 for 0 of n and n of n; None for n < 2, where
        one trial says nothing of its spread.

    Raises
    ------
    StatisticsError
        `invalid_count` for counts that are not integers or with k > n.

    References
    ----------
    W. G. Cochran, Sampling Techniques (3rd ed., 1977), theorem 3.2 with its correction dropped.

    Examples
    --------
    >>> round(standard_error(1759, 2017), 6)
    0.007439
    """
    k, n = check_part("k", k, "n", n)
    if n < 2:
        return None
    return math.sqrt(k * (n - k) / (n * n * (n - 1)))


def _lower_limit(k: int, n: int, tail: float) -> float:
    if k == 0:
        return 0.0
    if k == n:
        return math.exp(math.log(tail) / n)
    from scipy.special import betaincinv

    return float(betaincinv(k, n - k + 1, tail))


def _upper_limit(k: int, n: int, tail: float) -> float:
    if k == n:
        return 1.0
    if k == 0:
        return -math.expm1(math.log(tail) / n)
    from scipy.special import betainccinv

    return float(betainccinv(k + 1, n - k, tail))


def _no_data(level: float, method: str) -> Estimate:
    return Estimate(
        value=None,
        low=0.0,
        high=1.0,
        level=level,
        n=0,
        method=f"{method} (no data: whole range)",
        unit="proportion",
    )


__all__ = ["clopper_pearson", "standard_error", "wilson"]
