"""Forms of a short text in which two writings of the same choice are equal."""

from __future__ import annotations

import re

from harness.scoring.statements.text import fold

_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺₀₁₂₃₄₅₆₇₈₉", "0123456789-+0123456789")
_POWER = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_INDEX = re.compile(r"[₀₁₂₃₄₅₆₇₈₉]+")
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_GROUP = re.compile(r"([\^_])\{([^{}]*)\}")
_MACROS = {
    "times": "×",
    "cdot": "·",
    "pi": "π",
    "circ": "°",
    "degree": "°",
    "deg": "°",
    "mu": "μ",
    "Omega": "Ω",
    "omega": "ω",
    "alpha": "α",
    "beta": "β",
    "theta": "θ",
    "lambda": "λ",
    "pm": "±",
    "infty": "∞",
    "leq": "≤",
    "geq": "≥",
    "le": "≤",
    "ge": "≥",
    "neq": "≠",
    **dict.fromkeys(
        (
            "text",
            "textbf",
            "textrm",
            "mathrm",
            "mathbf",
            "left",
            "right",
            "big",
            "Big",
            "quad",
            "qquad",
            "displaystyle",
        ),
        "",
    ),
}
_MACRO = re.compile(r"\\+([A-Za-z]+)")
_SIMPLE = re.compile(r"[\w.]+")
_GAP = re.compile(r"(?<!\d)\s+|\s+(?!\d)")
_LOOSE = re.compile(r"[\s(){}\[\]\"',;:!?.\\$|]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_DIGIT = re.compile(r"[0-9]")
_CHARS = 400


def plain(text: str) -> str:
    r"""A short text without what LaTeX and typing add to it.

    >>> plain(r"\frac{1}{2} \text{m}^{2}") == plain("1/2 m²")
    True
    """
    text = text[:_CHARS]
    if not text.isascii():
        text = _POWER.sub(lambda m: "^" + m.group().translate(_POWERS), text)
        text = _INDEX.sub(lambda m: m.group().translate(_POWERS), text)
    if "\\" in text or "{" in text:
        text = _GROUP.sub(r"\1\2", text)
        text = _FRACTION.sub(lambda m: f"{_atom(m.group(1))}/{_atom(m.group(2))}", text)
        text = _MACRO.sub(lambda m: _MACROS.get(m.group(1), m.group(1)), text)
        text = re.sub(r"\\[,;! ]|[\\{}]", "", text)
    if "-" in text:
        text = re.sub(r"-\s+(?=\d)", "-", text)
    if "," in text:
        text = _THOUSANDS.sub("", text)
    if text.isascii():
        return _spaced_out(fold(text)).replace("_", "")
    return _GAP.sub("", fold(text)).replace("^°", "°").replace("_", "").replace("µ", "μ")


def _spaced_out(text: str) -> str:
    """An ASCII text without spaces but those between digits."""
    if " " not in text:
        return text
    return _GAP.sub("", text) if _DIGIT.search(text) else text.replace(" ", "")


def loose(text: str) -> str:
    """`plain` without brackets and punctuation: enough to confirm what a label says already."""
    return _LOOSE.sub("", plain(text))


def words(text: str) -> frozenset[str]:
    """The words of three letters and more, and the numbers."""
    return frozenset(re.findall(r"[^\W\d_]{3,}|\d+(?:\.\d+)?", text[:_CHARS].casefold()))


def _atom(text: str) -> str:
    return text if _SIMPLE.fullmatch(text.strip()) else f"({text})"


__all__ = ["loose", "plain", "words"]
