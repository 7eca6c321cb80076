"""The oracle's reading of one option at one place: a letter or a choice's text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.scoring.oracle.text import Token, clean, tokens

VOID = ""
UNREAD = "?"
OPENERS = set("([\"'")
CLOSERS = set(")]\"'")
STOPS = set(".,;:!?()[]\"'-|")
_NOISE = set("()[]\"'")
_NOISY = 4
_ARTICLES = {"a", "an", "the"}
_LEAD = {"option", "choice", "letter", "either", "both"}
_CLAUSE = {"the", "it", "this", "that", "i", "we", "so", "not", "therefore", "is", "there", "they"}
_OPERATORS = set("([{*/^+<>=_")
_HEDGES = ("perhaps", "maybe", "possibly", "even", "probably", "a", "the", "option")
_NUMBERED = ("option", "choice")
JOINS = {"and", "or", "nor", "/", "&", "|", "plus", "and/or"}
FOLLOW = {
    *("because", "since", "as", "for", "due", "which", "so", "but", "not", "rather", "instead"),
    *("given", "based", "therefore", "thus", "hence", "while", "and", "with", "from", "in"),
    *("among",),
    *("alone", "only", "overall"),
}


@dataclass(frozen=True, slots=True)
class Reading:
    """An option that stands at a place: `value` (VOID: said, but not one option), its end."""

    value: str
    end: int


class Options:
    """The options of an item, by label and by text."""

    def __init__(self, choices: tuple[str, ...]) -> None:
        self.labels = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(choices)]
        if len(choices) > len(self.labels):
            self.labels = ""
        self.texts: dict[tuple[str, ...], str] = {}
        for label, choice in zip(self.labels, choices, strict=False):
            key = _key(choice)
            if key:
                self.texts[key] = VOID if key in self.texts else label
        self.longest_first = sorted(self.texts, key=len, reverse=True)

    def at(self, row: Sequence[Token], i: int) -> Reading | None:
        """What stands at token `i`; None where no option is named there."""
        start = i
        limit = min(len(row), i + 2 * _NOISY)
        while i < limit and (row[i].low in _LEAD or row[i].text in OPENERS):
            i += 1
        if i >= len(row):
            return None
        text = self.text_at(row, i)
        label = self.label_at(row, i, named=i > start)
        if label is None:
            numbered = i > 0 and row[i].kind == "number" and row[i - 1].low in _NUMBERED
            if text is not None and numbered and text.end == i + 1:
                return Reading(VOID, text.end)
            return self.alone(row, text)
        if text is not None and text.end > label.end:
            return self.alone(row, text)
        return self.alone(row, self._with_text(row, label))

    def label_at(self, row: Sequence[Token], i: int, *, named: bool) -> Reading | None:
        """A label at token `i`, VOID when it lies outside the item's; None when it is a word."""
        token = row[i]
        if token.kind != "word" or len(token.text) != 1 or not token.text.isascii():
            return None
        if (
            i
            and token.glued
            and (row[i - 1].kind in ("word", "number") or row[i - 1].text in "-_\\")
        ):
            return None
        after = row[i + 1] if i + 1 < len(row) else None
        if after is not None and after.kind != "line":
            sign = after.text in STOPS or after.low in JOINS
            wrapped = after.text in ")]" and i > 0 and row[i - 1].text in "(["
            if after.glued and not sign:
                return None
            if after.text == "," and i + 2 < len(row) and row[i + 2].glued and _figure(row[i + 2]):
                return None
            if not wrapped and runs_on(row, i + 1) and self.text_at(row, i + 2) is None:
                return None
            if not sign and not self._said(row, i + 1, token):
                return None
            if after.text == "." and i + 2 < len(row) and not wrapped:
                following = row[i + 2]
                known = following.low in FOLLOW or self.text_at(row, i + 2) is not None
                if following.kind == "word" and following.text.islower() and not known:
                    return None
        article = token.text in "ai" and not named
        if article and after is not None and after.kind != "line" and after.text not in ".,;)":
            return None
        value = token.text.upper()
        return Reading(value if value in self.labels else VOID, i + 1)

    def _said(self, row: Sequence[Token], i: int, token: Token) -> bool:
        if row[i].low in FOLLOW:
            return not (token.low in "ai" and row[i].low in ("for", "in", "with", "from", "as"))
        text = self.text_at(row, i)
        return text is not None and text.value == token.text.upper()

    def text_at(self, row: Sequence[Token], i: int) -> Reading | None:
        """The longest choice whose whole text stands at token `i`."""
        best = self._text(row, i)
        article = i + 1 < len(row) and row[i].low in _ARTICLES and row[i + 1].kind != "mark"
        if best is None and article:
            best = self._text(row, i + 1)
        return best

    def _text(self, row: Sequence[Token], i: int) -> Reading | None:
        for key in self.longest_first:
            end = _match(row, i, key)
            if end is not None and _ends(row, end):
                return Reading(self.texts[key], end)
        return None

    def _with_text(self, row: Sequence[Token], label: Reading) -> Reading:
        """A label with its own text after it is one reading; with another's text it is void."""
        i = label.end
        stop = False
        while i < len(row) and row[i].text in set(")].:-,\"'") and not _minus(row, i):
            stop = stop or row[i].text == "."
            i += 1
        text = self.text_at(row, i)
        if text is not None and row[i - 1].text in "([" and text.end == i + 1:
            return Reading(VOID, text.end)
        if text is None or text.value in (label.value, VOID):
            return label if text is None else Reading(label.value, text.end)
        j = text.end
        while j < len(row) and row[j].text in set(".)'\""):
            j += 1
        whole = j == len(row) or row[j].kind == "line"
        if not whole and (stop or row[text.end].text not in (".", ",", ";", ")")):
            return label
        return Reading(VOID, text.end)

    def alone(self, row: Sequence[Token], reading: Reading | None) -> Reading | None:
        """The reading, VOID when another option is joined to this one."""
        if reading is None:
            return None
        i = reading.end
        while i < len(row) and row[i].text in CLOSERS:
            i += 1
        numeral = reading.value == "I" and any(t.text == "II" for t in row[i : i + 3])
        if numeral or self._listed(row, i):
            return Reading(VOID, i)
        if i + 1 < len(row) and row[i].low == "but" and row[i + 1].text in tuple(self.labels):
            return Reading(VOID, i)
        joined = i < len(row) and (row[i].low in JOINS or row[i].text == ",")
        if not joined:
            follows = i < len(row) and row[i].kind == "word" and len(row[i].text) == 1
            both = follows and row[i].text in self.labels and not row[i].text.islower()
            return Reading(VOID, i) if both and row[i - 1].text not in CLOSERS else reading
        comma = row[i].text == ","
        if row[i].low in ("or", "nor") or self._hedged(row, i, reading.value):
            return Reading(VOID, i)
        while i < len(row) and (
            row[i].low in JOINS or row[i].text in OPENERS or row[i].text == ","
        ):
            comma = comma and row[i].low not in JOINS
            i += 1
        if i >= len(row):
            return reading
        if row[i].low in ("option", "choice"):
            i += 1
        if i < len(row) and row[i].kind == "word" and len(row[i].text) == 1:
            ends = i + 1 == len(row) or row[i + 1].kind == "line"
            ends = ends or row[i + 1].text in (",", ".", ")", "]", '"') or row[i + 1].low in JOINS
            ends = ends or self.text_at(row, i + 1) is not None
            pronoun = row[i].text == "I" and not ends
            if row[i].text.isupper() and (ends or not comma) and not pronoun:
                return Reading(VOID, i)
        text = self.text_at(row, i)
        ends = text is not None and all(t.text in ".)" for t in row[text.end : text.end + 2])
        if text is not None and text.value != reading.value and (ends or not comma):
            return Reading(VOID, i)
        return reading

    def _hedged(self, row: Sequence[Token], i: int, value: str) -> bool:
        """Whether ", or perhaps" and another option, or ", maybe", follows."""
        if not (i + 2 < len(row) and row[i].text == "," and row[i + 1].low == "or"):
            return False
        k = i + 2
        while k < len(row) and k < i + 5 and row[k].low in _HEDGES:
            k += 1
        other = self.text_at(row, k)
        return k > i + 2 or (other is not None and other.value != value)

    def _listed(self, row: Sequence[Token], i: int) -> bool:
        """Whether another bare label follows, as in "A; C", "A -> B" or "A", new line, "or B"."""
        start = i
        while i < min(len(row), start + 4) and (row[i].text in ";->.:(" or row[i].kind == "line"):
            i += 1
        if i >= len(row) or i == start:
            return False
        line = any(t.kind == "line" for t in row[start:i])
        if row[i].low in ("or", "and") and (line or row[start].text == "("):
            return i + 1 < len(row) and row[i + 1].text in tuple(self.labels)
        ends = i + 1 == len(row) or row[i + 1].kind == "line" or row[i + 1].text in ".;,"
        return not line and ends and row[i].text in tuple(self.labels)


def runs_on(row: Sequence[Token], i: int) -> bool:
    """Whether a sign ties what stands before it to what stands after, as in "A.D." or "C/2"."""
    glued = row[i].glued and row[i].kind == "mark" and row[i].text in ".:(-/&|'\\"
    if not glued or i + 1 == len(row) or row[i + 1].kind == "line":
        return glued and row[i].text in "-/"
    return row[i + 1].glued and row[i + 1].text not in CLOSERS


def _minus(row: Sequence[Token], i: int) -> bool:
    return row[i].text == "-" and i + 1 < len(row) and row[i + 1].kind == "number"


def _key(choice: str) -> tuple[str, ...]:
    lows = [t.low for t in tokens(clean(choice)) if t.text not in _NOISE and t.kind != "line"]
    while lows and lows[-1] in (".", ",", ";", ":"):
        lows.pop()
    return tuple(lows)


def _match(row: Sequence[Token], i: int, key: tuple[str, ...]) -> int | None:
    formula = any(low in ("-", "+", "*", "/", "^", "=") for low in key)
    for n, low in enumerate(key):
        limit = i + _NOISY
        while (
            (n == 0 or not formula)
            and i < min(len(row), limit)
            and row[i].text in _NOISE
            and row[i].kind == "mark"
        ):
            i += 1
        if i >= len(row) or row[i].low != low:
            return None
        i += 1
    return i


def _ends(row: Sequence[Token], i: int) -> bool:
    """Whether a choice's text, read up to token `i`, is not the start of something longer."""
    if i >= len(row) or row[i].kind == "line":
        return True
    after = row[i]
    follow = row[i + 1] if i + 1 < len(row) else None
    if after.kind == "mark" and after.text in STOPS:
        if row[i - 1].kind == "number" and after.text in "!(" and after.glued:
            return False
        if after.text == "-" and follow is not None and _figure(follow):
            return False
        glued = follow is not None and follow.glued
        if follow is not None and glued and after.text in ")]" and follow.text in _OPERATORS:
            return False
        tied = follow is not None and glued and follow.kind not in ("mark", "line")
        return not (tied and after.text in ".-':")
    if after.text == "/":
        return not (after.glued and follow is not None and follow.glued)
    if after.low in ("and", "&", "plus"):
        return follow is not None and (follow.low in _CLAUSE or len(follow.text) == 1)
    return after.low in FOLLOW or after.low in JOINS


def _figure(token: Token) -> bool:
    return token.kind == "number" or token.text == "\\"


__all__ = [
    "CLOSERS",
    "FOLLOW",
    "JOINS",
    "OPENERS",
    "STOPS",
    "UNREAD",
    "VOID",
    "Options",
    "Reading",
    "runs_on",
]
