"""A normalised copy of a response that knows where each character stood in the raw text."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

_MINUS = dict.fromkeys("\u2010\u2011\u2012\u2212\ufe63\uff0d", "-")
_QUOTES = {**dict.fromkeys("\u2018\u2019\u02bc", "'"), **dict.fromkeys("\u201c\u201d", '"')}
_LOOKALIKES = str.maketrans("АВСЕНІЈаΑΒΕΗΙсеіј", "ABCEHIJaABEHIceij")
_FOREIGN = re.compile(r"[\u0370-\u03ff\u0400-\u04ff]")
_FOREIGN_WORD = re.compile(r"[\u0370-\u03ff\u0400-\u04ff]{2}")
_LATIN_WORD = re.compile(r"[A-Za-z]{2}")
# Tags and commands, whose letters say nothing of the alphabet that a text is in.
_NOT_SAID = re.compile(
    r"<\s?/?[A-Za-z][^<>\n]{0,80}>|[\[◁]/?[A-Za-z]{2,20}[\]▷]|\\+[A-Za-z]+|&[a-z]{2,9};|\bboxed(?=\s?\{)"
)
# Letters in circles and squares: the first of each alphabet, and the Latin letter that it is.
_FRAMED = (
    (0x249C, "a"),
    (0x24B6, "A"),
    (0x24D0, "a"),
    *((0x1F110 + 32 * i, "A") for i in range(4)),
)
_FLAGS = 0x1F1E6
_BREAK = re.compile(r"<br\s{0,9}/?>", re.IGNORECASE)
_MARKUP = re.compile(
    r"[*`$\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]|\x1b(?:\[[0-9;]{0,9}m)?"
    r"|\\+(?:[()\[\],;! ]|(?:begin|end)\{center\}|(?:large|huge|small|normalsize)(?![A-Za-z])"
    r"|(?:text(?:bf|it|rm|sf|tt|normal)?|math(?:rm|bf|sf|it|tt)|bm|boldsymbol|emph|underline"
    r"|displaystyle|bf|rm)(?![A-Za-z])[ \t]{0,9})"
    r"|(?<![A-Za-z0-9])_+|_+(?![A-Za-z0-9{])"
    r"|~~[^~\n]{1,200}~~|<(?:(del|s|strike)>[^<\n]{0,200}</\1>|!--[^\n<>]{0,200}-->"
    r"|/?(?:b|strong|i|em|u|span|p|mark|code|h[1-6]|div|center|font|small|big)"
    r"(?:\s[^<>\n]{0,80})?>)|&nbsp;",
    re.IGNORECASE,
)
# Every match begins with one of these.
_MARKS = bytes({*range(9), 11, 12, *range(14, 32), *b"*`$\\_~<&"})
_MARK = re.compile("[" + re.escape(_MARKS.decode()) + "]")


@dataclass(frozen=True, slots=True)
class Copy:
    """A text in pieces, each of which stands in the raw text as it is.

    The piece that begins at `at[i]` of the text begins at `raw[i]` of the raw text.
    """

    text: str
    at: tuple[int, ...] = (0,)
    raw: tuple[int, ...] = (0,)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The raw (start, end) of a part of the copy that is not empty."""
        if len(self.at) == 1:
            return self.raw[0] + start, self.raw[0] + end
        return self.place(start), self.place(end - 1) + 1

    def place(self, index: int) -> int:
        """Where a character of the copy stands in the raw text."""
        piece = bisect_right(self.at, index) - 1
        return self.raw[piece] + index - self.at[piece]

    def keep(self, parts: Iterable[tuple[int, int]], joint: str = "") -> Copy:
        """The copy reduced to some of its parts; `joint` is "" or one character."""
        texts: list[str] = []
        at: list[int] = []
        raw: list[int] = []
        length = 0
        for start, end in parts:
            if start >= end:
                continue
            if texts and joint:
                texts.append(joint)
                at.append(length)
                raw.append(self.place(start))
                length += len(joint)
            first, last = bisect_right(self.at, start) - 1, bisect_right(self.at, end - 1) - 1
            for piece in range(first, last + 1):
                begin = max(start, self.at[piece])
                at.append(length + begin - start)
                raw.append(self.raw[piece] + begin - self.at[piece])
            texts.append(self.text[start:end])
            length += end - start
        return Copy("".join(texts), tuple(at) or (0,), tuple(raw) or (0,))


def normalise(raw: str) -> Copy:
    """Normalise a text for reading.

    Letters and digits become their NFKC form, full-width signs and framed letters too;
    zero-width characters go, any space but a line break becomes a plain space, curly quotes
    become straight ones and minus signs "-". A lone Cyrillic or Greek letter that looks like
    a Latin one becomes it where the text is otherwise in Latin letters, tags and commands apart.

    Parameters
    ----------
    raw : any text, lone surrogates included.

    Returns
    -------
    Copy
        Empty for an empty text. Normalising the copy's text again does not change it.
    """
    if raw.isascii():
        return Copy(raw)
    text = raw
    same: dict[str, str | int | None] = {}
    others: dict[str, str] = {}
    for char in set(raw):
        new = char if char.isascii() else _character(char)
        if new != char:
            (same if len(new) == 1 else others)[char] = new
    if same:
        text = text.translate(str.maketrans(same))
    copy = Copy(text)
    if others:
        copy = _replace(text, others)
    text = copy.text
    if (
        _FOREIGN.search(text)
        and not _FOREIGN_WORD.search(text)
        and _LATIN_WORD.search(_NOT_SAID.sub(" ", text))
    ):
        copy = Copy(text.translate(_LOOKALIKES), copy.at, copy.raw)
    return copy


def _replace(text: str, others: dict[str, str]) -> Copy:
    texts: list[str] = []
    at: list[int] = []
    raw: list[int] = []
    length = end = 0
    for match in re.finditer("[" + "".join(map(re.escape, others)) + "]", text):
        place, new = match.start(), others[match.group()]
        if end < place:
            texts.append(text[end:place])
            at.append(length)
            raw.append(end)
            length += place - end
        for char in new:
            texts.append(char)
            at.append(length)
            raw.append(place)
            length += 1
        end = place + 1
    texts.append(text[end:])
    at.append(length)
    raw.append(end)
    return Copy("".join(texts), tuple(at), tuple(raw))


def _character(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cf" or "\ufe00" <= char <= "\ufe0f":
        return ""
    if category == "Zs":
        return " "
    if char in _MINUS:
        return _MINUS[char]
    if char in _QUOTES:
        return _QUOTES[char]
    code = ord(char)
    for first, letter in _FRAMED:
        if first <= code < first + 26:
            return chr(ord(letter) + code - first)
    if _FLAGS <= code < _FLAGS + 26:
        return chr(ord("A") + code - _FLAGS)
    if "\uff00" <= char <= "\uffef" or category.startswith("L") or category == "Nd":
        new = unicodedata.normalize("NFKC", char)
        return new if new == char else "".join(map(_character, new))
    return char


def unmarked(copy: Copy) -> Copy:
    """Drop marks of emphasis, math delimiters and text macros, which say nothing by themselves."""
    text = copy.text
    if text.isascii() and len(text.encode().translate(None, _MARKS)) == len(text):
        return copy
    breaks = (
        [] if "<br" not in text.lower() else [match.span() for match in _BREAK.finditer(copy.text)]
    )
    if breaks:
        starts, ends = (0, *(b for _, b in breaks)), (*(a for a, _ in breaks), len(copy.text))
        copy = copy.keep(zip(starts, ends, strict=True), joint="\n")
    parts = []
    end = 0
    for sign in _MARK.finditer(copy.text):
        if sign.start() >= end:
            mark = _MARKUP.match(copy.text, sign.start())
            if mark:
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
