"""Does the ranking of the models survive the specification: parser, prompt, composition, budget?

A specification is one choice of every factor. Each ranks the models by the examples it counted
for all of them; the rankings are then compared with a baseline's, and factor by factor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from harness.stats.checks import check_finite, check_same_length, check_whole
from harness.stats.multiverse import ModelOutcomes, Specification

Ranks = tuple[int, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class FactorEffect:
    """What changing one factor alone does to the ranking, over all pairs that allow it.

    `tau_drop` is 1 - `mean_tau`; pairs with an undefined tau are counted in `n_undefined` and
    left out of mean and minimum. `n_winner_changes` counts the pairs whose first places differ.
    """

    factor: str
    n_pairs: int
    n_undefined: int
    mean_tau: float | None
    min_tau: float | None
    tau_drop: float | None
    n_winner_changes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RankingStability:
    """The rankings of all specifications and how they agree.

    `rankings` holds one rank per model, 1 for the best, equal for ties; None where a
    specification kept no example. `tau` is Kendall's tau-b of every two specifications, None
    where one of them ranks nothing. The winner counts are over the other specifications: those
    where the baseline's winner alone comes first, where it shares first place, where it does
    not, and those without a ranking. `top1_stability` is the share of the first among the
    first three; None where the baseline has no sole winner or nothing to be compared with.
    """

    models: tuple[str, ...]
    baseline: int
    rankings: tuple[Ranks | None, ...]
    n_kept: tuple[int, ...]
    tau: tuple[tuple[float | None, ...], ...]
    tau_to_baseline: tuple[float | None, ...]
    baseline_winners: tuple[str, ...]
    n_same_winner: int
    n_shared_winner: int
    n_other_winner: int
    n_unranked: int
    top1_stability: float | None
    factors: tuple[FactorEffect, ...]


def rank_counts(counts: Sequence[int]) -> Ranks:
    """Rank by count, 1 for the highest; equal counts share the better rank.

    Parameters
    ----------
    counts : one count per model, integers of at least 0.

    Returns
    -------
    tuple of int
        Ranks from 1 in the order given; empty without models.

    Raises
    ------
    StatisticsError
        `invalid_count`.

    References
    ----------
    M. G. Kendall, Rank Correlation Methods (4th ed., 1970), chapter 3: tied ranks.

    Examples
    --------
    >>> rank_counts([7, 9, 7, 1])
    (2, 1, 2, 4)
    """
    found = [check_whole(f"counts[{place}]", count) for place, count in enumerate(counts)]
    return tuple(1 + sum(other > count for other in found) for count in found)


def kendall_tau(a: Sequence[float], b: Sequence[float]) -> float | None:
    """Kendall's tau-b of two rankings of the same things, -1 to 1.

    Parameters
    ----------
    a, b : ranks or scores, finite, in the same order of things.

    Returns
    -------
    float or None
        (concordant - discordant pairs) / sqrt(pairs not tied in a · pairs not tied in b);
        None where either ties everything or there are fewer than two things.

    Raises
    ------
    StatisticsError
        `length_mismatch`, `nan_value`.

    References
    ----------
    M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945).

    Examples
    --------
    >>> kendall_tau([1, 2, 3], [1, 3, 2]), kendall_tau([1, 1, 1], [1, 2, 3])
    (0.3333333333333333, None)
    """
    check_same_length(a=a, b=b)
    check_finite("a", a)
    check_finite("b", b)
    agree = untied_a = untied_b = 0
    for (x, y), (u, v) in combinations(zip(a, b, strict=True), 2):
        sign_a, sign_b = (x > u) - (x < u), (y > v) - (y < v)
        agree += sign_a * sign_b
        untied_a += sign_a != 0
        untied_b += sign_b != 0
    if not untied_a or not untied_b:
        return None
    return agree / math.sqrt(untied_a * untied_b)


def ranking_stability(outcomes: ModelOutcomes, baseline: Specification) -> RankingStability:
    """Compare the model rankings of all specifications with each other and with a baseline's.

    Parameters
    ----------
    outcomes : from `model_outcomes`.
    baseline : one of its specifications.

    Returns
    -------
    RankingStability
        See there for ties and for what is undefined.

    Raises
    ------
    StatisticsError
        `unknown_specification`.

    References
    ----------
    As `kendall_tau` and `model_outcomes`.

    Examples
    --------
    >>> from harness.stats.multiverse import model_outcomes
    >>> outcomes = model_outcomes(
    ...     [[[1, 1, 0], [1, 0, 0]], [[0, 1, 0], [1, 1, 0]]],
    ...     excluded=None,
    ...     models=["a", "b"],
    ...     specifications=[{"parser": "strict"}, {"parser": "lenient"}],
    ... )
    >>> stability = ranking_stability(outcomes, {"parser": "strict"})
    >>> stability.rankings, stability.tau_to_baseline, stability.top1_stability
    (((1, 2), (2, 1)), (1.0, -1.0), 0.0)
    """
    place = outcomes.position(baseline)
    counts, n_kept = outcomes.correct.sum(axis=2, dtype=int), outcomes.kept.sum(axis=1)
    rankings = [rank_counts(c) if n else None for c, n in zip(counts.tolist(), n_kept, strict=True)]
    tau: list[list[float | None]] = [[None] * len(rankings) for _ in rankings]
    for i, first in enumerate(rankings):
        for j, second in enumerate(rankings[: i + 1]):
            if first is not None and second is not None:
                tau[i][j] = tau[j][i] = kendall_tau(first, second)
    winners = [_winners(ranking) for ranking in rankings]
    others = [w for i, w in enumerate(winners) if i != place and w]
    winner = next(iter(winners[place])) if len(winners[place]) == 1 else None
    same = sum(w == {winner} for w in others)
    shared = sum(winner in w for w in others) - same
    effects = []
    for factor, pairs in outcomes.single_factor_pairs().items():
        taus = [t for i, j in pairs if (t := tau[i][j]) is not None]
        mean = math.fsum(taus) / len(taus) if taus else None
        effects.append(
            FactorEffect(
                factor=factor,
                n_pairs=len(pairs),
                n_undefined=len(pairs) - len(taus),
                mean_tau=mean,
                min_tau=min(taus, default=None),
                tau_drop=None if mean is None else 1.0 - mean,
                n_winner_changes=sum(winners[i] != winners[j] for i, j in pairs),
            )
        )
    return RankingStability(
        models=outcomes.models,
        baseline=place,
        rankings=tuple(rankings),
        n_kept=tuple(n_kept.tolist()),
        tau=tuple(map(tuple, tau)),
        tau_to_baseline=tuple(tau[place]),
        baseline_winners=tuple(outcomes.models[m] for m in sorted(winners[place])),
        n_same_winner=same,
        n_shared_winner=shared,
        n_other_winner=len(others) - same - shared,
        n_unranked=len(rankings) - 1 - len(others),
        top1_stability=None if winner is None or not others else same / len(others),
        factors=tuple(effects),
    )


def _winners(ranking: Ranks | None) -> frozenset[int]:
    return frozenset(m for m, rank in enumerate(ranking or ()) if rank == 1)


__all__ = [
    "FactorEffect",
    "RankingStability",
    "Ranks",
    "kendall_tau",
    "rank_counts",
    "ranking_stability",
]
