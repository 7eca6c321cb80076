"""The scorers of the unified multimodal evaluation protocol: ScienceQA's choices, POPE's yes/no.

The protocol reads a prediction file, whose writer has already normalised a model's text. Here the
text is first taken for such a prediction and, where that gives nothing, normalised as the writer
does. Known weak spots: a string of digits is an index even where it is also the text of a choice; a
letter beyond the choices counts as read, and so does a leading article "a"; a text that starts
with "no" says no, and so do "not sure" and "nothing".
"""

from __future__ import annotations

import re

from harness.errors import DataError
from harness.scoring.policy import Grade, Item
from harness.types import Answer

INVALID = "__invalid__"
_CUE = re.compile(r"\b(?:answer|option|choice)\s*+(?:is\b|:)\s*+:?+\s*+", re.IGNORECASE)
_LEADING = re.compile(r"\s*+[(\[]?+([A-Z])(?![^\W_])", re.IGNORECASE)
_MAX_DIGITS = 9


def protocol(item: Item, text: str) -> Grade:
    """Grade one prediction as the protocol does.

    Parameters
    ----------
    item : of kind choice (ScienceQA) or yesno (POPE).
    text : the raw response, or the prediction of a prediction file; `__invalid__` is no answer.

    Returns
    -------
    Grade
        Without an answer: review, wrong and counted. Of a choice, the value is the letter of the
        index, or the digits themselves beyond Z.

    Raises
    ------
    DataError
        For another kind: the protocol has no rule for it.

    References
    ----------
    Unified multimodal evaluation protocol, MR3 (scorers) and the files of `multimodal-predict`.
    """
    if item.kind == "choice":
        answer = _choice(text, item.choices)
    elif item.kind == "yesno":
        answer = _yesno(text)
    else:
        raise DataError(f"policy protocol: expected kind choice or yesno, found {item.kind!r}")
    return Grade(
        answer=answer,
        outcome="review" if answer.value is None else "answered",
        correct=answer.value is not None and answer.value == item.gold,
        compared=item.kind,
    )


def normalise(text: str, choices: tuple[str, ...]) -> str:
    """Give what the protocol writes to a prediction file for a raw response.

    Parameters
    ----------
    text : the raw response.
    choices : the item's choices, A first.

    Returns
    -------
    str
        The leading letter after the last "answer is" or "answer:" (or option, choice), or of the
        whole text, where it names one of the choices; else the letter of the choice whose text
        the whole response is; else `__invalid__`.
    """
    start = 0
    for cue in _CUE.finditer(text):
        start = cue.end()
    for at in sorted({start, 0}, reverse=True):
        match = _LEADING.match(text, at)
        if match and _index(match[1]) < len(choices):
            return match[1].upper()
    position = _by_text(text, choices)
    return INVALID if position is None else _letter(position)


def _choice(text: str, choices: tuple[str, ...]) -> Answer:
    said = text.strip()
    if said == INVALID:
        return Answer(value=None, rule="invalid")
    if said.isascii() and said.isdigit():
        digits = said.lstrip("0") or "0"
        value = _letter(int(digits)) if len(digits) <= _MAX_DIGITS else digits
        return Answer(value=value, rule="index", span=_span(text))
    if len(said) == 1 and said.isascii() and said.isalpha():
        return Answer(value=said.upper(), rule="letter", span=_span(text))
    position = _by_text(said, choices)
    if position is not None:
        return Answer(value=_letter(position), rule="choice_text", span=_span(text))
    read = normalise(text, choices)
    if read == INVALID:
        return Answer(value=None, rule="unparsed")
    return Answer(value=read, rule="normalised")


def _yesno(text: str) -> Answer:
    said = text.strip().casefold().rstrip(".!")
    if said.startswith(("yes", "是")):
        return Answer(value="yes", rule="starts_with_yes", span=_span(text))
    if said.startswith(("no", "否", "不是")):
        return Answer(value="no", rule="starts_with_no", span=_span(text))
    return Answer(value=None, rule="unparsed")


def _by_text(text: str, choices: tuple[str, ...]) -> int | None:
    said = text.strip().casefold()
    return next((n for n, c in enumerate(choices) if c.strip().casefold() == said), None)


def _index(letter: str) -> int:
    return ord(letter.upper()) - ord("A")


def _letter(index: int) -> str:
    return chr(ord("A") + index) if index < 26 else str(index)


def _span(text: str) -> tuple[int, int]:
    return len(text) - len(text.lstrip()), len(text.rstrip())


__all__ = ["INVALID", "normalise", "protocol"]
