"""Candidates of an audit: pairs that a stage found, what is shown to a judge, what it says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol

from harness.audit.findings import Match

Label = Literal["duplicate", "neighbour"]


@dataclass(frozen=True, order=True)
class Near:
    """A training row and an evaluation item whose vectors are close.

    Parameters
    ----------
    row : number of the training row.
    eval_set, item : name of the evaluation set, place of the item in it, from 0.
    rank : 1 for the nearest item of that set, 2 for the next; equal ones: the lowest item first.
    cosine : in float64, from the stored float32 vectors, in [-1, 1].
    """

    row: int
    eval_set: str
    item: int
    rank: int
    cosine: float


@dataclass(frozen=True, order=True)
class PictureMatch:
    """A training row and an evaluation item that show at least one equal picture.

    Parameters
    ----------
    row, eval_set, item : as in `Near`.
    n_shared_pictures : distinct pictures that both have.
    jaccard : of the texts, exact, however small.
    cosine : of the vectors, likewise; None without stage 2 and where a text has no vector.
    common : each of these pictures stands beside very many items of the set, as a blank page or
        a logo does: no evidence of its own.
    """

    row: int
    eval_set: str
    item: int
    n_shared_pictures: int
    jaccard: Fraction
    cosine: float | None
    common: bool


@dataclass(frozen=True)
class Candidate:
    """A pair that at least one stage found, and that a judge has to see.

    Parameters
    ----------
    row, eval_set, item : as in `Near`.
    jaccard : exact, where stage 1 found the pair; None elsewhere.
    cosine, rank : where stage 2 found it; None elsewhere.
    short : one text has fewer than n tokens, so that stage 1 compared it whole.
    pictures : equal pictures, where these led to the pair; 0 elsewhere.
    """

    row: int
    eval_set: str
    item: int
    jaccard: Fraction | None = None
    cosine: float | None = None
    rank: int | None = None
    short: bool = False
    pictures: int = 0

    @property
    def key(self) -> str:
        """Names the pair within one audit: `12/mini/3`."""
        return f"{self.row}/{self.eval_set}/{self.item}"

    @property
    def stages(self) -> tuple[int, ...]:
        """The stages that found it: (1,), (2,) or (1, 2); none for equal pictures alone."""
        found = (1, self.jaccard), (2, self.cosine)
        return tuple(stage for stage, value in found if value is not None)


@dataclass(frozen=True)
class Pair:
    """What a judge is shown.

    Parameters
    ----------
    key : of the candidate.
    row, item : both texts, whole.
    """

    key: str
    row: str
    item: str


@dataclass(frozen=True)
class Opinion:
    """What one judge says of one pair.

    Parameters
    ----------
    key : of the candidate.
    judge : name of the judge.
    label : `duplicate` (a paraphrase, or the same problem with other numbers), `neighbour`
        (another problem on the same topic), or None where the judge left it undecided.
    reason : its own words, or what went wrong; never empty where `label` is None.
    """

    key: str
    judge: str
    label: Label | None
    reason: str = ""


class Judge(Protocol):
    """Anything that labels pairs: a model behind an endpoint, a rule, a file of labels."""

    @property
    def name(self) -> str:
        """Stands in opinions, tables and the manifest."""

    def judge(self, pairs: Sequence[Pair]) -> list[Opinion]:
        """One opinion for each pair, in the order given."""


def candidates(
    hits: Iterable[Match],
    near: Iterable[Near],
    pictures: Iterable[PictureMatch] = (),
    *,
    jaccard: Fraction = Fraction(0),
    cosine: float = -1.0,
) -> tuple[Candidate, ...]:
    """The union of both stages and of equal pictures, in the order of rows, sets and items.

    Parameters
    ----------
    hits : of stage 1, at most one per row and set.
    near : of stage 2, at or above its threshold, at most k per row and set.
    pictures : pairs with an equal picture that are to be judged, at most one per row and set.
    jaccard, cosine : thresholds of the stages; a pair of `pictures` below one of them has no such
        number as a candidate.

    Examples
    --------
    >>> found = candidates([Match(0, "mini", 2, 5, 5, 5, False)], [Near(0, "mini", 2, 1, 0.9)])
    >>> found[0].key, found[0].stages, found[0].jaccard
    ('0/mini/2', (1, 2), Fraction(1, 1))
    >>> same = PictureMatch(0, "mini", 3, 1, Fraction(1, 9), 0.95, False)
    >>> found = candidates([], [], [same], jaccard=Fraction(2, 5), cosine=0.9)
    >>> found[0].stages, found[0].jaccard, found[0].pictures
    ((2,), None, 1)
    """
    by_words = {(hit.row, hit.eval_set, hit.item): hit for hit in hits}
    by_vector = {(one.row, one.eval_set, one.item): one for one in near}
    by_picture = {(one.row, one.eval_set, one.item): one for one in pictures}
    made = []
    for place in sorted({*by_words, *by_vector, *by_picture}):
        hit, one, shown = by_words.get(place), by_vector.get(place), by_picture.get(place)
        words = None if hit is None else hit.jaccard
        vectors = None if one is None else one.cosine
        if shown is not None:
            words = shown.jaccard if words is None and shown.jaccard >= jaccard else words
            if vectors is None and shown.cosine is not None and shown.cosine >= cosine:
                vectors = shown.cosine
        made.append(
            Candidate(
                *place,
                jaccard=words,
                cosine=vectors,
                rank=None if one is None else one.rank,
                short=hit is not None and hit.short,
                pictures=0 if shown is None else shown.n_shared_pictures,
            )
        )
    return tuple(made)


__all__ = ["Candidate", "Judge", "Label", "Near", "Opinion", "Pair", "PictureMatch", "candidates"]
