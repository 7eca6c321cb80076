"""What is said around a statement that leaves its answer standing, or does not."""

import pytest

from harness.scoring import extract
from harness.scoring.statements.doubt import doubted

pytestmark = pytest.mark.unit
COLOURS = ("grey", "pink", "brown", "white")


@pytest.mark.parametrize(
    "tail",
    [
        "However, this contradicts the table.",
        "That does not look right.",
        "Something seems off.",
        "I should double-check the axis.",
        "Let me recount the bars, because",
        "Not so fast, the scale is logarithmic.",
        "Or maybe not.",
        "Then again, D fits as well.",
        "But it might also be D.",
        "But C is the colour of the lid, not of the box.",
        "Still, I cannot really tell.",
    ],
)
def test_doubt_right_after_an_answer_leaves_it_for_review(tail: str) -> None:
    assert extract("choice", f"The answer is C. {tail}", COLOURS).value is None


@pytest.mark.parametrize(
    "tail",
    [
        "This does not match A or B.",
        "A and B do not fit.",
        "Let me explain: the lid is brown.",
        "It is not grey, not pink and not white.",
        "B would be right for the other box.",
        "D is the answer to a different question.",
        "A is correct about the size but not about the colour.",
        "My second choice is A.",
        "For the lid, the answer would be A.",
        "In the original version of this question the answer was D.",
    ],
)
def test_words_about_other_choices_leave_an_answer_standing(tail: str) -> None:
    assert extract("choice", f"The answer is C. {tail}", COLOURS).value == "C"


@pytest.mark.parametrize(
    "text",
    [
        "The naive answer is C.",
        "The second best answer is C.",
        "A careless viewer would say the answer is C.",
        "At first glance, the answer is C.",
        "I hope the answer is C.",
        "Example: Answer: C",
        "Your reply should look like this: Answer: C",
        "Answer: C (rejected)",
        "Answer: C ✗",
        "The answer is C♯.",
        "The answer is C. Darwin.",
        "The answer is D. H. Hill",
        "The answer is C for x > 0 and D for x < 0.",
        "Option C is correct, so the wrong one must be another.",
    ],
)
def test_what_is_no_statement_of_ones_own(text: str) -> None:
    assert extract("choice", text, COLOURS).value is None


def test_a_name_is_told_from_the_text_of_the_choice() -> None:
    assert extract("choice", "The answer is C. Brown.", COLOURS).value == "C"
    assert extract("choice", "The answer is C. Correct.", COLOURS).value == "C"


def test_doubt_is_sought_near_the_answer_only() -> None:
    text = "C." + " The box is brown." * 40 + " This contradicts the table."
    assert not doubted(text, 1, "C")
    assert doubted(text, len(text) - 60, "C")
