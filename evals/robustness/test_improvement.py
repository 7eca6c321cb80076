"""Two prompts and a multi-view input without a budget of pixels, one model.

Five pictures of full size may run out of memory: such rows are resource errors, kept and counted,
never wrong answers. Source: R1-Onevision robustness study, 300 × 3 × 2 × 2 = 3,600 rows.
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
