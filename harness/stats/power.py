"""What a paired comparison can see: power, the smallest visible effect, the pairs it needs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from harness.stats.checks import (
    MOST_COUNT,
    StatisticsError,
    check_choice,
    check_count,
    check_share,
    check_size,
    is_number,
    shown,
)
from harness.stats.discordant import VARIANTS, most_rejected

METHODS = ("exact", "normal")
_LOG_MASS_OUTSIDE = math.log(2e16)
_SMOOTH = 25.0
_ROOT_2 = math.sqrt(2.0)
_MOST_PAIRS = 1_000_000
_MOST_TESTED = 10**9


@dataclass(frozen=True, kw_only=True, slots=True)
class TwoProportions:
    """Cohen's h between two proportions, and the observations that each group then needs."""

    effect_size_h: float
    n_per_group: float | None


def paired_mde(n: int, discordant_rate: float, alpha: float, power: float) -> float | None:
    """Give the smallest difference of paired proportions that a test of n pairs would find.

    Parameters
    ----------
    n : pairs.
    discordant_rate : share of pairs that differ, in [0, 1].
    alpha : two-sided error of the test, strictly between 0 and 1.
    power : chance of finding the difference, strictly between 0 and 1.

    Returns
    -------
    float or None
        The d > 0 that solves d = z sqrt((discordant_rate - d²) / n), z = z(1 - alpha / 2) +
        z(power), as a proportion. A normal approximation: the exact test finds it somewhat
        less often than `power` says (72 % for 80 % in a study of 59 pairs, 78 % in one of
        942); `mcnemar_power` gives the exact power. It may exceed the discordant rate, which
        says that no difference this data could hold would be found. 0 for a power so low that
        z ≤ 0. None without pairs or without discordance: 0 would claim that every effect is
        visible.

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_probability` for the rate, `invalid_level`.

    References
    ----------
    R. J. Connor, "Sample size for testing differences in proportions for the paired-sample
    design", Biometrics 43 (1987), 207-211.

    Examples
    --------
    >>> round(paired_mde(300, 0.4, 0.05, 0.8), 4)
    0.101
    """
    n = check_count("n", n)
    rate = _probability("discordant_rate", discordant_rate)
    z = max(0.0, _reach(alpha, power))
    if n == 0 or rate == 0.0:
        return None
    return z * math.sqrt(rate / (n + z * z))


def mcnemar_power(n: int, p10: float, p01: float, alpha: float, variant: str) -> float:
    """Give the power of McNemar's test by enumerating every number of discordant pairs.

    Parameters
    ----------
    n : pairs.
    p10, p01 : true shares of pairs with only the first right and only the second right,
        together at most 1.
    alpha : the test rejects at p ≤ alpha, strictly between 0 and 1.
    variant : "exact", "midp", "chi2" or "chi2_cc", as in `mcnemar`.

    Returns
    -------
    float
        In [0, 1]: the probability of a rejection on either side, to 1e-10. 0 without pairs or
        without discordance.

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_probability` (also when the two exceed 1 together),
        `invalid_level`, `unknown_variant`, `too_large` for more than 1e9 pairs.

    References
    ----------
    S. W. Duffy, "Asymptotic and exact power for the McNemar test and its analogue with R
    controls per case", Biometrics 40 (1984), 1005-1015.

    Examples
    --------
    >>> round(mcnemar_power(59, 13 / 59, 3 / 59, 0.05, "exact"), 6)
    0.663387
    """
    n = check_count("n", n)
    check_size("n", n, _MOST_TESTED)
    p10, p01 = _shares(p10, p01)
    alpha = check_share("alpha", alpha)
    check_choice("variant", variant, VARIANTS)
    rate = p10 + p01
    if n == 0 or rate == 0:
        return 0.0
    from scipy.special import betainc, betaincc
    from scipy.stats import binom

    rate = min(rate, 1.0)
    # All but 1e-16 of the numbers of discordant pairs lie within Bernstein's bound.
    third = _LOG_MASS_OUTSIDE / 3.0
    reach = third + math.sqrt(third * third + 2.0 * _LOG_MASS_OUTSIDE * n * rate * (1.0 - rate))
    discordant = np.arange(max(1, int(n * rate - reach)), min(n, int(n * rate + reach) + 1) + 1)
    most = most_rejected(discordant, alpha, variant)
    discordant, most = discordant[most >= 0], most[most >= 0]
    share = p10 / (p10 + p01)
    # P(X <= most) and P(X >= m - most) for X of m with this share.
    low = betaincc(most + 1.0, discordant - most, share)
    high = betainc(discordant - most, most + 1.0, share)
    total = float(np.sum(binom.pmf(discordant, n, rate) * (low + high)))
    return min(1.0, total)


def required_pairs(p10: float, p01: float, alpha: float, power: float, method: str) -> int | None:
    """Give the number of pairs at which McNemar's test reaches a power.

    Parameters
    ----------
    p10, p01 : true shares of pairs with only the first right and only the second right,
        together at most 1.
    alpha : two-sided error of the test, strictly between 0 and 1.
    power : chance of finding the difference, strictly between 0 and 1.
    method : "exact" asks `mcnemar_power` of the exact test; "normal" rounds up Connor's formula
        (z(1 - alpha / 2) sqrt(ψ) + z(power) sqrt(ψ - δ²))² / δ², ψ = p10 + p01, δ = p10 - p01.

    Returns
    -------
    int or None
        Pairs, at least 1. When nearly all pairs differ exact power is a sawtooth in n, and
        some larger n may fall short again: the number is the first that reaches the power.
        None when p10 = p01, and when the search for the exact test would pass 1e6 pairs.

    Raises
    ------
    StatisticsError
        `invalid_probability`, `invalid_level`, `unknown_variant` for another method;
        `too_large` for a normal approximation beyond 2**53 pairs.

    References
    ----------
    R. J. Connor, "Sample size for testing differences in proportions for the paired-sample
    design", Biometrics 43 (1987), 207-211.

    Examples
    --------
    >>> required_pairs(0.2, 0.12, 0.05, 0.8, "normal")
    391
    """
    p10, p01 = _shares(p10, p01)
    alpha, power = check_share("alpha", alpha), check_share("power", power)
    check_choice("method", method, METHODS)
    if p10 == p01:
        return None
    rate, drift = p10 + p01, p10 - p01
    spread = math.sqrt(max(0.0, rate - drift * drift))
    z_alpha, z_power = -NormalDist().inv_cdf(alpha / 2), NormalDist().inv_cdf(power)
    root = z_alpha * math.sqrt(rate) + z_power * spread
    root = max(0.0, root)
    guess = max(1.0, (root / drift) ** 2)
    if method == "normal":
        check_size("pairs", math.ceil(min(guess, 2.0 * MOST_COUNT)), MOST_COUNT)
        return math.ceil(guess)
    if guess > _MOST_PAIRS:
        return None
    return _smallest(math.ceil(guess), p10, p01, alpha, power)


def two_proportion_n(p1: float, p2: float, alpha: float, power: float) -> TwoProportions:
    """Give the observations per group that tell two independent proportions apart.

    Parameters
    ----------
    p1, p2 : the two proportions, in [0, 1].
    alpha : two-sided error of the test, strictly between 0 and 1.
    power : chance of finding the difference, strictly between 0 and 1.

    Returns
    -------
    TwoProportions
        `effect_size_h` is |2 asin √p1 - 2 asin √p2|; `n_per_group` solves the power of the
        two-sided z test, both tails counted, and is not rounded up; None for equal
        proportions, 0 for a power that alpha alone gives.

    Raises
    ------
    StatisticsError
        `invalid_probability`, `invalid_level`.

    References
    ----------
    J. Cohen, Statistical Power Analysis for the Behavioral Sciences (2nd ed., 1988), ch. 6.

    Examples
    --------
    >>> round(two_proportion_n(0.5, 0.55, 0.05, 0.8).n_per_group)
    1565
    """
    p1, p2 = _probability("p1", p1), _probability("p2", p2)
    alpha, power = check_share("alpha", alpha), check_share("power", power)
    effect = abs(2.0 * math.asin(math.sqrt(p1)) - 2.0 * math.asin(math.sqrt(p2)))
    if effect == 0.0:
        return TwoProportions(effect_size_h=0.0, n_per_group=None)
    reach = _shift(alpha, power) / effect
    return TwoProportions(effect_size_h=effect, n_per_group=2.0 * reach * reach)


def _shift(alpha: float, power: float) -> float:
    """The mean at which a two-sided z test of one normal deviate has this power, by bisection."""
    z = -NormalDist().inv_cdf(alpha / 2)
    low, high = 0.0, z - NormalDist().inv_cdf(min(1.0 - power, 0.5)) + 1.0
    while low < (middle := (low + high) / 2) < high:
        upper, lower = math.erfc((z - middle) / _ROOT_2) / 2, math.erfc((z + middle) / _ROOT_2) / 2
        low, high = (middle, high) if upper + lower < power else (low, middle)
    return high if low > 0.0 else 0.0


def _smallest(guess: int, p10: float, p01: float, alpha: float, power: float) -> int | None:
    def enough(n: int) -> bool:
        return mcnemar_power(n, p10, p01, alpha, "exact") >= power

    low, high = 0, guess
    while high <= _MOST_PAIRS and not enough(high):
        low, high = high, 2 * high
    if high > _MOST_PAIRS:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    # Where the number of discordant pairs hardly varies, power is a sawtooth in n.
    rate = p10 + p01
    if high * rate * (1.0 - rate) >= _SMOOTH:
        return high
    first = max(1, high - 20 - 4 * math.isqrt(high))
    return next((n for n in range(first, high) if enough(n)), high)


def _reach(alpha: float, power: float) -> float:
    alpha, power = check_share("alpha", alpha), check_share("power", power)
    return NormalDist().inv_cdf(power) - NormalDist().inv_cdf(alpha / 2)


def _probability(name: str, value: Any) -> float:
    if not is_number(value) or not 0 <= value <= 1:
        raise StatisticsError(
            "invalid_probability", f"{name}: expected a number in [0, 1], found {shown(value)}"
        )
    return float(value)


def _shares(p10: float, p01: float) -> tuple[float, float]:
    p10, p01 = _probability("p10", p10), _probability("p01", p01)
    if p10 + p01 > 1 + 1e-12:
        raise StatisticsError(
            "invalid_probability", f"expected p10 + p01 <= 1, found {p10} + {p01}"
        )
    return p10, p01


__all__ = [
    "METHODS",
    "TwoProportions",
    "mcnemar_power",
    "paired_mde",
    "required_pairs",
    "two_proportion_n",
]
