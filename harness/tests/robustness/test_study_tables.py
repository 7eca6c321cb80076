"""The whole study: every table, in any order of its cells, and what a gap in them does."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from functools import cache

import pytest

from harness.robustness.archive import archive
from harness.robustness.stability import ranking_tables
from harness.robustness.tables import TABLES, study_tables
from harness.table import Table
from harness.tests.robustness.made_study import LEAN, SETTINGS, changed, made, said, study, without
from harness.types import CellResult

N_ROWS = {
    "full_group_matrix": 94,
    "reproduction_models": 3,
    "reproduction_by_domain": 2,
    "reproduction_paired_deltas": 3,
    "robustness_paired": 12,
    "control_condition_summary": 39,
    "control_paired_contrasts": 93,
    "semantic_seed_aggregate": 6,
    "clean_heldout_gate": 3,
    "dual_prompt_gate_all_checkpoints": 15,
    "dual_prompt_gate_by_item_type": 30,
    "heldout_gate_by_group": 4,
    "heldout_gate_uplift": 3,
    "self_consistency_risk_coverage": 21,
    "inference_cost_summary": 5,
    "multiview_budgeted_summary": 12,
    "multiview_budgeted_paired": 6,
    "scorer_repair_summary": 5,
    "ranking_specification_curve": 120,
    "ranking_stability": 40,
    "ranking_factors": 4,
    "permitted_interpretation": 7,
}


@cache
def tables() -> dict[str, Table]:
    return study_tables(study(), SETTINGS)


def test_every_table_has_all_its_rows() -> None:
    assert len(study()) == 94
    assert {name: len(table.rows) for name, table in tables().items()} == N_ROWS
    assert list(tables())[: len(TABLES)] == list(TABLES)
    assert all(table.note for table in tables().values())


def test_csv_and_json_read_back() -> None:
    for table in tables().values():
        lines = list(csv.reader(io.StringIO(table.to_csv())))
        assert tuple(lines[0]) == table.columns
        assert len(lines) == len(table.rows) + 1
        assert json.loads(table.to_json())["rows"] == [dict(row) for row in table.rows]


def test_the_order_of_the_cells_changes_nothing() -> None:
    again = study_tables(study()[::-1], SETTINGS)
    assert [t.to_json() for t in again.values()] == [t.to_json() for t in tables().values()]


def test_the_counts_are_those_of_a_plain_join() -> None:
    """The twelve contrasts counted again from the scores, with nothing but dictionaries."""
    cells = {
        (r.cell.model.name, r.cell.view.name): {s.example_id: s for s in r.scores}
        for r in study()
        if r.cell.experiment == "robustness"
    }
    for row in tables()["robustness_paired"].rows:
        left = cells[str(row["model_key"]), "clean"]
        right = cells[str(row["model_key"]), str(row["right"])]
        flips = [(left[i].correct, right[i].correct) for i in left]
        assert row["left_only_correct"] == flips.count((True, False))
        assert row["right_only_correct"] == flips.count((False, True))
        same = [
            left[i].answer.value == right[i].answer.value is not None
            and {left[i].outcome, right[i].outcome} == {"answered"}
            for i in left
        ]
        assert row["answer_agreement"] == sum(same) / len(same)
        assert row["answer_turnover"] == pytest.approx(1 - sum(same) / len(same))


def test_responses_that_ran_out_of_memory_are_no_wrong_answers() -> None:
    """4 cells with one failed row and 2 without any other: published as 4 × 20 and 2 × 300."""
    rows = [r for r in tables()["full_group_matrix"].rows if r["resource_errors"]]
    assert [r["errors"] for r in rows] == [1, 1, 20, 20, 1, 1]
    for row in rows:
        n, errors, right = int(row["n"] or 0), int(row["errors"] or 0), int(row["correct"] or 0)
        assert row["accuracy"] == right / n
        assert row["accuracy_valid"] == (right / (n - errors) if n > errors else None)
        assert row["manual_review"] == int(row["review_valid"] or 0) + errors
        reasons = [int(row[name] or 0) for name in ("n_review", "n_truncated", "n_refused")]
        assert row["review_valid"] == sum(reasons)
    assert sum(int(r["errors"] or 0) for r in tables()["full_group_matrix"].rows) == 44
    assert sum(int(r["runtime_errors"] or 0) for r in tables()["full_group_matrix"].rows) == 0


def test_a_failed_row_leaves_its_pairs_and_is_listed() -> None:
    failed = made(
        *("robustness", SETTINGS.design, "sft", "distractor_1", SETTINGS.paper),
        text=lambda e, k: None if e.id == "q03" else said("sft", "distractor_1")(e, k),
    )
    found = study_tables([*without_cell("robustness", "sft", "distractor_1"), failed], LEAN)
    table = found["robustness_paired"]
    row = next(r for r in table.rows if (r["model_key"], r["right"]) == ("sft", "distractor_1"))
    assert (row["n"], row["n_dropped"]) == (19, 1)
    assert "sft/clean/distractor_1: 1 excluded (q03)" in table.note
    summary = found["control_condition_summary"].rows
    row = next(r for r in summary if (r["model"], r["condition"]) == ("sft", "distractor_1"))
    assert (row["n"], row["valid_n"], row["errors"]) == (20, 19, 1)


def without_cell(experiment: str, model: str, view: str) -> list[CellResult]:
    return without(
        ("experiment", experiment), ("model", model), ("view", view), ("prompt", SETTINGS.paper)
    )


def test_a_missing_model_empties_its_tables_and_is_named() -> None:
    found = study_tables(without(("model", "sft")), LEAN)
    empty = {name for name, table in found.items() if not table.rows}
    assert empty == {
        *("reproduction_models", "reproduction_by_domain", "reproduction_paired_deltas"),
        *("robustness_paired", "control_condition_summary", "control_paired_contrasts"),
        *("semantic_seed_aggregate", "dual_prompt_gate_all_checkpoints"),
        *("dual_prompt_gate_by_item_type", "ranking_specification_curve", "ranking_stability"),
        *("ranking_factors", "scorer_repair_summary"),
    }
    for name in empty - {"scorer_repair_summary"}:
        assert "lacks" in found[name].note
        assert "sft/clean/paper/global on mini-" in found[name].note
        assert found[name].columns == tables()[name].columns
    assert found["clean_heldout_gate"].to_csv() == tables()["clean_heldout_gate"].to_csv()
    texts = [str(r["permitted_interpretation"]) for r in found["permitted_interpretation"].rows]
    assert sum(text.startswith("None") for text in texts) == 4


def test_nothing_at_all_gives_empty_tables() -> None:
    found = study_tables([], LEAN)
    assert set(found) == set(N_ROWS)
    assert [name for name, table in found.items() if table.rows] == ["permitted_interpretation"]


def test_one_missing_view_is_named() -> None:
    found = study_tables(without_cell("robustness", "rl", "downsample_50"), LEAN)
    note = found["robustness_paired"].note
    assert not found["robustness_paired"].rows
    assert note == "not computed: lacks 1 cell(s): rl/downsample_50/paper/global on mini-20"


def test_unpaired_ids_are_an_error_or_reported() -> None:
    whole = next(
        r
        for r in study()
        if (r.cell.experiment, r.cell.model.name, r.cell.view.name)
        == ("robustness", "base", "downsample_25")
    )
    short = changed(
        *("robustness", "downsample_25", "base"),
        examples=whole.examples[1:],
        responses=whole.responses[1:],
        scores=whole.scores[1:],
    )
    both = replace(LEAN, ranking_conditions=("clean", "downsample_25"))
    with pytest.raises(ValueError, match=r"table robustness_paired: .*q00"):
        study_tables(short, both)
    with pytest.raises(ValueError, match="q00"):
        ranking_tables(archive(short, both), both)
    found = study_tables(short, replace(both, on_unpaired="report"))
    row = next(
        r
        for r in found["robustness_paired"].rows
        if (r["model_key"], r["right"]) == ("base", "downsample_25")
    )
    assert (row["n"], row["n_unpaired"], row["n_dropped"]) == (19, 1, 0)
    assert "base/clean/downsample_25: 1 unpaired (q00)" in found["robustness_paired"].note
    assert "1 examples that a cell lacks" in found["ranking_stability"].note
    assert {r["n"] for r in found["ranking_stability"].rows} == {19}


def test_all_wrong_is_zero_and_not_undefined() -> None:
    wrong = [
        made(
            r.cell.experiment,
            r.cell.data,
            r.cell.model.name,
            r.cell.view.name,
            r.cell.prompt.name,
            replicates=r.cell.replicates,
            text=lambda e, k: f"<answer>{'A' if e.gold != 'A' else 'B'}</answer>",
        )
        for r in study()
    ]
    found = study_tables(wrong, LEAN)
    for row in found["robustness_paired"].rows:
        assert (row["left_accuracy"], row["delta_ci_low"], row["delta_ci_high"]) == (0, 0, 0)
        assert (row["mcnemar_exact_p"], row["holm_p"]) == (1, 1)
        assert row["minimum_detectable_effect"] is None
    for row in found["self_consistency_risk_coverage"].rows:
        assert row["selective_accuracy_pct"] == 0
    for row in found["heldout_gate_uplift"].rows:
        assert (row["selective_accuracy_uplift_pp"], row["overall_error_pct"]) == (0, 100)
    assert {r["ranking"] for r in found["ranking_stability"].rows} == {"base = sft = rl"}
    assert all(r["mean_tau"] is None for r in found["ranking_factors"].rows)
    texts = [str(r["permitted_interpretation"]) for r in found["permitted_interpretation"].rows]
    assert "no difference may be claimed" in texts[0]
    assert "No gain" in texts[3]


def test_repeated_answers_that_are_not_complete_are_dropped() -> None:
    views = [r for r in study() if r.cell.experiment == "self-consistency"]
    first = views[0]
    cut = replace(
        first,
        responses=first.responses[1:],
        scores=first.scores[1:],
    )
    failing = made(
        *("self-consistency", SETTINGS.design, "rl", "distractor_3", SETTINGS.paper),
        replicates=8,
        text=lambda e, k: None if (e.id, k) == ("q07", 5) else f"<answer>{e.gold}</answer>",
    )
    rest = [r for r in study() if r not in (first, *views[1:2])]
    assert [v.cell.view.name for v in views[:2]] == ["clean", "downsample_25"]
    rest = [r for r in rest if r.cell.view.name != "distractor_3" or r.cell.replicates == 1]
    table = study_tables([*rest, cut, views[1], failing], LEAN)["self_consistency_risk_coverage"]
    n = {row["condition"]: row["n"] for row in table.rows}
    assert n == {"clean": 19, "distractor_3": 19, "downsample_25": 20}
    assert {row["n_dropped"] for row in table.rows if row["condition"] == "clean"} == {1}
    assert "clean: 1 excluded (q00)" in table.note
    assert "distractor_3: 1 excluded (q07)" in table.note
    full = [r for r in table.rows if r["condition"] == "distractor_3"]
    assert {row["selective_accuracy_pct"] for row in full} == {100}
