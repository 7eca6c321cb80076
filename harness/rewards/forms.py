r"""The form that an answer is given in: in a box, between tags or in a sentence."""

from __future__ import annotations

import re

from harness.scoring.policies.physics_match import extract_boxed

AS_WRITTEN, BOXED, TAGGED, STATED = "as written", "boxed", "tagged", "stated"
FORMS = (AS_WRITTEN, BOXED, TAGGED, STATED)
_BOX = "\\boxed{"
_BLOCK = re.compile(r"<answer>((?:(?!</?answer>).)*+)</answer>", re.DOTALL | re.IGNORECASE)


def in_form(text: str, form: str) -> str:
    r"""Give the same response with its final answer in another form.

    Parameters
    ----------
    text : a response. Its final answer is what the last closed `\boxed{…}` or `<answer>…</answer>`
        holds, whichever ends later.
    form : one of `FORMS`; "boxed" is `\boxed{X}`, "tagged" `<answer>X</answer>`, and "stated" the
        sentence "The final answer is X."

    Returns
    -------
    str
        The text with the later of the two put into the form, all else as it stands; the text
        itself where it has neither, where that is empty, and for "as written".

    Raises
    ------
    ValueError
        For a form that is not known.

    Examples
    --------
    >>> in_form("Half. <answer>3 m</answer>", "boxed")
    'Half. \\boxed{3 m}'
    >>> in_form("So C", "boxed")
    'So C'
    """
    if form not in FORMS:
        raise ValueError(f"in_form: expected one of {', '.join(FORMS)}, found {form!r}")
    found = None if form == AS_WRITTEN else _answer(text)
    if found is None:
        return text
    start, end, value = found
    made = {
        BOXED: f"{_BOX}{value}}}",
        TAGGED: f"<answer>{value}</answer>",
        STATED: f"The final answer is {value}.",
    }[form]
    return text[:start] + made + text[end:]


def _answer(text: str) -> tuple[int, int, str] | None:
    """Start and end of the final answer with what carries it, and the answer; None without one."""
    block = max(_BLOCK.finditer(text), key=lambda m: m.end(), default=None)
    found = None if block is None else (block.start(), block.end(), block[1].strip())
    box = extract_boxed(text)
    if box:
        start, end = _last_box(text)
        if found is None or end > found[1]:
            found = start, end, box
    return found if found is not None and found[2] else None


def _last_box(text: str) -> tuple[int, int]:
    """Start and end of the last closed outermost box, which must be there."""
    at, found = text.find(_BOX), (0, 0)
    while at >= 0:
        end, depth = at + len(_BOX), 1
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        if depth:
            break
        found = at, end
        at = text.find(_BOX, end)
    return found


__all__ = ["AS_WRITTEN", "BOXED", "FORMS", "STATED", "TAGGED", "in_form"]
