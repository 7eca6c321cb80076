"""Untrusted text inside a Markdown document."""

from __future__ import annotations

import re
import unicodedata

_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_MARKS = re.compile(r"[\\`*_{}\[\]|~#!$]")
_LIST_MARK = re.compile(r"^(\d*)([-+.)])(?=\s|$)")
_BREAKS = re.compile(r"[ \t]*(?:\r\n|[\n\r\x0b\x0c\x85\u2028\u2029])[ \t]*")


def inline(text: str) -> str:
    """Text for a table cell or a list entry: it can add no markup, link, row or line.

    Line breaks become ``<br>``; control, direction-changing and unpaired surrogate
    characters are named by code point, so that they are seen and have no effect.

    Examples
    --------
    >>> inline("a|b" + chr(10) + "<script>")
    'a\\\\|b<br>&lt;script&gt;'
    """
    lines = (_MARKS.sub(r"\\\g<0>", _visible(line)) for line in _BREAKS.split(text.strip()))
    lines = (_LIST_MARK.sub(r"\1\\\2", line) for line in lines)
    return "<br>".join("".join(_HTML.get(c, c) for c in line) for line in lines)


def _visible(line: str) -> str:
    return "".join(_named(c) for c in line)


def _named(character: str) -> str:
    if character == "\t":
        return " "
    if unicodedata.category(character) in ("Cc", "Cf", "Cs"):
        return f"<U+{ord(character):04X}>"
    return character


def table(heads: list[str], rows: list[list[str]]) -> list[str]:
    """The lines of a Markdown table; heads and cells are escaped already."""
    return [
        "| " + " | ".join(heads) + " |",
        "|" + " --- |" * len(heads),
        *("| " + " | ".join(row) + " |" for row in rows),
        "",
    ]


__all__ = ["inline", "table"]
