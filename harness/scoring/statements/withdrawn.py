"""Whether what follows a statement or a box takes it back, or adds another answer."""

from __future__ import annotations

import re

from harness.scoring.quantities.closeness import equal
from harness.scoring.quantities.number_words import WORDS as NUMBER_WORDS
from harness.scoring.quantities.quantity import quantity
from harness.scoring.statements.text import normalise

_CLOSERS = r"\A[()\[\]}$*\s.,;:!\"'\\—–-]*"
_SECOND_THOUGHT = re.compile(
    rf"{_CLOSERS}(?:(?:oh|well|and),?\s+)?(?:(?:no|nope|sorry|hmm+|oops|edit|edited|correction|actually)\b"
    r"\s*[,.:;!…]{0,3}"
    r"\s+(?!doubt\b|need\b|further\b|other\b|more\b|units?\b|matter\b|explanation\b|one\b|problem\b"
    r"|(?:you|we|I)\s+(?:can|could|may)\s+(?:\w+\s+)?(?:verify|check|confirm|see|show)\b)"
    r"|on\s+(?:second\s+thoughts?|reflection)|let\s+me\s+(?:double|re|fix|correct|check)"
    r"|(?:scratch|strike)\s+that|I\s+mean\b|I\s+meant\b|apolog(?:ies|[iy][sz]e)\b|not\s+quite\b"
    r"|my\s+(?:mistake|bad|error|apologies)\b)",
    re.I,
)
_WRONG = (
    r"(?:wrong(?!\s+by\b)|incorrect|false|mistaken?|impossible|an\s+error|off\b"
    r"|not\s+(?:right|correct|possible|true|valid|allowed|it\b)"
    r"|(?:rejected|excluded|eliminated|discarded|dismissed|ruled\s+out|refuted|disproved|invalid|it\b(?=\W*$))"
    r"|(?:odd|strange|suspicious|implausible|unlikely|unreasonable)\b"
    r"|too\s+(?:large|small|big|low|high|many|few|much))"
)
_DENIED = re.compile(
    rf"{_CLOSERS}(?:(?:but|however|although|though|which|and|yet)\b,?\s+)?(?:(?:that|this|it)(?:\s+answer)?|(?:the|my)\s+answer)?\s*"
    rf"(?:(?:'s|is|was|isn't|wasn't|seems?|looks?|feels?|gets?|(?:would|must|should|has\s+to|can)\s+be|turned\s+out(?:\s+to\s+be)?|appears)\s+{_WRONG}"
    r"|(?:can't|cannot|can\s+not|could\s+not)\s+be\b|(?:does\s+not|doesn't)\s+(?:seem|look|fit|work|make|add\s+up|satisfy|hold|agree|match)"
    r"|contradicts|fails\b|is\s+not\s+(?:the|my|what)\b|isn't\s+(?:right|correct|it|the)"
    r"|(?:would\s+be|is|was)\s+(?:the|my|a)\s+(?:naive|wrong|first|initial|obvious|common))",
    re.I,
)
_VERDICT = re.compile(
    rf"{_CLOSERS}(?:not\s+(?:true|so|right|correct)|false|wrong|incorrect|nonsense|never\s?mind"
    r"|(?:ignore|disregard|forget|discard)\s+(?:that|this|it|the\s+above|my\s+answer))\s*(?:[.!,;]|\Z|\n)",
    re.I,
)
_MARKED = re.compile(
    rf"{_CLOSERS}\(?\s*(?:wrong|incorrect|rejected|(?:corrected|should\s+be)\b[^)\n]{{1,30}}|[✗✘❌])\s*(?:\)|$|\n)",
    re.I,
)
_OTHERWISE = re.compile(
    rf"{_CLOSERS}(?:but|however|yet),?\s+(?:the\s+\w+|it|I|we)\s+(?:says?|shows?|gives?|is|should|must|found|gets?)\b"
    r"[^.\n]{0,40}\d"
    r"|\A[^.\n]{0,60},\s+but\s+(?:the|my)\s+\w+\s+(?:says?|shows?|gives?)\b[^.\n]{0,20}\d"
    rf"|{_CLOSERS}(?:but|however|yet),?\s+it\s+(?:is|was|should\s+be|must\s+be)\s+"
    r"(?!(?:worth|important|also|possible|necessary|clear|true|useful|good|still|only|best|not)\b)",
    re.I,
)
_UNSURE = re.compile(
    rf"{_CLOSERS}(?:but\s+)?(?:(?:I\s+am|I'm)\s+(?:not|un)\s?(?:sure|certain)\b"
    r"|(?:or\s+)?(?:maybe|perhaps|possibly|alternatively)\b,?\s+(?:it\s+is\s+|even\s+)?[$\\(]*\d)"
    r"|\A[^\n]{0,120}\b(?:it|this|that|answer)\s+(?:could|might|may)\s+(?:also\s+|well\s+)?be\s+[$\\(]*\d",
    re.I,
)
_NUMBER = r"[-+]?[$€£]?\d[\d.,/]{0,20}%?"
_LAST_LINE = re.compile(rf"[^\n]{{0,200}}\n\s*({_NUMBER}|\$[^$\n]{{1,80}}\$)[.\s]*\Z")
# "5. Not quite: 6.": a short sentence that says another number and no more.
_SAID = re.compile(
    r"\A[)\]}$*\s\"'\\]*(?:[.!;—–\n]|\s-\s)[\s*$]*(?P<lead>[^.!?;\n=+×^<>\d]{2,80}?)"
    rf"(?P<number>(?:{_NUMBER}|{NUMBER_WORDS}\b)(?:\s?[A-Za-z°/]{{1,8}})?)[$*\s]*(?:[.!]+[\s*]*(?:\Z|\n|(?=[A-Z]))|\Z|\n)"
)
_SAYS = re.compile(
    r"(?:\b(?:is|are|was|be|to|gives?|gets?|got|it|makes?|(?:make|making)(?:\s+(?:that|it))?|equals|becomes|so|precisely|rather|better|instead|have|has|obtain|find"
    r"|say)\b(?:\s+(?:actually|really|about|approximately|exactly|rather|instead|just|only))?"
    r"|[,:→]|->)[\s$*\\(]*\Z",
    re.I,
)
_SAYS_NOT = re.compile(
    r"\A(?!(?:correction|corrected|edit|fix(?:ed)?|recount|redo|new|better|instead|rather|answer|total|result|final|revised?|revision|update|no|nope|sorry|oops|actually)\b)"
    r"[*\s]*\w+[*\s]*:"
    r"|\A(?:the|a|an|this\s+is\s+(?:because|since))\s(?!(?:correct|right|actual|true|real|final|answer|result|value)\b)"
    r"|\b(?:not\s+(?!quite\b)|no\s|than|because|since|notes?|explanation|examples?|e\.g|for\s+instance|verif\w+|steps?"
    r"|part|problem|question|figure|page|if|where|when|with|from|add|subtract|multiply|divide|of"
    r"|original(?:ly)?|given|would|could|round\w*|approximat\w+|equivalent\w*|decimal|percent\w*"
    r"|confidence|certainty|difficulty|score|rating|level|units?|time|tokens?|words?|marks?"
    r"|each|next|first|then|which|whose)\b|n't\b",
    re.I,
)
_OR = re.compile(rf"\A[}}$\s]*or\s+[$\\(\s]*(?P<number>{_NUMBER})(?![\d\w])")
_TAIL_CHARS = 300


def taken_back(text: str, start: int, end: int) -> str:
    """Say what is wrong with an answer by the sentence after it.

    Parameters
    ----------
    text : a body.
    start, end : the answer.

    Returns
    -------
    str
        "withdrawn" where the next words deny it or begin a second thought, "unsure" where they
        doubt it, "several" where the last line is another number or formula and nothing else,
        or the next words offer another number, or "".
    """
    tail = text[end : end + _TAIL_CHARS]
    if not tail.strip(" \n.$*)}"):
        return ""
    if any(form.match(tail) for form in (_SECOND_THOUGHT, _DENIED, _VERDICT, _MARKED, _OTHERWISE)):
        return "withdrawn"
    if _UNSURE.match(tail):
        return "unsure"
    last = _LAST_LINE.match(tail) if end + _TAIL_CHARS >= len(text) else None
    if last and last[1].strip("$ ") != text[start:end].strip("$ "):
        return "several"
    either = _OR.match(tail)
    if either and _differ(text[start:end], either["number"]):
        return "several"
    said = _SAID.match(tail)
    if said and _SAYS.search(said["lead"]) and not _SAYS_NOT.search(said["lead"]):
        return "withdrawn" if _differ(text[start:end], said["number"]) else ""
    return ""


def _differ(first: str, second: str) -> bool:
    """Whether two texts are two quantities that are not equal."""
    a, b = quantity(normalise(first).text), quantity(normalise(second.strip(" $*.")).text)
    return a is not None and b is not None and equal(b, a, exact=False).equal is not True


__all__ = ["taken_back"]
