"""The number of a last sentence without a cue: "So the total is 5.", "There are 5 dots."."""

from __future__ import annotations

import re

from harness.scoring.quantities.closeness import equal
from harness.scoring.quantities.quantity import Quantity, quantity
from harness.scoring.quantities.sentences import NUMERAL, anchored
from harness.scoring.statements.assertion import asserted
from harness.scoring.statements.regions import Span, trimmed, unsure

_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=。)")
_CHARS = 200
_ASIDE = re.compile(
    r"[\s*_$(]*(?:note|also|check|for\s+(?:example|instance)|remember|recall|here|if|when|suppose|let"
    r"|assum\w+|first|second|next|step|given|since|because|but|however|then|now|explanation|we|i|you|in"
    r"|the\s+(?:image|picture|question|problem|figure|other|first|second|next|rest|remaining))\b",
    re.I,
)
_RESULT = re.compile(r"(?:[=≈→]|\\(?:approx|simeq|Rightarrow|rightarrow)(?![A-Za-z]))\s*")
_RESULT_END = re.compile(r"\n|\$|\\[\])]|,\s|[.;](?:\s|$)|[=≈→]|\\(?:approx|simeq)|\s\(")
_TOTAL = re.compile(r"\b(?:total|altogether|in\s+all|overall|sum)\b", re.I)
_ABOVE_CHARS = 2_000
_LEADS = re.compile(
    r"\b(?:of|has|have|takes?|needs?|costs?|spends?|earns?|gets?|will\s+be|by)\s+"
    r"(?:(?:about|approximately|exactly|roughly|around)\s+)?[*$\\(]*$",
    re.I,
)


def closing_number(body: str, start: int, end: int) -> Span | None:
    """Read the number of a last sentence that the work above it confirms.

    Parameters
    ----------
    body : a text.
    start, end : its last line.

    Returns
    -------
    Span or None
        The number and its unit where the sentence says it with "is" or "there are" or, behind a
        verb such as "has", at its end; it says no other, and either calls it a total or repeats
        the result of the last equation above.
    """
    start, stop = _last_sentence(body, start, end)
    if stop - start > _CHARS or _ASIDE.match(body, start, stop) or unsure(body[start:stop]):
        return None
    found = anchored(body, start, stop) or _last_number(body, start, stop)
    read = quantity(body[slice(*found)]) if found else None
    if found is None or read is None or body[start : found[0]].rstrip(" *$").endswith(":"):
        return None
    if any(not found[0] <= m.end() - 1 < found[1] for m in NUMERAL.finditer(body, start, stop)):
        return None
    if _TOTAL.search(body, start, stop) or _confirmed(
        body[max(0, start - _ABOVE_CHARS) : start], read
    ):
        return found
    return None


def _last_number(body: str, start: int, end: int) -> Span | None:
    """The number that ends a sentence such as "So the stone fell from a height of 5 m"."""
    first = NUMERAL.search(body, start, end)
    if not first or not _LEADS.search(body, start, first.start()):
        return None
    region = trimmed(body, first.start(), end)
    return region if region and asserted(body, region[0]) else None


def _last_sentence(body: str, start: int, end: int) -> Span:
    for boundary in _SENTENCE.finditer(body, start, end):
        start = boundary.end() if body[boundary.end() : end].strip(" *_.)") else start
    while end > start and body[end - 1] in " \n*_.!":
        end -= 1
    return start, end


def _confirmed(above: str, said: Quantity) -> bool:
    """Whether the last equation of a text ends in a value."""
    results = list(_RESULT.finditer(above))
    if not results:
        return False
    place = results[-1].end()
    stop = _RESULT_END.search(above, place + 1)
    region = trimmed(above, place, stop.start() if stop else len(above))
    value = quantity(above[slice(*region)]) if region else None
    return value is not None and equal(said, value, exact=False).equal is True


__all__ = ["closing_number"]
