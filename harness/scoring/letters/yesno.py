"""The answer to a yes/no question; what is neither is neither."""

from __future__ import annotations

import re
from collections.abc import Iterator

from harness.scoring.letters.yesno_words import ALONE, WORD, WORDS
from harness.scoring.statements.anchors import UNSURE, YES_NO, holds, index, places
from harness.scoring.statements.assertion import asserted, released
from harness.scoring.statements.blocks import answer_blocks, boxes
from harness.scoring.statements.cues import THEREFORE
from harness.scoring.statements.offers import unanswering
from harness.scoring.statements.phrases import stated
from harness.scoring.statements.reading import Reading, answered
from harness.scoring.statements.revisions import revised
from harness.scoring.statements.run_on import first_of
from harness.scoring.statements.standing import stands_alone
from harness.scoring.statements.text import normalise, unmarked
from harness.scoring.statements.thinking import spoken
from harness.scoring.statements.tokens import untokened
from harness.types import Answer

_CLOSED = re.compile(
    r"[\s\"')\]}|]*(?:$|[.:](?!\s?\d|\s?of\b|[a-z]{2,4}\b)|[,;!\n。、…(]|[-–—]\s|\s?[✅❌👍✓✔])",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\s+(?:there|it|this|that|the|they|he|she|we|I|you|because|since|indeed|but|and|these"
    r"|those|both|all|none|here|based|not|rather|instead)\b",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"[\s,、\"')]*(?:and|or|nor|/|&|(?<=、)|和|或|及|\\)\s*(?:an?\s+)?[\"'(]?(?:yes|no|是|否|maybe)\b",
    re.I,
)
_MORE = re.compile(r"-|\s+(?!in\b|at\b|for\b|on\b|from\b)\w")
_TRUTH = re.compile(r"[\s\"']{0,3}(true|false)\b(?=[\s\"']*(?:$|[.,}!\n]))", re.IGNORECASE)
_BOXES = 60
_STOP = re.compile(r"[.!?:;]")
_ALONE_CHARS = max(map(len, ALONE))
_BOX_OPENING = re.compile(r"\\+f?box(?:ed)?\s*\{$")
_TEMPLATE = re.compile(r"[^.!?\n]{0,20}[:?]")
_ASKED = re.compile(r"[\s\"')\]}]*[?]")
_SENTENCE_START = re.compile(
    r"(?:^|[.!?\n:;。])[\s>#•✅]*(?:-\s+)?(?:(?:well|oh(?=,|\s+yes)|ah|based\s+on[^,.\n]{1,40}"
    r"|simply\s+put|unfortunately|fortunately|(?:no|without\s+an?y?)\s+doubt(?:\s+about\s+it)?:?"
    r"|so|hmm+|okay|ok|now"
    r"|to\s+answer[^,\n]{0,40}"
    r"|(?:I\s+(?:think|believe|would\s+say)|I'd\s+say|I'll\s+say|I\s+say)(?:\s+that)?|probably"
    r"|most\s+likely|therefore"
    r"|thus|hence|in\s+short:?|(?:it|that)(?:'s|\s+is)\s+a|(?:yes\s*/\s*no\W{1,3})|overall"
    r"|in\s+conclusion|clearly|the\s+answer)\b,?\s*){0,3}",
    re.MULTILINE | re.IGNORECASE,
)
_LED = re.compile(
    r"(?:^|[?]|\b(?:A|answer|response|output|reply|assistant|prediction|model|verdict|ans"
    r"|yes\s*(?:/|or)\s*no)\s*:"
    r"|答\s*:)[\s\"'(\[{>#*-]*$",
    re.I,
)
_UNSURE = re.compile(
    r"[^.!?\n]{0,80}\b(?:maybe|perhaps|possibly|unsure|uncertain|unclear|not\s+(?:entirely\s+"
    r"|completely\s+"
    r"|fully\s+|quite\s+|totally\s+|really\s+)?(?:sure|certain|clear)|can(?:no"
    r"|')t\s+be\s+(?:sure|certain)"
    r"|cannot\s+(?:be\s+(?:sure|certain)|tell|say)|can't\s+(?:tell|say)|depend(?:s|ing))\b",
    re.IGNORECASE,
)
_YES_YET_NONE = re.compile(
    r"[\s,.]*(?:there|it|this|that)\s+(?:is|are)\s*(?:n't|\s+no(?!\s+(?:doubt|question))|\s+not"
    r"|\s+none)\b",
    re.I,
)
_AGREED = re.compile(
    r"\s?,\s*(?:that|this|it)(?:'s|\s+is)\s+(?:not\s+(?:correct|right|true|the\s+case)|false"
    r"|incorrect|wrong)"
    r"\s*[.!]?\s*$",
    re.IGNORECASE,
)
# The question said again, or a promise to look: a yes or no in the last sentence answers.
_PREAMBLE = re.compile(
    r"\s*(?:(?:is|are|was|were|does|do|did|can|has|have)\b[^.!?\n]{1,120}\?"
    r"|(?:sure|certainly|of\s+course|okay|let\s+me)\b)",
    re.I,
)
_MORE_FOLLOWS = re.compile(r"[^.!?\n]*(?:\?|[.!\n]\s*\S)")
_EXPLANATION = re.compile(r"\b(?:explanation|reasoning|reason|rationale)\s*:\s*", re.IGNORECASE)
_EXPLAINS = re.compile(r"\b(?:explanation|reason(?:ing)?|note|why|rationale)\b", re.IGNORECASE)
_TURNED = re.compile(
    r"[\s,.]{0,9}(?:but|and|or|yet|however|well|也|但|还是)?[\s,]{0,9}(?:actually|really|also|again)?[\s,]{0,9}"
    r"(?P<word>yes|no|yeah|nope|是|否|不是|没有)(?![\w-])(?!\s+\w)",
    re.IGNORECASE,
)


def yesno(text: str) -> Answer:
    """Read "yes" or "no" from a response.

    The order is that of `choice`: the last closed answer block; the latest explicit statement
    or box; a leading yes or no that no later sentence contradicts; a last line that is only
    yes or no. A description, a hedge or garbage is no answer, least of all "yes".

    Parameters
    ----------
    text : the raw response.

    Returns
    -------
    Answer
        `value` is "yes", "no" or None; `span` lies in the raw text.

    Examples
    --------
    >>> yesno("Yes, there is a dog.").value, yesno("Yesterday it rained.").value
    ('yes', None)
    """
    copy, unclosed = spoken(unmarked(untokened(normalise(text))))
    body = copy.text
    if not body.strip():
        rule = "unclosed_thinking" if unclosed else "only_thinking" if text.strip() else "empty"
        return Answer(value=None, rule=rule)
    closed, opened = answer_blocks(body)
    if opened is not None and len(body) - opened < 40:
        word = WORD.match(body, opened)
        if word and not body[word.end() :].strip(" .!\n"):
            return answered(copy, _at(body, opened), "open_block")
    if closed is not None:
        return answered(copy, _in_block(body, *closed), "answer_block")
    rule, reading = _outside(body)
    if reading is None:
        return Answer(value=None, rule="unclosed_thinking" if unclosed else "none")
    return answered(copy, reading, rule)


def _in_block(text: str, start: int, end: int) -> Reading | None:
    reading = _outside(text[start:end])[1]
    if reading is None:
        return None
    return Reading(reading.value, reading.start + start, reading.end + start, reading.why)


def _outside(text: str) -> tuple[str, Reading | None]:
    return first_of(text, _in_part)


def _in_part(text: str) -> tuple[str, Reading | None]:
    def read(place: int) -> Reading | None:
        return _at(text, place)

    words = text[:200].split() if len(text) < 200 else []
    if len(words) > 1 and len({word.strip(".,!").casefold() for word in words}) == 1:
        text = words[0].ljust(len(text))  # "No\nNo\nNo" is said once
    rule, reading = _explicit(text)
    if reading is None:
        rule, reading = _implicit(text)
    elif reading.value and _ends_otherwise(text, reading):
        return rule, Reading(None, reading.start, reading.end, "several")
    if reading is None or reading.value is None:
        return rule, reading
    if rule == "leading" and released(text, reading.end) == "conditional":
        return rule, Reading(None, reading.start, reading.end, "conditional")
    turned = _TURNED.match(text, reading.end)
    if turned and WORDS[turned["word"].casefold()] != reading.value:
        return rule, Reading(None, reading.start, reading.end, "several")
    unsure = rule != "final_phrase" and holds(index(text), UNSURE, reading.end)
    if unsure and _UNSURE.match(text, reading.end):
        return rule, Reading(None, reading.start, reading.end, "unsure")
    if unanswering(text, reading.end, reading.value):
        return rule, Reading(None, reading.start, reading.end, "offer")
    if reading.value == "yes" and _YES_YET_NONE.match(text, reading.end):
        return rule, Reading(None, reading.start, reading.end, "contradicted")
    if reading.value == "no" and _AGREED.match(text, reading.end):
        return rule, reading
    return rule, revised(text, reading, read)


def _ends_otherwise(text: str, reading: Reading) -> bool:
    """Whether the last line begins one of its sentences with the opposite word."""
    begin = text.rfind("\n", reading.end, len(text.rstrip())) + 1
    if not begin:
        return False
    last = text[begin:]
    explained = _EXPLAINS.search(last)
    stop = explained.end() if explained else len(last) + 1
    for sentence in _sentence_starts(last):
        if sentence.end() >= stop:
            return False
        other = _at(last, sentence.end())
        if other and other.value and other.value != reading.value:
            return True
    return False


def _explicit(text: str) -> tuple[str, Reading | None]:
    phrase = stated(text, lambda place: _at(text, place) or _truth(text, place))
    for start, end in reversed(boxes(text)[-_BOXES:]):
        boxed = _at(text[:end], start)
        opening = _BOX_OPENING.search(text[max(0, start - 20) : start])
        begin = start - len(opening.group()) if opening else start
        if boxed and (not asserted(text, begin) or released(text, end + 1)):
            continue
        if boxed and (phrase is None or boxed.start >= phrase.start):
            return "boxed", boxed
    return "final_phrase", phrase


def _at(text: str, place: int) -> Reading | None:
    word = WORD.match(text, place)
    if not word:
        return None
    group = "word" if word["word"] else "clause"
    value, start, end = WORDS[word[group].casefold()], word.start(group), word.end(group)
    both = _BOTH.match(text, end)
    if both and not ("," in both.group() and _MORE.match(text, both.end())):
        why = "question" if _TEMPLATE.match(text, both.end()) else "several"
        return Reading(None, start, end, why)
    if _ASKED.match(text, end):
        return Reading(None, start, end, "question")
    if group == "clause" or _CLOSED.match(text, end) or _GOES_ON.match(text, end):
        return Reading(value, start, end)
    return None


def _truth(text: str, place: int) -> Reading | None:
    """A truth value after a statement's cue, as in {"answer": true}."""
    word = _TRUTH.match(text, place)
    if not word:
        return None
    return Reading("yes" if word[1].casefold() == "true" else "no", word.start(1), word.end(1))


def _sentence_starts(text: str) -> Iterator[re.Match[str]]:
    """The beginnings of sentences, all of those at least that lead to a yes or no."""
    known = index(text)
    if known is None or {"to", "answer"} <= known.held:
        yield from _SENTENCE_START.finditer(text)
        return
    words = sorted(places(known, known.held & YES_NO))
    end = 0
    for word in words:
        if word < end:
            continue
        # No beginning holds one of these signs but as its first.
        start = max(0, *(text.rfind(sign, end, word) for sign in ".!?:;"))
        stop = _STOP.search(text, word)
        end = stop.start() if stop else len(text)
        yield from _SENTENCE_START.finditer(text, start, end)


def _explains(text: str, reading: Reading) -> bool:
    """Whether a yes or no begins what is announced as an explanation of the one before it."""
    return bool(_EXPLANATION.search(text, max(0, reading.start - 20), reading.start))


def _implicit(text: str) -> tuple[str, Reading | None]:
    only = text.strip(" \n.!\"'()[]{}")
    alone = ALONE.get(only.casefold()) if len(only) <= _ALONE_CHARS else None
    if alone:
        start = len(text) - len(text.lstrip())
        return "bare", Reading(alone, start, len(text.rstrip()))
    said: list[Reading] = []
    for sentence in _sentence_starts(text):
        reading = _at(text, sentence.end())
        if reading and reading.why != "question" and not (said and _explains(text, reading)):
            said.append(reading)
    values = {reading.value for reading in said}
    if not said:
        return "leading", None
    first, last = said[0], said[-1]
    if len(values) > 1 or None in values:
        later = revised(text, first, lambda place: _at(text, place)) if first.value else first
        if later.value and later.start >= last.start:
            return "leading", later
        return "leading", Reading(None, first.start, last.end, "several")
    opening = _SENTENCE_START.match(text.lstrip(" \n\"'([{>#-•"))
    before = text[: first.start].strip(" \n\"'([{>#-•")
    if (
        not before
        or (opening and before.rstrip(" :,") == opening.group().strip().rstrip(" :,"))
        or (_LED.search(before) and "?" not in text[last.end :] and asserted(text, first.start))
    ):
        return "leading", first
    if len(said) == 1 and _PREAMBLE.match(text) and not _MORE_FOLLOWS.match(text, last.end):
        return "leading", last if asserted(text, last.start) else None
    last_line = text.rstrip().rpartition("\n")[2]
    if re.fullmatch(r"\W*(?:" + WORD.pattern + r")\W*", last_line[-40:], re.IGNORECASE):
        if not stands_alone(text, last.start):
            return "bare", Reading(None, last.start, last.end, "part_of_a_sentence")
        return "bare", last
    if any(THEREFORE.search(text, max(0, last.start - 20), last.start) for _ in (0,)):
        return "leading", last if asserted(text, last.start) else None
    return "leading", None


__all__ = ["yesno"]
