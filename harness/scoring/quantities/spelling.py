"""One spelling for the signs, spaces, powers and macros of short LaTeX and Unicode formulas."""

from __future__ import annotations

import re

_SIMPLE = re.compile(r"[\w.,%' -]*")
_WRAPPED = re.compile(
    r"\\(?:text|textbf|textit|textrm|textsf|mathrm|mathbf|mathit|mathsf|operatorname|rm|mbox|unit)"
    r"\*?\s*\{([^{}]*)\}"
)
_MACRO = re.compile(r"\\(?:([A-Za-z]+)|([,;:!> %‰]))")
_MACROS = {
    **dict.fromkeys(("left", "right", "displaystyle", "limits", "big", "bigl", "bigr"), ""),
    **dict.fromkeys(("dfrac", "tfrac", "cfrac"), "\\frac"),
    **dict.fromkeys(("rm", "quad", "qquad"), " "),
    **dict.fromkeys(("times", "cdot", "ast", "bullet"), "×"),
    **dict.fromkeys(("circ", "degree", "deg"), "°"),
    **dict.fromkeys(("approx", "simeq", "sim", "cong"), "≈"),
    "pm": "±",
    "infty": "∞",
    "div": "/",
    "mu": "μ",
    "Omega": "Ω",
    "permil": "‰",
    "AA": "Å",
}
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("✕✖∙⋅·•", "×"),
        **dict.fromkeys("≃≅∼", "≈"),
        **dict.fromkeys("º˚", "°"),
        **dict.fromkeys("÷⁄∕", "/"),
        "−": "-",
    }
)
_RAISED = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_DASH = re.compile(r"[–—](?=\s?[\d.\\])")
_POWER_STARS = re.compile(r"\*\*(?=\s?[{(+-]?\d)")
_STARS = re.compile(r"\*{1,2}")
_DEGREE = re.compile(r"\s*\^\s*\{?\s*°\s*\}?")
_POWER = re.compile(r"\^\s*\{\s*([+-]?\d+(?:/\d+)?)\s*\}")
_COMMA = re.compile(r"(?<=\d)\s*\{\s*,\s*\}\s*(?=\d)")
_TEXT_COMMA = re.compile(r"(?<=\d)\\(?:text|mathrm|mathord)\{,\}(?=\d)")
_TEN = re.compile(r"×\s*\{\s*10\s*\}")
_LETTER_TIMES = re.compile(r"(?<=[\d)])\s*[xX]\s*(?=10\s*\^)")
_IN_WORDS = re.compile(r"\s+to\s+the\s+power\s+(?:of\s+)?")
_PLUS_MINUS = re.compile(r"\+\s?/\s?-")


def clean(text: str) -> str:
    r"""Bring a short formula to one spelling: "×", "^8", "°", "±", no wrappers of text.

    Parameters
    ----------
    text : normalised text of a short answer; unbounded texts cost linear time.

    Examples
    --------
    >>> clean(r"3.0 \times 10^{8}\ \text{m/s}")
    '3.0 × 10^8  m/s '
    """
    if _SIMPLE.fullmatch(text) and text.isascii() and "power" not in text:
        return text
    if "\\" in text:
        text = _POWER.sub(r"^\1", text.replace("\\\\", "\\").replace("\\!", ""))
        text = _TEXT_COMMA.sub(",", text)
        text = _WRAPPED.sub(r" \1 ", text)
        text = _MACRO.sub(_macro, text)
    if not text.isascii():
        text = _DASH.sub("-", text.translate(_SIGNS))
        text = _RAISED.sub(lambda m: "^" + m.group().translate(_SUPERSCRIPTS), text)
    text = text.replace("~", " ")
    if "*" in text:
        text = _STARS.sub("×", _POWER_STARS.sub("^", text))
    if "^" in text:
        text = _POWER.sub(r"^\1", _DEGREE.sub("°", text))
        text = _LETTER_TIMES.sub("×", text)
    if "{" in text:
        text = _TEN.sub("×10", _COMMA.sub(",", text))
    if "power" in text:
        text = _IN_WORDS.sub("^", text)
    return _PLUS_MINUS.sub("±", text) if "/" in text else text


def _macro(match: re.Match[str]) -> str:
    name = match.group(1)
    if name:
        return _MACROS.get(name, match.group())
    return match.group(2) if match.group(2) in "%‰" else " "


__all__ = ["clean"]
