"""Pairs of rows and items that may be near, and how many shingles each pair shares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from harness.audit import kernel
from harness.audit.bitmap import in_bitmap
from harness.audit.index import Index
from harness.audit.shingles import Counts, Hashed

_CHUNK = 1 << 16

Pairs = tuple[Counts, ...]


def shared_shingles(
    given: Hashed, index: Index, covered: Any, holding: Any, compiled: bool
) -> Iterator[Pairs]:
    """Shared shingles of every pair that can reach the threshold or the containment limit.

    Parameters
    ----------
    given : shingles of a block of rows.
    index : the evaluation side.
    covered : rows of which enough shingles may be in the index for a hit.
    holding : rows that may contain an item.
    compiled : look shingles up by `harness.audit.kernel`; the result is the same.

    Yields
    ------
    rows, items, shared : three arrays of one length. A pair comes once, in no order, and pieces
        are small: rows that are near to thousands of items do not need memory for all.
    """
    rows = np.flatnonzero(covered | holding)
    sizes = np.diff(given.starts)
    local, ids = _hits(given, index, rows, compiled)
    n_hits = np.bincount(local, minlength=len(rows))
    part, whole = index.parameters.threshold
    needs = -(-part * sizes[rows] // whole)
    quota = np.where(covered[rows] & (n_hits >= needs), n_hits - needs + 1, 0)
    # Any `needs` of a row's hits have one among its n_hits - needs + 1 rarest.
    useful = (quota > 0) | holding[rows]
    local, ids = local[useful[local]], ids[useful[local]]
    n_kept = np.where(useful, n_hits, 0)
    codes = np.sort(local * np.int64(len(index.keys)) + ids)
    ids = codes - local * np.int64(len(index.keys))
    row_starts = np.concatenate([[0], np.cumsum(n_kept)]).astype(np.int64)
    first = np.arange(len(ids)) - row_starts[local] < quota[local]
    n_rare = index.rare.starts[ids + 1] - index.rare.starts[ids]
    held = holding[rows][local] & (n_rare > 0)
    n_all = index.posting_starts[ids + 1] - index.posting_starts[ids]
    n_postings = np.where(first, n_all, 0) + held * n_rare
    per_row = np.bincount(local, n_postings, minlength=len(rows)).astype(np.int64)
    for low, high in _pieces(per_row):
        inside = slice(*np.searchsorted(local, [low, high]))
        pairs = [
            _expanded(local[inside][kept], ids[inside][kept], postings, starts, len(index.items))
            for kept, postings, starts in (
                (first[inside], index.postings, index.posting_starts),
                (held[inside], index.rare.postings, index.rare.starts),
            )
        ]
        row, item = np.divmod(np.unique(np.concatenate(pairs)), max(1, len(index.items)))
        possible = _possible(sizes[rows][row], n_hits[row], index.sizes[item], index)
        row, item = row[possible], item[possible]
        for begin, end in _pieces(index.sizes[item]):
            some = row[begin:end], item[begin:end]
            if compiled:
                shared = kernel.counted(
                    *some, ids, row_starts, (index.members, index.member_starts)
                )
            else:
                shared = _counted(*some, codes, index)
            yield rows[some[0]], some[1], shared


def _hits(given: Hashed, index: Index, rows: Counts, compiled: bool) -> tuple[Counts, Counts]:
    """Shingles of the rows that any item holds: the place of the row in `rows`, and the number."""
    if compiled:
        return kernel.known(given, rows, index.bitmap, index.keys, index.directory, index.ids)
    at, local = _spread(given.starts[rows], np.diff(given.starts)[rows])
    hashes = given.hashes[at]
    near = in_bitmap(hashes, index.bitmap)
    hashes, local = hashes[near], local[near]
    if not len(index.keys):
        return local[:0], index.ids
    place = np.minimum(np.searchsorted(index.keys, hashes), len(index.keys) - 1)
    there = index.keys[place] == hashes
    return local[there], index.ids[place[there]]


def _possible(row_size: Any, n_hits: Any, item_size: Any, index: Index) -> Any:
    """Pairs whose sizes alone do not rule out both."""
    part, whole = index.parameters.threshold
    most = np.minimum(n_hits, item_size)
    near = (part + whole) * most >= part * (row_size + item_size)
    part, whole = index.parameters.containment
    return near | (whole * most >= part * item_size)


def _expanded(local: Any, ids: Any, postings: Any, starts: Any, n_items: int) -> Any:
    at, of = _spread(starts[ids], starts[ids + 1] - starts[ids])
    return local[of] * np.int64(n_items) + postings[at]


def _counted(row: Any, item: Any, codes: Any, index: Index) -> Counts:
    """Members of each item that the row holds, by binary search among the rows' hits."""
    at, of = _spread(index.member_starts[item], index.sizes[item])
    wanted = row[of] * np.int64(len(index.keys)) + index.members[at]
    found = np.minimum(np.searchsorted(codes, wanted), len(codes) - 1)
    return np.bincount(of[codes[found] == wanted], minlength=len(row)).astype(np.int64)


def _spread(starts: Any, sizes: Any) -> tuple[Any, Any]:
    """Places ``starts[k] … starts[k] + sizes[k] − 1`` of every k, and the k of each."""
    of = np.repeat(np.arange(len(sizes)), sizes)
    before = np.cumsum(sizes) - sizes
    return np.arange(len(of)) + (starts - before)[of], of


def _pieces(sizes: Any) -> Iterator[tuple[int, int]]:
    """Cut a list into pieces whose sizes sum to about `_CHUNK`; none where all are 0."""
    total = np.cumsum(sizes)
    low = 0
    while low < len(sizes):
        reached = (total[low - 1] if low else 0) + _CHUNK
        high = max(low + 1, int(np.searchsorted(total, reached, side="right")))
        if total[high - 1] > (total[low - 1] if low else 0):
            yield low, high
        low = high


__all__ = ["Pairs", "shared_shingles"]
