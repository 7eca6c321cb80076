"""Answers that nothing announces: a bare label, a leading one, or the text of a choice."""

from __future__ import annotations

import re

from harness.scoring.letters.by_text import PRAISE, said_by_text, text_then_label
from harness.scoring.letters.options import Options
from harness.scoring.statements.anchors import words
from harness.scoring.statements.assertion import asserted
from harness.scoring.statements.cues import filled
from harness.scoring.statements.reading import Reading
from harness.scoring.statements.standing import goes_on, stands_alone

_LINE = re.compile(r"[^\n]+")
_REST = re.compile(r"[^\n]*")
_BULLET = re.compile(r"[\s>#•→➡👉✅☑]*(?:[-–]\s+)?[\s>#•→➡👉✅☑]*")
_COMMENT = re.compile(
    r",?\s*(?:it\s+is|[(-]?\s?(?:final\s+answer|correct)\)?|of\s+course|final\s+answer|obviously"
    r"|definitely|for\s+sure|I\s+(?:think|believe"
    r"|would\s+say)|👍|✅|☑|[\s.!])*$",
    re.IGNORECASE,
)
# How the words of a remark end, and what may follow them.
_REMARKED = re.compile(
    r"(?:is|answer\)?|correct\)?|course|obviously|definitely|sure|think|believe|say)\Z",
    re.IGNORECASE,
)
_ENDS = " \t\r\n\v\f\x1c\x1d\x1e\x1f.!"
_LEADING = re.compile(
    r"(?P<open>[(\[]?)([A-Za-z])(?P<close>[)\]]?)(?P<mark>\s*[.:,)]|(?<=[)\]])|(?=\s+(?:because"
    r"|since)\b)|\s[-–—](?=\s+(?:because|since)\b)"
    r"|[、。])(?:\s+|(?=[^\x00-\x7f]))"
)
# Who speaks, or what follows: "ASSISTANT: B", "A: (B) blue".
_ROLE = re.compile(
    r"(?:(?:assistant|model|output|prediction|reply|bot|ai)\s*:|ans\s*[.:]"
    r"|A:(?=\s+[(\[]?[A-Z][)\].]))\s*",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:option\s+|choice\s+|选项\s*)?[(\[{<【「\"']*([A-Za-z])[)\]}>】」\"']*[.,;:!。]*\s*",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"(?:(?:in\s+(?:my\s+(?:opinion|view)|conclusion|short|summary)|(?:judging"
    r"|going)\s+by\s[^,.\n]{1,40}"
    r"|based\s+on\s[^,.\n]{1,40}|to\s+answer\s+the\s+question|bottom\s+line|(?:final\s+)?verdict"
    r"|answer\s+key|tl;dr|(?:final\s+)?decision"
    r"|simply\s+put|overall|all\s+in\s+all|(?:must|has\s+to|it's\s+got\s+to)\s+be)\b[,:]?\s*)?"
    r"(?:(?:so|therefore|thus|hence|then|clearly|definitely|certainly|surely|obviously)\b,?\s*)?"
    r"(?:(?:I\s+(?:think|believe|would\s+say|conclude)|I'd\s+say|we\s+conclude|we\s+get"
    r"|I(?:'m|\s+am)\s+(?:\w+\s+)?(?:sure|certain|confident))\s+(?:that\s+)?)?"
    r"(?:(?:it|that|this)(?:'s|\s+(?:is|must\s+be|should\s+be|would\s+be|has\s+to\s+be))\s+)?"
    r"(?:which\s+is\s+)?(?:answer\s+)?",
    re.IGNORECASE,
)
# Words that may begin a match of the two above.
_OPENERS = words(
    "option choice so therefore thus hence then clearly definitely certainly surely obviously"
    " we it that this which answer in judging going based to bottom verdict final decision simply"
    " overall all must has tl assistant model output prediction reply bot ai ans"
)
_PREDICATE = re.compile(
    r"(?:is|was|are|can|could|might|may|would|does|has|and|or|isn't|seems|looks)\b"
)
_BECAUSE = re.compile(r"(?:because|since|as)\b|因为|因為|由于", re.IGNORECASE)
_SENTENCE = re.compile(
    r"(?:The|This|That|It|In|Because|Since|As|There|These|All|None|Both|We|Based|According|When"
    r"|From|To|Looking|Note|Explanation|Reason)\b"
)
# Before the letter: nothing, a space or a comma, and perhaps a bracket.
_LINE_LABEL = re.compile(
    r"([A-Z])(?:(?<![^\s,;].)|(?<=[(\[].)(?<![^\s,;]..))(?:[)\]][.:]?|[.:])(?=\s)", re.DOTALL
)
_LONE_LABEL = re.compile(r"^[ \t>#•-]*[(\[]?([A-Z])[)\].,:;]{0,2}[ \t]*$", re.MULTILINE)
_OPENING = re.compile(
    r"[\s>#•]*(?:(?:option|choice)\s+)?[(\[]?(?:([A-HJ-Z]|[a-z](?=[.:)]))[)\]]?(?:\s*[.:,!]"
    r"|\s+[-–—(]))\s*\S",
    re.I,
)
_LISTED = re.compile(r"[(\[]?[A-Z][)\]]?\s*(?:,|/|&|(?:and|or)\b)|(?i:but|although|yet)\b")
_VERSUS = re.compile(r"(?:vs|versus|or|and|nor)\b", re.I)
_NAMED_CORRECT = re.compile(
    r"(?:(?:so|therefore|thus|hence),?\s+)?the\s+(?:correct|right|final|true)\s+\w+\s+is\s+", re.I
)
_UNFINISHED = re.compile(r"(?:(?:option|choice)\s+[A-Z]\s*:[^\n]*|A:|.{2,}:)\s*", re.I | re.S)
_LAST_CHARS = 80
_CLOSERS = " \n.)]}\"'!"


def bare_answer(
    text: str, options: Options, noun: re.Pattern[str] | None = None
) -> tuple[str, Reading | None]:
    """Read an answer that nothing announces.

    A bare label or choice text on the first or last line, a leading label, or the text of one
    choice at the end of a short sentence.

    Parameters
    ----------
    text : the spoken part of a response, normalised.
    options : the letters that may be read, and their texts.
    noun : what may stand before a bare letter, such as "candidate".

    Returns
    -------
    rule : the name of the rule that was tried last.
    reading : None when nothing can be read; its value is None for more than one answer.
    """
    lines = [m.span() for m in _LINE.finditer(text) if m.group().strip()]
    if not lines:
        return "bare", None
    last = _bare(text, *lines[-1], options, noun)
    first = _bare(text, *lines[0], options, noun) if len(lines) > 1 else last
    if first and len(lines) > 1 and goes_on(text, lines[0][1]):
        first = None
    if (
        last
        and len(lines) > 1
        and not (
            stands_alone(text, lines[-1][0])
            or _is_explained(text, last, lines[-2], options)
            or _labels_of(text, lines[-1][0], options) == list(options.letters)
        )
    ):
        return "bare", Reading(None, last.start, last.end, "part_of_a_sentence")
    if first and last and first.value != last.value:
        return "bare", Reading(None, first.start, last.end, "several")
    bare = last or first
    if bare and len(lines) > 2 and _is_listed(text, bare, options.letters):
        return "bare", Reading(None, bare.start, bare.end, "several")
    if bare and not (last is None and _labels(text) - {bare.value}):
        return "bare", bare
    bullet = _BULLET.match(text, *lines[-1])
    begin = bullet.end() if bullet else lines[-1][0]
    role = _ROLE.match(text, begin, lines[-1][1])
    labelled = options.whole(text, role.end() if role else begin, lines[-1][1])
    if labelled and not _UNFINISHED.fullmatch(text, *lines[-1]):
        above = _labels_of(text, lines[-1][0], options)
        if set(above) <= {labelled.value} or above == list(options.letters):
            return "bare", labelled
    leading = _leading(text, options)
    if leading:
        return "leading", leading
    named = text_then_label(text, *lines[-1], options)
    if named or len(lines) > 1:
        return "choice_text", named
    by_text = said_by_text(text, options)
    opening = _OPENING.match(text) if by_text else None
    if opening and _LISTED.match(text, opening.end() - 1):
        return "leading", Reading(None, opening.start(1), opening.end(), "several")
    if opening and opening[1].upper() in options.letters:
        # "B. A is red.": what follows a label is a remark, whatever it says of other choices.
        label = options.label(opening[1], opening.start(1), opening.end(1))
        return "leading", None if opening.group().lstrip().startswith("A:") else label
    return "choice_text", by_text


def last_line(
    text: str, start: int, options: Options, noun: re.Pattern[str] | None = None
) -> Reading | None:
    """What the last line of a text says, if it is nothing but an answer and begins after a place.

    Such a line contradicts a statement before it that names another choice; one of a list of
    options says nothing.
    """
    stop = len(text.rstrip())
    begin = text.rfind("\n", start, stop) + 1
    if not begin or stop - begin > _LAST_CHARS:
        return None
    above = text[start:begin].rstrip().rpartition("\n")[2]
    next_line = not text[start:begin].strip(_CLOSERS)
    if _LINE_LABEL.match(above.lstrip(" \t>#-•")) or not (next_line or stands_alone(text, begin)):
        return None
    named = _NAMED_CORRECT.match(text, begin, stop)
    found = options.text_only(text, named.end(), stop) if named else None
    found = found or _bare(text, begin, stop, options, noun)
    bullet = _BULLET.match(text, begin, stop)
    return found or options.whole(text, bullet.end() if bullet else begin, stop)


def _labels_of(text: str, end: int, options: Options) -> list[str]:
    """The item's labels that stand before a place, in their order."""
    found = (match.group(1) for match in _LINE_LABEL.finditer(text, 0, end))
    return [name for name in found if name in options.letters]


def _is_explained(text: str, last: Reading, above: tuple[int, int], options: Options) -> bool:
    """Whether the line above the last ends with the text of the choice that the last names."""
    own = options.own(last.value or "")
    return bool(own) and text[above[0] : above[1]].rstrip().casefold().endswith(" " + own)


def _is_listed(text: str, bare: Reading, letters: str) -> bool:
    """Whether another label stands on a line of its own too."""
    found = set(_LONE_LABEL.findall(text)) & set(letters)
    return bool(found - {bare.value})


def _bare(
    text: str, start: int, end: int, options: Options, noun: re.Pattern[str] | None
) -> Reading | None:
    bullet = _BULLET.match(text, start, end)
    start = bullet.end() if bullet else start
    if start >= end or end - start > 2000 or _UNFINISHED.fullmatch(text, start, end):
        return None
    role = _ROLE.match(text, start, end)
    start = role.end() if role else start
    named = noun.match(text, start, end) if noun else None
    start = named.end() if named else start
    end = _comment_start(text, start, end)
    head = options.prose_head(text[start:end])
    if head and head not in _OPENERS:
        return None
    if _BARE.fullmatch(text, start, end):
        return options.whole(text, start, end)
    said = _SAID.match(text, start, end)
    if said and start < said.end() < end:
        place = filled(text, said.end())
        # "It's a", "So I": the beginning of something that was cut.
        if place < end and _BARE.fullmatch(text, place, end) and text[place:end] not in "aI":
            return options.whole(text, place, end)
        by_text = options.text_only(text, place, end)
        if (
            by_text
            and "would" not in said.group()
            and not PRAISE.fullmatch(text, place, end)
            and asserted(text, place)
        ):
            return by_text
    return options.text_only(text, start, end)


def _comment_start(text: str, start: int, end: int) -> int:
    """Where the remarks that end a line begin; the line's end where they are all of it."""
    line = text[start:end]
    stop = len(line.rstrip(_ENDS))
    if line.isascii() and not _REMARKED.search(line, max(0, stop - 12), stop):
        comma = line.endswith(",", 0, stop)
        return start + stop - comma if stop > comma else end
    comment = _COMMENT.search(text, start, end)
    return comment.start() if comment and comment.start() > start else end


def _labels(text: str) -> set[str | None]:
    return {match.group(1) for match in _LINE_LABEL.finditer(text)}


def _leading(text: str, options: Options) -> Reading | None:
    bullet = _BULLET.match(text)
    start = bullet.end() if bullet else 0
    match = _LEADING.match(text, start)
    if not match or match.group(2).upper() not in options.letters:
        return None
    if match.group().strip() == "A:" or _VERSUS.match(text, match.end()):
        return None
    name = match.group(2).upper()
    if _labels(text) & set(options.letters) - {name}:
        return Reading(None, start, match.end(), "several")
    line = _REST.match(text, start)
    whole = options.whole(text, start, min(len(text.rstrip()), start + 4000))
    first_line = options.whole(text, start, line.end() if line else len(text))
    if whole or first_line:
        return whole or first_line
    if match.group(2).islower():
        return None
    rest = text[match.end() : match.end() + 40]
    mark = match.group("mark").strip()
    if name == "A" and mark == ":" and not match.group("close"):
        return None  # "A:" also marks the answer to a "Q:"
    closed = bool(match.group("close")) or mark == ")"
    if closed and _PREDICATE.match(rest):
        return None
    if closed or _BECAUSE.match(rest) or (mark in (".", ":") and _SENTENCE.match(rest)):
        return options.label(name, match.start(2), match.end(2))
    return None


__all__ = ["bare_answer", "last_line"]
