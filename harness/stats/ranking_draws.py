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
    """Draw the examples anew, and count what each model gets right under each specification.

    Parameters
    ----------
    outcomes : of all models under all specifications, with at least one example.
    n_resamples, seed : number of draws; seed of PCG64.

    Yields
    ------
    (counts, kept)
        Blocks of draws: correct counts, shape (draws, specifications, models), and whether
        the draw holds an example that the specification keeps, (draws, specifications).

    Returns
    -------
    None
        After `n_resamples` draws in all; no block for 0.

    Raises
    ------
    ValueError
        For a negative seed.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 6.

    Examples
    --------
    >>> from harness.stats.multiverse import model_outcomes
    >>> both = model_outcomes(
    ...     [[[1, 1], [0, 0]]], excluded=None, models=["a", "b"], specifications=[{}]
    ... )
    >>> [counts.tolist() for counts, _ in counts_of_draws(both, 2, 0)]
    [[[[2, 0]], [[2, 0]]]]
    """
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
    """Rank the models of every draw, and correlate the rankings of two specifications.

    Parameters
    ----------
    counts, kept : a block of `counts_of_draws`.
    wanted : pairs of specifications, by place.

    Returns
    -------
    (ranks, taus)
        Ranks from 1, ties at the best, 0 where nothing was kept; shape of `counts`. Kendall's
        tau-b, shape (draws, len(wanted)), NaN where one of the two ranks nothing apart.

    Raises
    ------
    IndexError
        For a place that no specification has.

    References
    ----------
    M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945).

    Examples
    --------
    >>> counts, kept = np.array([[[3, 1], [1, 2]]]), np.array([[True, True]])
    >>> [found.tolist() for found in ranks_and_taus(counts, kept, [(0, 1)])]
    [[[[1, 2], [2, 1]]], [[-1.0]]]
    """
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
