"""Exact limits for the marked ones of a finite population, from a sample without replacement."""

from __future__ import annotations

from fractions import Fraction
from math import comb


def most(population: int, judged: int, found: int, tail: Fraction) -> int:
    """The largest number in a population under which `found` or fewer of a sample is no rarer.

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


def fewest(population: int, judged: int, found: int, tail: Fraction) -> int:
    """The mirror image of `most`: under fewer, `found` or more of a sample is rarer than `tail`.

    Examples
    --------
    >>> fewest(100, 10, 10, Fraction(1, 20)), fewest(100, 10, 0, Fraction(1, 20))
    (76, 0)
    """
    return population - most(population, judged, judged - found, tail)


def _at_most(population: int, judged: int, found: int, marked: int) -> Fraction:
    """P(at most `found` marked ones among `judged` drawn without replacement), exact."""
    ways = sum(
        comb(marked, k) * comb(population - marked, judged - k)
        for k in range(max(0, judged - (population - marked)), min(found, marked) + 1)
    )
    return Fraction(ways, comb(population, judged))


__all__ = ["fewest", "most"]
