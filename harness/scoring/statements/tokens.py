"""Tokens of chat templates that a model prints around its response."""

from __future__ import annotations

import re

from harness.scoring.statements.text import Copy

_TOKEN = re.compile(
    r"<\|[a-z_0-9]{1,30}\|>|<(?:start|end)_of_(?:turn|text)>|<(?:bos|eos|pad)>|\[/?INST\]"
    r"|\A\s{0,9}<s>|</s>(?=\s{0,9}(?:\Z|<))",
    re.IGNORECASE,
)


def untokened(copy: Copy) -> Copy:
    """Drop the tokens that mark turns and ends: `</s>`, `<|im_end|>`, `[/INST]`.

    A closing `</s>` counts only at the end of the text or before another tag; elsewhere it may
    close a passage that is struck out.
    """
    text = copy.text
    if "<|" not in text and "_of_t" not in text and not _may_hold(text):
        return copy
    found = [match.span() for match in _TOKEN.finditer(text)]
    if not found:
        return copy
    starts, ends = (0, *(end for _, end in found)), (*(start for start, _ in found), len(text))
    return copy.keep(zip(starts, ends, strict=True))


def _may_hold(text: str) -> bool:
    return "s>" in text or "INST]" in text or "pad>" in text or "S>" in text


__all__ = ["untokened"]
