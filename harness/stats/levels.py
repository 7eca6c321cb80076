"""What a confidence level leaves in one tail, without the digits that 1 - level loses."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from statistics import NormalDist

from harness.stats.checks import check_share


def tail_share(level: float) -> Fraction:
    """Give the probability below a two-sided interval.

    Parameters
    ----------
    level : confidence level as it is written in decimals, strictly between 0 and 1.

    Returns
    -------
    Fraction
        (1 - level) / 2 of the shortest decimal that reads back as `level`, exactly: 0.95
        gives 1/40, which no binary fraction is.

    Raises
    ------
    StatisticsError
        `invalid_level` outside (0, 1), and for NaN.

    References
    ----------
    G. L. Steele and J. L. White, "How to print floating-point numbers accurately", PLDI 1990.

    Examples
    --------
    >>> tail_share(0.95)
    Fraction(1, 40)
    """
    return (1 - Fraction(repr(check_share("level", level)))) / 2


def percentile_ranks(size: int, level: float) -> tuple[int, int]:
    """Give the places of a percentile interval's bounds among sorted draws, by inverted CDF.

    Parameters
    ----------
    size : number of draws, at least 1.
    level : confidence level, strictly between 0 and 1.

    Returns
    -------
    tuple of two int
        From 0: the q-quantile is the draw with rank ceil(q size), the smallest that at least
        the share q of the draws does not exceed. Where q size is whole, every value up to the
        next draw would serve and this is the lowest of them at both ends, so that the mirrored
        draws may give bounds one draw away from the mirrored bounds.

    Raises
    ------
    StatisticsError
        `invalid_level` outside (0, 1), and for NaN.

    References
    ----------
    R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American
    Statistician 50 (1996), 361-365: definition 1.

    Examples
    --------
    >>> percentile_ranks(1000, 0.95)
    (24, 974)
    """
    tail = tail_share(level)
    return ceil(tail * size) - 1, ceil((1 - tail) * size) - 1


def critical_value(level: float) -> float:
    """Give the normal quantile that a two-sided interval reaches out to.

    Parameters
    ----------
    level : confidence level, strictly between 0 and 1.

    Returns
    -------
    float
        z > 0 with P(-z < Z < z) = level, read from the lower tail, which keeps its digits for
        levels close to 1.

    Raises
    ------
    StatisticsError
        `invalid_level` outside (0, 1), and for NaN.

    References
    ----------
    M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution",
    Applied Statistics 37 (1988), 477-484.

    Examples
    --------
    >>> round(critical_value(0.95), 6)
    1.959964
    """
    return -NormalDist().inv_cdf(float(tail_share(level)))


__all__ = ["critical_value", "percentile_ranks", "tail_share"]
