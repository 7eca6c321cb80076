"""The study's matrix: its phases, and the cells that each of them asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from harness.cells import grid
from harness.errors import StudyError
from harness.robustness.curve import specification_curve_svg
from harness.robustness.measured import measured_tables
from harness.robustness.settings import CONTROLS, STRESS, TableSettings
from harness.robustness.tables import study_tables
from harness.study import Study
from harness.types import Cell, CellResult, Gate, Issue, Verdict

_FEW = ("clean", "downsample_25", "distractor_3")


def _in_modes(*modes: str) -> tuple[str, ...]:
    return tuple(m if c == "clean" else f"{c}-{m}" for c in _FEW for m in modes)


@dataclass(frozen=True, kw_only=True, slots=True)
class Phase:
    """One experiment of the study: its views, its decoding by name, and answers per question."""

    views: tuple[str, ...]
    decoding: str
    replicates: int = 1


PHASES = {
    "reproduction": Phase(views=("clean",), decoding="long"),
    "robustness": Phase(views=STRESS, decoding="short"),
    "improvement": Phase(views=(*_FEW, *_in_modes("global_plus_quadrants")), decoding="short"),
    "controls": Phase(views=CONTROLS, decoding="short"),
    "multiview": Phase(
        views=_in_modes("global_budgeted", "global_plus_quadrants_budgeted"), decoding="short"
    ),
    "held-out-gate": Phase(views=("clean",), decoding="long"),
    "gate-generalisation": Phase(views=STRESS, decoding="short"),
    "self-consistency": Phase(views=_FEW, decoding="sampled", replicates=8),
}


def phase_cells(study: Study) -> list[Cell]:
    """The cells of the current experiment, which is a phase of the robustness study.

    Which data, prompts and models a phase asks is the study file's; views, decoding and the
    number of answers are the phase's own, as published.

    Raises
    ------
    StudyError
        For an experiment that is no phase, and whatever `grid` refuses.

    References
    ----------
    R1-Onevision robustness study; with its data, prompts and models the phases add up to
    10,926 rows of the core and 26,142 of the extension.
    """
    if study.experiment not in PHASES:
        raise StudyError(
            f"experiment {study.experiment}: expected one of {', '.join(PHASES)}; no other is a "
            "phase of the robustness study"
        )
    phase = PHASES[study.experiment]
    return grid(study, views=phase.views, decoding=phase.decoding, replicates=phase.replicates)


def study_cells(study: Study) -> list[Cell]:
    """The cells of all phases that the study names, in their order, at the current tier."""
    if study.tier is None:
        raise StudyError("study_cells() needs a study at a tier")
    named = [name for name in PHASES if name in study.experiments]
    return [cell for name in named for cell in phase_cells(study.at(study.tier, name))]


def table_settings(study: Study) -> TableSettings:
    """The settings of the study's tables, from its `[robustness]` and `[gates]`.

    Raises
    ------
    StudyError
        When the study file has no `[robustness]`.
    """
    if study.robustness is None:
        raise StudyError(
            f"study {study.name}: expected a table [robustness] that names models, data and "
            "prompts for the tables, found none"
        )
    names = dict(study.robustness)
    return TableSettings(
        **{
            **names,
            "models": tuple(names["models"]),
            "parsers": tuple(names["parsers"]),
            "token_budgets": (None, *names["token_budgets"]),
        },
        level=study.thresholds["level"],
    )


def tables_gate(study: Study) -> Gate:
    """A gate that pulls all cells of the study and leaves every table of it in the report.

    Tables of seconds and memory are apart from the others, which are equal between equal runs.
    It judges no result: it is NO-GO where a table lacks a cell, and where the cells contradict
    each other.
    """
    if study.tier is None:
        raise StudyError("tables_gate() needs a study at a tier")
    return Gate(
        name="tables",
        subject=study.experiment,
        tier=study.tier,
        cells=tuple(study_cells(study)),
        judge=partial(_tabled, settings=table_settings(study)),
    )


def _tabled(results: Sequence[CellResult], *, settings: TableSettings) -> Verdict:
    found = study_tables(results, settings)
    curve = found["ranking_specification_curve"]
    figures = {}
    if curve.rows:
        figures[curve.name] = specification_curve_svg(curve, "Accuracy by specification")
    tables = tuple(found.values())
    issues = tuple(
        Issue("table-lacks-cells", table.name, table.note) for table in tables if not table.rows
    )
    facts = {"n_tables": len(tables), "n_rows": {table.name: len(table.rows) for table in tables}}
    return Verdict(
        gate="tables",
        issues=issues,
        facts=facts,
        tables=tables,
        figures=figures,
        measured=tuple(measured_tables(results, settings).values()),
    )


__all__ = ["PHASES", "Phase", "phase_cells", "study_cells", "table_settings", "tables_gate"]
