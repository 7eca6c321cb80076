"""Dual-prompt gate under every condition and model: the evidence-first side.

Source: R1-Onevision robustness study, 300 × 3 × 5 = 4,500 rows.
"""

from harness import phase_cells, standard_gates


def cells(study):
    return phase_cells(study)


def gates(study):
    return standard_gates(study, cells(study))


def test_cell(cell, run):
    run(cell)


def test_gate(gate, judge):
    judge(gate)
