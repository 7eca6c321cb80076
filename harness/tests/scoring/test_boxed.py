"""Boxes that are denied, supposed, reported, compared, or a part of something larger."""

from __future__ import annotations

import pytest

from harness.scoring import grade
from harness.scoring.quantities.number import number

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "text",
    [
        *("The trap answer is @.", "A tempting answer is @.", "The wrong answer: @"),
        *("Many people answer @.", "My friend got @.", "One might think it is @."),
        *("Suppose the answer is @.", "Assume x = @.", "Had we left out the lid we would get @."),
        *("I doubt it is @.", "It is anything but @.", "Could the answer be @?", "It is not @."),
        *("Upper bound: @", "x is less than @", "n > @", "x \\le @"),
        *("@ seems off.", "@ — no, 8.", "@ is not it.", "@ must be rejected.", "@ looks wrong."),
        *("@. Recounting gives 8.", "@ or 8", "@ if x > 0, and 8 otherwise"),
        *("Ann: @\nBob: \\boxed{8}", "Left: @, right: \\boxed{8}."),
        *("$(@)^2$", "$\\frac{@}{2}$", "$@\\times 10^3$", "$2\\cdot@$", "$@\\%$ of 20", "$@_8$"),
        *("$\\left|@\\right|$", "$@x$", "$@:3$", "$1.@$", "$e^{@}$", "$3 - @$", "$@\\text{ or }8$"),
    ],
)
def test_no_answer(text: str) -> None:
    score = grade("number", text.replace("@", "\\boxed{7}"), (), "7")
    assert not score.correct


@pytest.mark.parametrize(
    "text",
    [
        *("If x = 3, the value is @.", "The answer would be @.", "We need at least @ coins."),
        *("The mean error is @.", "The number of wrong answers is @.", "The total is @ or 7.0"),
        *("Students in the class: @", "The upper limit of the integral is @.", "@ is correct."),
        *("It is not 8. It is @.", "Is it 8? No. It is @.", "@ (not 8)", "@ apples in total"),
        *("It is @, which is wrong by no more than 1%.", "@\n\nNote that 8 is too large."),
        "x = 2, y = 3.\n\n@",
    ],
)
def test_an_answer(text: str) -> None:
    assert grade("number", text.replace("@", "\\boxed{7}"), (), "7").correct


def test_reasons() -> None:
    assert number("$\\boxed{7}^2$").rule == "boxed:part_of_a_formula"
    assert number("\\boxed{7} if x > 0, and 8 otherwise").rule == "boxed:conditional"
    assert number("\\boxed{7} or 8").rule == "boxed:several"
    assert number("\\boxed{f('7')}").rule == "boxed:not_a_number"
