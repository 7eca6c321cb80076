"""Items that lie inside a longer row, which Jaccard cannot see: a column, not a hit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.audit.bitmap import bitmap_of
from harness.audit.shingles import Counts, Hashes

_AT_ONCE = 1 << 16


@dataclass(frozen=True, eq=False)
class Rare:
    """The rarest shingles of each item: a row that contains the item holds at least one.

    Parameters
    ----------
    postings, starts : items that count shingle k among their rarest.
    bitmap : over the hashes of those that any item does.
    least : the fewest shared shingles with which any item is contained.
    """

    postings: Counts
    starts: Counts
    bitmap: Any
    least: int


def rarest(sizes: Counts, by_item: Counts, share: tuple[int, int]) -> Any:
    """Choose, of an item with m shingles of which k must be shared, the m − k + 1 rarest.

    Of any k shingles of the item one is among them, so no containment is missed, while what
    many items have in common starts no comparison.

    Parameters
    ----------
    sizes : shingles of each item.
    by_item : places, in a list of all shingles of all items, of those of the first item, the
        rarest first, then of the second, and so on.
    share : smallest share of an item that counts as contained, numerator and denominator.

    Returns
    -------
    array of bool
        For each place in the list, whether it is one of its item's rarest.
    """
    last = narrow(np.cumsum(sizes) - needed(sizes, share))
    chosen = np.empty(len(by_item), bool)
    chosen[by_item] = np.arange(len(by_item), dtype=last.dtype) <= np.repeat(last, sizes)
    return chosen


def rare(
    members: Counts,
    item_of: Counts,
    keys: Hashes,
    ids: Counts,
    sizes: Counts,
    share: tuple[int, int],
) -> Rare:
    """What finds the rows that may contain an item.

    Parameters
    ----------
    members, item_of : the rarest shingles of all items, ascending, and the item of each.
    keys, ids : the hashes, and the number that `members` gives each.
    sizes, share : as for `rarest`.
    """
    postings, starts = posted(members, item_of, len(keys))
    bitmap = bitmap_of(keys[np.diff(starts)[ids] > 0])
    least = int(needed(sizes[sizes > 0], share).min(initial=2**62))
    return Rare(postings, starts, bitmap, least)


def posted(members: Counts, item_of: Counts, n_keys: int) -> tuple[Counts, Counts]:
    """The items of each shingle, where `members` ascend, and where those of shingle k begin."""
    dtype = np.int32 if len(members) < 2**31 else np.int64
    starts: Counts = np.zeros(n_keys + 1, dtype)
    # A few at a time, as counting makes a copy in 64 bits.
    for low in range(0, len(members), _AT_ONCE):
        part = members[low : low + _AT_ONCE]
        first, last = int(part[0]), int(part[-1])
        starts[first + 1 : last + 2] += np.bincount(part - first).astype(dtype)
    np.cumsum(starts, out=starts)
    return item_of, starts


def narrow(values: Any) -> Counts:
    """Whole numbers in half the memory, where they fit."""
    narrowed: Counts = values.astype(np.int32) if values.max(initial=0) < 2**31 else values
    return narrowed


def needed(sizes: Counts, share: tuple[int, int]) -> Counts:
    """The fewest of `sizes` shingles that are at least the share, by integers."""
    return -(-share[0] * sizes // share[1])


__all__ = ["Rare", "narrow", "needed", "posted", "rare", "rarest"]
