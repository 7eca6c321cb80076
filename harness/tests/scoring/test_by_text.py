"""Choices named by their text, or beside another label."""

import pytest

from harness.scoring import extract

pytestmark = pytest.mark.unit
COLOURS = ("grey", "pink", "brown", "white")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The box is pink and the lid is brown.", None),
        ("The box is pink. The lid is brown.", None),
        ("First it is pink, then it is brown.", None),
        ("None of the boxes is pink.", None),
        ("Hardly any box is pink.", None),
        ("It would be pink.", None),
        ("The box used to be pink.", None),
        ("The left box is brown and the right one pink.", None),
        ("A is pink.", None),
        ("B. A is grey.", "B"),
        ("Option B. A is grey.", "B"),
        ("B (A is grey)", "B"),
        ("b. The box is grey.", "B"),
        ("B, C and D are labels; A is grey.", None),
        ("B, but A is grey.", None),
        ("A: The box is pink.", None),
        ("A:", None),
        ("Option A: grey", None),
        ("The box is pink.", "B"),
        ("The box is pink, not brown.", "B"),
        ("The box is not brown but pink.", "B"),
        ("pink is the answer", "B"),
        ("Pink, option B.", "B"),
        ("Brown, option B.", None),
    ],
)
def test_sentences(text: str, value: str | None) -> None:
    assert extract("choice", text, COLOURS).value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The answer is 15.", "C"),
        ("The answer is 15!.", None),
        ("The answer is 5:15.", None),
        ("Answer: >15", None),
        ("The answer is 15 (C).", "C"),
        ("The answer is option 15.", None),
        ("Answer: => 15", "C"),
    ],
)
def test_a_number_is_read_whole(text: str, value: str | None) -> None:
    assert extract("choice", text, ("5", "10", "15", "20")).value == value


def test_a_formula_is_read_whole() -> None:
    choices = ("x+1", "x-1", "1-x", "x")
    assert extract("choice", "The answer is (x-1)(x+1).", choices).value is None
    assert extract("choice", "The answer is x-1.", choices).value == "B"


@pytest.mark.parametrize(
    "choices", [("1. grey", "2. pink"), ("A) grey", "B) pink")], ids=["numbers", "letters"]
)
def test_choices_that_bring_a_label(choices: tuple[str, ...]) -> None:
    assert extract("choice", "The answer is pink.", choices).value == "B"
    assert extract("choice", choices[1], choices).value == "B"


def test_numbers_that_are_no_labels_stay() -> None:
    assert extract("choice", "2. pink", ("3. grey", "2. pink")).value == "B"
