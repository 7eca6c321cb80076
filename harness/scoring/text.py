"""A normalised copy of a response that knows where each character stood in the raw text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_MINUS = dict.fromkeys("\u2010\u2011\u2012\u2212\ufe63\uff0d", "-")
_QUOTES = {**dict.fromkeys("\u2018\u2019\u02bc", "'"), **dict.fromkeys("\u201c\u201d", '"')}
_LOOKALIKES = dict(zip("АВСЕНІЈаΑΒΕΗΙсеіј", "ABCEHIJaABEHIceij", strict=True))
_FOREIGN = re.compile(r"[\u0370-\u03ff\u0400-\u04ff]")
_FOREIGN_WORD = re.compile(r"[\u0370-\u03ff\u0400-\u04ff]{2}")
_LATIN_WORD = re.compile(r"[A-Za-z]{2}")
_MARKUP = re.compile(
    r"[*`$]"
    r"|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9])"
    r"|</?(?:b|strong|i|em|u|span|p)\s*>"
    r"|\\+[()\[\],;!]"
    r"|\\+(?:text|textbf|textit|textrm|textsf|mathrm|mathbf|mathsf|mathit|bm|boldsymbol)\s*(?=\{)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Copy:
    """A text with, for each of its characters, the raw positions where it starts and ends."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The raw (start, end) of a part of the copy that is not empty."""
        return self.starts[start], self.ends[end - 1]

    def keep(self, parts: Iterable[tuple[int, int]], joint: str = "") -> Copy:
        """The copy reduced to some of its parts; `joint` is "" or one character."""
        texts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        for start, end in parts:
            if texts and joint:
                texts.append(joint)
                starts.append(ends[-1] if ends else 0)
                ends.append(ends[-1] if ends else 0)
            texts.append(self.text[start:end])
            starts.extend(self.starts[start:end])
            ends.extend(self.ends[start:end])
        return Copy("".join(texts), starts, ends)


def normalise(raw: str) -> Copy:
    """Normalise a text for reading.

    Letters and digits become their NFKC form, full-width signs and circled letters too;
    zero-width characters go, any space but a line break becomes a plain space, curly quotes
    become straight ones and minus signs "-". A lone Cyrillic or Greek letter that looks like
    a Latin one becomes it where the text is otherwise in Latin letters.

    Parameters
    ----------
    raw : any text, lone surrogates included.

    Returns
    -------
    Copy
        Empty for an empty text. Normalising the copy's text again does not change it.
    """
    if raw.isascii():
        return Copy(raw, range(len(raw)), range(1, len(raw) + 1))
    lookalikes = (
        bool(_FOREIGN.search(raw)) and not _FOREIGN_WORD.search(raw) and _LATIN_WORD.search(raw)
    )
    texts: list[str] = []
    places: list[int] = []
    for place, char in enumerate(raw):
        new = char if char.isascii() else _character(char)
        if lookalikes:
            new = _LOOKALIKES.get(new, new)
        texts.append(new)
        places.extend([place] * len(new))
    return Copy("".join(texts), places, [place + 1 for place in places])


def _character(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cf":
        return ""
    if category == "Zs":
        return " "
    if char in _MINUS:
        return _MINUS[char]
    if char in _QUOTES:
        return _QUOTES[char]
    wide = "\uff00" <= char <= "\uffef" or "\u24b6" <= char <= "\u24e9"
    if wide or category.startswith("L") or category == "Nd":
        return unicodedata.normalize("NFKC", char)
    return char


def unmarked(copy: Copy) -> Copy:
    """Drop marks of emphasis, math delimiters and text macros, which say nothing by themselves."""
    parts = []
    end = 0
    for mark in _MARKUP.finditer(copy.text):
        parts.append((end, mark.start()))
        end = mark.end()
    return copy.keep([*parts, (end, len(copy.text))]) if parts else copy


def fold(text: str) -> str:
    """A text for comparing whole: case, runs of spaces, outer brackets and end marks apart.

    >>> fold("  Dark   RED. ")
    'dark red'
    """
    return " ".join(text.casefold().split()).strip(" \"'{}").rstrip(" .!,;:。").strip(" \"'{}")


__all__ = ["Copy", "fold", "normalise", "unmarked"]
