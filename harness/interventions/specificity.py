"""Does adapting to one factor go with doing well on that factor, and not on every other?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.interventions.counts import FactorCounts
from harness.interventions.settings import InterventionSettings
from harness.stats.draws import DrawPlan, interval_from_draws
from harness.stats.weights import bootstrap_weights
from harness.table import Table, Value

COLUMNS = ("policy", "behaviour", "outcome", "audit_factor", "outcome_factor", "n_judges", "value")
CONTRASTS = (
    *("policy", "behaviour", "outcome", "n_judges", "n_families", "diagonal", "off_diagonal"),
    *("specificity", "ci_low", "ci_high", "ci_level", "ci_method", "n_resamples", "seed"),
)
BEHAVIOURS = ("PFC", "PSC")
_ROUNDING = 1e-12
_NOTE = (
    "Each entry is the mean over judges of the product of two z-scores, the behaviour in one "
    "factor and the outcome in another; z-scores are taken over the judges within a column, with "
    "the population's deviation and a deviation of 0 as 1. Specificity is the mean of the diagonal "
    "minus the mean of the rest; its interval redraws whole families of judges."
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Panel:
    """Judges with a behaviour and an outcome in every factor: two arrays, (judges, factors)."""

    judges: tuple[str, ...]
    factors: tuple[str, ...]
    behaviour: np.ndarray
    outcome: np.ndarray


def outcome_of(found: FactorCounts, outcome: str) -> tuple[int, int] | None:
    """(right, of) of the static items ("static") or of the pools of a size ("U_at_4")."""
    rows: Mapping[str, bool] = found.static
    if outcome.startswith("U_at_"):
        rows = found.pools.get(int(outcome.removeprefix("U_at_")), {})
    return (sum(rows.values()), len(rows)) if rows else None


def outcomes(counts: Sequence[FactorCounts]) -> list[str]:
    """The outcomes that the cells hold: pools by size, the static items where there is no pool."""
    sizes = sorted({size for found in counts for size in found.pools})
    return [f"U_at_{size}" for size in sizes] or ["static"]


def specificity_tables(
    counts: Sequence[FactorCounts], settings: InterventionSettings
) -> tuple[Table, Table]:
    """Set each factor's behaviour against each factor's outcome, over the judges.

    Parameters
    ----------
    counts : of `factor_counts`; a judge that lacks a factor, its triplets or its outcome is left
        out of the panel.
    settings : families, level, draws and seed.

    Returns
    -------
    two Table
        `specificity_matrix`, an entry a row, and `specificity`, one row for each policy,
        behaviour and outcome. Both are empty with fewer than two judges or factors. Their note
        names the judges outside a panel.

    References
    ----------
    The protocol's 4 × 4 specificity (docs/interventions.md).
    """
    matrix: list[dict[str, Value]] = []
    contrasts: list[dict[str, Value]] = []
    outside: dict[str, list[str]] = {}
    n_panels = 0
    for policy in dict.fromkeys(found.policy for found in counts):
        chosen = [found for found in counts if found.policy == policy]
        for behaviour in BEHAVIOURS:
            for outcome in outcomes(chosen):
                made = panel(chosen, behaviour, outcome)
                n_panels += 1
                for model in dict.fromkeys(found.model for found in chosen):
                    if model not in made.judges:
                        where = f"{behaviour} on {outcome} under {policy}"
                        outside.setdefault(model, []).append(where)
                if min(made.behaviour.shape) < 2:
                    continue
                head = (policy, behaviour, outcome)
                found = _matrix(made, np.ones((1, len(made.judges))))[0]
                for i, row in enumerate(made.factors):
                    for j, column in enumerate(made.factors):
                        values = (*head, row, column, len(made.judges), float(found[i, j]))
                        matrix.append(dict(zip(COLUMNS, values, strict=True)))
                contrasts.append(_contrast(head, made, settings))
    lacks = "lacks two judges with both figures in every factor, or two factors"
    note = _NOTE if contrasts else f"not computed: {lacks}. {_NOTE}"
    if outside:
        named = (
            model if len(where) == n_panels else f"{model} ({', '.join(where)})"
            for model, where in outside.items()
        )
        note += f" Outside, for want of one of the figures in a factor: {'; '.join(named)}."
    return (
        Table(name="specificity_matrix", columns=COLUMNS, rows=tuple(matrix), note=note),
        Table(name="specificity", columns=CONTRASTS, rows=tuple(contrasts), note=note),
    )


def panel(counts: Sequence[FactorCounts], behaviour: str, outcome: str) -> Panel:
    """The judges that have both figures in every factor."""
    factors = tuple(dict.fromkeys(found.factor for found in counts))
    known = {(found.model, found.factor): found for found in counts}
    judges, left, right = [], [], []
    for model in dict.fromkeys(found.model for found in counts):
        cells = [known.get((model, factor)) for factor in factors]
        pairs = [
            (getattr(cell.metrics, behaviour.lower()), outcome_of(cell, outcome))
            for cell in cells
            if cell is not None
        ]
        shares = [(x, y[0] / y[1]) for x, y in pairs if x is not None and y is not None]
        if len(shares) == len(factors):
            judges.append(model)
            left.append([x for x, _ in shares])
            right.append([y for _, y in shares])
    shape = (len(judges), len(factors))
    return Panel(
        judges=tuple(judges),
        factors=factors,
        behaviour=np.array(left, dtype=np.float64).reshape(shape),
        outcome=np.array(right, dtype=np.float64).reshape(shape),
    )


def _contrast(
    head: tuple[str, str, str], made: Panel, settings: InterventionSettings
) -> dict[str, Value]:
    families = [settings.family(judge) for judge in made.judges]
    weights = bootstrap_weights(
        len(made.judges), settings.n_resamples, settings.seed, families
    ).astype(np.float64)
    diagonal, rest = _split(_matrix(made, np.ones((1, len(made.judges)))))
    value = float(diagonal[0] - rest[0])
    drawn = np.subtract(*_split(_matrix(made, weights)))
    plan = DrawPlan(settings.level, "percentile", settings.n_resamples, settings.seed, families)
    found = interval_from_draws(
        value, drawn - value, _ROUNDING, 0.0, plan, len(made.judges), "mean of z-score products"
    )
    # One family drawn again and again is always the same: that is no interval.
    one = len(set(families)) < 2
    ends = (None, None) if one else (found.low, found.high)
    method = "none: one family" if one else found.method
    values = (
        *(*head, len(made.judges), len(set(families)), float(diagonal[0]), float(rest[0]), value),
        *(*ends, settings.level, method, settings.n_resamples),
        settings.seed,
    )
    return dict(zip(CONTRASTS, values, strict=True))


def _split(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean of the diagonal and of all other entries, for each matrix."""
    size = matrices.shape[1]
    diagonal = np.zeros(len(matrices))
    for i in range(size):
        diagonal += matrices[:, i, i]
    rest = np.zeros(len(matrices))
    for i in range(size):
        for j in range(size):
            if i != j:
                rest += matrices[:, i, j]
    return diagonal / size, rest / (size * (size - 1))


def _matrix(made: Panel, weights: np.ndarray) -> np.ndarray:
    """Mean products of z-scores under each row of weights, shape (draws, factors, factors)."""
    x, y = _scored(made.behaviour, weights), _scored(made.outcome, weights)
    total = _sum(weights)
    size = made.behaviour.shape[1]
    found = np.empty((len(weights), size, size))
    for i in range(size):
        for j in range(size):
            found[:, i, j] = _sum(weights * x[:, :, i] * y[:, :, j]) / total
    return found


def _scored(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """z-scores within each column under each row of weights, shape (draws, judges, columns)."""
    total = _sum(weights)
    scored = np.empty((len(weights), *values.shape))
    for column in range(values.shape[1]):
        off = values[:, column] - (_sum(weights * values[:, column]) / total)[:, None]
        spread = np.sqrt(_sum(weights * off * off) / total)
        scored[:, :, column] = off / np.where(spread > _ROUNDING, spread, 1.0)[:, None]
    return scored


def _sum(rows: np.ndarray) -> np.ndarray:
    """Sums over judges in their order: the same additions on every machine."""
    total = np.zeros(len(rows))
    for column in range(rows.shape[1]):
        total = total + rows[:, column]
    return total


__all__ = [
    "BEHAVIOURS",
    "COLUMNS",
    "CONTRASTS",
    "Panel",
    "outcome_of",
    "outcomes",
    "panel",
    "specificity_tables",
]
