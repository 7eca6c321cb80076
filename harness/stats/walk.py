"""The exact bootstrap distribution of a paired difference: a walk of n steps +1, -1 or 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.checks import StatisticsError, check_count, check_size

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LOG_MASS_OUTSIDE = log(2e16)
_NEAR_TIE = 1e-10
_WIDEST = 1 << 22
_MOST_STEPS = 10**7
_EXACT_UP_TO = 10_000


class Walks:
    """The distributions of many walks, each on the window that holds all but 1e-16 of its mass.

    Walks whose windows need the same size share one array and one FFT.

    Parameters
    ----------
    tables : (n01, n10, n) of each walk; n at least 1.
    """

    def __init__(self, tables: Sequence[tuple[int, int, int]]) -> None:
        self.tables = tables
        groups: dict[int, list[int]] = {}
        for index, table in enumerate(tables):
            groups.setdefault(_size(*table), []).append(index)
        self._place = [(0, 0)] * len(tables)
        self._starts: list[list[int]] = []
        self._masses: list[NDArray[np.float64]] = []
        self._cumulated: list[NDArray[np.float64]] = []
        for group, (size, members) in enumerate(groups.items()):
            starts, masses = _windows([tables[index] for index in members], size)
            self._starts.append(starts)
            self._masses.append(masses)
            self._cumulated.append(masses.cumsum(axis=1))
            for row, index in enumerate(members):
                self._place[index] = (group, row)

    def window(self, index: int) -> tuple[int, NDArray[np.float64]]:
        """The first sum of a walk's window, and the probabilities from there on."""
        group, row = self._place[index]
        return self._starts[group][row], self._masses[group][row]

    def at_most(self, index: int, total: int) -> float:
        """The probability of a sum of at most `total`, in floating point."""
        group, row = self._place[index]
        place = total - self._starts[group][row]
        cumulated = self._cumulated[group][row]
        return float(cumulated[min(place, len(cumulated) - 1)]) if place >= 0 else 0.0

    def quantile(self, index: int, q: Fraction | float) -> int:
        """The smallest sum whose probability of "at most" reaches q.

        A `Fraction` is met exactly up to n = 10,000: a sum whose probability lies within
        1e-10 of it (as all do in tails below 1e-10) is settled in integers.
        """
        n01, n10, n = self.tables[index]
        bottom, top = (-n if n10 else 0), (n if n01 else 0)
        limit = float(q)
        if limit <= 0.0 or limit >= 1.0:
            return bottom if limit <= 0.0 else top
        exact = isinstance(q, Fraction) and n <= _EXACT_UP_TO
        group, row = self._place[index]
        start, cumulated = self._starts[group][row], self._cumulated[group][row]
        slack = _NEAR_TIE if exact else 0.0
        place = int(cumulated.searchsorted(limit - slack))
        if exact and place < len(cumulated) and cumulated[place] < limit + slack:
            return exact_quantile(n01, n10, n, Fraction(q))
        return min(max(start + place, bottom), top)


def walk_pmf(n01: int, n10: int, n: int) -> NDArray[np.float64]:
    """Distribution of the sum of n independent steps (+1, -1, 0) with the given shares.

    Parameters
    ----------
    n01 : pairs that step +1 (only the second right).
    n10 : pairs that step -1 (only the first right).
    n : all pairs, at least 1, n01 + n10 ≤ n.

    Returns
    -------
    array of float64, shape (2n + 1,)
        Probabilities of the sums -n … n, by the inverse FFT of the characteristic function
        over a window outside which less than 1e-16 lies; zeros outside it. The absolute error
        is below 1e-12. With one possible sum, its probability is 1.

    Raises
    ------
    StatisticsError
        `invalid_count` for counts that are not integers, negative or more than n, and n = 0;
        `too_large` for n above 1e7.

    References
    ----------
    Y. Hong, "On computing the distribution function for the Poisson binomial distribution",
    Computational Statistics & Data Analysis 59 (2013), 41-51; the window by Bernstein's
    inequality: S. Boucheron, G. Lugosi, P. Massart, Concentration Inequalities (2013), 2.10.

    Examples
    --------
    >>> walk_pmf(1, 1, 2).round(4).tolist()
    [0.25, 0.0, 0.5, 0.0, 0.25]
    """
    n01, n10, n = check_table(n01, n10, n)
    check_size("n", n, _MOST_STEPS)
    if n == 0:
        raise StatisticsError("invalid_count", "n: expected at least one pair, found 0")
    start, masses = Walks([(n01, n10, n)]).window(0)
    whole = np.zeros(2 * n + 1)
    skipped = max(0, -n - start)
    first = start + skipped + n
    kept = masses[skipped : skipped + len(whole) - first]
    whole[first : first + len(kept)] = kept
    return whole


def exact_quantile(n01: int, n10: int, n: int, q: Fraction) -> int:
    """Find the smallest sum whose probability of "at most" reaches q, in integers.

    Parameters
    ----------
    n01, n10, n : as in `walk_pmf`.
    q : probability, 0 < q ≤ 1.

    Returns
    -------
    int
        A sum in -n … n. Each count of ways follows from the two before it, as the coefficients
        of (n10 + (n - n01 - n10) x + n01 x²)ⁿ do, so the cost is n steps in integers of
        n log2(n) bits.

    Raises
    ------
    StatisticsError
        `invalid_count` as in `walk_pmf`; `too_large` for n above 10,000.

    References
    ----------
    D. E. Knuth, The Art of Computer Programming, vol. 2, 4.7: powers of power series.

    Examples
    --------
    >>> exact_quantile(1, 1, 2, Fraction(1, 4)), exact_quantile(1, 1, 2, Fraction(26, 100))
    (-2, 0)
    """
    n01, n10, n = check_table(n01, n10, n)
    check_size("n", n, _EXACT_UP_TO)
    needed = -((-(n**n) * q.numerator) // q.denominator)
    reached = 0
    for total, ways in _ways(n01, n10, n):
        reached += ways
        if reached >= needed:
            return total
    raise AssertionError("the ways do not add up to n**n")


def check_table(n01: object, n10: object, n: object) -> tuple[int, int, int]:
    """Give the three counts; refuse discordant ones that n cannot hold (`invalid_count`)."""
    gained, lost, pairs = check_count("n01", n01), check_count("n10", n10), check_count("n", n)
    if gained + lost > pairs:
        raise StatisticsError(
            "invalid_count", f"expected n01 + n10 <= n, found {gained} + {lost} > {pairs}"
        )
    return gained, lost, pairs


def _size(n01: int, n10: int, n: int) -> int:
    """The window of a walk: the whole range, or all sums within Bernstein's bound.

    P(|S - e| ≥ t) ≤ 2 exp(-t² / 2(v + wt/3)) for steps at most w from their mean, with mean
    e = n01 - n10 and variance v; the least t with a bound of 1e-16 solves a quadratic. Sums
    outside the window land on sums inside it, which is why its mass bounds the error.
    """
    mean = n01 - n10
    third = _LOG_MASS_OUTSIDE * (1.0 + abs(mean) / n) / 3.0
    variance = n01 + n10 - mean * mean / n
    reach = third + sqrt(third * third + 2.0 * _LOG_MASS_OUTSIDE * variance)
    needed = min(int(2.0 * reach) + 3, 2 * n + 1)
    check_size("width of the distribution", needed, _WIDEST)
    power = 1 << (needed - 1).bit_length()
    return 3 * power // 4 if 3 * power // 4 >= needed else power


@lru_cache(maxsize=16)
def _turns(size: int) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """The places of a half spectrum, with s = sin²(θ/2) and sin θ at each."""
    places = np.arange(size // 2 + 1)
    sine, cosine = np.sin(np.pi / size * places), np.cos(np.pi / size * places)
    return places, sine * sine, 2.0 * sine * cosine


def _windows(
    tables: list[tuple[int, int, int]], size: int
) -> tuple[list[int], NDArray[np.float64]]:
    """The first sum of each window, and the probabilities on it, by one inverse real FFT.

    With s = sin²(θ/2) the characteristic function is 1 - 2ψs + iδ sin θ, ψ = (n01 + n10) / n,
    δ = (n01 - n10) / n, and its squared modulus 1 - 4(ψ - δ²)s + 4(ψ² - δ²)s².
    """
    places, s, sine = _turns(size)
    starts = [-n if size > 2 * n else a - b - size // 2 for a, b, n in tables]
    # In whole turns and integers: the product of start and place keeps all its digits.
    shift = np.array([[start % size] for start in starts]) * places % size
    columns = np.array(
        [
            (n, 2 * (a + b) / n, (a - b) / n, (a + b) / n - ((a - b) / n) ** 2, 4 * a * b / n / n)
            for a, b, n in tables
        ]
    )
    n, twice, drift, linear, square = columns.T[:, :, None]
    lost = s * (4.0 * square * s - 4.0 * linear)
    with np.errstate(divide="ignore"):
        modulus = np.exp(0.5 * n * np.log1p(np.maximum(lost, -1.0)))
    angle = n * np.arctan2(drift * sine, 1.0 - twice * s) - (2.0 * np.pi / size) * shift
    spectrum = np.empty(angle.shape, dtype=np.complex128)
    np.multiply(modulus, np.cos(angle), out=spectrum.real)
    np.multiply(modulus, -np.sin(angle), out=spectrum.imag)
    return starts, np.maximum(np.fft.irfft(spectrum, n=size, axis=1), 0.0)


def _ways(n01: int, n10: int, n: int) -> Iterator[tuple[int, int]]:
    """Each possible sum from the lowest up, with its number of ways among n**n."""
    still = n - n01 - n10
    if n10 == 0 and still == 0:
        yield n, n**n
    elif n10 == 0:
        ways = still**n
        for up in range(n + 1):
            yield up, ways
            ways = ways * ((n - up) * n01) // ((up + 1) * still)
    else:
        before, ways = 0, n10**n
        for k in range(2 * n + 1):
            yield k - n, ways
            after = (n - k) * still * ways + (2 * n - k + 1) * n01 * before
            before, ways = ways, after // ((k + 1) * n10)


__all__ = ["Walks", "check_table", "exact_quantile", "walk_pmf"]
