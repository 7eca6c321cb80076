"""Tokens of chat templates, and who is named as the speaker."""

import pytest

from harness.scoring import extract
from harness.scoring.statements.text import normalise
from harness.scoring.statements.tokens import untokened

pytestmark = pytest.mark.unit
COLOURS = ("grey", "pink", "brown", "white")


@pytest.mark.parametrize(
    "text",
    [
        "C</s>",
        "<s> C</s>",
        "C<|im_end|>",
        "C<end_of_turn>",
        "[/INST] C",
        "<|begin_of_box|>C<|end_of_box|>",
        "Answer: A\n\nFinal answer: C</s>",
        "ASSISTANT: C",
        "### Assistant: C",
        "Ans. (C)",
    ],
)
def test_the_answer_between_tokens(text: str) -> None:
    answer = extract("choice", text, COLOURS)
    assert answer.value == "C"
    assert answer.span is not None and "C" in text[slice(*answer.span)]


def test_what_is_struck_out_stays_struck_out() -> None:
    assert extract("choice", "The answer is <s>A</s> C", COLOURS).value == "C"
    text = "a < b and s > 2"
    assert untokened(normalise(text)).text == text
