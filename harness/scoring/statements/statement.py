"""The latest explicit statement or box of a text, unless it is denied or taken back."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

from harness.scoring.statements.assertion import asserted, released
from harness.scoring.statements.boxed import latest_box
from harness.scoring.statements.cues import filled
from harness.scoring.statements.latest import announcements
from harness.scoring.statements.listing import opens_list
from harness.scoring.statements.regions import Span
from harness.scoring.statements.text import Copy, unmarked
from harness.scoring.statements.withdrawn import taken_back

# Reads a region of a body, given how it was found: a span, why it goes to review, or nothing.
Reader = Callable[[str, int, int, str], Span | str | None]

REGION_CHARS = 4_200
_TRIES = 50
_BUT = re.compile(r"\s*not\b[^.\n]{1,60}?\bbut\s+(?:rather\s+)?", re.I)
_NO_ANSWER = re.compile(
    r"[\s\"'({]*(?:not\b|n't|neither|nor\b|no\b(?!\W*$)|unknown|unclear|undetermined|uncertain"
    r"|none\b(?!\W*$)|anything|either"
    r"|whether|impossible|see\b|below|above|as\s+follows|cannot|can't|found|given|obtained|\?"
    r"|[\[<(]+\s*(?:your|insert|write|put|fill|final\s+answer|answer|the\s+answer)\b)",
    re.I,
)  # fmt: skip
_RETRACTION = re.compile(
    r"\b(?:wait|hold\s+on|actually|hmm|sorry|oops|no)\b[^.\n]{0,60}"
    r"\b(?:wrong|incorrect|mistaken?|misread|swapped)\b"
    r"|(?:[.!?\n…]|[-–—,])\s*(?:(?:oh|but|no|ah|well),?\s+)?(?:wait\b(?!\s+(?:for|until|time|times)\b)"
    r"|hold\s+on\b|oops|scratch\s+that|correction\s*:|on\s+second\s+thought"
    r"|(?:actually|no),\s+(?:it|that|this|the)\b)"
    r"|\bI\s+(?:misread|miscalculated|made\s+an?\s+(?:\w+\s+)?(?:mistake|error)|was\s+wrong)\b|等等|更正"
    r"|\b(?:might|could|may)\s+(?:also|equally|well)\s+be\b|\bbut\s+it\s+(?:might|could|may)\b",
    re.I,
)  # fmt: skip
# How an answer is given, not when it holds: "5 when rounded".
_MANNER = re.compile(
    r"[\s,(]*(?:when|if)\s+(?:\w+\s+){0,2}(?:rounded|rounding|expressed|written|simplified|reduced|given|converted|measured)\b",
    re.I,
)
_FORMAT = re.compile(
    r"\b(?:format|template|form|sample|instructions?|e\.g\.?|placeholder)\b[^.\n]{0,30}$", re.I
)


def explicit(body: str, start: int, end: int, read: Reader) -> tuple[str, Span | str] | None:
    """The latest statement or box in a part of a body; a box wins a tie.

    Parameters
    ----------
    body : a text.
    start, end : the part.
    read : reads what a statement or a box says.

    Returns
    -------
    (rule, found) or None
        `found` is a reason for review where the answer was taken back, hangs on a condition,
        or is joined by another.
    """
    text = body[start:end]
    box = latest_box(text, start, lambda place: read(body, *place, "boxed"))
    stated = _statement(text, body, start, read)
    candidates = [c for c in (stated, box and (box[0], 1, "boxed", box[1])) if c]
    if not candidates:
        return None
    _, _, rule, found = max(candidates, key=lambda c: c[:2])
    if isinstance(found, str):
        return rule, found
    if _RETRACTION.search(text, found[1] - start):
        return rule, "withdrawn"
    why = taken_back(text, found[0] - start, found[1] - start)
    if why:
        return rule, why
    return rule, found


_Candidate = tuple[int, int, str, Span | str]


def _statement(text: str, body: str, offset: int, read: Reader) -> _Candidate | None:
    plain = unmarked(Copy(text))
    for end, start in islice(announcements(plain.text), _TRIES):
        if start >= 0 and (
            not asserted(plain.text, start)
            or _FORMAT.search(plain.text[max(0, start - 60) : start])
        ):
            continue
        place = filled(plain.text, end) if start >= 0 else end
        # ">" may quote a line, but "Answer: > 8" is a bound.
        if re.search(r"(?<![=-])>", plain.text[end:place]) and "\n" not in plain.text[end:place]:
            place = end
        place -= end < place and plain.text[place - 1] in "\"'"
        region = line_at(plain, place, text)
        if region is None:
            continue
        if "\n" in plain.text[end:place] or plain.text[end - 1] == "\n":
            opened = opens_list(text, region[0], plain.text[max(0, end - 80) : end])
            if opened == "several":
                return region[0] + offset, 0, "final_phrase", opened
            if opened:
                continue
        first, last = region[0] + offset, region[1] + offset
        if _NO_ANSWER.match(body, first, last):
            instead = _BUT.match(body, first, last)
            if not instead:
                continue
            first = instead.end()
        found = read(body, first, last, "final_phrase")
        why = _reserved(body, found[1]) if isinstance(found, tuple) else ""
        if found is not None and (not why or why == "conditional"):
            return first, 0, "final_phrase", why or found
    return None


def _reserved(body: str, end: int) -> str:
    why = released(body, end)
    return "" if why == "conditional" and _MANNER.match(body, end) else why


def line_at(plain: Copy, place: int, text: str) -> Span | None:
    """The rest of the line, in the text with its marks."""
    if place >= len(plain.text):
        return None
    stop = plain.text.find("\n", place, place + REGION_CHARS)
    stop = min(len(plain.text), place + REGION_CHARS) if stop < 0 else stop
    if stop <= place:
        return None
    first, last = plain.place(place), plain.place(stop - 1) + 1
    while first and text[first - 1] == "$":
        first -= 1
    if text[first - 2 : first] in ("\\(", "\\["):
        first -= 2
    if text[first - 1 : first] == "{" and text.count("}", first, last) > text.count(
        "{", first, last
    ):
        first -= 1
    while text[last : last + 1] == "$":
        last += 1
    if text[last : last + 2] in ("\\)", "\\]"):
        last += 2
    return first, last


__all__ = ["REGION_CHARS", "Reader", "explicit", "line_at"]
