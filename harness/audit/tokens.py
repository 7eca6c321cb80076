"""The tokenizer `unicode-v1`: one text, one list of tokens, however it was typeset or encoded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from harness.audit import tokens_re
from harness.audit.latex import without_commands
from harness.errors import DataError

VERSION = "unicode-v1"
# Words of Thai and its neighbours have no spaces between them, nor have those of Han and kana.
_SINGLE = (
    *((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19FF), (0x1A20, 0x1AAF)),
    *((0xA9E0, 0xA9FF), (0xAA60, 0xAADF), (0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029)),
    *((0x3031, 0x3035), (0x3038, 0x303C), (0x3041, 0x3096), (0x309B, 0x30FA), (0x30FC, 0x312F)),
    *((0x31A0, 0x31BF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF)),
    *((0xFF66, 0xFF9F), (0x16FE0, 0x18DFF), (0x1AFF0, 0x1B2FF), (0x20000, 0x3FFFF)),
)
_IGNORED = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060\u2065-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_IMAGE = re.compile(
    r"""!\[[^\][]*\]\([^()\s]*(?:\s+"[^"]*")?\)             # ![alt](file "title")
    | <img\b[^<>]*>
    | </?\|?/?(?:(?:start|end|begin)_of_)?(?:images?|img|picture|vision|video)
      (?:[\s_-]*(?:\d+|pad|start|end|context|soft|token|placeholder|here))*\s*\|?/?>
    | \[(?:images?|img)(?:[\s_-]*(?:\d+|placeholder|here))*\]
    """,
    re.VERBOSE | re.IGNORECASE,
)
# What NFKC would weld to its neighbours: 10³ is not 103, nor 1½ 11/2.
_APART = ("<super>", "<sub>", "<fraction>", "<circle>", "<square>")
_RUNS = re.compile("[\x00-\x7f]+|[^\x00-\x7f]+")
_STRAY = re.compile("(?:(?<=[\x00-\x20\x30-\x39])|^)(?:\x01.)+", re.DOTALL)
_WORD = re.compile("[a-z\x80-\U0010ffff]+|[0-9]+")
_CACHED, _CACHED_LENGTH = 1 << 15, 32


@dataclass(frozen=True)
class Tokenizer:
    """A named way from texts to tokens: what to rewrite, and which bytes then make a token.

    Parameters
    ----------
    name : its version, as manifests print it.
    fold : a text to a string in which a token is a longest run of bytes (UTF-8, ASCII letters
        lowered) of one class.
    letters, digits : the bytes of either class. All other bytes separate.
    """

    name: str
    fold: Callable[[str], str]
    letters: bytes
    digits: bytes


class _Folded(dict[int, str]):
    """A character (NFKC, case-folded) to itself, a digit, a space, or itself set apart."""

    def __missing__(self, code: int) -> str:
        self[code] = value = _folded(chr(code))
        return value


def _folded(char: str) -> str:
    code, category = ord(char), unicodedata.category(char)
    if code < 0x80:
        return char if char.isalnum() else " "
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category[0] in "LMN" and any(low <= code <= high for low, high in _SINGLE):
        return f" {char} "
    # U+20D0 to U+20F0 dress symbols: an arrow over a vector is what \vec is. U+02BC is typed
    # for an apostrophe.
    if category[0] in "LN":
        return " " if code == 0x02BC else char
    if category[0] == "M":
        return "" if 0x20D0 <= code <= 0x20F0 else f"\x01{char}"
    return " "


_TABLE = _Folded()


def fold(text: str) -> str:
    """Rewrite a text so that tokens are runs of ASCII letters and all else beyond ASCII, or digits.

    LaTeX to what it typesets, image placeholders to nothing, superscripts and the like set
    apart, NFKC, case folding, NFKC; Default_Ignorable characters deleted (the invisible
    operators U+2061 to U+2064 become spaces); digits of any script to 0–9; a combining mark
    stays with the word that it is part of and is deleted elsewhere; a character of Han, kana,
    Thai, Lao, Burmese or Khmer stands alone; whatever else is no letter becomes a space. ASCII
    letters keep their case.

    Parameters
    ----------
    text : any string, lone surrogates and NUL included: they separate.
    """
    if "\\" in text:
        text = without_commands(text)
    if "<" in text or "[" in text:
        text = _IMAGE.sub(" ", text)
    if text.isascii():
        return text
    parts = _RUNS.findall(text)
    for k in range(text[0] < "\x80", len(parts), 2):
        run = parts[k]
        if k:
            # With the character before, which a mark may belong to.
            run = parts[k - 1][-1] + run
            parts[k - 1] = parts[k - 1][:-1]
        parts[k] = _cached(run) if len(run) <= _CACHED_LENGTH else _fold_all(run)
    return "".join(parts)


def _fold_all(run: str) -> str:
    """One run beyond ASCII with the character before it, which its marks may belong to."""
    apart = _set_apart(_IGNORED.sub("", run))
    folded = unicodedata.normalize("NFKC", apart).casefold()
    folded = _IGNORED.sub("", unicodedata.normalize("NFKC", folded))
    spread = folded.translate(_TABLE)
    return _STRAY.sub("", spread).replace("\x01", "") if "\x01" in spread else spread


_cached = lru_cache(_CACHED)(_fold_all)


def _set_apart(run: str) -> str:
    parts, last = [], ""
    for char in run:
        kind = unicodedata.decomposition(char).partition(" ")[0] if char > "\x7f" else ""
        kind = kind if kind in _APART else ""
        if kind != last or kind in ("<fraction>", "<circle>", "<square>"):
            parts.append(" ")
        parts.append(char)
        last = kind
    return "".join([*parts, " "] if last else parts)


UNICODE = Tokenizer(
    VERSION, fold, bytes(range(0x61, 0x7B)) + bytes(range(0x80, 0x100)), b"0123456789"
)
RE_W = Tokenizer(
    tokens_re.VERSION,
    tokens_re.fold,
    b"0123456789_" + bytes(range(0x61, 0x7B)) + bytes(range(0x80, 0x100)),
    b"",
)
_TOKENIZERS = {one.name: one for one in (UNICODE, RE_W)}


def tokenizer(name: str) -> Tokenizer:
    """The tokenizer of a name.

    Raises
    ------
    DataError
        For a name that is none of `unicode-v1` and `re-w`.
    """
    if name not in _TOKENIZERS:
        raise DataError(
            f"tokenizer: expected one of {', '.join(_TOKENIZERS)}, found {name!r}; "
            "see docs/contamination.md"
        )
    return _TOKENIZERS[name]


def tokens(text: str, name: str = VERSION) -> list[str]:
    """The tokens of a text, in order.

    Parameters
    ----------
    text : any string.
    name : `unicode-v1`, or `re-w` (lower case and ``\\w+``, to reproduce others' figures).

    Returns
    -------
    list of str
        Empty for a text without any letter or digit.

    Raises
    ------
    DataError
        For an unknown tokenizer.

    Notes
    -----
    The tables are those of `unicodedata.unidata_version`, which belongs into a manifest.

    Examples
    --------
    >>> tokens("A block's mass is 5kg, v₀ = 10³ m/s")
    ['a', 'block', 's', 'mass', 'is', '5', 'kg', 'v', '0', '10', '3', 'm', 's']
    """
    chosen = tokenizer(name)
    if chosen is RE_W:
        return tokens_re.tokens(text)
    # Bytes are lowered, as `str.lower` would undo the case folding of some alphabets.
    return _WORD.findall(chosen.fold(text).encode().lower().decode())


__all__ = ["RE_W", "UNICODE", "VERSION", "Tokenizer", "fold", "tokenizer", "tokens"]
