"""ScienceQA (L2): school science with and without a picture.

Published answers are replayed through cells, store, scorer and gates; the figures that follow
from them must come out. Source: ScienceQA, test split, official files.
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
