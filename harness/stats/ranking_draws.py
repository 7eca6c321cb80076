"""Draws of the examples, and what each does to the rankings of all specifications."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.multiverse import ModelOutcomes

if TYPE_CHECKING:
    from numpy.typing import NDArray

_CELLS_AT_ONCE = 4_000_000


def counts_of_draws(
    outcomes: ModelOutcomes, n_resamples: int, seed: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.bool_]]]:
    """Blocks of draws: correct counts (draws, specifications, models), and where any was kept."""
    shape, n = outcomes.correct.shape, outcomes.kept.shape[1]
    rows = np.concatenate([outcomes.correct.reshape(-1, n), outcomes.kept.astype(np.uint8)])
    patterns, multiplicity = np.unique(rows.T, axis=0, return_counts=True)
    # Sums of at most 2**24 ones are exact in float32, and beyond it in float64.
    table = patterns.astype(np.float32 if n < 2**24 else np.float64)
    generator = np.random.Generator(np.random.PCG64(seed))
    width = shape[0] * shape[1] * max(shape[1], 2) + len(table)
    block = max(1, _CELLS_AT_ONCE // width)
    for start in range(0, n_resamples, block):
        size = min(block, n_resamples - start)
        weights = generator.multinomial(n, multiplicity / n, size=size).astype(table.dtype)
        sums = weights @ table
        counts = sums[:, : shape[0] * shape[1]].astype(np.int64)
        yield counts.reshape(size, shape[0], shape[1]), sums[:, shape[0] * shape[1] :] > 0


def ranks_and_taus(
    counts: NDArray[np.int64], kept: NDArray[np.bool_], wanted: Sequence[tuple[int, int]]
) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    """Ranks (0 where nothing was kept) and tau-b of the wanted specifications (NaN: undefined)."""
    behind = counts[..., :, None] < counts[..., None, :]
    ranks = np.where(kept[..., None], 1 + behind.sum(axis=3), 0).astype(np.int16)
    first, second = np.triu_indices(counts.shape[2], 1)
    signs = np.sign(counts[..., first] - counts[..., second]).astype(np.int8)
    signs *= kept[..., None]
    untied = np.abs(signs).sum(axis=2, dtype=np.int64)
    tau = np.full((len(counts), len(wanted)), np.nan)
    for column, (i, j) in enumerate(wanted):
        agree = (signs[:, i] * signs[:, j]).sum(axis=1, dtype=np.int64)
        scale = np.sqrt(untied[:, i] * untied[:, j])
        np.divide(agree, scale, out=tau[:, column], where=scale > 0)
    return ranks, tau


__all__ = ["counts_of_draws", "ranks_and_taus"]
