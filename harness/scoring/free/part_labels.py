"""The labels of an answer's parts, in their styles, and the regions that they begin."""

from __future__ import annotations

import re

from harness.scoring.statements.regions import Span, trimmed

Parts = tuple[tuple[str, str], ...]
MAX_CHARS, _MAX_PARTS = 4_000, 20
_ROMAN = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"]
_SEQUENCES = (list("abcdefghijkl"), _ROMAN, [str(n) for n in range(1, 13)])
_STYLES = tuple(
    re.compile(style.replace("@", r"([A-La-l]|[ivxIVX]{1,4}|1?\d)"), re.MULTILINE)
    for style in (
        r"(?:^|(?<=[\s;,.$}\d。\u4e00-\u9fff]))(?:\\(?:text|textbf|mathrm)\{\s*)?"
        r"(?:[Pp]art\s+)?\(@\)[ \t]*[:.]?(?:\s*\})?",
        r"(?:^|(?<=[\s;,.]))(?:[Pp]art\s+)?@\)(?=\s|\$|\\)",
        r"(?:^|(?<=[\n;])|(?<=[;,.] ))[ \t]*(?:[Pp]art\s+)?@[.:](?=\s|\$|\\)",
        r"\b[Pp]art\s+@\s?[:.)]",
    )
)
_END = re.compile(
    r"(?:\\[,;! ]|\\q?quad|[\s;,]|\band\b"
    r"|\band\s+(?:the\s+)?(?:answer|value|result|solution)\s+(?:to|for|of|in)\b)+$"
)
# A cell's border or a dash of the prose; a dash right before a digit is a sign.
_LEAD = re.compile(r"\s*(?:\||[–—](?=\s))\s*")
BARE_CHARS = 200
Found = list[tuple[str, Span, Span]]


def labelled(text: str, start: int = 0, end: int | None = None) -> Found:
    """The last run of labelled parts: (label, span of the label, span of the part's text)."""
    text, offset = text[start : len(text) if end is None else end], start
    for style in _STYLES:
        marks = _leading([m for m in style.finditer(text) if not _is_inside(text, m)], text)
        labels = [m.group(1).lower() for m in marks]
        run = _last_run(labels) or (_any_order(labels) if len(text) <= MAX_CHARS else None)
        if run and run[1] < len(marks) and labels[run[1]] == labels[run[1] - 1]:
            return []
        found = _regions(text, marks[run[0] : run[1]], offset) if run else []
        if found and all(region for _, _, region in found):
            return [(label, mark, region) for label, mark, region in found if region]
    return []


def _leading(marks: list[re.Match[str]], text: str) -> list[re.Match[str]]:
    """The labels that begin lines, where all others only refer back to one of them."""
    first = [
        m for m in marks if not text[text.rfind("\n", 0, m.start()) + 1 : m.start()].strip(" *|#>-")
    ]
    labels = [m.group(1).lower() for m in first]
    if len(first) in (len(marks), 0, 1) or _last_run(labels) != (0, len(labels)):
        return marks
    seen: set[str] = set()
    for mark in marks:
        if mark not in first and mark.group(1).lower() not in seen:
            return marks
        seen.add(mark.group(1).lower())
    return first


def is_run(labels: list[str]) -> bool:
    """Whether labels are all from the first on, in one of the styles."""
    return _last_run(labels) == (0, len(labels))


def some_labelled(text: str, start: int, end: int) -> Found:
    """Labelled parts of a short text that are not all there, or not the ones that were asked."""
    text, offset = text[start:end], start
    if len(text) > BARE_CHARS:
        return []
    marks = [m for m in _STYLES[0].finditer(text) if not _is_inside(text, m)]
    if not marks or text[: marks[0].start()].strip(" $*"):
        return []
    found = _regions(text, marks, offset)
    if len({label for label, _, _ in found}) < len(found):
        return []
    return [(label, mark, region) for label, mark, region in found if region]


def _regions(
    text: str, marks: list[re.Match[str]], offset: int
) -> list[tuple[str, Span, Span | None]]:
    found: list[tuple[str, Span, Span | None]] = []
    for mark, stop in zip(marks, [m.start() for m in marks[1:]] + [len(text)], strict=True):
        tail = _END.search(text[mark.end() : stop][-200:])
        stop -= len(tail.group()) if tail else 0
        lead = _LEAD.match(text, mark.end(), stop)
        begin = lead.end() if lead else mark.end()
        stop = begin + len(text[begin:stop].rstrip(" \n|"))
        region = trimmed(text, begin, stop) if begin < stop else None
        label = mark.group(1).lower()
        found.append(
            (label, _moved(mark.span(), offset), _moved(region, offset) if region else None)
        )
    return found


def _moved(span: Span, offset: int) -> Span:
    return span[0] + offset, span[1] + offset


def _any_order(labels: list[str]) -> tuple[int, int] | None:
    n = len(labels)
    right = n > 1 and any(sorted(labels) == sorted(sequence[:n]) for sequence in _SEQUENCES)
    return (0, n) if right else None


def _is_inside(text: str, mark: re.Match[str]) -> bool:
    """Whether a label stands inside a formula's braces: no label at all."""
    before = text[max(0, mark.start() - 400) : mark.start()]
    return before.count("{") > before.count("}")


def _last_run(labels: list[str]) -> tuple[int, int] | None:
    for last in range(len(labels) - 1, 0, -1):
        for sequence in _SEQUENCES:
            if labels[last] not in sequence[1:]:
                continue
            n = sequence.index(labels[last]) + 1
            if n <= last + 1 and labels[last + 1 - n : last + 1] == sequence[:n]:
                return last + 1 - n, last + 1
    return None


def listed(text: str) -> list[str]:
    """The members of a list with semicolons outside all brackets; none may be empty."""
    pieces, depth, begin = [], 0, 0
    for place, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        if char in ";；" and depth == 0 and text[place - 1 : place] != "\\":
            pieces.append(text[begin:place])
            begin = place + 1
    pieces = [piece.strip() for piece in [*pieces, text[begin:]]]
    if pieces and not pieces[-1]:
        pieces.pop()
    return pieces if all(pieces) and len(pieces) <= _MAX_PARTS else []


def label_before(body: str, start: int, end: int) -> tuple[str, Span] | None:
    """The last label between two boxes."""
    marks = [m for style in _STYLES for m in style.finditer(body, max(start, end - 4_000), end)]
    last = max(marks, key=lambda m: m.start(), default=None)
    return (last.group(1).lower(), last.span()) if last else None


__all__ = [
    "BARE_CHARS",
    "MAX_CHARS",
    "Found",
    "Parts",
    "is_run",
    "label_before",
    "labelled",
    "listed",
    "some_labelled",
]
