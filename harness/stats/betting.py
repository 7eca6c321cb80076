"""The wealth of a bettor against a stated mean: what the sequential methods are made of.

A bettor who starts with 1 and is offered fair odds at a stated mean has, at the true mean, a
wealth that is a nonnegative martingale: the chance that it ever reaches 1 / alpha is at most
alpha (Ville 1939). A mean at which the wealth is that large is ruled out, at whatever time and
however often one looks. All wealths here depend on the counts alone, not on their order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from harness.stats.checks import (
    StatisticsError,
    check_count,
    check_part,
    check_size,
    is_number,
    shown,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

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

    The result is convex in the mean and at most 0 at the observed mean (side "both").
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
    """Lowest and highest mean at which the two-sided wealth stays below exp(log_limit)."""
    wealth = log_wealth(up, down, still, prior, "both", 0.5)
    centre = (up + still / 2) / (up + down + still)
    return (
        _edge(wealth, 0.0, centre, log_limit),
        _edge(wealth, 1.0, centre, log_limit),
    )


def log_finite_wealth(
    k: int, n: int, population: int, prior: float
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """A finite population drawn without replacement: prior and likelihood of each total.

    Returns all totals 0 … population, the log prior of each (beta-binomial) and the log
    probability of one order of the draws (k ones in n) under each, -inf where impossible.
    The wealth against a total is the prior's mean of the likelihood over its own likelihood.
    """
    from scipy.special import betaln, gammaln

    totals = np.arange(population + 1)
    log_prior = _log_choose(population, totals) - betaln(prior, prior)
    log_prior += betaln(totals + prior, population - totals + prior)
    possible = (totals >= k) & (population - totals >= n - k)
    log_likelihood = np.full(population + 1, -np.inf)
    kept = totals[possible]
    log_likelihood[possible] = (
        gammaln(kept + 1)
        - gammaln(kept - k + 1)
        + gammaln(population - kept + 1)
        - gammaln(population - kept - (n - k) + 1)
        - gammaln(population + 1)
        + gammaln(population - n + 1)
    )
    return totals, log_prior, log_likelihood


def log_finite_difference(
    up: int, down: int, still: int, population: int, prior: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The log wealth against each total difference of a finite population of +1, -1 and 0.

    The bettor is the Dirichlet(prior, prior, prior) mixture over the three totals. A
    difference D is compatible with many totals; its wealth is the smallest of theirs, since a
    difference is ruled out only with all of them. Returns D = -population … population and
    the log wealth of each, inf where the counts make D impossible.
    """
    from scipy.special import gammaln

    n, a = up + down + still, prior
    log_marginal = float(gammaln(3 * a) - gammaln(n + 3 * a) - 3 * gammaln(a))
    log_marginal += float(sum(gammaln(count + a) for count in (up, down, still)))
    factorial = gammaln(np.arange(population + 1) + 1.0)
    differences = np.arange(-population, population + 1)
    lowest = still + (population - differences - still) % 2
    highest = population + np.minimum(differences - 2 * up, -differences - 2 * down)
    possible = lowest <= highest

    def log_ways(zeros: NDArray[np.int64]) -> NDArray[np.float64]:
        plus = (population - zeros + differences[possible]) // 2
        minus = population - zeros - plus
        parts = ((plus, up), (minus, down), (zeros, still))
        return np.asarray(sum(factorial[have] - factorial[have - drawn] for have, drawn in parts))

    # Along zeros in steps of two the log is concave: bisect for the last step that rises.
    low, high = lowest[possible], highest[possible]
    while np.any(low < high):
        middle = low + 2 * ((high - low) // 4)
        inner = np.minimum(middle + 2, high)
        rises = (inner > middle) & (log_ways(inner) > log_ways(middle))
        low, high = np.where(rises, inner, low), np.where(rises, high, middle)
    log_wealth_of = np.full(len(differences), np.inf)
    log_all = factorial[population] - factorial[population - n]
    log_wealth_of[possible] = log_marginal + log_all - log_ways(low)
    return differences, log_wealth_of


def log_sum(logs: NDArray[np.float64]) -> float:
    """The log of the sum of what stands in logs; -inf for none."""
    from scipy.special import logsumexp

    return float(logsumexp(logs)) if len(logs) else -math.inf


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


def _log_choose(n: int, k: NDArray[np.int64]) -> NDArray[np.float64]:
    from scipy.special import gammaln

    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))


__all__ = [
    "Side",
    "check_pairs_so_far",
    "check_population",
    "check_prior",
    "log_finite_difference",
    "log_finite_wealth",
    "log_sum",
    "log_wealth",
    "means_in_play",
]
