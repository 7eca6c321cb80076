"""Fixed canvas: what of a distractor's effect is layout, and what is its content?

Source: R1-Onevision robustness study, 300 × 3 models × 11 conditions = 9,900 rows.
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
