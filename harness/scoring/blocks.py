"""Places that a response sets apart for its answer: `<answer>` blocks and boxes."""

from __future__ import annotations

import re

_TAG = re.compile(r"<\s{0,9}(/?)\s{0,9}answer\s{0,9}>", re.IGNORECASE)
_BOX = re.compile(r"\\+f?box(?:ed)?\s{0,9}\{")
_BOX_CHARS = 400


def answer_blocks(text: str) -> tuple[tuple[int, int] | None, int | None]:
    """Find the last closed answer block, and an opening tag after it that is never closed.

    Returns
    -------
    closed : (start, end) of the last closed block's content, or None.
    opened : where the content of a later, unclosed block starts, or None.
    """
    closed: tuple[int, int] | None = None
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
    opening = {match.end() - 1: match.start() for match in _BOX.finditer(text)}
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


__all__ = ["answer_blocks", "boxes"]
