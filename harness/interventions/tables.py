"""Every table of an intervention study from its cells."""

from __future__ import annotations

from collections.abc import Sequence

from harness.interventions.counts import factor_counts
from harness.interventions.interpretation import permitted_interpretation
from harness.interventions.losses import dropped_triplets, losses
from harness.interventions.matched import matched_tables
from harness.interventions.metrics import judge_cells, judge_metrics
from harness.interventions.position import position_bias
from harness.interventions.prediction import prediction_table
from harness.interventions.readings import BASELINE, readings
from harness.interventions.settings import POLICIES, InterventionSettings
from harness.interventions.specificity import specificity_tables
from harness.table import Table
from harness.types import CellResult


def intervention_tables(
    results: Sequence[CellResult], settings: InterventionSettings
) -> dict[str, Table]:
    """Compute every table of the study that its cells allow.

    Parameters
    ----------
    results : whole cells of one tier, in any order; the tables do not depend on it.
    settings : names, tolerances, level, draws and seed.

    Returns
    -------
    dict of Table
        By name, in a fixed order; the policies stand in the rows. A table without rows says in
        its note what it lacks. `losses` names every row that is counted as wrong or left out.

    Raises
    ------
    DataError
        As `harness.interventions.readings.readings`.

    References
    ----------
    RewardLens; docs/interventions.md.
    """
    found = readings(results, settings)
    counts = [factor_counts(judge, policy) for policy in POLICIES for judge in found.frozen]
    pairs, summary = matched_tables(counts, settings)
    judges = [found for found in counts if found.kind != BASELINE]
    matrix, contrasts = specificity_tables(judges, settings)
    made = [
        judge_cells(counts),
        judge_metrics(counts, settings.level),
        pairs,
        summary,
        matrix,
        contrasts,
        prediction_table(judges, settings),
        position_bias(found.frozen, found.swapped, settings.level, settings.alpha, settings.power),
        losses(found.frozen, found.swapped),
        dropped_triplets(found.frozen, found.swapped),
    ]
    tables = {table.name: table for table in made}
    tables["permitted_interpretation"] = permitted_interpretation(tables, settings)
    return tables


__all__ = ["intervention_tables"]
