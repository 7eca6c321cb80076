"""Confidence sequences: intervals that stay valid however often, and whenever, one looks.

A fixed-n interval that is looked at after every example errs far more often than its level
says. These intervals hold at all times at once: with probability `level` not one of them, from
the first example to the last, misses the truth. So a canary may stop as soon as it is decided.

`population` names what the truth is. None: the rate of the source from which the examples come
independently. An integer: the result on a benchmark of that many examples, of which those seen
so far are a random part drawn without replacement (a tier ordered by hash is one); the interval
then closes on the full result as the sample reaches it.
"""

from __future__ import annotations

import math

from harness.stats.betting import (
    check_pairs_so_far,
    check_population,
    check_prior,
    means_in_play,
)
from harness.stats.checks import check_part, check_share
from harness.stats.estimate import Estimate
from harness.stats.finite_betting import log_finite_difference, log_finite_wealth, log_sum


def rate_sequence(k: int, n: int, level: float, prior: float, population: int | None) -> Estimate:
    """Estimate a rate with the interval of an anytime-valid confidence sequence.

    Parameters
    ----------
    k, n : successes and trials so far, 0 ≤ k ≤ n.
    level : confidence of the whole sequence, strictly between 0 and 1.
    prior : a > 0 of the Beta(a, a) mixture, the same for all looks; 0.5 serves all rates, a
        large one tightens late looks at rates near one half.
    population : size of the benchmark drawn without replacement (n ≤ population), or None.

    Returns
    -------
    Estimate
        The rates at which the beta-binomial mixture stays below 1 / (1 - level). `value` is
        k / n. With n = 0 the value is None and the interval is 0 to 1. With a population the
        bounds are multiples of 1 / population, and a point at n = population.

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_level`, `invalid_prior`; `too_large` for a population above 5e6.

    References
    ----------
    H. Robbins, "Statistical methods related to the law of the iterated logarithm", Ann. Math.
    Statist. 41 (1970); S. Howard, A. Ramdas, J. McAuliffe, J. Sekhon, "Time-uniform,
    nonparametric, nonasymptotic confidence sequences", Ann. Statist. 49 (2021); without
    replacement: I. Waudby-Smith, A. Ramdas, "Confidence sequences for sampling without
    replacement", NeurIPS 2020.

    Examples
    --------
    >>> estimate = rate_sequence(80, 100, 0.95, 0.5, None)
    >>> estimate.value, round(estimate.low, 4), round(estimate.high, 4)
    (0.8, 0.6484, 0.909)
    >>> rate_sequence(80, 100, 0.95, 0.5, 100).low
    0.8
    """
    k, n = check_part("k", k, "n", n)
    level, prior, population = _checked(n, level, prior, population)
    method = f"beta-binomial confidence sequence, prior Beta({prior:g}, {prior:g})"
    low, high = 0.0, 1.0
    if n and population is None:
        low, high = means_in_play(k, n - k, 0, prior, -math.log(1.0 - level))
    elif n and population is not None:
        totals, log_prior, log_likelihood = log_finite_wealth(k, n, population, prior)
        log_mean = log_sum(log_prior + log_likelihood)
        inside = totals[log_mean - log_likelihood < -math.log(1.0 - level)]
        low, high = int(inside[0]) / population, int(inside[-1]) / population
    return _estimate(k / n if n else None, low, high, n, level, method, "proportion", population)


def difference_sequence(
    n01: int, n10: int, n: int, level: float, prior: float, population: int | None
) -> Estimate:
    """Estimate a paired difference with the interval of an anytime-valid confidence sequence.

    Parameters
    ----------
    n01, n10, n : pairs with only the second right, with only the first right, and all pairs
        so far; n01 + n10 ≤ n.
    level, prior, population : as in `rate_sequence`.

    Returns
    -------
    Estimate
        `value` is (n01 - n10) / n, second minus first; the interval lies in [-1, 1]. With n = 0
        the value is None and the interval is -1 to 1. With a population the prior is
        Dirichlet over the three totals and the interval is a point at n = population.

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_level`, `invalid_prior`; `too_large` for a population, or
        pairs that agree, above 5e6.

    References
    ----------
    I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting",
    JRSS-B 86 (2024); the mixture over constant bets: F. Orabona, K.-S. Jun, "Tight
    concentrations and confidence sequences from the regret of universal portfolio", IEEE
    Trans. Inf. Theory 70 (2024).

    Examples
    --------
    >>> estimate = difference_sequence(30, 12, 300, 0.95, 0.5, None)
    >>> estimate.value, round(estimate.low, 4), round(estimate.high, 4)
    (0.06, -0.0084, 0.1345)
    """
    n01, n10, still = check_pairs_so_far(n01, n10, n)
    n = n01 + n10 + still
    level, prior, population = _checked(n, level, prior, population)
    low, high = -1.0, 1.0
    method = f"betting confidence sequence, bets from Beta({prior:g}, {prior:g})"
    if population is not None:
        method = f"Dirichlet-multinomial confidence sequence, prior {prior:g}"
    if n and population is None:
        means = means_in_play(n01, n10, still, prior, -math.log(1.0 - level))
        low, high = (2.0 * mean - 1.0 for mean in means)
    elif n and population is not None:
        totals, log_e = log_finite_difference(n01, n10, still, population, prior)
        inside = totals[log_e < -math.log(1.0 - level)]
        low, high = int(inside[0]) / population, int(inside[-1]) / population
    value = (n01 - n10) / n if n else None
    unit = "difference of proportions"
    return _estimate(value, low, high, n, level, method, unit, population)


def _checked(
    n: int, level: object, prior: object, population: object
) -> tuple[float, float, int | None]:
    return check_share("level", level), check_prior(prior), check_population(n, population)


def _estimate(
    value: float | None,
    low: float,
    high: float,
    n: int,
    level: float,
    method: str,
    unit: str,
    population: int | None,
) -> Estimate:
    notes = [] if population is None else [f"without replacement from {population}"]
    notes += [] if n else ["no data: whole range"]
    return Estimate(
        value=value,
        low=low,
        high=high,
        level=level,
        n=n,
        method=f"{method} ({'; '.join(notes)})" if notes else method,
        unit=unit,
    )


__all__ = ["difference_sequence", "rate_sequence"]
