"""Gates for an experiment's cells: which cells each gate pulls and by what threshold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

from harness import ids
from harness.cells import looks
from harness.gates.batch_invariance import batch_invariance
from harness.gates.comparability import comparability
from harness.gates.completeness import completeness
from harness.gates.frozen import frozen_thresholds
from harness.gates.parseability import parseability
from harness.gates.published import published
from harness.gates.scorer_integrity import scorer_integrity
from harness.gates.visual_dependency import visual_dependency
from harness.scoring.oracle import oracle_answer
from harness.study import Study
from harness.types import Cell, CellResult, Gate, Verdict


def standard_gates(study: Study, cells: Sequence[Cell]) -> list[Gate]:
    """The gates that every experiment needs.

    Frozen thresholds and completeness over all cells, and scorer integrity at the canary tier;
    parseability per cell; comparability of the models of one family per data, view, prompt,
    decoding and variant; batch invariance per model that runs in float32, of cells that are no
    variant; published figures where the study states them.
    """
    if study.tier is None:
        raise ValueError("standard_gates() needs a study at a tier")
    make = partial(Gate, tier=study.tier)
    limits, first = study.thresholds, study.thresholds_first
    floors = limits.get("min_parse_rate_of", {})
    parse_floor = floors.get(study.experiment, limits["min_parse_rate"])
    gates = [
        make(
            name="thresholds",
            subject=study.experiment,
            cells=(),
            judge=lambda _: frozen_thresholds(
                study.frozen, study.frozen if first is None else first
            ),
        ),
        make(
            name="completeness",
            subject=study.experiment,
            cells=tuple(cells),
            judge=partial(_complete, limit=limits["max_infrastructure_share"]),
        ),
    ]
    if study.tier == "canary":
        gates.append(
            make(
                name="scorer-integrity",
                subject=study.experiment,
                cells=tuple(cells),
                judge=partial(scorer_integrity, oracle=oracle_answer),
            )
        )
    for cell in cells:
        gates.append(
            make(
                name="parseability",
                subject=_subject(cell),
                cells=(cell,),
                judge=partial(_parseable, limit=parse_floor),
            )
        )
        figures = _figures(limits["published"].get(cell.data, {}), cell.model.name)
        if figures and cell.model.source["kind"] == "replay" and cell.tier == "full":
            gates.append(
                make(
                    name="published",
                    subject=_subject(cell),
                    cells=(cell,),
                    judge=partial(
                        _published, figures=figures, tolerance=limits["published_tolerance"]
                    ),
                )
            )
    for names, group in _groups(cells):
        gates.append(
            make(
                name="comparability",
                subject="/".join(ids.slug(p) for p in (study.experiment, *names) if p),
                cells=tuple(group),
                judge=comparability,
            )
        )
    return gates + [_invariance(study, cell) for cell in cells if _tests_batches(cell)]


def visual_dependency_gates(
    study: Study, cells: Sequence[Cell], *, clean: str = "clean"
) -> list[Gate]:
    """Accuracy on the clean picture must exceed that on each control view, per model."""
    if study.tier is None:
        raise ValueError("visual_dependency_gates() needs a study at a tier")
    base = {(c.data, c.model.name, c.prompt.name): c for c in cells if c.view.name == clean}
    return [
        Gate(
            name="visual-dependency",
            subject=_subject(cell),
            tier=study.tier,
            cells=(base[cell.data, cell.model.name, cell.prompt.name], cell),
            judge=partial(_depends, level=study.thresholds["level"]),
        )
        for cell in cells
        if cell.view.name != clean and looks(cell.model)
    ]


def _subject(cell: Cell) -> str:
    return cell.id.partition(":")[2]


def _figures(stated: Mapping[str, Any], model: str) -> dict[str, float]:
    """Those of a data set, which one table has for all models or one table for each."""
    own = stated.get(model, {})
    return {**{k: v for k, v in stated.items() if not isinstance(v, Mapping)}, **own}


def _groups(cells: Iterable[Cell]) -> list[tuple[tuple[str, ...], list[Cell]]]:
    def name(cell: Cell) -> tuple[str, ...]:
        names = (cell.data, cell.view.name, cell.prompt.name, cell.decoding.name)
        family = cell.model.family
        return (*names, cell.variant, "" if family == "generative" else family)

    return [(key, list(group)) for key, group in groupby(sorted(cells, key=name), key=name)]


def _tests_batches(cell: Cell) -> bool:
    return (
        looks(cell.model)
        and cell.view.name == "clean"
        and cell.model.dtype == "float32"
        and cell.decoding.greedy
        and not cell.variant
    )


def _invariance(study: Study, cell: Cell) -> Gate:
    limits = study.thresholds
    n = limits["batch_invariance_n"]
    if cell.n is not None:
        # A tier of fewer examples than a batch takes a whole batch here all the same.
        n = max(min(cell.n, n), limits["batch_invariance_size"])
    pair = tuple(
        replace(
            cell,
            n=n,
            variant=f"batch-{size}",
            decoding=replace(cell.decoding, batch_sizes=(size,)),
        )
        for size in (1, limits["batch_invariance_size"])
    )
    return Gate(
        name="batch-invariance",
        subject=_subject(cell),
        tier=cell.tier,
        cells=pair,
        judge=lambda results: batch_invariance(*results),
    )


def _complete(results: Sequence[CellResult], *, limit: float) -> Verdict:
    return completeness(
        results,
        expected_ids=[r.example_ids for r in results],
        max_infrastructure_share=limit,
    )


def _parseable(results: Sequence[CellResult], *, limit: float) -> Verdict:
    return parseability(results[0], min_parse_rate=limit)


def _published(
    results: Sequence[CellResult], *, figures: dict[str, float], tolerance: float
) -> Verdict:
    return published(results[0], expected=figures, tolerance=tolerance)


def _depends(results: Sequence[CellResult], *, level: float) -> Verdict:
    return visual_dependency(results[0], results[1], level=level)
