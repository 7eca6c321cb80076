"""Do judges of equal static accuracy follow the picture when it changes?

Each judge is asked for whole triplets (base, relevant and irrelevant edit) and for independent
static items, and again with the candidates in the other order. Source: RewardLens, 800 triplets
and 800 static items of four factors. The gate `interventions` leaves every table in the report.
"""

from harness import intervention_cells, intervention_gates, standard_gates


def cells(study):
    return intervention_cells(study)


def gates(study):
    return [*standard_gates(study, cells(study)), *intervention_gates(study)]


def test_cell(cell, run):
    run(cell)


def test_gate(gate, judge):
    judge(gate)
