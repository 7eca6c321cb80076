"""Every table of the robustness study from its cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from harness.robustness.archive import Archive, archive
from harness.robustness.consistency import inference_cost_summary, self_consistency_risk_coverage
from harness.robustness.gates import (
    clean_heldout_gate,
    dual_prompt_gate_all_checkpoints,
    dual_prompt_gate_by_item_type,
    heldout_gate_by_group,
    heldout_gate_uplift,
)
from harness.robustness.interpretation import permitted_interpretation
from harness.robustness.matrix import Measures
from harness.robustness.matrix_tables import (
    control_condition_summary,
    full_group_matrix,
    multiview_budgeted_summary,
    reproduction_by_domain,
    reproduction_models,
)
from harness.robustness.paired import (
    control_paired_contrasts,
    multiview_budgeted_paired,
    reproduction_paired_deltas,
    robustness_paired,
)
from harness.robustness.repair import scorer_repair_summary
from harness.robustness.semantic import semantic_seed_aggregate
from harness.robustness.settings import TableSettings
from harness.robustness.stability import NAMES, ranking_tables
from harness.stats.checks import StatisticsError
from harness.table import Table
from harness.types import CellResult, ModelSpec

_T = TypeVar("_T")
_PLAIN: dict[str, Callable[[Archive, TableSettings], Table]] = {
    "reproduction_by_domain": reproduction_by_domain,
    "reproduction_paired_deltas": reproduction_paired_deltas,
    "robustness_paired": robustness_paired,
    "control_condition_summary": control_condition_summary,
    "control_paired_contrasts": control_paired_contrasts,
    "semantic_seed_aggregate": semantic_seed_aggregate,
    "clean_heldout_gate": clean_heldout_gate,
    "dual_prompt_gate_all_checkpoints": dual_prompt_gate_all_checkpoints,
    "dual_prompt_gate_by_item_type": dual_prompt_gate_by_item_type,
    "heldout_gate_by_group": heldout_gate_by_group,
    "heldout_gate_uplift": heldout_gate_uplift,
    "self_consistency_risk_coverage": self_consistency_risk_coverage,
    "multiview_budgeted_paired": multiview_budgeted_paired,
    "scorer_repair_summary": scorer_repair_summary,
}
TABLES = (
    *("full_group_matrix", "reproduction_models", *list(_PLAIN)[:-2], "inference_cost_summary"),
    *("multiview_budgeted_summary", *list(_PLAIN)[-2:]),
)


def study_tables(
    results: Sequence[CellResult], settings: TableSettings, measured: Measures | None = None
) -> dict[str, Table]:
    """Compute every table of the study that its cells allow.

    Parameters
    ----------
    results : whole cells of one tier and of the study's phases, in any order; the tables do not
        depend on it.
    settings : names, levels, draws and seeds.
    measured : seconds and memory by `Condition`, for the columns that tell them. They differ
        between equal runs, so without them the tables of equal runs are equal byte for byte.

    Returns
    -------
    dict of Table
        By name, in a fixed order. A table that lacks a cell has no rows, and its note names
        what it lacks. A column of None is undefined or was not measured.

    Raises
    ------
    DataError
        As `harness.robustness.archive.archive`.
    StatisticsError
        `unpaired_ids` where the two sides of a comparison hold other examples and the settings
        do not ask for a report of them; the message names the table.

    References
    ----------
    R1-Onevision robustness study; docs/statistics.md.
    """
    cells = archive(results, settings)
    names = {r.cell.model.name: _told(r.cell.model) for r in results}
    times = measured or {}
    singles: dict[str, Callable[[], Table]] = {
        "full_group_matrix": lambda: full_group_matrix(cells),
        "reproduction_models": lambda: reproduction_models(cells, settings, names, times),
        "inference_cost_summary": lambda: inference_cost_summary(cells, settings, times),
        "multiview_budgeted_summary": lambda: multiview_budgeted_summary(cells, settings, times),
    }
    tables = {}
    for name in TABLES:
        make = singles.get(name) or partial(_PLAIN[name], cells, settings)
        tables[name] = _named(name, make)
    for table in _named(NAMES[0], lambda: ranking_tables(cells, settings)):
        tables[table.name] = table
    tables["permitted_interpretation"] = permitted_interpretation(tables, settings)
    return tables


def _named(name: str, make: Callable[[], _T]) -> _T:
    """What `make` gives; a refusal is told with the name of the table."""
    try:
        return make()
    except StatisticsError as error:
        raise StatisticsError(error.reason, f"table {name}: {error}") from error


def _told(model: ModelSpec) -> str:
    """What a model is, without a path of this machine."""
    return str(model.source.get("id") or model.name)


__all__ = ["TABLES", "study_tables"]
