"""Which evaluation items show a picture of a training row: short questions say too little."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from harness.audit.pairs import Near, PictureMatch
from harness.audit.shingles import Parameters, Shingles, jaccard, shingles
from harness.audit.tokens import tokens
from harness.audit.vectors import EvalVectors
from harness.embedding.base import Embedded, has_text

# Beside more items of one set than this, a picture is a blank page or a logo.
COMMON = 100
# Float32 products of vectors of length 1 are good to d / 2^24.
_MARGIN = 1e-3
_NOTHING = Fraction(0)


@dataclass(frozen=True)
class Shown:
    """A training row or an evaluation item as it is looked at here.

    Parameters
    ----------
    number : of the row; of an item its place in the set.
    text : as it was audited.
    images : hash of each picture that could be read; those that could not equal nothing.
    """

    number: int
    text: str
    images: tuple[str, ...]


class PictureIndex:
    """The items of each evaluation set by the pictures that they show.

    Parameters
    ----------
    sets : name of each set → its items.
    words : decide the Jaccard index.
    vectors : of stage 2; None without it.
    """

    def __init__(
        self,
        sets: Mapping[str, Iterable[Shown]],
        words: Parameters,
        vectors: EvalVectors | None = None,
    ) -> None:
        self.words, self.vectors = words, vectors
        self._items: dict[tuple[str, int], Shown] = {}
        self._showing: dict[str, dict[str, list[int]]] = {}
        self._shingles: dict[tuple[str, int], Shingles] = {}
        for name, items in sets.items():
            for item in items:
                for picture in dict.fromkeys(item.images):
                    self._items[name, item.number] = item
                    self._showing.setdefault(picture, {}).setdefault(name, []).append(item.number)
        self._places = _places(vectors, self._items)
        self._gathered: tuple[tuple[Any, ...], Any] = ((), None)

    def sharing(self, images: Iterable[str]) -> dict[str, dict[int, int]]:
        """By set: the items with at least one of these pictures, and how many they have."""
        found: dict[str, Counter[int]] = {}
        for picture in set(images):
            for name, items in self._showing.get(picture, {}).items():
                found.setdefault(name, Counter()).update(items)
        return {name: dict(sorted(found[name].items())) for name in sorted(found)}

    def telling(self, images: Iterable[str], name: str) -> set[int]:
        """Items of a set with one of these pictures that stands beside at most 100 of them."""
        showing = (self._showing.get(picture, {}).get(name, []) for picture in set(images))
        return {item for items in showing if len(items) <= COMMON for item in items}

    def jaccards(self, row: Shingles, name: str, items: Iterable[int]) -> dict[int, Fraction]:
        """Of a row and those items that have anything in common with it."""
        found = {}
        for item in items:
            key = name, item
            if key not in self._shingles:
                self._shingles[key] = shingles(self._items[key].text, self.words)
            if not row.isdisjoint(self._shingles[key]):
                found[item] = jaccard(row, self._shingles[key])
        return found

    def cosines(self, vector: Any, name: str, items: Sequence[int]) -> dict[int, float]:
        """Of a row's vector and those items that can be the nearest, in float64 as in stage 2."""
        held = [item for item in items if (name, item) in self._places]
        if self.vectors is None or not held:
            return {}
        if len(held) > COMMON:
            held = self._screened(np.asarray(vector, np.float32), name, held)
        theirs = self.vectors.vectors[self._rows(name, held)].astype(np.float64)
        ours = np.repeat(np.asarray(vector, np.float64)[None], len(theirs), axis=0)
        product = (ours * theirs).sum(axis=1)
        lengths = np.sqrt((ours * ours).sum(axis=1) * (theirs * theirs).sum(axis=1))
        values = np.clip(product / lengths, -1.0, 1.0).tolist()
        return dict(zip(held, values, strict=True))

    def _screened(self, vector: Any, name: str, items: list[int]) -> list[int]:
        assert self.vectors is not None
        key = name, *items
        if self._gathered[0] != key:
            # Rows with a common picture come one after another.
            places = self._rows(name, items)
            norms = self.vectors.norms[places]
            self._gathered = key, self.vectors.vectors[places] / norms[:, None]
        near = self._gathered[1] @ vector / np.sqrt((vector * vector).sum())
        kept = np.flatnonzero(near >= near.max() - _MARGIN)
        return [items[k] for k in kept.tolist()]

    def _rows(self, name: str, items: Iterable[int]) -> list[int]:
        return [self._places[name, item] for item in items]


def picture_matches(
    rows: Sequence[Shown],
    index: PictureIndex,
    embed: Callable[[Sequence[str]], Embedded] | None = None,
    near: Iterable[Near] = (),
) -> tuple[PictureMatch, ...]:
    """For each row and set the one item with an equal picture whose text is the nearest.

    The nearest is the one with the largest Jaccard index, if that reaches the threshold of
    stage 1; else the one with the largest cosine; of equal ones: the larger Jaccard index, more
    equal pictures, the lowest item. Items that share no picture but a common one are looked at
    only where there is no other. Without vectors the Jaccard index alone decides.

    Parameters
    ----------
    rows : of one block or of many; each is looked at by itself.
    index : of the evaluation side.
    embed : makes the vectors of those rows that have a text and share a picture.
    near : pairs of stage 2, whose cosines hold where a pair is among them.

    Returns
    -------
    tuple of PictureMatch
        By row and set, ascending.

    Examples
    --------
    >>> items = [Shown(k, "What is shown?", (picture,)) for k, picture in enumerate("abb")]
    >>> index = PictureIndex({"mini": items}, Parameters())
    >>> found = picture_matches([Shown(7, "What is shown?", ("b",))], index)
    >>> [(one.row, one.item, one.jaccard) for one in found]
    [(7, 1, Fraction(1, 1))]
    """
    sharing = [(row, found) for row in rows if (found := index.sharing(row.images))]
    vectors: dict[int, Any] = {}
    if embed is not None and index.vectors is not None:
        given = [row for row, _ in sharing if has_text(row.text)]
        if given:
            made = embed([row.text for row in given]).vectors
            vectors = {row.number: made[place] for place, row in enumerate(given)}
    known: dict[tuple[int, str], dict[int, float]] = {}
    for one in near:
        known.setdefault((one.row, one.eval_set), {})[one.item] = one.cosine
    matches = []
    for row, by_set in sharing:
        mine = shingles(row.text, index.words)
        for name, shared in by_set.items():
            telling = index.telling(row.images, name)
            pool = sorted(telling) or list(shared)
            words = index.jaccards(mine, name, pool)
            pool = _alike(words, index.words) or pool
            angles: dict[int, float] = {}
            if row.number in vectors:
                angles = index.cosines(vectors[row.number], name, pool)
                angles |= known.get((row.number, name), {})
            ranked = [
                (angles.get(item, -2.0), words.get(item, _NOTHING), shared[item], -item)
                for item in pool
            ]
            _, alike, n_shared, minus = max(ranked)
            place = row.number, name, -minus
            matches.append(PictureMatch(*place, n_shared, alike, angles.get(-minus), not telling))
    return tuple(sorted(matches, key=lambda one: (one.row, one.eval_set)))


def _alike(words: Mapping[int, Fraction], given: Parameters) -> list[int]:
    """The items with the largest Jaccard index, if it reaches the threshold."""
    most = max(words.values(), default=_NOTHING)
    reached = most >= Fraction(*given.threshold)
    return [item for item, value in words.items() if value == most] if reached else []


def is_brief(text: str, tokenizer: str, most: int) -> bool:
    """Whether a text has at most so many tokens that it says little without its picture.

    Examples
    --------
    >>> is_brief("What is shown?", "unicode-v1", 12), is_brief("What is shown?", "unicode-v1", 2)
    (True, False)
    """
    return len(tokens(text, tokenizer)) <= most


def _places(
    vectors: EvalVectors | None, items: Mapping[tuple[str, int], Shown]
) -> dict[tuple[str, int], int]:
    """Row of the matrix for each of the items that has a vector."""
    if vectors is None:
        return {}
    sizes = np.diff(vectors.member_starts)
    of = np.repeat(np.arange(len(sizes)), sizes).tolist()
    named = (vectors.sets[k] for k in vectors.set_of[of].tolist())
    keys = zip(named, vectors.members.tolist(), strict=True)
    return {key: place for key, place in zip(keys, of, strict=True) if key in items}


__all__ = ["COMMON", "PictureIndex", "Shown", "is_brief", "picture_matches"]
