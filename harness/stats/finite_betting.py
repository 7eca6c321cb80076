"""The wealth of a bettor on a finite population, drawn without replacement (see `betting`)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def log_finite_wealth(
    k: int, n: int, population: int, prior: float
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """A finite population drawn without replacement: prior and likelihood of each total.

    Parameters
    ----------
    k, n, population : ones among the draws, draws, members: 0 <= k <= n <= population.
    prior : parameter of the beta-binomial prior of the total, above 0.

    Returns
    -------
    (totals, log prior, log likelihood), shape (population + 1,) each
        All totals 0 … population, the log prior of each and the log probability of one order
        of the draws under each, -inf where impossible. The wealth against a total is the
        prior's mean of the likelihood over its own likelihood.

    Raises
    ------
    ValueError
        For a negative population.

    References
    ----------
    I. Waudby-Smith, A. Ramdas, "Confidence sequences for sampling without replacement" (2020).

    Examples
    --------
    >>> totals, _, likelihood = log_finite_wealth(1, 1, 2, 0.5)
    >>> totals.tolist(), np.exp(likelihood).round(12).tolist()
    ([0, 1, 2], [0.0, 0.5, 1.0])
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
    difference is ruled out only with all of them.

    Parameters
    ----------
    up, down, still : counts of +1, -1 and 0 so far, at most `population` together.
    population, prior : members; parameter of the mixture, above 0.

    Returns
    -------
    (differences, log wealth), shape (2 population + 1,) each
        D = -population … population, and inf where the counts make D impossible.

    Raises
    ------
    ValueError
        For a negative population.

    References
    ----------
    As `log_finite_wealth`.

    Examples
    --------
    >>> log_finite_difference(1, 0, 0, 1, 0.5)[1].round(3).tolist()  # one draw of three
    [inf, inf, -1.099]
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
    """The log of the sum of what stands in logs.

    Parameters
    ----------
    logs : any shape.

    Returns
    -------
    float
        -inf for none.

    Raises
    ------
    TypeError
        For what has no length.

    References
    ----------
    `scipy.special.logsumexp`.

    Examples
    --------
    >>> log_sum(np.array([]))
    -inf
    """
    from scipy.special import logsumexp

    return float(logsumexp(logs)) if len(logs) else -math.inf


def _log_choose(n: int, k: NDArray[np.int64]) -> NDArray[np.float64]:
    from scipy.special import gammaln

    return np.asarray(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1))


__all__ = ["log_finite_difference", "log_finite_wealth", "log_sum"]
