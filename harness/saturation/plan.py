"""The gates of a saturation experiment: the 2 × 2 design of twins, and the gradient of sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from harness.errors import StudyError
from harness.saturation.cells import rung_of_cell, twin_scores
from harness.saturation.factorial import SCALES, factorial, factorial_table
from harness.saturation.gradient import gradient
from harness.saturation.levels import by_level, is_graded, levels_of_cell
from harness.saturation.parts import has_parts, parts_table
from harness.saturation.problems import FLAGGED_TAG
from harness.stats.checks import StatisticsError
from harness.study import Study
from harness.table import Table
from harness.types import Cell, CellResult, Gate, Issue, Verdict

_UNGRADED = "not graded"


def twin_gates(study: Study, cells: Sequence[Cell], choice: str, open_: str) -> list[Gate]:
    """The gates that leave the 2 × 2 design of every model in the report.

    Parameters
    ----------
    study : at a tier.
    cells : of the experiment; each model has one on both sides.
    choice, open_ : names of the data entries with either side of the twins. Examples with the
        tag "flagged" are those that the audit found.

    Returns
    -------
    list of Gate
        One a model, "twins", with the table `format_by_audit_MODEL`. NO-GO where a level of the
        audit has fewer than two items that count; it judges no result otherwise.

    Raises
    ------
    StudyError
        Without a tier; where a model lacks a side or has one twice.
    """
    return [
        _gate(study, "twins", model, found, partial(_twins, model=model, level=_level(study)))
        for model, found in _by_model(study, cells, (choice, open_)).items()
    ]


def gradient_gates(
    study: Study, cells: Sequence[Cell], sets: Sequence[tuple[str, float]]
) -> list[Gate]:
    """The gates that leave the format × novelty gradient of every model in the report.

    Parameters
    ----------
    study : at a tier.
    cells : of the experiment; each model has one on every set.
    sets : (data entry, share of its items from sources that no public training set holds), in the
        order of the gradient. Those without cells are left out, so that one experiment serves
        studies with fewer sets. Not for the two sides of twins, whose items are the same.

    Returns
    -------
    list of Gate
        One a model, "gradient", which judges no result, with the tables
        `saturation_gradient_MODEL`; `accuracy_by_difficulty_SET_MODEL` of sets whose items carry
        their native difficulty; and `sub_parts_MODEL`, where problems have sub-questions.

    Raises
    ------
    StudyError
        Without a tier; where fewer than two sets have cells, or a model lacks one or has one
        twice.
    """
    named = {cell.data for cell in cells}
    kept = [(name, share) for name, share in sets if name in named]
    if len(kept) < 2:
        listed = ", ".join(name for name, _ in sets)
        raise StudyError(
            f"experiment {study.experiment}: expected the data of at least two of {listed}, found "
            f"{', '.join(sorted(named)) or 'none'}"
        )
    novel = tuple(share for _, share in kept)
    names = tuple(name for name, _ in kept)
    return [
        _gate(
            study,
            "gradient",
            model,
            found,
            partial(_gradient, model=model, level=_level(study), novel=novel),
        )
        for model, found in _by_model(study, cells, names).items()
    ]


def twin_table(choice: CellResult, open_: CellResult, level: float) -> Table:
    """The 2 × 2 design of one model's two cells on both scales.

    Raises
    ------
    DataError
        As `harness.saturation.cells.twin_scores`.
    StatisticsError
        `empty_cell` with fewer than two flagged or clean items that count.
    """
    flagged = {e.id for e in choice.examples if FLAGGED_TAG in e.tags}
    scores, dropped = twin_scores(choice, open_, flagged)
    made = factorial_table([factorial(scores, level, scale) for scale in SCALES])
    if not dropped:
        return made
    said = f"{made.note} Left out, no answer on a side: {len(dropped)} problems."
    return replace(made, note=said)


def _by_model(
    study: Study, cells: Sequence[Cell], names: Sequence[str]
) -> dict[str, tuple[Cell, ...]]:
    if study.tier is None:
        raise StudyError("the gates of saturation need a study at a tier")
    found = {}
    for model in dict.fromkeys(cell.model.name for cell in cells):
        own = [[c for c in cells if (c.model.name, c.data) == (model, name)] for name in names]
        for name, side in zip(names, own, strict=True):
            if len(side) != 1:
                raise StudyError(
                    f"experiment {study.experiment}: expected one cell of {model} on {name}, found "
                    f"{len(side)}"
                )
        found[model] = tuple(side[0] for side in own)
    return found


def _gate(
    study: Study, name: str, model: str, cells: tuple[Cell, ...], judge: partial[Verdict]
) -> Gate:
    assert study.tier is not None
    subject = f"{study.experiment}/{model}"
    return Gate(name=name, subject=subject, tier=study.tier, cells=cells, judge=judge)


def _level(study: Study) -> float:
    return float(study.thresholds["level"])


def _twins(results: Sequence[CellResult], *, model: str, level: float) -> Verdict:
    choice, open_ = results
    try:
        made = twin_table(choice, open_, level)
    except StatisticsError as error:
        issue = Issue("too-few-twins", model, f"{error}; raise the tier's n")
        return Verdict(gate="twins", issues=(issue,))
    table = replace(made, name=f"{made.name}_{model}")
    facts = {f"{row['scale']}: {row['effect']}": row["estimate_pp"] for row in made.rows}
    return Verdict(gate="twins", issues=(), facts=facts, tables=(table,))


def _gradient(
    results: Sequence[CellResult], *, model: str, level: float, novel: tuple[float, ...]
) -> Verdict:
    rungs = [rung_of_cell(cell, share) for cell, share in zip(results, novel, strict=True)]
    made = gradient(rungs, level)
    tables = [replace(made, name=f"{made.name}_{model}")]
    for cell in results:
        if is_graded(cell) and not has_parts(cell):
            graded = by_level(levels_of_cell(cell, _UNGRADED), level)
            tables.append(replace(graded, name=f"{graded.name}_{cell.cell.data}_{model}"))
    parts = parts_table(results, level)
    if parts.rows:
        tables.append(replace(parts, name=f"{parts.name}_{model}"))
    facts = {str(row["set"]): row["accuracy_pct"] for row in made.rows}
    return Verdict(gate="gradient", issues=(), facts=facts, tables=tuple(tables))


__all__ = ["gradient_gates", "twin_gates", "twin_table"]
