"""Where a free answer stands in a response: a block, a statement, a box, or the bare reply."""

from __future__ import annotations

import re

from harness.scoring.statements.blocks import answer_blocks
from harness.scoring.statements.cues import CUE
from harness.scoring.statements.further import RESTATED_CHARS, further
from harness.scoring.statements.listing import goes_on, is_listed
from harness.scoring.statements.regions import Span, prose_cut, trimmed, unemphasised, unsure
from harness.scoring.statements.statement import REGION_CHARS, Reader, explicit, line_at
from harness.scoring.statements.text import Copy, normalise, unmarked
from harness.scoring.statements.thinking import spoken
from harness.types import Answer

_EXPLAINED = re.compile(
    r"[\s#*]*(?:explanation|reason(?:ing)?|justification|rationale)\s*[:*.]", re.I
)
_CLOSING = re.compile(
    r"\s*(?:I\s+hope|hope\s+(?:this|that)|let\s+me\s+know|is\s+there\s+anything|do\s+you\s+(?:have|want|need)"
    r"|if\s+you\s+have|feel\s+free|would\s+you\s+like|please\s+(?:let|feel))\b", re.I,
)  # fmt: skip
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=。)")
_CONCLUSION = re.compile(
    r"(?:therefore|thus|hence|so|consequently|finally|in\s+(?:conclusion|total|summary)|overall"
    r"|altogether)\b|∴|因此|所以|故|综上", re.I,
)  # fmt: skip
# "5 is the answer."
_SUBJECT = re.compile(
    r"[\s*]*(?P<said>(?:(?!(?:not|no|that|which|who|what|it|this|he|she|they)\b)[^\s?]{1,30}\s+){1,4})"
    r"is\s+(?:indeed\s+)?(?:the|my)\s+(?:(?:correct|right|final)\s+)?(?:answer|result|solution)[\s.!*]*",
    re.I,
)
WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}(?![A-Za-z({])")
_FUNCTIONS = re.compile(
    r"(?:sin|cos|tan|cot|sec|csc|log|ln|exp|sqrt|min|max|arcsin|arccos|arctan|pi|inf|infinity|and|or"
    r"|alpha|beta|gamma|theta|lambda|omega|phi|mu|sigma)",
    re.I,
)
_FORMULA = re.compile(r"[\d=^\\+*/<>√πθ∞]")


def passage(text: str) -> Answer:
    r"""Read where a free answer stands, as it stands.

    The order: the last closed answer block and nothing else once there is one; the latest
    explicit statement or box, a box on a tie; a reply of one short line, or a last line or
    "therefore …" that is only an answer. Anything less certain is left for review.

    Parameters
    ----------
    text : the raw response.

    Returns
    -------
    Answer
        `value` is the answer without delimiters and emphasis; `rule` says where it was read
        ("answer_block", "final_phrase", "boxed", "bare", "concluded") or why it was not;
        `span` lies in the raw text.

    Examples
    --------
    >>> passage(r"Hence \boxed{x^2}.")
    Answer(value='x^2', rule='boxed', span=(13, 16))
    """
    return find(text, _formula)


def find(text: str, read: Reader) -> Answer:
    """Ask a reader at each place where an answer may stand, the most certain ones first.

    Parameters
    ----------
    text : the raw response.
    read : gets (body, start, end, how), where how is "answer_block", "final_phrase", "boxed",
        "bare", "last_line" or "concluded".

    Returns
    -------
    Answer
        With the first span that the reader gives, or the first reason for review.
    """
    copy, unclosed = spoken(unemphasised(normalise(text)))
    if not copy.text.strip():
        rule = "unclosed_thinking" if unclosed else "only_thinking" if text.strip() else "empty"
        return Answer(value=None, rule=rule)
    asked = further(copy.text)
    if not asked:
        return _found(copy, unclosed, read, text)
    answer = _found(copy.keep([(0, asked[0])]), False, read, text)
    if answer.value is not None or answer.rule != "none":
        return answer
    answer = _found(copy, unclosed, read, text)
    if answer.value is None or answer.rule in ("answer_block", "boxed"):
        return answer
    restated = len(asked) == 1 and len(copy.text[: asked[0]].strip()) <= RESTATED_CHARS
    return answer if restated else Answer(value=None, rule="another_question")


def _found(copy: Copy, unclosed: bool, read: Reader, raw: str) -> Answer:
    body = copy.text
    closed, _ = answer_blocks(body)
    if closed is not None:
        stated_inside = explicit(body, *closed, read)
        found = stated_inside[1] if stated_inside else read(body, *closed, "answer_block")
        return _answer(copy, "answer_block", found)
    stated = explicit(body, 0, len(body), read)
    if stated:
        return _answer(copy, *stated)
    rule, found = _implicit(copy, read, raw)
    if found is None and unclosed:
        return Answer(value=None, rule="unclosed_thinking")
    return _answer(copy, rule, found)


def _answer(copy: Copy, rule: str, found: Span | str | None) -> Answer:
    if found is None:
        return Answer(value=None, rule=f"{rule}:none" if rule == "answer_block" else "none")
    if isinstance(found, str):
        return Answer(value=None, rule=f"{rule}:{found}")
    return Answer(value=copy.text[slice(*found)], rule=rule, span=copy.span(*found))


def _implicit(copy: Copy, read: Reader, raw: str) -> tuple[str, Span | str | None]:
    body = copy.text
    plain = unmarked(Copy(body[-REGION_CHARS:]))
    offset = max(0, len(body) - REGION_CHARS)
    lines = [m.span() for m in re.finditer(r"[^\n]+", plain.text) if m.group().strip()]
    if not lines:
        return "bare", None
    while len(lines) > 1 and _CLOSING.match(plain.text, lines[-1][0]):
        lines.pop()
    if len(lines) > 1 and _EXPLAINED.match(plain.text, lines[1][0]):
        lines = lines[:1]
    region = line_at(plain, lines[-1][0], body[offset:])
    if region is None:
        return "bare", None
    first, last = region[0] + offset, region[1] + offset
    # What its own cue or box could not make a statement ("It is not 5.") is none without it.
    subject = _SUBJECT.fullmatch(body, first, last)
    if subject:
        return "bare", read(body, subject.start("said"), subject.end("said"), "bare")
    if CUE.search(body, first, last) or "\\boxed{" in body[first:last]:
        return "bare", None
    alone = len(lines) == 1 and not offset
    if not alone and goes_on(body, first, last):
        return "bare", "denied"
    listed = not alone and is_listed(copy, first, last, raw)
    found = None if listed else read(body, first, last, "bare" if alone else "last_line")
    if found is not None:
        return "bare", found
    sentence = first
    for boundary in _SENTENCE.finditer(body, first, last):
        sentence = boundary.end() if boundary.end() < last else sentence
    if _CONCLUSION.match(body, sentence, last):
        return "concluded", read(body, sentence, last, "concluded")
    return "bare", "listed" if listed else None


def _formula(body: str, start: int, end: int, how: str) -> Span | str | None:
    if how in ("answer_block", "boxed"):
        return trimmed(body, start, end)
    if how == "concluded":
        verb = list(re.finditer(r"\b(?:is|are|equals|get|have)\b|:|为|是", body[start:end]))
        start += verb[-1].end() if verb else 0
    stop = prose_cut(body, start, end)
    region = trimmed(body, start, stop)
    if region is None or (how != "final_phrase" and body[stop:end].strip(" .!\n$*")):
        return None
    text = body[slice(*region)]
    n_words = sum(not _FUNCTIONS.fullmatch(w.group()) for w in WORD.finditer(text))
    if how == "final_phrase":
        return region if len(text) <= 600 and n_words <= 12 else None
    if unsure(text) or len(text) > 400:
        return None
    if how == "bare":
        return region if n_words <= 2 else None
    return region if n_words == 0 and (_FORMULA.search(text) or len(text) == 1) else None


__all__ = ["WORD", "find", "passage"]
