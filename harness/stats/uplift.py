"""Does a gate beat rejecting as many questions at random?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from harness.stats.checks import MOST_COUNT, check_draws, check_share, check_size
from harness.stats.estimate import Estimate
from harness.stats.levels import percentile_ranks
from harness.stats.rejection import expected_hits, pool
from harness.stats.selective import Selection, selective_metrics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_MOST_CELLS = 10**7


def uplift(strata: Sequence[Selection]) -> float | None:
    """Compute selective accuracy minus that of random rejection with the same count per stratum.

    Parameters
    ----------
    strata : one `Selection` per stratum; `[pool(strata)]` compares with uniform rejection.

    Returns
    -------
    float or None
        In [-1, 1], rounded once from its exact fraction; None when nothing is accepted.

    Raises
    ------
    StatisticsError
        `invalid_count` from `Selection`.

    References
    ----------
    W. G. Cochran, Sampling Techniques (3rd edition, 1977), chapter 5.

    Examples
    --------
    >>> uplift([Selection(n=40, n_correct=22, n_accepted=10, n_accepted_correct=10)])
    0.45
    """
    whole = pool(strata)
    if not whole.n_accepted:
        return None
    return float((whole.n_accepted_correct - expected_hits(strata)) / whole.n_accepted)


def uplift_interval(
    strata: Sequence[Selection], level: float, n_resamples: int, seed: int
) -> Estimate:
    """Estimate the uplift over random rejection, resampling questions.

    Each draw takes n questions with replacement, that is multinomial counts over the cells
    stratum × accepted × right, and recomputes every count, the matched expectation too.

    Parameters
    ----------
    strata : one `Selection` per stratum; `[pool(strata)]` compares with uniform rejection.
    level : confidence level, strictly between 0 and 1.
    n_resamples : number of draws, at least 1.
    seed : seed of the PCG64 generator, an integer of at least 0.

    Returns
    -------
    Estimate
        `value` as in `uplift`; percentile bounds by inverted CDF over the draws that accept
        something, the others being counted in `method`. All three are None when nothing is
        accepted; `degenerate` where every draw equals the value, as when all is accepted.

    Raises
    ------
    StatisticsError
        `invalid_level`; `invalid_count` for the number of draws and the seed; `too_large` for
        more than 1e7 strata × draws.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.

    Examples
    --------
    >>> gate = Selection(n=642, n_correct=252, n_accepted=288, n_accepted_correct=139)
    >>> found = uplift_interval([gate], 0.95, 2000, 7)
    >>> round(100 * found.value, 2), 0.04 < found.low < 0.06, 0.12 < found.high < 0.14
    (9.01, True, True)
    """
    level, (n_resamples, seed) = check_share("level", level), check_draws(n_resamples, seed)
    value = uplift(strata)
    draws = _draws(strata, n_resamples, seed)
    size, right, accepted, hits = np.moveaxis(draws, 2, 0)
    expected = (accepted * right / np.maximum(size, 1)).sum(axis=1)
    total = accepted.sum(axis=1)
    kept = total > 0
    found = (hits.sum(axis=1) - expected)[kept] / total[kept]
    return _percentile(value, found, pool(strata).n, level, n_resamples, seed)


def enrichment_interval(
    selection: Selection, level: float, n_resamples: int, seed: int
) -> Estimate:
    """Estimate how much more often the rejected questions are wrong than all are.

    Parameters
    ----------
    selection : counts of the gate over all questions.
    level, n_resamples, seed : as in `uplift_interval`; the same seed draws the same questions.

    Returns
    -------
    Estimate
        `value` is rejected error minus overall error; the bounds as in `uplift_interval`, over
        the draws that reject something. All three are None when nothing is rejected.

    Raises
    ------
    StatisticsError
        `invalid_level`; `invalid_count` for the number of draws and the seed; `too_large` for
        more than 1e7 draws.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.

    Examples
    --------
    >>> gate = Selection(n=642, n_correct=252, n_accepted=288, n_accepted_correct=139)
    >>> round(100 * enrichment_interval(gate, 0.95, 2000, 7).value, 2)
    7.33
    """
    level, (n_resamples, seed) = check_share("level", level), check_draws(n_resamples, seed)
    value = selective_metrics(
        selection.n, selection.n_correct, selection.n_accepted, selection.n_accepted_correct
    ).enrichment
    draws = _draws([selection], n_resamples, seed)
    size, right, accepted, hits = np.moveaxis(draws[:, 0, :], 1, 0)
    rejected = size - accepted
    kept = rejected > 0
    expected = (rejected * right / np.maximum(size, 1))[kept]
    found = (expected - (right - hits)[kept]) / rejected[kept]
    return _percentile(value, found, selection.n, level, n_resamples, seed)


def _draws(strata: Sequence[Selection], n_resamples: int, seed: int) -> NDArray[np.int64]:
    """Resampled counts, shape (draws, strata, 4), in the order of the fields of `Selection`."""
    check_size("strata * n_resamples", len(strata) * n_resamples, _MOST_CELLS)
    check_size("n of all strata", sum(s.n for s in strata), MOST_COUNT)
    cells = np.array(
        [
            (
                s.n_accepted_correct,
                s.n_accepted - s.n_accepted_correct,
                s.n_correct - s.n_accepted_correct,
                s.n - s.n_accepted - s.n_correct + s.n_accepted_correct,
            )
            for s in strata
        ],
        dtype=np.int64,
    ).reshape(-1)
    n = int(cells.sum())
    counts = np.zeros((n_resamples, len(cells)), dtype=np.int64)
    filled = np.flatnonzero(cells)  # an empty cell stays empty, whatever the shares round to
    if n:
        generator = np.random.Generator(np.random.PCG64(seed))
        counts[:, filled] = generator.multinomial(n, cells[filled] / n, size=n_resamples)
    hits, misses, lost, refused = np.moveaxis(counts.reshape(len(counts), -1, 4), 2, 0)
    return np.stack([hits + misses + lost + refused, hits + lost, hits + misses, hits], axis=2)


def _percentile(
    value: float | None,
    found: NDArray[np.float64],
    n: int,
    level: float,
    n_resamples: int,
    seed: int,
) -> Estimate:
    method = "bootstrap over questions, percentile interval by inverted CDF"
    if len(found) < n_resamples:
        method += f" ({n_resamples - len(found)} draws undefined and left out)"
    low = high = None
    degenerate = False
    if value is not None and len(found):
        ranked = np.sort(found)
        low, high = (float(ranked[rank]) for rank in percentile_ranks(len(ranked), level))
        degenerate = bool(ranked[0] == ranked[-1] == value)
    return Estimate(
        value=value,
        low=low,
        high=high,
        level=level,
        n=n,
        method=method,
        unit="difference of proportions",
        resampled="questions",
        n_resamples=n_resamples,
        seed=seed,
        degenerate=degenerate,
    )


__all__ = ["enrichment_interval", "uplift", "uplift_interval"]
