"""Does the order of the models hold under every parser, view, prompt and token budget?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from harness.robustness.archive import Archive, Place, Row
from harness.robustness.repair import rescored
from harness.robustness.settings import TableSettings
from harness.stats.checks import StatisticsError
from harness.stats.estimate import Estimate
from harness.stats.multiverse import ModelOutcomes, model_outcomes, specification_curve
from harness.stats.ranking import RankingStability, ranking_stability
from harness.stats.ranking_bootstrap import RankingBootstrap, bootstrap_rankings
from harness.table import Table, Value, lacking, percent

FACTORS = ("parser", "condition", "prompt_mode", "token_budget")
CURVE = (
    *("model", *FACTORS, "n", "correct", "accuracy_pct", "ci_low_pct", "ci_high_pct", "rank"),
    *("p_best", "p_shared_best", "ci_level", "ci_method"),
)
RANKINGS = (
    *(*FACTORS, "n", "ranking", "p_ranking", "tau_to_baseline", "tau_low", "tau_high"),
    *("same_winner", "baseline", "bootstrap_repeats", "bootstrap_seed", "ci_level", "ci_method"),
)
EFFECTS = (
    *("factor", "n_pairs", "n_undefined", "mean_tau", "mean_tau_low", "mean_tau_high", "min_tau"),
    *("tau_drop", "n_winner_changes", "bootstrap_repeats", "bootstrap_seed", "ci_level"),
    "ci_method",
)
NAMES = ("ranking_specification_curve", "ranking_stability", "ranking_factors")
_FEW = 5
AS_GENERATED = "as generated"


@dataclass(frozen=True, kw_only=True)
class Multiverse:
    """Outcomes of all models under all specifications, and what was learned from them."""

    outcomes: ModelOutcomes
    stability: RankingStability
    draws: RankingBootstrap | None
    note: str


def ranking_tables(cells: Archive, settings: TableSettings) -> tuple[Table, Table, Table]:
    """The ranking of the models on the design part under every specification.

    Returns
    -------
    three Table
        Accuracy and rank of each model, the ranking, and what each factor by itself changes.
    """
    places = [
        Place("design", model, view, prompt)
        for view in settings.ranking_conditions
        for prompt in (settings.paper, settings.evidence)
        for model in settings.models
    ]
    found, missing = cells.take(places)
    if missing:
        curve, rankings, effects = (
            lacking(name, columns, missing)
            for name, columns in zip(NAMES, (CURVE, RANKINGS, EFFECTS), strict=True)
        )
        return curve, rankings, effects
    made = _multiverse({place: found[place].first for place in places}, settings)
    return tables_of(made, settings)


def tables_of(made: Multiverse, settings: TableSettings) -> tuple[Table, Table, Table]:
    """The three tables of a multiverse."""
    rows = (_curve_rows(made, settings), _ranking_rows(made, settings), _effects(made, settings))
    curve, rankings, effects = (
        Table(name=name, columns=columns, rows=tuple(listed), note=made.note)
        for name, columns, listed in zip(NAMES, (CURVE, RANKINGS, EFFECTS), rows, strict=True)
    )
    return curve, rankings, effects


def multiverse(
    outcomes: ModelOutcomes,
    baseline: Mapping[str, str],
    settings: TableSettings,
    note: str = "",
) -> Multiverse:
    """Rank under every specification, in the data and in bootstrap draws of the examples."""
    stability = ranking_stability(outcomes, baseline)
    draws = None
    if outcomes.kept.shape[1]:
        draws = bootstrap_rankings(
            outcomes, baseline, settings.level, settings.n_resamples, settings.analysis_seed
        )
    how = (
        "Models are compared on the examples that count for all of them in a specification. "
        f"Accuracies have Wilson intervals. Probabilities and ranges of tau are over B = "
        f"{settings.n_resamples} draws of the examples, seed {settings.analysis_seed}; a draw adds "
        "noise to every ranking, so the ranges are no confidence intervals. A token budget counts "
        "longer responses as cut off, without generating again. "
    )
    if draws is not None:
        redraw = "undefined" if draws.redraw_tau is None else f"{draws.redraw_tau:.3f}"
        how += (
            f"All specifications rank alike in {draws.p_same_ranking:.1%} of the draws, one model "
            f"leads in all of them in {draws.p_same_winner:.1%}; mean tau of a redrawn baseline to "
            f"itself: {redraw}. "
        )
    top = stability.top1_stability
    how += (
        f"The baseline's winner ({', '.join(stability.baseline_winners) or 'none'}) leads alone in "
        f"{stability.n_same_winner} of {len(stability.rankings) - 1} other specifications, shares "
        f"the lead in {stability.n_shared_winner}; top-1 stability "
        f"{'undefined' if top is None else f'{top:.3f}'}."
    )
    return Multiverse(
        outcomes=outcomes, stability=stability, draws=draws, note=f"{how} {note}".strip()
    )


def _multiverse(cells: Mapping[Place, Mapping[str, Row]], settings: TableSettings) -> Multiverse:
    shared = set.intersection(*(set(rows) for rows in cells.values()))
    every = set().union(*cells.values())
    ids = sorted(shared)
    notes = []
    lone = sorted(every - shared)
    if lone and settings.on_unpaired == "error":
        raise StatisticsError(
            "unpaired_ids",
            f"expected the same ids in {len(cells)} cells, found {len(lone)} that one of them "
            f"lacks ({', '.join(lone[:_FEW])})",
        )
    if lone:
        notes.append(f"{len(lone)} examples that a cell lacks are left out.")
    uncounted = any(
        row.correct is not None and row.response.n_tokens is None
        for rows in cells.values()
        for row in rows.values()
    )
    budgets = (None,) if uncounted else settings.token_budgets
    if uncounted and settings.token_budgets != (None,):
        notes.append("No token budgets: a response does not say how many tokens it has.")
    parsers = ("default", *settings.parsers)
    scored = {
        (place, parser): _under(parser, [rows[i] for i in ids])
        for place, rows in cells.items()
        for parser in parsers
    }
    prompts = (settings.paper, settings.evidence)
    specifications, right, excluded = [], [], []
    for parser, view, prompt, budget in product(
        parsers, settings.ranking_conditions, prompts, budgets
    ):
        levels = (parser, view, prompt, AS_GENERATED if budget is None else str(budget))
        specifications.append(dict(zip(FACTORS, levels, strict=True)))
        listed = [scored[Place("design", model, view, prompt), parser] for model in settings.models]
        right.append([[row.correct is True and _within(row, budget) for row in m] for m in listed])
        excluded.append([[row.correct is None for row in m] for m in listed])
    outcomes = model_outcomes(
        right, excluded=excluded, models=settings.models, specifications=specifications
    )
    return multiverse(outcomes, specifications[0], settings, " ".join(notes))


def _under(parser: str, rows: Sequence[Row]) -> list[Row]:
    return list(rows) if parser == "default" else [row for row, _ in rescored(rows, parser)]


def _within(row: Row, budget: int | None) -> bool:
    return budget is None or (row.response.n_tokens or 0) <= budget


def _curve_rows(made: Multiverse, settings: TableSettings) -> list[dict[str, Value]]:
    rows: list[dict[str, Value]] = []
    counts = made.outcomes.correct.sum(axis=2, dtype=int).tolist()
    curve = specification_curve(made.outcomes, settings.level)
    for place, (specification, estimates) in enumerate(
        zip(made.outcomes.specifications, curve, strict=True)
    ):
        ranks = made.stability.rankings[place]
        drawn = made.draws.specifications[place] if made.draws else None
        for m, (model, found) in enumerate(zip(made.outcomes.models, estimates, strict=True)):
            values: list[Value] = [model, *(str(specification[f]) for f in FACTORS), found.n]
            values += [counts[place][m], percent(found.value), percent(found.low)]
            values += [percent(found.high), ranks[m] if ranks else None]
            values += [drawn.p_best[m], drawn.p_shared_best[m]] if drawn else [None, None]
            values += [settings.level, found.method]
            rows.append(dict(zip(CURVE, values, strict=True)))
    return rows


def _ranking_rows(made: Multiverse, settings: TableSettings) -> list[dict[str, Value]]:
    rows: list[dict[str, Value]] = []
    winners = set(made.stability.baseline_winners)
    for place, specification in enumerate(made.outcomes.specifications):
        ranks = made.stability.rankings[place]
        drawn = made.draws.specifications[place] if made.draws else None
        tau = drawn.tau if drawn else None
        share: Value = None
        if drawn and ranks is not None:
            share = next((r.probability for r in drawn.rankings if r.ranks == ranks), 0.0)
        first = {m for m, rank in zip(made.outcomes.models, ranks or (), strict=False) if rank == 1}
        values: list[Value] = [str(specification[f]) for f in FACTORS]
        values += [made.stability.n_kept[place], _told(made.outcomes.models, ranks), share]
        values += [made.stability.tau_to_baseline[place], *_ends(tau)]
        values += [first == winners if first and winners else None]
        values += [place == made.stability.baseline, *_drawn(settings, tau)]
        rows.append(dict(zip(RANKINGS, values, strict=True)))
    return rows


def _effects(made: Multiverse, settings: TableSettings) -> list[dict[str, Value]]:
    rows: list[dict[str, Value]] = []
    for effect in made.stability.factors:
        found = made.draws.mean_tau[effect.factor] if made.draws else None
        values = (
            *(effect.factor, effect.n_pairs, effect.n_undefined, effect.mean_tau, *_ends(found)),
            *(effect.min_tau, effect.tau_drop, effect.n_winner_changes),
            *_drawn(settings, found),
        )
        rows.append(dict(zip(EFFECTS, values, strict=True)))
    return rows


def _ends(found: Estimate | None) -> tuple[Value, Value]:
    return (found.low, found.high) if found else (None, None)


def _drawn(settings: TableSettings, found: Estimate | None) -> tuple[Value, ...]:
    method = found.method if found else None
    return (settings.n_resamples, settings.analysis_seed, settings.level, method)


def _told(models: Sequence[str], ranks: Sequence[int] | None) -> str | None:
    """The ranking in words: "rl > base = sft", None where nothing was ranked."""
    if ranks is None:
        return None
    groups = [
        " = ".join(m for m, rank in zip(models, ranks, strict=True) if rank == wanted)
        for wanted in sorted(set(ranks))
    ]
    return " > ".join(groups)


__all__ = [
    "AS_GENERATED",
    "CURVE",
    "EFFECTS",
    "FACTORS",
    "NAMES",
    "RANKINGS",
    "Multiverse",
    "multiverse",
    "ranking_tables",
    "tables_of",
]
