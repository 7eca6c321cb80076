"""Sets of n-grams of tokens, as strings and as 64-bit hashes of many texts at once."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.audit.tokens import VERSION, Tokenizer, tokenizer, tokens
from harness.errors import DataError

Hashes = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.signedinteger[Any]]
Shingles = frozenset[tuple[str, ...]]

_BYTE, _TOKEN, _FIRST, _SECOND, _SALT = (
    int.from_bytes(hashlib.sha256(f"assay shingles {part}".encode()).digest()[:8], "big") | 1
    for part in ("byte", "token", "first", "second", "short")
)
_AT_ONCE = 1 << 17


@dataclass(frozen=True)
class Parameters:
    """What decides whether two texts are near duplicates; every field belongs into a manifest.

    Parameters
    ----------
    tokenizer : `unicode-v1` or `re-w`.
    n : tokens in a shingle, at least 1.
    threshold : smallest Jaccard index of a hit, numerator and denominator, in (0, 1].
    containment : smallest share of an item's shingles in a row that is reported, likewise.
    short : what a text of 1 to n − 1 tokens has: `whole`, the tuple of all as its one shingle,
        or `empty`, no shingle (the literal definition).

    Raises
    ------
    DataError
        For a value outside these.
    """

    tokenizer: str = VERSION
    n: int = 5
    threshold: tuple[int, int] = (2, 5)
    containment: tuple[int, int] = (4, 5)
    short: str = "whole"

    def __post_init__(self) -> None:
        tokenizer(self.tokenizer)
        if not 1 <= self.n <= 64:
            raise DataError(f"n: expected 1 to 64 tokens in a shingle, found {self.n}")
        for name, (part, whole) in (
            ("threshold", self.threshold),
            ("containment", self.containment),
        ):
            if not 0 < part <= whole <= 10_000:
                raise DataError(
                    f"{name}: expected a fraction in (0, 1] with terms of at most 10,000, "
                    f"found {part}/{whole}"
                )
        if self.short not in ("whole", "empty"):
            raise DataError(f"short: expected whole or empty, found {self.short!r}")


@dataclass(frozen=True)
class Hashed:
    """The distinct shingles of some texts: those of text k are ``hashes[starts[k]:starts[k+1]]``.

    Parameters
    ----------
    hashes : 64-bit hashes, distinct within a text, in any order.
    starts : where each text begins; one more than there are texts.
    n_tokens : tokens of each text.
    """

    hashes: Hashes
    starts: Counts
    n_tokens: Counts


def shingles(text: str, parameters: Parameters | None = None) -> Shingles:
    """The set of n-grams of a text's tokens.

    Examples
    --------
    >>> sorted(shingles("What is shown?"))
    [('what', 'is', 'shown')]
    >>> len(shingles("go go go go go go go go"))
    1
    """
    given = parameters or Parameters()
    words = tokens(text, given.tokenizer)
    if len(words) >= given.n:
        return frozenset(zip(*(words[k:] for k in range(given.n)), strict=False))
    return frozenset([tuple(words)] if words and given.short == "whole" else [])


def jaccard(first: Shingles, second: Shingles) -> Fraction:
    """Shared over all, exact; 0 where either is empty, be it both.

    Examples
    --------
    >>> jaccard(shingles("a b c d e f"), shingles("b c d e f"))
    Fraction(1, 2)
    """
    shared = len(first & second)
    return Fraction(shared, len(first) + len(second) - shared) if shared else Fraction(0)


def packed(texts: Sequence[str], chosen: Tokenizer) -> tuple[npt.NDArray[np.uint8], Counts]:
    """Folded texts as UTF-8 bytes one after another, each ended by a space, and their starts."""
    # Most texts are plain ASCII, whose folding is the identity.
    parts = [
        text.encode("ascii")
        if text.isascii() and "\\" not in text and "<" not in text and "[" not in text
        else chosen.fold(text).encode("utf-8", "replace")
        for text in texts
    ]
    starts = np.zeros(len(parts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)) + 1, out=starts[1:])
    data = b" ".join([*parts, b""]) if parts else b""
    return np.frombuffer(data, np.uint8), starts


def tables(chosen: Tokenizer) -> tuple[npt.NDArray[np.uint8], Hashes]:
    """Class (0 separates, 1 letter, 2 digit) and random value of each byte; capitals lowered."""
    classes = np.zeros(256, np.uint8)
    classes[list(chosen.letters)] = 1
    classes[list(chosen.digits)] = 2
    raw = b"".join(hashlib.sha256(f"assay byte {k}".encode()).digest()[:8] for k in range(256))
    values = np.frombuffer(raw, "<u8").astype(np.uint64)
    for low in range(0x61, 0x7B):
        classes[low - 32], values[low - 32] = classes[low], values[low]
    return classes, values


def constants(n: int) -> tuple[int, int, int, int, int, int]:
    """Multipliers of bytes, of tokens, of a leaving token, of the mixing, and the short salt."""
    return _BYTE, _TOKEN, pow(_TOKEN, n, 1 << 64), _FIRST, _SECOND, _SALT


def hashed(texts: Sequence[str], parameters: Parameters) -> Hashed:
    """Hash the shingles of many texts, with numpy alone.

    Equal shingles have equal hashes on every machine; two different ones share one with
    probability 2⁻⁶⁴. The compiled path (`harness.audit.kernel`) gives the same numbers.

    Parameters
    ----------
    texts : any strings; what is taken beside the hashes is some MB, or 60 bytes for each
        character of a longer text.
    parameters : tokenizer, n and what short texts have.
    """
    ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts))) // _AT_ONCE
    cuts = [0, *(np.flatnonzero(ends[1:] != ends[:-1]) + 1).tolist(), len(texts)]
    return joined([_hashed(texts[low:high], parameters) for low, high in pairwise(cuts)])


def joined(parts: Sequence[Hashed]) -> Hashed:
    """The shingles of texts that were hashed some at a time; at least one part."""
    sizes = np.concatenate([np.diff(part.starts) for part in parts])
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    hashes = np.concatenate([part.hashes for part in parts])
    return Hashed(hashes, starts, np.concatenate([part.n_tokens for part in parts]))


def _hashed(texts: Sequence[str], parameters: Parameters) -> Hashed:
    chosen = tokenizer(parameters.tokenizer)
    data, row_starts = packed(texts, chosen)
    found, row_of = _token_hashes(data, row_starts, chosen)
    n, n_rows = parameters.n, len(texts)
    n_tokens = np.bincount(row_of, minlength=n_rows).astype(np.int64)
    grams = np.zeros(max(0, len(found) - n + 1), np.uint64)
    for k in range(n if len(grams) else 0):
        grams = grams * np.uint64(_TOKEN) + found[k : k + len(grams)]
    whole = row_of[: len(grams)] == row_of[n - 1 :] if len(grams) else np.zeros(0, bool)
    rows, values = row_of[: len(grams)][whole], _mixed(grams[whole])
    if parameters.short == "whole":
        brief = np.flatnonzero((n_tokens > 0) & (n_tokens < n))
        first = (np.cumsum(n_tokens) - n_tokens)[brief]
        sums = np.zeros(len(brief), np.uint64)
        for k in range(n - 1):
            longer = n_tokens[brief] > k
            sums[longer] = sums[longer] * np.uint64(_TOKEN) + found[first[longer] + k]
        salted = sums + n_tokens[brief].astype(np.uint64) * np.uint64(_SALT)
        rows, values = np.r_[rows, brief], np.r_[values, _mixed(salted)]
    return _distinct(rows, values, n_tokens)


def _token_hashes(data: Any, row_starts: Counts, chosen: Tokenizer) -> tuple[Hashes, Counts]:
    """A hash of each token, a polynomial in its bytes, and the row it stands in."""
    classes, values = tables(chosen)
    kinds = classes[data]
    change = np.flatnonzero(np.diff(kinds, prepend=np.uint8(0)))
    # Each row ends in a separator, so a run of a class never spans two.
    begun = np.flatnonzero(kinds[change])
    starts, ends = change[begun], np.append(change, len(kinds))[begun + 1]
    powers = np.full(len(data) + 1, pow(_BYTE, -1, 1 << 64), np.uint64)
    powers[:1] = 1
    np.multiply.accumulate(powers, out=powers)
    sums = np.zeros(len(data) + 1, np.uint64)
    np.cumsum(values[data] * powers[:-1], out=sums[1:])
    back = np.full(len(data) + 1, _BYTE, np.uint64)
    back[:1] = 1
    np.multiply.accumulate(back, out=back)
    found = _mixed((sums[ends] - sums[starts]) * back[ends - 1])
    return found, (np.searchsorted(row_starts, starts, side="right") - 1).astype(np.int64)


def _mixed(values: Hashes) -> Hashes:
    """Spread over all 64 bits, one to one."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(_FIRST)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(_SECOND)
    return values ^ (values >> np.uint64(31))


def _distinct(rows: Counts, values: Hashes, n_tokens: Counts) -> Hashed:
    order = np.lexsort((values, rows))
    rows, values = rows[order], values[order]
    new = np.ones(len(values), bool)
    new[1:] = (rows[1:] != rows[:-1]) | (values[1:] != values[:-1])
    starts = np.searchsorted(rows[new], np.arange(len(n_tokens) + 1)).astype(np.int64)
    return Hashed(values[new], starts, n_tokens)


__all__ = [
    *(
        "Counts",
        "Hashed",
        "Hashes",
        "Parameters",
        "Shingles",
        "constants",
        "hashed",
        "jaccard",
        "joined",
        "packed",
    ),
    *("shingles", "tables"),
]
