"""Video-MME-v2 (L2): eight options on a video, of which a model is shown uniform frames.

The frames come from `harness.data.video_frames`, the data set's option `frames` says how many; the
letter rules are those of every choice. Source: MME-Benchmarks/Video-MME-v2, official files.
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
