"""The inner loops of the join compiled by numba, where it is installed; same results."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from harness.audit.shingles import Hashed, Parameters, constants, packed, tables
from harness.audit.tokens import tokenizer


def hash_rows(data: Any, row_starts: Any, states: Any, n: int, whole: bool) -> tuple[Any, Any, Any]:
    """Distinct shingle hashes, their starts and the tokens of each row, from packed bytes."""
    classes, values, ends, factors, numbers = states
    by_token, leaving, first, second, salt = numbers
    n_rows = len(row_starts) - 1
    longest = 0
    for row in range(n_rows):
        longest = max(longest, row_starts[row + 1] - row_starts[row])
    # Where letters and digits alternate, each byte is a token.
    words = np.empty(longest + 1, np.uint64)
    seen = np.empty(0, np.uint64)
    stamps = np.empty(0, np.int32)
    out = np.empty(len(data) + 1, np.uint64)
    starts = np.zeros(n_rows + 1, np.int64)
    n_tokens = np.zeros(n_rows, np.int64)
    n_out = 0
    zero, s30, s27, s31 = np.uint64(0), np.uint64(30), np.uint64(27), np.uint64(31)
    for row in range(n_rows):
        # Two tables stand for the branches, which no processor would foresee.
        begun = zero
        token = zero
        last = np.uint8(0)
        # Without a sign no place needs a look whether it counts from the end.
        for at in range(np.uint64(row_starts[row]), np.uint64(row_starts[row + 1])):
            byte = data[at]
            words[begun] = token
            begun += ends[last, byte]
            token = token * factors[last, byte] + values[byte]
            last = classes[byte]
        count = np.int64(begun)
        n_tokens[row] = count
        for k in range(count):
            token = words[k]
            token = (token ^ (token >> s30)) * first
            token = (token ^ (token >> s27)) * second
            words[k] = token ^ (token >> s31)
        gram = zero
        # A table as large as this row needs stays in the fast cache.
        size = 16
        while size < 2 * count:
            size *= 2
        mask = np.uint64(size - 1)
        if size > len(seen):
            seen, stamps = np.empty(size, np.uint64), np.zeros(size, np.int32)
        for k in range(count):
            gram = gram * by_token + words[k]
            if k >= n:
                gram -= words[k - n] * leaving
            if k >= n - 1:
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
        if 0 < count < n and whole:
            gram = gram + np.uint64(count) * salt
            mixed = (gram ^ (gram >> s30)) * first
            mixed = (mixed ^ (mixed >> s27)) * second
            out[n_out] = mixed ^ (mixed >> s31)
            n_out += 1
        starts[row + 1] = n_out
    return out[:n_out].copy(), starts, n_tokens


def sort_pairs(hashes: Any, values: Any) -> None:
    """Sort hashes in place, by 11 bits at a time, with the value of each; equal ones as given."""
    digits = np.zeros((6, 2048), np.int64)
    low = np.uint64(2047)
    for value in hashes:
        for digit in range(6):
            digits[digit, (value >> np.uint64(11 * digit)) & low] += 1
    other_hashes, other_values = np.empty_like(hashes), np.empty_like(values)
    for digit in range(6):
        begun = 0
        for k in range(2048):
            begun, digits[digit, k] = begun + digits[digit, k], begun
        # After the sixth time all is where it was given.
        for at in range(len(hashes)):
            k = (hashes[at] >> np.uint64(11 * digit)) & low
            place = digits[digit, k]
            digits[digit, k] = place + 1
            other_hashes[place] = hashes[at]
            other_values[place] = values[at]
        hashes, other_hashes = other_hashes, hashes
        values, other_values = other_values, values


def covered_rows(
    hashes: Any, starts: Any, bitmap: Any, rare: Any, part: Any, whole: Any, least: Any
) -> Any:
    """Per row 1 where enough shingles may be in the index, 2 where a rare one may, 3 for both."""
    n_rows = len(starts) - 1
    found = np.zeros(n_rows, np.uint8)
    mask, rare_mask = np.uint64(len(bitmap) * 8 - 1), np.uint64(len(rare) * 8 - 1)
    zero, one, three, seven = np.uint64(0), np.uint64(1), np.uint64(3), np.uint64(7)
    for row in range(n_rows):
        hits = zero
        first, last = np.uint64(starts[row]), np.uint64(starts[row + 1])
        # A sum without a branch: the processor asks for many bits at once.
        for at in range(first, last):
            bit = hashes[at] & mask
            hits += np.uint64(bitmap[bit >> three] >> np.uint8(bit & seven)) & one
        size = last - first
        if size > zero and whole * hits >= part * size:
            found[row] = 1
        if hits < least:
            continue
        for at in range(first, last):
            bit = hashes[at] & rare_mask
            if (rare[bit >> three] >> np.uint8(bit & seven)) & np.uint8(1):
                bit = hashes[at] & mask
                if (bitmap[bit >> three] >> np.uint8(bit & seven)) & np.uint8(1):
                    found[row] += 2
                    break
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


_LOOPS = (hash_rows, covered_rows, find_keys, count_shared, sort_pairs)


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
    data, row_starts = packed(texts, tokenizer(parameters.tokenizer))
    states = _states(parameters.tokenizer, parameters.n)
    loop = (_compiled() or _LOOPS)[0]
    return Hashed(*loop(data, row_starts, states, parameters.n, parameters.short == "whole"))


@lru_cache(8)
def _states(name: str, n: int) -> tuple[Any, ...]:
    """Class and value of a byte; whether it ends a token and what becomes of one, by class."""
    classes, values = tables(tokenizer(name))
    by_byte, *numbers = (np.uint64(number) for number in constants(n))
    last = np.arange(3, dtype=np.uint8)[:, None]
    ends = ((classes != last) & (last > 0)).astype(np.uint64)
    factors = np.where(classes == last, by_byte, np.uint64(0))
    return classes, values, ends, factors, tuple(numbers)


def covered(
    given: Hashed, bitmap: Any, rare: Any, threshold: tuple[int, int], least: int
) -> tuple[Any, Any]:
    """Rows that may have a hit, and rows that may contain an item, as two masks."""
    loop = (_compiled() or _LOOPS)[1]
    part, whole = np.uint64(threshold[0]), np.uint64(threshold[1])
    found = loop(given.hashes, given.starts, bitmap, rare, part, whole, np.uint64(least))
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


def sort(hashes: Any, values: Any) -> None:
    """Sort hashes and the value of each in place; a value's order among equal hashes stays."""
    (_compiled() or _LOOPS)[4](hashes, values)


__all__ = [
    *("available", "count_shared", "counted", "covered", "covered_rows", "find_keys"),
    *("hash_rows", "hashed", "known", "sort", "sort_pairs"),
]
