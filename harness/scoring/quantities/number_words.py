"""Numbers that are written out: English and Chinese, and the words for fractions and magnitudes."""

from __future__ import annotations

import re
from fractions import Fraction

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SMALL = {
    **{word: value for value, word in enumerate(_ONES)},
    **{word: 20 + 10 * place for place, word in enumerate(_TENS)},
    "fourty": 40,
}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_PARTS = {
    **dict.fromkeys(("half", "halves"), 2),
    **dict.fromkeys(("third", "thirds"), 3),
    **dict.fromkeys(("quarter", "quarters", "fourth", "fourths"), 4),
    **dict.fromkeys(("fifth", "fifths"), 5),
    **dict.fromkeys(("sixth", "sixths"), 6),
    **dict.fromkeys(("seventh", "sevenths"), 7),
    **dict.fromkeys(("eighth", "eighths"), 8),
    **dict.fromkeys(("ninth", "ninths"), 9),
    **dict.fromkeys(("tenth", "tenths"), 10),
}
# What a pattern looks for where a number in words may begin: "one" and "a" seldom are one.
WORDS = (
    "(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    "|twenty|thirty|fou?rty|fifty|sixty|seventy|eighty|ninety|zero|half)"
)
MAGNITUDES = {
    "hundred": 10**2,
    "dozen": 12,
    "mn": 10**6,
    "bn": 10**9,
    "k": 10**3,
    **_SCALES,
    **{f"{word}s": value for word, value in _SCALES.items()},
    "百": 10**2,
    "千": 10**3,
    "万": 10**4,
    "萬": 10**4,
    "百万": 10**6,
    "千万": 10**7,
    "亿": 10**8,
    "億": 10**8,
    "十亿": 10**9,
    "万亿": 10**12,
}
_ENGLISH_WORDS = sorted({*_SMALL, *_SCALES, *_PARTS, "hundred", "dozen"}, key=len, reverse=True)
_WORD = rf"(?:{'|'.join(_ENGLISH_WORDS)})"
_ENGLISH = re.compile(
    rf"(?:(?:a|an)\s+(?=hundred|thousand|million|billion|trillion|half|quarter|third|dozen))?{_WORD}\b"
    rf"(?:(?:\s*-\s*|\s+(?:and\s+(?:an?\s+)?)?|\s+(?=point\b)){_WORD}\b"
    rf"|\s+point(?:\s+{_WORD}\b){{1,20}}){{0,20}}",
    re.IGNORECASE,
)
_HALF_OF = re.compile(r"half\s+a\s+(hundred|thousand|million|billion|dozen)\b", re.IGNORECASE)
_CHINESE_DIGITS = dict(zip("零〇一二三四五六七八九", (0, 0, *range(1, 10)), strict=True)) | {
    "两": 2
}
_CHINESE_PLACES = {"十": 10, "百": 100, "千": 1000}
_CHINESE = re.compile(r"[零〇一二三四五六七八九两十百千万亿]{1,24}")


def words(text: str, place: int = 0) -> tuple[Fraction, int] | None:
    """Read a number in words that begins at a place.

    Parameters
    ----------
    text : normalised text.
    place : where the number begins; no sign is read.

    Returns
    -------
    (value, end) or None
        None where no number stands, or where the words do not make up one: "five six".

    Examples
    --------
    >>> words("two hundred and five apples")
    (Fraction(205, 1), 20)
    """
    match = _HALF_OF.match(text, place)
    if match:
        return Fraction(MAGNITUDES[match.group(1).lower()], 2), match.end()
    match = _ENGLISH.match(text, place)
    if match:
        value = _english(match.group().lower())
        return None if value is None else (value, match.end())
    match = _CHINESE.match(text, place)
    if match:
        number = _chinese(match.group())
        return None if number is None else (Fraction(number), match.end())
    return None


def _english(text: str) -> Fraction | None:
    tokens = [t for t in re.split(r"[\s-]+", text) if t not in ("and", "a", "an")]
    if "point" in tokens:
        return _with_point(tokens)
    if tokens[-1] in _PARTS:
        return _with_part(tokens[:-1], _PARTS[tokens[-1]], joined=" and " in text)
    if tokens == ["dozen"]:
        return Fraction(12)
    if tokens[-1] == "dozen":
        count = _integer(tokens[:-1])
        return None if count is None else Fraction(12 * count)
    number = _integer(tokens)
    return None if number is None else Fraction(number)


def _with_point(tokens: list[str]) -> Fraction | None:
    whole, digits = tokens[: tokens.index("point")], tokens[tokens.index("point") + 1 :]
    number = _integer(whole)
    if number is None or not all(_SMALL.get(digit, 10) < 10 for digit in digits):
        return None
    decimals = int("".join(str(_SMALL[digit]) for digit in digits))
    return number + Fraction(decimals, 10 ** len(digits))


def _with_part(tokens: list[str], part: int, *, joined: bool) -> Fraction | None:
    """ "three quarters", "half", "two and a half", "two and three quarters"."""
    if not tokens:
        return Fraction(1, part)
    if not joined:
        count = _integer(tokens)
        return None if count is None else Fraction(count, part)
    if len(tokens) > 1 and _SMALL.get(tokens[-1], part) < part:
        whole = _integer(tokens[:-1])
        return None if whole is None else whole + Fraction(_SMALL[tokens[-1]], part)
    whole = _integer(tokens)
    return None if whole is None else whole + Fraction(1, part)


def _integer(tokens: list[str]) -> int | None:
    total, group, last = 0, 0, ""
    limit = 10**15
    for token in tokens:
        if token in _SMALL:
            value = _SMALL[token]
            fits = not last or last in ("hundred", *_SCALES) or (last == "tens" and 0 < value < 10)
            if not fits:
                return None
            group += value
            last = "tens" if value >= 20 else "ones"
        elif token == "hundred":
            if last in ("hundred", *_SCALES) or group > 99:
                return None
            group = (group or 1) * 100
            last = token
        elif token in _SCALES and _SCALES[token] < limit:
            limit = _SCALES[token]
            total += (group or 1) * limit
            group, last = 0, token
        else:
            return None
    return total + group if last else None


def _chinese(text: str) -> int | None:
    if all(char in _CHINESE_DIGITS for char in text):
        return int("".join(str(_CHINESE_DIGITS[char]) for char in text))
    total, section, digit = 0, 0, -1
    limit = 10**12
    for char in text:
        if char in _CHINESE_DIGITS:
            if digit > 0:
                return None
            digit = _CHINESE_DIGITS[char]
        elif char in _CHINESE_PLACES:
            section += (1 if digit < 1 else digit) * _CHINESE_PLACES[char]
            digit = -1
        else:
            value = 10**4 if char == "万" else 10**8
            if value >= limit or not (section or digit > 0):
                return None
            limit = value
            total += (section + max(digit, 0)) * value
            section, digit = 0, -1
    return total + section + max(digit, 0)


__all__ = ["MAGNITUDES", "WORDS", "words"]
