"""The difference of two paired proportions, with the exact bootstrap interval."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.estimate import Estimate

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NEAR_TIE = 1e-10
_METHOD = "exact bootstrap distribution over pairs, percentile interval"


def paired_difference(n01: int, n10: int, n: int, level: float) -> Estimate:
    """Estimate the difference of two accuracies on the same examples: second minus first.

    Drawing n pairs with replacement makes the difference a walk of n steps: +1 with
    probability n01 / n, -1 with n10 / n, else 0. The interval is read from that walk's
    distribution, computed from the counts and not sampled, so it needs no seed.

    Parameters
    ----------
    n01 : pairs with the first wrong and the second right.
    n10 : pairs with the first right and the second wrong.
    n : all pairs, n01 + n10 ≤ n.
    level : confidence level, strictly between 0 and 1.

    Returns
    -------
    Estimate
        `value` is (n01 - n10) / n. The bounds are the (1 - level) / 2 and (1 + level) / 2
        quantiles by inverted CDF, so both lie on the lattice of multiples of 1 / n. When
        every resample equals the estimate (no discordant pair, or all pairs discordant the
        same way) the interval is that point and `method` says "degenerate". With n = 0 all
        three numbers are None.

    Raises
    ------
    ValueError
        For counts that are not integers, negative or more than n; a level outside (0, 1).

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.

    Examples
    --------
    >>> estimate = paired_difference(30, 12, 300, 0.95)
    >>> estimate.value, estimate.low
    (0.06, 0.02)
    """
    _check(n01, n10, n, level)
    if n == 0:
        return Estimate(
            value=None,
            low=None,
            high=None,
            level=level,
            n=0,
            method=f"{_METHOD} (no pairs)",
            unit="difference of proportions",
        )
    method = _METHOD
    if n01 + n10 == 0 or n in (n01, n10):
        low = high = n01 - n10
        method += " (degenerate: every resample equals the estimate)"
    else:
        tail = (1 - Fraction(repr(float(level)))) / 2
        cumulative = np.cumsum(walk_pmf(n01, n10, n))
        low = _quantile(cumulative, tail, n01, n10, n)
        high = _quantile(cumulative, 1 - tail, n01, n10, n)
    return Estimate(
        value=(n01 - n10) / n,
        low=low / n,
        high=high / n,
        level=level,
        n=n,
        method=method,
        unit="difference of proportions",
    )


def mcnemar(n01: int, n10: int) -> float:
    """The p-value of the exact two-sided McNemar test on discordant pairs.

    min(1, 2 * sum over i <= min(n01, n10) of C(n, i) / 2**n), n = n01 + n10; 1 when there is
    no discordant pair. Computed in integers and rounded once.

    Raises
    ------
    ValueError
        For a negative count.

    Examples
    --------
    >>> mcnemar(10, 2)
    0.03857421875
    """
    if n01 < 0 or n10 < 0:
        raise ValueError(f"expected counts of at least 0, found {n01} and {n10}")
    n = n01 + n10
    tail, ways = 0, 1
    for i in range(min(n01, n10) + 1):
        tail += ways
        ways = ways * (n - i) // (i + 1)
    return float(min(Fraction(1), Fraction(2 * tail, 2**n)))


def walk_pmf(n01: int, n10: int, n: int) -> NDArray[np.float64]:
    """Distribution of the sum of n independent steps (+1, -1, 0) with the given shares.

    Parameters
    ----------
    n01, n10, n : as in `paired_difference`, n ≥ 1.

    Returns
    -------
    array of float64, shape (2n + 1,)
        Probabilities of the sums -n … n, by the inverse FFT of the characteristic function;
        the absolute error is below 1e-12.
    """
    size = 2 * n + 1
    turn = np.exp(-2j * np.pi * np.arange(size) / size)
    step = ((n - n01 - n10) + n01 * turn + n10 * np.conj(turn)) / n
    mass = np.fft.ifft(step**n).real
    return np.roll(np.clip(mass, 0.0, 1.0), n)


def _quantile(cumulative: NDArray[np.float64], q: Fraction, n01: int, n10: int, n: int) -> int:
    """Smallest sum whose probability of "at most" reaches q; a near tie is settled exactly."""
    index = int(np.searchsorted(cumulative, float(q) - _NEAR_TIE, side="left"))
    while index < 2 * n and cumulative[index] < float(q) + _NEAR_TIE:
        if _exact_cdf(index - n, n01, n10, n) >= q:
            break
        index += 1
    return min(index, 2 * n) - n


def _exact_cdf(total: int, n01: int, n10: int, n: int) -> Fraction:
    still = n - n01 - n10
    ways = 0
    for up in range(n + 1):
        ups = comb(n, up) * n01**up
        if not ups:
            continue
        for down in range(max(0, up - total), n - up + 1):
            ways += ups * comb(n - up, down) * n10**down * still ** (n - up - down)
    return Fraction(ways, n**n)


def _check(n01: int, n10: int, n: int, level: float) -> None:
    counts = {"n01": n01, "n10": n10, "n": n}
    for name, count in counts.items():
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise ValueError(
                f"paired_difference: expected {name} as an integer of at least 0, found {count!r}"
            )
    if n01 + n10 > n:
        raise ValueError(f"paired_difference: expected n01 + n10 <= n, found {n01} + {n10} > {n}")
    if not 0.0 < level < 1.0:
        raise ValueError(
            f"paired_difference: expected a level strictly between 0 and 1, found {level}"
        )


__all__ = ["mcnemar", "paired_difference", "walk_pmf"]
