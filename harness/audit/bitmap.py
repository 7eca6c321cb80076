"""A bitmap in front of a sorted list: most of what is not there is refused by one probe."""

from __future__ import annotations

from typing import Any

import numpy as np

from harness.audit.shingles import Hashes

_BITS_PER_KEY = 16


def bitmap_of(keys: Hashes) -> Any:
    """A bitmap of 16 to 32 bits a key, its size a power of two, with the keys' bits set."""
    n_bits = 64
    while n_bits < _BITS_PER_KEY * len(keys):
        n_bits *= 2
    bitmap = np.zeros(n_bits // 8, np.uint8)
    places = (keys & np.uint64(n_bits - 1)) >> np.uint64(3)
    np.bitwise_or.at(bitmap, places.view(np.int64), np.uint8(1) << keys.astype(np.uint8) % 8)
    return bitmap


def in_bitmap(hashes: Hashes, bitmap: Any) -> Any:
    """Whether the bit of each hash is set: false for no key, true by chance for few others."""
    bits = hashes & np.uint64(8 * len(bitmap) - 1)
    return (bitmap[bits >> np.uint64(3)] >> (bits & np.uint64(7)).astype(np.uint8)) & 1 == 1


__all__ = ["bitmap_of", "in_bitmap"]
