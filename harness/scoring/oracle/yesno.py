"""The oracle's reading of yes or no at one place."""

from __future__ import annotations

from collections.abc import Sequence

from harness.scoring.oracle.read import (
    CLOSERS,
    FOLLOW,
    JOINS,
    OPENERS,
    STOPS,
    VOID,
    Reading,
    runs_on,
)
from harness.scoring.oracle.text import Token

_YES = {
    *("yes", "yeah", "yep", "yup", "是", "是的", "对", "對", "有", "はい", "네", "ja", "oui", "sí"),
}
_NO = {"no", "nope", "nah", "否", "不", "不是", "没有", "沒有", "いいえ", "아니요", "nein"}
_DOUBT = {"maybe", "perhaps", "no", "yes", "not"}
_SUBJECTS = {"there", "it", "the", "this", "that", "they", "he", "she", "i", "we", "you"}


class YesNo:
    """Yes and no, as words."""

    labels = ""

    def at(self, row: Sequence[Token], i: int) -> Reading | None:
        """Yes or no at token `i`, when the word stands for itself; VOID for both."""
        while i < len(row) and row[i].text in OPENERS:
            i += 1
        reading = self.word(row, i)
        if reading is None:
            return None
        i = reading.end
        while i < len(row) and row[i].text in CLOSERS:
            i += 1
        if i < len(row) and row[i].low in JOINS and self.word(row, i + 1) is not None:
            return Reading(VOID, i)
        if i + 1 < len(row) and row[i].text == "!" and row[i + 1].text.islower():
            return reading if row[i + 1].low in _SUBJECTS else None
        near = {token.low for token in row[i + 1 : i + 4]}
        if i < len(row) and row[i].text == "," and "or" in near and near & _DOUBT:
            return Reading(VOID, i)
        if i < len(row) and runs_on(row, i):
            return None
        if i + 1 < len(row) and row[i].text in ".:" and row[i + 1].kind == "number":
            return None
        if i + 1 < len(row) and row[i].text == "." and row[i + 1].text == "of":
            return None
        follows = i == len(row) or row[i].kind == "line" or row[i].text in STOPS
        if not follows and row[i].low not in FOLLOW | _SUBJECTS:
            return None
        return reading

    def word(self, row: Sequence[Token], i: int) -> Reading | None:
        """The bare word at token `i`."""
        if i >= len(row) or row[i].kind != "word":
            return None
        low = row[i].text.casefold()
        value = "yes" if low in _YES else "no" if low in _NO else None
        return None if value is None else Reading(value, i + 1)


__all__ = ["YesNo"]
