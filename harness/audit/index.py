"""The evaluation side of the join: which items hold which shingles, and a bitmap in front."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from harness.audit import containment, kernel
from harness.audit.bitmap import bitmap_of
from harness.audit.shingles import Counts, Hashed, Hashes, Parameters, hashed, joined
from harness.errors import DataError
from harness.ids import digest

_AT_ONCE = 500


@dataclass(frozen=True)
class Item:
    """One evaluation text: its set, its place in that set (from 0), and the text."""

    eval_set: str
    place: int
    text: str


@dataclass(frozen=True, eq=False)
class Index:
    """What a block of training rows is joined with; made by `build_index`.

    Memory is about 50 bytes for each shingle of the evaluation sets, whatever the training side
    has.

    Parameters
    ----------
    parameters : what counts as a duplicate.
    items : all evaluation texts, set after set.
    sets : names of the sets, in their order.
    set_of : for each item, the place of its set in `sets`.
    keys : the distinct hashes, ascending.
    ids : number of each, from 0 for the one that the fewest items hold.
    postings, posting_starts : items that hold shingle k; of items of a set with equal
        shingles only the first, as ties go to the lowest.
    members, member_starts : shingles that item e holds, ascending, so the rarest first.
    n_tokens : tokens of each item.
    bitmap : bit ``hash mod 8 len(bitmap)`` is set for every key.
    rare : what containment needs, see `harness.audit.containment`.
    """

    parameters: Parameters
    items: tuple[Item, ...] = field(repr=False)
    sets: tuple[str, ...]
    set_of: Counts = field(repr=False)
    keys: Hashes = field(repr=False)
    ids: Counts = field(repr=False)
    postings: Counts = field(repr=False)
    posting_starts: Counts = field(repr=False)
    members: Counts = field(repr=False)
    member_starts: Counts = field(repr=False)
    n_tokens: Counts = field(repr=False)
    bitmap: Any = field(repr=False)
    rare: containment.Rare = field(repr=False)

    @cached_property
    def sizes(self) -> Counts:
        """Shingles of each item."""
        return np.diff(self.member_starts)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over parameters, sets and texts: two indexes with one join alike."""
        content = hashlib.sha256()
        for item in self.items:
            text = item.text.encode("utf-8", "surrogatepass")
            content.update(f"{item.eval_set} {item.place} {len(text)} ".encode() + text)
        return digest([self.parameters, self.sets, content.hexdigest()])

    @cached_property
    def directory(self) -> Any:
        """Where the keys begin whose first bits are 0, 1, 2 …: about one key to a bucket."""
        n_bits = max(1, len(self.keys).bit_length() - 1)
        firsts = np.arange(1 << n_bits, dtype=np.uint64) << np.uint64(64 - n_bits)
        starts = np.append(np.searchsorted(self.keys, firsts), len(self.keys))
        return containment.narrow(starts.astype(np.int64))

    def counts(self) -> dict[str, dict[str, int]]:
        """For each set: its items, and how many are short (below n tokens) or unauditable (0)."""
        short = (self.n_tokens > 0) & (self.n_tokens < self.parameters.n)
        kinds = {"items": np.ones(len(self.items), bool), "short": short}
        kinds["unauditable"] = self.n_tokens == 0
        return {
            name: {kind: int(np.sum(of & (self.set_of == k))) for kind, of in kinds.items()}
            for k, name in enumerate(self.sets)
        }


def build_index(
    sets: Mapping[str, Sequence[str]],
    parameters: Parameters | None = None,
    engine: str = "auto",
    firsts: Mapping[str, int] | None = None,
) -> Index:
    """Index evaluation sets for `harness.audit.join`.

    Parameters
    ----------
    sets : texts of each evaluation set, by its name. A set without texts never has a hit.
    parameters : default: `unicode-v1`, 5-grams, J ≥ 2/5.
    engine : `numba`, `numpy`, or `auto` for whichever is there; findings are the same.
    firsts : for a piece of a set, the place of its first text in the whole; 0 where not named.
        Findings of the same rows with the indexes of all pieces are put together by `merge`.

    Raises
    ------
    DataError
        Without any set, or for an engine that is not there.

    Examples
    --------
    >>> index = build_index({"mini": ["a ball falls from rest at noon"]}, engine="numpy")
    >>> len(index.keys), index.counts()
    (3, {'mini': {'items': 1, 'short': 0, 'unauditable': 0}})
    """
    if not sets:
        raise DataError("audit: expected at least one evaluation set, found none")
    given = parameters or Parameters()
    items = tuple(
        Item(name, place, text)
        for name, texts in sets.items()
        for place, text in enumerate(texts, (firsts or {}).get(name, 0))
    )
    found = _hashed(items, given, engine)
    set_of = np.repeat(np.arange(len(sets)), [len(texts) for texts in sets.values()])
    item_of = containment.narrow(np.repeat(np.arange(len(items)), np.diff(found.starts)))
    compiled = engine != "numpy" and kernel.available()
    keys, ids, members, item_of = _numbered(found.hashes, item_of, compiled)
    starts, n_tokens = found.starts, found.n_tokens
    del found
    # Whole numbers of 16 bits are sorted in linear time.
    short = item_of.astype(np.uint16) if len(items) <= 65_536 else item_of
    by_item = containment.narrow(np.argsort(short, kind="stable"))
    of_items = members[by_item]
    first = _first_alike(of_items, starts, set_of)
    # Where all are, a view spares two copies.
    some = slice(None) if first.all() else first[item_of]
    postings, posting_starts = containment.posted(members[some], item_of[some], len(keys))
    sizes = np.diff(starts)
    kept = containment.rarest(sizes, by_item, given.containment) & first[item_of]
    return Index(
        parameters=given,
        items=items,
        sets=tuple(sets),
        set_of=set_of,
        keys=keys,
        ids=ids,
        postings=postings,
        posting_starts=posting_starts,
        members=of_items,
        member_starts=starts,
        n_tokens=n_tokens,
        bitmap=bitmap_of(keys),
        rare=containment.rare(members[kept], item_of[kept], keys, ids, sizes, given.containment),
    )


def _hashed(items: Sequence[Item], given: Parameters, engine: str) -> Hashed:
    """The shingles of all items, some at a time, as their bytes take more memory than they."""
    function = hashed_by(engine)
    return joined(
        [
            function([item.text for item in items[low : low + _AT_ONCE]], given)
            for low in range(0, max(1, len(items)), _AT_ONCE)
        ]
    )


def _numbered(
    hashes: Hashes, item_of: Counts, compiled: bool
) -> tuple[Hashes, Counts, Counts, Counts]:
    """Distinct hashes, the number of each by rarity; all numbers, ascending, with their items.

    What is given is sorted in place, to spare the memory.
    """
    if compiled:
        kernel.sort(hashes, item_of)
    else:
        order = np.argsort(hashes)
        hashes.sort()
        item_of[:] = item_of[order]
        del order
    new = np.ones(len(hashes), bool)
    new[1:] = hashes[1:] != hashes[:-1]
    keys = hashes[new]
    begun = containment.narrow(np.flatnonzero(new))
    frequency = np.diff(begun, append=begun.dtype.type(len(hashes)))
    # The order only has to put rare before frequent; 16 bits are sorted in linear time.
    rank = np.argsort(np.minimum(frequency, 65_535).astype(np.uint16), kind="stable")
    ids = np.empty_like(begun)
    ids[rank] = np.arange(len(keys), dtype=ids.dtype)
    frequency, at = frequency[rank], begun[rank]
    del begun, rank, new
    members = np.repeat(np.arange(len(keys), dtype=ids.dtype), frequency)
    # The place of each among the sorted hashes: where its group begins, and how far in it is.
    at -= np.cumsum(frequency, dtype=at.dtype) - frequency
    at = np.repeat(at, frequency)
    at += np.arange(len(at), dtype=at.dtype)
    return keys, ids, members, item_of[at]


def _first_alike(members: Counts, starts: Counts, set_of: Counts) -> Any:
    """Whether each item is the first in its set with just these shingles."""
    seen: set[tuple[int, bytes]] = set()
    first = np.zeros(len(set_of), bool)
    for item, name in enumerate(set_of.tolist()):
        key = (name, members[starts[item] : starts[item + 1]].tobytes())
        first[item] = key not in seen
        seen.add(key)
    return first


def hashed_by(engine: str) -> Any:
    """The function that hashes: compiled or numpy's, with equal results.

    Raises
    ------
    DataError
        For an unknown engine, and for `numba` where it is not installed.
    """
    if engine not in ("auto", "numba", "numpy"):
        raise DataError(f"engine: expected auto, numba or numpy, found {engine!r}")
    if engine == "numba" and not kernel.available():
        raise DataError(
            "engine: expected numba, which is not installed; install the extra `fast`, or take "
            "numpy, which gives the same results"
        )
    return hashed if engine == "numpy" or not kernel.available() else kernel.hashed


__all__ = ["Index", "Item", "build_index", "hashed_by"]
