"""The R1 study's tables of gates, votes and costs, printed again from its published counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from harness.robustness.consistency import Votes, cost_rows, vote_rows
from harness.robustness.counts import GateCounts
from harness.robustness.gate_rows import AGREEMENT, BY_GROUP, BY_TYPE, GATE, gate_row, uplift_row
from harness.robustness.repair import RepairCounts, repair_row
from harness.robustness.settings import TableSettings
from harness.stats.selective import Selection
from harness.tests.reference.published import document
from harness.tests.reference.robustness_rows import (
    SETTINGS,
    Rows,
    near,
    published,
    same,
)
from harness.tests.reference.test_published_selective import selection, strata

pytestmark = pytest.mark.reference

GATES = (
    ("extension__clean_heldout_gate", 3, GATE, ("model", "condition", "split", "method")),
    (
        *("extension__dual_prompt_gate_all_checkpoints", 15, GATE),
        ("model", "condition", "split", "method"),
    ),
    (
        *("extension__dual_prompt_gate_by_item_type", 30, BY_TYPE),
        ("model", "condition", "item_type", "split"),
    ),
)
ENDS = [
    (f"{name}_ci_low_pct", f"{name}_ci_high_pct")
    for name in ("coverage", "selective_accuracy", "rejected_error")
]
RANDOM = ("random_ci_low_pct", "random_ci_high_pct")


@pytest.mark.parametrize(("name", "n_rows", "columns", "labels"), GATES)
def test_the_gates(name: str, n_rows: int, columns: Sequence[str], labels: Sequence[str]) -> None:
    rows = published(name, n_rows)
    known = [(GateCounts(selection=selection(row)), {k: row[k] for k in labels}) for row in rows]

    def make(settings: TableSettings) -> Rows:
        return [gate_row(named, c, settings, columns) for c, named in known]

    n_points = same(make(SETTINGS), rows)
    assert n_points == n_rows * (7 + len(labels))
    with_random = "random_ci_low_pct" in rows[0]
    n_ends = near(make, rows, [*ENDS, *([RANDOM] if with_random else [])])
    empty = sum(row["selective_accuracy_pct"] == "" for row in rows)
    assert n_ends == n_rows * (8 if with_random else 6) - 2 * empty
    if with_random:
        for ours, theirs in zip(make(SETTINGS), rows, strict=True):
            assert ours["method"] == AGREEMENT
            column = "random_selective_accuracy_pct"
            assert abs(ours[column] - float(theirs[column])) < 0.2


def test_the_groups_of_the_held_out_gate() -> None:
    rows = published("extension__heldout_gate_by_group", 7)
    known = []
    for row in rows:
        n, accepted = int(row["n"]), int(row["accepted_n"])
        hits = round(float(row["selective_accuracy_pct"]) * accepted / 100)
        right = round(float(row["baseline_accuracy_pct"]) * n / 100)
        made = {"n": n, "n_correct": right, "n_accepted": accepted, "n_accepted_correct": hits}
        known.append((row["group"], made))

    def make(settings: TableSettings) -> Rows:
        return [
            gate_row({"group": g}, GateCounts(selection=Selection(**c)), settings, BY_GROUP)
            for g, c in known
        ]

    assert same(make(SETTINGS), rows, room=0.05 + 1e-9) == 7 * 6
    assert near(make, rows, ENDS[:2], room=0.05 + 1e-3) == 28


def uplifts(settings: TableSettings) -> list[dict[str, Any]]:
    by_type = dict(zip(("multiple_choice", "free_response"), strata(), strict=True))
    whole = selection(published("extension__clean_heldout_gate", 3)[1])
    labels = {
        "model": "rl",
        "condition": "clean",
        "split": "heldout_complement_642",
        "method": AGREEMENT,
    }
    return [
        uplift_row("uniform_same_count", {"all": whole}, labels, settings),
        uplift_row("answer_type_matched_count", by_type, labels, settings),
    ]


def test_the_uplift() -> None:
    """Uniform and by type; the cells by type and domain are not published."""
    rows = published("extension__heldout_gate_uplift", 3)
    made = uplifts(SETTINGS)
    assert same(made, rows[:2]) == 2 * 17
    by_cell = ("uplift", "matched_random", "comparison")
    last = [{k: v for k, v in rows[2].items() if not any(mark in k for mark in by_cell)}]
    assert same(made[:1], last) == 14
    ends = [
        ("uplift_ci_low_pp", "uplift_ci_high_pp"),
        ("rejected_error_enrichment_ci_low_pp", "rejected_error_enrichment_ci_high_pp"),
        ("matched_random_interval_low_pct", "matched_random_interval_high_pct"),
    ]

    def drawn_more_often(settings: TableSettings) -> Rows:
        return uplifts(replace(settings, n_resamples=200_000))

    assert near(drawn_more_often, rows[:2], ends, room=0.05) == 12


def test_the_votes() -> None:
    rows = published("extension__self_consistency_risk_coverage", 21)
    by_condition = {name: [r for r in rows if r["condition"] == name] for name in
                    dict.fromkeys(row["condition"] for row in rows)}  # fmt: skip

    def make(settings: TableSettings) -> Rows:
        made: list[Mapping[str, Any]] = []
        for condition, (single, two, *several) in by_condition.items():
            votes = Votes(
                single=GateCounts(selection=selection(single)),
                two=GateCounts(selection=selection(two)),
                votes={
                    float(row["threshold"]): GateCounts(selection=selection(row)) for row in several
                },
            )
            made += vote_rows(condition, votes, settings)
        return made

    assert same(make(SETTINGS), rows) == 21 * 10
    assert near(make, rows, [*ENDS, RANDOM]) == 21 * 8 - 3 * 4


def test_the_costs() -> None:
    rows = published("extension__inference_cost_summary", 5)
    votes = {
        (row["method"], row["threshold"]): selection(row)
        for row in published("extension__self_consistency_risk_coverage", 21)
        if row["condition"] == "clean"
    }
    gate = selection(published("extension__clean_heldout_gate", 3)[0])
    single = replace(gate, n_accepted=300, n_accepted_correct=gate.n_correct)
    tokens = [float(row["mean_output_tokens"]) for row in rows]
    seconds = [float(row["sum_recorded_latency_seconds"]) for row in rows]
    costs = {
        "paper": (tokens[0], seconds[0]),
        "evidence": (tokens[1] - tokens[0], seconds[1] - seconds[0]),
        "sampled": (tokens[4] / 8, seconds[4] / 8),
    }
    selections = {
        "single": single,
        "dual": gate,
        "two": votes["same_prompt_two_run_agreement", "1.0"],
        "0.625": votes["eight_run_majority_confidence", "0.625"],
        "0.75": votes["eight_run_majority_confidence", "0.75"],
    }
    made = cost_rows(selections, costs, SETTINGS)
    # Printed to two digits, and two of eight from eight.
    assert same(made, rows, room=0.05) == 5 * 6


def test_the_repair_of_the_scorer() -> None:
    for name, d in document("r1_study/scorer_repair_summary")["datasets"].items():
        counts = RepairCounts(
            n=d["n"],
            errors=d["errors"],
            old_correct=d["old_correct"],
            up=d["false_to_true"],
            down=d["true_to_false"],
            review=(d["old_manual_review"], d["new_manual_review"]),
            answer_changed=d["answer_changed"],
            left_multiple_choice=d["remaining_manual_mc_nonerror"],
            left_free_response=d["remaining_manual_fr_nonerror"],
        )
        made = repair_row(name, counts, SETTINGS)
        shared = set(made) & set(d)
        # Blank extractions and changed methods have no counterpart in a scorer with other rules.
        assert len(shared) == 15
        assert made["accuracy_change_ci_low_pp"] is made["n_questions"] is None
        for column in shared:
            assert abs(float(made[column] or 0) - d[column]) <= 1e-9, column
        assert counts.review[1] - d["errors"] == (
            counts.left_multiple_choice + counts.left_free_response
        )
