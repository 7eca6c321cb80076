"""The gate that leaves the tables: NO-GO where one lacks a cell, GO with all of them."""

from __future__ import annotations

from harness.robustness.plan import _tabled
from harness.robustness.tables import TABLES
from harness.tests.robustness.made_study import SETTINGS, study, without


def test_all_cells_give_all_tables_and_the_curve() -> None:
    verdict = _tabled(study(), settings=SETTINGS)
    assert verdict.go
    assert set(TABLES) <= {table.name for table in verdict.tables}
    assert verdict.figures["ranking_specification_curve"].startswith("<svg")


def test_a_missing_cell_is_no_go_and_names_the_tables_that_lack_it() -> None:
    verdict = _tabled(without(("experiment", "self-consistency")), settings=SETTINGS)
    assert not verdict.go
    assert {issue.code for issue in verdict.issues} == {"table-lacks-cells"}
    assert "self_consistency_risk_coverage" in {issue.where for issue in verdict.issues}
