"""Replies that answer several questions, name several options, or end with another answer."""

from __future__ import annotations

from collections.abc import Sequence

from harness.scoring.oracle.bare import sentence_answer
from harness.scoring.oracle.entire import Reader, whole
from harness.scoring.oracle.read import UNREAD, VOID, Options
from harness.scoring.oracle.sentence import ENDS, REACH, Claim
from harness.scoring.oracle.text import Token

_TURNED = {"wait", "actually", "no", "reflection", "correction"}
_PARTS = {
    *("question", "part", "step", "problem", "task", "case", "picture", "image", "item", "q"),
    *("figure", "scenario", "panel", "example", "exercise"),
}
_PLACES = {"for", "in", "under", "with", "from", "tomorrow", "today", "yesterday"}
_SAME = {
    *("this", "that", "these", "conclusion", "summary", "fact", "short", "my", "our", "end"),
    *("question", "all", "general", "total", "addition", "reality", "light", "other"),
}
_SURE = {"definitely", "certainly", "absolutely", "surely", "sure", "clearly"}
_LINKED = 4
_SO = _SURE | {"so", "therefore", "thus", "hence", "and", "finally"}


def several(row: Sequence[Token], stated: Sequence[Claim], final: Claim, reader: Reader) -> bool:
    """Whether the claims of a reply answer more than one question, or name options in turn."""
    others = [c for c in stated if c.value != final.value and c.end < final.at]
    if _added(row, others, final):
        return True
    named = {claim.value for claim in stated} - {VOID}
    turned = _TURNED & {token.low for token in row}
    if isinstance(reader, Options) and 2 < len(named) == len(reader.labels) and not turned:
        return "final" not in {token.low for token in row[max(0, final.at - 3) : final.at]}
    apart = _apart(row, final)
    return bool(others) and apart and not turned


def _added(row: Sequence[Token], others: Sequence[Claim], final: Claim) -> bool:
    """Whether the final claim only adds "C is correct" or "also C" to another one."""
    bare = len(row[final.at].text) == 1
    between: set[str] = set()
    at = final.end - 1
    for claim in sorted(others, key=lambda claim: claim.end, reverse=True):
        between |= {token.low for token in row[claim.end : at]}
        at = min(at, claim.end)
        judged = {"wrong", "incorrect"} if not bare or between & {"that", "this"} else set()
        if between & (_TURNED | judged) or (not bare and "final" in between):
            return False
        if bare or "also" in between or len(between) < 6:
            return True
    return False


def _apart(row: Sequence[Token], claim: Claim) -> bool:
    """Whether the claim's sentence is about one part or one case: "Part 2: ...", "For the ball"."""
    k = claim.at
    while k and claim.at - k < REACH and row[k - 1].kind != "line" and row[k - 1].text not in ENDS:
        k -= 1
    head = row[k : claim.at]
    if len(head) > 3 and head[0].text == "-":
        head = head[1:]
    if not head or len(head) == REACH:
        return False
    words = [token.low for token in head[:4]]
    if words[0] in _SO:
        words = words[1:]
    if not words:
        return False
    if words[0] in _PARTS and len(words) > 1:
        return True
    if len(words) > 1 and words[1] == ")" and len(words[0]) < 4:
        return True
    if words[0] == "(" and len(words) > 2 and words[2] == ")":
        return True
    return words[0] in _PLACES and not _SAME & set(words[1:3])


def contradicted(
    row: Sequence[Token],
    lines: list[list[Token]],
    final: Claim,
    denied: Sequence[Claim],
    reader: Reader,
) -> bool:
    """Whether the reply goes on to answer with something else, or with nothing readable."""
    if any(claim.value == UNREAD and claim.at >= final.end for claim in denied):
        return True
    if len(lines) < 2 or len(row) - len(lines[-1]) < final.end:
        return False
    line = lines[-1]
    value = whole(line, reader)
    ends = [k for k, token in enumerate(line[:-1]) if token.text in ENDS]
    if value is None and ends:
        line = line[ends[-1] + 1 :]
        value = whole(line, reader) if line[0].low in _SO else None
    if final.value == "no" and {t.low for t in line if t.kind == "word"} <= _SURE:
        return True
    for _ in range(_LINKED):
        if value is not None or not line or not (line[0].low in _SO or line[0].text in ",:"):
            break
        line = line[1:]
        value = reading.value if (reading := reader.at(line, 0)) else None
    if value is None and isinstance(reader, Options):
        it = len(line) > 2 and (line[0].low == "it's" or line[0].low == "it")
        value = whole(line[1 + (line[1].low == "is") :], reader) if it else None
        value = value or sentence_answer(line, reader)
    return value not in (None, VOID, final.value)


__all__ = ["contradicted", "several"]
