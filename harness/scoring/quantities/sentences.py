"""The one quantity of a sentence, or why there is none that can be relied on."""

from __future__ import annotations

import re

from harness.scoring.quantities.closeness import equal
from harness.scoring.quantities.number_words import WORDS
from harness.scoring.quantities.quantity import Quantity, quantity
from harness.scoring.statements.assertion import asserted
from harness.scoring.statements.regions import Span, trimmed

SPECIAL = re.compile(r"([+-]?)\s*(?:(nan)|inf|infinity|∞|\\infty)", re.IGNORECASE)
_START = (
    r"(?:(?<![\w.,}^{])[-+−–]?(?:(?:[$€£¥]|\\\$)\s?)?(?:\d|\.\d|\\[dt]?frac|[½⅓⅔¼¾⅛])"
    rf"|\b(?:{WORDS})\b|(?<=[\u4e00-\u9fff])\d)"
)
NUMERAL = re.compile(_START, re.IGNORECASE)
_CUT = re.compile(
    r"[,;:。，；!?]+(?=[\s*$)]|$)|\.(?=[\s*$)]|$)|[\u3002\uff0c]|\s(?=\()|\n"
    r"|\s(?=(?:because|since|as|so|for|in|on|at|of|and|or|to|which|where|when|after|by|with|if|but|that|who|from"
    r"|until|than|plus|is\s+(?:indeed\s+)?(?:the|my|our)\s+(?:only|smallest|largest|least|greatest|lowest|highest|correct"
    r"|right|final|minimum|maximum|unique|answer|required|desired|solution|total|number|value))\b)",
    re.IGNORECASE,
)
_CUTS = 8
_SENTENCE_END = re.compile(r"[.!?](?=[\s*$)\"']|$)|[。！？]|\n")
_OTHER = re.compile(
    rf"[\s$)*.%]*(?:[,;/&–-]|\(\s*(?:approx(?:\.|imately)?|about|≈|(?=or\b))|\b(?:or|and|to|through|versus|vs)\b|或|和|至|到|与|或者)[\s$(\\]*"
    rf"(?!and\s+not\b)(?:(?:or|and|maybe|possibly|perhaps|also|even)\s+)?"
    rf"(?!(?:since|because|as|which|with|where|for|after|given|that|not|i\.e)\b)"
    rf"(?:[A-Za-z]+\s*=\s*|(?:[A-Za-z]+\s+){{0,3}})(?P<number>{_START})",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:not|no|never|neither|nor|or|could|might|may|maybe|perhaps|if|whether|unless|unclear|unsure|cannot|except"
    r"|between|from|either|more|less|fewer|at\s+least|at\s+most|over|under|above|below|up\s+to|within|but|says?"
    r"|assume|assuming|suppose|sorry|error|guess|than|first|wrong|incorrect)\b|n't\b|\?|[<>≤≥]|不|或|至少|至多|大于|小于",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:not|no|never|neither|nor|or|could|might|may|maybe|perhaps|if|whether|unless|unclear|unsure|cannot"
    r"|either|error|sorry|failed|says?|said|claims?|assum\w+|suppose|guess|wrong|incorrect)\b|n't\b|[<>≤≥]|不|或",
    re.I,
)  # fmt: skip
_COPULA = re.compile(
    r"\b(?:is|are|was|were|equals|be)\b(?:\s+(?:therefore|thus|then|hence)\b)?:?\s*|=\s*|(?<!\d):(?!\d)\s*|[为是]\s*"
)
_ONE = re.compile(r"one\s+(?:of|that|which|who|is|on|in|with|from)\b", re.I)
_BOUND = re.compile(
    r"[\s,]*(?:or|and)\s+(?:counting|more|less|fewer|above|below|greater|higher|lower|over|older|under|up)\b|\s*\+"
    r"|\s*at\s+(?:most|least)\b",
    re.I,
)
_NAMED = re.compile(
    r"\b(?:case|method|point|paragraph|theorem|scenario|figure|fig|table|section|page|question|problem|step|part|chapter|equation|eq|item|line|row"
    r"|column|cell|version|panel|option|choice)s?\.?\s*$",
    re.I,
)
_THERE = re.compile(
    rf"(?:so,?\s+|therefore,?\s+|thus,?\s+)?there\s+(?:is|are|was|were)\s+(?:a\s+total\s+of\s+|exactly\s+)?(\d+|{WORDS})(?=\s+[A-Za-z])",
    re.I,
)
# What is said of a number that is not the answer itself.
_OF_NUMBER = re.compile(
    r"\b(?:twice|thrice|double|triple|half\s+of|quarter\s+of|third\s+of|roots?\s+of|squares?\s+of"
    r"|cubes?\s+of|multiples?\s+of|divisible\s+by|factors?\s+of|powers?\s+of|logarithm\s+of|log\s+of|HTTP"
    r"|mod(?:ulo)?|ruled\s+out|excluded|forbidden|eliminated|rejected|discarded|impossible"
    r"|division\s+by|ending\s+(?:in|with)|(?:starting|beginning)\s+(?:in|with|at)"
    r"|(?:next|previous|last|following|smallest|largest|nearest|closest|integer|number|prime|multiple|even|odd|term)\b"
    r"[^.]{0,30}\b(?:after|before|above|below|than|preceding)"
    r"|(?:reciprocal|opposite|negative|inverse|complement)\s+of|round(?:ed)?\b[^.]{0,30}\bto|nearest|correct\s+to"
    r"|accurate\s+to|worth|raised\s+to|in\s+base|(?:ends?|starts?|begins?)\s+(?:in|with)|depends?\s+on|hardly"
    r"|barely|answer\s+(?!is\b|are\b|was\b)[a-z]{2,}|allegedly|supposedly|claimed|thought\s+to|unlikely|sometimes)\b|≠|\\neq?(?![A-Za-z])"
    r"|\b(?:base|max\.?|min\.?)\s+\Z|the\s+(?:[a-z]+\s+){0,3}(?!(?:value|total|amount|size|length|height|width|depth|distance|speed|mass|weight|area"
    r"|price|cost|age|score|result|figure|rate|maximum|minimum|average)\b)[a-z]+\s+of\s+\Z"
    r"|(?:preceding|following|exceeding|containing|excluding|including|dividing|multiplying|adding|subtracting)"
    r"(?:\s+by)?\s+\Z",
    re.I,
)
_OPERATED = re.compile(
    rf"\s*(?:of\s+(?:the\s+)?(?:{_START})|for\s+(?:every|each)\s+\d|by\s+\d|:\s?\d|and\s+(?:an?|one|two|three)\s+(?:hal|quart|third|fourth|fifth|tenth)|plus\b|minus\b|times\b"
    r"|to\s+the\s+(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:th|st|nd|rd)|power)\b"
    rf"|(?:for|in|on|at|\()[^,.;]{{1,30}}(?:\band|[,;])\s+(?:{_START})[\d.,]*\s*(?:for|in|on|at|later|then|\()|out\s+of\b|\(?\s*(?:in\s+)?(?:base\b|binary\b|octal\b|hex))",
    re.I,
)
_RECKONED = re.compile(
    r"\s*(?::\s*(?P<sum>[\d.][\d.\s+*/×-]{0,80}?)|\((?P<aside>[^()\n]{1,120})\))[\s.!]*(?:\n|$)"
)
_COUNT = re.compile(rf"(?<![\d.,])\d{{1,9}}(?![\d.,])|\b(?:one|{WORDS})\b", re.IGNORECASE)
_CUT_OFF = re.compile(r"[.,;]\s+\w|\s+(?:and|so|but|or|then)\b")
_COUNTED_ON = re.compile(r"(?:\band|,|&|\bplus|\bto)\s+(?:\w+\s+){0,2}" + _START, re.I)
# "The voltage is 3 V and the current": what comes after its verb is one of two values.
_TWO_CLAUSES = re.compile(
    r"(?:\b(?:is|are|was|were|equals)\b|=|:)[^,;=]{0,30}\d[^=]{0,40}?(?:,?\s+(?:and|but|while|whereas)\s|;)[^,;]*$",
    re.I,
)
_LEAD_CHARS = 120
_SHOUTED = re.compile(r"(\d+)!+$")
_PROSE_LEAD = re.compile(
    r"(?:[^\\^_+*/|<>{}\[\]=-]|(?<=[A-Za-z])-(?=[A-Za-z]))*(?<![\w)\]-])|[^\\^_+*/|<>{}=]*[\u4e00-\u9fff:(]"
)


def is_number(body: str, start: int, end: int) -> bool:
    text = body[start:end]
    return bool(quantity(text) or (len(text) < 40 and SPECIAL.fullmatch(text.strip(" $."))))


def in_sentence(body: str, start: int, end: int, how: str) -> Span | str | None:
    """The only quantity of a sentence."""
    shouted = _SHOUTED.search(body[max(start, end - 30) : end])
    if shouted and how != "answer_block":
        # "The answer is 5!" is five or 120; of larger numbers nobody means the factorial.
        if int(shouted.group(1)) <= 12:
            return "factorial_or_mark"
        end -= len(shouted.group()) - len(shouted.group(1))
    if is_number(body, start, end):
        return start, end
    found = _prefix(body, start, end)
    if isinstance(found, tuple) and how == "bare" and _is_cut_off(body, found[1], end):
        return None
    if found is None:
        return _led(body, start, end, how)
    if isinstance(found, str) or how == "final_phrase" or how == "answer_block":
        return found
    return None if _more(body, found, end) else found


def _is_cut_off(body: str, place: int, end: int) -> bool:
    """Whether another clause begins behind a place and has no end."""
    rest = body[place:end].rstrip()
    ended = body[end : end + 3].strip()[:1] in (".", "!", "?", "。")
    return bool(_CUT_OFF.match(rest)) and rest[-1:].isalpha() and not ended


def _prefix(body: str, start: int, end: int) -> Span | str | None:
    """A quantity at the start of a region, up to where its clause ends."""
    if _ONE.match(body, start, end):
        return None
    for _, cut in zip(range(_CUTS), _CUT.finditer(body, start + 1, end), strict=False):
        region = trimmed(body, start, cut.start())
        read = quantity(body[slice(*region)]) if region else None
        if region and read:
            if _is_reckoned(body, cut.start(), end, read):
                return region
            if _OPERATED.match(body, cut.start(), end):
                return "several"
            if "?" in body[cut.start() : cut.start() + 3]:
                return None
            if _BOUND.match(body, cut.start(), end):
                return "bound"
            return "several" if _offers_another(body, cut.start(), end, read) else region
    return None


def _is_reckoned(body: str, place: int, end: int, said: Quantity) -> bool:
    """Whether what follows shows how a number comes about: "5: 2 + 3", "5 (2 here, 3 there)"."""
    aside = _RECKONED.match(body, place, end)
    if not aside:
        return False
    text = aside["sum"] or aside["aside"]
    value = quantity(text)
    if value is not None:
        return "=" not in text and equal(value, said, exact=True).equal is True
    counts = [quantity(count.group()) for count in _COUNT.finditer(text)]
    total = sum(c.number.value for c in counts if c and not c.number.shift)
    return len(counts) > 1 and all(counts) and total == said.number.value


def _offers_another(body: str, place: int, end: int, first: Quantity) -> bool:
    other = _OTHER.match(body, place, end)
    if not other:
        return False
    begin = other.start("number")
    stop = _CUT.search(body, begin + 1, end)
    region = trimmed(body, begin, stop.start() if stop else end)
    second = quantity(body[slice(*region)].rstrip(" ).")) if region else None
    return second is None or equal(second, first, exact=False).equal is not True


def _led(body: str, start: int, end: int, how: str) -> Span | str | None:
    """A quantity with words before it, where its sentence has no other number and no doubt."""
    stop = _SENTENCE_END.search(body, start + 1, end)
    while (
        stop
        and stop.group() == "."
        and stop.end() < end
        and body[stop.end() : stop.end() + 2].strip().isdigit()
    ):
        stop = _SENTENCE_END.search(body, stop.end(), end)
    last = stop.start() if stop else end
    if how == "bare" and stop and _is_cut_off(body, last, end):
        return None
    if how in ("bare", "concluded") and not (stop and body[stop.end() : end].strip(" \n*$")):
        said = anchored(body, start, last)
        if said:
            return said
    first = NUMERAL.search(body, start, last)
    if (
        first is None
        or first.start() - start > _LEAD_CHARS
        or _DOUBT.search(body, start, first.start())
        or _OF_NUMBER.search(body, start, first.start())
    ):
        return None
    if (stop and stop.group() in "?？") or _NAMED.search(body[start : first.start()]):
        return None
    if how != "final_phrase" and not asserted(body, first.start()):
        return None
    if how == "bare" and stop and _more(body, (first.start(), stop.end()), end):
        return None
    region = trimmed(body, first.start(), last)
    if region is None or not _PROSE_LEAD.fullmatch(body, start, first.start()):
        return None
    found = region if is_number(body, *region) else _prefix(body, *region)
    if isinstance(found, tuple) and _more(body, found, last):
        return "several" if how == "final_phrase" else None
    if found is None and how == "final_phrase" and NUMERAL.search(body, first.end() + 1, last):
        return "several"
    return found


def anchored(body: str, start: int, end: int) -> Span | None:
    """The number that ends "… is 5", or that "There are 5 …" begins with."""
    if _OPEN.search(body, start, end) or body[end : end + 1] in ("?", "？"):
        return None
    verbs = list(_COPULA.finditer(body, start, end))
    if verbs and _TWO_CLAUSES.search(body[start : verbs[-1].start()]):
        return None
    region = trimmed(body, verbs[-1].end(), end) if verbs else None
    if region and asserted(body, region[0]) and is_number(body, *region):
        return region
    there = _THERE.match(body, start, end)
    if not there or _COUNTED_ON.search(body, there.end(), end):
        return None
    return trimmed(body, *there.span(1))


def _more(body: str, found: Span, end: int) -> bool:
    """Whether the rest of the sentence has another number, or a doubt."""
    if _DOUBT.search(body, found[1], end):
        return True
    first, done = quantity(body[slice(*found)]), found[1]
    for other in NUMERAL.finditer(body, found[1], end):
        if other.start() < done:
            continue
        stop = _CUT.search(body, other.start() + 1, end)
        region = trimmed(body, other.start(), stop.start() if stop else end)
        second = quantity(body[slice(*region)]) if region else None
        if first is None or second is None or equal(second, first, exact=False).equal is not True:
            return True
        done = region[1] if region else done
    return False


__all__ = ["NUMERAL", "SPECIAL", "anchored", "in_sentence", "is_number"]
