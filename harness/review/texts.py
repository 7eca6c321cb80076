"""Untrusted text for a spreadsheet: made visible, cut, guarded, and compared again later."""

from __future__ import annotations

import re
import unicodedata

MOST_CHARS = 30_000
_HEAD_CHARS = 10_000
_GUARD = "'"
_FORMULA = "=+-@"
# A file opened with the wrong separator begins new cells inside of a text, and drops quotes there.
_INNER = re.compile(r"([\n;,\t|]\"*)(?=[=@]|[+\-][^\s\d.])")
_GUARDS = re.compile(r"^[\s']+|(?<=[\n;,\t|])(\"*)'+(?=[=+\-@])")
_BREAKS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_TYPED_CHARS = 40
_CONSTANTS = ("TRUE", "FALSE")


def visible(text: str) -> str:
    """Name what cannot be seen, so that any text can be shown, stored and copied.

    Parameters
    ----------
    text : anything, with control characters and unpaired surrogates.

    Returns
    -------
    str
        Line breaks of every kind as U+000A; control (but tab), format (zero-width,
        direction-changing) and surrogate characters as ``<U+XXXX>``. Valid UTF-8 when encoded.

    Examples
    --------
    >>> visible("a" + chr(0) + chr(13) + "b" + chr(0xD800))
    'a<U+0000>\\nb<U+D800>'
    """
    lines = _BREAKS.sub("\n", text)
    if lines.isascii() and lines.isprintable():
        return lines
    return "".join(_named(character) for character in lines)


def _named(character: str) -> str:
    hidden = unicodedata.category(character) in ("Cc", "Cf", "Cs") and character not in "\n\t"
    return f"<U+{ord(character):04X}>" if hidden else character


def shortened(text: str) -> str:
    """Cut the middle out of a text that is too long for a cell of a spreadsheet.

    Parameters
    ----------
    text : of any length.

    Returns
    -------
    str
        The text itself up to 30,000 characters; otherwise its first 10,000, a mark that says
        how many are left out, and its end, 30,000 characters and the mark in all; half
        of these numbers where some lie beyond U+FFFF.

    Examples
    --------
    >>> shortened("a" * 40_000)[9_998:10_051]
    'aa\\n[… 10000 of 40000 characters are left out here …]\\n'
    """
    # Spreadsheet programs count characters beyond U+FFFF twice.
    half = len(text) > MOST_CHARS // 2 and max(text) > "\uffff"
    head, most = (n // 2 if half else n for n in (_HEAD_CHARS, MOST_CHARS))
    left_out = len(text) - most
    if left_out <= 0:
        return text
    mark = f"\n[… {left_out} of {len(text)} characters are left out here …]\n"
    return f"{text[:head]}{mark}{text[left_out + head :]}"


def guarded(text: str) -> str:
    """Write a text so that no spreadsheet program runs or rewrites it.

    An apostrophe goes before a text that begins with = + - @ (also full-width), a space, a line
    break, a tab or an apostrophe, before a short one with a digit, TRUE or FALSE (kept from
    becoming a number or a date), and inside before what would begin a formula if the file
    were split at another separator.

    Parameters
    ----------
    text : as `visible` gives it.

    Examples
    --------
    >>> guarded("=1+1"), guarded("1/2"), guarded("no change"), guarded("a;=b()")
    ("'=1+1", "'1/2", 'no change', "a;'=b()")
    """
    inner = _INNER.sub(rf"\1{_GUARD}", text)
    return _GUARD + inner if _is_risky(text) else inner


def _is_risky(text: str) -> bool:
    if not text:
        return False
    first = unicodedata.normalize("NFKC", text[0])[:1]
    if first in _FORMULA or first == _GUARD or first.isspace():
        return True
    # Neither a number nor a date has an underscore; names of conditions and rules do.
    typed = len(text) <= _TYPED_CHARS and "_" not in text and any(c.isdigit() for c in text)
    return typed or text.strip().upper() in _CONSTANTS


def canonical(text: str) -> str:
    """What is left of a cell when guards and a spreadsheet's own changes are taken away.

    Two cells are the same text where this is equal: line breaks of any kind, space round the
    text, and apostrophes where a guard may stand make no difference.

    Parameters
    ----------
    text : of a cell, as it was written or as a program saved it.

    Examples
    --------
    >>> canonical("'=1+1" + chr(13)) == canonical(guarded("=1+1")) == "=1+1"
    True
    """
    return _GUARDS.sub(r"\1", visible(text)).rstrip()


__all__ = ["MOST_CHARS", "canonical", "guarded", "shortened", "visible"]
