"""What is relevant to what, joined by id: queries, candidates and the places of the relevant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from harness.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers: TypeAlias = NDArray[np.int64]

_SHOWN = 5


@dataclass(frozen=True, eq=False)
class Relevance:
    """The relevant candidates of every query: those of query i are `places[starts[i]:starts[i+1]]`.

    `queries` and `candidates` are different ids, in the order of their vectors. Every query has
    a relevant candidate; a candidate may be relevant to several queries or to none.
    """

    queries: tuple[str, ...]
    candidates: tuple[str, ...]
    starts: Integers
    places: Integers

    def of(self, query: int) -> Integers:
        """Places of the relevant candidates of a query, ascending."""
        return self.places[self.starts[query] : self.starts[query + 1]]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Images and their captions, and what is relevant in both directions."""

    images: tuple[str, ...]
    texts: tuple[str, ...]
    i2t: Relevance
    t2i: Relevance

    @property
    def image_of_text(self) -> tuple[str, ...]:
        """The first relevant image of each text, in the order of `texts`: its cluster."""
        t2i = self.t2i
        return tuple(self.images[place] for place in t2i.places[t2i.starts[:-1]].tolist())


def relevance(
    queries: Sequence[str], candidates: Sequence[str], relevant: Mapping[str, Iterable[str]]
) -> Relevance:
    """Join one direction of retrieval by id; any number may be relevant to any number.

    Parameters
    ----------
    queries, candidates : different ids, in the order of their vectors.
    relevant : the ids of the relevant candidates of each query id, at least one each.

    Returns
    -------
    Relevance
        The same pairs whatever the order of `relevant`.

    Raises
    ------
    DataError
        Duplicate ids on a side or among the relevant of a query, a query without a relevant
        candidate, relevant ids that are no candidates, or queries that are not asked; no query.

    References
    ----------
    S. Chun et al., "ECCV Caption" (2022), for relevance beyond one image a caption.

    Examples
    --------
    >>> found = relevance(["q"], ["a", "b", "c"], {"q": ["c", "a"]})
    >>> found.of(0).tolist()
    [0, 2]
    """
    place_of = {one: place for place, one in enumerate(candidates)}
    lists = {query: list(relevant.get(query, ())) for query in queries}
    _refuse("query ids", "stand twice", _twice(queries))
    _refuse("candidate ids", "stand twice", _twice(candidates))
    _refuse("queries", "have no relevant candidate", [q for q in queries if not lists[q]])
    _refuse("ids with relevant candidates", "are no queries", sorted(set(relevant) - set(lists)))
    wanted = [one for query in queries for one in lists[query]]
    _refuse("relevant ids", "are no candidates", sorted({w for w in wanted if w not in place_of}))
    _refuse("queries", "name a candidate twice", [q for q in queries if _twice(lists[q])])
    if not lists:
        raise DataError("retrieval: expected at least one query, found none")
    own = [sorted(place_of[one] for one in lists[query]) for query in queries]
    starts = np.concatenate([[0], np.cumsum([len(some) for some in own])]).astype(np.int64)
    places = np.array([place for some in own for place in some], dtype=np.int64)
    return Relevance(tuple(queries), tuple(candidates), starts, places)


def pairs(images: Sequence[str], texts: Sequence[str], image_of: Mapping[str, str]) -> Pairs:
    """Join images and captions by id, where a caption belongs to one image.

    Parameters
    ----------
    images, texts : different ids, in the order of their vectors.
    image_of : the image id of each text id.

    Returns
    -------
    Pairs
        Both directions; neither depends on the order of `image_of`.

    Raises
    ------
    DataError
        Duplicate ids, a caption without an image, an image without a caption.

    References
    ----------
    A. Karpathy and L. Fei-Fei, "Deep visual-semantic alignments for generating image
    descriptions" (2015).

    Examples
    --------
    >>> found = pairs(["1", "2"], ["a", "b", "c"], {"a": "2", "b": "1", "c": "2"})
    >>> found.i2t.of(1).tolist(), found.t2i.places.tolist()
    ([0, 2], [1, 0, 1])
    """
    known, asked = set(images), set(texts)
    _refuse("image ids", "stand twice", _twice(images))
    _refuse("text ids", "stand twice", _twice(texts))
    without = [text for text in texts if image_of.get(text) not in known]
    _refuse("texts", "have no image in the set", without)
    _refuse("texts with an image", "are not in the set", sorted(set(image_of) - asked))
    texts_of: dict[str, list[str]] = {image: [] for image in images}
    for text in texts:
        texts_of[image_of[text]].append(text)
    _refuse("images", "have no text in the set", [i for i in images if not texts_of[i]])
    return Pairs(
        images=tuple(images),
        texts=tuple(texts),
        i2t=relevance(images, texts, texts_of),
        t2i=relevance(texts, images, {text: [image_of[text]] for text in texts}),
    )


def rows_of(ids: Sequence[str], stored: Sequence[str], what: str) -> Integers:
    """Find the rows of a store of vectors by id, so that its own order does not matter.

    Parameters
    ----------
    ids : the ids wanted, in the order wanted.
    stored : the id of each row of the store; more than are wanted is no fault.
    what : "image" or "text", for messages.

    Returns
    -------
    array of int64, shape (ids,)
        `vectors[rows]` are the vectors of `ids`.

    Raises
    ------
    DataError
        Ids that the store lacks or holds twice.

    References
    ----------
    None: a join by id.

    Examples
    --------
    >>> rows_of(["a", "b"], ["b", "x", "a"], "text").tolist()
    [2, 0]
    """
    place_of = {one: place for place, one in enumerate(stored)}
    _refuse(f"{what} ids of the store", "stand twice", _twice(stored))
    _refuse(f"{what} ids", "are not in the store", [one for one in ids if one not in place_of])
    return np.array([place_of[one] for one in ids], dtype=np.int64)


def _twice(ids: Iterable[str]) -> list[str]:
    return [one for one, n in Counter(ids).items() if n > 1]


def _refuse(what: str, fault: str, found: Sequence[str]) -> None:
    if found:
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        named = ", ".join(repr(one) for one in found[:_SHOWN])
        raise DataError(
            f"retrieval: {len(found)} of the {what} {fault}: {named}{more}; expected a join of "
            "different ids without a rest, correct the data"
        )


__all__ = ["Pairs", "Relevance", "pairs", "relevance", "rows_of"]
