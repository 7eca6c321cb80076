"""Translation drift (L1): is a question answered as often in the other language?

XCOPA in Estonian against its machine translation into English, and MGSM in English against its
translations: same items, golds and decoding. Source: Physics-R1, 59 pairs of olympiad problems.
"""

from harness import drift_gates, grid, standard_gates

# (original, translated); a study that names no data of a pair leaves it out.
PAIRS = (
    ("xcopa-et", "xcopa-en"),
    *(("mgsm-en", f"mgsm-{language}") for language in ("de", "es", "fr", "ru", "sw", "zh")),
)


def cells(study):
    return grid(study, views=("clean",))


def gates(study):
    made = cells(study)
    return standard_gates(study, made) + drift_gates(study, made, PAIRS)


def test_cell(cell, run):
    run(cell)


def test_gate(gate, judge):
    judge(gate)
