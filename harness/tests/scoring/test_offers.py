"""A yes or no that replies to the prompt, or whose sentence gives the answer."""

import pytest

from harness.scoring import extract

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    "text",
    [
        "Yes, I understand the task.",
        "Yes, let me take a look.",
        "Yes, what would you like to know?",
        "No, I can't answer that.",
        "No, I cannot see the image.",
        "Yes, as an AI model I can read pictures, please upload one.",
        "Ja, bitte laden Sie das Bild hoch.",
        "はい、わかりました。画像を送ってください。",
        "Yes ❌",
        "It's a yes and a no.",
        "I'd say yes, but I'd also say no.",
    ],
)
def test_replies_that_answer_nothing(text: str) -> None:
    assert extract("yesno", text).value is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Yes, I can see a box in the image.", "yes"),
        ("No, I can't see any box.", "no"),
        ("Yes, please note the box on the left.", "yes"),
        ("Based on the image, yes, there is a box.", "yes"),
        ("Unfortunately, no.", "no"),
        ("In short: yes.", "yes"),
        ("Without a doubt, yes.", "yes"),
        ("It's a no.", "no"),
        ("The answer to your question is no.", "no"),
        ("Is the lid on? It looks shut. Yes, the lid is on.", "yes"),
        ("No, that's not true.", "no"),
        ("No. That is wrong.", None),
        ("No\nNo\nNo", "no"),
        ("Oh no!", None),
    ],
)
def test_replies_that_answer(text: str, value: str | None) -> None:
    assert extract("yesno", text).value == value
