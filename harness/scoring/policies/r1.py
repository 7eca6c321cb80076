"""The extractor of the R1-Onevision robustness study, as it was published.

It scores a letter A–E or, for every other gold, free text. Its known weak spots are part of it:
only the last 1,600 characters are looked at, so an answer that stands first in a long response is
lost; a whole response of the form "B. option text" is not read; the letters A–E are fixed, whatever
the item offers; and a letter is read in either case, so the article "a" after "answer:" is one.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import deque
from collections.abc import Iterator

from harness.scoring.policy import Grade, Item
from harness.types import Answer

PHRASE_WINDOW = 1600
TAIL_WINDOW = 800
LIST_REACH = 50

_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE)
_ALONE = re.compile(r"(?<![A-Z0-9])[A-E](?![A-Z0-9])", re.IGNORECASE)
# Every repetition is possessive: in a window full of blanks nothing may be tried twice.
_VALUE = (
    r"(?:(?:option|choice)\s*+)?+(?:\\?[\[(])?+(?:[\s*_]|\\(?!boxed))*+(?:\\boxed\s*+\{\s*+)?+"
    r"(?P<letter>[A-E])\b"
)
_QUALIFIED = (
    r"(?:final|correct|best|closest)\s++(?:answer|choice|option)\b(?:\s++(?:provided|selected))?+"
    r"[*_]{0,3}+\s*+(?:is\s*+)?+[*_]{0,3}+\s*+[:=]?+\s*+"
)
_UNQUALIFIED = r"(?:answer|choice)\b[*_]{0,3}+\s*+(?:is\b|[*_]{0,3}+\s*+[:=]\s*+[*_]{0,3}+)\s*+"
_CORRESPONDS = r"(?:corresponds?|matching)\s++to\s++(?:option|choice)\s*+"
_PHRASES = tuple(
    re.compile(head + _VALUE, re.IGNORECASE) for head in (_QUALIFIED, _UNQUALIFIED, _CORRESPONDS)
)
_BOX = re.compile(r"\\boxed\s*+\{\s*+(?P<letter>[A-E])\s*+\}", re.IGNORECASE)
_LISTED = re.compile(
    r"[\s*_.)\]}]*+(?:[,/&]|\band\b|\bor\b)\s*+(?:option|choice)?+\s*+[A-E]\b", re.IGNORECASE
)
_LAST_PHRASE = re.compile(
    r"(?:final\s++answer|answer|therefore|thus)\s*+(?:is|[:=])?+\s*+(?P<rest>.*)", re.IGNORECASE
)
_LEADING = re.compile(r"\s*+[\[(]?+\s*+(?P<letter>[A-E])\b", re.IGNORECASE)
_BARE = re.compile(r"\s*+[\[(]?+\s*+(?P<letter>[A-E])\s*+[\]).]?+\s*+", re.IGNORECASE)
_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})++|\d++)(?:\.\d++)?(?:e[-+]?\d++)?", re.IGNORECASE)
_DASHES = dict.fromkeys(map(ord, "−–—"), "-")
_DROPPED = dict.fromkeys(map(ord, "`*_{}$\\。．.,;:!?！？"))
_MAX_DIGITS = 400


def r1(item: Item, text: str) -> Grade:
    """Grade one response as the study did.

    Parameters
    ----------
    item : a `gold` of one character A–E, in either case, is a letter; every other gold is free
        text, whatever the item's kind. The choices are not looked at.
    text : the raw response.

    Returns
    -------
    Grade
        Rules: answer_tag, final_option_phrase, boxed, final_phrase or tail, with `_letter` where
        a letter was read and `_numeric` where the last numbers agree. `outcome` is review where
        the study set its flag for manual review; such a row is wrong and counted. See `parsed`
        for the study's parse rate, which is not the share of `answered`.

    References
    ----------
    R1-Onevision robustness study, scorer after its repair.
    """
    gold = item.gold.strip()
    if len(gold) == 1 and gold.upper() in "ABCDE":
        answer = read_letter(text)
        value = answer.value
        return Grade(
            answer=answer,
            outcome="review" if value is None else "answered",
            correct=value == gold.upper(),
            compared="letter",
        )
    method, span = _free_span(text)
    said = text[slice(*span)]
    how = _matched(gold, said)
    empty = not _plain(said) or not (_plain(gold) or item.choices)
    review = not how and (method == "tail" or empty)
    if _numbers_agree(gold, said):
        method += "_numeric"
    return Grade(
        answer=Answer(value=None if review else said, rule=method, span=span),
        outcome="review" if review else "answered",
        correct=bool(how),
        compared=how,
    )


def parsed(rule: str) -> bool:
    """Whether the study's parse rate counts a row: a bare-letter tail does not count.

    Parameters
    ----------
    rule : the rule of an `Answer` that `r1` gave.

    Returns
    -------
    bool
        False for every rule that starts with "tail" or "error".
    """
    return not rule.startswith(("error", "tail"))


def read_letter(text: str) -> Answer:
    """Read a letter A–E.

    Parameters
    ----------
    text : the raw response.

    Returns
    -------
    Answer
        The letter in upper case; or None with the stage that found none and the span looked at.
    """
    block = _last_block(text)
    if block is not None:
        last = _last(_ALONE.finditer(text, *block))
        return _found("answer_tag", last and last.span(), text, block)
    start = max(0, len(text) - PHRASE_WINDOW)
    tail = text[start:]
    best: tuple[int, bool] | None = None
    for at, boxed in _candidates(tail):
        if best is None or (at, boxed) > best:
            best = (at, boxed)
    if best is not None:
        at = start + best[0]
        return _found("boxed" if best[1] else "final_option_phrase", (at, at + 1), text, None)
    start = max(0, len(text) - TAIL_WINDOW)
    phrase = _last_phrase(text, start)
    if phrase is not None:
        head = _LEADING.match(text, *phrase)
        if head and not _LISTED.match(text, head.end(), min(phrase[1], head.end() + LIST_REACH)):
            return _found("final_phrase", head.span("letter"), text, phrase)
        return _found("final_phrase", None, text, phrase)
    bare = _BARE.fullmatch(text, start)
    return _found("tail", bare and bare.span("letter"), text, (start, len(text)))


def _candidates(tail: str) -> Iterator[tuple[int, bool]]:
    """(position of the letter, whether it is boxed) of all that states an answer."""
    for match in _BOX.finditer(tail):
        yield match.start("letter"), True
    for pattern in _PHRASES:
        for match in pattern.finditer(tail):
            end = match.end()
            if not _LISTED.match(tail, end, end + LIST_REACH):
                yield match.start("letter"), False


def _found(
    method: str, span: tuple[int, int] | None, text: str, looked_at: tuple[int, int] | None
) -> Answer:
    if span is None:
        return Answer(value=None, rule=method, span=looked_at)
    return Answer(value=text[slice(*span)].upper(), rule=f"{method}_letter", span=span)


def _last_block(text: str) -> tuple[int, int] | None:
    """The inside of the last closed answer block: an opening tag and the first close after it."""
    opened: int | None = None
    block: tuple[int, int] | None = None
    for tag in _TAG.finditer(text):
        if not tag[1]:
            opened = tag.end() if opened is None else opened
        elif opened is not None:
            block, opened = (opened, tag.start()), None
    return block and _trimmed(text, *block)


def _last_phrase(text: str, start: int) -> tuple[int, int] | None:
    """The rest of the last line that holds such a word, counted from its first one."""
    last = _last(_LAST_PHRASE.finditer(text, start))
    return last and _trimmed(text, *last.span("rest"))


def _free_span(text: str) -> tuple[str, tuple[int, int]]:
    block = _last_block(text)
    if block is not None:
        return "answer_tag", block
    start = max(0, len(text) - TAIL_WINDOW)
    phrase = _last_phrase(text, start)
    if phrase is not None:
        return "final_phrase", phrase
    return "tail", _trimmed(text, start, len(text))


def _last(matches: Iterator[re.Match[str]]) -> re.Match[str] | None:
    newest = deque(matches, maxlen=1)
    return newest[0] if newest else None


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


def _matched(gold: str, said: str) -> str:
    plain, other = _plain(gold), _plain(said)
    if plain and plain == other:
        return "equal"
    if plain and plain in other:
        return "contained"
    return "numeric" if _numbers_agree(gold, said) else ""


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).lower().translate(_DASHES)
    return "".join(folded.split()).translate(_DROPPED)


def _numbers_agree(gold: str, said: str) -> bool:
    left, right = _last_number(gold), _last_number(said)
    if left is None or right is None:
        return False
    return math.isclose(left, right, rel_tol=1e-5, abs_tol=1e-5)


def _last_number(text: str) -> float | None:
    last = _last(_NUMBER.finditer(text))
    if last is None or last.end() - last.start() > _MAX_DIGITS:
        return None
    return float(last[0].replace(",", ""))


__all__ = ["parsed", "r1", "read_letter"]
