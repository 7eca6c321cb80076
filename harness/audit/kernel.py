"""The two inner loops of the join compiled by numba, where it is installed; same results."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from harness.audit.shingles import Hashed, Parameters, constants, packed, tables
from harness.audit.tokens import tokenizer


def hash_rows(
    data: Any, row_starts: Any, classes: Any, values: Any, n: int, whole: bool, numbers: Any
) -> tuple[Any, Any, Any]:
    """Distinct shingle hashes, their starts and the tokens of each row, from packed bytes."""
    by_byte, by_token, leaving, first, second, salt = numbers
    n_rows = len(row_starts) - 1
    longest = 1
    for row in range(n_rows):
        longest = max(longest, row_starts[row + 1] - row_starts[row])
    size = 16
    while size < longest + 2:
        size *= 2
    seen = np.zeros(size, np.uint64)
    stamps = np.zeros(size, np.int32)
    ring = np.zeros(n, np.uint64)
    out = np.empty(len(data) // 2 + n_rows + 1, np.uint64)
    starts = np.zeros(n_rows + 1, np.int64)
    n_tokens = np.zeros(n_rows, np.int64)
    n_out = 0
    zero, s30, s27, s31 = np.uint64(0), np.uint64(30), np.uint64(27), np.uint64(31)
    for row in range(n_rows):
        # A table as large as this row needs stays in the fast cache.
        size = 16
        while size < row_starts[row + 1] - row_starts[row] + 2:
            size *= 2
        mask = np.uint64(size - 1)
        last = 0
        count = 0
        token = zero
        gram = zero
        place = 0
        for at in range(row_starts[row], row_starts[row + 1]):
            byte = data[at]
            kind = classes[byte]
            if kind != last:
                if last != 0:
                    token = (token ^ (token >> s30)) * first
                    token = (token ^ (token >> s27)) * second
                    token = token ^ (token >> s31)
                    gram = gram * by_token + token
                    count += 1
                    if count > n:
                        gram = gram - ring[place] * leaving
                    ring[place] = token
                    place = place + 1 if place + 1 < n else 0
                    if count >= n:
                        mixed = (gram ^ (gram >> s30)) * first
                        mixed = (mixed ^ (mixed >> s27)) * second
                        mixed = mixed ^ (mixed >> s31)
                        slot = mixed & mask
                        while stamps[slot] == row + 1 and seen[slot] != mixed:
                            slot = (slot + np.uint64(1)) & mask
                        if stamps[slot] != row + 1:
                            stamps[slot] = row + 1
                            seen[slot] = mixed
                            out[n_out] = mixed
                            n_out += 1
                token = zero
                last = kind
            if kind != 0:
                token = token * by_byte + values[byte]
        if 0 < count < n and whole:
            gram = gram + np.uint64(count) * salt
            mixed = (gram ^ (gram >> s30)) * first
            mixed = (mixed ^ (mixed >> s27)) * second
            out[n_out] = mixed ^ (mixed >> s31)
            n_out += 1
        n_tokens[row] = count
        starts[row + 1] = n_out
    return out[:n_out].copy(), starts, n_tokens


def covered_rows(
    hashes: Any, starts: Any, bitmap: Any, rare: Any, part: int, whole: int, least: int
) -> Any:
    """Per row 1 where enough shingles may be in the index, 2 where a rare one may, 3 for both."""
    n_rows = len(starts) - 1
    found = np.zeros(n_rows, np.uint8)
    mask, rare_mask = np.uint64(len(bitmap) * 8 - 1), np.uint64(len(rare) * 8 - 1)
    three, seven = np.uint64(3), np.uint64(7)
    one = np.uint8(1)
    for row in range(n_rows):
        hits = 0
        any_rare = False
        for at in range(starts[row], starts[row + 1]):
            bit = hashes[at] & mask
            if (bitmap[bit >> three] >> np.uint8(bit & seven)) & one:
                hits += 1
                bit = hashes[at] & rare_mask
                if (rare[bit >> three] >> np.uint8(bit & seven)) & one:
                    any_rare = True
        size = starts[row + 1] - starts[row]
        if size > 0 and whole * hits >= part * size:
            found[row] = 1
        if any_rare and hits >= least:
            found[row] += 2
    return found


def find_keys(
    hashes: Any, starts: Any, rows: Any, bitmap: Any, keys: Any, directory: Any, ids: Any
) -> tuple[Any, Any]:
    """The shingles of some rows that the index holds: place in `rows`, and number of the key."""
    total = 0
    for row in rows:
        total += starts[row + 1] - starts[row]
    local = np.empty(total, np.int64)
    found = np.empty(total, np.int64)
    n_found = 0
    shift = 0
    while len(directory) - 1 > (1 << shift):
        shift += 1
    down = np.uint64(64 - shift)
    mask, three, seven = np.uint64(len(bitmap) * 8 - 1), np.uint64(3), np.uint64(7)
    one = np.uint8(1)
    for place in range(len(rows)):
        for at in range(starts[rows[place]], starts[rows[place] + 1]):
            bit = hashes[at] & mask
            if (bitmap[bit >> three] >> np.uint8(bit & seven)) & one:
                bucket = hashes[at] >> down
                for k in range(directory[bucket], directory[bucket + np.uint64(1)]):
                    if keys[k] == hashes[at]:
                        local[n_found] = place
                        found[n_found] = ids[k]
                        n_found += 1
                        break
    return local[:n_found], found[:n_found]


def count_shared(
    row: Any, item: Any, ids: Any, row_starts: Any, members: Any, member_starts: Any
) -> Any:
    """Members of each item among the ascending numbers of a row, pair by pair."""
    shared = np.zeros(len(row), np.int64)
    for pair in range(len(row)):
        low, end = row_starts[row[pair]], row_starts[row[pair] + 1]
        last = member_starts[item[pair] + 1]
        for at in range(member_starts[item[pair]], last):
            wanted = members[at]
            # Steps that double, then halves: short lists and very long ones are both fast.
            step = 1
            while low + step < end and ids[low + step] < wanted:
                low += step
                step *= 2
            high = min(low + step, end)
            while low < high:
                middle = (low + high) // 2
                if ids[middle] < wanted:
                    low = middle + 1
                else:
                    high = middle
            if low == end:
                break
            if ids[low] == wanted:
                shared[pair] += 1
    return shared


_LOOPS = (hash_rows, covered_rows, find_keys, count_shared)


@lru_cache(1)
def _compiled() -> tuple[Callable[..., Any], ...] | None:
    try:
        numba = importlib.import_module("numba")
    except ImportError:
        return None
    try:
        return tuple(numba.njit(cache=True)(loop) for loop in _LOOPS)
    except RuntimeError:
        # No folder to keep the machine code in: it is made anew in each process.
        return tuple(numba.njit(loop) for loop in _LOOPS)


def available() -> bool:
    """Whether numba is installed (the extra `fast`)."""
    return _compiled() is not None


def hashed(texts: Sequence[str], parameters: Parameters) -> Hashed:
    """What `harness.audit.shingles.hashed` gives, but for the order within a text; compiled."""
    chosen = tokenizer(parameters.tokenizer)
    data, row_starts = packed(texts, chosen)
    classes, values = tables(chosen)
    numbers = tuple(np.uint64(number) for number in constants(parameters.n))
    whole = parameters.short == "whole"
    loop = (_compiled() or _LOOPS)[0]
    return Hashed(*loop(data, row_starts, classes, values, parameters.n, whole, numbers))


def covered(
    given: Hashed, bitmap: Any, rare: Any, threshold: tuple[int, int], least: int
) -> tuple[Any, Any]:
    """Rows that may have a hit, and rows that may contain an item, as two masks."""
    loop = (_compiled() or _LOOPS)[1]
    found = loop(given.hashes, given.starts, bitmap, rare, *threshold, least)
    return found & 1 == 1, found & 2 == 2


def known(
    given: Hashed, rows: Any, bitmap: Any, keys: Any, directory: Any, ids: Any
) -> tuple[Any, Any]:
    """Shingles of `rows` that the index holds: place of the row in `rows`, and their number."""
    loop = (_compiled() or _LOOPS)[2]
    local, found = loop(given.hashes, given.starts, rows, bitmap, keys, directory, ids)
    return local, found


def counted(row: Any, item: Any, ids: Any, row_starts: Any, index: tuple[Any, Any]) -> Any:
    """Shared shingles of each pair, where `index` is the items' members and their starts."""
    return (_compiled() or _LOOPS)[3](row, item, ids, row_starts, *index)


__all__ = [
    *("available", "count_shared", "counted", "covered", "covered_rows", "find_keys"),
    *("hash_rows", "hashed", "known"),
]
