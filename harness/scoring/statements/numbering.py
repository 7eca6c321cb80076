"""Numbers and formulas among the texts of choices: labels of their own, and parts of others."""

from __future__ import annotations

import re
import string

OWN_LABEL = re.compile(r"\s*[(\[]?(\d{1,2}|[A-Za-z])[)\].:]{1,2}\s+(?=\S)")
_FORMULA_GOES_ON = re.compile(
    r"!(?=[.,;])|:\d|\s*[-–—+]\s*(?:\d|\\|[a-z]\b)|\)\s?(?:[(\d*/^+]|-\d)"
    r"|\((?=[^()\s]{0,20}[-+*/^=\d])"
)


def unlabelled(texts: list[str]) -> list[str]:
    """The texts without labels of their own, where they are numbered: "1. red", "A) red".

    Another list than the one given only where every text has its label, in order.
    """
    marks = [OWN_LABEL.match(text) for text in texts]
    found = [mark[1].upper() if mark else "" for mark in marks]
    if len(texts) > 1 and found in (
        [str(i + 1) for i in range(len(texts))],
        list(string.ascii_uppercase[: len(texts)]),
    ):
        return [text[mark.end() :] for text, mark in zip(texts, marks, strict=True) if mark]
    return texts


def in_formula(text: str, start: int, end: int, folded: str) -> bool:
    """Whether a choice's number or formula is only a part of the one that stands there."""
    if folded[0].isdigit() and text[start - 1 : start] in ("<", ">"):
        return text[max(0, start - 2) : start - 1] not in ("-", "=")
    return bool(_FORMULA_GOES_ON.match(text, end))


__all__ = ["OWN_LABEL", "in_formula", "unlabelled"]
