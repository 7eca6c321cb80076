from dataclasses import replace
from typing import Any

import pytest

from harness.errors import DataError
from harness.scoring import extract, gold_fault, grade, score
from harness.scoring.comparison import Comparison
from harness.scoring.free import symbolic
from harness.types import Example, Outcome, Response, Status

CHOICE = Example(id="q", kind="choice", question="?", gold="B", choices=("x", "y"), group="g")
YESNO = Example(id="q", kind="yesno", question="?", gold="yes")


def respond(text: str | None, status: Status = "ok") -> Response:
    return Response(example_id="q", status=status, text=text)


@pytest.mark.parametrize(
    ("text", "status", "outcome", "correct", "counted"),
    [
        ("B", "ok", "answered", True, True),
        ("A", "ok", "answered", False, True),
        ("who knows", "ok", "review", False, True),
        ("", "ok", "review", False, True),
        ("<think>The answer is B.</think>", "ok", "review", False, True),
        ("<think>The answer is B.", "ok", "truncated", False, True),
        ("B", "truncated", "truncated", False, True),
        ("The answer is B", "truncated", "truncated", False, True),
        ("The answer is B,", "truncated", "truncated", False, True),
        ("The answer is B. It", "truncated", "answered", True, True),
        ("The answer is **B**.\nIt", "truncated", "answered", True, True),
        ("<answer>B</answer> It", "truncated", "answered", True, True),
        ("<answer>B", "truncated", "truncated", False, True),
        ("\\boxed{B} it", "truncated", "answered", True, True),
        ("B", "refused", "refused", False, True),
        (None, "refused", "refused", False, True),
        (None, "oom", "resource_error", False, False),
        (None, "error", "runtime_error", False, False),
        ("B", "error", "runtime_error", False, False),
    ],
)
def test_outcomes(
    text: str | None, status: Status, outcome: Outcome, correct: bool, counted: bool
) -> None:
    found = score(CHOICE, respond(text, status))
    assert (found.outcome, found.correct, found.counted) == (outcome, correct, counted)
    assert (found.gold, found.group, found.example_id) == ("B", "g", "q")


def test_yes_no() -> None:
    assert score(YESNO, respond("Yes.")).correct
    assert not score(YESNO, respond("No.")).correct
    assert score(YESNO, respond("A dog.")).outcome == "review"


def test_an_unparsed_answer_never_equals_an_unparsed_gold() -> None:
    empty = Example(id="q", kind="yesno", question="?", gold="")
    assert not score(empty, respond("A dog.")).correct


def test_faults_are_errors() -> None:
    with pytest.raises(DataError, match="q: expected its own response, found z's"):
        score(CHOICE, Response(example_id="z", status="ok", text="B"))
    with pytest.raises(DataError, match="must have a text"):
        score(CHOICE, respond(None))
    with pytest.raises(DataError, match="kind 'retrieval'"):
        score(Example(id="q", kind="retrieval", question="?", gold="1"), respond("1"))


@pytest.mark.parametrize("text", [None, b"B", 3, ["B"]])
def test_what_is_no_text_is_left_for_review(text: Any) -> None:
    assert extract("choice", text, ("x", "y")).rule == "not_text"
    found = grade("choice", text, ("x", "y"), "B")
    assert (found.outcome, found.correct, found.answer.value) == ("review", False, None)


def test_an_unknown_policy_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(DataError, match="generous.*default"):
        grade("choice", "B", ("x", "y"), "B", "generous")


def test_an_example_may_ask_for_exact_numbers() -> None:
    year = Example(id="q", kind="number", question="?", gold="1912")
    assert score(year, respond("1913")).correct
    assert not score(replace(year, exact=True), respond("1913")).correct
    assert grade("number", "1912", (), "1912", exact=True).correct


def test_a_gold_in_parts_asks_for_every_part() -> None:
    assert grade("number", "(a) 3 (b) 4", (), "(a) 3 (b) 4").correct
    assert not grade("number", "(a) 3 (b) 5", (), "(a) 3 (b) 4").correct


def test_a_comparison_that_cannot_be_decided_goes_to_review(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(symbolic, "compare", lambda *_, **__: Comparison(None, "timeout"))
    found = grade("expression", r"\boxed{x^2}", (), "x")
    assert (found.outcome, found.correct, found.compared) == ("review", False, "timeout")
    assert found.answer.value == "x^2"


def test_refusals_are_counted_apart() -> None:
    found = grade("text", "I'm sorry, I can't assist with that.", (), "dog")
    assert (found.outcome, found.correct, found.counted) == ("refused", False, True)
    assert grade("yesno", "It is unclear.", (), "no").outcome == "review"


@pytest.mark.parametrize(
    ("example", "fault"),
    [
        (CHOICE, ""),
        (YESNO, ""),
        (replace(CHOICE, gold="C"), "the gold 'C'"),
        (replace(CHOICE, choices=()), "0 choices"),
        (replace(YESNO, gold="perhaps"), "the gold 'perhaps'"),
        (Example(id="q", kind="number", question="?", gold="1,200 m"), ""),
        (Example(id="q", kind="number", question="?", gold="3 or 4"), "the gold '3 or 4'"),
        (Example(id="q", kind="number", question="?", gold="nan"), "the gold 'nan'"),
        (Example(id="q", kind="text", question="?", gold=" "), "the gold ' '"),
        (Example(id="q", kind="text", question="?", gold="New York"), ""),
        (Example(id="q", kind="expression", question="?", gold=r"\frac{\sqrt{3}}{2}"), ""),
        (Example(id="q", kind="expression", question="?", gold="(a) x (b) y^2"), ""),
        (Example(id="q", kind="retrieval", question="?", gold="1"), "no reader"),
    ],
)
def test_golds_are_held_against_themselves(example: Example, fault: str) -> None:
    found = gold_fault(example)
    assert fault in found if fault else not found


@pytest.mark.parametrize("policy", ["rewardlens", "drop_unparsed"])
def test_rewardlens_drops_every_row_without_an_answer(policy: str) -> None:
    item = replace(CHOICE, choices=("x", "y"))
    assert score(item, respond("B"), policy).counted
    for response in (respond("who knows"), respond(None, "refused"), respond("", "truncated")):
        assert not score(item, response, policy).counted
        assert score(item, response).counted


@pytest.mark.parametrize(
    ("policy", "outcome"),
    [("default", "truncated"), ("drop_unparsed", "truncated"), ("r1", "answered")],
)
def test_only_our_own_policies_ask_whether_a_cut_off_answer_was_finished(
    policy: str, outcome: Outcome
) -> None:
    assert score(CHOICE, respond("The answer is B", "truncated"), policy).outcome == outcome


def test_an_unknown_kind_is_an_error_whatever_the_text() -> None:
    with pytest.raises(DataError, match="'essay'"):
        extract("essay", None)


@pytest.mark.parametrize("policy", ["default", "r1", "protocol"])
@pytest.mark.parametrize("gold", ["C", "b", "", "AB", "blue", "1", None, 1])
def test_a_gold_that_is_no_letter_of_the_choices_is_an_error(gold: Any, policy: str) -> None:
    """No answer could match it, so every model would be wrong."""
    expected = "expected a gold from A to B, the letter of one of 2 choices, found "
    with pytest.raises(DataError, match=expected):
        grade("choice", "C", ("red", "blue"), gold, policy)
    example = Example(id="q", kind="choice", question="?", gold=gold, choices=("red", "blue"))
    with pytest.raises(DataError, match=expected):
        score(example, respond("C"), policy)


@pytest.mark.parametrize("kind", ["number", "expression", "text"])
@pytest.mark.parametrize("gold", [None, 3, b"3"])
def test_a_gold_that_is_no_text_is_an_error(kind: str, gold: Any) -> None:
    with pytest.raises(DataError, match="must be text"):
        grade(kind, "3", (), gold)
