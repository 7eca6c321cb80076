"""The texts of choices, and where one of them stands in a response."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LINE_CHARS = 400
_SPACE = re.compile(r"\s{1,9}")
_WORD = re.compile(r"\w")
_GOES_ON = re.compile(r"\w|-\w|[.,]\d")
_LOWER = bytes(range(128)).lower() + bytes(range(128, 256))
_SIGNS = bytes(c for c in range(128) if not chr(c).isalnum())


def is_letter(text: str) -> bool:
    """Whether a text is one ASCII letter."""
    return len(text) == 1 and text.isascii() and text.isalpha()


def squeeze(text: str) -> bytes | None:
    """The letters and digits of an ASCII text without macros: equal forms have them equal."""
    if not text.isascii() or "\\" in text:
        return None
    return text.encode().translate(_LOWER, _SIGNS)


def unique(texts: Sequence[str], letters: str) -> dict[str, str | None]:
    """The letter of each text; None where two choices share it."""
    found: dict[str, str | None] = {}
    for text, letter in zip(texts, letters, strict=True):
        if text:
            found[text] = None if text in found else letter
    return found


def end_of(text: str, start: int, folded: str) -> int | None:
    """Where a folded choice text that begins at `start` ends, or None when it is not there."""
    if folded[0] != text[start : start + 1].casefold()[:1]:
        return None
    if start and _WORD.match(text, start - 1):
        return None
    end = start
    for i, word in enumerate(folded.split(" ")):
        if i:
            gap = _SPACE.match(text, end)
            if not gap:
                return None
            end = gap.end()
        if text[end : end + len(word)].casefold() != word:
            return None
        end += len(word)
    return None if _GOES_ON.match(text, end) else end


def line_end(text: str, start: int) -> int:
    """Where a line ends, or the part of it that is looked at."""
    stop = min(len(text), start + _LINE_CHARS)
    end = text.find("\n", start, stop)
    return stop if end < 0 else end


__all__ = ["end_of", "is_letter", "line_end", "squeeze", "unique"]
