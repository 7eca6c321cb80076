"""Golds held against themselves, before any model is asked."""

from __future__ import annotations

from harness.errors import DataError
from harness.scoring.policies.default import default
from harness.scoring.policy import Item
from harness.types import Example


def gold_fault(example: Example) -> str:
    """Say why an example's own gold would not be scored as right, or "".

    Parameters
    ----------
    example : any; its gold is read from an answer block, as a model would give it.

    Returns
    -------
    str
        "" for a gold that matches itself.
    """
    item = Item(kind=example.kind, gold=example.gold, choices=example.choices, exact=example.exact)
    try:
        grade = default(item, f"<answer>{example.gold}</answer>")
    except DataError as error:
        return str(error)
    if grade.outcome == "answered" and grade.correct:
        return ""
    how = f" ({grade.compared})" if grade.compared else f" ({grade.answer.rule})"
    return (
        f"expected the gold {example.gold!r:.80} to be scored as right when a model gives it, "
        f"found {grade.outcome} with answer {grade.answer.value!r:.80}{how}"
    )


__all__ = ["gold_fault"]
