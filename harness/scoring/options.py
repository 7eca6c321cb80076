"""The choices of an item, and how one of them is read at a place of a text."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass

from harness.scoring.text import fold, normalise, unmarked

_LABEL = re.compile(r"[\s(\[{\"'<【「]*([A-Za-z])(?![A-Za-z0-9])(?:\s{0,3}([)\]}\"'>】」]+))?")
_GLUED = re.compile(r"[\s(\[{]*([A-Z]{2,10})(?![A-Za-z0-9])")
_NOT_A_LABEL = re.compile(r"'[A-Za-z]|-[A-Za-z0-9]|\.[A-Za-z0-9]|\s{0,3}[=^_\\%°+]|\s{0,3}<")
_ABBREVIATED = re.compile(r"\.\s+(?!because|since|as\b|so\b|therefore)[a-z]")
_AND = re.compile(
    r"(?:\s*\([^)\n]{0,40}\))?\s*(?:,?\s*(?:\band/or\b|\band\b|\bor\b)|[,/&、和或及与]|\s\+)\s*"
    r"(?:(?:either|maybe|perhaps|possibly|option|choice|answer)\s+)*",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"\s*(?:$|[.,;:!?)\]}\n。、]|[-–—]\s|[^\x00-\x7f])")
_GOES_ON = re.compile(
    r"\s+(?:because|since|as|for|due|given|based|which|with|but|so|therefore|thus|not|while"
    r"|The|This|That|It|In|There|These|Because|Since|As|Explanation|Reason|Based|Given|From"
    r"|Here|To|We|Note)\b"
)
_BESIDE = re.compile(r"\s?[(\[]([A-Z])[)\]]")
_QUESTION = re.compile(r"[^.!?\n。]{0,120}[?]")
_OPENING = re.compile(r"[\s\"'({\[]*")
_ARTICLE = re.compile(r"[\s\"'({]*(?:(?:the|an?)\s+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """What stands at a place: the letter of a choice, or None with the reason in `why`."""

    value: str | None
    start: int
    end: int
    why: str = ""


class Options:
    """The letters and texts of an item's choices, normalised like the response."""

    def __init__(self, choices: Sequence[str]) -> None:
        self.letters = string.ascii_uppercase[: len(choices)]
        self.texts = [unmarked(normalise(choice)).text.strip() for choice in choices]
        folded = [fold(text) for text in self.texts]
        self._of_text = {
            text: self.letters[i] if folded.count(text) == 1 else None
            for i, text in enumerate(folded)
            if text
        }
        self._longest_first = sorted(
            ((fold(t), t) for t in self.texts if fold(t)), key=lambda p: -len(p[1])
        )

    def whole(self, text: str, start: int, end: int) -> Reading | None:
        """Read a part of the text that is nothing but one choice: its label, text, or both."""
        part = text[start:end]
        folded = fold(part)
        if folded in self._of_text and not (len(folded) == 1 and folded.upper() in self.letters):
            return self._of_text_reading(folded, start, end)
        bare = re.fullmatch(
            r"(?:(?:option|choice|answer|letter)\b\s*:?)?[\s(\[{\"'<]*([A-Za-z])[\s)\]}\"'>.,;:!。]*",
            part.strip(), re.IGNORECASE,
        )  # fmt: skip
        if bare:
            return self._label_reading(bare.group(1), start, end)
        if _GLUED.fullmatch(part.strip(" \n.()[]{}")) or self._is_list(part):
            return Reading(None, start, end, "several")
        both = re.match(r"\s*[(\[{\"']*([A-Za-z])[)\]}\"']*\s*([.:,)\-]|(?<=[)\]}])\s)\s*", part)
        if both:
            return self._label_with_text(both.group(1), part[both.end() :], start, end)
        return None

    def at(self, text: str, place: int) -> Reading | None:
        """Read one choice that begins at a place and may be followed by other words."""
        by_text = self._text_at(text, place)
        if by_text:
            return by_text
        glued = _GLUED.match(text, place)
        if glued and set(glued.group(1)) <= set(self.letters):
            return Reading(None, glued.start(1), glued.end(1), "several")
        label = _LABEL.match(text, place)
        if not label:
            return None
        letter, bracketed = label.group(1), bool(label.group(2))
        start, end = label.start(1), label.end()
        if _NOT_A_LABEL.match(text, label.end(1)) or _ABBREVIATED.match(text, end):
            return None
        if self._more_follow(text, end, letter):
            return Reading(None, start, end, "several")
        if not bracketed and not self._ends_label(text, end, letter):
            return None
        if _QUESTION.match(text, end):
            return Reading(None, start, end, "question")
        return self._label_reading(letter, start, label.end(1))

    def text_only(self, text: str, start: int, end: int) -> Reading | None:
        """Read a part that is the whole text of one choice and no more."""
        folded = fold(text[start:end])
        if folded not in self._of_text:
            folded = fold(_ARTICLE.sub("", text[start:end], count=1))
        if folded not in self._of_text or (len(folded) == 1 and folded.isalpha()):
            return None
        return self._of_text_reading(folded, start, end)

    def _label_reading(self, letter: str, start: int, end: int) -> Reading:
        if letter.upper() not in self.letters:
            return Reading(None, start, end, "out_of_range")
        return Reading(letter.upper(), start, end)

    def _of_text_reading(self, folded: str, start: int, end: int) -> Reading:
        letter = self._of_text[folded]
        return Reading(letter, start, end, "" if letter else "not_unique")

    def _label_with_text(self, letter: str, rest: str, start: int, end: int) -> Reading | None:
        named = self._of_text.get(fold(rest))
        if named is not None and named != letter.upper():
            return Reading(None, start, end, "label_and_text_differ")
        if letter.upper() not in self.letters:
            return Reading(None, start, end, "out_of_range")
        own = fold(self.texts[self.letters.index(letter.upper())])
        return Reading(letter.upper(), start, end) if own and fold(rest) == own else None

    def _is_list(self, part: str) -> bool:
        labels = re.split(r"\s*(?:,|/|&|\band\b|\bor\b|和|或|、|\s)\s*", part.strip(" .()[]{}"))
        labels = [label.strip("()[]{}.") for label in labels if label.strip("()[]{}.")]
        return len(labels) > 1 and all(len(x) == 1 and x in self.letters for x in labels)

    def _text_at(self, text: str, place: int) -> Reading | None:
        # With its article first: "a red car" may itself be the choice's text.
        places = [m.end() for p in (_OPENING, _ARTICLE) if (m := p.match(text, place))]
        for folded, _ in self._longest_first:
            if len(folded) == 1 and folded.isalpha():
                continue
            for start in places:
                end = _end_of(text, start, folded)
                if end is None:
                    continue
                if self._more_follow(text, end, ""):
                    return Reading(None, start, end, "several")
                if not (_CLAUSE_END.match(text, end) or _GOES_ON.match(text, end)):
                    continue
                if _QUESTION.match(text, end):
                    return Reading(None, start, end, "question")
                return self._of_text_reading(folded, start, end)
        return None

    def _more_follow(self, text: str, end: int, letter: str) -> bool:
        """Whether the choice just read is continued as a list: "A or B", "red and blue"."""
        if letter and self._own_text_ends(text, end, letter) is not None:
            return False
        beside = _BESIDE.match(text, end)
        if beside and beside.group(1) in self.letters.replace(letter.upper() or " ", ""):
            return True
        joint = _AND.match(text, end)
        if not joint:
            return False
        label = _LABEL.match(text, joint.end())
        if label and label.group(1) in self.letters and label.group(1) != letter.upper():
            after = text[label.end() : label.end() + 12]
            article = label.group(1) in "AI" and not label.group(2)
            if not re.match(r"\s+[a-z]" if article else r"\s+(?:is|was)\b|'", after) or re.match(
                r"\s+(?:and|or|are|both)\b", after
            ):
                return True
        start = joint.end()
        return any(
            _end_of(text, start, folded) is not None
            for folded, _ in self._longest_first
            if len(folded) > 1 and (not letter or self._of_text[folded] != letter.upper())
        )

    def _ends_label(self, text: str, end: int, letter: str) -> bool:
        if _CLAUSE_END.match(text, end):
            return True
        if letter.islower() and letter in "ai":
            return False
        return bool(_GOES_ON.match(text, end)) or self._own_text_ends(text, end, letter) is not None

    def _own_text_ends(self, text: str, end: int, letter: str) -> int | None:
        if letter.upper() not in self.letters:
            return None
        own = fold(self.texts[self.letters.index(letter.upper())])
        gap = re.compile(r"[\s.:,)\-(]*").match(text, end)
        return _end_of(text, gap.end() if gap else end, own) if own else None


def _end_of(text: str, start: int, folded: str) -> int | None:
    """Where a folded choice text that begins at `start` ends, or None when it is not there."""
    window = text[start : start + 2 * len(folded) + 8]
    if folded[0] != window[:1].casefold()[:1]:
        return None
    words = re.compile(r"\s+".join(map(re.escape, folded.split(" "))), re.IGNORECASE)
    match = words.match(text, start)
    if not match or re.match(r"\w|-\w|[.,]\d", text[match.end() : match.end() + 2]):
        return None
    if start and re.match(r"\w", text[start - 1]):
        return None
    return match.end()


__all__ = ["Options", "Reading"]
