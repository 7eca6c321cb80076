"""Where a response gives a formula as its answer."""

from __future__ import annotations

import re
from dataclasses import replace

from harness.algebra.latex import parse
from harness.scoring.statements.passage import WORD, passage
from harness.types import Answer

_EMPTY_BOX = re.compile(r"\\+f?box(?:ed)?\s*\{\s*\}")
_MAX_WORDS = 1
_OPEN_END = re.compile(
    r"(?:[-+*/=^_<>\\({\[]|\\(?:cdot|times|frac|sqrt|left|pm|le|ge|leq|geq))\s*$"
)
# "x^2 when x>0 and -x^2 when x<0": one of several cases.
_CASE = r"(?:when|if|for|where|otherwise|unless)\b"
_CASES = re.compile(
    rf"[\s$]{{0,3}}{_CASE}[^\n]{{1,120}}?(?:\band\b|\bor\b|[,;])[^\n]{{0,80}}?{_CASE}"
)
_OTHERWISE = re.compile(r"[\s$]{0,3}(?:when|if|for|unless)\b[^\n.]{1,120}\b(?:otherwise|else)\b")
# The last sentence, where all it says is "the ... is FORMULA".
_LAST_CHARS = 400
_MAX_DISPLAYS = 4_000
_CLOSING = re.compile(
    r"(?:(?:So|Thus|Hence|Therefore|Then|Finally),?\s+)?(?:[Tt]he|[Ii]ts)\s+"
    r"(?P<noun>[a-z]{3,20}(?:\s+[a-z]{1,20}){0,8}?)\s+"
    r"(?P<verb>is(?:\s+(?:at|given\s+by|equal\s+to))?|are|equals|simplifies\s+to|becomes)\s+"
    r"(?P<formula>\$[^$]{1,300}\$(?:\s+(?:and|or)\s+\$[^$]{1,300}\$)?|[^$A-Z\n]{1,80}?)"
    r"(?:\s+(?:square\s+|cubic\s+)?units)?\s*\.?\s*"
)
_NOT_THE_ANSWER = re.compile(
    r"\b(?:not|no|first|second|initial|original|given|wrong|incorrect|common|mistaken?|trap|book|textbook"
    r"|expected|question|problem|example|format|case|step|term|guess|naive|other|previous|intermediate"
    r"|option|choice|attempt|assumption|condition|constraint|bound"
    r"|error|hint|sign|next|negative|opposite|reciprocal|half|double|twice)\b"
)
_SENTENCE_END = re.compile(r"\n\s*|[.!?]\s+(?=[A-Z])")
_DISPLAY = re.compile(r"\\\[[^$\n]{0,9}\n?[^$\n]{0,400}\n?\\\]|\$\$[^$]{1,400}\$\$")
_AND = re.compile(r"\$\s+(?:and|or)\s+\$")
_NUMBERS = re.compile(r"-?\d[\d.]*(?:,\s*-?\d[\d.]*){1,9},?\s+and\s+-?\d[\d.]*")


def expression(text: str) -> Answer:
    r"""Read the formula that a response gives as its answer.

    Parameters
    ----------
    text : the raw response.

    Returns
    -------
    Answer
        As `passage` finds it. What stands in an answer block or a box is the answer whatever it
        is; elsewhere, words around a formula that cannot be read leave it for review
        (`not_a_formula`), and so does one that breaks off (`cut_off`) or is one of several
        cases (`cases`). Where nothing else is found, a last sentence "the ... is FORMULA"
        counts (`closing_sentence`).

    Examples
    --------
    >>> expression(r"So $x = \frac{1}{2}$. The answer is $\frac{1}{2}$.").value
    '\\frac{1}{2}'
    >>> expression("Answer: as in the text above").rule
    'final_phrase:not_a_formula'
    """
    answer = _checked(passage(text), text)
    if answer.rule == "bare" and answer.value is not None and _only_displays(text):
        return _review(answer, "several")
    if answer.value is None and answer.rule in ("none", "bare:not_a_formula"):
        return _closing(text) or answer
    return answer


def _checked(answer: Answer, text: str) -> Answer:
    value = answer.value
    if value is None:
        return answer
    apart = answer.rule in ("answer_block", "boxed")
    if not apart and answer.span is not None:
        behind = text[answer.span[1] : answer.span[1] + 300]
        within = value[:_LAST_CHARS]
        if any(p.match(behind) or p.search(within) for p in (_CASES, _OTHERWISE)):
            return _review(answer, "cases")
        before = _SENTENCE_END.split(text[max(0, answer.span[0] - _LAST_CHARS) : answer.span[0]])
        if answer.rule == "bare" and _NOT_THE_ANSWER.search(before[-1]):
            return _review(answer, "of_something_else")
    if parse(value) is not None:
        return answer
    if not apart and (_OPEN_END.search(value) or value.count("{") != value.count("}")):
        return _review(answer, "cut_off")
    n_words = len(WORD.findall(value))
    if _EMPTY_BOX.search(value) or not (apart or n_words <= _MAX_WORDS):
        return _review(answer, "not_a_formula")
    return answer


def _only_displays(text: str) -> bool:
    """Whether a text is two displayed formulas or more and nothing else."""
    if len(text) > _MAX_DISPLAYS:
        return False
    rest, n_displays = _DISPLAY.subn("", text)
    return n_displays > 1 and not rest.strip(" \n,.;")


def _review(answer: Answer, why: str) -> Answer:
    return replace(answer, value=None, rule=f"{answer.rule}:{why}", span=None)


def _closing(text: str) -> Answer | None:
    """The formula of a last sentence that says nothing else."""
    tail = text[-_LAST_CHARS:].rstrip()
    ends = list(_SENTENCE_END.finditer(tail))
    start = ends[-1].end() if ends else 0
    if start == 0 and len(text) > _LAST_CHARS:
        return None
    found = _CLOSING.fullmatch(tail, start)
    if found is None or _NOT_THE_ANSWER.search(found["noun"]):
        return None
    raw = found["formula"]
    if found["verb"] != "are" and _AND.search(raw):
        return None
    value = _AND.sub(" \\\\text{ or } ", raw).strip("$ ")
    if _NUMBERS.fullmatch(value):
        value = value.replace(", and ", ", ").replace(" and ", ", ")
    elif "$" not in raw and not re.search(r"\d|[-+*/^√π=]", value):
        return None
    if parse(value) is None:
        return None
    offset = max(0, len(text) - _LAST_CHARS)
    span = (offset + found.start("formula"), offset + found.end("formula"))
    return Answer(value=value, rule="closing_sentence", span=span)


__all__ = ["expression"]
