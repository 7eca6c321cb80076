"""Exact limits for the marked ones of a finite population, from a sample without replacement."""

from __future__ import annotations

from fractions import Fraction
from math import comb


def most(population: int, judged: int, found: int, tail: Fraction) -> int:
    """The most marked ones with which drawing `found` or fewer stays likelier than `tail`.

    Parameters
    ----------
    population, judged, found : found <= judged <= population.
    tail : the probability, in (0, 1): of at most `found` among the judged.

    Examples
    --------
    >>> most(100, 10, 0, Fraction(1, 20)), most(10, 10, 4, Fraction(1, 20))
    (24, 4)
    """
    low, high = found, population - (judged - found)
    while low < high:
        middle = (low + high + 1) // 2
        if _at_most(population, judged, found, middle) > tail:
            low = middle
        else:
            high = middle - 1
    return low


def _at_most(population: int, judged: int, found: int, marked: int) -> Fraction:
    """P(at most `found` marked ones among `judged` drawn without replacement), exact."""
    free = population - marked
    k = max(0, judged - free)
    one = comb(marked, k) * comb(free, judged - k)
    ways = 0
    while k <= min(found, marked):
        ways += one
        # The next product of binomials from this one: the division leaves no rest.
        one = one * (marked - k) * (judged - k) // ((k + 1) * (free - judged + k + 1))
        k += 1
    return Fraction(ways, comb(population, judged))


__all__ = ["most"]
