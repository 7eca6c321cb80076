"""Draws that are equal on every machine: PCG64's raw words, seeded by SHA-256 of named parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from harness import ids

_T = TypeVar("_T")
_BLOCK = 64


class Draws:
    """A stream of draws named by `parts`; equal parts, equal draws.

    Only the bit generator's raw words are used, which numpy keeps stable; the methods of
    `numpy.random.Generator` may change between its versions.

    >>> Draws(1, "count", 0).below(10) == Draws(1, "count", 0).below(10)
    True
    """

    def __init__(self, base: int, *parts: str | int) -> None:
        self._bits = np.random.PCG64(ids.seed(base, *parts))
        self._words: list[int] = []

    def unit(self) -> float:
        """Uniform in [0, 1), in steps of 2^-53."""
        if not self._words:
            self._words = self._bits.random_raw(_BLOCK).tolist()
        return float((self._words.pop() >> 11) * 2.0**-53)

    def below(self, n: int) -> int:
        """A whole number in [0, n), for n up to 2^32 (bias below 2^-20)."""
        return int(self.unit() * n)

    def between(self, low: float, high: float, decimals: int = 4) -> float:
        """Uniform in [low, high], rounded."""
        return round(low + (high - low) * self.unit(), decimals)

    def chance(self, share: float) -> bool:
        """True with probability `share`."""
        return self.unit() < share

    def pick(self, values: Sequence[_T]) -> _T:
        """One of the values, each equally likely; there must be one."""
        return values[self.below(len(values))]

    def shuffled(self, values: Sequence[_T]) -> list[_T]:
        """The values in random order (Fisher and Yates)."""
        left = list(values)
        for last in range(len(left) - 1, 0, -1):
            other = self.below(last + 1)
            left[last], left[other] = left[other], left[last]
        return left


__all__ = ["Draws"]
