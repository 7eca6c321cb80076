"""Choices as benchmarks write them: lists, columns A, B, C …, or in the question's own text."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from harness.data.manifest import LETTERS

_BLANK = ("", "[]", "{}", "None", "nan", "null")
_MAX_CHARS = 20_000
_LABEL = re.compile(
    r"(?<![A-Za-z0-9.])(?:\((?P<round>[A-Z])\)|\[(?P<square>[A-Z])\]|(?P<bare>[A-Z])[.):：、．])"
    r"(?=\s|[^\s)\]])"
)
_OWN_LABEL = re.compile(r"\s*(?:\(([A-Z])\)|\[([A-Z])\]|([A-Z])[.):：、．])\s*(?=\S)")


def choices_of(value: Any) -> tuple[str, ...]:
    """Read the choices of one cell of a table.

    Parameters
    ----------
    value : a sequence of texts or numbers; a mapping from A, B, C … to them; or a text: either
        of these as JSON or as a Python literal (which is parsed, never run), a list labelled as
        `listed` reads it, or one choice a line. None, "", "[]", "{}", "None", "nan" and "null"
        are no choices.

    Returns
    -------
    tuple of str
        Stripped, without their letters where every one carries its own in order ("A. 12").

    Raises
    ------
    ValueError
        For a value of another form, a mapping whose keys are not A, B, C … in order, an empty
        choice, or a text longer than 20,000 characters.

    Examples
    --------
    >>> choices_of("['A. 12', 'B. 13']"), choices_of("(A) red (B) tan"), choices_of("12\\n13")
    (('12', '13'), ('red', 'tan'), ('12', '13'))
    """
    if value is None or (isinstance(value, str) and value.strip() in _BLANK):
        return ()
    if isinstance(value, str):
        value = _parsed(value.strip())
    if isinstance(value, Mapping):
        letters = [str(key) for key in value]
        if letters != list(LETTERS[: len(letters)]):
            raise ValueError(f"expected choices under A, B, C …, found {', '.join(letters):.80}")
        value = list(value.values())
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        raise ValueError(f"expected choices as a list, found {value!r:.80}")
    for item in value:
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            raise ValueError(f"expected choices as texts, found {item!r:.80}")
    texts = _unlabelled([str(item).strip() for item in value])
    if not all(texts):
        raise ValueError("expected choices as texts, found an empty one")
    return texts


def lettered(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Read the choices that stand in columns A, B, C … of a row; blank cells are none.

    Raises
    ------
    ValueError
        Where a column is blank but a later one is not.

    Examples
    --------
    >>> lettered({"A": "red", "B": "tan", "C": ""})
    ('red', 'tan')
    """
    texts = ["" if row.get(letter) is None else str(row[letter]).strip() for letter in LETTERS]
    n = max((place for place, text in enumerate(texts, start=1) if text), default=0)
    if not all(texts[:n]):
        blank = LETTERS[texts.index("")]
        raise ValueError(f"expected choices in columns A to {LETTERS[n - 1]}, found {blank} blank")
    return tuple(texts[:n])


def listed(text: str) -> tuple[str, ...]:
    """Read the choices that a text lists behind the letters A, B, C …

    Letters: "A.", "A)", "(A)", "[A]" or "A:", not touching a letter, digit or full stop before
    it. The last list that begins with A and has B counts; a choice ends at the next letter,
    the last one at the end of its line.

    Returns
    -------
    tuple of str
        Stripped of space and of a comma or semicolon at the end; empty where no list of two or
        more stands there, or where one of its texts is empty or stands twice.

    Examples
    --------
    >>> listed("Which is it?\\nChoices:\\n(A) 12 cm\\n(B) 13 cm\\nExplain.")
    ('12 cm', '13 cm')
    >>> listed("At A. it is cold.")
    ()
    """
    labels = [(_letter(match), match) for match in _LABEL.finditer(text)]
    for first in reversed([i for i, (letter, _) in enumerate(labels) if letter == "A"]):
        run = [labels[first][1]]
        for letter, match in labels[first + 1 :]:
            if letter == LETTERS[len(run)] and len(run) < len(LETTERS) - 1:
                run.append(match)
        ends = [match.start() for match in run[1:]] + [len(text)]
        spans = zip((match.end() for match in run), ends, strict=True)
        texts = [text[start:end].strip().rstrip(",;").rstrip() for start, end in spans]
        texts[-1] = texts[-1].split("\n")[0].strip()
        if len(run) > 1 and all(texts) and len(set(texts)) == len(texts):
            return tuple(texts)
    return ()


def _parsed(text: str) -> Any:
    if len(text) > _MAX_CHARS:
        raise ValueError(f"expected choices of at most {_MAX_CHARS} characters, found {len(text)}")
    if text[0] in "[{(" and text[-1] in "]})":
        for parse in (json.loads, ast.literal_eval):
            try:
                return parse(text)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                continue
    if found := listed(text):
        return found
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2:
        raise ValueError(f"expected a list of choices, found {text!r:.80}")
    return lines


def _unlabelled(texts: list[str]) -> tuple[str, ...]:
    labels = [_OWN_LABEL.match(text) for text in texts]
    found = [next(g for g in m.groups() if g) if m else "" for m in labels]
    if found != list(LETTERS[: len(texts)]):
        return tuple(texts)
    return tuple(text[m.end() :] for text, m in zip(texts, labels, strict=True) if m)


def _letter(match: re.Match[str]) -> str:
    return match["round"] or match["square"] or match["bare"]


__all__ = ["choices_of", "lettered", "listed"]
