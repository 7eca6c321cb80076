"""Directions that stand with a quantity: "30 m north", "5 N upward"."""

from __future__ import annotations

import re

_CHARS = 200
_DIRECTION = re.compile(
    r"(?<![a-z])(?:(north|south)(?:ern|erly|wards?)?[\s-]?)?(east|west)|(?<![a-z])(north|south)"
    r"|\b(counter-?|anti-?)?(clockwise)\b|\b(up|down)(?:wards?|hill)?\b|\b(left|right)(?:wards?)?\b"
    r"|\b(in|out)(?:wards?)\b|\b(into|out\s+of)\b|\b(above|below)\b|\b(for|back)wards?\b"
    r"|\b(toward|away)s?\b|\b(attract|repuls|repel)"
    r"|\b(profit|loss|gain|increase|decrease)d?\b|\b(before|after)\b"
)


def directions(text: str) -> tuple[str, ...]:
    """The directions that a short text names, in their order.

    Parameters
    ----------
    text : a quantity with its unit; of a longer text the first 200 characters.

    Returns
    -------
    tuple of str
        Empty where it names none. Endings do not count: "upward" is "up".

    Examples
    --------
    >>> directions("30 m northward"), directions("5 A anti-clockwise")
    (('north',), ('counter', 'clockwise'))
    """
    if text.isdigit():
        return ()
    named = []
    for match in _DIRECTION.finditer(text[:_CHARS].casefold()):
        words = [word.rstrip("-") for word in match.groups() if word]
        named += [_NAMES.get(word, word) for word in words]
    return tuple(named)


_NAMES = {"anti": "counter", "repuls": "repel"}

__all__ = ["directions"]
