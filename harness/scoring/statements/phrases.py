"""Explicit statements of a final answer: where one begins, and what it says."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator

from harness.scoring.letters.options import Reading
from harness.scoring.statements.assertion import asserted, released
from harness.scoring.statements.cues import CUE, THEREFORE, VERDICT, filled, found
from harness.scoring.statements.parted import answers_of_parts, in_turn, part_before

Read = Callable[[int], Reading | None]

_BEFORE_VERDICT = re.compile(
    r"(?:^|(?:^|\n)\s*[-•]\s|(?-i:(?<!\b[A-Z]\s))\band|[.:;!?)\]}#\n\"'。]|(?-i:(?<!\b[A-Z])),"
    r"|\b(?:option|choice|answer|letter|candidate|response|assistant"
    r"|image|picture|caption|description|model|output|候选|选项|選項|so|thus|therefore|hence|that"
    r"|think|believe"
    r"|conclude|but|only|makes|because|since|and\s+hence))\s*$",
    re.I,
)
_NAME = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs|Fig)\.\s*$")
_AFTER_VERDICT = re.compile(r"\s*(?:answer|choice|option|one|match)?\b", re.I)
_ADDED = re.compile(
    r"[)\]}\"'\s]*[,;]?\s*(?:(?:and|or)\b)?\s*(?:(?:also|maybe)\s+)?(?:that\s+)?(?:the|my)?\s*",
    re.I,
)
_JOINT = re.compile(r"(?:\b(?:and|or)|[,;])\s+(?:\w+\s+){0,2}$", re.I)
_JOINTS = (",", ";", "and", "or")
_KEY = re.compile(r"[\"']\s*:\s*$")
_PLACES = 60
_FOR = re.compile(
    r"(?:^|[.!?\n])\s*for\s+(?:the|an?|another)\s[^.,!?\n]{1,40},\s*(?:the\s+|my\s+)?$", re.I
)
_ONLY_FOR = re.compile(r"\s*(?:answer|choice|option|one|match)?\s*(?:for|if|in|had|when)\b", re.I)
_LEFT = re.compile(r"\b(?:left|lower|upper|middle|bottom|top|other)\b", re.I)
_FORMAL = re.compile(r"\b(?:final\s+answer\b.*is|answer[\"']?\s*[:=])\s*$", re.I | re.S)
_BLANK = " \t\r\n{}()[]\"'.:=->#"
_EXPLAINED = re.compile(
    r"(?:the\s+)?(?:final\s+|correct\s+)?answer\s+is\W*$|(?:not|neither|nor|never|explanation"
    r"|reason|because|based|since)\b|n't\b",
    re.I,
)
_END = re.compile(r"[)\]}\"'\s]{0,9}(?:[.!\n。]|$)")


def stated(text: str, read: Read, cue: re.Pattern[str] = CUE) -> Reading | None:
    """Find the latest explicit statement of an answer.

    Parameters
    ----------
    text : the spoken part of a response, normalised.
    read : reads an answer that begins at a place.
    cue : what announces one.

    Returns
    -------
    Reading or None
        Its value is None where that latest statement names several answers or one that is
        not among the choices; `why` says so. Questions, conditions, denials and reports of
        what others say are no statements.
    """
    later: Reading | None = None
    later_start, later_key = len(text), False
    cues = _latest(cue, text)

    def read_after(match: re.Match[str]) -> Reading | None:
        # A choice's own text may begin with a filler: "Option A is larger".
        return read(match.end()) or read(filled(text, match.end()))

    for place, match in enumerate(cues):
        if not asserted(text, match.start()) or _is_of_another(text, match):
            continue
        reading = read_after(match)
        if reading is None and later is None and _is_unread(text, match):
            return Reading(None, match.start(), match.end(), "unread")
        if reading is None or reading.why == "question":
            continue
        key = bool(_KEY.search(match.group()))
        if later is not None:
            joined = _ADDED.fullmatch(text[reading.end : later_start][:40])
            if (joined or (key and later_key)) and reading.value != later.value:
                return Reading(None, reading.start, later.end, "several")
            return later
        if reading.value:
            why = released(text, reading.stop)
            if why in ("denied", "reported", "question"):
                continue
            if why:
                return Reading(None, reading.start, reading.end, why)
            if _is_several(text, reading, match, cues[place + 1 :], read_after):
                return Reading(None, reading.start, reading.end, "several")
        if reading.value is None or not (key or _is_joined(text, match.start())):
            return reading
        later, later_start, later_key = reading, match.start(), key
    return later


def _is_joined(text: str, start: int) -> bool:
    before = text[max(0, start - 30) : start]
    lowered = before.lower()
    return any(joint in lowered for joint in _JOINTS) and bool(_JOINT.search(before))


def _is_of_another(text: str, match: re.Match[str]) -> bool:
    """Whether a cue speaks of something else: "For the ball, the answer would be"."""
    words = match.group().casefold()
    if "would be" in words:
        return bool(_FOR.search(text[max(0, match.start() - 60) : match.start()]))
    return words.startswith("right ") and bool(
        _LEFT.search(text[max(0, match.start() - 120) : match.start()])
    )


def _is_unread(text: str, match: re.Match[str]) -> bool:
    """Whether a formal announcement of an answer is followed by something that is none."""
    if not _FORMAL.search(match.group()):
        return False
    if not text[: match.start()].strip():
        return False  # the whole text is its answer, whatever it is
    rest = text[match.end() : match.end() + 120].strip(_BLANK)
    return bool(rest) and not _EXPLAINED.match(rest)


def _is_several(
    text: str,
    reading: Reading,
    match: re.Match[str],
    earlier: list[re.Match[str]],
    read: Callable[[re.Match[str]], Reading | None],
) -> bool:
    if not earlier:
        return False
    if part_before(text, match.start()) and answers_of_parts(text, reading, earlier, read):
        return True
    if len(earlier) < 2:
        return False
    before = ((cue.start(), found) for cue in earlier if (found := read(cue)))
    return in_turn(text, reading, match.start(), before)


def concluded(text: str, read: Read) -> Reading | None:
    """Find the last "therefore …" whose sentence is nothing but an answer."""
    for cue in _latest(THEREFORE, text):
        reading = read(filled(text, cue.end()))
        if reading and reading.why != "question" and asserted(text, cue.start() + 1):
            # "So I" may be the beginning of a sentence that was cut.
            cut = text[reading.start : reading.end] == "I" and not text[reading.end :].strip()
            if _END.match(text, reading.stop) and not cut:
                return reading
    return None


def verdicts(text: str, verdict: re.Pattern[str] = VERDICT) -> Iterator[tuple[str, int, int]]:
    """Find all statements such as "option C is correct": letter, start and end."""
    for match in reversed(_latest(verdict, text)):
        before = text[max(0, match.start() - 40) : match.start()]
        after = _AFTER_VERDICT.match(text, match.end())
        if (
            _BEFORE_VERDICT.search(before)
            and not _NAME.search(before)
            and asserted(text, match.start())
            and not released(text, after.end() if after else match.end())
            and not ("would be" in match.group() and _ONLY_FOR.match(text, match.end()))
        ):
            group = match.lastindex or 0
            yield match.group(group), match.start(group), match.end(group)


def _latest(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """The last places that match, latest first: no answer is sought behind more of them."""
    matches = found(text, pattern)
    last = matches[-_PLACES:] if isinstance(matches, list) else deque(matches, maxlen=_PLACES)
    return [*reversed(last)]


__all__ = ["Read", "concluded", "stated", "verdicts"]
