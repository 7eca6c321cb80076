"""Intervals of a paired difference from its exact bootstrap distribution: percentile and BCa."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, isqrt, sqrt
from statistics import NormalDist

from harness.stats.checks import check_choice, check_share
from harness.stats.levels import critical_value, tail_share
from harness.stats.walk import Walks, check_table

_AT_ONCE = 128
_VALUES_AT_ONCE = 2**24


@dataclass(frozen=True, kw_only=True, slots=True)
class WalkInterval:
    """The interval of a sum n01 - n10, in pairs: divide by n for the difference.

    `low_count` and `high_count` are None without a pair. `z0` (bias correction) and
    `acceleration` belong to BCa, None for the percentile interval and for degenerate data.
    `degenerate` says that every resample equals the estimate.
    """

    interval: str
    level: float
    low_count: int | None
    high_count: int | None
    z0: float | None
    acceleration: float | None
    degenerate: bool


def walk_intervals(
    tables: Sequence[tuple[int, int, int]], level: float, interval: str
) -> tuple[WalkInterval, ...]:
    """Read the intervals of many paired differences at once from their exact distributions.

    Parameters
    ----------
    tables : (n01, n10, n) of each comparison: pairs with only the second right, pairs with
        only the first right, all pairs.
    level : confidence level, strictly between 0 and 1.
    interval : "percentile" or "bca" (bias-corrected and accelerated).

    Returns
    -------
    tuple of WalkInterval
        In the order given. Both kinds are quantiles by inverted CDF, so the counts are
        integers. BCa takes z0 from P(D < d) + P(D = d) / 2 and the acceleration from the
        jackknife, in closed form; where its correction has no solution (a level beyond what
        the skew admits) the end is that of the support. Degenerate data (no discordant pair,
        or all pairs discordant the same way) give the point; n = 0 gives None. Swapping n01
        and n10 mirrors the interval, except where the distribution function meets a tail
        exactly: the inverted CDF then takes the lower of the values that would serve, at both
        ends.

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_level`, `unknown_variant` for another interval; `too_large`
        where the distribution is wider than 2**22 values: about 5e10 discordant pairs.

    References
    ----------
    B. Efron, "Better bootstrap confidence intervals", JASA 82 (1987), 171-185.

    Examples
    --------
    >>> found = walk_intervals([(144, 141, 942), (13, 3, 59)], 0.95, "bca")
    >>> [(each.low_count, each.high_count) for each in found]
    [(-30, 36), (3, 18)]
    """
    check_choice("interval", interval, ("percentile", "bca"))
    level = check_share("level", level)
    tail = tail_share(level)
    given = [check_table(*table) for table in tables]
    spread = [table for table in dict.fromkeys(given) if not _is_point(*table)]
    found: dict[tuple[int, int, int], WalkInterval] = {}
    widest = 18 * isqrt(max((n for *_, n in spread), default=0)) + 64
    at_once = max(1, min(_AT_ONCE, _VALUES_AT_ONCE // widest))
    for first in range(0, len(spread), at_once):
        walks = Walks(spread[first : first + at_once])
        for index, table in enumerate(walks.tables):
            found[table] = _read(walks, index, level, tail, interval)
    return tuple(found[t] if t in found else _point(*t, level, interval) for t in given)


def _is_point(n01: int, n10: int, n: int) -> bool:
    return n01 + n10 == 0 or n in (n01, n10)


def _point(n01: int, n10: int, n: int, level: float, interval: str) -> WalkInterval:
    end = n01 - n10 if n else None
    return WalkInterval(
        interval=interval,
        level=level,
        low_count=end,
        high_count=end,
        z0=None,
        acceleration=None,
        degenerate=n > 0,
    )


def _read(walks: Walks, index: int, level: float, tail: Fraction, interval: str) -> WalkInterval:
    z0 = acceleration = None
    ends: tuple[Fraction | float, Fraction | float] = (tail, 1 - tail)
    if interval == "bca":
        n01, n10, n = walks.tables[index]
        acceleration = _acceleration(n01, n10, n)
        z0 = 0.0 if n01 == n10 else _bias(walks, index, n01 - n10)
        # Without bias and skew BCa is the percentile interval, whose ends are rational.
        if z0 != 0.0 or acceleration != 0.0:
            z = critical_value(level)
            ends = (_corrected(z0, acceleration, -z), _corrected(z0, acceleration, z))
    return WalkInterval(
        interval=interval,
        level=level,
        low_count=walks.quantile(index, ends[0]),
        high_count=walks.quantile(index, ends[1]),
        z0=z0,
        acceleration=acceleration,
        degenerate=False,
    )


def _bias(walks: Walks, index: int, observed: int) -> float:
    below, up_to = walks.at_most(index, observed - 1), walks.at_most(index, observed)
    return NormalDist().inv_cdf((below + up_to) / 2.0)


def _acceleration(n01: int, n10: int, n: int) -> float:
    """Sum of cubes over 6 times the sum of squares to 3/2, of the deviations from the mean."""
    e, d = n01 - n10, n01 + n10
    cubes = Fraction(e * (n * n - 3 * n * d + 2 * e * e), n * n)
    squares = Fraction(n * d - e * e, n)
    return float(cubes) / (6.0 * float(squares) * sqrt(squares))


def _corrected(z0: float, acceleration: float, z: float) -> float:
    shifted = z0 + z
    room = 1.0 - acceleration * shifted
    if room <= 0.0:
        return 1.0 if shifted > 0.0 else 0.0
    return 0.5 * erfc(-(z0 + shifted / room) / sqrt(2.0))


__all__ = ["WalkInterval", "walk_intervals"]
