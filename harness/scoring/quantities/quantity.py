"""Quantities: a short text that is one number, with its unit, percent sign and uncertainty."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from harness.algebra.values import value as closed_form
from harness.scoring.quantities.compound import compound
from harness.scoring.quantities.nouns import is_noun
from harness.scoring.quantities.numerals import MAX_CHARS, Numeral, numeral, times_ten
from harness.scoring.quantities.spelling import clean
from harness.scoring.quantities.units import Unit, units

_PLAIN = re.compile(r"[+-]?\d{1,300}(?:\.\d{1,300})?")
# "0.(3)" repeats; "0.12(3)" may repeat or give the uncertainty of its last digit.
_REPEATING = re.compile(r"(\d{0,9})\.\((\d{1,20})\)")
_LAST_DIGITS = re.compile(r"[+-]?\d{0,20}\.\d{0,20}\(\d{1,20}\)")
_HEDGE = re.compile(
    r"(?:[\s~≈]|(?:is|about|approximately|approx\.?|around|roughly|nearly|almost|exactly|only|just"
    r"|equal\s+to|equals|a\s+total\s+of|total\s+of)\b|大约|约为|约|总共|共)*",
    re.IGNORECASE,
)
_MONEY = re.compile(
    r"([+-]?)\s*(?:(?:US|CA|HK|AU?|C)?(¤|[€£¥])|(USD|EUR|GBP|CNY|RMB)(?![A-Za-z])|(Rs\.?|₹))\s*(?=[-+.\d\\])"
)
_BEFORE_SUM = re.compile(r"^([\s+-]*(?:US|CA|HK|NZ|AU?|C)?)\$")
_AFTER_SUM = re.compile(r"(?<=\d)\s?\$$")
_CHAIN = re.compile(r"=+|≈|\\(?:Right|Longright|right|longright)arrow(?![A-Za-z])|→|⇒")
_SEVERAL_EQUATIONS = re.compile(r"=[^=]*(?:[,;，；]|\band\b|\bor\b|和|或)[^=]*=", re.IGNORECASE)
_INEQUALITY = re.compile(r"[<>≤≥≠]|\\(?:leq?|geq?|lt|gt|neq?)(?![A-Za-z])")
_RANGE = re.compile(r"\+?[\s\d.,]{1,60}(?:-[\s\d.,]{1,60}){1,4}")
_DECADE = re.compile(r"(?:1[5-9]|20)\d0'?s")
# Two numbers side by side are no product: "0.7 (70%)", "5 6".
_NO_FORMULA = re.compile(
    r"[,;:]|^\\?(?:max|min)\b|^[-+]\s*[-+]|/\s*[\d.]+\s*(?:\(|\\pi|π|pi\b|\\sqrt|√)|(?<![_^\d.])[\d.]+%?\s+\(?\s*\d|[\d%)]\s+\("
)
_WIDTH = re.compile(r"\s*±\s*")
_PERCENT = re.compile(
    r"\s*(?:(%|percent(?:age\s+points?)?|per\s+cent|pct)|(‰|per\s+mille?)"
    r"|(?:ppm|parts\s+per\s+million))(?![A-Za-z])",
    re.IGNORECASE,
)
_LARGE = re.compile(r"(?<=\d)[KMB](?![A-Za-z])")
_GLUED_WORDS = {"K": "thousand", "M": "million", "B": "billion"}
_GLUED = {"K": 10**3, "M": 10**6, "B": 10**9}
_PRONOUN = re.compile(r"one\s+(?:of|that|which|who|is|on|in|with|from)\b", re.IGNORECASE)
# Symbols of units that are English words: no units where other words follow.
_ALSO_WORDS = frozenset({"in", "as", "at", "a", "am", "us", "d", "h", "has", "second", "pt"})
# "5% higher" than what? It is a change, and not a share.
_COMPARED = re.compile(
    r"(?:high|low|larg|small|bigg|great|fast|slow|long|short|heavi|cheap)er\b", re.I
)
_COMPOUND_WORD = re.compile(
    r"-(?:digit|sided|fold|year|part|step|way|dimensional|letter)\b", re.IGNORECASE
)
# "5 under par", "5 onwards": of what?
_RELATIVE = re.compile(
    r"(?:above|below|under|beneath|away|ahead|behind|off|short|onwards?|upwards?|downwards?)\b",
    re.I,
)
_UNIT_WORDS = 6
_PI = re.compile(r"\\pi(?![A-Za-z])|π|\bpi\b")


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number and what stands with it.

    `width` is the half-width after ±; `per` is 100 for percent, 1000 for ‰ and else 1; `units`
    are the readings of its unit; `noun` tells of other words in a unit's place; `has_pi` of a
    closed form with π. `other` is a second reading: "10K" is ten thousand or ten kelvin.
    """

    number: Numeral
    width: Fraction | None = None
    per: int = 1
    units: tuple[Unit, ...] = ()
    noun: str = ""
    has_pi: bool = False
    other: Quantity | None = None


@lru_cache(maxsize=4096)
def quantity(text: str) -> Quantity | None:
    """Read a text that is one quantity and no more.

    Parameters
    ----------
    text : normalised. Of a chain of equations its last member counts.

    Returns
    -------
    Quantity or None
        None for lists, ranges, ratios, inequalities, formulas with unknowns, other text, and
        more than 4,000 characters. NaN and infinities are none.
    """
    if len(text) > MAX_CHARS:
        return None
    if _PLAIN.fullmatch(text):
        return Quantity(Numeral(Fraction(text)))
    text = last_member(clean(_dollars(text)))
    if not text or _INEQUALITY.search(text):
        return None
    repeating = _REPEATING.fullmatch(text)
    if repeating:
        whole, digits = int(repeating[1] or "0"), repeating[2]
        return Quantity(Numeral(whole + Fraction(int(digits), 10 ** len(digits) - 1)))
    if _LAST_DIGITS.fullmatch(text):
        return None
    hedge = _HEDGE.match(text)
    return _read(text[hedge.end() if hedge else 0 :].strip())


def last_member(text: str) -> str:
    """The last member of a chain of equations, or "" where it names several things."""
    if _CHAIN.search(text):
        if _SEVERAL_EQUATIONS.search(text):
            return ""
        text = _CHAIN.split(text)[-1]
    return text.strip(" \n\t")


def _dollars(text: str) -> str:
    """Math delimiters go, dollars stay: "$5" is money, "$5$" is a formula."""
    text = text.replace("\\$", "¤")
    if text.count("$") % 2:
        text = _BEFORE_SUM.sub(r"\1¤", text, count=1)
        text = _AFTER_SUM.sub("¤", text) if "¤" not in text else text
    return text.replace("$", "")


def _read(text: str) -> Quantity | None:
    text = text.rstrip(" .;,。")
    if len(text) > 1 and text[0] in "({" and text[-1] == {"(": ")", "{": "}"}[text[0]]:
        inner = text[1:-1]
        if not re.search(r"[(){},;]", inner):
            return _read(inner.strip())
    if _DECADE.fullmatch(text) or _PRONOUN.match(text):
        return None
    money = _MONEY.match(text)
    if money:
        return _money(text[money.end() :], money)
    percent = text.startswith("百分之")
    start = 3 if percent else 0
    found = _with_width(text, start)
    if found:
        number, width, end = found
        read = _with_tail(Quantity(number, width), text, end)
        if read:
            return replace(read, per=100) if percent else read
        several = compound(text)
        if several:
            return Quantity(Numeral(several[0]), units=(several[1],))
    return _closed(text)


def _money(text: str, sign: re.Match[str]) -> Quantity | None:
    """A sum with its currency in front, read as if it stood behind."""
    text = _LARGE.sub(lambda m: f" {_GLUED_WORDS[m.group()]}", text, count=1)
    found = numeral(text)
    if found is None:
        return None
    name = sign.group(2) or sign.group(3) or "rupee"
    return _read(f"{sign.group(1)}{text[: found[1]]} {name} {text[found[1] :]}".strip())


def _with_width(text: str, start: int) -> tuple[Numeral, Fraction | None, int] | None:
    """ "5", "5 ± 0.2" and "(5 ± 0.2) × 10^3"."""
    bracket = re.compile(r"\(\s*").match(text, start)
    found = numeral(text, bracket.end() if bracket else start)
    if not found:
        return None
    number, end = found
    sign = _WIDTH.match(text, end)
    width = numeral(text, sign.end()) if sign else None
    if sign and not width:
        return None
    half = width[0].value if width else None
    end = width[1] if width else end
    if bracket:
        closing = re.compile(r"\s*\)").match(text, end)
        if not closing or half is None:
            return None
        end = closing.end()
        scale = times_ten(text, end)
        if scale:
            number, half, end = number.times(scale[0]), half * scale[0].value, scale[1]
    return number, half, end


def _with_tail(read: Quantity, text: str, end: int) -> Quantity | None:
    tail = text[end:]
    percent = _PERCENT.match(tail)
    if percent:
        rest = tail[percent.end() :].strip()
        per = 100 if percent.group(1) else 1000 if percent.group(2) else 10**6
        if _COMPARED.match(rest):
            return None
        return replace(read, per=per) if not rest or is_noun(rest) else None
    if _COMPOUND_WORD.match(tail):
        return None
    glued = tail[:1]
    if glued in _GLUED and not tail[1:2].isalpha() and text[end - 1 : end].isdigit():
        large = Quantity(Numeral(read.number.value * _GLUED[glued], read.number.shift))
        rest = tail[1:].strip()
        if glued == "B" or rest:
            return _with_unit(large, rest)
        return replace(large, other=replace(read, units=units(glued)))
    # "5G" is a name.
    if glued.isascii() and glued.isalpha() and (tail == "G" or not units(tail.strip())):
        return None
    return _with_unit(read, re.sub(r"^\s*-\s?(?=[A-Za-z])", "", tail).strip())


def _with_unit(read: Quantity, tail: str) -> Quantity | None:
    if not tail:
        return read
    whole = units(tail[1:-1] if tail[0] == "[" and tail[-1] == "]" else tail)
    if whole:
        return replace(read, units=whole)
    tokens = tail.split(" ")
    for count in range(min(_UNIT_WORDS, len(tokens) - 1), 0, -1):
        rest = " ".join(tokens[count:]).strip()
        if tokens[count - 1] in _ALSO_WORDS or not is_noun(rest):
            continue
        start = units(" ".join(tokens[:count]))
        if start:
            return replace(read, units=start)
    return replace(read, noun=tail) if is_noun(tail) and not _RELATIVE.match(tail) else None


def _closed(text: str) -> Quantity | None:
    """A closed form such as 2π or √3/2, with or without a unit behind it."""
    if not text or _NO_FORMULA.search(text) or (_RANGE.fullmatch(text) and not _falls(text)):
        return None
    has_pi = bool(_PI.search(text))
    number = closed_form(text)
    if number is not None:
        return Quantity(Numeral(number), has_pi=has_pi)
    degrees = re.search(r"\s*(?:°|%)$", text)
    if degrees:
        number = closed_form(text[: degrees.start()])
        per = 100 if degrees.group().endswith("%") else 1
        return number if number is None else Quantity(
            Numeral(number), per=per, units=units("°") if per == 1 else ()
        )  # fmt: skip
    for split in list(re.finditer(r"\s+", text))[-4:]:
        unit = units(text[split.end() :])
        if unit and (split.end() - split.start() > 1 or len(text) - split.end() > 1):
            number = closed_form(text[: split.start()])
            return None if number is None else Quantity(Numeral(number), units=unit, has_pi=has_pi)
    return None


def _falls(text: str) -> bool:
    """Whether "10 - 3" is a difference: a range rises and is written without spaces."""
    first, _, second = text.partition(" - ")
    a, b = numeral(first.strip()), numeral(second.strip())
    return bool(a and b and a[1] == len(first.strip()) and a[0].value >= b[0].value)


__all__ = ["Quantity", "last_member", "quantity"]
