"""Dual-prompt gate on the clean questions: the evidence-first side, one model.

The paper side is the reproduction. The 642 questions outside the prompt-development subset are the
held-out set. Source: R1-Onevision robustness study, 942 rows.
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
