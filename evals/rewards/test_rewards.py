"""Binary against dense rewards (L0): what a dense reward does inside groups of sampled answers.

Sixteen answers a question, as in the recipe. Source: Physics-R1, propositions 1 to 4.
"""

from harness import grid, reward_gates, standard_gates


def cells(study):
    return grid(study, views=("clean",), decoding="rollouts", replicates=16)


def gates(study):
    made = cells(study)
    return standard_gates(study, made) + reward_gates(study, made)


def test_cell(cell, run):
    run(cell)


def test_gate(gate, judge):
    judge(gate)
