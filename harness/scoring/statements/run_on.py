"""Responses that run on: what stands before the next question is the answer."""

from __future__ import annotations

import re
from collections.abc import Callable

from harness.scoring.statements.further import further
from harness.scoring.statements.reading import Reading

_NUMBERED = re.compile(r"\W*(?:question|q)\s*\d", re.IGNORECASE)


def first_of(
    text: str, read: Callable[[str], tuple[str, Reading | None]]
) -> tuple[str, Reading | None]:
    """Read a text up to where it goes on to ask itself another question, if that part answers.

    Questions that are numbered from the beginning are parts of the one that was put: answers
    of theirs that differ are several.
    """
    named = "uestion" in text or "Q" in text or "User" in text or "Human" in text
    asked = further(text) if named else ()
    if not asked:
        return read(text)
    head = text[: asked[0]]
    rule, reading = read(head)
    if reading is None or reading.value is None:
        return read(text)
    if not _NUMBERED.match(head):
        return rule, reading
    rule, later = read(text)
    if later is None or later.value != reading.value:
        return rule, Reading(None, reading.start, len(text), "several")
    return rule, later


__all__ = ["first_of"]
