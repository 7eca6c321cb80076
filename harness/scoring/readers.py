"""Which reader and which comparison belong to a kind of example."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from harness.errors import DataError
from harness.scoring.comparison import Comparison
from harness.scoring.free import parts, symbolic, wording
from harness.scoring.free.expression import expression
from harness.scoring.letters.choice import choice
from harness.scoring.letters.preference import preference
from harness.scoring.letters.yesno import yesno
from harness.scoring.policy import Item
from harness.scoring.quantities import number
from harness.types import Answer

_FREE = ("number", "expression", "text")
KINDS = ("choice", "yesno", "preference", *_FREE)


def read(kind: str, text: str, choices: tuple[str, ...]) -> Answer:
    """Read the answer that a response gives to a question of a kind.

    Raises
    ------
    DataError
        For a kind without a reader, and for choices that cannot have letters.
    """
    match kind:
        case "choice":
            return choice(text, choices)
        case "yesno":
            return yesno(text)
        case "preference":
            return preference(text)
        case "number":
            return number.number(text)
        case "expression":
            return expression(text)
        case "text":
            return wording.wording(text)
    raise DataError(f"no reader for examples of kind {kind!r}: expected one of {', '.join(KINDS)}")


def read_item(item: Item, text: str) -> Answer:
    """Read a response as its item asks: in labelled parts where the gold has them."""
    labels = _labels(item)
    return parts.parts(text, labels) if labels else read(item.kind, text, item.choices)


def compare(item: Item, answer: str) -> Comparison:
    """Hold an answer that was read against the item's gold."""
    if item.kind not in _FREE:
        return Comparison(answer == item.gold, "same")
    if _labels(item):
        return parts.compare(answer, item.gold, _of_kind(item))
    return _of_kind(item)(answer, item.gold)


def _labels(item: Item) -> tuple[str, ...]:
    if not isinstance(item.gold, str):
        raise DataError(f"a gold of kind {item.kind!r} must be text, found {item.gold!r:.40}")
    found = parts.split(item.gold) if item.kind in _FREE else None
    return tuple(label for label, _ in found or ())


def _of_kind(item: Item) -> Callable[[str, str], Comparison]:
    match item.kind:
        case "number":
            return partial(number.compare, exact=item.exact)
        case "expression":
            return partial(symbolic.compare, exact=item.exact)
    return wording.compare


__all__ = ["KINDS", "compare", "read", "read_item"]
