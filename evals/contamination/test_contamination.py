"""Contamination (L0): are evaluation items among the rows that a model was trained on?

The audits of the study's `[contamination]`: words, vectors, judges. Planted rows go through each
of them; one that misses any is NO-GO. Source: Physics-R1.
"""

from harness import contamination_gates


def gates(study):
    return contamination_gates(study)


def test_gate(gate, judge):
    judge(gate)
