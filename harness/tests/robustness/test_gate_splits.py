"""The splits of the gate: where their answers come from, and what is never held out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from harness.errors import DataError
from harness.robustness.archive import archive
from harness.robustness.counts import count_gate
from harness.robustness.gates import (
    Answers,
    clean_heldout_gate,
    heldout_gate_by_group,
    heldout_gate_uplift,
    split_answers,
)
from harness.tests.robustness.made_study import LEAN, SETTINGS, examples, made, study
from harness.types import CellResult, Example


def test_the_gate_by_plain_counting() -> None:
    cells = archive(study(), SETTINGS)
    for split, expected in (("design", 20), ("held_out", 28), ("whole", 48)):
        answers = split_answers(cells, SETTINGS, split)
        assert isinstance(answers, Answers)
        found = count_gate(*answers, "error").selection
        accepted = [
            i
            for i, row in answers.paper.items()
            if row.answer is not None and row.answer == answers.evidence[i].answer
        ]
        assert found.n == expected
        assert found.n_accepted == len(accepted)
        assert found.n_accepted_correct == sum(answers.paper[i].correct is True for i in accepted)
        assert found.n_correct == sum(row.correct is True for row in answers.paper.values())


def test_the_splits_of_the_gate_come_from_where_they_can() -> None:
    """Own cells first, then questions out of the whole; the whole also from its two parts."""
    s = SETTINGS
    makers = (clean_heldout_gate, heldout_gate_by_group, heldout_gate_uplift)
    lone = [r for r in study() if r.cell.experiment != "held-out-gate"]
    table = clean_heldout_gate(archive(lone, LEAN), LEAN)
    assert not table.rows
    assert "rl/clean/evidence_first/global on mini-28 of the phases reproduce or" in table.note
    parts = [made("held-out-gate", d, s.focus, "clean", s.evidence) for d in (s.design, s.held_out)]
    split, whole = archive([*lone, *parts], LEAN), archive(study(), LEAN)
    for make in makers:
        assert make(split, LEAN).to_csv() == make(whole, LEAN).to_csv()
    rows = clean_heldout_gate(whole, LEAN).rows
    assert [r["split"] for r in rows] == ["design_subset_20", "heldout_complement_28", "all_48"]
    for column in ("n", "accepted_n", "correct", "accepted_correct"):
        design, held_out, every = (int(r[column] or 0) for r in rows)
        assert design + held_out == every


def sampled(results: Iterable[CellResult], n: dict[str, int]) -> list[CellResult]:
    """The first examples of the cells of some data sets, whose sizes stay."""

    def cut(r: CellResult) -> CellResult:
        kept = {e.id for e in r.examples[: n.get(r.cell.data, len(r.examples))]}
        return replace(
            r,
            examples=tuple(e for e in r.examples if e.id in kept),
            responses=tuple(a for a in r.responses if a.example_id in kept),
            scores=tuple(s for s in r.scores if s.example_id in kept),
        )

    return [cut(r) for r in results]


def test_no_held_out_figure_rests_on_a_question_of_a_design_part_that_is_only_sampled() -> None:
    s = SETTINGS
    makers = (clean_heldout_gate, heldout_gate_by_group, heldout_gate_uplift)
    own = [
        made(experiment, s.held_out, s.focus, "clean", prompt)
        for experiment, prompt in (("reproduction", s.paper), ("held-out-gate", s.evidence))
    ]
    no_design = [r for r in study() if r.cell.data != s.design]
    needs = "a cell over all examples of mini-20 (its cells hold"
    for results, told in (
        (sampled(study(), {s.design: 10}), f"{needs} 10 of 20)"),
        (sampled([*study(), *own], {s.design: 10}), f"{needs} 10 of 20)"),
        (sampled([*study(), *own], {s.design: 10, s.held_out: 10}), f"{needs} 10 of 20)"),
        ([*no_design, *own], f"{needs} none)"),
        (sampled(study(), {s.whole: 47}), "or on all examples of mini-48"),
        (sampled(study(), {s.whole: 47, s.design: 10}), f"{needs} 10 of 20)"),
    ):
        cells = archive(results, LEAN)
        for make in makers:
            table = make(cells, LEAN)
            assert not table.rows, (make.__name__, told)
            assert told in table.note, (make.__name__, table.note)
    parts = [made("held-out-gate", d, s.focus, "clean", s.evidence) for d in (s.design, s.held_out)]
    lone = [r for r in study() if r.cell.experiment != "held-out-gate"]
    (told,) = split_answers(archive(sampled([*lone, *parts], {s.held_out: 10}), s), s, "whole")
    assert "evidence_first/global on mini-48" in str(told)
    one = next(r for r in study() if r.cell.experiment == "controls")
    rest = sampled((r for r in study() if r is not one), {s.design: 10})
    found = clean_heldout_gate(archive([*rest, one], LEAN), LEAN)
    assert [r["n"] for r in found.rows] == [20, 28, 48]


def test_parts_that_are_not_those_of_the_whole_are_refused() -> None:
    s, every = SETTINGS, examples()
    whole = [r for r in study() if r.cell.data == s.whole]

    def part(data: str, items: Sequence[Example], view: str = "clean") -> CellResult:
        return made("robustness", data, s.focus, view, s.paper, items=items)

    stranger = replace(every[0], id="z9")
    other_draw = part(s.design, every[1:21], "downsample_50")
    for results, message in (
        ([part(s.design, every[:20]), other_draw], "mini-20: expected all cells to be of the same"),
        ([part(s.design, every[:20]), part(s.design, every[:19], "downsample_50")], "of the same"),
        ([*whole, part(s.design, (stranger, *every[:19]))], "found 1 (z9) of its parts that it"),
        ([*whole, part(s.held_out, (*every[20:], stranger))], "found 1 (z9) of its parts that it"),
        (
            [*whole, part(s.design, every[:20]), part(s.held_out, every[22:])],
            "found 2 (q20, q21) in none of its parts",
        ),
    ):
        with pytest.raises(DataError) as caught:
            archive(results, LEAN)
        assert message in str(caught.value), message


def test_the_groups_and_strata_are_partitions() -> None:
    cells = archive(study(), LEAN)
    whole = clean_heldout_gate(cells, LEAN).rows[1]
    groups, strata = (
        make(cells, LEAN).rows for make in (heldout_gate_by_group, heldout_gate_uplift)
    )
    rows = {str(r["group"]): r for r in groups}
    assert list(rows) == ["Multiple choice", "Free response", "Biology", "Physics"]
    for column in ("n", "accepted_n", "correct", "accepted_correct"):
        by_type = sum(int(rows[g][column] or 0) for g in ("Multiple choice", "Free response"))
        by_category = sum(int(rows[g][column] or 0) for g in ("Biology", "Physics"))
        assert by_type == by_category == whole[column]
    assert [r["strata"] for r in strata] == [1, 2, 4]
    assert {r["bootstrap_seed"] for r in strata} == {20263724}


def test_a_category_named_like_an_item_type_keeps_its_row() -> None:
    renamed = tuple(replace(e, group="Free response") for e in examples())
    results = [
        replace(r, examples=tuple({e.id: e for e in renamed}[e.id] for e in r.examples))
        for r in study()
    ]
    rows = heldout_gate_by_group(archive(results, LEAN), LEAN).rows
    groups = [r["group"] for r in rows]
    assert groups == ["Multiple choice", "Free response", "Free response (category)"]
    assert [r["n"] for r in rows] == [22, 6, 28]
