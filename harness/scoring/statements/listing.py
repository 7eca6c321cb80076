"""Lines that are one of many: of a table, a column of numbers, steps, or printed output."""

from __future__ import annotations

import re

from harness.scoring.statements.assertion import asserted
from harness.scoring.statements.text import Copy

_CELLS = re.compile(r"[^|\n]*\S\s+\|\s+\S[^\n]*|\s{0,9}\|[^\n]*\|\s{0,9}")
_NUMBER = re.compile(r"[\s*$]{0,9}[-+]?[$€£]?\d[\d.,/]{0,30}[%$*\s]{0,9}")
# "x1 = 2", "x2 = 3": the values of several names of one kind.
_NAMED = re.compile(
    r"[\s*$]{0,9}([A-Za-z])([\w'{}-]{0,12})[*$\s]{0,9}[=:≈]\s*[-+$]?\.?\d[^=\n]{0,60}"
)
_BULLET = re.compile(r"[ \t]{0,9}[-*•+][ \t]+\S")
_STEP = re.compile(r"[ \t]{0,9}1[.)][ \t]+\S")
_EXPLAINS = re.compile(
    r"\bhere(?:'s|\s+is|\s+are)\b|\bsolution\b|\bsteps?\b|\bhow\b", re.IGNORECASE
)
_FENCE = re.compile(r"^[ \t]{0,9}```", re.MULTILINE)


def is_listed(copy: Copy, start: int, end: int, raw: str) -> bool:
    """Whether a line says nothing by itself, because it is one of a list.

    Parameters
    ----------
    copy : the spoken part of a response.
    start, end : the line, within the copy.
    raw : the response, which still has its fences.

    Returns
    -------
    bool
        True for a row of a table, a member of a column of numbers and one of several named
        values ("a_x = 9", "a_y = 5") or points, which the line above shows, and for a line
        within a fenced block, such as the output of a program.
    """
    text = copy.text
    line_start = text.rfind("\n", 0, start) + 1
    above = text[text.rfind("\n", 0, max(0, line_start - 1)) + 1 : max(0, line_start - 1)]
    line = text[line_start:end]
    before = text[:line_start].rstrip().rpartition("\n")[2]
    if _NUMBER.fullmatch(before) and _NUMBER.fullmatch(line) and before.strip() != line.strip():
        return True
    if any(form.fullmatch(above) and form.fullmatch(line) for form in (_CELLS, _NUMBER)):
        return True
    if _BULLET.match(above) and _BULLET.match(line):
        return True
    names = _NAMED.fullmatch(above), _NAMED.fullmatch(line)
    if names[0] and names[1] and names[0][1] == names[1][1] and names[0][2] != names[1][2]:
        return True
    return "```" in raw and len(_FENCE.findall(raw, 0, copy.place(start))) % 2 == 1


def goes_on(text: str, start: int, end: int) -> bool:
    """Whether a line ends a sentence of the line above that denies it, asks or reports it."""
    above = text[:start].rstrip().rpartition("\n")[2][-300:]
    if not above or not above[-1].isalpha():
        return False
    sentence = f"{above} {text[start:end]}"
    return not asserted(sentence, len(above) + 1)


def opens_list(text: str, start: int, lead: str) -> str:
    """What a line that follows "…:" opens by being the first of several.

    Parameters
    ----------
    text, start : the line, and where it begins to be read.
    lead : what stands before it, on an earlier line.

    Returns
    -------
    str
        "steps" of an account, which is no answer, "several" points, or "".
    """
    begin = text.rfind("\n", 0, start) + 1
    if _STEP.match(text, begin):
        return "steps"
    if not _BULLET.match(text, begin):
        return ""
    stop = text.find("\n", start)
    after = re.compile(r"\s*\n").match(text, stop) if stop >= 0 else None
    if not after or not _BULLET.match(text, after.end()):
        return ""
    return "steps" if _EXPLAINS.search(lead) else "several"


__all__ = ["goes_on", "is_listed", "opens_list"]
