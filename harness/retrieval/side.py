"""One direction of retrieval while blocks of scores come in: counts, and a pool of the best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from harness.retrieval.pairs import Relevance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float32]
    Integers: TypeAlias = NDArray[np.int64]

_NUMBERS = 1 << 18
_STEP = 128
_LAZY = 1.5
_SPARE = 1 << 17
# A word of the pool's sort has 10 bits for the query of a block and 32 for its score.
_BITS = 21
MOST_QUERIES, MOST_TOP = 1 << 10, 100


class Side:
    """Counts against each query's best relevant score, and candidates for its best `top`.

    `by_row` says whether a block's rows or its columns are the queries. A score of a block is
    within `slack` of the exact one; scores nearer than that to what they are compared with are
    computed again by `rescored`.
    """

    def __init__(
        self,
        queries: Floats,
        candidates: Floats,
        relevant: Relevance,
        top: int,
        roundoff: float,
        *,
        by_row: bool,
    ) -> None:
        self.queries, self.candidates, self.by_row = queries, candidates, by_row
        self.top = min(top, len(candidates))
        scale = float(lengths(candidates).max()) * (queries.shape[1] + 8) * roundoff * 1.001
        self.slack = lengths(queries) * scale
        of = np.repeat(np.arange(len(queries)), np.diff(relevant.starts))
        own = rescored(queries, candidates, of, relevant.places)
        self.target = np.maximum.reduceat(own, relevant.starts[:-1])
        self.n_relevant = np.add.reduceat((own == self.target[of]) * 1, relevant.starts[:-1])
        self.low = (self.target - self.slack).astype(np.float32)
        self.high = (self.target + self.slack).astype(np.float32)
        self.n_above = np.zeros(len(queries), np.int64)
        self.n_tied = np.zeros(len(queries), np.int64)
        self.gate = np.full(len(queries), -np.inf, np.float32)
        self.pools: dict[int, Pool] = {}

    def add(self, block: Floats, rows: slice, columns: slice, masks: Any) -> None:
        """Take the scores of a block; `masks` are two buffers that are False beyond the block."""
        mine, theirs = (rows, columns) if self.by_row else (columns, rows)
        one, other = masks[0], masks[1]
        inner = (slice(block.shape[0]), slice(block.shape[1]))
        np.greater(block, self._spread(self.high[mine]), out=one[inner])
        self.n_above[mine] += self._counts(one)[: mine.stop - mine.start]
        np.greater(block, self._spread(self.low[mine]), out=other[inner])
        np.not_equal(one, other, out=other)
        of, places = self._positions(other, mine, theirs)
        scores = rescored(self.queries, self.candidates, of, places)
        np.add.at(self.n_above, of[scores > self.target[of]], 1)
        np.add.at(self.n_tied, of[scores == self.target[of]], 1)
        self._admit(block, mine, theirs, one)

    def best(self) -> Integers:
        """Places of the `top` best of each query, shape (queries, top)."""
        found = np.empty((len(self.queries), self.top), np.int64)
        for start, pool in self.pools.items():
            pool.settle(self)
            found[start : start + pool.n] = pool.places.reshape(pool.n, self.top)
        return found

    def _admit(self, block: Floats, mine: slice, theirs: slice, mask: Any) -> None:
        """Put into the pool what may be among the best."""
        pool = self.pools.get(mine.start)
        if pool is None:
            pool = self.pools[mine.start] = Pool(mine.start, mine.stop - mine.start)
            if theirs.stop - theirs.start >= self.top:
                self.gate[mine] = self._kth(block) - 2 * self.slack[mine]
        inner = mask[: block.shape[0], : block.shape[1]]
        np.greater_equal(block, self._spread(self.gate[mine]), out=inner)
        of, places = self._positions(mask, mine, theirs)
        if len(of):
            at = (of - mine.start, places - theirs.start)
            pool.take(of, places, block[at if self.by_row else at[::-1]])
            if len(pool.of) > _LAZY * self.top * pool.n:
                pool.prune(self)

    def _kth(self, block: Floats) -> Floats:
        """At most the `top`-th best score of each query in a block: that of maxima of groups."""
        maxima = block if self.by_row else block.T
        while maxima.shape[1] >= 16 * self.top:
            half = maxima.shape[1] // 2
            maxima = np.maximum(maxima[:, :half], maxima[:, half : 2 * half])
        return np.partition(maxima, -self.top, axis=1)[:, -self.top]

    def _spread(self, values: Floats) -> Floats:
        return values[:, None] if self.by_row else values

    def _counts(self, mask: Any) -> Any:
        """True values of each query, by sums of bytes that cannot overflow."""
        if self.by_row:
            # Eight bytes a word: no byte of a sum of at most 128 words carries.
            words = mask.view(np.uint64).sum(axis=1)
            return words.view(np.uint8).reshape(len(mask), 8).sum(axis=1, dtype=np.int64)
        parts = mask.view(np.uint8)
        return sum(
            parts[at : at + _STEP].sum(axis=0, dtype=np.uint8).astype(np.int64)
            for at in range(0, len(parts), _STEP)
        )

    def _positions(self, mask: Any, mine: slice, theirs: slice) -> tuple[Integers, Integers]:
        rows, columns = np.divmod(np.flatnonzero(mask), mask.shape[1])
        of, places = (rows, columns) if self.by_row else (columns, rows)
        return of + mine.start, places + theirs.start


class Pool:
    """Candidates for the best of a run of queries, sorted by query and falling score."""

    def __init__(self, start: int, n: int) -> None:
        self.start, self.n = start, n
        self.of = np.zeros(0, np.int64)
        self.places = np.zeros(0, np.int64)
        self.scores = np.zeros(0, np.float32)

    def take(self, of: Integers, places: Integers, scores: Floats) -> None:
        """Add candidates, in no order."""
        self.of = np.concatenate([self.of, of])
        self.places = np.concatenate([self.places, places])
        self.scores = np.concatenate([self.scores, scores])

    def prune(self, side: Side) -> None:
        """Drop what cannot be among the best, and raise the gates of the side."""
        self._sort()
        sizes = np.bincount(self.of - self.start, minlength=self.n)
        first = np.cumsum(sizes) - sizes
        full = np.flatnonzero(sizes >= side.top)
        kth = self.scores[first[full] + side.top - 1]
        full += self.start
        side.gate[full] = kth - 2 * side.slack[full]
        self._keep(self.scores >= side.gate[self.of])
        if len(self.of) > 2 * side.top * self.n + _SPARE:
            self.settle(side)

    def settle(self, side: Side) -> None:
        """Keep exactly the best, in their order."""
        self._sort()
        # A score is computed again only where a neighbour is too near to tell; those that are
        # change places among themselves.
        gap = (self.scores[:-1] - self.scores[1:]) <= 2 * side.slack[self.of[:-1]]
        gap &= self.of[:-1] == self.of[1:]
        near = np.flatnonzero(np.append(gap, False) | np.append(False, gap))
        of, places = self.of[near], self.places[near]
        exact = rescored(side.queries, side.candidates, of, places)
        self.places[near] = places[np.lexsort((places, -exact, of))]
        sizes = np.bincount(self.of - self.start, minlength=self.n)
        first = np.repeat(np.cumsum(sizes) - sizes, sizes)
        self._keep(np.arange(len(first)) - first < side.top)

    def _sort(self) -> None:
        """By query and falling score: one word holds the query, the score and the place here."""
        bits = self.scores.view(np.uint32).astype(np.int64)
        falling = np.where(bits >> 31, bits, ~bits & 0x7FFFFFFF)
        words = ((self.of - self.start) << 32 | falling) << _BITS
        words |= np.arange(len(words))
        words.sort()
        self._order(words & ((1 << _BITS) - 1))

    def _order(self, order: Integers) -> None:
        self.of, self.places, self.scores = self.of[order], self.places[order], self.scores[order]

    def _keep(self, kept: Any) -> None:
        self.of, self.places, self.scores = self.of[kept], self.places[kept], self.scores[kept]


def rescored(queries: Floats, candidates: Floats, of: Integers, places: Integers) -> Any:
    """Dot products of pairs in float64; each depends on its two vectors alone.

    A plain sum along a row does; einsum and BLAS sum as the machine likes.
    """
    exact = np.empty(len(of))
    step = max(1, _NUMBERS // queries.shape[1])
    for begin in range(0, len(of), step):
        chosen = slice(begin, begin + step)
        ours = queries[of[chosen]].astype(np.float64)
        ours *= candidates[places[chosen]]
        exact[chosen] = ours.sum(axis=1)
    return exact


def lengths(vectors: Floats) -> Any:
    """Euclidean lengths, float64 of shape (n,), to within the rounding of float32."""
    return np.sqrt(np.einsum("ij,ij->i", vectors, vectors), dtype=np.float64)


__all__ = ["MOST_QUERIES", "MOST_TOP", "Side", "lengths", "rescored"]
