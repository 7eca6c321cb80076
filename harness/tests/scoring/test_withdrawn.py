"""Answers that the next words take back, or that another one joins."""

from __future__ import annotations

import pytest

from harness.scoring.quantities.number import compare, number
from harness.scoring.statements.passage import passage
from harness.scoring.statements.withdrawn import taken_back


@pytest.mark.unit
@pytest.mark.parametrize(
    "after",
    [
        "; no, 6.",
        ". No, 6.",
        ". Actually 6.",
        ". However, this is wrong.",
        ". But that can't be right.",
        "\n\nThis cannot be right.",
        ". Let me double-check. It is 6.",
        ". Sorry, I meant 6.",
        ". On reflection, 6.",
        ". Edit: 6.",
        "; however, the graph says 6.",
        ", but that is wrong.",
        " is too large.",
        " would be the naive answer.",
        " (incorrect)",
        " ❌",
        "\n6",
        "\n\n6",
        # A short sentence that says another number and no more.
        ". That seems off, so I redo it: 6.",
        ". Looking at it again, there are 6.",
        ". I need to revise this to 6.",
        ". My mistake, 6.",
        ". Not quite: 6.",
        ". But I forgot one, making it six.",
        ". After recounting, I get 6.",
        ". The correct value is 6.",
        ". Make that 6.",
        ". I'm not sure, maybe 6.",
        ". More precisely 6.",
        ". Hmm... 6.",
        ". Not true.",
        ". Wrong!",
        ". Ignore that.",
        ". That's not it.",
        ". It could be 6.",
        " (oops, 6).",
        ".\n\nIn reality, it is 6.",
    ],
)
def test_taken_back(after: str) -> None:
    assert number(f"The answer is 5{after}").value is None
    assert number(f"So $\\boxed{{5}}$ {after}").value is None


@pytest.mark.unit
@pytest.mark.parametrize(
    "after",
    [
        "",
        ". However, note that this is in metres.",
        ". No further steps are needed.",
        ". No doubt about it.",
        ", not 6.",
        " (not 6).",
        ". This is the total.",
        "\n\nI hope this helps!",
        "\n5",
        ". Let me know if you need more.",
        ". This is one less than 6.",
        ". The perimeter is 20.",
        ". In decimal form this is 5.0.",
        ".\n\nConfidence: 90%",
        "\n\nVerification: 5 + 1 = 6.",
        "\n\nActually, you can verify this: 5 × 2 = 10.",
        ", and not 6 as one may think.",
        " when rounded to the nearest integer.",
        " [units].",
        ": 2 + 3.",
        " (two on the left and three on the right)",
        " is the smallest such number",
    ],
)
def test_upheld_in_value(after: str) -> None:
    assert compare(number(f"Answer: 5{after}").value or "", "5").equal


@pytest.mark.unit
@pytest.mark.parametrize(
    "after",
    [
        ". However, note that this is in metres.",
        ". No further steps are needed.",
    ],
)
def test_upheld(after: str) -> None:
    assert number(f"The answer is 5{after}").value == "5"


@pytest.mark.unit
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The answer is $x+1$. No, $x+2$.", None),
        ("The answer is $x+1$\n$x+2$", None),
        ("The answer is $x+1$ (wrong)", None),
        ("The answer is oak. However, it is elm.", None),
        ("The answer is oak. However, it is worth a look.", "oak"),
        ("The answer is $x+1$. It holds for all x.", "x+1"),
    ],
)
def test_formulas(text: str, value: str | None) -> None:
    assert passage(text).value == value


@pytest.mark.unit
def test_reasons() -> None:
    text = "5. No, 6."
    assert taken_back(text, 0, 1) == "withdrawn"
    assert taken_back("5\n6", 0, 1) == "several"
    assert taken_back("5", 0, 1) == ""


@pytest.mark.unit
@pytest.mark.parametrize(
    "words",
    [
        "5 fails",
        "5 would be too large",
        "5 plus 2",
        "5 to the fourth",
        "5 for every 8",
        "5 and a quarter",
        "5 hundredths",
        "5: 6",
        "hardly 5",
        "the reciprocal of 5",
        "a 5-digit number",
        "rounded to 5 decimal places",
        "worth 5 points",
        "5 for men and 6 for women",
        "5 on the left and 6 on the right",
        *("5 (left), 6 (right)", "5 (first), 7 (second)", "5 halved", "5 subtracted from 9"),
        *("5 isn't possible", "5 must be excluded", "5 leads to a contradiction", "5 no"),
        *("5 at first, 6 later", "5 onwards", "5 and counting", "5 under par", "5 away from 9"),
        *("log base 5", "max 5", "min. 5"),
        *("5 tens", "5 turns out impossible", "5 gives no solution", "5 gets rejected"),
        *("ruled out: 5", "excluded value 5", "the remainder on division by 5", "modulo 5"),
        *("a number ending with 5", "the next integer after 5", "the digit sum of 5"),
        *("the number preceding 5", "remainder after dividing by 5", "5 (approx. 6)"),
    ],
)
def test_words_that_make_another_thing_of_a_number(words: str) -> None:
    assert number(f"The answer is {words}.").value is None


@pytest.mark.unit
@pytest.mark.parametrize(
    "words",
    [
        *("5 dogs and cats", "5 colored balls", "5 tickets to the show", "5 of the bars"),
        *("5 people will attend", "5 by my count", "5 in the first row", "5 full boxes"),
        *("5, since there are 2 on the left and 3 on the right", "a total of 5", "exactly 5"),
        *("x = 5 is the only solution", "the value of 5", "5 rather than 6", "5 (not 6)"),
    ],
)
def test_words_that_leave_a_number_alone(words: str) -> None:
    assert compare(number(f"The answer is {words}.").value or "", "5").equal


@pytest.mark.unit
def test_what_is_said_of_the_answer_is_not_it() -> None:
    assert number("The answer contains 5 digits.").value is None
