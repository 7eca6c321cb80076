"""Format × novelty (L2): one model on choice, on open questions, and on open new questions.

PhyX, OlympiadBench's physics and PHYSOLYM-A, with PhysReason by problem where a study names it.
Subject and difficulty change with the sets: steps are no effects. Source: Physics-R1, 79.7, 50.4
and 33.4 % for one set of weights.
"""

from harness import gradient_gates, grid, standard_gates

# The share of items from sources that no public training set holds, as published.
SETS = (
    ("phyx", 0.0),
    ("olympiadbench-physics", 0.0),
    ("physreason", 0.0),
    ("physolym", 0.998),
)


def cells(study):
    return grid(study, views=("clean",))


def gates(study):
    made = cells(study)
    return standard_gates(study, made) + gradient_gates(study, made, SETS)


def test_cell(cell, run):
    run(cell)


def test_gate(gate, judge):
    judge(gate)
