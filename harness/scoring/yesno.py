"""The answer to a yes/no question; what is neither is neither."""

from __future__ import annotations

import re

from harness.scoring.blocks import answer_blocks, boxes
from harness.scoring.options import Reading
from harness.scoring.phrases import stated
from harness.scoring.text import Copy, normalise, unmarked
from harness.scoring.thinking import spoken
from harness.types import Answer

_WORDS = {
    **dict.fromkeys(
        ("yes", "yeah", "yep", "yup", "ja", "oui", "sí", "да", "はい", "예", "네"), "yes"
    ),
    **dict.fromkeys(("是", "是的", "有"), "yes"),
    **dict.fromkeys(("no", "nope", "nah", "nein", "non", "нет", "いいえ", "아니요"), "no"),
    **dict.fromkeys(("否", "不是", "没有"), "no"),
}
_WORD = re.compile(
    r"[\s\"'(\[{]*(" + "|".join(sorted(map(re.escape, _WORDS), key=len, reverse=True)) + r")"
    r"(?![A-Za-z0-9'-])", re.IGNORECASE,
)  # fmt: skip
_CLOSED = re.compile(r"[\s\"')\]}]*(?:$|[.,;:!\n。]|[-–—]\s)")
_GOES_ON = re.compile(
    r"\s+(?:there|it|this|that|the|they|he|she|we|I|you|because|since|as|in)\b", re.IGNORECASE
)
_BOTH = re.compile(r"[\s,]*(?:and|or|/|&|和|或)\s*(?:yes|no|是|否)\b", re.IGNORECASE)
_SENTENCE_START = re.compile(r"(?:^|[.!?\n:;。])\s*", re.MULTILINE)


def yesno(text: str) -> Answer:
    """Read "yes" or "no" from a response.

    The order is that of `choice`: the last closed answer block; the latest explicit statement
    or box; a leading yes or no that no later sentence contradicts; a last line that is only
    yes or no. A description, a hedge or garbage is no answer, least of all "yes".

    Parameters
    ----------
    text : the raw response.

    Returns
    -------
    Answer
        `value` is "yes", "no" or None; `span` lies in the raw text.

    Examples
    --------
    >>> yesno("Yes, there is a dog.").value, yesno("Yesterday it rained.").value
    ('yes', None)
    """
    copy, unclosed = spoken(unmarked(normalise(text)))
    body = copy.text
    if not body.strip():
        rule = "unclosed_thinking" if unclosed else "only_thinking" if text.strip() else "empty"
        return Answer(value=None, rule=rule)
    closed, _ = answer_blocks(body)
    if closed is not None:
        return _answer(copy, _in_block(body, *closed), "answer_block")
    rule, reading = _explicit(body)
    if reading is None:
        rule, reading = _implicit(body)
    if reading is None:
        return Answer(value=None, rule="unclosed_thinking" if unclosed else "none")
    return _answer(copy, reading, rule)


def _answer(copy: Copy, reading: Reading | None, rule: str) -> Answer:
    if reading is None:
        return Answer(value=None, rule=f"{rule}:none")
    if reading.value is None:
        return Answer(value=None, rule=f"{rule}:{reading.why}")
    return Answer(value=reading.value, rule=rule, span=copy.span(reading.start, reading.end))


def _in_block(text: str, start: int, end: int) -> Reading | None:
    inner = text[start:end]
    reading = _explicit(inner)[1] or _implicit(inner)[1]
    if reading is None:
        return None
    return Reading(reading.value, reading.start + start, reading.end + start, reading.why)


def _explicit(text: str) -> tuple[str, Reading | None]:
    phrase = stated(text, lambda place: _at(text, place))
    for start, end in reversed(boxes(text)):
        boxed = _at(text[:end], start)
        if boxed and (phrase is None or boxed.start >= phrase.start):
            return "boxed", boxed
    return "final_phrase", phrase


def _at(text: str, place: int) -> Reading | None:
    word = _WORD.match(text, place)
    if not word:
        return None
    value, start, end = _WORDS[word.group(1).casefold()], word.start(1), word.end(1)
    if _BOTH.match(text, end):
        return Reading(None, start, end, "several")
    if re.match(r"[\s\"')\]}]*[?]", text[end : end + 8]):
        return Reading(None, start, end, "question")
    wide = not text[start].isascii()
    if wide or _CLOSED.match(text, end) or _GOES_ON.match(text, end):
        return Reading(value, start, end)
    return None


def _implicit(text: str) -> tuple[str, Reading | None]:
    said = [
        reading
        for sentence in _SENTENCE_START.finditer(text)
        if (reading := _at(text, sentence.end())) and reading.why != "question"
    ]
    values = {reading.value for reading in said}
    if not said:
        return "leading", None
    if len(values) > 1 or None in values:
        return "leading", Reading(None, said[0].start, said[-1].end, "several")
    if not text[: said[0].start].strip(" \n\"'([{>#-•"):
        return "leading", said[0]
    last_line = text.rstrip().rpartition("\n")[2]
    if re.fullmatch(r"\W*" + _WORD.pattern + r"\W*", last_line, re.IGNORECASE):
        return "bare", said[-1]
    return "leading", None


__all__ = ["yesno"]
