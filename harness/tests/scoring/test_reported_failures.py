"""Answers that other harnesses are known to have misread; docs/traps.md has the sources."""

from __future__ import annotations

import pytest

from harness.scoring import extract, grade, score
from harness.scoring.judge_parse import parse_score
from harness.types import Example, Response

FRUIT = ("apple", "pear", "plum", "fig")


@pytest.mark.parametrize(
    ("response", "letter"),
    [
        pytest.param("Answer: $LETTER\nAnswer: $B", "B", id="AT-01 placeholder, then $B"),
        pytest.param("The word Answer holds no letter.", None, id="AT-01 the word Answer"),
        pytest.param(
            "The correct answer is B. Here is why: option A is the smaller one.",
            "B",
            id="AT-03 answer first, reason after",
        ),
        pytest.param("ANSWER: AB", None, id="AT-08 glued letters"),
        pytest.param("ANSWER: A\nNo, that is wrong.\nANSWER: B", "B", id="AT-08 discarded letter"),
        pytest.param("ANSWER: [LETTER]\nANSWER: C", "C", id="AT-10 echoed marker"),
        pytest.param("The answer is B because a car moves.", "B", id="AT-13 the article"),
        pytest.param("d", "D", id="AT-13 a lower-case letter alone"),
        pytest.param('Answer: "C"', "C", id="AT-17 quotes"),
        pytest.param("Ｃ", "C", id="AT-19 full width"),
        pytest.param("[ERROR] 429: rate limit of plan B reached", None, id="AT-90 error text"),
    ],
)
def test_choice(response: str, letter: str | None) -> None:
    assert extract("choice", response, FRUIT).value == letter


def test_no_letter_is_read_from_an_item_without_choices() -> None:
    """AT-05."""
    example = Example(id="q", kind="yesno", question="?", gold="no")
    found = score(example, Response(example_id="q", status="ok", text="B"))
    assert (found.outcome, found.answer.value) == ("review", None)


def test_reasoning_that_was_cut_off_is_no_answer() -> None:
    """AT-14."""
    example = Example(id="q", kind="choice", question="?", gold="B", choices=FRUIT)
    text = "<think>It could be A. The answer is B, since"
    for status in ("ok", "truncated"):
        found = score(example, Response(example_id="q", status=status, text=text))
        assert (found.outcome, found.answer.value, found.correct) == ("truncated", None, False)


@pytest.mark.parametrize(
    ("trap", "kind", "text", "gold", "correct"),
    [
        ("AT-05", "number", "0.5", "0.5", True),
        ("AT-06", "number", "Therefore the answer is 0.5", "0.5", True),
        ("AT-06", "number", "Therefore the answer is 0.5", "0.9", False),
        ("AT-17", "text", '"12"', "12", True),
        ("AT-19", "text", "h2o", "H2O", False),
        ("AT-19", "text", "Ｈ２Ｏ", "H2O", True),
        ("AT-20", "number", "99", "100", True),
        ("AT-20", "number", "100", "99", False),
        ("AT-20", "number", "100", "101", True),
    ],
)
def test_free_answers(trap: str, kind: str, text: str, gold: str, correct: bool) -> None:
    assert grade(kind, text, (), gold).correct is correct, trap


def test_digits_of_an_error_message_are_no_score() -> None:
    assert parse_score("[ERROR] HTTP 429: too many requests", 0, 1000).value is None
    assert parse_score('{"score": 7}', 0, 10).value == 7
