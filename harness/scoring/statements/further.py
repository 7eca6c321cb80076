"""Further questions that a response goes on to ask itself after it has answered its own."""

from __future__ import annotations

import re

_ASKED = re.compile(
    r"^[ \t]{0,9}(?:[#>*_-]{1,6}[ \t]{0,3})?(?:Question(?:[ \t]{1,3}\d{1,3})?|Q\d{0,3}|Human|User)"
    r"[ \t]{0,3}[*_]{0,3}:", re.MULTILINE,
)  # fmt: skip
RESTATED_CHARS = 200


def further(text: str) -> tuple[int, ...]:
    """Find where a response asks further questions ("Question: …" at the start of a line).

    A model that goes on after its answer often makes up another question and answers that too.
    What stands behind the first of these places is no answer to the question that was put.

    Parameters
    ----------
    text : the spoken part of a response.

    Returns
    -------
    tuple of int
        In rising order; without a line that only blank text precedes, which restates the
        question that was put.
    """
    if ":" not in text:
        return ()
    return tuple(mark.start() for mark in _ASKED.finditer(text) if text[: mark.start()].strip())


__all__ = ["RESTATED_CHARS", "further"]
