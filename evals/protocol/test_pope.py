"""POPE (L2): does the model see objects that are not there?

Published predictions are replayed through cells, store, scorer and gates; the published
figures must come out. Source: POPE (COCO, MSCOCO val2014), official files.
"""

from harness import grid, standard_gates


def cells(study):
    return grid(study, views=("clean",))


def gates(study):
    return standard_gates(study, cells(study))


def test_cell(cell, run):
    run(cell)


def test_gate(gate, judge):
    judge(gate)
