"""Units of measurement: a small grammar for their spellings, and exact conversion.

`pint` is asked once for the factor of each name of our own list and sees no other text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import isqrt
from typing import TYPE_CHECKING

from harness.scoring.quantities.unit_names import Name, names

if TYPE_CHECKING:
    from pint import UnitRegistry

_MAX_CHARS, _MAX_NAMES, _MAX_POWER, _MAX_READINGS = 60, 8, 12, 4
_PHRASES = tuple(
    (re.compile(pattern, re.IGNORECASE if words else 0), new)
    for pattern, new, words in (
        (r"\\(?:text|mathrm|rm)(?![A-Za-z])", " ", False),
        (r"\\frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}", r"(\1)/(\2)", False),
        (r"[{}]", " ", False),
        (r"μ\s+(?=[A-Za-zΩ])", "μ", False),
        (r"(?<![A-Za-z])([kMG])\s+(?=Ω)", r"\1", False),
        # Masses of particles.
        (r"(?<=eV)\s?/\s?c\s?(\^\s?2)?(?![A-Za-z\d])", r"/lightspeed\1", False),
        (r"(?:degrees?|deg\.?|°)\s*(?:c|celsius|centigrade)(?![A-Za-z])", " celsius ", True),
        (r"(?:degrees?|deg\.?|°)\s*(?:f|fahrenheit)(?![A-Za-z])", " fahrenheit ", True),
        (r"\b(?:ft|foot|feet)[\s·×-]*(?:lbs?|lbf|pounds?)\b|\blbs?[\s·×-]*ft\b",
         " foot_pound ", True),
        (r"\bfl(?:uid)?\.?\s?(?:oz|ounces?)\b", "?", True),
        (r"\blight[\s-]years?\b", " lightyear ", True),
        (r"\b(electron)[\s-]volts?\b", " electronvolt ", True),
        (r"\bnautical miles?\b", " nmi ", True),
        (r"\bUS\$", "$", False),
        (r"(?<![A-Za-z])(k|M|m)?Nm(?![A-Za-z])", r" \1N m ", False),
        (r"(?<![A-Za-z])(J|W|V|N|Pa)(K|m|s)(?![A-Za-z])", r" \1 \2 ", False),
        (r"(?<![A-Za-z])(sq|cu|ft|in|hr|sec|min|lbs?|yd|mi)\.", r"\1 ", False),
    )
)  # fmt: skip
_TOKEN = re.compile(
    r"\s*(?:(?P<name>foot_pound|[°]?[A-Za-zμΩÅ]+|[°℃℉$¤€£¥¢]|[\u4e00-\u9fff]+)"
    r"|(?:\^|\*\*)\s*(?P<power>[+-]?\d{1,2}(?:/2)?|\([+-]?\d{1,2}(?:/2)?\)|\{[+-]?\d{1,2}(?:/2)?\})"
    r"|(?P<glued>(?<=[A-Za-zμΩ])-?[1-9](?![\d.]))|(?P<over>/)|(?P<times>[·×*.⋅-])|(?P<open>\()|(?P<close>\)))\s*"
)
_SQUARE = {"square": 2, "sq": 2, "cubic": 3, "cu": 3, "平方": 2, "立方": 3}
_SQUARED = {"squared": 2, "cubed": 3}
# "ms^-1" is written for "m s^-1" as well as for the inverse of a millisecond.
_PER_SECOND = re.compile(r"(?<![A-Za-z])ms\s?\^?\s?-")
_CHINESE = re.compile(r"平方|立方|每")
# The pounds of answers are masses or forces, as it suits; nothing tells which.
_POUNDS = frozenset({"pound", "ounce", "ton", "stone"})
_ANGLES = frozenset({"radian", "degree", "revolution", "rpm"})
# Not known to pint, or not as an exact fraction: factor and base unit.
_OWN: dict[str, tuple[Fraction, str]] = {
    "dollar": (Fraction(1), "dollar"),
    "cent": (Fraction(1, 100), "dollar"),
    "euro": (Fraction(1), "euro"),
    "sterling": (Fraction(1), "sterling"),
    "yuan": (Fraction(1), "yuan"),
    "yen": (Fraction(1), "yen"),
    "rupee": (Fraction(1), "rupee"),
    "celsius": (Fraction(1), "kelvin"),
    "fahrenheit": (Fraction(5, 9), "kelvin"),
    "gauss": (Fraction(1, 10_000), "tesla"),
}
_ZERO = {"celsius": Fraction("273.15"), "fahrenheit": Fraction("459.67") * Fraction(5, 9)}
_COUNTED = frozenset({"radian", "count"})

Scale = tuple[Fraction, tuple[tuple[str, Fraction], ...]]


@dataclass(frozen=True, slots=True)
class Unit:
    """A product of powers of units: (name in pint, power of ten of its prefix, power), sorted."""

    factors: tuple[tuple[str, int, Fraction], ...]

    @property
    def zero(self) -> Fraction:
        """Where the scale of a temperature begins, in kelvin; 0 for all else."""
        if len(self.factors) == 1 and self.factors[0][2] == 1:
            return _ZERO.get(self.factors[0][0], Fraction(0))
        return Fraction(0)

    @property
    def weighs(self) -> bool:
        """Whether it names pounds, which may be a mass or a force."""
        return any(name in _POUNDS for name, _, _ in self.factors)

    @property
    def cycles(self) -> bool:
        """Whether it counts cycles, which are 2π of the radians of an angle."""
        return any(name == "hertz" for name, _, _ in self.factors)

    @property
    def angles(self) -> bool:
        return any(name in _ANGLES for name, _, _ in self.factors)

    @property
    def is_degree(self) -> bool:
        return self.factors == (("degree", 0, Fraction(1)),)


@lru_cache(maxsize=4096)
def units(text: str) -> tuple[Unit, ...]:
    """Read a text that is one unit and no more.

    Parameters
    ----------
    text : a cleaned unit: "m/s^2", "kg m^-3", "N·m", "square feet", "米/秒". A product after a
        slash stays below it ("J/kg·K" is J/(kg·K)).

    Returns
    -------
    tuple of Unit
        All that it may mean (at most 4: "C" is coulomb or degree Celsius); empty where it is
        no unit.
    """
    if not text.strip() or len(text) > _MAX_CHARS:
        return ()
    simple = names(text.strip())
    if simple:
        return tuple(Unit(((name, power, Fraction(1)),)) for name, power in simple)
    for pattern, new in _PHRASES:
        text = pattern.sub(new, text)
    found = _factors(_CHINESE.sub(r" \g<0> ", text))
    if not found:
        return ()
    other = _factors(_PER_SECOND.sub("m s^-", text)) if _PER_SECOND.search(text) else []
    choices = list(product(*(readings for readings, _ in found)))[:_MAX_READINGS]
    readings = [_unit(choice, [power for _, power in found]) for choice in choices]
    if other:
        readings.append(_unit(tuple(n[0] for n, _ in other), [power for _, power in other]))
    return tuple(readings)


def _unit(chosen: tuple[Name, ...], powers: list[Fraction]) -> Unit:
    total: dict[Name, Fraction] = {}
    for name, power in zip(chosen, powers, strict=True):
        total[name] = total.get(name, Fraction(0)) + power
    return Unit(tuple(sorted((n, p, power) for (n, p), power in total.items() if power)))


def _factors(text: str) -> list[tuple[tuple[Name, ...], Fraction]]:
    """The units in a text with their powers; empty where anything else stands in it."""
    if re.match(r"\s*1\s*/", text):
        text = text.partition("1")[2]
    found: list[tuple[tuple[Name, ...], Fraction]] = []
    below, ahead, depth, place = False, 1, 0, 0
    while place < len(text):
        token = _TOKEN.match(text, place)
        if not token or len(found) > _MAX_NAMES:
            return []
        place, kind = token.end(), token.lastgroup
        word = token.group("name") or ""
        raised = token.group("power") or token.group("glued")
        if word in _SQUARE or word.lower() in _SQUARE:
            ahead = _SQUARE[word.lower()]
        elif kind == "over" or word in ("per", "每"):
            below = True
        elif raised or word in _SQUARED:
            power = Fraction(raised.strip("(){}")) if raised else Fraction(_SQUARED[word])
            if not found or abs(found[-1][1]) != 1 or abs(power) > _MAX_POWER:
                return []
            found[-1] = (found[-1][0], found[-1][1] * power)
        elif word:
            readings = names(word)
            if not readings:
                return []
            found.append((readings, Fraction(-ahead if below else ahead)))
            ahead = 1
        elif kind in ("open", "close"):
            depth += 1 if kind == "open" else -1
            if depth not in (0, 1):
                return []
    return found if not depth and ahead == 1 else []


def converted(value: Fraction, unit: Unit, to: Unit, *, interval: bool = False) -> Fraction | None:
    """Convert a value, exactly where the factors are exact.

    Parameters
    ----------
    value : in `unit`.
    unit, to : radians and counts are dimensionless, as in SI.
    interval : temperatures are differences, not points of a scale.

    Returns
    -------
    Fraction or None
        None for units of different dimensions.
    """
    if unit == to:
        return value
    (factor, dimension), (other, wanted) = _scale(unit), _scale(to)
    if dimension != wanted:
        return None
    shift, back = (Fraction(0), Fraction(0)) if interval else (unit.zero, to.zero)
    return (value * factor + shift - back) / other


@lru_cache(maxsize=1024)
def _scale(unit: Unit) -> Scale:
    factor = Fraction(1)
    dimension: dict[str, Fraction] = {}
    for name, prefix, power in unit.factors:
        base, parts = _base(name)
        factor *= _power(base * Fraction(10) ** prefix, power)
        for part, exponent in parts:
            dimension[part] = dimension.get(part, Fraction(0)) + exponent * power
    return factor, tuple(sorted((part, power) for part, power in dimension.items() if power))


def _power(base: Fraction, power: Fraction) -> Fraction:
    if power.denominator == 1:
        return base**power.numerator
    whole = base ** abs(power.numerator)
    digits = 10**80
    root = Fraction(isqrt(whole.numerator * digits), isqrt(whole.denominator * digits))
    return root if power > 0 else 1 / root


@lru_cache(maxsize=256)
def _base(name: str) -> Scale:
    if name in _OWN:
        factor, base = _OWN[name]
        if base != "tesla":
            return factor, ((base, Fraction(1)),)
        return factor * _base(base)[0], _base(base)[1]
    quantity = _registry().Quantity(Fraction(1), name).to_base_units()
    parts = dict(quantity.unit_items())
    return Fraction(str(quantity.magnitude)), tuple(
        (str(part), Fraction(str(power)))
        for part, power in sorted(parts.items())
        if part not in _COUNTED
    )


@lru_cache(maxsize=1)
def _registry() -> UnitRegistry[Fraction]:
    import pint

    return pint.UnitRegistry(non_int_type=Fraction)


__all__ = ["Unit", "converted", "units"]
