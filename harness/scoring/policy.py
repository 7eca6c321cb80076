"""What a scoring policy is: from an item and a response's text to a grade."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.types import Answer, Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """What a scorer may know of an example.

    `kind` is that of `Example`; `choices` are texts, A first; `exact` asks numbers to match
    exactly instead of within 1 %.
    """

    kind: str
    gold: str
    choices: tuple[str, ...] = ()
    exact: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Grade:
    """A policy's judgement of one text.

    `correct` may be True only where the outcome is `answered`; `counted` False leaves the row
    out of every denominator; `compared` names how the answer was held against the gold.
    """

    answer: Answer
    outcome: Outcome
    correct: bool
    counted: bool = True
    compared: str = ""


Policy = Callable[[Item, str], Grade]

__all__ = ["Grade", "Item", "Policy"]
