"""Visual shapes (L0): does the accuracy come from the picture?

Every model answers the same questions with the example's own picture, with the picture of
another example, and with a black one. Source: unified multimodal protocol, level L0.
"""

from harness import grid, standard_gates, visual_dependency_gates


def cells(study):
    return grid(study, views=("clean", "shuffled", "blank"))


def gates(study):
    planned = cells(study)
    return standard_gates(study, planned) + visual_dependency_gates(study, planned)


def test_cell(cell, run):
    run(cell)


def test_gate(gate, judge):
    judge(gate)
