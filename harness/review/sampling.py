"""A fixed-seed sample of wrong answers: the same from any order of files and rows."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.review.stored import StoredCell
    from harness.types import Example, Response, Score

_SEPARATOR = "\x1f"


@dataclass(frozen=True, kw_only=True, slots=True)
class Wrong:
    """One wrong answer: the cell that holds it, the question, the response and its score."""

    cell: StoredCell
    example: Example
    response: Response
    score: Score

    @property
    def name(self) -> tuple[str, str, str]:
        return self.cell.key, self.example.id, str(self.response.replicate)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stratum:
    """What was drawn of one condition.

    `n_counted` responses are in the denominator of the accuracy, `n_wrong` of them are wrong;
    `seed` is the base seed plus `offset`; `cells` are the keys of the cells, sorted.
    """

    condition: str
    offset: int
    seed: int
    cells: tuple[str, ...]
    n_counted: int
    n_wrong: int
    drawn: tuple[Wrong, ...]


def place(seed: int, *names: str) -> str:
    """Where a row stands in the drawing order of a seed: SHA-256, as 64 hex digits.

    Parameters
    ----------
    seed : of the condition.
    *names : of the row; with the seed, joined by U+001F.

    Examples
    --------
    >>> place(20260724, "a", "q1", "0")[:12]
    '012d13b5035b'
    """
    text = _SEPARATOR.join((str(seed), *names))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def draw(rows: Iterable[Wrong], n: int, seed: int) -> tuple[Wrong, ...]:
    """Take the first rows by the hash of seed, cell, example and replicate.

    Parameters
    ----------
    rows : in any order.
    n : how many to draw; with fewer rows all are taken.
    seed : of the condition. A smaller draw is contained in a larger one of the same seed.

    Returns
    -------
    tuple of Wrong
        In the order in which they are drawn.
    """
    return tuple(heapq.nsmallest(n, rows, key=lambda row: place(seed, *row.name)))


def listed(conditions: Iterable[str], known: Sequence[str]) -> list[str]:
    """The conditions in the order of a list of known ones, the others behind, by name.

    Examples
    --------
    >>> listed({"fog", "noise", "clean"}, ("clean", "blank", "noise"))
    ['clean', 'noise', 'fog']
    """
    places = {name: number for number, name in enumerate(known)}
    return sorted(set(conditions), key=lambda name: (places.get(name, len(known)), name))


__all__ = ["Stratum", "Wrong", "draw", "listed", "place"]
