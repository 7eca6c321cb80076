"""The score of one response: its outcome, and whether its answer is the right one."""

from __future__ import annotations

import re
from dataclasses import replace
from string import ascii_uppercase

from harness.errors import DataError
from harness.scoring.policies import ANSWERED_ONLY, policy_named
from harness.scoring.policy import Grade, Item
from harness.scoring.readers import KINDS, read
from harness.types import Answer, Example, Response, Score

_FINISHED = re.compile(r"[)\]}>*_$\"' \t]*(?:[.!;\u3002\uff01\uff1b\n]|because\b|since\b)")
_NOT_READ = Answer(value=None, rule="not_read")


def extract(kind: str, text: str | bytes | None, choices: tuple[str, ...] = ()) -> Answer:
    """Read the answer of a response.

    Parameters
    ----------
    kind : "choice", "yesno", "preference", "number", "expression" or "text".
    text : the raw response; anything but a string is not read.
    choices : the item's choices, A first (kind `choice` only).

    Returns
    -------
    Answer
        A letter, "yes" or "no", "A" or "B", or the words of the answer; None, for review,
        where none can be read with confidence. `rule` names where it stood or why it was not
        read; `span` lies in the raw text.

    Raises
    ------
    DataError
        For another kind: an example that cannot be scored must not pass for one that was.

    Examples
    --------
    >>> extract("choice", "The answer is B.", ("red", "blue")).value
    'B'
    """
    if kind not in KINDS:
        raise DataError(f"no reader for examples of kind {kind!r}: expected {', '.join(KINDS)}")
    if not isinstance(text, str):
        return Answer(value=None, rule="not_text")
    return read(kind, text, choices)


def grade(
    kind: str,
    text: str | bytes | None,
    choices: tuple[str, ...],
    gold: str,
    policy: str = "default",
    *,
    exact: bool = False,
) -> Score:
    """Grade a text that came back for a question.

    Parameters
    ----------
    kind, text, choices : as for `extract`.
    gold : a letter, "yes" or "no", or the answer in words; a gold in labelled parts, such as
        "(a) 3 (b) 4", asks for every part.
    policy : one of `harness.scoring.policies.POLICIES`.
    exact : numbers must match exactly (counts, years, identifiers) instead of within 1 %.

    Returns
    -------
    Score
        Without the names of an example; `correct` only where the outcome is `answered`.

    Raises
    ------
    DataError
        For a kind or a policy that is not known, choices that cannot have letters, or a gold
        that is not the letter of a choice.

    Examples
    --------
    >>> grade("number", "So the total is 1,200 m.", (), "1.2 km").correct
    True
    """
    item = Item(kind=kind, gold=gold, choices=choices, exact=exact)
    _check_letter(item)
    return _scored(item, _of_text(item, text, policy), policy)


def score(example: Example, response: Response, policy: str = "default") -> Score:
    """Score a stored response against its example.

    Parameters
    ----------
    example : what was asked.
    response : of that example. One that the token budget cut off counts as answered only when
        its answer block, box or sentence had ended before; published policies do not ask.
    policy : as for `grade`.

    Returns
    -------
    Score
        `counted` is False for the outcomes `resource_error` and `runtime_error`, which are no
        answers of the model.

    Raises
    ------
    DataError
        When the response is another example's, has no text though its status says so, the
        example's kind or the policy is not known, or its gold is no letter of its choices.
    """
    if response.example_id != example.id:
        raise DataError(f"{example.id}: expected its own response, found {response.example_id}'s")
    item = Item(kind=example.kind, gold=example.gold, choices=example.choices, exact=example.exact)
    _check_letter(item)
    return replace(
        _scored(item, _of_status(item, response, policy), policy),
        example_id=example.id,
        replicate=response.replicate,
        group=example.group,
        role=example.role,
    )


def _check_letter(item: Item) -> None:
    """A gold that no answer can match is a fault of the data, not of the model."""
    if item.kind != "choice" or not item.choices:
        return
    letters = ascii_uppercase[: len(item.choices)]
    if not isinstance(item.gold, str) or len(item.gold) != 1 or item.gold not in letters:
        raise DataError(
            f"expected a gold from A to {letters[-1]}, the letter of one of {len(item.choices)} "
            f"choices, found {item.gold!r:.40}"
        )


def _scored(item: Item, grade: Grade, policy: str) -> Score:
    answered = grade.outcome == "answered"
    return Score(
        gold=item.gold,
        outcome=grade.outcome,
        correct=answered and grade.correct,
        counted=grade.counted and (answered or policy not in ANSWERED_ONLY),
        answer=grade.answer,
        compared=grade.compared,
    )


def _of_status(item: Item, response: Response, policy: str) -> Grade:
    match response.status:
        case "oom":
            return Grade(answer=_NOT_READ, outcome="resource_error", correct=False, counted=False)
        case "error":
            return Grade(answer=_NOT_READ, outcome="runtime_error", correct=False, counted=False)
        case "refused":
            return Grade(answer=_NOT_READ, outcome="refused", correct=False)
    if response.text is None:
        raise DataError(
            f"{response.example_id}: a response of status {response.status} must have a text"
        )
    grade = _of_text(item, response.text, policy)
    # The published behaviours read a text that was cut off like any other.
    ours = policy in ("default", "drop_unparsed")
    if ours and response.status == "truncated" and not _was_finished(grade.answer, response.text):
        cut = Answer(value=None, rule=f"truncated:{grade.answer.rule}")
        return Grade(answer=cut, outcome="truncated", correct=False)
    return grade


def _of_text(item: Item, text: str | bytes | None, policy: str) -> Grade:
    judge = policy_named(policy)
    if not isinstance(text, str):
        answer = Answer(value=None, rule="not_text")
        return Grade(answer=answer, outcome="review", correct=False)
    return judge(item, text)


def _was_finished(answer: Answer, text: str) -> bool:
    if answer.value is None or answer.span is None:
        return False
    if answer.rule in ("answer_block", "boxed"):
        return True
    return answer.rule == "final_phrase" and bool(_FINISHED.match(text, answer.span[1]))


__all__ = ["extract", "grade", "score"]
