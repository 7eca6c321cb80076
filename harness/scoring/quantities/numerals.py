r"""Numerals: one number at a place of a cleaned text, as an exact fraction.

Cleaned means by `harness.scoring.quantities.spelling.clean`. Nothing is evaluated, no integer of
more than 4,000 digits is made, and powers of ten beyond 10^±10,000 stay a shift.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from harness.scoring.quantities.number_words import MAGNITUDES, words

MAX_CHARS = 4_000
_BUILT = 10_000
_VULGAR = {
    "½": (1, 2),
    "⅓": (1, 3),
    "⅔": (2, 3),
    "¼": (1, 4),
    "¾": (3, 4),
    "⅕": (1, 5),
    "⅖": (2, 5),
    "⅗": (3, 5),
    "⅘": (4, 5),
    "⅙": (1, 6),
    "⅚": (5, 6),
    "⅛": (1, 8),
    "⅜": (3, 8),
    "⅝": (5, 8),
    "⅞": (7, 8),
    "⅐": (1, 7),
    "⅑": (1, 9),
    "⅒": (1, 10),
}
_LITERAL = (
    r"(?:(?P<indian>[1-9]\d?(?:,\d\d(?=,))++,\d{3}(?:\.\d++)?)"
    r"|(?P<english>[1-9]\d{0,2}(?:,\d{3})++(?:\.\d++)?)"
    r"|(?P<spaced>[1-9]\d{0,2}(?:(?: \d{3})++|(?:'\d{3})++|(?:_\d{3})++)(?:[.,]\d++)?)"
    r"|(?P<european>[1-9]\d{0,2}(?:(?:\.\d{3})++,\d++|(?:\.\d{3}){2,}+))"
    r"|(?P<comma>\d++,\d++)"
    r"|(?P<plain>\d++(?:\.\d++|\.(?=\s*(?:$|[×\\}])))?+|\.\d++))(?![.,]?\d)"
)
_LITERAL_AT = re.compile(_LITERAL)
_EXPONENT = r"\^\s*(?:([+-]?\d{1,7})(?!\d)|\(\s*([+-]?\d{1,7})\s*\))(?!\s*[\^!]|\.\d)"
_E = re.compile(r"\s?[eE]([+-]?\d{1,7})(?![\d.])")
_TIMES_TEN = re.compile(rf"\s*×\s*10\s*{_EXPONENT}")
_TEN = re.compile(rf"10\s*{_EXPONENT}")
_FRAC = re.compile(
    r"\\frac\s*(?:\{\s*([+-]?[\d.,]{1,40})\s*\}|(\d))\s*(?:\{\s*([+-]?[\d.,]{1,40})\s*\}|(\d))"
)
_SLASH = re.compile(r"\s*/\s*(?=\d)")
_SIGN = re.compile(r"\s*(?:([+-])\s*|(minus|negative)\s+|(plus|positive)\s+|负)?", re.IGNORECASE)
_MIXED = re.compile(
    r"\d{1,9}(?= (?:and )?\d{1,6}/\d{1,6}(?![\d.,/]\d?)| ?\\frac| ?[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒])"
)
_MAGNITUDE = re.compile(
    r"(?:\s*-?\s*(hundreds?|dozen|thousands?|millions?|billions?|trillions?|mn|bn)(?![A-Za-z])"
    r"|((?-i:k))(?![A-Za-z0-9])|\s*(万亿|十亿|百万|千万|[百千万萬亿億]))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number, `value` times ten to the `shift`."""

    value: Fraction
    shift: int = 0

    def negative(self) -> Numeral:
        return Numeral(-self.value, self.shift)

    def times(self, other: Numeral) -> Numeral:
        return Numeral(self.value * other.value, self.shift + other.shift)


def numeral(text: str, place: int = 0) -> tuple[Numeral, int] | None:
    """Read one number that begins at a place of a cleaned text.

    Returns
    -------
    (number, end) or None
        None too where digits go on in a way that makes another thing of them ("1,2,3", "1.2.3")
        and for a division by zero.
    """
    sign = _SIGN.match(text, place)
    start = sign.end() if sign else place
    found = _unsigned(text, start)
    if found is None:
        return None
    number, end = found
    scaled = _MAGNITUDE.match(text, end)
    if scaled and not number.shift:
        name = next(group for group in scaled.groups() if group).lower()
        name = name[:-1] if name == "hundreds" else name
        number, end = Numeral(number.value * MAGNITUDES[name]), scaled.end()
    negative = bool(sign and ("-" in sign.group() or sign.group(2) or "负" in sign.group()))
    return (number.negative() if negative else number), end


def times_ten(text: str, place: int) -> tuple[Numeral, int] | None:
    """Read a power of ten that multiplies what stands before the place: "× 10^3"."""
    match = _TIMES_TEN.match(text, place)
    if not match:
        return None
    return _shifted(Fraction(1), int(match.group(1) or match.group(2))), match.end()


def _unsigned(text: str, start: int) -> tuple[Numeral, int] | None:
    for read in (_mixed, _fraction, _power_of_ten, _scientific):
        found = read(text, start)
        if found:
            return found
    spelled = words(text, start)
    return (Numeral(spelled[0]), spelled[1]) if spelled else None


def _mixed(text: str, start: int) -> tuple[Numeral, int] | None:
    whole = _MIXED.match(text, start)
    if not whole:
        return None
    place = whole.end() + (text[whole.end()] == " ")
    place += 4 if text.startswith("and ", place) else 0
    part = _fraction(text, place) or _ratio(text, place)
    if part is None or not 0 <= part[0].value < 1:
        return None
    return Numeral(int(whole.group()) + part[0].value), part[1]


def _fraction(text: str, start: int) -> tuple[Numeral, int] | None:
    if text[start : start + 1] in _VULGAR:
        return Numeral(Fraction(*_VULGAR[text[start]])), start + 1
    match = _FRAC.match(text, start)
    if not match:
        return None
    over, under = match.group(1) or match.group(2), match.group(3) or match.group(4)
    signs = (over[0] == "-") ^ (under[0] == "-")
    top, bottom = _literal(over.lstrip("+-"), 0), _literal(under.lstrip("+-"), 0)
    if not top or not bottom or not bottom[0]:
        return None
    if (top[1], bottom[1]) != (len(over.lstrip("+-")), len(under.lstrip("+-"))):
        return None
    return Numeral(top[0] / bottom[0] * (-1 if signs else 1)), match.end()


def _power_of_ten(text: str, start: int) -> tuple[Numeral, int] | None:
    match = _TEN.match(text, start)
    if not match:
        return None
    return _shifted(Fraction(1), int(match.group(1) or match.group(2))), match.end()


def _scientific(text: str, start: int) -> tuple[Numeral, int] | None:
    found = _literal(text, start)
    if not found:
        return None
    value, end = found
    exponent = _TIMES_TEN.match(text, end) or _E.match(text, end)
    if exponent:
        power = next(group for group in exponent.groups() if group)
        return _shifted(value, int(power)), exponent.end()
    return _ratio(text, start) or (Numeral(value), end)


def _ratio(text: str, start: int) -> tuple[Numeral, int] | None:
    """A fraction with a slash."""
    top = _literal(text, start)
    slash = top and _SLASH.match(text, top[1])
    if not top or not slash:
        return None
    bottom = _literal(text, slash.end())
    if not bottom or not bottom[0] or text[bottom[1] : bottom[1] + 1] in ("/", "^", "!"):
        return None
    return Numeral(top[0] / bottom[0]), bottom[1]


def _literal(text: str, start: int) -> tuple[Fraction, int] | None:
    match = _LITERAL_AT.match(text, start)
    if not match or match.end() - start > MAX_CHARS:
        return None
    digits, kind = match.group(), match.lastgroup
    if kind in ("indian", "english"):
        digits = digits.replace(",", "")
    elif kind == "spaced":
        digits = re.sub(r"[ '_]", "", digits).replace(",", ".")
    elif kind == "european":
        digits = digits.replace(".", "").replace(",", ".")
    elif kind == "comma":
        digits = digits.replace(",", ".")
    whole, _, decimals = digits.partition(".")
    return Fraction(int((whole + decimals) or "0"), 10 ** len(decimals)), match.end()


def _shifted(value: Fraction, exponent: int) -> Numeral:
    if abs(exponent) > _BUILT:
        return Numeral(value, exponent)
    return Numeral(value * (Fraction(10) ** exponent))


__all__ = ["MAX_CHARS", "Numeral", "numeral", "times_ten"]
