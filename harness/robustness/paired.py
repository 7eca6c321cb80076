"""Paired tables: models on clean pictures, clean against altered ones, controls, views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from harness.robustness.archive import Archive, Place
from harness.robustness.counts import PairedCounts, count_pairs, left_out
from harness.robustness.paired_rows import (
    BUDGETED,
    CONTRASTS,
    DELTAS,
    MULTIVIEW,
    ROBUSTNESS,
    contrast_rows,
    delta_rows,
    multiview_rows,
    robustness_rows,
)
from harness.robustness.settings import SEEDS, STRESS, TableSettings
from harness.table import Table, Value, lacking
from harness.vision.draws import SIDES

MULTIVIEW_CONDITIONS = ("clean", "downsample_25", "distractor_3")

_HOW = (
    "Differences are right minus left; intervals are quantiles of the exact bootstrap "
    "distribution over pairs, which needs neither draws nor a seed; p is McNemar's, exact and "
    "two-sided. Pairs with a failed row on a side are dropped. An answer that could not be read "
    "agrees with nothing. The minimum detectable effect is that of the observed discordance."
)


def contrast_pairs() -> tuple[tuple[str, str], ...]:
    """The 31 pairs of conditions that the fixed-canvas study compares for each model.

    Clean against the rescaled target and against one drawn distractor; on each side the target
    against the blank and the noise panel, blank against noise, and each of three distractors
    against clean, blank and noise; and the two sides of every panel against each other.

    Examples
    --------
    >>> len(contrast_pairs()), contrast_pairs()[0]
    (31, ('clean', 'control_target_rescaled'))
    """
    target = "control_target_rescaled"
    pairs = [("clean", target), ("clean", "distractor_1")]
    for side in SIDES:
        blank, noise = f"control_blank_1_{side}", f"control_noise_1_{side}"
        pairs += [(target, blank), (target, noise), (blank, noise)]
        for seed in SEEDS:
            panel = f"distractor_1_seed{seed}_{side}"
            pairs += [("clean", panel), (blank, panel), (noise, panel)]
    for kind in ("control_blank_1", "control_noise_1", *(f"distractor_1_seed{s}" for s in SEEDS)):
        left, right = (f"{kind}_{side}" for side in SIDES)
        pairs.append((left, right))
    return tuple(pairs)


def model_pairs(models: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Neighbours first, then the other pairs; the earlier model is on the left.

    Examples
    --------
    >>> model_pairs(["base", "sft", "rl"])
    (('base', 'sft'), ('sft', 'rl'), ('base', 'rl'))
    """
    order = {model: place for place, model in enumerate(models)}
    pairs = combinations(models, 2)
    return tuple(sorted(pairs, key=lambda p: (order[p[1]] - order[p[0]], order[p[0]])))


def reproduction_paired_deltas(cells: Archive, settings: TableSettings) -> Table:
    """Every two models on the clean pictures of all questions, under the first prompt."""
    name = "reproduction_paired_deltas"
    places = {m: Place("whole", m, "clean", settings.paper, long=True) for m in settings.models}
    found, missing = cells.take(places.values())
    if missing:
        return lacking(name, DELTAS, missing)
    counts = {
        (a, b): count_pairs(found[places[a]].first, found[places[b]].first, settings.on_unpaired)
        for a, b in model_pairs(settings.models)
    }
    named = {"/".join(both): c for both, c in counts.items()}
    return _made(name, DELTAS, delta_rows(counts, settings), named)


def robustness_paired(cells: Archive, settings: TableSettings) -> Table:
    """Clean against each altered view, for every model: one family under Holm's correction."""
    pairs = tuple(("clean", view) for view in STRESS[1:])
    name = "robustness_paired"
    counts, missing = _by_model(cells, settings, pairs)
    if missing:
        return lacking(name, ROBUSTNESS, missing)
    named = {"/".join(k): c for k, c in counts.items()}
    made = _made(name, ROBUSTNESS, robustness_rows(counts, settings), named)
    members = ", ".join(named)
    family = (
        f" Family of {len(counts)} tests under Holm's correction at {settings.alpha:g}: {members}; "
        "their minimum detectable effect is at alpha / family size."
    )
    return replace(made, note=made.note + family)


def control_paired_contrasts(cells: Archive, settings: TableSettings) -> Table:
    """The contrasts of the fixed-canvas study, for every model."""
    name = "control_paired_contrasts"
    counts, missing = _by_model(cells, settings, contrast_pairs())
    if missing:
        return lacking(name, CONTRASTS, missing)
    named = {"/".join(k): c for k, c in counts.items()}
    made = _made(name, CONTRASTS, contrast_rows(counts, settings), named)
    note = f"{made.note} {len(counts)} contrasts without correction for their number: exploratory."
    return replace(made, note=note)


def multiview_budgeted_paired(cells: Archive, settings: TableSettings) -> Table:
    """One picture against five at nearly the same number of pixels."""
    name = "multiview_budgeted_paired"
    places = {
        (view, prompt): [Place("design", settings.focus, view, prompt, mode) for mode in BUDGETED]
        for view in MULTIVIEW_CONDITIONS
        for prompt in (settings.paper, settings.evidence)
    }
    found, missing = cells.take(place for both in places.values() for place in both)
    if missing:
        return lacking(name, MULTIVIEW, missing)
    counts = {
        (settings.focus, view, prompt): count_pairs(
            found[left].first, found[right].first, settings.on_unpaired
        )
        for (view, prompt), (left, right) in places.items()
    }
    named = {"/".join(k): c for k, c in counts.items()}
    return _made(name, MULTIVIEW, multiview_rows(counts, settings), named)


def _by_model(
    cells: Archive, settings: TableSettings, pairs: Sequence[tuple[str, str]]
) -> tuple[dict[tuple[str, str, str], PairedCounts], list[str]]:
    """Counts by (model, left, right) on the design part, or what is missing."""

    def place(model: str, view: str) -> Place:
        return Place("design", model, view, settings.paper)

    found, missing = cells.take(
        place(model, view) for model in settings.models for both in pairs for view in both
    )
    if missing:
        return {}, missing
    return {
        (model, a, b): count_pairs(
            found[place(model, a)].first, found[place(model, b)].first, settings.on_unpaired
        )
        for model in settings.models
        for a, b in pairs
    }, []


def _made(
    name: str,
    columns: tuple[str, ...],
    rows: list[dict[str, Value]],
    named: Mapping[str, PairedCounts],
) -> Table:
    note = f"{_HOW} {left_out(named)}".strip()
    return Table(name=name, columns=columns, rows=tuple(rows), note=note)


__all__ = [
    "MULTIVIEW_CONDITIONS",
    "contrast_pairs",
    "control_paired_contrasts",
    "model_pairs",
    "multiview_budgeted_paired",
    "reproduction_paired_deltas",
    "robustness_paired",
]
