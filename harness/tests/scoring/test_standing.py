"""A line that is nothing but an answer: alone, or the end of the sentence above it."""

import pytest

from harness.scoring import extract
from harness.scoring.statements.standing import goes_on, stands_alone

pytestmark = pytest.mark.unit
COLOURS = ("grey", "pink", "brown", "white")


@pytest.mark.parametrize(
    "above",
    [
        "The answer is not",
        "Not",
        "I would rule out\n",
        "Everything but",
        "Wrong:",
        "Excluded options:",
        "Is it",
        "Some would say",
        "Let us look at option",
        "vitamin",
        "the distance between A and",
        "the temperature in degrees",
        "The lid is next to point",
        "Kind regards,",
        "The sign shows the letter\n",
        "If it were pink, the answer would be",
    ],
)
def test_a_letter_that_ends_the_sentence_above(above: str) -> None:
    assert extract("choice", f"{above}\nB", COLOURS).value is None
    assert not stands_alone(f"{above}\nB", len(above) + 1)


@pytest.mark.parametrize(
    "above",
    [
        "The box is pink.",
        "The box is pink",
        "Answer",
        "My choice:",
        "## Answer",
        "(A) grey\n(B) pink\n(C) brown\n(D) white\n",
        "(A) grey (B) pink (C) brown (D) white",
        "Which colour is it?\n",
        "The box by the door has the colour of a rose\n",
    ],
)
def test_a_letter_on_a_line_of_its_own(above: str) -> None:
    assert extract("choice", f"{above}\nB", COLOURS).value == "B"


@pytest.mark.parametrize(
    "text",
    [
        "These labels are visible:\nA\nB\nC",
        "Choices:\n- A\n- B\n- C\n- D",
        "The answer is neither\nA\nnor\nB",
        "Possible answers:\nA\nC",
        "The corners are\nA, B,\nC",
        "A\nbox stands on the table.",
    ],
)
def test_letters_of_a_list_or_an_article_are_no_answer(text: str) -> None:
    assert extract("choice", text, COLOURS).value is None


def test_a_first_line_goes_on_in_lower_case_unless_it_gives_a_reason() -> None:
    assert goes_on("A\nbox stands there", 1)
    assert not goes_on("B\nbecause the box is pink", 1)
    assert extract("choice", "B\nbecause the box is pink", COLOURS).value == "B"


@pytest.mark.parametrize("above", ["Is the answer", "The sign reads:\n", "It is wrong to say"])
def test_yes_that_ends_the_sentence_above(above: str) -> None:
    assert extract("yesno", f"{above}\nyes").value is None
