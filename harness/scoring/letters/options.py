"""The choices of an item, and how one of them is read at a place of a text."""

from __future__ import annotations

import re

from harness.scoring.letters import labels
from harness.scoring.letters.choice_texts import ARTICLE, HEAD, ChoiceTexts
from harness.scoring.statements.numbering import in_formula
from harness.scoring.statements.plain import plain, words
from harness.scoring.statements.reading import Reading
from harness.scoring.statements.text import fold
from harness.scoring.statements.texts import end_of, is_letter, line_end

_OPENING = re.compile(r"[\s\"'({\[]{0,9}")
_BARE = re.compile(
    r"(?:(?:option|choice|answer|letter|选项|選項)(?:\s*:|\b|(?<=[项項])))?[\s(\[{\"'<【「]*"
    r"(?:(?:option|choice)\s+)?([A-Za-z])[\s)\]}\"'>.,;:!。】」\\]*",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"(?:(?:[Oo]ption|[Cc]hoice|OPTION)\s+|选项\s*"
    r"|選項\s*)?[\s(\[{\"']*([A-Za-z])(?:[)\]}\"'\s]*)([.:,)\-–—、。]"
    r"|(?<=[)\]}\s]))\s*"
)
_LABEL_AFTER = re.compile(r"(.*\S)\s*[(\[]\s?([A-Z])\s?[)\]][\s.]*")
_FORMULA = re.compile(r"[\s$(\[]*[\d\\{.-]")
_LABEL_OPENING = re.compile(r"[\s(\[{\"'<]{0,9}")
_GAP = re.compile(r"[\s.:,)\-–—(]{0,9}")
_GAP_ARTICLE = re.compile(r"[\s.:,)\-–—(]{0,9}(?:(?:the|an?)\s+)?")
_NARROW_GAP = re.compile(r"[ ]{0,3}[.:,)\-–—(]{0,3}[ ]{0,3}")
_LAST = re.compile(r"[\s(\[{\"']{0,9}([A-Za-z])[)\]}\"']{0,3}[.!]?\s*\Z")
# Of the words that begin a part, those that may come before a label.
_LABEL_WORDS = frozenset(("option", "choice", "answer", "letter", "and", "or"))
_NUMBERED = re.compile(r"\b(?:option|choice|number|no\.)\s{0,3}$", re.IGNORECASE)
_NUMBER = re.compile(r"[\d.,/%\s]+")


class Options(ChoiceTexts):
    """The letters and texts of an item's choices, normalised like the response."""

    def whole(self, text: str, start: int, end: int) -> Reading | None:
        """Read a part of the text that is nothing but one choice: its label, text, or both."""
        part = text[start:end]
        if self._may_be_text(part):
            by_text = self.text_only(text, start, end)
            if by_text:
                return by_text
        else:
            head = HEAD.match(part)
            if head and head[1].lower() not in _LABEL_WORDS:
                return None
        part = part.replace("{", " ").replace("}", " ").strip()
        bare = _BARE.fullmatch(part)
        if bare:
            return self.label(bare.group(1), start, end)
        both = _LABELLED.match(part)
        if both and self._is_own(both[1], part[both.end() :]):
            return Reading(both[1].upper(), start, end)
        if labels.GLUED.fullmatch(part.strip(" \n.()[]{}")) or labels.is_list(part, self.letters):
            return Reading(None, start, end, "several")
        closed = len(part) < 400 and (")" in part or "]" in part)
        after = _LABEL_AFTER.fullmatch(part) if closed else None
        named = self._of_text.get(fold(after.group(1))) if after else None
        if after and named:
            if named != after.group(2):
                return Reading(None, start, end, "label_and_text_differ")
            return Reading(named, start, end)
        if both:
            return self._label_with_text(both, part, start, end)
        return None

    def at(self, text: str, place: int) -> Reading | None:
        """Read one choice that begins at a place and may be followed by other words."""
        if self._in_words:
            # Nothing but a label and what closes it: all that is asked below would be answered no.
            last = _LAST.match(text, place)
            if last:
                return self.label(last[1], last.start(1), last.end(1))
        reading = self._text_at(text, place) or self._labelled_line(text, place)
        if reading:
            return reading
        glued = labels.GLUED.match(text, place)
        if glued and set(glued.group(1)) <= set(self.letters):
            return Reading(None, glued.start(1), glued.end(1), "several")
        label = labels.LABEL.match(text, place)
        if not label:
            return None
        letter, bracketed = label.group(1), bool(label.group(2))
        start, end = label.start(1), label.end()
        own_end = self._own_text_ends(text, end, letter)
        if own_end is not None and letter in "Aa" and self._is_article(text, label.end(1), own_end):
            own_end = None
        if labels.NOT_A_LABEL.match(text, label.end(1)) and own_end is None:
            return None
        if own_end is None and labels.ABBREVIATED.match(text, end):
            return None
        if labels.ASKED.match(text, own_end or end):
            return Reading(None, start, end, "question")
        if self._more_follow(text, end, own_end, letter):
            return Reading(None, start, end, "several")
        if letter.islower() and bracketed and labels.PART.match(text, end):
            return Reading(None, start, end, "several")
        if own_end is None and not bracketed and self._is_initial(text, end, letter):
            return Reading(None, start, end, "label_and_text_differ")
        if own_end is None and self._names_other(text, end, letter):
            return Reading(None, start, end, "label_and_text_differ")
        if not bracketed and own_end is None and not labels.ends(text, end, letter):
            return None
        reading = self.label(letter, start, label.end(1))
        return reading._replace(until=own_end) if own_end else reading

    def label(self, letter: str, start: int, end: int) -> Reading:
        """The reading of a letter that stands as a label."""
        if letter.upper() in self.letters:
            return Reading(letter.upper(), start, end)
        named = self._of_text.get(letter.casefold())  # a choice whose text is one letter: "O"
        return Reading(named, start, end, "" if named else "out_of_range")

    def _label_with_text(
        self, both: re.Match[str], part: str, start: int, end: int
    ) -> Reading | None:
        letter, rest = both.group(1).upper(), part[both.end() :]
        named = None
        if self._may_be_text(rest):
            named = self._of_text.get(fold(rest)) or self._of_plain.get(plain(rest))
        if named is not None and named != letter:
            return Reading(None, start, end, "label_and_text_differ")
        bracketed = part[: both.end()].rstrip().endswith((")", "]"))
        if letter not in self.letters:
            return Reading(None, start, end, "out_of_range") if bracketed or both[2] else None
        if "\n" in part:
            return None
        own = self.own(letter)
        described = both[2] in (".", ":", ")") and (bracketed or words(rest) & words(own))
        if not described or self._mentions_other(rest, letter):
            return None
        return Reading(letter, start, end)

    def _mentions_other(self, rest: str, letter: str) -> bool:
        found = re.findall(r"(?<![A-Za-z0-9'])([B-Z]|(?<=[(\[])A(?=[)\]]))(?![A-Za-z0-9'])", rest)
        return bool(set(found) & set(self.letters) - {letter})

    def _labelled_line(self, text: str, place: int) -> Reading | None:
        """A label with its choice's own text, however joined, up to the line's end."""
        opening = _LABEL_OPENING.match(text, place)
        start = opening.end() if opening else place
        letter = text[start : start + 1].upper()
        own = self.own(letter) if letter else ""
        if not own or text[start + 1 : start + 2].isalpha():
            return None
        rest = text[start + 1 : line_end(text, start + 1)]
        if len(rest) > 3 * len(own) + 20 or not rest.strip():
            return None
        if not self._is_own(letter, rest):
            return None
        until = start + 1 + len(rest.rstrip(" .,;!?)]\"'"))
        if self._more_follow(text, start + 1, until, letter):
            return Reading(None, start, until, "several")
        return Reading(letter, start, start + 1, until=until)

    @staticmethod
    def _is_article(text: str, end: int, own_end: int) -> bool:
        """Whether an "a" before its choice's text is the article of a longer phrase."""
        return text[end] == " " and not labels.CLAUSE_END.match(text, own_end)

    def _text_at(self, text: str, place: int) -> Reading | None:
        # With its article first: "a red car" may itself be the choice's text.
        places = [m.end() for p in (_OPENING, ARTICLE) if (m := p.match(text, place))]
        heads = {text[start : start + 1].casefold()[:1] for start in places}
        for folded in self._longest_first if not heads.isdisjoint(self._heads) else ():
            if is_letter(folded):
                continue
            for start in places:
                end = end_of(text, start, folded)
                if end is None or (not folded.isalpha() and in_formula(text, start, end, folded)):
                    continue
                if folded.isdigit() and self._is_numbered(text, start, folded):
                    return Reading(None, start, end, "label_or_text")
                if text[place:start].strip(" \"'({[") == "A":
                    if self._of_text[folded] == "A":
                        return None
                    return Reading(None, start, end, "label_and_text_differ")
                if self._joined(text, end, self._of_text[folded] or "") or (
                    _NUMBER.fullmatch(folded) and re.match(r"\s*[,/]\s*\d", text[end : end + 9])
                ):
                    return Reading(None, start, end, "several")
                beside = labels.NEXT_LABEL.match(text, end)
                own = beside is not None and beside.group(1) == self._of_text[folded]
                if not (
                    own or labels.CLAUSE_END.match(text, end) or labels.GOES_ON.match(text, end)
                ):
                    continue
                if labels.ASKED.match(text, end):
                    return Reading(None, start, end, "question")
                return self._found(self._of_text[folded], start, end)
        end = line_end(text, place)
        line = text[place:end]
        if in_formula(text, places[0] if places else place, end, "0"):
            return None
        if not line.isascii() or "\\" in line or _FORMULA.match(line):
            return self.text_only(text, place, end)
        return None

    def _is_numbered(self, text: str, start: int, folded: str) -> bool:
        """Whether "option 3" may be the third option as well as the one whose text is 3."""
        if not _NUMBERED.search(text[max(0, start - 12) : start]):
            return False
        return self.texts.index(folded) + 1 != (int(folded) if len(folded) < 3 else 0)

    def _more_follow(self, text: str, end: int, own_end: int | None, letter: str) -> bool:
        """Whether the label just read is continued as a list: "A or B", "(A) red (B) blue"."""
        if own_end is None:
            return self._joined(text, end, letter)
        if self._joined(text, own_end, letter):
            return True
        following = labels.NEXT_LABEL.match(text, own_end)
        return bool(
            following
            and following.group(1) != letter.upper()
            and self._own_text_ends(text, following.end(), following.group(1)) is not None
        )

    def _joined(self, text: str, end: int, letter: str) -> bool:
        if labels.joined(text, end, self.letters.replace(letter.upper() or " ", "")):
            return True
        joint = labels.AND.match(text, end)
        if not joint:
            return False
        worded = any(char.isalpha() for char in joint.group())
        for folded in self._longest_first:
            if len(folded) == 1 or (letter and self._of_text[folded] == letter.upper()):
                continue
            other = end_of(text, joint.end(), folded)
            if other is not None and (worded or labels.CLAUSE_END.match(text, other)):
                return True
        return False

    def _names_other(self, text: str, end: int, letter: str) -> bool:
        """Whether a label stands before the whole text of another choice."""
        gap = _NARROW_GAP.match(text, end)
        start = gap.end() if gap else end
        rest = text[start : line_end(text, start)]
        if not self._may_be_text(rest):
            return False
        named = self._of_text.get(fold(rest.rstrip(" ).")))
        return named is not None and named != letter.upper() and bool(rest.strip())

    def _is_initial(self, text: str, end: int, letter: str) -> bool:
        """Whether a letter is the initial of a name: "A. Lincoln.", "D. H. Lawrence"."""
        name = labels.NAME.match(text, end) if letter.isupper() else None
        if not name or not self.own(letter):
            return False
        return not words(name[1]) & words(self.own(letter))

    def _own_text_ends(self, text: str, end: int, letter: str) -> int | None:
        own = self.own(letter)
        gap = _GAP_ARTICLE.match(text, end)
        if own and gap and end_of(text, gap.end(), own) is None:
            gap = _GAP.match(text, end)
        return end_of(text, gap.end() if gap else end, own) if own else None


__all__ = ["Options", "Reading"]
