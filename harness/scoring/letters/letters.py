"""Where a response gives a letter as its answer, if it gives one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.scoring.letters.bare import bare_answer, last_line
from harness.scoring.letters.options import Options
from harness.scoring.statements.assertion import asserted, released
from harness.scoring.statements.blocks import answer_blocks, boxes, open_box
from harness.scoring.statements.cues import CUE, VERDICT
from harness.scoring.statements.phrases import Read, concluded, stated, verdicts
from harness.scoring.statements.reading import Reading, answered
from harness.scoring.statements.revisions import revised, takes_back
from harness.scoring.statements.run_on import first_of
from harness.scoring.statements.text import normalise, unmarked
from harness.scoring.statements.thinking import spoken
from harness.scoring.statements.tokens import untokened
from harness.types import Answer

_BETWEEN_BOXES = re.compile(
    r"(?:[\s,;/&}.]|\b(?:or|and|possibly|maybe|perhaps|also)\b|和|或|、|text|\{|\\+)*",
    re.IGNORECASE,
)
_OPENING = re.compile(r"[\s{]*\\+f?box(?:ed)?\s*\{$")
_TOO = re.compile(r"[)\]\"']{0,2}\s+is\s+(?:\w+\s+){0,3}?(?:too|as\s+well|also)\b")
_ALSO_FITS = re.compile(r"\s*(?:also\s+\w+|(?:works|fits|is\s+\w+)\s+(?:too|as\s+well|also))\b")
_RELATED = re.compile(
    r"\s*(?:[<>]|\\(?:ll|gg|lt|gt|le|ge|leq|geq|neq|sim|approx|to|in)(?![A-Za-z]))"
)
_BOXES = 60


@dataclass(frozen=True, slots=True)
class Manner:
    """How the answers to a kind of question are announced.

    `cue` comes before a letter and `verdict` holds one in its first group; `noun` is what may
    stand between a cue and its letter, such as "candidate".
    """

    cue: re.Pattern[str] = CUE
    verdict: re.Pattern[str] = VERDICT
    noun: re.Pattern[str] | None = None


CHOICE = Manner()


def letter(text: str, options: Options, manner: Manner = CHOICE) -> Answer:
    """Read a letter from a response, in the order that `choice` describes.

    Parameters
    ----------
    text : the raw response.
    options : the letters that may be read, and their texts.
    manner : how such an answer is announced.

    Returns
    -------
    Answer
        `value` is a letter of the options, or None with the reason in `rule`.
    """
    copy, unclosed = spoken(unmarked(untokened(normalise(text))))
    if not copy.text.strip():
        rule = "unclosed_thinking" if unclosed else "only_thinking" if text.strip() else "empty"
        return Answer(value=None, rule=rule)
    closed, opened = answer_blocks(copy.text)
    if opened is not None and len(copy.text) - opened <= 40:
        bare = re.fullmatch(r"[\s(\[]*[A-Za-z][\s)\].]*", copy.text[opened:])
        if bare:
            return answered(copy, options.whole(copy.text, opened, len(copy.text)), "open_block")
    if closed is not None:
        return answered(copy, _in_block(copy.text, *closed, options, manner), "answer_block")
    rule, reading = _outside(copy.text, options, manner)
    if reading is None:
        return Answer(value=None, rule="unclosed_thinking" if unclosed else "none")
    return answered(copy, reading, rule)


def _in_block(text: str, start: int, end: int, options: Options, manner: Manner) -> Reading | None:
    whole = options.whole(text, start, end)
    if whole:
        return whole
    reading = _outside(text[start:end], options, manner)[1]
    if reading is None:
        return None
    return Reading(reading.value, reading.start + start, reading.end + start, reading.why)


def _outside(text: str, options: Options, manner: Manner) -> tuple[str, Reading | None]:
    return first_of(text, lambda part: _in_part(part, options, manner))


def _in_part(text: str, options: Options, manner: Manner) -> tuple[str, Reading | None]:
    def read(place: int) -> Reading | None:
        noun = manner.noun.match(text, place) if manner.noun else None
        return options.at(text, noun.end() if noun else place)

    rule, reading = _explicit(text, options, manner, read)
    if reading is None:
        rule, reading = bare_answer(text, options, manner.noun)
    elif reading.value:
        last = last_line(text, reading.stop, options, manner.noun)
        if last and last.value != reading.value:
            return rule, Reading(None, reading.start, last.end, "several")
    return rule, revised(text, reading, read) if reading else None


def _explicit(
    text: str, options: Options, manner: Manner, read: Read
) -> tuple[str, Reading | None]:
    """The latest of: final-answer phrase, conclusion, verdict on a letter, box."""
    found: list[tuple[int, int, str, Reading]] = []
    phrase = stated(text, read, manner.cue)
    if phrase:
        found.append((phrase.start, 0, "final_phrase", phrase))
    conclusion = concluded(text, lambda place: _label_at(text, place, options))
    if conclusion:
        found.append((conclusion.start, 0, "final_phrase", conclusion))
    verdict = _verdict(text, options, manner, phrase.start if phrase else -1)
    if verdict:
        found.append((verdict.start, 0, "final_phrase", verdict))
    box = _box(text, options)
    if box:
        found.append((box.start, 1, "boxed", box))
    opened = open_box(text)
    if opened:
        found.append((opened[0], 1, "open_box", options.label(text[opened[0]], *opened)))
    if not found:
        return "final_phrase", None
    _, _, rule, reading = max(found, key=_place) if len(found) > 1 else found[0]
    return rule, reading


def _place(found: tuple[int, int, str, Reading]) -> tuple[int, int]:
    return found[:2]


def _label_at(text: str, place: int, options: Options) -> Reading | None:
    return options.at(text, place) if re.match(r"[(\[]?[A-Z]\b", text[place : place + 3]) else None


def _verdict(text: str, options: Options, manner: Manner, after: int) -> Reading | None:
    late = [found for found in verdicts(text, manner.verdict) if found[1] > after]
    if not late:
        return None
    name, start, end = late[-1]
    if _TOO.match(text, end):
        return Reading(None, start, end, "several")
    others = [found for found in late if found[0] != name]
    if others and not takes_back(text, others[-1][2], start):
        return Reading(None, start, end, "several")
    return options.label(name, start, end)


def _box(text: str, options: Options) -> Reading | None:
    """The last box that holds a choice; boxes with nothing but "or" between hold several."""
    last: Reading | None = None
    following: tuple[int, Reading] | None = None  # the box after, and where it begins
    for start, end in reversed(boxes(text)[-_BOXES:]):
        reading = options.whole(text, start, end)
        if reading is None:
            if last is None and text[start:end].strip():
                last = Reading(None, start, end, "unread")
            continue
        if last is not None and last.why == "unread":
            break
        if _RELATED.match(text, end + 1):
            continue
        opening = _OPENING.search(text[max(0, start - 20) : start])
        begin = start - len(opening.group()) if opening else start
        between = text[end + 1 : following[0]] if following and following[0] > end else "."
        if following and reading.value != following[1].value and _is_joint(between):
            return Reading(None, start, following[1].end, "several")
        following = begin, reading
        if last is None and asserted(text, begin) and not released(text, end + 1):
            last = reading._replace(until=end + 1)
            if _ALSO_FITS.match(text, end + 1):
                last = last._replace(value=None, why="several")
        elif last is not None:
            break
    return last


def _is_joint(between: str) -> bool:
    return len(between) < 80 and bool(_BETWEEN_BOXES.fullmatch(between))


__all__ = ["CHOICE", "Manner", "letter"]
