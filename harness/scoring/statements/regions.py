"""Regions of a body cut down to an answer: delimiters, emphasis, prose that goes on after it."""

from __future__ import annotations

import re

from harness.scoring.statements.text import Copy

Span = tuple[int, int]
_MARKS = re.compile(
    r"(?<![\w)*])(?P<a>\*{1,3})(?=[^\s*])[^*\n]{0,300}?(?<=[^\s*])(?P<b>(?P=a))(?!\*)"
    r"|(?<![\w\\}])(?P<c>__?)(?=[^\s_])[^_\n]{0,300}?(?<=[^\s_])(?P<d>(?P=c))(?!\w)"
)
_TAGS = re.compile(
    r"`+|</?(?:b|strong|i|em|u|span|p|mark)\s{0,9}>|(?<=\S)\*{2,3}(?=\s|$)"
    r"|(?<!\S)\*{2,3}(?=[^\s*])"
    # What a chat template leaves: "</s>", "<|im_end|>", "[/INST]".
    r"|</?(?:s|eos|pad|bos|end_of_turn)>|<\|(?!channel|message)[A-Za-z][A-Za-z0-9_]{0,30}\|>|\[/?INST\]",
    re.IGNORECASE,
)
# A formula that goes on in the next line: "\\frac{1}", "{2}".
_BROKEN = re.compile(r"(?<=\})[ \t]{0,9}\n[ \t]{0,9}(?=\{)")
_QUOTED = re.compile(r"[\"'“«「][^\"'“”«»「」]+[\"'”»」]")
_LONG = 4_200
_SUM = re.compile(r"-?\.?\d")
_BEGINNING = re.compile(
    r"(?:[\s\x00-\x1f,:;.]|\\[\[(,;! ]|\\(?:displaystyle|quad|qquad)(?![A-Za-z])|~)+"
)
_ENDING = re.compile(r"(?:[\s\x00-\x1f,;.。]|\\[\]),; ]|~)+$")
_WRAPPER = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mbox)\s*\{([^{}]*)\}|\{([^{}]*)\}"
)
_PROSE = re.compile(
    r",?\s+(?:because|since|which|where|so|for\s+(?:all|any|every|some)|when|as\s+(?:the|it|we|this)"
    r"|due|given|with|not|rather\s+than|instead\s+of|but)\b"
    r"|[;。]|[.!?]\s|[.!?]$|\s\((?=[A-Za-z]{3})", re.I,
)  # fmt: skip
_UNSURE = re.compile(
    r"\b(?:sorry|cannot|can't|can\s+not|unable|don't|do\s+not|not\s+(?:sure|possible|enough|clear)|unsure"
    r"|unclear|unknown|as\s+an\s+AI|maybe|perhaps|might|could|error|either|need\s+more)\b|\?|无法|不知道|抱歉|不确定",
    re.I,
)  # fmt: skip


def unemphasised(copy: Copy) -> Copy:
    """Without marks of emphasis; a star or an underscore inside a formula stays."""
    text = copy.text
    cuts: list[Span] = []
    if "*" in text or "_" in text:
        for pair in _MARKS.finditer(text):
            names = ("a", "b") if pair["a"] else ("c", "d")
            cuts.extend(pair.span(name) for name in names)
    if "`" in text or "<" in text or "**" in text or "INST]" in text:
        cuts.extend(tag.span() for tag in _TAGS.finditer(text))
    if "}" in text and "\n" in text:
        cuts.extend(gap.span() for gap in _BROKEN.finditer(text))
    if not cuts:
        return copy
    parts, end = [], 0
    for start, stop in sorted(cuts):
        if start >= end:
            parts.append((end, start))
            end = stop
    return copy.keep([*parts, (end, len(text))])


def trimmed(body: str, start: int, end: int) -> Span | None:
    """A region without delimiters, end marks, and wrappers around the whole; None if empty."""
    if end - start > _LONG:
        return (start, end) if body[start:end].strip() else None
    while True:
        beginning = _BEGINNING.match(body, start, end)
        if beginning and not re.match(r"\.\d", body[beginning.end() - 1 : beginning.end() + 1]):
            start = beginning.end()
        elif beginning:
            start = beginning.end() - 1
        ending = _ENDING.search(body[max(start, end - 80) : end])
        if ending:
            end -= ending.end() - ending.start()
        if body[start : start + 1] == "$" or body[end - 1 : end] == "$":
            inner = _undollared(body, start, end)
            if inner != (start, end):
                start, end = inner
                continue
        if _QUOTED.fullmatch(body, start, end):
            start, end = start + 1, end - 1
            continue
        if body[end - 1 : end] == "}" or body[start : start + 1] == "}":
            excess = body.count("}", start, end) - body.count("{", start, end)
            if excess > 0:
                start += body[start] == "}"
                end -= body[end - 1] == "}"
                continue
        wrapper = _WRAPPER.fullmatch(body, start, end)
        if not wrapper:
            return (start, end) if start < end else None
        start, end = wrapper.span(1 if wrapper.group(1) is not None else 2)


def _undollared(body: str, start: int, end: int) -> Span:
    """Without outer math delimiters; a dollar sign before a sum stays."""
    odd = body.count("$", start, end) % 2
    if body[start : start + 1] == "$" and not (odd and _SUM.match(body, start + 1, end)):
        return start + 1, end - (end - 1 > start and body[end - 1] == "$")
    return start, end - (odd and body[end - 1 : end] == "$" and end - 1 > start)


def prose_cut(body: str, start: int, end: int) -> int:
    """Where the sentence or clause that begins at `start` ends."""
    for cut in _PROSE.finditer(body, start + 1, end):
        if not re.search(
            r"\b(?:approx|e\.g|i\.e|St|Mr|Dr|Mrs|No|sq|vs|etc|ft|in|cu|U\.S)$",
            body[start : cut.start()][-8:],
        ):
            return cut.start()
    return end


def unsure(text: str) -> bool:
    """Whether a short text declines, doubts or asks."""
    return bool(_UNSURE.search(text))


__all__ = ["Span", "prose_cut", "trimmed", "unemphasised", "unsure"]
