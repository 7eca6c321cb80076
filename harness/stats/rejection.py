"""What rejecting as many questions at random would attain, exactly."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.checks import check_count, check_share, check_size
from harness.stats.estimate import Estimate
from harness.stats.levels import tail_share
from harness.stats.selective import Selection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_NEAR_TIE = 1e-10
_EXACT_UP_TO = 5_000
_LOG_MASS_OUTSIDE = math.log(2e16)
_WIDEST = 4_000_000
_STEPS = 10**9


def random_rejection(n: int, n_correct: int, n_accepted: int, level: float) -> Estimate:
    """Compute the selective accuracy of accepting n_accepted of n questions at random.

    Parameters
    ----------
    n : all questions, n ≥ 0.
    n_correct : those answered right, 0 ≤ n_correct ≤ n.
    n_accepted : how many are accepted, 0 ≤ n_accepted ≤ n.
    level : share of the random choices between the bounds, strictly between 0 and 1.

    Returns
    -------
    Estimate
        `value` is the mean n_correct / n, the bounds are quantiles of the hypergeometric
        distribution over n_accepted by inverted CDF: exact, without a seed. With nothing
        accepted all three are None; `degenerate` where every choice has the same accuracy.

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_level`, `too_large` as in `matched_rejection`.

    References
    ----------
    N. L. Johnson, A. W. Kemp and S. Kotz, Univariate Discrete Distributions (3rd edition, 2005),
    chapter 6.

    Examples
    --------
    >>> found = random_rejection(642, 252, 288, 0.95)
    >>> round(100 * found.low, 2), round(100 * found.value, 2), round(100 * found.high, 2)
    (35.07, 39.25, 43.4)
    """
    n, n_correct = check_count("n", n), check_count("n_correct", n_correct)
    n_accepted = check_count("n_accepted", n_accepted)
    hits = max(0, n_accepted - n + n_correct)
    whole = Selection(n=n, n_correct=n_correct, n_accepted=n_accepted, n_accepted_correct=hits)
    return matched_rejection([whole], level)


def matched_rejection(strata: Sequence[Selection], level: float) -> Estimate:
    """Compute the selective accuracy of accepting at random as many of each stratum as the gate.

    Parameters
    ----------
    strata : one `Selection` per stratum, such as a question type; `n_accepted_correct` is not
        used.
    level : share of the random choices between the bounds, strictly between 0 and 1.

    Returns
    -------
    Estimate
        As in `random_rejection`; the distribution of the right answers is the convolution of one
        hypergeometric distribution per stratum. `n` counts all questions of all strata.

    Raises
    ------
    StatisticsError
        `invalid_level`; `invalid_count` from `Selection`; `too_large` where a stratum's
        distribution is wider than 4e6 values, or two wide ones are joined (1e9 steps).

    References
    ----------
    W. G. Cochran, Sampling Techniques (3rd edition, 1977), chapter 5.

    Examples
    --------
    >>> easy = Selection(n=10, n_correct=9, n_accepted=8, n_accepted_correct=8)
    >>> hard = Selection(n=10, n_correct=1, n_accepted=0, n_accepted_correct=0)
    >>> matched_rejection([easy, hard], 0.95).value
    0.9
    """
    level = check_share("level", level)
    whole = pool(strata)
    method = "exact distribution of random rejection, inverted CDF"
    if not whole.n_accepted:
        return Estimate(
            value=None,
            low=None,
            high=None,
            level=level,
            n=whole.n,
            method=f"{method} (nothing accepted)",
            unit="proportion",
        )
    lowest, mass = 0, np.ones(1)
    for stratum in strata:
        first, part = _hypergeometric(stratum)
        check_size(
            "steps to join two strata",
            min(len(mass), len(part)) * max(len(mass), len(part)),
            _STEPS,
        )
        lowest, mass = lowest + first, np.convolve(mass, part)
    tail = tail_share(level)
    low, high = (lowest + _quantile(mass, q, lowest, strata) for q in (tail, 1 - tail))
    return Estimate(
        value=float(expected_hits(strata) / whole.n_accepted),
        low=low / whole.n_accepted,
        high=high / whole.n_accepted,
        level=level,
        n=whole.n,
        method=method,
        unit="proportion",
        resampled="accepted sets of the same size",
        degenerate=len(mass) == 1,
    )


def pool(strata: Sequence[Selection]) -> Selection:
    """Add strata up to one selection, which is what uniform random rejection compares with.

    Parameters
    ----------
    strata : any number of `Selection`; none gives counts of 0.

    Returns
    -------
    Selection
        The sums of the four counts.

    Raises
    ------
    StatisticsError
        `invalid_count` from `Selection`.

    References
    ----------
    W. G. Cochran, Sampling Techniques (3rd edition, 1977), chapter 5.

    Examples
    --------
    >>> part = Selection(n=5, n_correct=3, n_accepted=2, n_accepted_correct=2)
    >>> pool([part, part]).n_correct
    6
    """
    return Selection(
        n=sum(s.n for s in strata),
        n_correct=sum(s.n_correct for s in strata),
        n_accepted=sum(s.n_accepted for s in strata),
        n_accepted_correct=sum(s.n_accepted_correct for s in strata),
    )


def expected_hits(strata: Sequence[Selection]) -> Fraction:
    """Compute how many accepted answers are right on average when strata are accepted at random.

    Parameters
    ----------
    strata : one `Selection` per stratum; `n_accepted_correct` is not used.

    Returns
    -------
    Fraction
        The sum over strata of n_accepted · n_correct / n, exactly; 0 without questions.

    Raises
    ------
    StatisticsError
        `invalid_count` from `Selection`.

    References
    ----------
    W. G. Cochran, Sampling Techniques (3rd edition, 1977), chapter 5.

    Examples
    --------
    >>> expected_hits([Selection(n=4, n_correct=1, n_accepted=2, n_accepted_correct=1)])
    Fraction(1, 2)
    """
    hits = (Fraction(s.n_accepted * s.n_correct, s.n) for s in strata if s.n)
    return sum(hits, Fraction(0))


def _hypergeometric(stratum: Selection) -> tuple[int, NDArray[np.float64]]:
    """The smallest number of right answers that counts and the mass from there on, by its mode.

    Bernstein's bound, which a sum of independent trials obeys, leaves 1e-16 outside.
    """
    n, right, accepted = stratum.n, stratum.n_correct, stratum.n_accepted
    wrong = n - right
    lowest, highest = max(0, accepted - wrong), min(right, accepted)
    if lowest == highest:
        return lowest, np.ones(1)
    variance = accepted * right * wrong * (n - accepted) / (n * n * (n - 1))
    third = _LOG_MASS_OUTSIDE / 3.0
    reach = int(third + math.sqrt(third * third + 2.0 * _LOG_MASS_OUTSIDE * variance)) + 2
    mean = accepted * right // n
    lowest, highest = max(lowest, mean - reach), min(highest, mean + reach)
    check_size("width of a stratum's distribution", highest - lowest, _WIDEST)
    k = np.arange(lowest, highest, dtype=np.float64)
    steps = (right - k) / (k + 1) * ((accepted - k) / (wrong - accepted + k + 1))
    mode = int(np.count_nonzero(steps >= 1.0))
    below, above = np.cumprod(1.0 / steps[:mode][::-1])[::-1], np.cumprod(steps[mode:])
    mass = np.concatenate([below, [1.0], above])
    return lowest, mass / mass.sum()


def _quantile(
    mass: NDArray[np.float64], q: Fraction, lowest: int, strata: Sequence[Selection]
) -> int:
    """Smallest place whose probability of "at most" reaches q; near ties of few are exact."""
    cumulative = np.cumsum(mass)
    last = len(mass) - 1
    if pool(strata).n > _EXACT_UP_TO:
        return min(int(np.searchsorted(cumulative, float(q), side="left")), last)
    place = int(np.searchsorted(cumulative, float(q) - _NEAR_TIE, side="left"))
    while place < last and cumulative[place] < float(q) + _NEAR_TIE:
        if _exact_cdf(lowest + place, strata) >= q:
            break
        place += 1
    return min(place, last)


def _exact_cdf(total: int, strata: Sequence[Selection]) -> Fraction:
    ways, all_ways = [1], 1
    for stratum in strata:
        n, right, accepted = stratum.n, stratum.n_correct, stratum.n_accepted
        part = [
            math.comb(right, k) * math.comb(n - right, accepted - k)
            for k in range(min(accepted, total) + 1)
        ]
        longer = [0] * min(len(ways) + len(part) - 1, total + 1)
        for i, a in enumerate(ways):
            for j, b in enumerate(part[: len(longer) - i]):
                longer[i + j] += a * b
        ways, all_ways = longer, all_ways * math.comb(n, accepted)
    return Fraction(sum(ways), all_ways)


__all__ = ["expected_hits", "matched_rejection", "pool", "random_rejection"]
