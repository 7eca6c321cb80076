"""Digits (L1): which digit is shown?

The real scanned digits that scikit-learn ships, under the views of level L0. Source: unified
multimodal protocol, level L1, on the smallest public set of natural images.
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
