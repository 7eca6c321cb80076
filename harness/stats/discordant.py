"""Tests on the pairs that differ: McNemar's, in four named variants, and the sign test."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb, erfc, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.checks import (
    StatisticsError,
    check_choice,
    check_count,
    check_same_length,
    check_share,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

VARIANTS = ("exact", "midp", "chi2", "chi2_cc")
ALTERNATIVES = ("two-sided", "greater", "less")
_IN_INTEGERS = 1_000
_MOST_BITS = 100_000
_NEAR_TIE = 1e-11


@dataclass(frozen=True, kw_only=True, slots=True)
class SignTest:
    """A sign test: `n_used` pairs with a sign, `n_zero` ties dropped, and the p-value."""

    p: float
    n_used: int
    n_zero: int
    alternative: str


def mcnemar(n01: int, n10: int, variant: str) -> float:
    """Give the two-sided p-value of McNemar's test.

    Parameters
    ----------
    n01, n10 : discordant pairs of either kind: only the second right, only the first right.
    variant : "exact" doubles the smaller binomial tail; "midp" takes half of the observed
        table's probability off each tail; "chi2" and "chi2_cc" are the chi-squared
        approximation, without and with the continuity correction |n01 - n10| - 1, not below 0.

    Returns
    -------
    float
        In [0, 1], and 1 without a discordant pair. Up to 1,000 pairs of the rarer kind the
        binomial tails are summed in integers and rounded once; beyond that they come from the
        incomplete beta function, as in `mcnemar_many`. Values below 5e-324 become 0.

    Raises
    ------
    StatisticsError
        `invalid_count`, `unknown_variant`.

    References
    ----------
    M. W. Fagerland, S. Lydersen, P. Laake, "The McNemar test for binary matched-pairs data",
    BMC Medical Research Methodology 13 (2013), 91.

    Examples
    --------
    >>> mcnemar(10, 2, "exact"), mcnemar(10, 2, "midp")
    (0.03857421875, 0.0224609375)
    """
    check_choice("variant", variant, VARIANTS)
    n01, n10 = check_count("n01", n01), check_count("n10", n10)
    few, n = min(n01, n10), n01 + n10
    if variant in ("chi2", "chi2_cc"):
        apart = n - 2 * few - (variant == "chi2_cc")
        return erfc(sqrt(apart * apart / n / 2.0)) if apart > 0 else 1.0
    if n == 2 * few:
        return 1.0
    if few <= _IN_INTEGERS and n <= _MOST_BITS:
        once = comb(n, few) if variant == "midp" else 0
        return (2 * _ways_up_to(few, n) - once) / (1 << n)
    return float(mcnemar_many([n01], [n10], variant)[0])


def mcnemar_many(
    n01: Sequence[int] | NDArray[np.int64], n10: Sequence[int] | NDArray[np.int64], variant: str
) -> NDArray[np.float64]:
    """Give the p-values of many McNemar tests at once.

    Parameters
    ----------
    n01, n10 : discordant pairs of each comparison, integers of at least 0, equal lengths.
    variant : as in `mcnemar`.

    Returns
    -------
    array of float64, shape (comparisons,)
        As `mcnemar`, to 1e-12 relative for p above 1e-50 and counts up to 1e6.

    Raises
    ------
    StatisticsError
        `invalid_count`, `length_mismatch`, `unknown_variant`.

    References
    ----------
    NIST Digital Library of Mathematical Functions, 8.17.5: binomial tails as incomplete betas.

    Examples
    --------
    >>> mcnemar_many([10, 0], [2, 0], "exact").round(6).tolist()
    [0.038574, 1.0]
    """
    check_choice("variant", variant, VARIANTS)
    check_same_length(n01=n01, n10=n10)
    left, right = _counts("n01", n01), _counts("n10", n10)
    few, n = np.minimum(left, right), left + right
    from scipy.special import betainc, erfc

    if variant in ("chi2", "chi2_cc"):
        apart = np.maximum(n - 2.0 * few - (variant == "chi2_cc"), 0.0)
        return np.asarray(erfc(np.sqrt(apart * apart / np.maximum(n, 1) / 2.0)))
    tail = betainc(n - few, few + 1.0, 0.5, where=n > 2 * few, out=np.full(few.shape, 0.5))
    if variant == "exact":
        return np.minimum(2.0 * tail, 1.0)
    # P(X < few) is a tail of its own: taking the table's probability off would lose digits.
    inner = betainc(n - few + 1.0, few, 0.5, where=few > 0, out=np.zeros(few.shape))
    return np.where(n > 2 * few, tail + inner, 1.0)


def sign_test(n_positive: int, n_negative: int, n_zero: int, alternative: str) -> SignTest:
    """Test whether signs lean to one side, by the exact binomial.

    Parameters
    ----------
    n_positive, n_negative : differences above and below zero.
    n_zero : differences of exactly zero; they are dropped and counted.
    alternative : "two-sided"; "greater" asks whether positives are more frequent, "less"
        whether they are rarer.

    Returns
    -------
    SignTest
        `p` in [0, 1], and 1 when every difference is zero. The two-sided value doubles the
        smaller tail: it is exact McNemar on the same counts.

    Raises
    ------
    StatisticsError
        `invalid_count`, `unknown_variant` for another alternative.

    References
    ----------
    W. J. Conover, Practical Nonparametric Statistics (3rd ed., 1999), 3.4.

    Examples
    --------
    >>> sign_test(13, 3, 43, "greater").p, sign_test(13, 3, 43, "two-sided").p
    (0.0106353759765625, 0.021270751953125)
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    n_positive = check_count("n_positive", n_positive)
    n_negative = check_count("n_negative", n_negative)
    n_zero = check_count("n_zero", n_zero)
    n = n_positive + n_negative
    if alternative == "two-sided":
        p = mcnemar(n_positive, n_negative, "exact")
    else:
        p = _tail(n_negative if alternative == "greater" else n_positive, n)
    return SignTest(p=p, n_used=n, n_zero=n_zero, alternative=alternative)


def most_rejected(discordant: NDArray[np.int64], alpha: float, variant: str) -> NDArray[np.int64]:
    """Give the critical values of McNemar's test.

    Parameters
    ----------
    discordant : numbers of discordant pairs, integers of at least 1.
    alpha : the test rejects at p ≤ alpha, strictly between 0 and 1.
    variant : as in `mcnemar`.

    Returns
    -------
    array of int64, shape of `discordant`
        The most pairs of the rarer kind with which the test still rejects, -1 where no table
        of that many discordant pairs does. Where a table's p-value is alpha itself it is
        compared in exact arithmetic.

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_level`, `unknown_variant`.

    References
    ----------
    Those of `mcnemar`.

    Examples
    --------
    >>> most_rejected(np.array([5, 6, 16]), 0.05, "exact").tolist()
    [-1, 0, 3]
    """
    alpha = check_share("alpha", alpha)
    half = (discordant - 1) // 2
    limit = Fraction(repr(alpha))

    def rejects(few: NDArray[np.int64]) -> NDArray[np.bool_]:
        safe = np.maximum(few, 0)
        p = mcnemar_many(safe, discordant - safe, variant)
        found = (p <= alpha) & (few >= 0)
        for place in np.flatnonzero((np.abs(p / alpha - 1.0) < _NEAR_TIE) & (few >= 0)):
            p_value = mcnemar(int(safe[place]), int(discordant[place] - safe[place]), variant)
            found[place] = Fraction(p_value) <= limit
        return found

    reach = -NormalDist().inv_cdf(alpha / 2.0) * np.sqrt(discordant) / 2.0
    most = np.clip(np.floor(discordant / 2.0 - reach).astype(np.int64), -1, half)
    while (over := (most >= 0) & ~rejects(most)).any():
        most = most - over
    while (under := (most < half) & rejects(most + 1)).any():
        most = most + under
    return most


def _tail(k: int, n: int) -> float:
    """P(X <= k) for X of n fair coins."""
    if k >= n:
        return 1.0
    if min(k, n - k - 1) <= _IN_INTEGERS and n <= _MOST_BITS:
        ways = _ways_up_to(k, n) if k < n - k else (1 << n) - _ways_up_to(n - k - 1, n)
        return ways / (1 << n)
    from scipy.special import betainc

    return float(betainc(n - k, k + 1, 0.5))


def _ways_up_to(k: int, n: int) -> int:
    total, ways = 0, 1
    for i in range(k + 1):
        total += ways
        ways = ways * (n - i) // (i + 1)
    return total


def _counts(name: str, given: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    found = np.asarray(given)
    whole = found.size == 0 or found.dtype.kind in "iu"
    if found.ndim != 1 or not whole or (found.size and int(found.min()) < 0):
        for place, count in enumerate(found.tolist()):
            check_count(f"{name}[{place}]", count)
        raise StatisticsError(
            "invalid_count",
            f"{name}: expected one row of integers below 2**63, found {found.ndim} axes of "
            f"{found.dtype}",
        )
    return found.astype(np.int64)


__all__ = [
    "ALTERNATIVES",
    "SignTest",
    "mcnemar",
    "mcnemar_many",
    "most_rejected",
    "sign_test",
]
