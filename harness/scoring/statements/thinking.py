"""Thinking set apart from what a response says, by a scan over its tags."""

from __future__ import annotations

import re

from harness.scoring.statements.text import Copy

_TAG = re.compile(
    r"[<\[◁](?:(?<=<)\s{0,9}(?P<a>/?)\s{0,9}(?:think|thinking|thoughts?|reasoning)\s{0,9}>"
    r"|(?<!<)(?P<b>/?)think(?:ing)?[\]▷])",
    re.IGNORECASE,
)


def spoken(copy: Copy) -> tuple[Copy, bool]:
    """Remove the thinking from a response.

    Tags may be nested and of either case. A closing tag without an opening one makes thinking
    of all that precedes it; an opening tag that is never closed, of all that follows it.

    Parameters
    ----------
    copy : the normalised response.

    Returns
    -------
    copy : what stands outside, its parts joined by line breaks.
    unclosed : whether the response ends within thinking.
    """
    if "<" not in copy.text and "[" not in copy.text and "◁" not in copy.text:
        return copy, False
    parts: list[tuple[int, int]] = []
    depth, start = 0, 0
    for tag in _TAG.finditer(copy.text):
        closing = bool(tag["a"] or tag["b"])
        if not closing and depth == 0:
            parts.append((start, tag.start()))
        if closing and depth == 0:
            parts.clear()
        depth = max(0, depth - 1) if closing else depth + 1
        start = tag.end()
    if depth == 0:
        parts.append((start, len(copy.text)))
    if parts == [(0, len(copy.text))]:
        return copy, False
    return copy.keep((p for p in parts if p[0] < p[1]), joint="\n"), depth > 0


__all__ = ["spoken"]
