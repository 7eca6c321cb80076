"""The form of a response that Physics-R1's dense reward looks at: units and fractions."""

from __future__ import annotations

import re

_MAX_UNITS = 32
_MAX_FRACTIONS = 16
_MAX_EXPRESSION = 500
_PREFIXED = (
    *("m", "g", "s", "A", "K", "J", "N", "W", "V", "C", "T", "F", "H", "L", "Hz", "Pa", "eV"),
    *("mol", "bar", "Wb", "lm", "lx", "Bq", "Gy", "Sv", "Ohm"),
)
_PREFIXES = ("", "f", "p", "n", "u", "µ", "μ", "m", "c", "d", "k", "M", "G", "T")
_OTHER_UNITS = ("min", "h", "hr", "day", "yr", "rad", "sr", "atm", "cd", "ohm", "Ω")
_QUANTITY = re.compile(
    r"(?<![\w\\.])\d++(?:\.\d++)?(?:\s*+(?:\\times|\*|×)\s*+10\s*+\^?\s*+\{?[-+]?\d++\}?)?+"
    r"(?:\s|\\[,;:!]|~)*+(?P<set>\\(?:text|mathrm)\s*+\{\s*+)?+(?P<unit>[A-Za-zµμΩ]++)(?![{(])"
)
_FRACTION = re.compile(r"\\[dt]?frac\{(?P<top>[^{}]++)\}\{(?P<bottom>[^{}]++)\}")
_TERM = re.compile(r"\s*+(?:[0-9]++(?:\.[0-9]++)?|\\?[A-Za-z]++(?:_[A-Za-z0-9]++)?)\s*+")
_OPERATOR = re.compile(r"\s*+(?:[-+*/^]|\\cdot\b|\\times\b)\s*+")


def has_known_units(text: str) -> bool:
    r"""Whether a response gives quantities, and all in known units.

    Parameters
    ----------
    text : any text.

    Returns
    -------
    bool
        True where at least one number carries a unit, and each of the first 32 units is an SI
        unit, with a prefix or without, or one used with the SI. A word after a number is a unit
        when it is such a one or stands in `\text{}` or `\mathrm{}`.
    """
    n = 0
    for quantity in _QUANTITY.finditer(text):
        known = _is_unit(quantity["unit"])
        if quantity["set"] and not known:
            return False
        n += known
        if n == _MAX_UNITS:
            break
    return n > 0


def _is_unit(name: str) -> bool:
    if name in _OTHER_UNITS:
        return True
    return any(name.startswith(p) and name[len(p) :] in _PREFIXED for p in _PREFIXES)


def has_fraction(text: str) -> bool:
    r"""Whether one of the first 16 `\frac{…}{…}` has a plain numerator and denominator.

    Parameters
    ----------
    text : any text.

    Returns
    -------
    bool
        Plain are numbers, names and LaTeX commands, joined by + - * / ^ or written side by side.
    """
    for n, fraction in enumerate(_FRACTION.finditer(text)):
        if n == _MAX_FRACTIONS:
            break
        if _is_formula(fraction["top"]) and _is_formula(fraction["bottom"]):
            return True
    return False


def _is_formula(text: str) -> bool:
    """Whether a text is terms and operators in turn: "m g h", "2x+1", "\\mu N"."""
    if len(text) > _MAX_EXPRESSION or not text.strip():
        return False
    at = 0
    while at < len(text):
        sign = _OPERATOR.match(text, at)
        term = _TERM.match(text, sign.end() if sign else at)
        if term is None:
            return False
        at = term.end()
    return True


__all__ = ["has_fraction", "has_known_units"]
