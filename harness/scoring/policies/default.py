"""The scorer of this project: what is read with confidence, held against the gold."""

from __future__ import annotations

from harness.scoring.policy import Grade, Item
from harness.scoring.readers import compare, read_item
from harness.scoring.statements.refusal import refused
from harness.types import Answer, Outcome


def default(item: Item, text: str) -> Grade:
    """Grade a text as docs/decisions/0003-scoring.md says.

    Parameters
    ----------
    item : its kind chooses the reader; a gold in labelled parts asks for all of them.
    text : the raw response.

    Returns
    -------
    Grade
        `answered` where an answer was read and could be compared; `truncated` where thinking
        never ended; `refused` where nothing was read and the text declines; else `review`.

    Raises
    ------
    DataError
        For a kind that no reader serves, or choices that cannot have letters.
    """
    answer = read_item(item, text)
    if answer.value is None:
        return Grade(answer=answer, outcome=_without_answer(answer, text), correct=False)
    comparison = compare(item, answer.value)
    if comparison.equal is None:
        return Grade(answer=answer, outcome="review", correct=False, compared=comparison.rule)
    return Grade(
        answer=answer, outcome="answered", correct=comparison.equal, compared=comparison.rule
    )


def _without_answer(answer: Answer, text: str) -> Outcome:
    # Thinking that never ends is an answer that never came, whatever the model's status says.
    if answer.rule == "unclosed_thinking":
        return "truncated"
    return "refused" if refused(text) else "review"


__all__ = ["default"]
