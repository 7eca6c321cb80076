"""Signal pilot: may agreement and vote shares be used to measure reliability at all?

Two prompts and repeated answers on few conditions. The audits ask whether every record is there,
whether answers can be read, whether the signals say something about correctness, and whether two
readers of the answers agree. Source: R1-Onevision robustness study, stages A and B0.
"""

from harness import audit_gates, grid, standard_gates


def cells(study):
    views = ("clean", "distractor_3")
    return [
        *grid(study, views=views, decoding="short"),
        *grid(study, views=views[:1], prompts=("paper",), decoding="sampled", replicates=8),
    ]


def gates(study):
    planned = cells(study)
    # Calibration and AUROC of a canary's few rows say nothing.
    if study.tier == "canary":
        return standard_gates(study, planned)
    audits = audit_gates(study, planned, agreeing_prompts=("paper", "evidence-first"))
    return [*standard_gates(study, planned), *audits]


def test_cell(cell, run):
    run(cell)


def test_gate(gate, judge):
    judge(gate)
