"""The compact scorer against a second reader; disagreements are planted in the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from harness.errors import NoGo
from harness.gates.scorer_integrity import scorer_integrity
from harness.scoring.oracle import oracle_answer
from harness.tests.gates.made_cells import CELL, examples, result, with_view
from harness.types import Answer, Cell, CellResult, Example, ModelSpec


def cell_of(model: str, texts: Sequence[str], cell: Cell = CELL) -> CellResult:
    named = replace(cell, model=ModelSpec(name=model, source={"kind": "fake"}))
    return replace(result(texts, cell=named), examples=tuple(examples(len(texts))))


def spoilt(made: CellResult, *places: int, turn: bool = True) -> CellResult:
    """The same cell with the scores at some places read as the other word."""
    scores = list(made.scores)
    for place in places:
        score = scores[place]
        other = {"yes": "no", "no": "yes"}[str(score.answer.value)]
        answer = Answer(value=other, rule="planted")
        correct = other == score.gold if turn else score.correct
        scores[place] = replace(score, answer=answer, correct=correct)
    return replace(made, scores=tuple(scores))


def codes(results: Sequence[CellResult]) -> list[str]:
    return [issue.code for issue in scorer_integrity(results, oracle_answer).issues]


def test_two_readers_that_agree_are_go() -> None:
    results = [cell_of("a", ["Yes.", "No.", "A picture.", "No."]), cell_of("b", ["yes"] * 4)]
    verdict = scorer_integrity(results, oracle_answer).require()
    assert verdict.facts == {
        "n_cells": 2,
        "n_rows": 8,
        "n_checked": 8,
        "n_decided_by_status": 0,
        "n_unchecked": 0,
        "disagreements": {"n_response": 0, "n_aggregate": 0, "n_winner": 0},
    }


def test_53_planted_disagreements_are_53_issues() -> None:
    """46 responses, 5 aggregates and 2 winners: the shape of a canary that was published."""
    right = ["Yes.", "No."] * 15
    wrong = ["No.", "Yes."] * 15

    def made(n_right: int) -> list[str]:
        return right[:n_right] + wrong[n_right:]

    # Two views of two models each change their winner; the fifth cell stands alone.
    results = [
        spoilt(cell_of("a", made(20)), *range(10)),
        spoilt(cell_of("b", made(15)), 16, 17),
        spoilt(cell_of("a", made(20), with_view("blank")), *range(12)),
        spoilt(cell_of("b", made(15), with_view("blank")), *range(1)),
        spoilt(cell_of("a", made(25), with_view("shuffled")), *range(19), 28, 29),
    ]
    verdict = scorer_integrity(results, oracle_answer)
    assert not verdict.go
    assert len(verdict.issues) == 53
    expected = {"n_response": 46, "n_aggregate": 5, "n_winner": 2}
    assert verdict.facts["disagreements"] == expected
    with pytest.raises(NoGo, match=r"NO-GO, 53 issue\(s\)"):
        verdict.require()


def test_swaps_that_cancel_leave_the_aggregate() -> None:
    texts = ["Yes.", "No.", "No.", "Yes."]
    assert codes([spoilt(cell_of("a", texts), 0, 2)]) == ["scorer-response", "scorer-response"]


def test_a_wrong_verdict_on_the_right_letter_is_a_disagreement() -> None:
    made = cell_of("a", ["Yes.", "No."])
    turned = replace(made.scores[0], correct=False)
    faulty = replace(made, scores=(turned, made.scores[1]))
    assert codes([faulty]) == ["scorer-aggregate", "scorer-response"]


def test_a_lost_tie_is_another_order() -> None:
    tie = [cell_of("a", ["Yes.", "No."]), spoilt(cell_of("b", ["Yes.", "No."]), 0)]
    for results in (tie, tie[::-1]):
        assert codes(results) == ["scorer-aggregate", "scorer-response", "scorer-winner"]
    apart = [tie[0], replace(tie[1], cell=replace(tie[1].cell, view=with_view("blank").view))]
    assert "scorer-winner" not in codes(apart)


def test_what_the_status_decided_is_not_read_again() -> None:
    made = cell_of("a", ["Yes.", "No.", "oom"])
    cut = replace(made.responses[1], status="truncated", text="No, or per")
    score = replace(
        made.scores[1],
        outcome="truncated",
        correct=False,
        answer=Answer(value=None, rule="truncated:leading"),
    )
    cut_off = replace(
        made,
        responses=(made.responses[0], cut, made.responses[2]),
        scores=(made.scores[0], score, made.scores[2]),
    )
    verdict = scorer_integrity([cut_off], oracle_answer).require()
    assert (verdict.facts["n_checked"], verdict.facts["n_decided_by_status"]) == (1, 2)


def test_what_the_oracle_does_not_read_is_counted() -> None:
    item = Example(id="n", kind="number", question="?", gold="3")
    made = replace(cell_of("a", ["Yes.", "No."]), examples=(examples(2)[0], item))
    facts = scorer_integrity([made], oracle_answer).require().facts
    assert (facts["n_checked"], facts["n_unchecked"]) == (1, 1)


def test_a_gate_that_read_nothing_again_is_no_go() -> None:
    failed = cell_of("a", ["oom", "oom"])
    unknown = replace(cell_of("a", ["Yes."]), examples=())
    for results in ([failed], [unknown], [failed, unknown], [cell_of("a", [])]):
        verdict = scorer_integrity(results, oracle_answer)
        assert [issue.code for issue in verdict.issues] == ["nothing-checked"]
        assert "nothing_to_check" not in verdict.facts
    assert scorer_integrity([failed, cell_of("a", ["Yes."])], oracle_answer).go


def test_cells_without_letters_are_go_and_say_so() -> None:
    made = cell_of("a", ["Yes.", "No."])
    numbers = tuple(replace(e, kind="number", choices=(), gold="3") for e in made.examples)
    verdict = scorer_integrity([replace(made, examples=numbers)], oracle_answer).require()
    assert verdict.facts["nothing_to_check"] == "checks letters and yes or no; none here"
    assert (verdict.facts["n_checked"], verdict.facts["n_unchecked"]) == (0, 2)


def test_no_cell_is_no_go() -> None:
    assert codes([]) == ["no_cells"]


def test_an_issue_shows_both_readings() -> None:
    made = spoilt(cell_of("a", ["Yes."]), 0)
    (first, *_) = (i for i in scorer_integrity([made], oracle_answer).issues if "resp" in i.code)
    assert first.where == f"{made.cell.id} q0"
    assert "'no' (planted), wrong; the oracle 'yes', right: 'Yes.'" in first.message
