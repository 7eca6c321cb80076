"""The texts of an item's choices, normalised like the response."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

from harness.scoring.statements.numbering import OWN_LABEL, unlabelled
from harness.scoring.statements.plain import loose, plain
from harness.scoring.statements.reading import Reading
from harness.scoring.statements.text import fold, normalise, unmarked
from harness.scoring.statements.texts import is_letter, squeeze, unique

ARTICLE = re.compile(r"[\s\"'({]{0,9}(?:(?:the|an?)[^\S\n]+)?", re.IGNORECASE)
_ARTICLES = (b"", b"the", b"a", b"an")
_PLAIN_CHARS = 400
_ALNUM = re.compile(r"[^\W_]")
HEAD = re.compile(r"\s*([A-Za-z]{2,}):? [A-Za-z]")


class ChoiceTexts:
    """The letters and texts of an item's choices, and which of them a part of a text is."""

    def __init__(self, choices: Sequence[str]) -> None:
        self.letters = string.ascii_uppercase[: len(choices)]
        given = [unmarked(normalise(choice)).text for choice in choices]
        bare = unlabelled(given)
        self._are_numbered = bare is not given
        self.texts = [fold(text) for text in bare]
        self._of_text = unique(self.texts, self.letters)
        self._of_plain = unique([plain(text) for text in bare], self.letters)
        self._forms = [*self._of_text, *self._of_plain]
        squeezed = {form for text in self._forms if (form := squeeze(text)) is not None}
        self._in_words = all(map(_is_worded, self._forms))
        self._squeezed = {article + form for form in squeezed for article in _ARTICLES}
        self._heads = {text[0] for text in self._of_text}
        self._longest_first = sorted(filter(None, set(self.texts)), key=lambda t: (-len(t), t))

    def own(self, letter: str) -> str:
        """The folded text of a letter's choice; "" where the item has no such letter."""
        place = self.letters.find(letter.upper())
        return self.texts[place] if place >= 0 else ""

    def text_only(self, text: str, start: int, end: int) -> Reading | None:
        """Read a part that is the whole text of one choice and no more."""
        part = text[start:end]
        numbered = self._numbered(part)
        if numbered:
            return Reading(numbered, start, end)
        if len(part) > 2000 or "!." in part or not self._may_be_text(part):
            return None
        folded = fold(part)
        for whole in (folded, fold(ARTICLE.sub("", part, count=1)), folded.strip("()[] .")):
            if whole in self._of_text and not is_letter(whole):
                return self._found(self._of_text[whole], start, end)
        form = plain(part)
        if form in self._of_plain and not is_letter(form):
            return self._found(self._of_plain[form], start, end)
        return None

    def _numbered(self, part: str) -> str | None:
        """The letter of a choice that a part writes with the choice's own number: "2. blue"."""
        mark = OWN_LABEL.match(part) if self._are_numbered else None
        if not mark or not mark[1].isdigit():
            return None
        place = int(mark[1]) - 1
        own = self.texts[place] if place < len(self.texts) else ""
        return self.letters[place] if own and fold(part[mark.end() :]) == own else None

    def prose_head(self, part: str) -> str:
        """The first word of a part that begins with two words and is no choice; "" for others."""
        head = HEAD.match(part)
        return head[1].lower() if head and not self._may_be_text(part) else ""

    def _may_be_text(self, part: str) -> bool:
        """Whether a part has the letters and digits of a choice, perhaps after an article."""
        squeezed = squeeze(part)
        if squeezed is None or squeezed in self._squeezed:
            return True
        return len(part) > _PLAIN_CHARS and squeeze(part[:_PLAIN_CHARS]) in self._squeezed

    def _is_own(self, letter: str, rest: str) -> bool:
        """Whether what follows a label is its choice's own text, brackets and signs apart."""
        if not self.own(letter):
            return False
        form = loose(self.own(letter))
        squeezed = squeeze(rest[:_PLAIN_CHARS])
        return squeezed in (None, squeeze(form)) and loose(rest) == form

    def _found(self, letter: str | None, start: int, end: int) -> Reading:
        return Reading(letter, start, end, "" if letter else "not_unique")


def _is_worded(text: str) -> bool:
    """Whether a text has two letters or digits at least."""
    if text.isascii():
        return len(text) > 1 and (text.isalnum() or len(_ALNUM.findall(text)) > 1)
    return len(_ALNUM.findall(text)) > 1


__all__ = ["ARTICLE", "HEAD", "ChoiceTexts"]
