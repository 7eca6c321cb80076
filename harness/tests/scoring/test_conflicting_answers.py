"""Replies that give a letter and then make it doubtful, and near them some that do not."""

from __future__ import annotations

import pytest

from harness.scoring import extract

COLOURS = ("grey", "pink", "brown", "white")


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        # a label first, then another choice as the text
        ("C. The vase is pink.", "C"),
        ("C. The vase is brown.", "C"),
        # a description of several things
        ("The vase is pink and the rug is white.", None),
        ("The vase is pink.", "B"),
        ("None of the vases is pink.", None),
        # a letter that ends the sentence before it, or a list
        ("I would definitely rule out\nC", None),
        ("Scurvy comes from a lack of vitamin\nC", None),
        ("Shown are the points:\nA\nB\nD", None),
        ("D\nstands on the left.", None),
        ("D\nbecause it is on the left.", "D"),
        ("The vase is on the left.\nC", "C"),
        # doubt
        ("The answer is C. Let me recount the marks.", None),
        ("The answer is C. However, this contradicts the table.", None),
        ("The answer is C. That does not look right.", None),
        ("The answer is C. That must be right.", "C"),
        ("The answer is C. Not so fast, there is a second rug.", None),
        # another answer after it
        ("The answer is C.\n\nD", None),
        ("The answer is C.\n\nC. brown", "C"),
        ("Answer: C\n\nFinal answer: purple", None),
        ("Answer: C\n\nFinal answer: The answer is", "C"),
        # other parts and questions
        ("(a) The answer is C.\n(b) The answer is D.", None),
        ("The answer is C.\n\nQuestion: What is next to it?\nAnswer: D", "C"),
        # not said for oneself
        ("A careless reader would say the answer is C.", None),
        ("At first glance, the answer is C.", None),
        ("Example: Answer: C", None),
        ("The naive answer is C.", None),
        ("The answer is C. My second choice is D.", "C"),
        ("The answer is C. D would be right for a darker rug.", "C"),
        # signs and names behind the letter
        ("The answer is C♯.", None),
        ("Answer: C ✗", None),
        ("The answer is C. Darwin.", None),
        ("The answer is C. It", "C"),
    ],
)  # fmt: skip
def test_letters(reply: str, value: str | None) -> None:
    assert extract("choice", reply, COLOURS).value == value


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("Yes, I understand the task.", None),
        ("Yes, I understand it is a rug.", "yes"),
        ("Yes, let me take a look.", None),
        ("No, I can't see the image.", None),
        ("No, I can't see any rug.", "no"),
        ("Yes, please.", None),
        ("The answer is yes.\n\nTherefore, no.", None),
        ("The answer is yes.\n\nYes.", "yes"),
        ("The sign says:\nNo", None),
    ],
)
def test_yes_and_no(reply: str, value: str | None) -> None:
    assert extract("yesno", reply).value == value
