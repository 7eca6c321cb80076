"""The score of one response: its outcome, and whether its answer is the right one."""

from __future__ import annotations

import re

from harness.errors import DataError
from harness.scoring.choice import choice
from harness.scoring.yesno import yesno
from harness.types import Answer, Example, Outcome, Response, Score

_EXCLUDED: tuple[Outcome, ...] = ("resource_error", "runtime_error")
_FINISHED = re.compile(r"[)\]}>*_$\"' \t]*(?:[.!;\u3002\uff01\uff1b\n]|because\b|since\b)")
_NOT_READ = Answer(value=None, rule="not_read")


def extract(kind: str, text: str, choices: tuple[str, ...] = ()) -> Answer:
    """Read the answer of a response.

    Parameters
    ----------
    kind : "choice" or "yesno".
    text : the raw response.
    choices : the item's choices, A first (kind `choice` only).

    Returns
    -------
    Answer
        The letter, or "yes" or "no"; None, for review, where none can be read with confidence.

    Raises
    ------
    DataError
        For another kind: an example that cannot be scored must not pass for one that was.

    Examples
    --------
    >>> extract("choice", "The answer is B.", ("red", "blue")).value
    'B'
    """
    match kind:
        case "choice":
            return choice(text, choices)
        case "yesno":
            return yesno(text)
    raise DataError(f"unknown example kind {kind!r}: expected choice or yesno")


def grade(example: Example, response: Response) -> Score:
    """Score a response against its example.

    Parameters
    ----------
    example : its kind chooses the reader; `gold` is a letter, or "yes" or "no".
    response : of that example. A response that the token budget cut off counts as answered
        only when its answer block, box or sentence had ended before.

    Returns
    -------
    Score
        `correct` only where the outcome is `answered`; `counted` is False for the outcomes
        `resource_error` and `runtime_error`.

    Raises
    ------
    DataError
        When the response is another example's, has no text though its status says so, or the
        example's kind is unknown.
    """
    if response.example_id != example.id:
        raise DataError(f"{example.id}: expected its own response, found {response.example_id}'s")
    outcome, answer = _outcome(example, response)
    return Score(
        example_id=example.id,
        replicate=response.replicate,
        group=example.group,
        role=example.role,
        gold=example.gold,
        outcome=outcome,
        correct=outcome == "answered" and answer.value == example.gold,
        counted=outcome not in _EXCLUDED,
        answer=answer,
    )


def _outcome(example: Example, response: Response) -> tuple[Outcome, Answer]:
    match response.status:
        case "oom":
            return "resource_error", _NOT_READ
        case "error":
            return "runtime_error", _NOT_READ
        case "refused":
            return "refused", _NOT_READ
    if response.text is None:
        raise DataError(f"{example.id}: a response of status {response.status} must have a text")
    answer = extract(example.kind, response.text, example.choices)
    if response.status == "truncated" and not _was_finished(answer, response.text):
        return "truncated", Answer(value=None, rule=f"truncated:{answer.rule}")
    if answer.value is not None:
        return "answered", answer
    # Thinking that never ends is an answer that never came, whatever the model's status says.
    return ("truncated" if answer.rule == "unclosed_thinking" else "review"), answer


def _was_finished(answer: Answer, text: str) -> bool:
    if answer.value is None or answer.span is None:
        return False
    if answer.rule in ("answer_block", "boxed"):
        return True
    return answer.rule == "final_phrase" and bool(_FINISHED.match(text, answer.span[1]))


__all__ = ["extract", "grade"]
