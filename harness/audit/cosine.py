"""Stage 2: the nearest items by cosine, screened by blocked products and decided in float64."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.audit.nearness import Nearness, NearSpan, merge_near
from harness.audit.pairs import Near
from harness.audit.vectors import EvalVectors, Floats, Integers, checked, eval_vectors
from harness.errors import DataError

# What a product may be off by, from the type that its factors are stored in.
MARGIN = 1e-4
_ROWS, _ITEMS = 2048, 8192
_PAIRS, _NUMBERS = 1 << 19, 1 << 20
_SLACK = 1e-5


@dataclass(frozen=True)
class NearParameters:
    """What counts as near.

    Parameters
    ----------
    threshold : cosine of a candidate, in (0, 1]; it belongs to the embedder.
    floor : cosine from which pairs are kept for the sample below the threshold, at most the
        threshold.
    k : candidates per row and evaluation set, at least 1.
    margin : the screen is this much below; it is raised to what float32 needs for the
        dimensions at hand.
    border : pairs this near to the threshold are listed.

    Raises
    ------
    DataError
        For values outside these ranges.
    """

    threshold: float
    floor: float
    k: int = 1
    margin: float = MARGIN
    border: float = 1e-3

    def __post_init__(self) -> None:
        if not 0 < self.floor <= self.threshold <= 1:
            raise DataError(
                "stage 2: expected 0 < floor <= threshold <= 1, found floor "
                f"{self.floor:g} and threshold {self.threshold:g}"
            )
        if self.k < 1 or not 0 <= self.margin < 1 or not 0 <= self.border < 1:
            raise DataError(
                "stage 2: expected k of at least 1, and margin and border in [0, 1), found "
                f"{self.k}, {self.margin:g} and {self.border:g}"
            )

    @property
    def low(self) -> float:
        """The cosine from which pairs are looked at."""
        return max(1e-6, min(self.floor, self.threshold - self.border))


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of a row of the block and a distinct vector of the index, sorted by both."""

    rows: Integers
    places: Integers
    cosines: Any
    sure: Any


def near_block(
    vectors: Any,
    index: EvalVectors,
    parameters: NearParameters,
    start: int = 0,
    *,
    present: Any = None,
    truncated: int = 0,
    embedder: str = "",
) -> Nearness:
    """Compare a block of training rows with the evaluation side: pure, any executor may call it.

    Parameters
    ----------
    vectors : (n, d) float32 or float16, of length 1 to within 10⁻³: rows ``start`` to
        ``start + n - 1``, unless `present` says otherwise.
    index : of `eval_vectors`.
    parameters : of the run.
    start : number of the first row.
    present : (rows,) booleans, true for the n rows that have a vector; the others have no text.
        None: all have one.
    truncated : of the rows, how many were cut at the model's limit; for the count alone.
    embedder : fingerprint of what made the vectors; has to be that of the index.

    Returns
    -------
    Nearness
        To be put together by `merge_near`, in any order.

    Raises
    ------
    DataError
        For vectors of another embedder or dimension, and for a row whose vector is not finite,
        is zero or has another length.

    Notes
    -----
    Products of float32 within d·2⁻²⁴ of the exact ones screen; what they leave is computed again
    in float64 from the stored float32 and decided there, so neither the block nor the library
    behind the product decides. A cosine divides by the lengths. Equal ones go to the lowest item.

    Examples
    --------
    >>> index = eval_vectors({"mini": np.eye(2, dtype=np.float32)})
    >>> row = np.array([[0.6, 0.8]], np.float32)
    >>> found = near_block(row, index, NearParameters(threshold=0.75, floor=0.5)).near
    >>> [(one.item, one.rank, round(one.cosine, 6)) for one in found]
    [(1, 1, 0.8), (0, 2, 0.6)]
    """
    if embedder != index.embedder:
        raise DataError(
            f"stage 2: expected vectors of the embedder {index.embedder[:12] or '(none stated)'} "
            f"of the evaluation side, found {embedder[:12] or '(none stated)'}; embed both sides "
            "with the same model, revision and prompt"
        )
    mask = np.ones(len(vectors), bool) if present is None else np.asarray(present, bool)
    places = np.flatnonzero(mask)
    if len(places) != len(vectors):
        raise DataError(
            f"stage 2: expected a vector for each of {len(places)} rows with text, found "
            f"{len(vectors)}"
        )
    near: list[Near] = []
    buffer = np.empty(_ROWS * min(_ITEMS, len(index.vectors)), np.float32)
    for begin in range(0, len(vectors), _ROWS):
        block, lengths = checked(
            vectors[begin : begin + _ROWS],
            "training row",
            places[begin : begin + _ROWS] + start,
            index.vectors.shape[1],
        )
        above = np.zeros((len(block), len(index.sets)), np.int64)
        kept = list(_screened(block, lengths, index, parameters, buffer, above))
        pairs = _rescored(kept, block, index)
        numbers = places[begin : begin + _ROWS] + start
        near += _ranked(pairs, index, parameters, above, numbers)
    limit, border = parameters.threshold, parameters.border
    borderline = tuple(one for one in near if abs(one.cosine - limit) <= border)
    span = NearSpan(
        *(index.fingerprint, start, start + len(mask)),
        *(truncated, len(mask) - len(places), len(borderline)),
    )
    return Nearness(
        tuple(one for one in near if one.cosine >= parameters.floor),
        borderline,
        (span,) if len(mask) else (),
    )


def _screened(
    block: Floats,
    lengths: Floats,
    index: EvalVectors,
    parameters: NearParameters,
    buffer: Floats,
    above: Integers,
) -> Iterator[_Pairs]:
    """Pairs that may be among those to report; cosines are good to the margin.

    Adds to `above` (rows, sets) the items that are surely beyond the threshold.
    """
    margin = max(parameters.margin, block.shape[1] * 2.0**-24) + _SLACK
    for left in range(0, len(index.vectors), _ITEMS):
        items = slice(left, left + _ITEMS)
        norms = index.norms[items]
        out = buffer[: len(block) * len(norms)].reshape(len(block), len(norms))
        np.matmul(block, index.vectors[items].T, out=out)
        least = float(lengths.min()) * float(norms.min())
        mask = out >= np.float32((parameters.low - margin) * least)
        per_row = np.count_nonzero(mask, axis=1)
        for low, high in _pieces(per_row):
            # Positions first: np.nonzero of a large mask is several times as slow.
            flat = np.flatnonzero(mask[low:high].reshape(-1))
            rows, columns = np.divmod(flat, len(norms))
            rows += low
            cosines = out[rows, columns] / (lengths[rows] * norms[columns])
            sure = cosines >= parameters.threshold + margin
            found = _Pairs(rows, columns + left, cosines, sure)
            yield _pruned(found, index, parameters, margin, above)


def _pruned(
    found: _Pairs, index: EvalVectors, parameters: NearParameters, margin: float, above: Integers
) -> _Pairs:
    """Of each row and set: what may be among the k nearest, or the nearest below the threshold."""
    limit = parameters.threshold
    groups = found.rows * len(index.sets) + index.set_of[found.places]
    counts = np.diff(index.member_starts)[found.places]
    np.add.at(above.reshape(-1), groups[found.sure], counts[found.sure])
    new = np.ones(len(groups), bool)
    new[1:] = groups[1:] != groups[:-1]
    starts = np.flatnonzero(new)
    if len(starts) == len(groups):
        return found
    below = np.where(found.cosines < limit - margin, found.cosines, np.float32(-2))
    nearest_below = np.maximum.reduceat(below, starts)
    order = np.lexsort((-found.cosines, groups))
    sizes = np.diff(np.append(starts, len(groups)))
    kth = found.cosines[order[starts + np.minimum(parameters.k, sizes) - 1]]
    of = np.cumsum(new) - 1
    near = found.cosines >= kth[of] - 2 * margin
    band = (found.cosines >= nearest_below[of] - 2 * margin) & (found.cosines <= limit + margin)
    kept = near | band
    return _Pairs(found.rows[kept], found.places[kept], found.cosines[kept], found.sure[kept])


def _rescored(kept: list[_Pairs], block: Floats, index: EvalVectors) -> _Pairs:
    """The same pairs with cosines in float64, from the stored vectors."""
    rows = np.concatenate([np.zeros(0, np.int64), *(part.rows for part in kept)])
    places = np.concatenate([np.zeros(0, np.int64), *(part.places for part in kept)])
    sure = np.concatenate([np.zeros(0, bool), *(part.sure for part in kept)])
    cosines = np.empty(len(rows))
    step = max(1, _NUMBERS // max(1, block.shape[1]))
    for begin in range(0, len(rows), step):
        chosen = slice(begin, begin + step)
        ours = block[rows[chosen]].astype(np.float64)
        theirs = index.vectors[places[chosen]].astype(np.float64)
        # A plain sum along a row depends on that row alone; einsum and BLAS sum as the machine
        # likes.
        product = (ours * theirs).sum(axis=1)
        squares = np.multiply(ours, ours, out=ours).sum(axis=1)
        squares *= np.multiply(theirs, theirs, out=theirs).sum(axis=1)
        cosines[chosen] = product / np.sqrt(squares)
    return _Pairs(rows, places, np.clip(cosines, -1.0, 1.0), sure)


def _ranked(
    pairs: _Pairs, index: EvalVectors, parameters: NearParameters, above: Integers, numbers: Any
) -> list[Near]:
    """The pairs to report, from exact cosines, in the order of rows, sets and ranks.

    `above` counts what the screen was sure of, some of which it did not keep.
    """
    limit, n_sets = parameters.threshold, len(index.sets)
    groups = pairs.rows * n_sets + index.set_of[pairs.places]
    over = pairs.cosines >= limit
    # Items with equal vectors are compared once; the first k of them can be among the k nearest.
    starts = index.member_starts[pairs.places]
    counts = np.diff(index.member_starts)[pairs.places]
    n_at_least = above.reshape(-1).copy()
    np.add.at(n_at_least, groups[over & ~pairs.sure], counts[over & ~pairs.sure])
    counts = np.where(pairs.cosines >= parameters.low, counts, 0)
    counts = np.minimum(counts, np.where(over, parameters.k, 1))
    of = np.repeat(np.arange(len(groups)), counts)
    items = index.members[starts[of] + np.arange(len(of)) - (np.cumsum(counts) - counts)[of]]
    groups, cosines = groups[of], pairs.cosines[of]
    order = np.lexsort((items, -cosines, cosines < limit, groups))
    groups, cosines, items = groups[order], cosines[order], items[order]
    sides = 2 * groups + (cosines < limit)
    ranks = np.arange(len(sides)) - np.searchsorted(sides, sides)
    below = cosines < limit
    kept = ranks < np.where(below, 1, parameters.k)
    ranks = ranks + 1 + np.where(below, n_at_least[groups], 0)
    rows = numbers[groups // n_sets]
    return [
        Near(row, index.sets[place], item, rank, cosine)
        for row, place, item, rank, cosine in zip(
            *(x[kept].tolist() for x in (rows, groups % n_sets, items, ranks, cosines)),
            strict=True,
        )
    ]


def _pieces(per_row: Any) -> Iterator[tuple[int, int]]:
    """Cut rows into pieces with about half a million pairs; none where there are no pairs."""
    total = np.concatenate([[0], np.cumsum(per_row)])
    low = 0
    while low < len(per_row):
        high = max(low + 1, int(np.searchsorted(total, total[low] + _PAIRS, side="right")) - 1)
        if total[high] > total[low]:
            yield low, high
        low = high


__all__ = ["MARGIN", "EvalVectors", "NearParameters", "NearSpan", "Nearness", "eval_vectors"]
__all__ += ["merge_near", "near_block"]
