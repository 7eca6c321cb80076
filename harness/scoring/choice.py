"""The answer to a multiple-choice question: a letter, or nothing that can be relied on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.errors import DataError
from harness.scoring.blocks import answer_blocks, boxes
from harness.scoring.options import Options, Reading
from harness.scoring.phrases import concluded, stated, verdicts, withdrawn
from harness.scoring.text import Copy, normalise, unmarked
from harness.scoring.thinking import spoken
from harness.types import Answer

_BULLET = re.compile(r"[\s>#\-•]*")
_LEADING = re.compile(
    r"(?P<open>[(\[]?)([A-Za-z])(?P<close>[)\]]?)(?P<mark>\s*[.:,)]|(?<=[)\]]))\s+"
)
_BARE = re.compile(r"(?:option\s+|choice\s+)?[(\[]*([A-Za-z])[)\]]*[.,;:!。]*\s*", re.IGNORECASE)
_BECAUSE = re.compile(r"(?:because|since|as)\b", re.IGNORECASE)
_SENTENCE = re.compile(
    r"(?:The|This|That|It|In|Because|Since|As|There|These|All|None|Both|We|Based|According|When"
    r"|From|To|Looking|Note|Explanation|Reason)\b"
)
_LINE_LABEL = re.compile(r"(?:^|[\s,;])[(\[]?([A-Z])(?:[)\]][.:]?|[.:])(?=\s)", re.MULTILINE)
_IS = re.compile(r"\b(?:is|are|was|shows|be|depicts)\s+(?:called\s+)?", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:not|no|never|neither|nor|or|could|might|may|maybe|perhaps|if|whether|unclear|unsure"
    r"|cannot|except)\b|n't\b|\?", re.IGNORECASE,
)  # fmt: skip
_TEXT_CHARS = 300


def choice(text: str, choices: Sequence[str]) -> Answer:
    """Read the letter that a response chooses.

    The order: the last closed answer block and nothing else once there is one; the latest
    explicit statement or box, a box on a tie; a bare or leading label; the text of exactly
    one choice. Anything less certain, or more than one answer, is left for review.

    Parameters
    ----------
    text : the raw response.
    choices : the texts of the choices, A first; at least one, at most 26.

    Returns
    -------
    Answer
        `value` is the letter, or None; `rule` says where it was read or why it was not;
        `span` lies in the raw text.

    Raises
    ------
    DataError
        When there is no choice, or more than there are letters.

    Examples
    --------
    >>> choice("It is not A, so the answer is (B).", ["red", "blue"])
    Answer(value='B', rule='final_phrase', span=(31, 32))
    """
    if not 1 <= len(choices) <= 26:
        raise DataError(f"a choice example has {len(choices)} choices; expected 1 to 26")
    copy, unclosed = spoken(unmarked(normalise(text)))
    if not copy.text.strip():
        rule = "unclosed_thinking" if unclosed else "only_thinking" if text.strip() else "empty"
        return Answer(value=None, rule=rule)
    options = Options(choices)
    closed, opened = answer_blocks(copy.text)
    if opened is not None:
        bare = re.fullmatch(r"[\s(\[]*[A-Za-z][\s)\].]*", copy.text[opened:])
        if bare:
            return _answer(copy, options.whole(copy.text, opened, len(copy.text)), "open_block")
    if closed is not None:
        return _answer(copy, _in_block(copy.text, *closed, options), "answer_block")
    rule, reading = _explicit(copy.text, options)
    if reading is None:
        rule, reading = _implicit(copy.text, options)
    if reading is None:
        return Answer(value=None, rule="unclosed_thinking" if unclosed else "none")
    return _answer(copy, reading, rule)


def _answer(copy: Copy, reading: Reading | None, rule: str) -> Answer:
    if reading is None:
        return Answer(value=None, rule=f"{rule}:none")
    if reading.value is None:
        return Answer(value=None, rule=f"{rule}:{reading.why}")
    return Answer(value=reading.value, rule=rule, span=copy.span(reading.start, reading.end))


def _in_block(text: str, start: int, end: int, options: Options) -> Reading | None:
    whole = options.whole(text, start, end)
    if whole:
        return whole
    inner = text[start:end]
    reading = _explicit(inner, options)[1] or _implicit(inner, options)[1]
    if reading is None:
        return None
    return Reading(reading.value, reading.start + start, reading.end + start, reading.why)


def _explicit(text: str, options: Options) -> tuple[str, Reading | None]:
    """The latest of: final-answer phrase, verdict on a letter, box."""
    found: list[tuple[int, int, str, Reading]] = []
    phrase = stated(text, lambda place: options.at(text, place))
    if phrase is None:
        phrase = concluded(text, lambda place: _label_at(text, place, options))
    if phrase:
        found.append((phrase.start, 0, "final_phrase", phrase))
    verdict = _verdict(text, options, phrase.start if phrase else -1)
    if verdict:
        found.append((verdict.start, 0, "final_phrase", verdict))
    box = _box(text, options)
    if box:
        found.append((box.start, 1, "boxed", box))
    if not found:
        return "final_phrase", None
    _, _, rule, reading = max(found, key=lambda item: item[:2])
    if reading.value and withdrawn(text, reading.value, reading.end):
        reading = Reading(None, reading.start, reading.end, "withdrawn")
    return rule, reading


def _label_at(text: str, place: int, options: Options) -> Reading | None:
    return options.at(text, place) if re.match(r"[(\[]?[A-Z]\b", text[place : place + 3]) else None


def _verdict(text: str, options: Options, after: int) -> Reading | None:
    late = [(letter, start, end) for letter, start, end in verdicts(text) if start > after]
    if not late:
        return None
    letter, start, end = late[-1]
    if len({name for name, _, _ in late}) > 1:
        return Reading(None, start, end, "several")
    if letter not in options.letters:
        return Reading(None, start, end, "out_of_range")
    return Reading(letter, start, end)


def _box(text: str, options: Options) -> Reading | None:
    """The last box that holds a choice; boxes that are joined by "or" hold several."""
    last: tuple[int, int, Reading] | None = None
    for start, end in reversed(boxes(text)):
        reading = options.whole(text, start, end)
        if reading is None:
            continue
        if last is None:
            last = (start, end, reading)
        elif last[0] > end:
            between = re.sub(r"\\+f?box(?:ed)?\s*\{$", "", text[end : last[0]]).strip(" }\n")
            if between.casefold() in {
                ",",
                "/",
                "&",
                "or",
                "and",
                ", or",
                ", and",
                "和",
                "或",
                "、",
            }:
                return Reading(None, start, last[1], "several")
            break
    return last[2] if last else None


def _implicit(text: str, options: Options) -> tuple[str, Reading | None]:
    """A bare label or choice text on its own line, a leading label, or one choice's text."""
    lines = [m.span() for m in re.finditer(r"[^\n]+", text) if m.group().strip()]
    if not lines:
        return "bare", None
    first, last = (_bare(text, *line, options) for line in (lines[0], lines[-1]))
    if first and last and first.value != last.value:
        return "bare", Reading(None, first.start, last.end, "several")
    bare = last or first
    if bare and not (last is None and _labels(text) - {bare.value}):
        return "bare", bare
    leading = _leading(text, options)
    if leading:
        return "leading", leading
    return "choice_text", _by_text(text, options) if len(lines) == 1 else None


def _bare(text: str, start: int, end: int, options: Options) -> Reading | None:
    bullet = _BULLET.match(text, start, end)
    start = bullet.end() if bullet else start
    if start >= end:
        return None
    if _BARE.fullmatch(text, start, end):
        return options.whole(text, start, end)
    return options.text_only(text, start, end)


def _labels(text: str) -> set[str | None]:
    return {match.group(1) for match in _LINE_LABEL.finditer(text)}


def _leading(text: str, options: Options) -> Reading | None:
    bullet = _BULLET.match(text)
    start = bullet.end() if bullet else 0
    match = _LEADING.match(text, start)
    if not match or match.group(2) not in options.letters:
        return None
    letter = match.group(2)
    if _labels(text) & set(options.letters) - {letter}:
        return Reading(None, start, match.end(), "several")
    whole = options.whole(text, start, len(text.rstrip()))
    line = re.compile(r"[^\n]*").match(text, start)
    first_line = options.whole(text, start, line.end() if line else len(text))
    if whole or first_line:
        return whole or first_line
    rest = text[match.end() : match.end() + 40]
    closed = bool(match.group("close")) or match.group("mark").strip() == ")"
    if (
        closed
        or _BECAUSE.match(rest)
        or (match.group("mark").strip() == "." and _SENTENCE.match(rest))
    ):
        return options.whole(text, match.start(2), match.end(2))
    return None


def _by_text(text: str, options: Options) -> Reading | None:
    """A short sentence that ends in the text of one choice: "The length is 15 cm."."""
    if len(text) > _TEXT_CHARS or _HEDGE.search(text):
        return None
    for verb in reversed(list(_IS.finditer(text))):
        reading = options.text_only(text, verb.end(), len(text))
        if reading:
            return reading
    return None


__all__ = ["choice"]
