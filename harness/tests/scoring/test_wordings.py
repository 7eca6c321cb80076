"""Ways to name a letter: exclusive denials, conclusions, other languages."""

import pytest

from harness.scoring import extract

pytestmark = pytest.mark.unit
COLOURS = ("grey", "pink", "brown", "white")


@pytest.mark.parametrize(
    "text",
    [
        "The answer can only be C.",
        "The answer cannot be anything other than C.",
        "The answer is none other than C.",
        "The correct answer is not A, B or D, but C.",
        "The answer isn't A but C.",
        "The answer is, without any doubt, C.",
        "This leaves us with option C.",
        "The closest to this is option C.",
        "Our result matches C.",
        "That rounds to 15, which is option C.",
        "I'm 90% confident that the answer is C.",
        "It turns out that the answer is C.",
        "If you look closely, the answer is C.",
        "This makes C the correct answer.",
        "Option c is correct.",
        "In my opinion it's C.",
        "Judging by the lid, it's C.",
        "Bottom line: C",
        "Must be C.",
        "C - because the box is brown.",
        "Answer: I think it's C.",
        "Answer [A/B/C/D]: C",
        "A resposta é a C.",
        "L'option correcte est C.",
        "L'opzione corretta è C.",
        "Đáp án đúng là C.",
        "Richtig ist Antwort C.",
        "คำตอบคือ C",
        "उत्तर: C",
        "答案不是A，而是C。",
        "正解はAではなくCです。",
        "정답은 A가 아니라 C입니다.",
        "Cが正解です。",
    ],
)
def test_a_letter_is_named(text: str) -> None:
    assert extract("choice", text, COLOURS).value == "C"


@pytest.mark.parametrize(
    "text", ["请选择：A. 灰 B. 粉 C. 棕 D. 白", "The answer is not only C.", "Either (A) or\n(C)"]
)
def test_no_letter_is_named(text: str) -> None:
    assert extract("choice", text, COLOURS).value is None
