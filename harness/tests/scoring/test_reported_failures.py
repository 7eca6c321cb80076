"""Answers that other harnesses are known to have misread; docs/traps.md has the sources."""

from __future__ import annotations

import pytest

from harness.scoring import extract, grade
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
    score = grade(example, Response(example_id="q", status="ok", text="B"))
    assert (score.outcome, score.answer.value) == ("review", None)


def test_reasoning_that_was_cut_off_is_no_answer() -> None:
    """AT-14."""
    example = Example(id="q", kind="choice", question="?", gold="B", choices=FRUIT)
    text = "<think>It could be A. The answer is B, since"
    for status in ("ok", "truncated"):
        score = grade(example, Response(example_id="q", status=status, text=text))
        assert (score.outcome, score.answer.value, score.correct) == ("truncated", None, False)
