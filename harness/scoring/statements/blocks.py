"""Places that a response sets apart for its answer: `<answer>` blocks and boxes."""

from __future__ import annotations

import re

_TAG = re.compile(
    r"[<\[]\s{0,9}(/?)\s{0,9}(?:(?:final[_ ]?)?answer|ans)(?:\s[^<>\[\]\n]{0,60})?[>\]]",
    re.IGNORECASE,
)
# A backslash, perhaps with "f" or "frame", stands before it, or "boxed" is a word of its own.
_BOX = re.compile(r"box(?:(?:(?<=\\box)|(?<=\\fbox)|(?<=\\framebox))(?:ed)?|(?<=\bbox)ed)\s{0,9}\{")
_OPEN_BOX = re.compile(r"\\+f?box(?:ed)?\s{0,9}\{[\s{]{0,9}[(\[]?([A-Za-z])[)\]]?[\s.\\]{0,9}\Z")
_BOX_CHARS = 400


def answer_blocks(text: str) -> tuple[tuple[int, int] | None, int | None]:
    """Find the last closed answer block, and an opening tag after it that is never closed.

    Returns
    -------
    closed : (start, end) of the last closed block's content, or None.
    opened : where the content of a later, unclosed block starts, or None.
    """
    closed: tuple[int, int] | None = None
    if "<" not in text and "[" not in text:
        return None, None
    opened: int | None = None
    for tag in _TAG.finditer(text):
        if not tag.group(1):
            opened = tag.end()
        elif opened is not None:
            closed, opened = (opened, tag.start()), None
    return closed, opened


def boxes(text: str) -> list[tuple[int, int]]:
    r"""Find the contents of all closed `\boxed{…}` and `\fbox{…}` of at most 400 characters.

    Returns
    -------
    list of (start, end)
        In the order of their starts; time is linear in the text, whatever the nesting.
    """
    if "}" not in text:
        return []
    opening = {match.end() - 1 for match in _BOX.finditer(text)}
    if not opening:
        return []
    found: list[tuple[int, int]] = []
    stack: list[int] = []
    for brace in re.finditer(r"[{}]", text):
        place = brace.start()
        if brace.group() == "{":
            stack.append(place)
        elif stack:
            start = stack.pop()
            if start in opening and place - start <= _BOX_CHARS:
                found.append((start + 1, place))
    return sorted(found)


def open_box(text: str) -> tuple[int, int] | None:
    """Find a box that is never closed and holds one letter and nothing else: the letter's place."""
    start = max(0, len(text) - 60)
    match = _OPEN_BOX.search(text, start) if text.find("\\", start) >= 0 else None
    return match.span(1) if match else None


__all__ = ["answer_blocks", "boxes", "open_box"]
