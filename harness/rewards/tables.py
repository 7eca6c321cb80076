"""The tables of rewards: four propositions, measured on rollouts, with intervals over groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from harness import ids
from harness.errors import DataError
from harness.rewards.forms import BOXED, STATED, TAGGED
from harness.rewards.measure import Measure
from harness.rewards.order import order_measures
from harness.rewards.portability import portability_measures
from harness.rewards.proxy import proxy_measures
from harness.rewards.rollouts import PUBLISHED, REPAIRED, Rewarded, Rollout, rewarded
from harness.rewards.spread import spread_measures
from harness.stats.resampling import bootstrap_statistic
from harness.table import Table, Value

PAIRS, FORMAT, VARIANCE = "reward_pairs", "reward_format", "reward_variance"
PORTABILITY = "reward_portability"
COLUMNS = (
    *("source", "reading", "measure", "value", "low", "high", "degenerate"),
    *("part", "whole", "n_groups", "n_responses"),
)
# What is read how: the form of the answer, and who compares it with the gold.
READINGS = {
    "MATCH": (BOXED, PUBLISHED),
    "harness": (BOXED, REPAIRED),
}
CHANGES = {
    "MATCH: box to tags": ((BOXED, PUBLISHED), (TAGGED, PUBLISHED)),
    "MATCH: box to sentence": ((BOXED, PUBLISHED), (STATED, PUBLISHED)),
    "harness: box to tags": ((BOXED, REPAIRED), (TAGGED, REPAIRED)),
    "harness: box to sentence": ((BOXED, REPAIRED), (STATED, REPAIRED)),
    "box: MATCH to harness": ((BOXED, PUBLISHED), (BOXED, REPAIRED)),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class RewardSettings:
    """What the tables depend on besides the rollouts.

    `level`, `n_resamples` and `seed` are of the percentile bootstrap over groups; `eps` and
    `audit_weight` as in `advantages` and `rewarded`.
    """

    level: float = 0.95
    n_resamples: int = 2000
    seed: int = 0
    eps: float = 0.0
    audit_weight: float = 0.0


def reward_tables(
    sources: Mapping[str, Sequence[Rollout]],
    settings: RewardSettings,
    *,
    portable: bool = True,
) -> dict[str, Table]:
    """Measure the four propositions on every source of rollouts.

    Parameters
    ----------
    sources : rollouts by what the tables call them, such as a model's name.
    settings : of the intervals and the rewards.
    portable : False leaves `reward_portability` out, which reads every response eight times.

    Returns
    -------
    dict of Table by name
        `reward_pairs`, `reward_format` and `reward_variance` with the rows of either reading,
        MATCH as published and the harness's own scorer, both on answers put into a box; and
        `reward_portability`. A measure without a denominator has None for its value. A source of
        one group has points for intervals, flagged degenerate.

    Raises
    ------
    DataError
        Without a source, and for a source without a response.

    References
    ----------
    Physics-R1 (2026), propositions 1 to 4.
    """
    if not sources:
        raise DataError("reward_tables: expected at least one source of rollouts, found none")
    kinds: dict[str, Callable[[Sequence[Rewarded]], list[Measure]]] = {
        PAIRS: order_measures,
        FORMAT: lambda rows: proxy_measures(rows, settings.eps),
        VARIANCE: lambda rows: spread_measures(rows, settings.eps),
    }
    made: dict[str, list[dict[str, Value]]] = {name: [] for name in (*kinds, PORTABILITY)}
    for source, rollouts in sources.items():
        read: dict[tuple[str, str], tuple[Rewarded, ...]] = {}

        def rewards(
            reading: tuple[str, str],
            rollouts: Sequence[Rollout] = rollouts,
            read: dict[tuple[str, str], tuple[Rewarded, ...]] = read,
        ) -> tuple[Rewarded, ...]:
            if reading not in read:
                form, policy = reading
                read[reading] = rewarded(
                    rollouts, policy=policy, form=form, audit_weight=settings.audit_weight
                )
            return read[reading]

        for reading, how in READINGS.items():
            for name, measures in kinds.items():
                found = measures(rewards(how))
                made[name] += _rows(found, source, reading, len(rollouts), name, settings)
        for change, (before, after) in CHANGES.items() if portable else ():
            found = portability_measures(rewards(before), rewards(after))
            made[PORTABILITY] += _rows(found, source, change, len(rollouts), PORTABILITY, settings)
    names = [name for name in made if portable or name != PORTABILITY]
    return {
        name: Table(
            name=name, columns=COLUMNS, rows=tuple(made[name]), note=_NOTES[name] + _note(settings)
        )
        for name in names
    }


def _rows(
    measures: Sequence[Measure],
    source: str,
    reading: str,
    n_responses: int,
    table: str,
    settings: RewardSettings,
) -> list[dict[str, Value]]:
    made = []
    for measure in measures:
        found = bootstrap_statistic(
            measure.statistic,
            settings.level,
            "percentile",
            settings.n_resamples,
            ids.seed(settings.seed, "rewards", table, source),
        )
        values: list[Value] = [source, reading, measure.name, found.value, found.low, found.high]
        values += [found.degenerate, measure.part, measure.whole, found.n, n_responses]
        made.append(dict(zip(COLUMNS, values, strict=True)))
    return made


def _note(settings: RewardSettings) -> str:
    return (
        f" A group is one prompt's responses. value = part / whole; intervals are a percentile "
        f"bootstrap over groups ({settings.n_resamples} resamples, level {settings.level}); where "
        f"all resamples agree they are points, flagged degenerate, and not certainty. ε = "
        f"{settings.eps}, population σ, audit weight {settings.audit_weight}. Answers were put "
        "into a box where they stood between tags. MATCH ignores units; harness is the "
        "default scorer."
    )


_NOTES = {
    PAIRS: "Order of pairs inside groups, dense against binary. Published: 14.3 % of pairs "
    "changed, 87 % of them in all-wrong groups.",
    FORMAT: "Form of wrong answers. Dense pays a box 0.10, known units 0.15, a fraction 0.20, "
    "right or not.",
    VARIANCE: "Variance and what it is spent on. At ε = 0 the variance of the advantages is 1 for "
    "any reward that varies; it does not tell rewards apart.",
    PORTABILITY: "The same responses under another form of the answer or another reader.",
}

__all__ = [
    "CHANGES",
    "COLUMNS",
    "FORMAT",
    "PAIRS",
    "PORTABILITY",
    "READINGS",
    "VARIANCE",
    "RewardSettings",
    "reward_tables",
]
