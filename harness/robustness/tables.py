"""Every table of the robustness study from its cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from harness.robustness.archive import Archive, archive
from harness.robustness.consistency import self_consistency_risk_coverage
from harness.robustness.gates import (
    clean_heldout_gate,
    dual_prompt_gate_all_checkpoints,
    dual_prompt_gate_by_item_type,
    heldout_gate_by_group,
    heldout_gate_uplift,
)
from harness.robustness.interpretation import permitted_interpretation
from harness.robustness.matrix_tables import (
    control_condition_summary,
    full_group_matrix,
    reproduction_by_domain,
)
from harness.robustness.measured import named_refusal, timed_tables, untimed
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
from harness.table import Table
from harness.types import CellResult

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


def study_tables(results: Sequence[CellResult], settings: TableSettings) -> dict[str, Table]:
    """Compute every table of the study that its cells allow.

    Those of equal runs are equal byte for byte: seconds and memory are left out and stand in
    `measured_tables`.

    Parameters
    ----------
    results : whole cells of one tier and of the study's phases, in any order; the tables do not
        depend on it.
    settings : names, levels, draws and seeds.

    Returns
    -------
    dict of Table
        By name, in a fixed order. A table that lacks a cell has no rows, and its note names
        what it lacks. A value of None is undefined.

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
    timed = timed_tables(cells, settings, results)
    tables = {}
    for name in TABLES:
        if name in timed:
            make: Callable[[], Table] = partial(untimed, timed[name])
        elif name in _PLAIN:
            make = partial(_PLAIN[name], cells, settings)
        else:
            make = partial(full_group_matrix, cells)
        tables[name] = named_refusal(name, make)
    for table in named_refusal(NAMES[0], lambda: ranking_tables(cells, settings)):
        tables[table.name] = table
    tables["permitted_interpretation"] = permitted_interpretation(tables, settings)
    return tables


__all__ = ["TABLES", "study_tables"]
