"""What a response says after its answer: whether it takes it back, and for what."""

from __future__ import annotations

import re

from harness.scoring.letters.options import Reading
from harness.scoring.statements.anchors import (
    ALSO,
    DENIED,
    OUGHT,
    RETRACTED,
    REVISIONS,
    SOFT,
    STRONG,
    holds,
    index,
)
from harness.scoring.statements.cues import filled
from harness.scoring.statements.doubt import doubted
from harness.scoring.statements.phrases import Read

_CLAUSE = (
    r"(?:^[)\]}\"']{0,5}|[.!?;:,\n(\[…—–-])\s*"
    r"(?:(?:oh|but|no|ah|um|uh|well|and|hmm+|okay|ok),?\s+)?"
)
_STRONG = re.compile(
    rf"{_CLAUSE}(?:wait\b(?!\s+(?:for|until|till|time|times)\b)|hold\s+on\b(?!\s+to)|hang\s+on\b"
    r"|hm{2,9}\b"
    r"|(?:wh)?oops(?:ies?)?\b|scratch\s+that|strike\s+that|never\s*mind\b|correction\b"
    r"|edit(?:ed)?\s*:"
    r"|(?:on|upon|after)\s+(?:second\s+thoughts?|reflection|further|closer|another\s+look"
    r"|re-?consider(?:ing|ation)?|double-?check(?:ing|ed)?|more\s+thought)\b"
    r"|(?:looking|checking|thinking)\s+(?:\w+\s+)?(?:again|closer)\b|I\s+take\s+(?:that"
    r"|it)\s+back\b)"
    r"|\bI\s+(?:misread|miscalculated|misspoke|misunderstood|mislabel(?:l?ed)"
    r"|made\s+an?\s+(?:\w+\s+)?(?:mistake|error)"
    r"|was\s+(?:wrong|mistaken|incorrect)|(?:have\s+)?changed?\s+my\s+(?:mind|answer)"
    r"|stand\s+corrected)\b"
    r"|\b(?:let\s+me|I\s+(?:need|have|should)\s+to?)\s+(?:re-?(?:check|examine|count|calculate"
    r"|compute"
    r"|consider|think)|double-?check|fix\s+(?:that|this|it))\b"
    r"|\bmy\s+(?:first\s+|initial\s+|previous\s+)?(?:answer|guess|choice)\s+(?:is"
    r"|was)\s+(?:wrong|incorrect)\b"
    r"|\A[)\]}.!\"'\s]{0,9}[^.!?\n]{0,60}\b(?:that|this|which|it)(?:'s|\s+is|\s+was"
    r"|\s+must\s+be)\s+"
    r"(?:wrong|incorrect|mistaken|not\s+right|not\s+correct|a\s+mistake"
    r"|an\s+error)(?=\s*(?:[.,;!\n]|$))"
    r"|\b(?:sorry|apologi[sz]e|actually|no(?!\s+(?:would|is|was|can)))\b[^.\n]{0,60}\b(?:wrong"
    r"|incorrect|mistaken?|misread"
    r"|swapped)\b"
    r"|\bnot\s+(?:among|one\s+of)\s+the\s+(?:(?:given|answer|listed)\s+){0,2}(?:choices|options)\b"
    r"|等等|等一下|等下|不对[,。!]|我错了|更正|修正[::]|あ、|いや",
    re.I,
)  # fmt: skip
_SOFT = re.compile(
    rf"{_CLAUSE}(?:actually|in\s+fact|(?:no|nope|nah)(?=[,.:;!…—-])|sorry|or\s+rather|rather"
    rf"|or\s+better|I\s+mean|I\s+meant"
    r"|make\s+(?:that|it)|instead|不,|不是,|其实)(?![A-Za-z])[,.:;!…-]*\s*",
    re.I,
)
# Words after which a second thought names its answer.
_WEAK = re.compile(
    r"(?:\b(?:it|that|this|answer|one)(?:\s+(?:is|must\s+be|should\s+be|would\s+be"
    r"|has\s+to\s+be)|'s)"
    r"|\b(?:should|must|has\s+to)\s+(?:\w+\s+)?be|\bI\s+meant?\b|\bmake\s+(?:it|that)"
    r"|\bI(?:'d|\s+would|\s+should)\s+(?:say|have\s+said)|\b(?:go|going)\s+with|\bchoose|\bpick"
    r"|应该是|是"
    rf"|{_CLAUSE}(?:(?:so|then|actually|rather|instead|definitely|not\s+\w+\s+but)[,.:]?)?)\s*",
    re.I,
)
_YES_NO = re.compile(r"\b(?:yes|no)[,.:]?\s+", re.I)
_OUGHT = re.compile(
    r"\b(?:it|answer|that|this)\s+(?:should|must)\s+(?:\w+\s+)?(?:be|have\s+been)\s+", re.I
)
# Said of the answer in the sentence that follows it, or anywhere after it.
_RETRACTED = re.compile(
    r"\A[^.!?\n]{0,60}\bwhich\s+is\s+(?:wrong|false|incorrect|not\s+(?:true|correct|right|the))\b"
    r"|\A(?:(?:[.:)]\s?[^.!?\n…]{1,25})?[^.!?\n…]{0,80}[.!\n…]+"
    r"|[)\]}\"']{0,5})[.!,;…\s]*(?:but\s+|actually,?\s+|oh,?\s+|well,?\s+){0,2}(?:"
    r"(?:no|nope|wrong|false|incorrect|my\s+(?:mistake|bad)|not\s+(?:true|so|really|quite|right"
    r"|correct)|just\s+kidding)\s*(?:[.!]|$|\n)"
    r"|or\s+is\s+it\b"
    r"|not\s+so\s+fast\b|or\s+not\s*[.!]|(?:however,?\s+)?(?:this|that|it)\s+(?:contradicts\b"
    r"|(?:does\s+not|doesn't)"
    r"\s+(?:seem|look|sound)\s+(?:right|correct)\b|(?:seems|looks|sounds)\s+(?:off|wrong)\b)"
    r"|(?:this|that|it|which|the)(?:\s+(?:answer|choice|option))?\s*(?:'s|is|was|must\s+be"
    r"|can(?:no|')t\s+be|seems)"
    r"\s+(?:wrong|incorrect|false|mistaken|a\s+mistake|an\s+error|(?:not\s+"
    r"|(?<=(?:'t|ot)\sbe\s))(?:right|correct|true))"
    r"\s*(?:[.!]|$|\n))"
    r"|(?:\A|[.!?\n])\s*(?:please\s+)?(?:forget|ignore|disregard|scrap|discard|delete|strike"
    r"|remove|cancel)\s+(?:that|this|it|my|the\s+(?:answer|above|previous|last))\b"
    r"|\A[^.!?\n]{0,60}[.\s]*[(\[]\s*(?:withdrawn|retracted|deleted|struck|crossed|wrong"
    r"|incorrect|discarded|obsolete)\b"
    r"|\A[^.!?\n]{0,80}[.!]\s*But\s+(?:that|this|it)\b[^.!?\n]{0,60}\b(?:wrong|incorrect|false)\b"
    r"|\bI\s+(?:retract|withdraw|revoke|take\s+back)\b"
    r"|\bI\s+(?:cannot|can't|can\s+not)\s+(?:decide|choose\b|tell\s+which|say\s+which|be\s+sure)",
    re.I,
)
_OR = re.compile(
    r"(?:\b(?:or|and|with|but|alternatively|otherwise|possibly|maybe|perhaps|as\s+well\s+as"
    r"|and\s+also"
    r"|or\s+maybe)\b|/|\b(?:but|and|although|though)\s+(?:it\s+)?(?:could|might"
    r"|may)(?:\s+(?:also|well))?"
    r"\s+be|\b(?:it\s+)?(?:could|might|may)\s+also\s+be)[\s,]*",
    re.I,
)
_ALSO = re.compile(
    r"(?<![A-Za-z0-9'])[(\[]?([A-Z])[)\]]?\s+(?:is|are|could\s+be|may\s+be|might\s+be|would\s+be"
    r"|seems)\s+"
    r"(?:also|equally|just\s+as|likewise)\s+(?:(?!not\b)\w+\s+)?(?:correct|right|valid|possible"
    r"|acceptable|plausible|true|fine|good)"
    r"|(?<![A-Za-z0-9'])[(\[]?([A-Z])[)\]]?\s+(?:is|are|seems)\s+(?:correct|right|fine|possible"
    r"|valid|true|also\s+fine)"
    r"\s+(?:too|as\s+well)\b|\b[Ss]o\s+(?:is|does|are|would\s+be)\s+[(\[]?([A-Z])(?![A-Za-z])"
    r"|\b(?:answer|choice|option)\s+(?:is|could\s+be|might\s+be"
    r"|may\s+be)\s+also\s+[(\[\"']?([A-Z])(?![A-Za-z0-9])"
)
_SENTENCE = re.compile(
    r"[^.!?\n]{0,200}(?:[.;…]{1,4}\s*(?:or|and|alternatively|otherwise|possibly|maybe"
    r"|perhaps)\b[^.!?\n]{0,80})?",
    re.I,
)
_CASES = re.compile(r"[,;]\s*(?:and\s+)?[(\[]?([A-HJ-Z])[)\]]?\s+(?:for|in|on|at|with|when|if)\b")
_REASON = re.compile(
    r"\b(?:(?<!well\s)as(?!\s+well)|because|since|which|that|where|while|whereas|due|given|for)\b",
    re.I,
)
_TAIL_CHARS = 4000
_CLOSERS = " \n.)]}\"'!"


def revised(text: str, reading: Reading, read: Read) -> Reading:
    """Follow what a response says after the answer that was read.

    Parameters
    ----------
    text : the spoken part of a response, normalised.
    reading : an answer, which no later explicit statement replaces.
    read : reads an answer that begins at a place.

    Returns
    -------
    Reading
        The same, or the answer of the second thought where that names exactly one; its value
        is None where the answer was taken back for nothing certain, or joined by another.
    """
    if reading.value is None:
        return reading
    end = reading.stop
    tail = text[end : end + _TAIL_CHARS]
    if not tail.strip(_CLOSERS):
        return reading
    known = index(text)
    if not holds(known, REVISIONS, end):
        if _joined(text, end, tail, reading, read):
            return _null(reading, "several")
        return _null(reading, "doubted") if doubted(text, end, reading.value) else reading
    taken_back = _STRONG.search(tail) if holds(known, STRONG, end) else None
    if taken_back:
        return _second(text, reading, end + taken_back.start(), end + taken_back.end(), read)
    for soft in _SOFT.finditer(tail) if holds(known, SOFT, end) else ():
        later = read(filled(text, _after_weak(text, end + soft.end())))
        if later and later.why != "question" and later.value != reading.value:
            return later if later.value else _null(later, "withdrawn")
    if (holds(known, RETRACTED, end) and _RETRACTED.search(tail)) or (
        holds(known, DENIED, end) and _denied(tail, reading.value)
    ):
        return _null(reading, "withdrawn")
    if doubted(text, end, reading.value):
        return _null(reading, "doubted")
    for ought in _OUGHT.finditer(tail) if holds(known, OUGHT, end) else ():
        later = read(filled(text, end + ought.end()))
        if later and later.why != "question" and later.value != reading.value:
            return _null(reading, "contradicted")
    if _joined(text, end, tail, reading, read):
        return _null(reading, "several")
    if not holds(known, ALSO, end):
        return reading
    named = {match.group(match.lastindex or 0) for match in _ALSO.finditer(tail)}
    return _null(reading, "several") if named - {reading.value} else reading


def _joined(text: str, end: int, tail: str, reading: Reading, read: Read) -> bool:
    """Whether the rest of its sentence joins another answer to the one that was read."""
    sentence = _SENTENCE.match(tail)
    rest = sentence.group() if sentence else ""
    if not rest.strip(_CLOSERS):
        return False
    for either in _OR.finditer(_REASON.split(rest)[0]):
        other = read(filled(text, end + either.end()))
        asked = other is not None and other.why == "question" and "or" not in either.group()
        if other and other.value != reading.value and not asked:
            return True
    cases = _CASES.search(rest)
    return cases is not None and cases[1] != reading.value


def takes_back(text: str, start: int, end: int) -> bool:
    """Whether a part of the text takes back what stands before it."""
    return bool(_STRONG.search(text[start:end]))


def _second(text: str, first: Reading, start: int, place: int, read: Read) -> Reading:
    found = []
    tail = text[place : place + _TAIL_CHARS]
    ends = {m.end() for weak in (_WEAK, _YES_NO) for m in weak.finditer(tail)}
    for begin in sorted({place} | {place + end for end in ends}):
        later = read(filled(text, begin))
        if later and later.why != "question" and not _is_denied(text, begin):
            found.append(later)
    values = {later.value for later in found}
    if len(values) == 1 and None not in values:
        last = found[-1]
        rest = text[last.end : last.end + _TAIL_CHARS]
        if not _STRONG.search(rest):
            return last
    return Reading(None, first.start, max(first.end, start), "withdrawn")


def _after_weak(text: str, place: int) -> int:
    weak = _WEAK.match(text, place)
    return weak.end() if weak else place


def _is_denied(text: str, place: int) -> bool:
    return bool(
        re.search(r"\b(?:not|never|n't)\s*$|[不非]\s*是?$", text[max(0, place - 12) : place])
    )


def _denied(tail: str, value: str) -> bool:
    return bool(
        re.search(
            rf"(?<![A-Za-z0-9]){value}[)\].]*\s+(?:is|was)\s+(?:in-?correct|wrong"
            rf"|not\s+(?:the\s+)?(?:correct|right|answer))\b"
            rf"|\banswer\s+(?:is\s+not|isn't|cannot\s+be"
            rf"|can't\s+be)\s+[(\[\"']?{value}(?![A-Za-z0-9])",
            tail,
            re.IGNORECASE,
        )
    )


def _null(reading: Reading, why: str) -> Reading:
    return Reading(None, reading.start, reading.end, why)


__all__ = ["revised", "takes_back"]
