"""The same 300 questions at lower resolution and beside other pictures.

Source: R1-Onevision robustness study, 300 × 3 models × 5 conditions = 4,500 rows. The
gate `tables` pulls the cells of all phases and leaves every table of the study in the report.
"""

from harness import phase_cells, standard_gates, tables_gate


def cells(study):
    return phase_cells(study)


def gates(study):
    # A sample of the canary's size holds no held-out part.
    tables = [tables_gate(study)] if study.tier == "full" else []
    return [*standard_gates(study, cells(study)), *tables]


def test_cell(cell, run):
    run(cell)


def test_gate(gate, judge):
    judge(gate)
