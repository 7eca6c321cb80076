"""Responses with more than one statement: parts, lists, further questions, unread endings."""

import pytest

from harness.scoring import extract

pytestmark = pytest.mark.unit
COLOURS = ("grey", "pink", "brown", "white")


@pytest.mark.parametrize(
    "text",
    [
        "Question 1: The answer is B.\nQuestion 2: The answer is D.",
        "(a) The answer is B.\n(b) The answer is D.",
        "Part 1: The answer is A.\nPart 2: The answer is D.",
        "For the first box the answer is A and for the second box the answer is B.",
        "The left answer is A, the right answer is C.",
        "Step 1 answer: A\nStep 2 answer: C",
        "The answer is A.\nThe answer is B.\nThe answer is C.\nThe answer is D.",
        "Answer: A\n\nFinal answer: unknown",
        "Answer: A\n\nFinal answer: violet",
        "\\boxed{A}\n\n\\boxed{12}",
        "The answer is A.\n\nB. pink",
        "The answer is A.\n\nIt's pink.",
        "The answer is A.\n\npink",
        "Answer: A\n\npink",
        "The answer is A.\n\nThe correct colour is pink.",
        "Answer:\nA. grey\nB. pink\nC. brown\nD. white",
        "Answer: A... or B?",
    ],
)
def test_answers_that_differ_are_for_review(text: str) -> None:
    assert extract("choice", text, COLOURS).value is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1. The legend names B.\n2. The answer is C.", "C"),
        ("Answer: C\n\nFinal answer: C", "C"),
        ("Answer: A\n\nFinal answer: the answer is", "A"),
        ("The answer is C.\n\nC. brown", "C"),
        ("The answer is C.\n\nA. grey\nB. pink\nC. brown\nD. white", "C"),
        ("C\n\nQuestion: What is behind it?\nOptions:\nA. box\nB. lid\nAnswer: A", "C"),
        ("The answer is C.\n\nQuestion: And the lid?\nAnswer: The answer is A.", "C"),
        ("There are two boxes.\nQuestion: which colour?\nAnswer: C", "C"),
    ],
)
def test_the_one_answer_that_counts(text: str, value: str) -> None:
    assert extract("choice", text, COLOURS).value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The answer is yes.\n\nSo: no.", None),
        ("Answer: no\n\nFinal answer: maybe", None),
        ("Answer: no\n\nExplanation: yes, there is a lid, but no box.", "no"),
        ("Yes\n\nQuestion: Is there a lid?\nAnswer: No", "yes"),
        ("The answer is yes. No would be wrong.", "yes"),
    ],
)
def test_yes_and_no_in_one_response(text: str, value: str | None) -> None:
    assert extract("yesno", text).value == value
