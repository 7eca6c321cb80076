"""The wealth of a bettor against a stated mean: what the sequential methods are made of.

A bettor who starts with 1 and is offered fair odds at a stated mean has, at the true mean, a
wealth that is a nonnegative martingale: the chance that it ever reaches 1 / alpha is at most
alpha (Ville 1939). A mean at which the wealth is that large is ruled out, at whatever time and
however often one looks. All wealths here depend on the counts alone, not on their order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from harness.stats.checks import (
    StatisticsError,
    check_count,
    check_part,
    check_size,
    is_number,
    shown,
)

Side = Literal["both", "above", "below"]

_MOST_AT_ONCE = 5_000_000
_MOST_PRIOR = 1e300


def log_wealth(
    up: int, down: int, still: int, prior: float, side: Side, threshold: float
) -> Callable[[float], float]:
    """The log wealth at a mean, after values of 1 (`up`), of 0 (`down`) and of 1/2 (`still`).

    The bettor holds the share b of the money on 1 and the rest on 0, so that a value y
    multiplies it by b y / mean + (1 - b)(1 - y) / (1 - mean), and averages over b drawn from
    Beta(prior, prior): the whole of it, or the part above or below `threshold`. A value of 1/2
    is the average of a 1 and a 0, so ties spread over a binomial number of ones, each with
    the closed form of the beta-binomial mixture.

    Parameters
    ----------
    up, down, still : counts of at least 0.
    prior : parameter of the Beta mixture, above 0.
    side : "both", or the part of the mixture "above" or "below" `threshold`.
    threshold : mean in (0, 1); not read for "both".

    Returns
    -------
    function of a mean in [0, 1]
        Convex, and at most 0 at the observed mean (side "both"); inf at a mean that the
        values rule out; 0 at every mean without values.

    Raises
    ------
    StatisticsError
        `invalid_prior` where the mixture has no mass on the side.

    References
    ----------
    J. Ville, Étude critique de la notion de collectif (1939); the mixture is H. Robbins,
    "Statistical methods related to the law of the iterated logarithm" (1970).

    Examples
    --------
    >>> round(log_wealth(9, 1, 0, 0.5, "both", 0.5)(0.5), 3)  # 1024 B(9.5, 1.5) / B(0.5, 0.5)
    2.251
    """
    from scipy.special import betainc, betaincc, betaln, gammaln, logsumexp

    ones = np.arange(up, up + still + 1, dtype=np.float64)
    zeros = np.arange(down + still, down - 1, -1, dtype=np.float64)
    ties = gammaln(still + 1) - gammaln(ones - up + 1) - gammaln(zeros - down + 1)
    terms = ties - still * math.log(2.0) + betaln(ones + prior, zeros + prior)
    terms -= betaln(prior, prior)
    if side != "both":
        tail = betaincc if side == "above" else betainc
        with np.errstate(divide="ignore"):
            terms += np.log(tail(ones + prior, zeros + prior, threshold))
        share = float(tail(prior, prior, threshold))
        if share == 0.0:
            raise StatisticsError(
                "invalid_prior",
                f"expected a prior with mass {side} the threshold {threshold!r}, found "
                f"Beta({prior!r}, {prior!r}), which has none that a float can hold",
            )
        terms -= math.log(share)

    def at(mean: float) -> float:
        if (mean <= 0.0 and up + still) or (mean >= 1.0 and down + still):
            return math.inf
        log_one = math.log(mean) if mean > 0.0 else 0.0
        log_zero = math.log1p(-mean) if mean < 1.0 else 0.0
        return float(logsumexp(terms - ones * log_one - zeros * log_zero))

    return at


def means_in_play(
    up: int, down: int, still: int, prior: float, log_limit: float
) -> tuple[float, float]:
    """Lowest and highest mean at which the two-sided wealth stays below exp(log_limit).

    Parameters
    ----------
    up, down, still, prior : as in `log_wealth`, at least one count above 0.
    log_limit : above 0.

    Returns
    -------
    (lowest, highest) in [0, 1]
        Each a float at which the limit is reached, or 0 and 1 where it is not.

    Raises
    ------
    ZeroDivisionError
        Without values.

    References
    ----------
    As `log_wealth`.

    Examples
    --------
    >>> [round(mean, 3) for mean in means_in_play(9, 3, 0, 0.5, math.log(20))]
    [0.327, 0.974]
    """
    wealth = log_wealth(up, down, still, prior, "both", 0.5)
    centre = (up + still / 2) / (up + down + still)
    return (
        _edge(wealth, 0.0, centre, log_limit),
        _edge(wealth, 1.0, centre, log_limit),
    )


def check_prior(prior: Any) -> float:
    """Give the parameter of a prior; refuse all but numbers in (0, 1e300] (`invalid_prior`)."""
    if is_number(prior) and 0 < prior <= _MOST_PRIOR:
        return float(prior)
    raise StatisticsError(
        "invalid_prior", f"prior: expected a finite number above 0, found {shown(prior)}"
    )


def check_population(n: int, population: object) -> int | None:
    """Give the size; refuse one below n (`invalid_count`) or above 5e6 (`too_large`)."""
    if population is None:
        return None
    _, size = check_part("n", n, "population", population)
    check_size("population", size, _MOST_AT_ONCE)
    return size


def check_pairs_so_far(n01: object, n10: object, n: object) -> tuple[int, int, int]:
    """Give pairs up, down and still; refuse more than 5e6 that are still (`too_large`)."""
    up, down = check_count("n01", n01), check_count("n10", n10)
    discordant, pairs = check_part("n01 + n10", up + down, "n", n)
    check_size("n - n01 - n10", pairs - discordant, _MOST_AT_ONCE)
    return up, down, pairs - discordant


def _edge(
    wealth: Callable[[float], float], outside: float, inside: float, log_limit: float
) -> float:
    """The point where the wealth crosses the limit, from the side that is ruled out."""
    if wealth(outside) < log_limit:
        return outside
    while True:
        middle = (outside + inside) / 2
        if middle in (outside, inside):
            return outside
        if wealth(middle) < log_limit:
            inside = middle
        else:
            outside = middle


__all__ = [
    "Side",
    "check_pairs_so_far",
    "check_population",
    "check_prior",
    "log_wealth",
    "means_in_play",
]
