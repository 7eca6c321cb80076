"""Quantities in several units: "5 min 30 s", "6 ft 2 in"."""

from __future__ import annotations

import re
from fractions import Fraction

from harness.scoring.quantities.units import Unit, converted, units

_PART = re.compile(
    r"\s*(?:,|and\b)?\s*(\d{1,12}(?:\.\d{1,12})?)\s*-?\s*([A-Za-z]{1,10}|[\u4e00-\u9fff]{1,2})\.?(?=[\s,\d]|$)"
)
_ARC = re.compile(
    r"(\d{1,6})\s*°\s*(\d{1,2}(?:\.\d{1,9})?)\s*['′](?:\s*(\d{1,2}(?:\.\d{1,9})?)\s*(?:[\"″]|''))?"
)
_MAX_PARTS = 4


def compound(text: str) -> tuple[Fraction, Unit] | None:
    """Read a sum of falling units of one dimension, in the first of them.

    Returns
    -------
    (value, unit) or None
        None for one part, for other text, and for units that do not fall or do not convert.

    Examples
    --------
    >>> value, unit = compound("5 min 30 s")
    >>> value
    Fraction(11, 2)
    """
    arc = _ARC.fullmatch(text)
    if arc:
        degrees, minutes, seconds = (Fraction(part or 0) for part in arc.groups())
        return degrees + minutes / 60 + seconds / 3600, units("°")[0]
    place, total = 0, Fraction(0)
    first: Unit | None = None
    last = Fraction(0)
    for n in range(_MAX_PARTS + 1):
        if place == len(text):
            return (total, first) if first and n > 1 else None
        part = _PART.match(text, place)
        found = units(part.group(2)) if part else ()
        if not part or not found:
            return None
        first = first or found[0]
        one = converted(Fraction(1), found[0], first, interval=True)
        if one is None or (n and one >= last):
            return None
        total, last, place = total + one * Fraction(part.group(1)), one, part.end()
    return None


__all__ = ["compound"]
