"""MATCH and EXTRACT_boxed of Physics-R1: whether a predicted answer is the gold.

Written so that its published weak spots stay: a number is compared by its leading digits wherever
the rest is not arithmetic, so units and everything after them are ignored ("3 m/s" is 3, and so is
"3 pi"), and part labels are looked for anywhere, so what stands before the first one is lost.
"""

from __future__ import annotations

import math
import re

from harness.scoring.policies.arithmetic import arithmetic

_BOX = "\\boxed{"
_BRACE = re.compile(r"[{}]")
_LETTERS = ("A", "B", "C", "D")
_STATED = (
    ("answer_is", re.compile(r"[aA]nswer\s*+(?:is|:)\s*+\(?([A-D])")),
    ("closing_letter", re.compile(r"\(([A-D])\)\s*+\Z")),
    ("text_letter", re.compile(r"\\text\{([A-D])\}")),
)
_LABELS = (re.compile(r"\(([a-z])\)"), re.compile(r"\b([a-z])\.\s"))
_LATEX = re.compile(
    r"(?P<wrap>\\(?:text|mathrm|mbox|mathbf|operatorname)\s*+\{)"
    r"|(?P<frac>\\[dt]?frac\s*+\{)|(?P<open>\{)|(?P<close>\})"
)
_SECOND = re.compile(r"\s*+\{")
_DELETED = re.compile(r"\\(?:left|right)(?![A-Za-z])|\\[,;!%]|%|\s|\$")
_POWER = re.compile(r"\^\{([-+]?\d{1,9})\}")
_PREFIX = re.compile(r"[-+]?(?:\d++(?:\.\d++)?|\.\d++)(?:[eE][-+]?\d++)?")
_ABSOLUTE = 1e-6


def boxes(text: str) -> list[str]:
    r"""Give the contents of all closed, outermost `\boxed{…}`, in order, braces counted.

    Parameters
    ----------
    text : any text. A box that is never closed takes all that follows it, and gives nothing.

    Returns
    -------
    list of str
        Contents as they stand, a box inside a box included in the outer one's.
    """
    found = []
    at = text.find(_BOX)
    while at >= 0:
        start, depth = at + len(_BOX), 1
        for brace in _BRACE.finditer(text, start):
            depth += 1 if brace[0] == "{" else -1
            if not depth:
                found.append(text[start : brace.start()])
                break
        if depth:
            break
        at = text.find(_BOX, start + len(found[-1]))
    return found


def extract_boxed(text: str) -> str | None:
    r"""Give the stripped contents of the last closed `\boxed{…}`.

    Parameters
    ----------
    text : any text.

    Returns
    -------
    str or None
        None without a closed box; "" for an empty one.
    """
    found = boxes(text)
    return found[-1].strip() if found else None


def extract_letter(text: str) -> tuple[str | None, str]:
    r"""Read a letter A–D as Physics-R1 does for a gold that is one.

    Parameters
    ----------
    text : any text.

    Returns
    -------
    tuple of (letter or None, rule)
        The whole contents of the last box; else the capital after the first "answer is" or
        "answer:" (as published, also the first letter of a word there); else "(X)" at the end;
        else the first `\text{X}`.
    """
    box = extract_boxed(text)
    if box is not None and box.upper() in _LETTERS:
        return box.upper(), "boxed"
    for rule, pattern in _STATED:
        if match := pattern.search(text):
            return match[1], rule
    return None, "no_letter"


def is_letter(gold: str) -> bool:
    """Whether a gold is compared as a letter: A, B, C or D in either case."""
    return gold.strip().upper() in _LETTERS


def match(predicted: str, gold: str, tolerance: float = 1e-2) -> bool:
    """Compare a predicted answer with a gold, part by part.

    Parameters
    ----------
    predicted, gold : contents of a box, and the gold.
    tolerance : numbers are equal when |p − g| / |g| is less than this, or |p − g| less than 1e-6.

    Returns
    -------
    bool
        Of a gold in parts, whether there are as many parts with the same labels and each matches.
        Otherwise whether the two are the same but for case, `\\text{}` and blanks, or equal
        numbers. An empty gold equals nothing.
    """
    if not gold.strip() or not predicted.strip():
        return False
    parts = split_parts(gold)
    if parts is None:
        return match_single(predicted, gold, tolerance)
    others = split_parts(predicted)
    if others is None or len(others) != len(parts):
        return False
    return all(
        (not name or not label or name == label) and match_single(said, wanted, tolerance)
        for (label, wanted), (name, said) in zip(parts, others, strict=True)
    )


def match_single(predicted: str, gold: str, tolerance: float) -> bool:
    """Compare two answers of one part; see `match`."""
    left, right = plain(predicted), plain(gold)
    if left.casefold() == right.casefold():
        return bool(right)
    p, g = number(left), number(right)
    if p is None or g is None:
        return False
    off = abs(p - g)
    return off < _ABSOLUTE or (g != 0 and off / abs(g) < tolerance)


def split_parts(text: str) -> list[tuple[str, str]] | None:
    """Split "(a) … (b) …", "a. … b. …" or "…; …" into labelled parts.

    Parameters
    ----------
    text : an answer.

    Returns
    -------
    list of (label, text), or None
        None unless there are at least two parts that are not empty. Parts between semicolons
        have the label "".
    """
    for pattern in _LABELS:
        labels = list(pattern.finditer(text))
        if len(labels) < 2:
            continue
        ends = [*(label.start() for label in labels[1:]), len(text)]
        parts = [
            (label[1], text[label.end() : end].strip().rstrip(";,").rstrip())
            for label, end in zip(labels, ends, strict=True)
        ]
        parts = [part for part in parts if part[1]]
        if len(parts) >= 2:
            return parts
    pieces = [("", piece.strip()) for piece in text.split(";") if piece.strip()]
    return pieces if len(pieces) >= 2 else None


def plain(text: str) -> str:
    r"""Rewrite LaTeX as plain text: `\frac{a}{b}` at any depth as (a)/(b), without blanks or %."""
    out: list[str] = []
    open_groups: list[str] = []
    at = 0
    while token := _LATEX.search(text, at):
        out.append(text[at : token.start()])
        at = token.end()
        kind = token.lastgroup
        if kind == "close":
            closed = open_groups.pop() if open_groups else "open"
            second = _SECOND.match(text, at) if closed == "frac" else None
            if second:
                open_groups.append("denominator")
                at = second.end()
            out.append(")/(" if second else {"wrap": "", "open": "}"}.get(closed, ")"))
        elif kind is not None:
            open_groups.append(kind)
            out.append({"wrap": "", "frac": "("}.get(kind, "{"))
    out.append(text[at:])
    joined = "".join(out).replace("\\times", "*").replace("\\cdot", "*").replace("\\pi", "pi")
    return _DELETED.sub("", joined)


def number(text: str) -> float | None:
    """Read a plain text as a finite number: arithmetic of digits, else its leading digits.

    Parameters
    ----------
    text : as `plain` gives it. Arithmetic knows + - * / ^ and brackets, up to 200 characters.

    Returns
    -------
    float or None
        None without a leading number, and for what is not finite.
    """
    value = arithmetic(_POWER.sub(r"^\1", text))
    if value is None and (prefix := _PREFIX.match(text)):
        value = float(prefix[0])
    return value if value is not None and math.isfinite(value) else None


__all__ = [
    "boxes", "extract_boxed", "extract_letter", "is_letter", "match", "match_single", "number",
    "plain", "split_parts",
]  # fmt: skip
