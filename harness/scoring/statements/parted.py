"""Statements that answer several questions, or run through all options, instead of one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from harness.scoring.letters.labels import LABEL
from harness.scoring.statements.reading import Reading

# What numbers a question, right before its statement: "(b) The", "Part 2:", "Question 2: The".
_NUMBERED = re.compile(
    r"(?:^|\n)[ \t>#-]{0,6}(?:[(\[]?(?:[a-h]|[ivx]{1,4}|\d{1,2})[)\].:]"
    r"|(?:question|part|step|problem|q|item|picture|image|figure|panel|task|sub-?question)\s{0,2}"
    r"[(\[]?(?:\d{1,2}|[a-h]|[ivx]{1,4})[)\]]?[.:,]?)\s*(?:the\s+|my\s+|its\s+)?$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    r"(?:^|[.,;\n]|\band\b|\bwhile\b)\s*(?:for|in|on|of|about)?\s*(?:the\s+)?(?:first|second|third"
    r"|fourth|fifth|last|left|right|other|upper|lower|top|bottom)(?:\s+\w+)?,?\s*(?:the\s+"
    r"|its\s+)?$",
    re.IGNORECASE,
)
_PACKED = re.compile(
    r"[)\]}\"'\s.,;!]{0,9}(?:(?:and|or|also|then|option|final|the|my|correct)\s*){0,4}", re.I
)
_BACK = 60
_TURNS = 3


def part_before(text: str, place: int) -> bool:
    """Whether the statement that begins at a place is numbered as one question's of several."""
    before = text[max(0, place - _BACK) : place]
    if not before.strip():
        return False
    return bool(_NUMBERED.search(before) or _ORDINAL.search(before))


def answers_of_parts(
    text: str,
    reading: Reading,
    earlier: Iterable[re.Match[str]],
    read: Callable[[re.Match[str]], Reading | None],
) -> bool:
    """Whether earlier statements give other parts of the question another answer."""
    for match in earlier:
        if part_before(text, match.start()):
            other = read(match)
            label = other.value if other else _label(text, match.end())
            if label and label != reading.value:
                return True
    return False


def _label(text: str, place: int) -> str | None:
    label = LABEL.match(text, place)
    return label[1] if label and label[1].isupper() else None


def in_turn(text: str, last: Reading, start: int, earlier: Iterable[tuple[int, Reading]]) -> bool:
    """Whether three answers or more are stated one right after the other: no one is chosen.

    Parameters
    ----------
    last : the latest statement's answer, whose cue begins at `start`.
    earlier : the starts of the cues before it and what they say, latest first.
    """
    values = {last.value}
    for begin, reading in earlier:
        gap = text[reading.end : start]
        if len(gap) > _BACK or not _PACKED.fullmatch(gap):
            break
        values.add(reading.value)
        start = begin
    return len(values) >= _TURNS


__all__ = ["answers_of_parts", "in_turn", "part_before"]
