"""Exact ranks of the first relevant item and the best items, without the matrix of scores.

Blocks of float32 products screen; what they leave open is computed again in float64 from the
stored vectors and decided there, so neither the block nor the library behind the product decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from harness.errors import DataError
from harness.retrieval.pairs import Pairs, Relevance
from harness.retrieval.side import MOST_QUERIES, MOST_TOP, Side, lengths

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from harness.retrieval.side import Floats, Integers

Product: TypeAlias = Callable[[slice, slice], Any]

FLOAT32 = 2.0**-24
_ROWS, _COLUMNS = MOST_QUERIES, MOST_QUERIES
_SHORTEST, _LONGEST = 1e-6, 1e6
_TIES = ("pessimistic", "optimistic", "expected")


@dataclass(frozen=True, eq=False)
class Ranks:
    """Of each query: what stands before its first relevant item, and the best candidates.

    `n_above` counts the candidates with a greater score than the best relevant one, `n_tied` the
    irrelevant ones with the same score, `n_relevant` the relevant ones with it, itself included.
    `best`, shape (queries, k), holds places of candidates, best first; of equal ones the lowest
    place comes first.
    """

    n_above: Integers
    n_tied: Integers
    n_relevant: Integers
    best: Integers

    def first(self, ties: str) -> Any:
        """Rank of the first relevant item, from 1, shape (queries,).

        "pessimistic" counts tied irrelevant items as before it, "optimistic" as after it (the
        published rule: 1 + the number strictly greater); both are integers. "expected" is the
        mean over all orders of the tied items.
        """
        if ties not in _TIES:
            raise DataError(f"ties: expected one of {', '.join(_TIES)}, found {ties!r}")
        if ties == "expected":
            return self.n_above + (self.n_tied + self.n_relevant + 1) / (self.n_relevant + 1)
        return 1 + self.n_above + (self.n_tied if ties == "pessimistic" else 0)


def exact_ranks(
    queries: ArrayLike,
    candidates: ArrayLike,
    relevant: Relevance,
    top: int = 10,
    *,
    product: Product | None = None,
    roundoff: float = FLOAT32,
) -> Ranks:
    """Rank the candidates of one direction by the dot product of vectors.

    Parameters
    ----------
    queries, candidates : float32 vectors, shapes (n, d) and (m, d), in the order of `relevant`,
        of lengths from 1e-6 to 1e6; of length 1 where the score is the cosine.
    relevant : of `relevance`; any number of candidates may be relevant to a query.
    top : how many of the best candidates to name, from 1 to 100; all where there are fewer.
    product : gives the scores of a slice of queries and a slice of candidates, for a product on
        another device. None: numpy.
    roundoff : of the product's factors and sums; 2⁻²⁴ for float32, more for reduced types.

    Returns
    -------
    Ranks
        Exact for the vectors as stored: what counts is the dot product summed in float64, which
        depends on the two vectors alone, so equal vectors tie. Memory beyond the vectors is a
        few blocks. Where most scores are equal, as from a collapsed encoder, most are computed
        in float64, which takes over a hundred times as long.

    Raises
    ------
    DataError
        For vectors of another type, shape or number, that are not finite or too short or long.

    References
    ----------
    N. J. Higham, Accuracy and Stability of Numerical Algorithms (2nd ed., 2002), section 3.1: a
    product is off by at most d times the roundoff times the lengths.

    Examples
    --------
    >>> from harness.retrieval.pairs import relevance
    >>> relevant = relevance(["q"], ["a", "b", "c"], {"q": ["b"]})
    >>> found = exact_ranks(
    ...     np.array([[1.0, 0.0]], np.float32),
    ...     np.array([[0.6, 0.8], [0.6, 0.8], [0.8, 0.6]], np.float32), relevant)
    >>> [found.first(ties).tolist() for ties in ("optimistic", "pessimistic", "expected")]
    [[2], [3], [2.5]]
    >>> found.best.tolist()
    [[2, 0, 1]]
    """
    counts = (len(relevant.queries), len(relevant.candidates))
    left, right = checked_sides(("queries", "candidates"), (queries, candidates), counts)
    side = Side(left, right, relevant, _top(top), roundoff, by_row=True)
    _scan(left, right, product, [side])
    return _ranks(side)


def both_ranks(
    images: ArrayLike,
    texts: ArrayLike,
    joined: Pairs,
    top: int = 10,
    *,
    product: Product | None = None,
    roundoff: float = FLOAT32,
) -> tuple[Ranks, Ranks]:
    """Rank texts for each image and images for each text, from one product of the two sides.

    Parameters
    ----------
    images, texts : float32 vectors, shapes (n, d) and (m, d), in the order of `joined`; see
        `rows_of` for vectors in another order, and `exact_ranks` for their lengths.
    joined : of `pairs`.
    top, product, roundoff : as in `exact_ranks`; the product's first slice is of images.

    Returns
    -------
    (Ranks, Ranks)
        Image to text and text to image, as `exact_ranks` gives each.

    Raises
    ------
    DataError
        As `exact_ranks`.

    References
    ----------
    N. J. Higham (2002), as `exact_ranks`.

    Examples
    --------
    >>> from harness.retrieval.pairs import pairs
    >>> eye = np.eye(2, dtype=np.float32)
    >>> found = both_ranks(eye, eye[::-1], pairs(["1", "2"], ["a", "b"], {"a": "2", "b": "1"}))
    >>> [side.first("optimistic").tolist() for side in found]
    [[1, 1], [1, 1]]
    """
    counts = (len(joined.images), len(joined.texts))
    left, right = checked_sides(("images", "texts"), (images, texts), counts)
    i2t = Side(left, right, joined.i2t, _top(top), roundoff, by_row=True)
    t2i = Side(right, left, joined.t2i, _top(top), roundoff, by_row=False)
    _scan(left, right, product, [i2t, t2i])
    return _ranks(i2t), _ranks(t2i)


def _scan(left: Floats, right: Floats, product: Product | None, sides: list[Side]) -> None:
    height, width = min(_ROWS, len(left)), min(_COLUMNS, -(-len(right) // 8) * 8)
    buffer = np.empty((height, width), np.float32)
    masks = np.zeros((2, height, width), bool)
    for upper in range(0, len(left), _ROWS):
        rows = slice(upper, min(upper + _ROWS, len(left)))
        for start in range(0, len(right), _COLUMNS):
            columns = slice(start, min(start + _COLUMNS, len(right)))
            block = buffer[: rows.stop - rows.start, : columns.stop - columns.start]
            if product is None:
                np.matmul(left[rows], right[columns].T, out=block)
            else:
                block[...] = product(rows, columns)
            if block.shape != buffer.shape:
                masks[...] = False
            for side in sides:
                side.add(block, rows, columns, masks)


def _ranks(side: Side) -> Ranks:
    n_tied = side.n_tied - side.n_relevant
    return Ranks(side.n_above, n_tied, side.n_relevant, side.best())


def checked_sides(
    names: tuple[str, str], given: tuple[ArrayLike, ArrayLike], counts: tuple[int, int]
) -> tuple[Floats, Floats]:
    """Refuse all but float32 vectors of one dimension, one an id, of lengths from 1e-6 to 1e6."""
    left, right = (_vectors(*one) for one in zip(names, given, counts, strict=True))
    if left.shape[1] != right.shape[1]:
        raise DataError(
            f"retrieval: expected vectors of one dimension, found {left.shape[1]} and "
            f"{right.shape[1]}; embed both sides with one model"
        )
    return left, right


def _vectors(name: str, given: ArrayLike, n: int) -> Floats:
    vectors: Any = np.asarray(given)
    if vectors.ndim != 2 or vectors.dtype != np.float32 or not vectors.shape[1]:
        raise DataError(
            f"retrieval: expected {name} as float32 of shape (n, d), found {vectors.dtype} of "
            f"shape {vectors.shape}"
        )
    if len(vectors) != n:
        raise DataError(
            f"retrieval: expected a vector for each of {n} {name}, found {len(vectors)}"
        )
    long = lengths(vectors)
    bad = np.flatnonzero(~((long >= _SHORTEST) & (long <= _LONGEST)))
    if len(bad):
        raise DataError(
            f"retrieval: expected {name} of finite length from {_SHORTEST:g} to {_LONGEST:g}, "
            f"found {len(bad)} of others, the first in row {bad[0]}; scale the vectors"
        )
    return np.ascontiguousarray(vectors)


def _top(top: int) -> int:
    if not 1 <= top <= MOST_TOP:
        raise DataError(f"top: expected from 1 to {MOST_TOP}, found {top}")
    return top


__all__ = ["FLOAT32", "Product", "Ranks", "both_ranks", "checked_sides", "exact_ranks"]
