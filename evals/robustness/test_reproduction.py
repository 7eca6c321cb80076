"""Clean reproduction: do Base, SFT and RL differ on all 942 questions?

Source: R1-Onevision robustness study, 3 × 942 = 2,826 rows. The views and the decoding of each
phase are in `harness/robustness/plan.py`.
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
