"""Formulas that are quantities, a number with a unit, compared as such."""

from __future__ import annotations

import re

from harness.algebra.vocabulary import GREEK
from harness.scoring.comparison import Comparison
from harness.scoring.quantities import number
from harness.scoring.quantities.quantity import quantity

_RELATION = re.compile(
    r"[=<>≤≥≠≈≡~∼∝→]|\\(?:leq?|geq?|lt|gt|neq?|not|approx|equiv|sim|simeq|cong|in|propto|to"
    r"|(?:long)?rightarrow|Rightarrow|mid|leqslant|geqslant)(?![A-Za-z])"
)
_EQUALS = re.compile(r"=|≈|\\(?:approx|simeq)(?![A-Za-z])")
_LETTER = rf"(?:[A-Za-z]|\\(?:{'|'.join(sorted(GREEK, key=len, reverse=True))})(?![A-Za-z]))"
_WORD = r"\\(?:text|mathrm|textbf|mathbf|mathcal|mathit|vec|hat|bar|overline)\s*\{[\w .]{1,30}\}"
_SUBSCRIPT = r"(?:\s*_\s*(?:\w|\\[A-Za-z]+|\{(?:[^{}]|\{[^{}]*\}){0,40}\}))?"
_GIVEN = r"(?:\s*\(\s*[\w ,|]{1,20}\s*\))?"
# What may be called 5: x, x_0, f(2), P(A|B), AB, ∠ABC.
_NAME = re.compile(
    rf"(?:\\Delta\s*)?(?:{_LETTER}|{_WORD}){_SUBSCRIPT}{_GIVEN}"
    r"|(?:m?\s*\\angle\s*|\\triangle\s*|∠)?(?:[A-Z]{1,3}|\\overline\s*\{[A-Z]{2}\})"
)
_EVENT = re.compile(r"((?:P|Pr|\\Pr)\s*\([^()]{1,40}\))\s*(?:=|≈|\\approx(?![A-Za-z]))")
_SPACE = re.compile(r"\\(?:left|right|displaystyle|quad|qquad)(?![A-Za-z])|\$")
_KILO = re.compile(r"\\mathrm\s*\{\s*([kMGmnp])\s*\}\s*(?:\\[,;:! ])*\s*\\Omega(?![A-Za-z])")
_SET_AS_TEXT = re.compile(
    r"\\(?:text|mathrm|textrm|operatorname|mbox)(?![A-Za-z])(?:\s*\{(?:[^{}]|\{[^{}]*\})*\})?(?:\^\{?-?\d\}?)?"
)
_SIGNS = re.compile(r"\\(?:[,;:!% $]|[A-Za-z]+)")
_UNIT_SIGNS = re.compile(
    r"(?:°|\^?\{?\\circ(?![A-Za-z])\}?)\s*[CF](?![A-Za-z])|\\(?:circ|degree|Omega|%)|[%°Ω€£¥¤]|\\\$"
)
# A unit typed behind a number: "5 m/s" with a space, or "3.2N"; "2mg" and "1.5kT" are products.
_SPACED = re.compile(
    r"(?:[\dπ]|\\pi)(?:\s|~|\\[, ])+(?:[A-Z](?![A-Za-z])|[A-Za-zµμ]{2,}|[A-Za-z]+(?=[/^·*]))"
)
_GLUED = re.compile(
    r"\d\.\d+\s*(?:m/s|km/h|k?eV|MeV|GeV|[kcmn]m|kg|[kMG]?Hz|kJ|k?Pa|k[NWV]|mol|rad|[msNJVWACKg])"
    r"(?![A-Za-z])"
)


def compare(answer: str, gold: str, exact: bool) -> Comparison:
    r"""Compare two formulas as numbers with units.

    Parameters
    ----------
    answer, gold, exact : as for `harness.scoring.free.symbolic.compare`.

    Returns
    -------
    Comparison
        Undecided unless both are, as a whole, a number with or without a unit, after a plain
        name at most (x = 5 m), and the same name where both have one. Letters count as a unit
        where they show as one: set as text, behind a space, of a known unit.

    Examples
    --------
    >>> compare(r"5\text{ km}", r"v = 5000\text{ m}", False).equal
    True
    >>> compare(r"\int f\,dx = 2", "x = 2", False).equal, compare("1500 T", "2mg", False).equal
    (None, None)
    """
    given, wanted = _named_value(answer), _named_value(gold)
    if given is None or wanted is None:
        return Comparison(None, "not_a_quantity")
    if given[0] and wanted[0] and given[0] != wanted[0]:
        return Comparison(None, "another_name")
    found = number.compare(given[1], wanted[1], exact)
    if found.equal is None or (_shows_unit(given[1]) and _shows_unit(wanted[1])):
        return found
    return Comparison(None, "unit_or_symbol")


def _named_value(text: str) -> tuple[str, str] | None:
    """The name in front of a quantity, or "", and the quantity; None for another statement."""
    text = _KILO.sub(r"\\text{\1Ω}", text).strip()
    event = _EVENT.match(text)  # P(X = 2) = 0.5
    members = [event[1], text[event.end() :]] if event else _EQUALS.split(text)
    if any(_RELATION.search(member) for member in members[bool(event) :]):
        return None
    first, last = _SPACE.sub("", members[0]).strip(), members[-1].strip()
    if len(members) == 1:
        return "", text
    if event or _NAME.fullmatch(first):
        return "".join(first.split()), last
    return ("", last) if first and quantity(first) is not None else None


def _shows_unit(value: str) -> bool:
    """Whether a quantity has no letters, or such as are clearly a unit."""
    if not _bare_letters(value):
        return True
    if _GLUED.search(value):
        return True
    commands = set(_SIGNS.findall(value)) - {
        "\\times",
        "\\cdot",
        "\\pi",
        "\\,",
        "\\ ",
        "\\$",
        "\\%",
    }
    return bool(_SPACED.search(value)) and not commands


def _bare_letters(text: str) -> bool:
    """Whether letters stand in it that are neither set as text nor part of a command."""
    text = _UNIT_SIGNS.sub("", _SET_AS_TEXT.sub("", text))
    text = re.sub(r"\d[eE][+-]?\d|\bpi\b|\bsqrt\b", "", text)
    rest = _SIGNS.sub(" ", text)
    symbols = {name[1:] for name in _SIGNS.findall(text)} & (GREEK - {"pi"})
    return bool(symbols) or any(c.isalpha() and c not in "π" for c in rest)


__all__ = ["compare"]
