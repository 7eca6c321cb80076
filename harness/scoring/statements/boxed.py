"""The last box of a text, unless it holds only a part of an answer."""

from __future__ import annotations

import re
from collections.abc import Callable

from harness.scoring.statements.blocks import boxes
from harness.scoring.statements.regions import Span

_JOINT = re.compile(
    r"[ $}]*|[\s$.)\]\\}]*(?:[A-Za-z/^\d\\{}$]{1,12}[\s$]+){0,2}(?:,|;|/|&|or|and|和|或|、)"
    r"[\s$(,\\[]*(?:or|and)?[\s$]*",
    re.I,
)
_OPENING = re.compile(r"(?:[A-Za-z]\w?\s*=\s*)?[\s$]*\\+f?box(?:ed)?\s*\{[\s{]*$")
_DELIMITERS = re.compile(r"[\s$]|\\[\[\]()]")
_MACRO = re.compile(r"\\+f?(?:rame)?box(?:ed)?\s*\{[\s{]*$")
# A sign, factor or root right before the box; a bullet or a dash of the prose is none.
_BEFORE = re.compile(
    r"(?:(?<=[\w)}\]])\s?[*/^+]|(?<=[)}\]\d])\s?-|(?<=[$(\[{=,])\s?[-+]|\\(?:times|cdot|div|pm|mp|sqrt|pi)"
    r"|[<>≤≥≠]|\\(?:neq?|leq?|geq?|lt|gt|log|ln|sin|cos|tan)|\\left\s?\||\\(?:lfloor|lceil|lvert)|[\d√π]|(?<=[a-z]\s)[+*/])\s?\{?$"
    r"|\d[.,]\{?\Z"
)
_BEHIND = re.compile(
    r"\s?(?:[)\]|]?\s?\^(?!\s*\{?\s*(?:\\circ|°|\\text|\\prime))|\\(?:times|cdot|div|pi|sqrt|frac|neq?|leq?|geq?|lt|gt)"
    r"(?![A-Za-z])|[π√<>≤≥≠]|\{,\}|!\s?(?:\$|\\[\])])"
    r"|_|:\s?\d|\\text\{\s*or\b|(?<=\})[A-Za-z](?=[$^_]|\\[)\]])"
    r"|[-+*/]\s?(?:\d|\\(?![\])!,;:\s])|\(|[A-Za-z](?![A-Za-z])))"
)
_ADDED = re.compile(r"\s?[-+/]\s?\d")
_DENIED = re.compile(
    r"(?:\b(?:not|never|isn't|aren't)|\b(?:can't|cannot|can\s+not|could\s+not|couldn't|won't)\s+be"
    r"|\b(?:is\s+it|could\s+it\s+be|would\s+it\s+be)|\banswer\s+(?:were|had\s+been)"
    r"|\b(?:mistake|trap|(?:common|typical|usual|easy|frequent)\s+error|(?:wrong|incorrect|naive|tempting|false|mistaken|trap|decoy|rejected|bogus)"
    r"\s+(?:answer|value|result|choice|guess))\s*(?:is|was|would\s+be|of|:)"
    # Suppositions, bounds, and what others say.
    r"|\b(?:suppos(?:e|ing)|assum(?:e|ing)|imagine)\b(?:(?!\b(?:so|then|therefore|thus|hence|get|obtain|find)\b)[^.,;:\n]){0,60}"
    r"|\b(?:doubt|anything\s+but|other\s+than|except|instead\s+of|rather\s+than)\b[^.,;:\n]{0,20}"
    r"|\b(?:might|may|could)\s+(?:think|say|guess|expect|believe|answer)\b[^.,;:\n]{0,30}"
    r"|\b(?:my|his|her|their|the)\s+(?:friend|brother|sister|teacher|classmate|student|neighbou?r|colleague)s?\s+"
    r"(?:\w+\s+){1,3}"
    r"|\b(?:less|greater|more|fewer|smaller|larger|lower|higher|bigger)\s+than(?:\s+or\s+equal\s+to)?"
    r"|(?:^|[\n.;])\s*(?:an?\s+|the\s+)?(?:upper|lower|rough|crude)\s+(?:bound|limit|estimate)\s*(?::|is|of)"
    r"|\b(?:students?|people|many|some|others|everyone|somebody|someone)\s+(?:\w+\s+){0,3}"
    r"(?:writes?|say|says|answers?|thinks?|guess|claims?|believes?|chooses?|put|wrote|said|answered|claimed)"
    r"(?:\s+(?:that\s+)?(?:it|the\s+answer|this)\s+is)?"
    r"|\bhad\s+(?:we|I|you|it|there)\b[^.\n]{0,80}\bwould\b[^.\n]{0,30})"
    r"\s*\$*\s*$",
    re.I,
)
_OF = re.compile(r"[\s$}%)\\]{0,6}of\s+\$?\d")
_CASE = re.compile(
    r"[\s$}]*,?\s*(?:only\s+)?(?:if|when|for)\b(?!\s+(?:you|I)\b)[^.\n]{0,80}?"
    r"(?:\b(?:otherwise|else|and\s+-?\$?\d\S*\s+(?:if|when|for|otherwise))\b)",
    re.I,
)
_ASKED = re.compile(r"[\s$}]{0,4}\?")
# "Case 1: ", "Minimum: ", "(2) ": the boxes behind such labels answer different things.
_LABEL = re.compile(
    r"(?:^|[\n.;,])[\s$*}]*(?:(?!(?:[Ff]inal|[Aa]nswer|[Rr]esult|[Tt]otal|[Tt]h|[Ss]o\b|[Hh]ence))[A-Z]\w{2,15}"
    r"(?:\s\w{1,12})?\s*:|\(\w{1,3}\))[\s$*]*$"
)
_AND_ANOTHER = re.compile(
    r"[\s$}]*,?\s*(?:and|while|but)\s+(?:the|its|his|her|a)\s+[\w ]{1,40}\s(?:is|are|was|equals)"
    r"\s*\$?\s*",
    re.I,
)


def latest_box(
    text: str, offset: int, read: Callable[[Span], Span | str | None]
) -> tuple[int, Span | str] | None:
    """Find the last box that holds an answer.

    Parameters
    ----------
    text : a part of a body, which begins there at `offset`.
    read : reads the content of a box, given its place in the body.

    Returns
    -------
    (place, found) or None
        What was read, or why not: "several" for boxes that a comma or an "or" joins,
        "part_of_a_formula" for one with a sign, factor or power outside, "conditional" for one
        of several cases.
    """
    later: Span | None = None
    for start, end in reversed(boxes(text)):
        if not _DELIMITERS.sub("", text[start:end]).strip("{}"):
            continue
        if later is None:
            later = (start, end)
            continue
        if later[0] > end:
            if text[start:end] == text[slice(*later)]:
                break
            between = _OPENING.sub("", text[end : later[0]][-80:])
            joined = len(between) < 40 and _JOINT.fullmatch(between)
            if joined or _AND_ANOTHER.fullmatch(between) or _are_labelled(text, start, later[0]):
                return offset + start, "several"
            break
    if later is None:
        return None
    start, end = later
    lead = _MACRO.sub("", text[max(0, start - 160) : start])
    if _DENIED.search(lead) or _ASKED.match(text, end + 1):
        return None
    found = read((start + offset, end + offset))
    if found is None:
        return None
    grown = isinstance(found, tuple) and found[1] > end + offset
    behind = (_ADDED if grown else _BEHIND).match(text, end + 1)
    if behind or _BEFORE.search(lead):
        found = "part_of_a_formula"
    elif _OF.match(text, found[1] - offset if isinstance(found, tuple) else end + 1):
        found = "several"
    elif _CASE.match(text, end + 1):
        found = "conditional"
    return offset + start, found


def _are_labelled(text: str, first: int, second: int) -> bool:
    leads = (_MACRO.sub("", text[max(0, place - 60) : place]) for place in (first, second))
    return all(_LABEL.search(lead) for lead in leads)


__all__ = ["latest_box"]
