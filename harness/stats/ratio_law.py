"""The exact bootstrap distribution of one ratio of counts."""

from __future__ import annotations

from fractions import Fraction
from math import gcd

import numpy as np

_NEAR_TIE = 1e-11
_EXACT_UP_TO = 5000
_NO_MASS = 1e-19


class RatioLaw:
    """The distribution of hits / accepted, given that something is accepted.

    `hits` of the `accepted` of n examples are hits, 0 < hits < accepted ≤ n. Redrawing the n
    makes accepted binomial, and the hits among them binomial.

    Examples
    --------
    >>> RatioLaw(1, 2, 2).quantile(Fraction(1, 2))  # 0, 1/2 and 1 with chances 1/4, 1/2, 1/4
    Fraction(1, 2)
    """

    def __init__(self, hits: int, accepted: int, n: int) -> None:
        from scipy.stats import binom

        self._counts = hits, accepted, n
        self._grid = 2 * n.bit_length()
        mean, spread = accepted, np.sqrt(accepted * (1.0 - accepted / n))
        reach = int(10.0 * spread) + 40
        sizes = np.arange(max(1, mean - reach), min(n, mean + reach) + 1)
        mass = binom.pmf(sizes, n, accepted / n)
        # A size times a place on the grid fits 64 bits up to n = 2**21; beyond it Python counts.
        self._whole = np.int64 if n < 2**21 else object
        self._sizes, self._mass = sizes[mass > _NO_MASS].astype(self._whole), mass[mass > _NO_MASS]
        self._some = 1.0 - (1.0 - accepted / n) ** n

    def quantile(self, q: Fraction) -> Fraction:
        """The smallest ratio whose probability of "at most" reaches q.

        Two ratios with denominators up to n differ by 1 / n² or more, so the bisection may stop
        at a step of a finer dyadic grid: that step holds one ratio. A probability within
        1e-11 of q is computed again in integers, up to n = 5,000.
        """
        below, top = -1, 1 << self._grid
        while top - below > 1:
            middle = (below + top) // 2
            if self._reaches(middle, q):
                top = middle
            else:
                below = middle
        # Sizes that are not worth a place in the sum can still decide an exact tie.
        every = range(1, self._counts[2] + 1) if self._counts[2] <= _EXACT_UP_TO else ()
        for size in (*self._sizes.tolist(), *every):
            hits = (size * top) >> self._grid
            if hits > (size * below) >> self._grid:
                return Fraction(hits, size)
        raise AssertionError(f"no ratio of the law lies at its quantile {q}")

    def _reaches(self, ratio: int, q: Fraction) -> bool:
        from scipy.special import bdtr

        hits, accepted, n = self._counts
        most = ((self._sizes * ratio) >> self._grid).astype(np.float64)
        chance = bdtr(most, self._sizes.astype(np.int64), hits / accepted)
        at_most = float(self._mass @ chance) / self._some
        if abs(at_most - float(q)) > _NEAR_TIE or n > _EXACT_UP_TO:
            return at_most >= q
        return self._exactly(ratio) >= q

    def _exactly(self, ratio: int) -> Fraction:
        """P(at most) in integers, from size to size by the recurrence of binomial sums."""
        hits, accepted, n = (count // gcd(*self._counts) for count in self._counts)
        n_draws, missed, rest = self._counts[2], accepted - hits, n - accepted
        # Weighted ways to at most `most` hits among `size`, and to exactly `most`.
        at_most, exactly, most, total = 1, 1, 0, 0
        choose = rest**n_draws
        for size in range(1, n_draws + 1):
            at_most = at_most * accepted - exactly * hits
            exactly = exactly * missed * size // (size - most)
            if (size * ratio) >> self._grid > most:
                exactly = exactly * hits * (size - most) // ((most + 1) * missed)
                at_most, most = at_most + exactly, most + 1
            if rest:
                choose = choose * (n_draws - size + 1) // (size * rest)
                total += choose * at_most
        if not rest:
            total = at_most
        return Fraction(total, n**n_draws - rest**n_draws)


__all__ = ["RatioLaw"]
