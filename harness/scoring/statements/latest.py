"""The places of a text where an answer is announced, from its end, at the cost of a few."""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import merge
from itertools import chain, repeat

from harness.scoring.statements.cues import CUE, may_hold

_HASHES = re.compile(r"^[ \t]*####+[ \t]*(?=[-+.$€£\\]?[ \t]*[\d\\])", re.MULTILINE)
_LABEL = re.compile(
    r"^[ \t]*(?:A|Ans|Result)[.]?[ \t]*:[ \t]*(?=\S)"
    r"|\b[Ff]inal\s+(?:value|result|number|total|count|amount)\s*(?:is\b|:|=)\s*", re.MULTILINE,
)  # fmt: skip
_SLICES, _AHEAD, _REACH = (160, 320, 640, 1_280), 120, 300
_SEAM = re.compile(r"\n|[.!?]\s")


def announcements(text: str) -> Iterator[tuple[int, int]]:
    """Find what announces an answer: a cue, "####", "A:", "Final value:".

    Parameters
    ----------
    text : normalised and without marks.

    Yields
    ------
    (end, start)
        The latest first; the start of what is no cue is -1, for nothing can deny it.
    """
    others: list[tuple[int, int]] = []
    for pattern, hints in ((_HASHES, ("####",)), (_LABEL, (":", "inal"))):
        if any(hint in text for hint in hints):
            others.extend((mark.end(), -1) for mark in pattern.finditer(text))
    return merge(_cues(text), sorted(others, reverse=True), reverse=True)


def _cues(text: str) -> Iterator[tuple[int, int]]:
    """All cues, sought in slices that end with a sentence or a line where there is one."""
    end, sizes = len(text), chain(_SLICES, repeat(_SLICES[-1]))
    while end > 0:
        start = max(0, end - next(sizes))
        seam = _SEAM.search(text, start, end - 1) if start else None
        start = seam.end() if seam and seam.end() < end else start
        if may_hold(CUE, text[start : end + _AHEAD]):
            found = []
            for cue in CUE.finditer(text, start, min(len(text), end + _REACH)):
                if cue.start() >= end:
                    break
                found.append((cue.end(), cue.start()))
            yield from reversed(found)
        end = start


__all__ = ["announcements"]
