"""The answer to a question for a number, and whether it is the gold's number."""

from __future__ import annotations

import re

from harness.scoring.comparison import Comparison
from harness.scoring.quantities.closeness import equal
from harness.scoring.quantities.directions import directions
from harness.scoring.quantities.numerals import MAX_CHARS
from harness.scoring.quantities.quantity import quantity
from harness.scoring.quantities.sentences import SPECIAL, in_sentence, is_number
from harness.scoring.quantities.spelling import clean
from harness.scoring.statements.closing import closing_number
from harness.scoring.statements.passage import find
from harness.scoring.statements.regions import Span, trimmed
from harness.scoring.statements.text import normalise
from harness.types import Answer

# One word with digits that is no number, such as 192.168.0.1: an answer, but no number.
_BARE_CHARS = 240
_ODD = re.compile(r"(?=\S{0,60}\d)(?!\S{0,60}\d[-–—&|~或和与至到]\S{0,60}\d)[^\s!]{1,60}")
_LABEL = re.compile(r"[A-Za-z][A-Za-z ()]{0,40}:\s*")
_ANSWERLIKE = re.compile(r"\d|\\[A-Za-z]|[π∞√=^]|^[A-Za-z]$")
_LIST = re.compile(
    r"[,;]|\\(?:cup|cap|in)(?![A-Za-z])|\bor\b|\band\b|\\[{}]|[<>≤≥]|\\[lg]eq?|\d\s*[:：]\s*\d|±|\\pm"
)
_CITED = re.compile(r"(?<=\d)\.?\s?(?:\[\d{1,3}\]){1,4}\.?\Z")
_RATIO = re.compile(r"(\d{1,12})\s?[:：]\s?(\d{1,12})")
_CODE = re.compile(r"[A-Za-z_]\w*\([\"']")
_AFTER_BOX = re.compile(
    r"[\s}$]*(?P<tail>(?:\\[,;!% ]?|\^|[^\n.,;!?()\\]|\\(?=[A-Za-z])|[({](?=\\circ)){0,40})"
)
_CHOSEN = re.compile(r"\b(?:option|choice)\s*$", re.IGNORECASE)  # "option 3" is no 3
_CHOICE_LABEL = re.compile(
    r"\s*\\(?:text|textbf|mathrm|mathbf)\s*\{\s*\([A-J]\)\s*\}(?:\s|\\[,;!: ]|~)*"
)
_NEARLY = re.compile(r"\s*(?:\\(?:approx|simeq|sim|to)(?![A-Za-z])|≈|~|=)")
_MORE_WORDS = frozenset({"in", "as", "at", "a", "am", "us", "d", "h"})


def number(text: str) -> Answer:
    r"""Read the one number, with its unit, that a response gives.

    Where it may stand is what `harness.scoring.statements.passage` says. There it must be the only
    quantity: of a chain of equations the last member counts, "12 or 15", ranges and bounds go
    to review, and so does a sentence with two numbers. What a box or block holds besides a
    number (a list, a formula) is an answer too, which equals no number.

    Parameters
    ----------
    text : the raw response.

    Returns
    -------
    Answer
        `value` is the number as it stands, with unit and percent sign (a unit behind a box
        included); `span` lies in the raw text.

    Examples
    --------
    >>> number("m+n = 256+37 = 293. The answer is 293 clips, altogether.").value
    '293 clips'
    >>> number("The answer is 12 or 15.")
    Answer(value=None, rule='final_phrase:several', span=None)
    """
    answer = find(text, _read)
    if answer.value is not None and answer.rule == "boxed" and _unbalanced(answer.value):
        return Answer(value=_unboxed(answer.value), rule=answer.rule, span=answer.span)
    return answer


def compare(answer: str, gold: str, exact: bool = False) -> Comparison:
    """Hold a number that was read against the gold.

    Equal is within 1 % of the gold's absolute value, inclusive, in rational arithmetic; a gold
    of 0 needs 0. Units that convert are converted; a unit that is missing on one side is
    accepted, one of another dimension is wrong. "50%" equals 0.5, 50% and 50. Of "5 ± 0.2" the
    5 counts, and the half-widths too where both sides give one. Infinities equal themselves.

    Parameters
    ----------
    answer, gold : as read and as the data set has it.
    exact : the values must be equal, not within 1 %.

    Returns
    -------
    Comparison
        `equal` is None where it cannot be decided: another unit that is unknown, a temperature
        that may be a difference, a share that may be a percentage, an answer that cannot be
        read as a number, another direction ("north", "south"), a ratio. Lists, ranges, intervals
        and NaN equal no number.
    """
    answer, gold = answer.strip(), gold.strip()
    special = SPECIAL.fullmatch(_bare(answer)), SPECIAL.fullmatch(_bare(gold))
    if special[0] or special[1]:
        return _specials(*special)
    if answer == gold and answer:
        return Comparison(True, "identical")
    wanted, given = quantity(normalise(gold).text), quantity(normalise(answer).text)
    if wanted is None:
        same = "".join(answer.split()).strip("$.") == "".join(gold.split()).strip("$.")
        return Comparison(True, "identical") if same else Comparison(None, "gold_not_a_number")
    if given is None:
        ratio = _RATIO.fullmatch(answer)
        if ratio and int(ratio[2]):
            given = quantity(f"{ratio[1]}/{ratio[2]}")
            near = given is not None and equal(given, wanted, exact=exact).equal
            return Comparison(None if near else False, "ratio")
        several = len(answer) <= MAX_CHARS and _LIST.search(clean(normalise(answer).text))
        return Comparison(False, "not_one_number") if several else Comparison(None, "not_a_number")
    result = equal(given, wanted, exact=exact)
    if (
        result.equal
        and directions(answer) != directions(gold)
        and directions(answer)
        and directions(gold)
    ):
        return Comparison(None, "direction")
    return result


def _bare(text: str) -> str:
    return text.strip(" $.") if len(text) < 40 else ""


def _specials(answer: re.Match[str] | None, gold: re.Match[str] | None) -> Comparison:
    if answer is None or gold is None:
        return Comparison(False, "infinite")
    same = not answer[2] and not gold[2] and (answer[1] == "-") == (gold[1] == "-")
    return Comparison(same, "infinite")


def _read(body: str, start: int, end: int, how: str) -> Span | str | None:
    region = trimmed(body, start, end)
    if region is None:
        return None
    cited = _CITED.search(body, max(region[0] + 1, region[1] - 20), region[1])
    region = (region[0], cited.start()) if cited and how != "boxed" else region
    if how == "boxed":
        return _boxed(body, *region, end)
    if how == "answer_block":
        found = in_sentence(body, *region, how)
        if found is not None:
            return found
        return region if _ANSWERLIKE.search(body[slice(*region)][:MAX_CHARS]) else "not_a_number"
    if how == "last_line":
        label = _LABEL.match(body, *region)
        start = label.end() if label else region[0]
        if is_number(body, start, region[1]):
            return start, region[1]
        return closing_number(body, *region)
    if how == "bare":
        short = region[1] - region[0] <= _BARE_CHARS
        found = in_sentence(body, *region, how) if short else None
        return found or closing_number(body, *region)
    if how == "final_phrase" and _CHOSEN.search(body, max(0, start - 12), start):
        return None
    if how == "final_phrase" and _ODD.fullmatch(body, *region):
        return region
    return in_sentence(body, *region, how)


def _boxed(body: str, start: int, end: int, stop: int) -> Span | str | None:
    """What a box holds, with the unit, percent sign or magnitude that stands right behind it."""
    text = body[start:end]
    label = _CHOICE_LABEL.match(text)
    if label and label.end() < len(text):
        start, text = start + label.end(), text[label.end() :]
    found = quantity(text)
    if found is None:
        if re.search(r"\d[^,=]*\bor\b[^,=]*\d", text):
            return "several"
        if _CODE.search(text):
            return "not_a_number"
        return (start, end) if _ANSWERLIKE.search(text) or is_number(body, start, end) else None
    after = _AFTER_BOX.match(body, stop)
    if (
        after
        and after["tail"].strip()
        and not _NEARLY.match(after["tail"])
        and not (found.units or found.per > 1)
    ):
        tokens = list(re.finditer(r"\S+", after["tail"]))[:4]
        for last in reversed(range(len(tokens))):
            if tokens[last].group() in _MORE_WORDS and last + 1 < len(tokens):
                continue
            tail = after["tail"][: tokens[last].end()].replace("$", "")
            if not tail:
                continue
            joined = quantity(f"{text}{'' if tail[0] in '%^' else ' '}{tail}")
            grown = joined is not None and joined.number != found.number and tail[0] != "^"
            if joined and (joined.units or joined.per > 1 or grown):
                return start, after.start("tail") + tokens[last].end()
    return start, end


def _unbalanced(text: str) -> bool:
    return text.count("}") > text.count("{")


def _unboxed(text: str) -> str:
    """The value of "5}$ m/s", which a span from within a box to the unit behind it takes in."""
    depth = 0
    for place, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if depth < 0:
            tail = text[place + 1 :].replace("$", "").lstrip("} ")
            space = "" if tail[:1] in ("%", "^") else " "
            return f"{text[:place].rstrip()}{space}{tail.strip()}"
    return text


__all__ = ["compare", "number"]
