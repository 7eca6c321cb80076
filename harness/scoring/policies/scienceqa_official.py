"""The published scoring of ScienceQA, with its random draw taken out.

Upstream, an output without a readable answer was given one of the item's options at random, and
some of those came out as correct. Here such a row has the outcome review, the rule `unscored`, and
is wrong, so that a report can say how many there are.
"""

from __future__ import annotations

import re

from harness.scoring.policy import Grade, Item
from harness.types import Answer

_STATED = re.compile(r"The answer is ([A-Z]).", re.DOTALL)


def scienceqa_official(item: Item, text: str) -> Grade:
    """Grade one output.

    Parameters
    ----------
    item : of kind choice; only the letters of its choices count as answers.
    text : the raw output.

    Returns
    -------
    Grade
        The answer is the whole output when it is one capital letter; else the first letter of an
        output that goes on with ". " ("B. text"); else the letter of "The answer is X.", where
        that occurs exactly once. The mark after X may be any character. Otherwise, or where the
        letter names none of the choices, the rule is `unscored`.

    References
    ----------
    P. Lu et al., "Learn to Explain" (2022), and H. Liu et al., "Visual Instruction Tuning" (2023).
    """
    answer = _read(text)
    letters = [chr(ord("A") + n) for n in range(min(len(item.choices), 26))]
    if answer.value not in letters:
        answer = Answer(value=None, rule="unscored", span=answer.span)
    return Grade(
        answer=answer,
        outcome="review" if answer.value is None else "answered",
        correct=answer.value is not None and answer.value == item.gold,
        compared="letter",
    )


def _read(text: str) -> Answer:
    if len(text) == 1:
        return Answer(value=text, rule="letter", span=(0, 1))
    if text[1:3] == ". ":
        return Answer(value=text[0], rule="leading_letter", span=(0, 1))
    first = _STATED.search(text)
    if first is None or _STATED.search(text, first.end()):
        return Answer(value=None, rule="unscored")
    return Answer(value=first[1], rule="the_answer_is", span=first.span(1))


__all__ = ["scienceqa_official"]
