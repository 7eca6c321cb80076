"""Answers in labelled parts: "(a) 3 (b) 4"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from harness.scoring.comparison import OTHER_SYMBOLS, Comparison
from harness.scoring.free.part_labels import (
    BARE_CHARS,
    MAX_CHARS,
    Found,
    Parts,
    is_run,
    label_before,
    labelled,
    listed,
    some_labelled,
)
from harness.scoring.statements.blocks import answer_blocks, boxes
from harness.scoring.statements.cues import CUE
from harness.scoring.statements.regions import Span, prose_cut, trimmed, unemphasised, unsure
from harness.scoring.statements.statement import explicit
from harness.scoring.statements.text import Copy, normalise
from harness.scoring.statements.thinking import spoken
from harness.types import Answer

_LINE = re.compile(r"\((\w{1,4})\) (.+)")
_JOINT = re.compile(r"[\s}$]*(?:,|;|and|or|&)[\s$]*", re.IGNORECASE)
_VERB = re.compile(r".*\b(?:is|are|equals|was|get|gives|obtain|find|have)\s+", re.IGNORECASE)
# "using (a), 2 + 1 = 3"
_WORKING = re.compile(r"[^\n=\\$]*[A-Za-z]{3}[^\n=\\$]*[,:]\s+(?=[^,=]+=[^,=]+$)", re.MULTILINE)
_READ_CHARS = 20_000
_TRIES = 20


def split(text: str) -> Parts | None:
    """Split a short text into its labelled parts, or at the semicolons of a list.

    Parameters
    ----------
    text : a gold, or an answer as `parts` gives it.

    Returns
    -------
    tuple of (label, text) or None
        None where there are fewer than two parts, labels do not run a, b, … (or i, ii, … or
        1, 2, …), or a part is empty. Parts of a list are labelled "1", "2", ….

    Examples
    --------
    >>> split("(a) 3 m (b) 4 m")
    (('a', '3 m'), ('b', '4 m'))
    >>> split("x + y") is None
    True
    """
    if len(text) > MAX_CHARS:
        return None
    found = labelled(text)
    if found:
        if text[: found[0][1][0]].strip(" \n$*").count(" ") > 3:
            return None
        return tuple((label, text[start:end]) for label, _, (start, end) in found)
    pieces = listed(text)
    return tuple((str(n), piece) for n, piece in enumerate(pieces, 1)) if len(pieces) > 1 else None


def parts(text: str, labels: Sequence[str]) -> Answer:
    """Read an answer in parts from a response.

    The last closed answer block and nothing else once there is one; a box that holds all
    parts; as many boxes as there are parts, each after its label or none labelled; what
    follows the latest statement of an answer; the last run of labelled parts.

    Parameters
    ----------
    text : the raw response.
    labels : those of the gold, from `split`.

    Returns
    -------
    Answer
        `value` has one line a part, "(a) 3", as `compare` reads them; None for review where
        no labelled parts can be found.
    """
    copy, unclosed = spoken(unemphasised(normalise(text)))
    body = copy.text
    if not body.strip():
        rule = "unclosed_thinking" if unclosed else "only_thinking" if text.strip() else "empty"
        return Answer(value=None, rule=rule)
    closed, _ = answer_blocks(body)
    if closed is not None:
        found = _in(body, *closed) or _short(body, *closed, len(labels))
        return _answer(copy, body, found, "answer_block", "answer_block:none")
    boxed = _boxed(body, labels)
    if boxed:
        return _answer(copy, body, boxed, "boxed", "none")
    for cue in reversed(list(CUE.finditer(body[-_READ_CHARS:]))[-_TRIES:]):
        place = cue.end() + max(0, len(body) - _READ_CHARS)
        found = _in(body, place, len(body))
        if found:
            return _answer(copy, body, found, "final_phrase", "none")
        line = body.find("\n", place)
        found = _unlabelled(body, place, len(body) if line < 0 else line, len(labels))
        if found:
            return _answer(copy, body, found, "final_phrase", "none")
    found = _in(body, max(0, len(body) - _READ_CHARS), len(body))
    if not found and len(body) <= BARE_CHARS and "\n" not in body.strip():
        found = _short(body, 0, len(body), len(labels))
    return _answer(copy, body, found, "bare", "unclosed_thinking" if unclosed else "none")


def compare(answer: str, gold: str, one: Callable[[str, str], Comparison]) -> Comparison:
    """Hold an answer in parts against the gold.

    Parameters
    ----------
    answer, gold : with their labels; a gold without parts is compared whole.
    one : compares one part.

    Returns
    -------
    Comparison
        Equal where there are as many parts, under the same labels, and every one is equal;
        not equal as soon as one is not; None where one cannot be decided and the others are
        equal. Labels that only number a list match any, and so does another style of labels
        ("i, ii" for "a, b").
    """
    wanted, given = split(gold), _lines(answer) or split(answer)
    if wanted is None:
        return one(answer, gold)
    if given is None or len(given) != len(wanted):
        return Comparison(False, "parts:count")
    names, expected = [label for label, _ in given], [label for label, _ in wanted]
    if sorted(names) == sorted(expected):
        given = tuple(sorted(given, key=lambda part: expected.index(part[0])))
    elif not (names[0].isdigit() or expected[0].isdigit() or (is_run(names) and is_run(expected))):
        return Comparison(False, "parts:labels")
    results = [one(a, g) for (_, a), (_, g) in zip(given, wanted, strict=True)]
    # Another name in one part may be that of another part: x and y, the other way round.
    results = [r if r.rule != OTHER_SYMBOLS else Comparison(False, r.rule) for r in results]
    for verdict in (False, None):
        for label, result in zip(expected, results, strict=True):
            if result.equal is verdict:
                return Comparison(verdict, f"parts:{label}:{result.rule}")
    return Comparison(True, "parts")


def _lines(answer: str) -> Parts | None:
    """An answer as `parts` gives it."""
    lines = [_LINE.fullmatch(line) for line in answer.split("\n")]
    return tuple((m.group(1), m.group(2)) for m in lines if m) if all(lines) else None


def _in(body: str, start: int, end: int) -> Found:
    """The last run of labelled parts of a region, each read down to its answer."""
    found = labelled(body, start, end)
    read = [(label, mark, _read(body, *region)) for label, mark, region in found]
    return (
        [(label, mark, span) for label, mark, span in read if span]
        if all(r[2] for r in read)
        else []
    )


def _read(body: str, start: int, end: int) -> Span | None:
    """What one part answers: its box or statement, or the whole of a short line."""
    stated = explicit(body, start, end, lambda b, s, e, _: trimmed(b, s, prose_cut(b, s, e)))
    if stated:
        return stated[1] if isinstance(stated[1], tuple) else None
    lines = [m.span() for m in re.finditer(r"[^\n]+", body[start:end]) if m.group().strip()]
    if "?" in body[start : end + 1]:
        return None
    first = (start + lines[0][0], start + lines[0][1])
    lead = _VERB.match(body, *first) or _WORKING.match(body, *first)
    region = trimmed(
        body,
        lead.end() if lead else first[0],
        prose_cut(body, lead.end() if lead else first[0], first[1]),
    )
    return region if region and region[1] - region[0] <= 300 else None


def _unlabelled(body: str, start: int, end: int, count: int) -> Found:
    """A list of as many members as the gold has parts, at semicolons or one a line."""
    text = body[start:end]
    if len(text) > MAX_CHARS or count < 2:
        return []
    if ";" in text or "；" in text:
        pieces = listed(text)
    else:
        pieces = _divided(text, r"\n" if "\n" in text.strip() else r",\s+(?:and\s+)?")
        if len(pieces) < count:
            pieces = _divided(text, r",\s+(?:and\s+)?|\s+and\s+")
    if len(pieces) != count:
        return []
    found: Found = []
    place = start
    for n, piece in enumerate(pieces, 1):
        place = body.index(piece, place)
        region = trimmed(body, place, place + len(piece))
        if region is None:
            return []
        found.append((str(n), region, region))
        place += len(piece)
    return found


def _divided(text: str, joint: str) -> list[str]:
    return [piece.strip() for piece in re.split(joint, text) if piece.strip()]


def _short(body: str, start: int, end: int, count: int) -> Found:
    """A text that is nothing but an answer: unlabelled, incomplete or with other labels."""
    if unsure(body[start:end]):
        return []
    found = _unlabelled(body, start, end, count) or some_labelled(body, start, end)
    if found or end - start > BARE_CHARS or label_before(body, start, end):
        return found
    region = trimmed(body, start, end)
    pieces = len(listed(body[slice(*region)])) if region else 0
    if region is None or (pieces < 2 and not re.search(r"\d|[=^\\]", body[slice(*region)])):
        return []
    return _unlabelled(body, *region, pieces) if pieces > 1 else [("1", region, region)]


def _boxed(body: str, labels: Sequence[str]) -> Found:
    outer: list[Span] = []
    for start, end in boxes(body):
        if not outer or start > outer[-1][1]:
            outer.append((start, end))
    if not outer:
        return []
    whole = labelled(body, *outer[-1]) or _unlabelled(body, *outer[-1], len(labels))
    if whole:
        return whole
    named: Found = []
    for (start, end), before in zip(outer, [0, *(end for _, end in outer)], strict=False):
        label = label_before(body, before, start)
        if label:
            named.append((label[0], label[1], trimmed(body, start, end) or (start, end)))
        elif named and _JOINT.fullmatch(body[before:start][:40].partition("\\box")[0]):
            return []
        elif named:
            named[-1] = (*named[-1][:2], trimmed(body, start, end) or (start, end))
    latest = {label: (label, mark, region) for label, mark, region in named}
    if latest and all(label in latest for label in labels):
        return [latest[label] for label in labels]
    if not named and len(outer) == len(labels):
        regions = [trimmed(body, *box) for box in outer]
        if all(regions):
            return [(str(n), r, r) for n, r in enumerate(regions, 1) if r]
    return []


def _answer(copy: Copy, body: str, found: Found, rule: str, why: str) -> Answer:
    if not found:
        return Answer(value=None, rule=why)
    value = "\n".join(f"({label}) {' '.join(body[s:e].split())}" for label, _, (s, e) in found)
    return Answer(
        value=value,
        rule=rule,
        span=copy.span(min(m[0] for _, m, _ in found), max(r[1] for _, _, r in found)),
    )


__all__ = ["Parts", "compare", "parts", "split"]
