"""An embedder without a model: hashed words and pieces of words, by numpy alone."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from harness.audit.tokens import VERSION, tokens
from harness.embedding.base import Embedded, EmbedderIdentity, refuse_empty, unit

THRESHOLD = 0.45
_DIMENSIONS = 2048
_MAX_TOKENS, _MAX_CHARS = 1 << 15, 1 << 20
_PIECES = (3, 4, 5)
# A word of so many bytes has full weight: short ones are mostly function words, in any script.
_FULL = 6

_Features = tuple[NDArray[np.uint64], NDArray[np.float64]]


class Hashing:
    """Words and their pieces of 3 to 5 characters, each added to or taken from one of 2,048 sums.

    A feature that comes c times counts √c. It is close to cosines of character n-grams, knows no
    meaning, and finds paraphrases that keep most of the words. The tokens are those of stage 1.

    Examples
    --------
    >>> vectors = Hashing().embed(["A ball falls.", "The ball is falling", "Two trains"]).vectors
    >>> [round(float(cosine), 2) for cosine in vectors @ vectors[0]]
    [1.0, 0.44, 0.0]
    """

    threshold = THRESHOLD

    identity = EmbedderIdentity(
        name="hashing",
        model="hashing",
        revision=f"1+{VERSION}",
        weights=None,
        prompt="",
        dtype="float64",
        max_tokens=_MAX_TOKENS,
        dimensions=_DIMENSIONS,
    )

    def embed(self, texts: Sequence[str]) -> Embedded:
        """One vector for each text, cut at a million characters or 32,768 tokens.

        Parameters
        ----------
        texts : each with a letter or a digit.

        Raises
        ------
        DataError
            For a text without any.
        """
        refuse_empty(texts, "embedder hashing")
        sums = np.zeros((len(texts), _DIMENSIONS))
        cut = np.zeros(len(texts), bool)
        for place, text in enumerate(texts):
            words = tokens(text[:_MAX_CHARS]) or tokens(text)
            cut[place] = len(text) > _MAX_CHARS or len(words) > _MAX_TOKENS
            sums[place] = _summed(words[:_MAX_TOKENS])
        return Embedded(unit(sums, "embedder hashing"), cut, np.zeros(len(texts), bool))


def _summed(words: Sequence[str]) -> NDArray[np.float64]:
    counts = Counter(words)
    counts.update(f"{a} {b}" for a, b in pairwise(words) if _is_sign(a) and _is_sign(b))
    parts = [(*_features(word), count) for word, count in counts.items()]
    hashes = np.concatenate([part[0] for part in parts])
    distinct, places = np.unique(hashes, return_inverse=True)
    squares = np.bincount(places, np.concatenate([part[1] * part[2] for part in parts]))
    signs = np.where(distinct >> np.uint64(63), 1.0, -1.0)
    buckets = (distinct % np.uint64(_DIMENSIONS)).astype(np.int64)
    weights = np.sqrt(squares) * signs
    return np.asarray(np.bincount(buckets, weights, minlength=_DIMENSIONS), np.float64)


def _is_sign(word: str) -> bool:
    """A character of a script without spaces, which says little without its neighbours."""
    return len(word) == 1 and word > "\x7f"


@lru_cache(1 << 16)
def _features(word: str) -> _Features:
    """Hashes of a word and its pieces, and the squares of their weights: one, and one shared."""
    pieces = list(_pieces(word))
    full = min(1.0, len(word.encode()) / _FULL) if not word.isdigit() else 1.0
    weights = [full**2] + [full**2 / len(pieces)] * len(pieces)
    hashes = [_hash(f"word {word}"), *(_hash(f"piece {piece}") for piece in pieces)]
    return np.array(hashes, np.uint64), np.array(weights)


def _pieces(word: str) -> Iterator[str]:
    marked = f"^{word}$"
    for n in _PIECES:
        for begin in range(len(marked) - n + 1):
            yield marked[begin : begin + n]


def _hash(feature: str) -> int:
    return int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8).digest(), "big")


__all__ = ["THRESHOLD", "Hashing"]
