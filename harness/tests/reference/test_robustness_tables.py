"""The R1 study's tables of cells and pairs, printed again from its own published counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from harness.robustness.archive import Condition
from harness.robustness.counts import CellCounts, PairedCounts
from harness.robustness.matrix import (
    Measured,
    control_row,
    domain_columns,
    domain_row,
    matrix_row,
    model_row,
    view_row,
)
from harness.robustness.paired import contrast_pairs, model_pairs
from harness.robustness.paired_rows import (
    contrast_rows,
    delta_rows,
    multiview_rows,
    robustness_rows,
)
from harness.robustness.semantic import SemanticCounts, semantic_rows
from harness.robustness.settings import CONTROLS, STRESS, TableSettings
from harness.tests.reference.published import count, some_table
from harness.tests.reference.robustness_rows import (
    SETTINGS,
    Rows,
    near,
    pairs_of,
    published,
    same,
    within_a_step,
)

pytestmark = pytest.mark.reference


def test_the_deltas_of_the_reproduction() -> None:
    rows = published("reproduction_paired_deltas", 3)
    counts = {(row["left"], row["right"]): pairs_of(row, 1) for row in rows}
    assert tuple(counts) == model_pairs(SETTINGS.models)
    made = delta_rows(counts, SETTINGS)
    assert same(made, rows) == 3 * 10
    within_a_step(made, rows, ("delta_ci_low", "delta_ci_high"))


def test_the_twelve_contrasts() -> None:
    rows = published("robustness_paired", 12)
    counts = {(row["model_key"], row["left"], row["right"]): pairs_of(row, 1) for row in rows}
    assert set(counts) == {(m, "clean", view) for m in SETTINGS.models for view in STRESS[1:]}
    made = robustness_rows(counts, SETTINGS)
    assert same(made, rows) == 12 * 11
    within_a_step(made, rows, ("delta_ci_low", "delta_ci_high"))
    adjusted = {(row["model_key"], row["right"]): row["holm_p"] for row in made}
    assert round(float(adjusted.pop(("sft", "distractor_1")) or 0), 4) == 0.0555
    assert round(float(adjusted.pop(("rl", "downsample_25")) or 0), 4) == 0.0941
    assert set(adjusted.values()) == {1.0}
    assert not any(row["holm_reject"] for row in made)
    turnover = [float(row["answer_turnover"] or 0) for row in made]
    assert (round(300 * min(turnover)), round(300 * max(turnover))) == (131, 187)
    assert all(row["minimum_detectable_effect"] for row in made)


def test_the_93_contrasts_of_the_controls() -> None:
    rows = published("extension__control_paired_contrasts", 93)
    counts = {
        (row["model"], row["left_condition"], row["right_condition"]): pairs_of(row, 100)
        for row in rows
    }
    assert list(counts) == [
        (model, *both) for model in SETTINGS.models for both in contrast_pairs()
    ]
    made = contrast_rows(counts, SETTINGS)
    assert same(made, rows) == 93 * 11
    within_a_step(made, rows, ("ci_low_pp", "ci_high_pp"))


def test_the_budgeted_views() -> None:
    rows = published("extension__multiview_budgeted_paired", 6)
    counts = {("rl", row["condition"], row["prompt_mode"]): pairs_of(row, 100) for row in rows}
    made = multiview_rows(counts, SETTINGS)
    assert same(made, rows) == 6 * 13
    within_a_step(made, rows, ("ci_low_pp", "ci_high_pp"))
    views = published("extension__multiview_budgeted_summary", 12)
    summary = []
    for row in views:
        n, valid = int(row["n"]), int(row["valid_n"])
        condition = Condition(
            phase="multiview_budgeted",
            **{name: row[name] for name in ("model", "condition", "prompt_mode", "image_mode")},
        )
        counts_of = CellCounts(
            n=n,
            n_unique=n,
            n_correct=count(row["accuracy_pct"], valid, 100),
            n_errors=int(row["errors"]),
            n_unread=0,
            n_parsed=valid,
            mean_tokens=float(row["mean_output_tokens"]),
        )
        measured = Measured(
            mean_latency_s=float(row["mean_latency_seconds"]),
            max_peak_memory_gb=float(row["max_peak_memory_gb"]),
        )
        summary.append(view_row(condition, counts_of, measured))
    assert same(summary, views) == 12 * 11


def test_the_matrix_in_both_conventions() -> None:
    rows = published("full_group_matrix", 30)
    made = []
    for row in rows:
        n = int(row["n"])
        condition = Condition(
            phase=row["phase"],
            model=row["model_key"],
            condition=row["condition"],
            prompt_mode=row["prompt_mode"],
            image_mode=row["image_mode"],
        )
        counts = CellCounts(
            n=n,
            n_unique=int(row["unique_rows"]),
            n_correct=count(row["accuracy"], n),
            n_errors=int(row["errors"]),
            n_unread=int(row["manual_review"]),
            n_parsed=n - int(row["manual_review"]),
            n_resource_error=int(row["errors"]),
        )
        made.append(matrix_row(condition, counts))
    assert same(made, rows) == 30 * 10
    total = {
        name: sum(int(row[name] or 0) for row in made)
        for name in ("n", "errors", "resource_errors", "valid_n", "correct", "review_valid")
    }
    assert total == {
        "n": 10_926,
        "errors": 680,
        "resource_errors": 680,
        "valid_n": 10_246,
        "correct": 3631,
        "review_valid": 539,
    }
    assert [row["accuracy_valid"] for row in made].count(None) == 2


def test_the_models_and_their_domains() -> None:
    rows = published("reproduction_models", 3)

    def make(settings: TableSettings) -> Rows:
        return [
            model_row(
                row["model_key"],
                row["model_id"],
                CellCounts(
                    n=942,
                    n_unique=942,
                    n_correct=count(row["accuracy"], 942),
                    n_errors=0,
                    n_unread=count(row["manual_review_rate"], 942),
                    n_parsed=count(row["parse_rate"], 942),
                    mean_tokens=float(row["output_tokens_mean"]),
                ),
                settings,
                Measured(mean_latency_s=float(row["latency_seconds_mean"])),
            )
            for row in rows
        ]

    assert same(make(SETTINGS), rows) == 3 * 8
    assert near(make, rows, [("accuracy_ci_low", "accuracy_ci_high")]) == 6
    domains = published("reproduction_by_domain", 5)
    made = []
    for row in domains:
        n = int(row["n"])
        right = {m: round(float(row[f"{m}_accuracy_pct"]) * n / 100) for m in SETTINGS.models}
        # The flips are not published: the smallest number that these margins allow.
        gain = right["rl"] - right["base"]
        pairs = PairedCounts(
            n=n,
            both_correct=min(right["rl"], right["base"]),
            left_only=max(0, -gain),
            right_only=max(0, gain),
            n_agree=0,
        )
        made.append(
            domain_row(row["domain"], n, {m: (k, n) for m, k in right.items()}, pairs, SETTINGS)
        )
        ends = [float(row[f"rl_minus_base_ci_{end}_pp"]) * n / 100 for end in ("low", "high")]
        assert some_table(right["base"], right["rl"], n, *ends)
    assert set(domains[0]) <= set(domain_columns(SETTINGS))
    assert same(made, domains, room=0.005 + 1e-9) == 5 * 6


def test_the_controls() -> None:
    rows = published("extension__control_condition_summary", 39)
    made = [
        control_row(
            row["model"],
            row["condition"],
            CellCounts(
                n=int(row["n"]),
                n_unique=int(row["n"]),
                n_correct=count(row["accuracy_pct"], int(row["valid_n"]), 100),
                n_errors=int(row["errors"]),
                n_unread=0,
                n_parsed=count(row["parse_pct"], int(row["valid_n"]), 100),
            ),
        )
        for row in rows
    ]
    assert same(made, rows) == 39 * 7
    conditions = [*CONTROLS, "clean", "distractor_1"]
    assert {row["condition"] for row in rows} == set(conditions)
    assert len(conditions) == 13


def test_the_semantic_aggregate() -> None:
    """Points only: the differences example by example are not published."""
    rows = published("extension__semantic_seed_aggregate", 6)
    made: list[Mapping[str, Any]] = []
    for row in rows[::2]:
        counts = SemanticCounts(
            n=300,
            correct_clean=count(row["clean_accuracy_pct"], 300, 100),
            correct_blank=count(row["matched_blank_accuracy_pct"], 600, 100),
            correct_semantic=count(row["mean_semantic_accuracy_pct"], 1800, 100),
            n_agree=count(row["semantic_blank_answer_agreement_pct"], 1800, 100),
        )
        made += semantic_rows(row["model"], counts, SETTINGS)
    assert same(made, rows) == 6 * 9
    share = made[2]["layout_share_pct"]
    assert share == pytest.approx(100 * 69 / 123, abs=1e-9)
