"""What another scorer changes: counts by plain counting, and an interval over questions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.robustness.archive import Row, archive, made_row
from harness.robustness.matrix import Unread, count_unread
from harness.robustness.repair import (
    COLUMNS,
    RepairCounts,
    count_repair,
    repair_row,
    scorer_repair_summary,
)
from harness.stats.clustered import cluster_stderr
from harness.stats.paired import paired_difference
from harness.tests.robustness.made_study import LEAN, SETTINGS, study, without
from harness.types import OUTCOMES, Answer, Example, Outcome, Response, Score

REPAIR = replace(LEAN, repair_from="r1", n_resamples=4000)


def row(question: str, correct: bool, outcome: Outcome = "answered") -> Row:
    return made_row(
        Example(id=question, kind="text", question="?", gold="A"),
        Response(example_id=question, status="ok", text="?"),
        Score(
            example_id=question,
            gold="A",
            outcome=outcome,
            correct=correct,
            counted=not outcome.endswith("error"),
            answer=Answer(value="A" if correct else "B", rule="tag"),
        ),
    )


def repeated(n_questions: int, n_up: int, n_each: int) -> RepairCounts:
    """Each question answered `n_each` times; all answers to the first `n_up` become right."""
    pairs = [
        (row(f"q{i:03}", False), row(f"q{i:03}", i < n_up))
        for i in range(n_questions)
        for _ in range(n_each)
    ]
    return count_repair(pairs)


def test_repeated_questions_are_not_more_questions() -> None:
    """Forty answers to each question say no more than one answer to each."""
    once, often = (repair_row("d", repeated(100, 10, k), REPAIR) for k in (1, 40))
    for end in ("accuracy_change_ci_low_pp", "accuracy_change_ci_high_pp"):
        assert once[end] == pytest.approx(often[end])
    assert (once["n"], often["n"], often["n_questions"]) == (100, 4000, 100)
    width = float(often["accuracy_change_ci_high_pp"] or 0) - float(
        often["accuracy_change_ci_low_pp"] or 0
    )
    naive = paired_difference(400, 0, 4000, 0.95, "percentile")
    assert naive.low is not None and naive.high is not None
    assert width > 5 * 100 * (naive.high - naive.low)
    counts = repeated(100, 10, 40)
    stderr = cluster_stderr(counts.changes, counts.questions, "CR0").stderr or 0
    assert width == pytest.approx(100 * 2 * 1.96 * stderr, rel=0.1)


def test_the_draws_are_stated_and_do_not_depend_on_the_order() -> None:
    pairs = [(row(f"q{i}", i % 3 == 0), row(f"q{i}", i % 2 == 0)) for i in range(30)]
    one, other = (repair_row("d", count_repair(p), REPAIR) for p in (pairs, pairs[::-1]))
    assert one == other
    assert (one["bootstrap_repeats"], one["bootstrap_seed"]) == (4000, 20260725)
    assert "cluster" in str(one["ci_method"])
    uneven = count_repair([both for i, both in enumerate(pairs) for _ in range(i + 1)])
    drawn = {
        repair_row("d", uneven, replace(LEAN, repair_seed=seed))["accuracy_change_ci_low_pp"]
        for seed in range(5)
    }
    assert len(drawn) > 1
    note = scorer_repair_summary(archive(study(), REPAIR), REPAIR).note
    assert "questions are redrawn with all their responses, B = 4000, seed 20260725" in note


def test_no_change_is_a_point_and_no_rows_are_undefined() -> None:
    same = [(row("q1", True), row("q1", True)), (row("q2", False), row("q2", False))]
    ends = ("accuracy_change_ci_low_pp", "accuracy_change_ci_high_pp")
    made = repair_row("d", count_repair(same), REPAIR)
    assert [made[end] for end in ends] == [0, 0]
    made = repair_row("d", count_repair([]), REPAIR)
    assert [made[end] for end in (*ends, "n_questions", "old_accuracy_pct")] == [None] * 4


def test_the_study_holds_each_question_in_many_rows() -> None:
    rows = {
        str(r["dataset"]): r for r in scorer_repair_summary(archive(study(), LEAN), REPAIR).rows
    }
    n = {name: r["n_questions"] for name, r in rows.items()}
    assert n == {
        SETTINGS.whole: 48,
        SETTINGS.design: 20,
        "core": 48,
        "extension": 48,
        "all": 48,
    }
    assert not {"method_changed", "old_blank_extracted", "new_blank_extracted"} & set(COLUMNS)


def test_core_and_extension_count_a_shared_cell_in_both() -> None:
    """Six cells stand in two phases each: three within core, three in core and extension."""
    rows = {
        str(r["dataset"]): r for r in scorer_repair_summary(archive(study(), LEAN), REPAIR).rows
    }
    n = {name: int(row["n"] or 0) for name, row in rows.items()}
    core = 3 * 48 + 3 * 5 * 20 + 2 * 2 * 3 * 20
    extension = 3 * 11 * 20 + 2 * 2 * 3 * 20 + 48 + 3 * 5 * 20 + 8 * 3 * 20
    assert (n["core"], n["extension"]) == (core, extension)
    assert n["all"] == n[SETTINGS.whole] + n[SETTINGS.design] == core + extension - 6 * 20


def test_an_archive_without_a_phase_has_no_row() -> None:
    cells = archive(without(("experiment", "multiview")), LEAN)
    table = scorer_repair_summary(cells, REPAIR)
    assert "core" in {row["dataset"] for row in table.rows}
    assert "extension" not in {row["dataset"] for row in table.rows}
    assert table.note.endswith("No row extension: no cell of multiview_budgeted.")


def test_rows_without_an_answer_are_told_apart() -> None:
    rows = [row(f"q{i}", False, outcome) for i, outcome in enumerate((*OUTCOMES, "truncated"))]
    assert count_unread(rows) == Unread(n_review=1, n_truncated=2, n_refused=1)
