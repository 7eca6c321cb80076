"""Short sentences that name a choice by its text alone: "The length is 15 cm."."""

from __future__ import annotations

import re

from harness.scoring.letters.options import Options
from harness.scoring.statements.anchors import BECAUSE, holds, index
from harness.scoring.statements.assertion import asserted
from harness.scoring.statements.reading import Reading

_IS = re.compile(r"(?:\b(?:is|are|was|shows|be|depicts|equals)|'s)\s+(?:called\s+)?", re.IGNORECASE)
_TEXT_VERDICT = re.compile(
    r"\s*(.{1,120})\s+is\s+(?:the\s+)?(?:correct|right|best)(?:\s+(?:answer|choice"
    r"|option))?[\s.!]*$|\s*(.{1,120})\s+is\s+the\s+(?:answer|solution)[\s.!]*$",
    re.IGNORECASE,
)
_TEXT_BECAUSE = re.compile(r"\s*([^.,;:!?\n]{1,80}),?\s+(?:because|since)\b", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:not|no|never|neither|nor|or|could|might|may|maybe|perhaps|if|whether|unclear|unsure"
    r"|none|hardly|barely|rarely|scarcely|seldom|few|supposed|believed|thought|used\s+to"
    r"|in\s+order|going\s+to|cannot|except|unless|otherwise|some|says?|said|suppose|assume"
    r"|imagine|pretend|would)\b"
    r"|n't\b|\?", re.IGNORECASE,
)  # fmt: skip
PRAISE = re.compile(r"\s*(?:right|correct|good|fine)[\s.!]*", re.IGNORECASE)
_CONTRAST = re.compile(
    r"\b(?:is|are|was)\s+not\s+[^,.;!?\n]{1,40}?,?\s+but\s+(?:rather\s+)?"
    r"|\s*([,(])\s*not\s+[^,.;!?()\n]{1,40}\)?[\s.!]*$"
)
_LABEL_SUBJECT = re.compile(r"(?<![A-Za-z0-9'])[(\[]?([A-Z])[)\]]?\s*$")
_CLAUSE = re.compile(r"[^.,;!?\n]*?(?=[.,;!?\n]|\s+(?:and|while|whereas|but|then)\b|$)")
_TEXT_THEN_LABEL = re.compile(
    r"([^;\n]{1,120}),\s+(?:which\s+is\s+|so\s+)?(?:the\s+)?(?i:option"
    r"|choice)\s+[(\[]?([A-Z])[)\]]?[\s.!]*"
)
_TEXT_CHARS = 300


def said_by_text(text: str, options: Options) -> Reading | None:
    """A short sentence that ends in the text of one choice: "The length is 15 cm."."""
    because = _TEXT_BECAUSE.match(text) if holds(index(text), BECAUSE) else None
    if because:
        return options.text_only(text, *because.span(1))
    if len(text) > _TEXT_CHARS:
        return None
    contrast = _CONTRAST.search(text) if "not " in text else None
    if contrast and contrast[1] is None:
        named = options.text_only(text, contrast.end(), len(text))
        clear = named and not _HEDGE.search(text[: contrast.start()])
        return named if clear and asserted(text, contrast.start()) else None
    if contrast:
        # "green, not red": what is denied at the end leaves the rest as it is.
        whole = options.text_only(text, 0, contrast.start())
        return whole or said_by_text(text[: contrast.start()], options)
    if _HEDGE.search(text):
        return None
    said = _TEXT_VERDICT.match(text)
    if said:
        return options.text_only(text, *said.span(said.lastindex or 1))
    verbs = list(_IS.finditer(text))
    if len(verbs) > 1 and len(_said_in_clauses(text, verbs, options)) > 1:
        return Reading(None, verbs[0].start(), len(text), "several")
    for verb in reversed(verbs):
        reading = options.text_only(text, verb.end(), len(text))
        subject = _LABEL_SUBJECT.search(text[max(0, verb.start() - 8) : verb.start()])
        if reading and subject and subject[1] in options.letters:
            return Reading(None, verb.start(), len(text), "describes_a_label")
        # "You are right" says nothing of a choice "right".
        if reading and PRAISE.fullmatch(text, verb.end()):
            return None
        if reading and asserted(text, verb.start()):
            return reading
    return None


def _said_in_clauses(text: str, verbs: list[re.Match[str]], options: Options) -> set[str | None]:
    """The choices that the clauses of a sentence end with, each of its own thing perhaps."""
    said = set()
    for verb in verbs:
        clause = _CLAUSE.match(text, verb.end())
        reading = options.text_only(text, verb.end(), clause.end()) if clause else None
        if reading:
            said.add(reading.value)
    return said


def text_then_label(text: str, start: int, end: int, options: Options) -> Reading | None:
    """A line that ends with a choice's text and then its label: "So F = 20 N, option D."."""
    match = _TEXT_THEN_LABEL.fullmatch(text, start, end) if end - start < _TEXT_CHARS else None
    if not match or _HEDGE.search(match[1]):
        return None
    own = options.own(match[2])
    before = match[1].casefold().rstrip()
    if (
        not asserted(text, match.start(2))
        or not own
        or not (before == own or before.endswith(" " + own))
    ):
        return None
    return options.label(match[2], match.start(2), match.end(2))


__all__ = ["PRAISE", "said_by_text", "text_then_label"]
