"""Draws from SHA-256 of named parts: equal on every machine and with every Python."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_WORD_BYTES = 8
_WORD_BITS = 64


class Draws:
    """A stream of draws that is named by its parts and shared with nobody.

    The stream is the SHA-256 digests of "parts, block number", joined by U+001F, read as
    big-endian words of 64 bits. `below(n)` scales a word, so its bias is under n / 2**64.

    Parameters
    ----------
    parts : what the draws are for; equal parts give equal draws.

    Examples
    --------
    >>> Draws(2026, "picture", 1).sample("abcdef", 3) == Draws(2026, "picture", 1).sample(
    ...     "abcdef", 3
    ... )
    True
    """

    def __init__(self, *parts: str | int) -> None:
        self._name = "\x1f".join(str(part) for part in parts)
        self._block = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """An integer in [0, n), n ≥ 1, every one equally likely."""
        if not self._words:
            raw = hashlib.sha256(f"{self._name}\x1f{self._block}".encode()).digest()
            starts = range(0, len(raw), _WORD_BYTES)
            self._words = [int.from_bytes(raw[i : i + _WORD_BYTES], "big") for i in starts]
            self._block += 1
        return (self._words.pop(0) * n) >> _WORD_BITS

    def between(self, low: int, high: int) -> int:
        """An integer from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def sign(self) -> int:
        """1 or −1."""
        return 1 - 2 * self.below(2)

    def pick(self, values: Sequence[T]) -> T:
        """One of the values."""
        return values[self.below(len(values))]

    def sample(self, values: Sequence[T], count: int) -> list[T]:
        """`count` of the values, each at most once, in drawn order (all: a permutation)."""
        left = list(values)
        return [left.pop(self.below(len(left))) for _ in range(count)]

    def shuffled(self, values: Sequence[T]) -> list[T]:
        """All values in a drawn order."""
        return self.sample(values, len(values))


__all__ = ["Draws"]
