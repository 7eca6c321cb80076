"""Days of the calendar, with the name of their month or as in ISO 8601, and times of day."""

from __future__ import annotations

import re

_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = r"(?P<month>[a-z]{3,9})\.?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?[\s-]+{_MONTH},?[\s-]+(?P<year>\d{{4}})",
        rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})",
        r"(?P<year>\d{4})-(?P<number>\d{2})-(?P<day>\d{2})",
        r"(?P<year>\d{4})年(?P<number>\d{1,2})月(?P<day>\d{1,2})日",
    )
)


def date(text: str) -> tuple[int, int, int] | None:
    """Read a text that is one day: "3 May 2020", "May 3rd, 2020", "2020-05-03".

    Returns
    -------
    (year, month, day) or None
        None for forms that are read differently in different countries, such as 03/05/2020.
    """
    if not 8 <= len(text) <= 40:
        return None
    for form in _FORMS:
        match = form.fullmatch(text.strip())
        if not match:
            continue
        groups = match.groupdict()
        month = int(groups["number"]) if groups.get("number") else _month(groups["month"])
        return (int(groups["year"]), month, int(groups["day"])) if month else None
    return None


def _month(name: str) -> int:
    name = "september" if name.lower() == "sept" else name.lower()
    return next(
        (i for i, m in enumerate(_MONTHS, 1) if m == name or (len(name) == 3 and m[:3] == name)), 0
    )


_CLOCK = re.compile(
    r"(?P<hour>[01]?\d|2[0-3])(?:[:.](?P<minute>[0-5]\d))?\s*"
    r"(?:(?P<half>[ap])\.?\s?m\.?|(?P<sharp>o'?\s?clock))?",
    re.IGNORECASE,
)


def clock(text: str) -> tuple[int, int, str] | None:
    """Read a text that is one time of day: "3:05", "3 p.m.", "3 o'clock", "15:05".

    Returns
    -------
    (hour, minute, half) or None
        The half is "a", "p", or "" where it is not said; after noon the hour is less than 12
        where the half is said. None for a bare number.
    """
    match = _CLOCK.fullmatch(text.strip()) if len(text) <= 20 else None
    if not match or not (match["half"] or match["sharp"] or ":" in match.group()):
        return None
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    if half and not 1 <= hour <= 12:
        return None
    half = half or ("p" if hour > 12 else "a" if hour == 0 else "")
    return hour % 12, int(match["minute"] or 0), half


__all__ = ["clock", "date"]
