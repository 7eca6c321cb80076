"""The exact join: for each training row the nearest item of each evaluation set, in integers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from harness.audit import kernel
from harness.audit.bitmap import in_bitmap
from harness.audit.candidates import Pairs, shared_shingles
from harness.audit.findings import Findings, Match, Span, best, by_containment, by_jaccard, merge
from harness.audit.index import Index, Item, hashed_by
from harness.audit.shingles import Counts, Hashed, Parameters, Shingles, shingles

_NONE: Pairs = (np.zeros(0, np.int64),) * 4
_BLOCK_CHARS, _BLOCK_ROWS = 1 << 19, 1 << 14


def audit_block(
    texts: Sequence[str], index: Index, start: int = 0, engine: str = "auto"
) -> Findings:
    """Join a block of training rows with the index: pure, so any executor may call it.

    Parameters
    ----------
    texts : rows ``start`` to ``start + len(texts) - 1``.
    index : of `build_index`.
    start : number of the first row.
    engine : `numba`, `numpy` or `auto`; the findings are the same.

    Returns
    -------
    Findings
        To be put together by `merge`, in any order.

    Raises
    ------
    DataError
        For an engine that is not there.

    Notes
    -----
    J(t, e) ≥ p/q needs i ≥ p|t|/q shared shingles, so of the h shingles of t that any item has
    one of the h − ⌈p|t|/q⌉ + 1 rarest is shared. A pair is a hit when (p + q) i ≥ p(|t| + |e|).
    Each pair that is reported was compared again as strings, so a collision of hashes makes no
    hit. That one hides a hit has to be expected in 5·10⁻⁵ of audits with 4·10⁷ shingles.

    Examples
    --------
    >>> from harness.audit.index import build_index
    >>> index = build_index({"mini": ["a ball falls from rest and stops"]}, engine="numpy")
    >>> found = audit_block(["a ball falls from rest and rolls"], index, engine="numpy")
    >>> [(hit.item, hit.jaccard) for hit in found.hits]
    [(0, Fraction(1, 2))]
    """
    given = hashed_by(engine)(texts, index.parameters)
    compiled = engine != "numpy" and kernel.available()
    covered, holding = _filtered(given, index, compiled)
    near: list[Pairs] = [_NONE]
    held: list[Pairs] = [_NONE]
    n_candidates = 0
    limit, share = index.parameters.threshold, index.parameters.containment
    row_sizes = np.diff(given.starts)
    for rows, items, shared in shared_shingles(given, index, covered, holding, compiled):
        n_candidates += len(rows)
        union = row_sizes[rows] + index.sizes[items] - shared
        hit = limit[1] * shared >= limit[0] * union
        near.append(_nearest(rows[hit], items[hit], shared[hit], union[hit], index))
        of = index.sizes[items]
        hit = share[1] * shared >= share[0] * of
        held.append(_nearest(rows[hit], items[hit], shared[hit], of[hit], index))
    short = (given.n_tokens > 0) & (given.n_tokens < index.parameters.n)
    span = Span(
        *(index.fingerprint, start, start + len(texts)),
        *(int(short.sum()), int((given.n_tokens == 0).sum())),
        *(int(covered.sum()), n_candidates),
    )
    sets: dict[int, Shingles] = {}
    return Findings(
        _checked(near, by_jaccard, limit, texts, index, start, sets),
        _checked(held, by_containment, share, texts, index, start, sets),
        (span,) if texts else (),
    )


def audit(texts: Iterable[str], index: Index, start: int = 0, engine: str = "auto") -> Findings:
    """Join any number of rows, block by block; memory is that of one block and the hits.

    Parameters
    ----------
    texts, index, start, engine : as for `audit_block`; `texts` may be a stream.
    """
    found = []
    for first, block in blocks(texts, start):
        found.append(audit_block(block, index, first, engine))
    return merge(*found)


def blocks(texts: Iterable[str], start: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Cut a stream into blocks of half a million characters: (number of the first row, rows)."""
    block: list[str] = []
    size = 0
    for text in texts:
        block.append(text)
        size += len(text)
        if size >= _BLOCK_CHARS or len(block) >= _BLOCK_ROWS:
            yield start, block
            start, block, size = start + len(block), [], 0
    if block:
        yield start, block


def _filtered(given: Hashed, index: Index, compiled: bool) -> tuple[Any, Any]:
    part, whole = index.parameters.threshold
    rare = index.rare
    if compiled:
        return kernel.covered(given, index.bitmap, rare.bitmap, (part, whole), rare.least)
    sizes = np.diff(given.starts)
    hit = in_bitmap(given.hashes, index.bitmap)
    hits = _sums(hit, given.starts)
    some = _sums(hit & in_bitmap(given.hashes, rare.bitmap), given.starts)
    return (sizes > 0) & (whole * hits >= part * sizes), (some > 0) & (hits >= rare.least)


def _sums(values: Any, starts: Counts) -> Counts:
    total = np.zeros(len(values) + 1, np.int64)
    np.cumsum(values, out=total[1:])
    return total[starts[1:]] - total[starts[:-1]]


def _nearest(rows: Counts, items: Counts, shared: Counts, of: Counts, index: Index) -> Pairs:
    """Of the items of a row in one set the one with the largest shared / of; ties: the lowest."""
    order = np.lexsort((items, index.set_of[items], rows))
    rows, items, shared, of = rows[order], items[order], shared[order], of[order]
    groups = rows * np.int64(len(index.sets)) + index.set_of[items]
    while True:
        new = np.ones(len(groups), bool)
        new[1:] = groups[1:] != groups[:-1]
        if new.all():
            return rows, items, shared, of
        # Neighbours meet two by two: products of integers decide, and the earlier keeps a tie.
        places = np.arange(len(groups))
        rank = places - np.maximum.accumulate(np.where(new, places, 0))
        left = np.flatnonzero(~new[1:] & (rank[:-1] % 2 == 0))
        loses = shared[left + 1] * of[left] > shared[left] * of[left + 1]
        kept = np.ones(len(groups), bool)
        kept[np.where(loses, left, left + 1)] = False
        rows, items, shared, of, groups = (
            column[kept] for column in (rows, items, shared, of, groups)
        )


def _checked(
    pieces: list[Pairs],
    by: Callable[[Match], tuple[int, int]],
    limit: tuple[int, int],
    texts: Sequence[str],
    index: Index,
    start: int,
    sets: dict[int, Shingles],
) -> tuple[Match, ...]:
    """The nearest of each row and set, counted again on strings.

    `sets` keeps the shingles of row k at k and those of item e at ~e.
    """
    rows, items, shared, of = (np.concatenate(column) for column in zip(*pieces, strict=True))
    rows, items, shared, _ = _nearest(rows, items, shared, of, index)
    found = []
    for row, item, count in zip(rows.tolist(), items.tolist(), shared.tolist(), strict=True):
        for key, text in ((row, texts[row]), (~item, index.items[item].text)):
            if key not in sets:
                sets[key] = shingles(text, index.parameters)
        own, parameters = sets[row], index.parameters
        match = _match(row + start, own, index.items[item], sets[~item], parameters)
        if match.shared != count:
            # Two shingles share a hash: the hashes of this row decide nothing.
            others = (other for other in index.items if other.eval_set == match.eval_set)
            found += [
                _match(row + start, own, other, shingles(other.text, parameters), parameters)
                for other in others
            ]
        else:
            found.append(match)
    return best((m for m in found if limit[1] * by(m)[0] >= limit[0] * by(m)[1] > 0), by)


def _match(row: int, own: Shingles, item: Item, other: Shingles, parameters: Parameters) -> Match:
    # A set with a shingle of fewer than n tokens has no other.
    short = any(len(gram) < parameters.n for held in (own, other) for gram in islice(held, 1))
    sizes = len(own & other), len(own), len(other)
    return Match(row, item.eval_set, item.place, *sizes, short)


__all__ = ["audit", "audit_block", "blocks"]
