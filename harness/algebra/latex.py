"""The grammar: a formula in LaTeX or plain text to its tree, or None.

Single letters multiply; a letter with a subscript is one symbol; so are words set as text. Two
spellings are truly ambiguous and give two readings each: a/bc, and a logarithm without a base.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from harness.algebra.grammar import Parser
from harness.algebra.primaries import REALS
from harness.algebra.tokens import Token, Unreadable, bare, tokens
from harness.algebra.tree import Node, number

_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:,\d{3}){1,6}(?:\.\d{0,20})?")
# 1,000x and x = 1,234 have a number with thousands; 0,5 may be one half.
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?!\d|,\d)")
_DECIMAL_COMMA = re.compile(r"(?:[^=,]{1,40}=)?\s*-?\s*\d{1,9},\d{1,9}\s*")
_BRACKET = re.compile(r"[(\[{]")
_AS_TEXT = re.compile(r"\\text(?:rm|bf|it)?\s*\{([^{}]*)\}")
_IN_WORDS = {
    **dict.fromkeys(("no solution", "no solutions", "no real solution"), Node("set")),
    **dict.fromkeys(("no real solutions", "empty set", "the empty set"), Node("set")),
    **dict.fromkeys(("all real numbers", "all reals", "all real x"), REALS),
}


@dataclass(frozen=True, slots=True)
class Formula:
    """What a text may mean.

    `likely` and, where a slash is ambiguous, `other` read a bare logarithm as natural; the
    same two with logarithms to base 10 stand in `common`, which is None where no log is bare.
    """

    likely: Node
    other: Node | None = None
    disputed: bool = False  # neither reading is the likelier one
    common: tuple[Node, Node | None] | None = None


@lru_cache(maxsize=4096)
def parse(text: str) -> Formula | None:
    """Read a formula.

    Parameters
    ----------
    text : LaTeX or plain-text maths, with or without $ and \\boxed.

    Returns
    -------
    Formula or None
        None for what this grammar does not know: words, unbalanced brackets, integrals, more
        than 2,000 characters, 600 tokens, 1,000 digits in a row or 60 levels.
    """
    try:
        stripped = bare(text)
        words = " ".join(_AS_TEXT.sub(r"\1", stripped).lower().split())
        if words in _IN_WORDS:
            return Formula(_IN_WORDS[words])
        if _THOUSANDS.fullmatch(stripped):
            return _thousands(stripped)
        if "," in stripped:
            grouped = _with_groups(stripped)
            if grouped is not None:
                return grouped
        return _formula(stripped)
    except Unreadable:
        return None


def _formula(text: str) -> Formula:
    found = tokens(text)
    first = Parser(found)
    natural = _readings(first, first.whole(), found, log10=False)
    if not first.bare_log:
        return Formula(*natural, first.slash == "open")
    again = Parser(found, log10=True)
    return Formula(*natural, False, _readings(again, again.whole(), found, log10=True))


def _with_groups(text: str) -> Formula | None:
    """A formula in which a comma may stand inside a number, or None."""
    joined = _GROUPED.sub(lambda m: m[0].replace(",", ""), text)
    inside = bool(_BRACKET.search(_GROUPED.split(text)[0]))
    if joined != text and inside:  # (1,000, 2) has two parts, or three
        return Formula(_formula(text).likely, _formula(joined).likely) if ",0" in text else None
    if joined != text:
        whole = _formula(joined)
        if any(part.startswith("0") for m in _GROUPED.findall(text) for part in m.split(",")[1:]):
            return whole
        return Formula(whole.likely, _formula(text).likely)
    if _DECIMAL_COMMA.fullmatch(text):
        return Formula(_formula(text).likely, _formula(text.replace(",", ".")).likely)
    return None


def _thousands(text: str) -> Formula:
    """1,234 is a number, if not two; 1,000 can only be a number."""
    whole = parse(text.replace(",", ""))
    if whole is None or ",0" in text:
        return whole or Formula(number(0))
    return Formula(whole.likely, parse_list(text))


def parse_list(text: str) -> Node:
    return Node("list", tuple(number(Fraction(part)) for part in text.split(",")), ",")


def _readings(
    parser: Parser, loose: Node, found: list[Token], *, log10: bool
) -> tuple[Node, Node | None]:
    """a/bc is a/(bc) to most people, a/b c with a space is (a/b)c."""
    if not parser.slash:
        return loose, None
    tight = Parser(found, tight=True, log10=log10).whole()
    return (tight, loose) if parser.slash == "close" else (loose, tight)


__all__ = ["Formula", "parse"]
