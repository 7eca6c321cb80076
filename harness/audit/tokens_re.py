r"""The tokenizer `re-w`: lower case and ``\w+``, to reproduce what others counted."""

from __future__ import annotations

import re

VERSION = "re-w"
_WORD = re.compile(r"\w+")


def tokens(text: str) -> list[str]:
    r"""The tokens of a lowered text that ``\w+`` finds: letters, digits and ``_`` together.

    It loses combining marks, reads 10³ as one token and a Chinese sentence as another; that is
    what it is for.

    Examples
    --------
    >>> tokens("v_0 = 5kg")
    ['v_0', '5kg']
    """
    # A lone surrogate is no word to `\w`.
    return _WORD.findall(text.lower())


def fold(text: str) -> str:
    """The same text with one space between tokens where it is not ASCII."""
    return text if text.isascii() else " ".join(tokens(text))


__all__ = ["VERSION", "fold", "tokens"]
