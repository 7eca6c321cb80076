"""How probable is each ranking of the models, were the examples drawn again?

One draw of examples serves all models and all specifications, so what is easy for one model
and hard for another stays so in every draw.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.checks import StatisticsError, check_draws, check_share, check_size
from harness.stats.estimate import Estimate
from harness.stats.levels import percentile_ranks
from harness.stats.multiverse import ModelOutcomes, Specification
from harness.stats.ranking import Ranks, kendall_tau, ranking_stability
from harness.stats.ranking_draws import counts_of_draws, ranks_and_taus

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_CELLS = 3 * 10**7


@dataclass(frozen=True, kw_only=True, slots=True)
class RankingProbability:
    """A ranking (ties are rankings of their own) and the share of the draws that gave it."""

    ranks: Ranks
    n_draws: int
    probability: float


@dataclass(frozen=True, kw_only=True, slots=True)
class PairOrder:
    """Two models of one specification: shares of the draws with either ahead, and level."""

    first: str
    second: str
    p_first: float
    p_level: float
    p_second: float


@dataclass(frozen=True, kw_only=True, slots=True)
class SpecificationRanking:
    """What the draws gave for one specification.

    `rankings` from the most frequent down; the draws that kept no example are in none of them
    but counted in `n_unranked`, and in the denominator of every probability. `p_best` is the
    probability of each model to be first alone, `p_shared_best` to share the first place.
    `tau` is Kendall's tau-b to the baseline.
    """

    rankings: tuple[RankingProbability, ...]
    n_unranked: int
    p_best: tuple[float, ...]
    p_shared_best: tuple[float, ...]
    orders: tuple[PairOrder, ...]
    tau: Estimate


@dataclass(frozen=True, kw_only=True, slots=True)
class RankingBootstrap:
    """The rankings of all specifications under one bootstrap of the examples.

    `p_same_ranking` and `p_same_winner` are the probabilities that all specifications rank
    alike, and that one model is first alone in all of them. `top1_stability` and, by factor,
    `mean_tau` are the numbers of `RankingStability` with their ranges over the draws.
    `redraw_tau` is the mean tau-b of the baseline's ranking in the draws to its ranking in the
    data: what redrawing the examples does by itself, to hold a change of specification against.
    """

    models: tuple[str, ...]
    n_resamples: int
    seed: int
    specifications: tuple[SpecificationRanking, ...]
    p_same_ranking: float
    p_same_winner: float
    top1_stability: Estimate
    mean_tau: Mapping[str, Estimate]
    redraw_tau: float | None


def bootstrap_rankings(
    outcomes: ModelOutcomes, baseline: Specification, level: float, n_resamples: int, seed: int
) -> RankingBootstrap:
    """Redraw the examples and count the rankings.

    Parameters
    ----------
    outcomes : from `model_outcomes`; at least one example.
    baseline : one of its specifications.
    level : of the intervals, strictly between 0 and 1: quantiles by inverted CDF.
    n_resamples : draws of all examples with replacement, at least 1. A draw takes a
        multinomial number of each joint pattern of outcomes, which is the same thing, and
        makes the result independent of the order of the examples.
    seed : of numpy's PCG64, an integer of at least 0.

    Returns
    -------
    RankingBootstrap
        Bounds are quantiles over the draws in which the number is defined; `method` states how
        many are not. Where the number itself is undefined in the data, it has no bounds. They
        are the range over draws, no confidence interval: a draw adds noise to every ranking,
        so that agreement reads lower in the draws than in the data, often outside the bounds.

    Raises
    ------
    StatisticsError
        `unknown_specification`, `invalid_level`, `invalid_count`, `no_examples`; `too_large` for
        more than 1e7 draws, or 3e7 ranks and taus in all.

    References
    ----------
    P. Hall, H. Miller, "Using the bootstrap to quantify the authority of an empirical
    ranking", Ann. Statist. 37 (2009): ties and near ties make rankings unsure, so that a
    probability near one half is no evidence of an order.

    Examples
    --------
    >>> from harness.stats.multiverse import model_outcomes
    >>> outcomes = model_outcomes(
    ...     [[[1, 1, 1, 0], [1, 0, 0, 0]]], excluded=None, models=["a", "b"], specifications=[{}]
    ... )
    >>> result = bootstrap_rankings(outcomes, {}, 0.95, 1000, 7)
    >>> [ranking.ranks for ranking in result.specifications[0].rankings]
    [(1, 2), (1, 1)]
    """
    place = outcomes.position(baseline)
    level, (n_resamples, seed) = check_share("level", level), check_draws(n_resamples, seed)
    if not outcomes.kept.shape[1]:
        raise StatisticsError("no_examples", "expected at least one example, found none")
    observed = ranking_stability(outcomes, baseline)
    pairs = outcomes.single_factor_pairs()
    wanted = [(place, other) for other in range(len(outcomes.specifications))]
    wanted += [pair for listed in pairs.values() for pair in listed]
    cells = len(wanted) + len(outcomes.specifications) * len(outcomes.models)
    check_size("n_resamples * (ranks + taus)", n_resamples * cells, _MOST_CELLS)
    blocks = [
        ranks_and_taus(counts, kept, wanted)
        for counts, kept in counts_of_draws(outcomes, n_resamples, seed)
    ]
    ranks = np.concatenate([block[0] for block in blocks])
    tau = np.concatenate([block[1] for block in blocks])

    def estimate(value: float | None, draws: NDArray[np.float64], unit: str) -> Estimate:
        return _interval(value, draws, unit, level, outcomes.kept.shape[1], seed)

    mean_tau, start = {}, len(outcomes.specifications)
    for effect in observed.factors:
        stop = start + effect.n_pairs
        means = _mean_of_defined(tau[:, start:stop])
        mean_tau[effect.factor] = estimate(effect.mean_tau, means, "mean tau-b")
        start = stop
    summaries = []
    for i, value in enumerate(observed.tau_to_baseline):
        tau_of = estimate(value, tau[:, i], "tau-b")
        summaries.append(_summary(outcomes.models, ranks[:, i], tau_of))
    alike = (ranks == ranks[:, :1]).all(axis=(1, 2)) & (ranks[:, 0] > 0).any(axis=1)
    stability, one_winner = _winners(ranks, place)
    return RankingBootstrap(
        models=outcomes.models,
        n_resamples=n_resamples,
        seed=seed,
        specifications=tuple(summaries),
        p_same_ranking=_share(alike),
        p_same_winner=_share(one_winner),
        top1_stability=estimate(observed.top1_stability, stability, "share of specifications"),
        mean_tau=mean_tau,
        redraw_tau=_redraw_tau(observed.rankings[place], summaries[place]),
    )


def _mean_of_defined(tau: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean over the columns that are not NaN; NaN where none is."""
    defined = ~np.isnan(tau)
    n_defined = defined.sum(axis=1)
    total = np.where(defined, tau, 0.0).sum(axis=1)
    return np.where(n_defined > 0, total / np.maximum(n_defined, 1), np.nan)


def _winners(ranks: NDArray[np.int16], place: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Top-1 stability of each draw (NaN: undefined), and whether one model wins everywhere."""
    best = ranks == 1
    alone = best & (best.sum(axis=2, keepdims=True) == 1)
    others = np.arange(ranks.shape[1]) != place
    n_ranked = best[:, others].any(axis=2).sum(axis=1)
    n_same = (alone[:, others] & alone[:, [place]]).any(axis=2).sum(axis=1)
    comparable = alone[:, place].any(axis=1) & (n_ranked > 0)
    stability = np.where(comparable, n_same / np.maximum(n_ranked, 1), np.nan)
    return stability, alone.all(axis=1).any(axis=1)


def _redraw_tau(ranks: Ranks | None, drawn: SpecificationRanking) -> float | None:
    taus = [(kendall_tau(ranks or (), r.ranks), r.n_draws) for r in drawn.rankings if ranks]
    n_draws = sum(n for tau, n in taus if tau is not None)
    return math.fsum(tau * n for tau, n in taus if tau is not None) / n_draws if n_draws else None


def _summary(
    models: Sequence[str], ranks: NDArray[np.int16], tau: Estimate
) -> SpecificationRanking:
    found, n_draws = np.unique(ranks, axis=0, return_counts=True)
    counted = sorted(
        zip(map(tuple, found.tolist()), n_draws.tolist(), strict=True), key=lambda c: (-c[1], c[0])
    )
    best = ranks == 1
    alone = best & (best.sum(axis=1, keepdims=True) == 1)
    ranked = (ranks > 0).all(axis=1)
    orders = [
        PairOrder(
            first=models[i],
            second=models[j],
            p_first=_share(ranks[:, i] < ranks[:, j]),
            p_level=_share(ranked & (ranks[:, i] == ranks[:, j])),
            p_second=_share(ranks[:, i] > ranks[:, j]),
        )
        for i, j in combinations(range(len(models)), 2)
    ]
    return SpecificationRanking(
        rankings=tuple(
            RankingProbability(ranks=r, n_draws=count, probability=count / len(ranks))
            for r, count in counted
            if 0 not in r
        ),
        n_unranked=int((~ranked).sum()),
        p_best=tuple(_share(column) for column in alone.T),
        p_shared_best=tuple(_share(column) for column in (best & ~alone).T),
        orders=tuple(orders),
        tau=tau,
    )


def _interval(
    value: float | None, draws: NDArray[np.float64], unit: str, level: float, n: int, seed: int
) -> Estimate:
    """Percentile interval over the draws that are not NaN."""
    defined = np.sort(draws[~np.isnan(draws)])
    method = "percentiles over bootstrap draws"
    if len(defined) < len(draws):
        method += f" ({len(draws) - len(defined)} of {len(draws)} draws undefined)"
    low = high = None
    if value is not None and len(defined):
        low, high = (float(defined[rank]) for rank in percentile_ranks(len(defined), level))
    return Estimate(
        value=value,
        low=low,
        high=high,
        level=level,
        n=n,
        method=method,
        unit=unit,
        resampled="examples",
        n_resamples=len(draws),
        seed=seed,
        degenerate=value is not None
        and low is not None
        and np.allclose(defined, value, rtol=0.0, atol=1e-12),
    )


def _share(draws: NDArray[np.bool_]) -> float:
    return float(np.count_nonzero(draws)) / len(draws)


__all__ = [
    "PairOrder",
    "RankingBootstrap",
    "RankingProbability",
    "SpecificationRanking",
    "bootstrap_rankings",
]
