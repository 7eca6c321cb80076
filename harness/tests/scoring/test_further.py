"""Questions that a response goes on to ask itself, and last lines that are one of a list."""

from __future__ import annotations

import time

import pytest

from harness.scoring.free.wording import wording
from harness.scoring.quantities.number import number
from harness.scoring.statements.further import further
from harness.scoring.statements.passage import passage

FIRST = "Each box holds 4 pens, so the answer is 12."
NEXT = "\n\nQuestion: How many legs have two dogs?\n\nSolution: 2 x 4 = 8. The answer is 8."
LONG = "The picture cannot be made out well enough to count the pens that are in the boxes. " * 3


@pytest.mark.unit
@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("", 0),
        ("The answer is 5.", 0),
        ("Question: How many?\nAnswer: 5", 0),
        (" \n**Question:** How many?\nAnswer: 5", 0),
        ("5\nQuestion: How many?\nQuestion 2: Which?", 2),
        ("5\n\n**Question:** How many?", 1),
        ("5\n### Question 2: How many?", 1),
        ("5\nQ: How many?\nA: 6", 1),
        ("5\nHuman: Thanks. And 3 + 4?", 1),
        ("The next question: how many? 5.", 0),
        ("5\nQuestions: none.", 0),
    ],
)
def test_further_questions(text: str, n: int) -> None:
    assert len(further(text)) == n


@pytest.mark.unit
@pytest.mark.parametrize(
    ("text", "value", "rule"),
    [
        (FIRST + NEXT, "12", "final_phrase"),
        (FIRST + NEXT + NEXT, "12", "final_phrase"),
        ("12" + NEXT, "12", "bare"),
        ("\\boxed{12}" + NEXT.replace("The answer is 8", "\\boxed{8}"), "12", "boxed"),
        ("The answer is 12 or 15." + NEXT, None, "final_phrase:several"),
        (LONG + NEXT, None, "another_question"),
        ("I see pens." + NEXT + NEXT, None, "another_question"),
        ("Let me say it again." + NEXT, "8", "final_phrase"),
        (LONG + "\nQuestion: how many?\n<answer>12</answer>", "12", "answer_block"),
        (LONG + "\nQuestion: how many?\n\\boxed{12}", "12", "boxed"),
        ("Question: How many?\nAnswer: 12", "12", "final_phrase"),
    ],
)
def test_an_answer_to_another_question_is_none(text: str, value: str | None, rule: str) -> None:
    answer = number(text)
    assert (answer.value, answer.rule) == (value, rule)


@pytest.mark.unit
@pytest.mark.parametrize("read", [passage, wording])
def test_formulas_and_words_too(read: object) -> None:
    assert callable(read)
    assert read("The answer is oak.\n\nQuestion: Which?\n\nThe answer is elm.").value == "oak"


@pytest.mark.unit
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Here is the sequence:\n\n15\n11\n22", None),
        ("Here is the sequence:\n\n15\n\n22", None),
        ("We add them again:\n\n22\n\n22", "22"),
        ("The rows:\n\nUp | 7\nDown | 5", None),
        ("The rows:\n\n| Up | 7 |\n| Down | 5 |", None),
        ("The others:\n\n* elm: 4\n* oak: 2", None),
        ("Here's how I got the answer:\n\n1. Add them.\n\nTherefore, the sum is 19.", "19"),
        ("Here is the solution:\n\n1. Add 3 and 4.\n2. That is it.", None),
        ("Answer:\n1. 12\n2. 15", None),
        ("Answer:\n- 12\n- 15", None),
        ("Answer:\n- 12", "12"),
        ("The parts:\n\na_x = 9\na_y = 5", None),
        ("The parts:\n\n2x = 10\nx = 5", "x = 5"),
        ("The code prints\n\n```\n35\n```", None),
        ("The code prints\n\n```\n35\n```\n\nI hope this helps!", None),
        ("```\n35\n```", "35"),
        ("```\nprint(3)\n```\n\n35", "35"),
        ("Answer:\n```\n35\n```", "35"),
        ("We add them.\n\n= 12 + 23\n= 35", "35"),
    ],
)
def test_one_of_a_list_is_no_answer(text: str, value: str | None) -> None:
    answer = number(text)
    assert (answer.value or "").strip("= ") == (value or "")
    assert value is not None or answer.rule in ("bare:listed", "final_phrase:several", "none")


@pytest.mark.unit
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The total is\n12", "12"),
        ("It is not\n12", None),
        ("Some would say\n12", None),
        ("If it were blue, the answer would be\n12", None),
        ("We add 4 * 3\n12", "12"),
    ],
)
def test_a_line_that_ends_a_sentence_above(text: str, value: str | None) -> None:
    assert number(text).value == value


@pytest.mark.unit
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12</s>", "12"),
        ("The answer is 12.<|im_end|>", "12"),
        ("<|begin_of_box|>12<|end_of_box|>", "12"),
        ("[/INST] 12", "12"),
        ('{"answer": "12"}', "12"),
        ("Answer: '12'.", "12"),
        ("The answer is 12.[3]", "12"),
        ("The expected format is: Answer: 12", None),
        ("We have 3 * 4 = 12, and therefore", None),
        ("The area is 12. Now we take the", None),
        ("The least is **12**. It is the bar on the left.", "12"),
        ("HTTP 500 Internal Server Error", None),
    ],
)
def test_what_surrounds_a_number(text: str, value: str | None) -> None:
    assert number(text).value == value


@pytest.mark.unit
@pytest.mark.parametrize(
    "words",
    [
        "12 squared",
        "12 factorial",
        "twice 12",
        "the root of 12",
        "a multiple of 12",
        "divisible by 12",
        "option 12",
        "20% of 50",
        "half of 12",
        "12 out of 15",
        "12 (base 3)",
    ],
)
def test_a_number_that_only_describes_the_answer(words: str) -> None:
    assert number(f"The answer is {words}.").value is None


@pytest.mark.unit
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$-\\boxed{x}$", None),
        ("$2\\boxed{x}$", None),
        ("$\\boxed{x}^2$", None),
        ("$\\boxed{x}\\pi$", None),
        ("$\\boxed{x} + \\boxed{y}$", None),
        ("It is not $\\boxed{x}$", None),
        ("It can't be $\\boxed{x}$.", None),
        ("Is it $\\boxed{x}$?", None),
        ("A common mistake is $\\boxed{x}$.", None),
        ("$y > \\boxed{x}$", None),
        ("$\\boxed{x} \\neq y$", None),
        ("$\\boxed{x}!$", None),
        ("Case 1: $\\boxed{x}$. Case 2: $\\boxed{y}$.", None),
        ("The length is $\\boxed{x}$ and the width is $\\boxed{y}$.", None),
        ("First we get $\\boxed{y}$. Final answer: $\\boxed{x}$", "x"),
        ("The answer is $\\boxed{x}$!", "x"),
        ("- $\\boxed{x}$", "x"),
        ("so\n- \\boxed{x}", "x"),
        ("$y = \\boxed{x}$ - as shown", "x"),
        ("$\\boxed{x}^\\circ$", "x"),
        ("$y = \\boxed{x} \\approx 3$", "x"),
    ],
)
def test_a_box_with_a_part_of_the_formula_outside(text: str, value: str | None) -> None:
    assert passage(text).value == value


@pytest.mark.unit
def test_many_questions_cost_linear_time() -> None:
    text = "so it goes\nQuestion: 5?\n" * 8_000
    start = time.process_time()
    assert number(text).value is None
    assert time.process_time() - start < 20  # seconds of the processor: linear, not quick
