"""Format × audit (L0): the same problems as a choice and as an open question.

Half of the generated problems are marked as flagged, by lot. Neither format nor audit can help a
model that knows no physics, so what it shows is what guessing does to the design. Source: the
2 × 2 factorial that Physics-R1 lacks.
"""

from harness import grid, standard_gates, twin_gates


def cells(study):
    return grid(study, views=("clean",))


def gates(study):
    made = cells(study)
    return standard_gates(study, made) + twin_gates(study, made, "twins-choice", "twins-open")


def test_cell(cell, run):
    run(cell)


def test_gate(gate, judge):
    judge(gate)
