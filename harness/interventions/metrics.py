"""Judge × factor: the eight states and every share that follows from them, with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

from harness.interventions.counts import FactorCounts
from harness.stats.estimate import Estimate
from harness.stats.proportion import wilson
from harness.stats.ratios import ratio_interval
from harness.stats.triplets import EightStates
from harness.table import Table, Value, percent, ratio

STATES = tuple(field.name for field in fields(EightStates))
SIZES = (2, 4, 8)
CELLS = (
    *("policy", "model", "kind", "factor", "n_triplets", "n_dropped", *STATES, "n_base_correct"),
    *("base_accuracy", "static_correct", "static_n", "static_accuracy", "RA", "II", "PFC", "PSC"),
    *("flip_relevant", "flip_irrelevant", "retention_relevant", "retention_irrelevant"),
    *("joint", "joint_low", "joint_high", *(f"U_at_{size}" for size in SIZES)),
)
METRICS = (
    *("policy", "model", "kind", "factor", "metric", "k", "n", "value_pct", "ci_low_pct"),
    *("ci_high_pct", "ci_level", "ci_method", "degenerate", "wilson_low_pct", "wilson_high_pct"),
)
NOTE = (
    "RA and II are shares of the judge's own base-correct triplets, PFC and PSC of all complete "
    "triplets. Flips and retention compare letters; retention is of base-correct triplets, and "
    "after a relevant edit it is a failure. U_at_N is the share of pools of N candidates whose "
    "best one was picked."
)


def judge_cells(counts: Sequence[FactorCounts]) -> Table:
    """One row for each policy, judge and factor: counts and shares (fractions, None undefined)."""
    rows: list[dict[str, Value]] = []
    for found in counts:
        m, kept = found.metrics, found.kept
        values: list[Value] = [found.policy, found.model, found.kind, found.factor]
        values += [
            m.n_triplets,
            len(found.dropped),
            *(getattr(found.states, name) for name in STATES),
        ]
        values += [m.n_base_correct, m.base_accuracy, found.static_correct, len(found.static)]
        values += [ratio(found.static_correct, len(found.static))]
        values += [m.relevant_adaptation, m.irrelevant_invariance, m.pfc, m.psc]
        values += [ratio(kept[edit].turned, m.n_triplets) for edit in ("relevant", "irrelevant")]
        values += [
            ratio(kept[edit].same_base, m.n_base_correct) for edit in ("relevant", "irrelevant")
        ]
        values += [m.joint, m.joint_low, m.joint_high]
        pools = [found.pools.get(size, {}) for size in SIZES]
        values += [ratio(sum(pool.values()), len(pool)) for pool in pools]
        rows.append(dict(zip(CELLS, values, strict=True)))
    return Table(name="judge_cells", columns=CELLS, rows=tuple(rows), note=NOTE)


def judge_metrics(counts: Sequence[FactorCounts], level: float) -> Table:
    """One row for each policy, judge, factor and metric: k of n with its interval, in percent.

    A share of a fixed number has Wilson's interval. RA, II, retention and the joint share have a
    denominator that is drawn with the triplets: theirs is read from the exact bootstrap
    distribution of the ratio, which is a point where all or none are right, so Wilson's interval
    at the denominator as it is stands beside it.

    Parameters
    ----------
    counts : of `factor_counts`.
    level : confidence level, strictly between 0 and 1.
    """
    rows: list[dict[str, Value]] = []
    for found in counts:
        for name, k, n, drawn in _shares(found):
            plain = wilson(k, n, level)
            estimate: Estimate = plain
            if drawn:
                estimate = ratio_interval(k, n, found.metrics.n_triplets, level)
            values = (
                *(found.policy, found.model, found.kind, found.factor, name, k, n),
                *(
                    percent(estimate.value),
                    percent(estimate.low),
                    percent(estimate.high),
                    level,
                    estimate.method,
                ),
                *(estimate.degenerate, percent(plain.low), percent(plain.high)),
            )
            rows.append(dict(zip(METRICS, values, strict=True)))
    return Table(name="judge_metrics", columns=METRICS, rows=tuple(rows), note=NOTE)


def _shares(found: FactorCounts) -> Iterator[tuple[str, int, int, bool]]:
    """(metric, k, n, whether n is itself drawn with the triplets)."""
    s, n, base = found.states, found.states.n_triplets, found.states.n_base_correct
    adapted, invariant = s.n_110 + s.n_111, s.n_101 + s.n_111
    relevant, irrelevant = found.kept["relevant"], found.kept["irrelevant"]
    yield "static_accuracy", found.static_correct, len(found.static), False
    yield "base_accuracy", base, n, False
    yield "RA", adapted, base, True
    yield "II", invariant, base, True
    yield "PFC", adapted, n, False
    yield "PSC", invariant, n, False
    yield "flip_relevant", relevant.turned, n, False
    yield "flip_irrelevant", irrelevant.turned, n, False
    yield "retention_relevant", relevant.same_base, base, True
    yield "retention_irrelevant", irrelevant.same_base, base, True
    yield "joint", s.n_111, base, True
    for size, pools in found.pools.items():
        yield f"U_at_{size}", sum(pools.values()), len(pools), False


__all__ = ["CELLS", "METRICS", "NOTE", "SIZES", "STATES", "judge_cells", "judge_metrics"]
