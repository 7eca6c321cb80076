"""The study's cells and gates: judges on triplets, static items and pools, in both orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from harness.cells import grid, looks
from harness.errors import StudyError
from harness.interventions.counts import factor_counts
from harness.interventions.gates import (
    MIN_PARSE_RATE,
    disjoint_images,
    signal_gate,
    triplets_complete,
)
from harness.interventions.readings import readings
from harness.interventions.settings import SWAPPED, InterventionSettings
from harness.interventions.tables import intervention_tables
from harness.study import Study
from harness.types import Cell, CellResult, Example, Gate, Issue, Verdict


def intervention_settings(study: Study) -> InterventionSettings:
    """The settings of the study's tables, from its `[interventions]` and `[gates]`.

    The judges are the current experiment's models, the study's outside of one.

    Raises
    ------
    StudyError
        When the study file has no `[interventions]`.
    """
    if study.interventions is None:
        raise StudyError(
            f"study {study.name}: expected a table [interventions] that names data and prompt for "
            "the tables, found none"
        )
    given = dict(study.interventions)
    for name in ("swapped", "decoding"):
        given.pop(name)
    models = study.scope.models if study.experiment else tuple(study.models)
    return InterventionSettings(
        **{**given, "within_pp": tuple(given["within_pp"])},
        models=models,
        level=study.thresholds["level"],
    )


def intervention_cells(study: Study) -> list[Cell]:
    """The cells of the current experiment: its judges on every part of the study.

    Each judge gets the triplets, and the static items and pools where the study has them, on
    pictures as they are. Unless `[interventions]` says `swapped = false`, judges that this run
    shows pictures are asked for triplets and static items in the other order of candidates too.
    Judges of family `reward` get `reward_prompt`: they are shown one candidate at a time, so a
    prompt that lists both and asks for a letter is none for them.

    Raises
    ------
    StudyError
        Without `[interventions]`, without its `reward_prompt` where a judge is of family
        `reward`, for data or a prompt that the experiment does not have, and whatever `grid`
        refuses.
    """
    settings = intervention_settings(study)
    named = [name for name in (settings.audit, settings.static, settings.pools) if name]
    rewarded = [name for name in settings.models if study.models[name].family == "reward"]
    if rewarded and settings.reward_prompt is None:
        raise StudyError(
            f"study {study.name}: interventions.reward_prompt: expected the name of a prompt, such "
            f"as one of {{question}} alone, for the reward models {', '.join(rewarded)}, found none"
        )
    prompts = dict.fromkeys(settings.prompt_of(study.models[name]) for name in settings.models)
    asked = study.interventions or {}
    decoding = asked.get("decoding")
    cells = [
        cell
        for cell in grid(
            study, views=("clean",), data=named, prompts=tuple(prompts), decoding=decoding
        )
        if cell.prompt.name == settings.prompt_of(cell.model)
    ]
    if not asked.get("swapped"):
        return cells
    turned = [
        replace(cell, variant=SWAPPED)
        for cell in cells
        if looks(cell.model) and cell.data != settings.pools
    ]
    return cells + turned


def intervention_gates(study: Study) -> list[Gate]:
    """The gates that an intervention study needs beside `standard_gates`.

    Whole triplets, pictures that no two parts share, judges that answer and not all by one
    letter, and the gate that leaves every table in the report. The share of answers with a letter
    is held to the stricter of the study's floor for the experiment and the protocol's 0.8.
    """
    if study.tier is None:
        raise StudyError("intervention_gates() needs a study at a tier")
    settings = intervention_settings(study)
    cells = intervention_cells(study)
    frozen = [cell for cell in cells if cell.variant != SWAPPED]
    first: dict[str, Cell] = {}
    for cell in frozen:
        first.setdefault(cell.data, cell)
    make = partial(Gate, subject=study.experiment, tier=study.tier)
    return [
        make(name="triplets", cells=(first[settings.audit],), judge=_triplets),
        make(name="disjoint-images", cells=tuple(first.values()), judge=_disjoint),
        make(name="signal", cells=tuple(frozen), judge=partial(_signal, floor=_floor(study))),
        make(name="interventions", cells=tuple(cells), judge=partial(_tabled, settings=settings)),
    ]


def _triplets(results: Sequence[CellResult]) -> Verdict:
    return triplets_complete(results[0].examples)


def _disjoint(results: Sequence[CellResult]) -> Verdict:
    parts: list[tuple[str, Sequence[Example]]] = [(r.cell.data, r.examples) for r in results]
    return disjoint_images(parts)


def _floor(study: Study) -> float:
    limits = study.thresholds
    own = limits.get("min_parse_rate_of", {}).get(study.experiment, limits["min_parse_rate"])
    return max(MIN_PARSE_RATE, float(own))


def _signal(results: Sequence[CellResult], *, floor: float) -> Verdict:
    return signal_gate(results, min_parse_rate=floor)


def _tabled(results: Sequence[CellResult], *, settings: InterventionSettings) -> Verdict:
    found = readings(results, settings)
    issues = [
        Issue("lacks-cell", name, "expected this judge's cell for the tables, found none")
        for name in found.missing
    ]
    issues += [
        Issue("no-triplets", f"{judge.model}/{judge.factor}", "no triplet was judged")
        for judge in found.frozen
        if not judge.triplets and not judge.pools
    ]
    issues += [
        Issue(
            "all-dropped",
            f"{judge.model}/{judge.factor}",
            f"expected a triplet with three answers to read, found none in {len(judge.triplets)}; "
            "the tables losses and dropped_triplets say why",
        )
        for judge in found.frozen
        if judge.triplets and not factor_counts(judge, "drop_unparsed").bits
    ]
    tables = tuple(intervention_tables(results, settings).values())
    facts = {
        "factors": list(found.factors),
        "n_tables": len(tables),
        "n_rows": {table.name: len(table.rows) for table in tables},
    }
    return Verdict(gate="interventions", issues=tuple(sorted(issues)), facts=facts, tables=tables)


__all__ = ["intervention_cells", "intervention_gates", "intervention_settings"]
