"""A fixed-seed sample of wrong answers: the same from any order of files and rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.review.stored import StoredCell
    from harness.types import Dataset, Example, Response, Score, View

_SEPARATOR = "\x1f"


@dataclass(frozen=True, kw_only=True, slots=True)
class Wrong:
    """One wrong answer: its cell, how the question of which data set was shown, and the score."""

    cell: StoredCell
    view: View
    dataset: Dataset
    example: Example
    response: Response
    score: Score

    @property
    def name(self) -> tuple[str, str, str]:
        return self.cell.key, self.example.id, str(self.response.replicate)


@dataclass(frozen=True, kw_only=True, slots=True)
class Stratum:
    """What was drawn of one condition.

    `n_counted` responses are in the denominator of the accuracy, `n_wrong` of them are wrong,
    over `n_questions` questions; `seed` is the base seed plus `offset`; `cell` is a key.
    """

    condition: str
    offset: int
    seed: int
    cell: str
    n_counted: int
    n_wrong: int
    n_questions: int
    drawn: tuple[Wrong, ...]


def place(seed: int, *names: str) -> str:
    """Where something stands in the drawing order of a seed: SHA-256, as 64 hex digits.

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
    """Take the first questions by the hash of seed, cell and example, one answer of each.

    Parameters
    ----------
    rows : in any order. Of several wrong answers to one question the first by the hash of
        seed, cell, example and replicate stands for it.
    n : how many to draw; with fewer questions all are taken.
    seed : of the condition. A smaller draw is contained in a larger one of the same seed.

    Returns
    -------
    tuple of Wrong
        In the order in which they are drawn.
    """
    firsts: dict[tuple[str, str], Wrong] = {}
    for row in sorted(rows, key=lambda row: place(seed, *row.name)):
        firsts.setdefault(row.name[:2], row)
    order = sorted(firsts, key=lambda question: place(seed, *question))
    return tuple(firsts[question] for question in order[:n])


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
