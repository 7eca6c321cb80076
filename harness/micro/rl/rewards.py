"""Rewards of the embedded model's replies: right or not, and with a pay for form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from harness.micro.world import COLORS, COLUMNS, ROWS, SHAPES
from harness.rewards.rollouts import Rollout, rewarded
from harness.scoring.policy import Item
from harness.scoring.reward import DIMENSION, SYMBOLIC

_THING = re.compile(
    rf"(?:{'|'.join(COLORS)}) (?:{'|'.join(SHAPES)}) "
    rf"(?:{'|'.join(ROWS)}) (?:{'|'.join(COLUMNS)})"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """What one reply is worth.

    Attributes
    ----------
    right : the last `<answer>` block holds the answer, by MATCH of Physics-R1.
    fmt : 0.10 for a closed block that is not empty.
    places : 0.15 where the words before it name things, all with a colour, shape and place that
        exist; it stands for the published pay for known units.
    listing : 0.20 where they name at least two; it stands for the published pay for a fraction.
    """

    right: bool
    fmt: float
    places: float
    listing: float

    @property
    def binary(self) -> float:
        """1.0 for a right answer, else 0.0."""
        return float(self.right)

    @property
    def form(self) -> float:
        """What is paid whether the answer is right or not, 0 to 0.45."""
        return self.fmt + self.places + self.listing

    @property
    def dense(self) -> float:
        """Answer and form together, clipped to at most 1: a right answer earns no more by form."""
        return min(1.0, self.binary + self.form)


def marks(replies: Sequence[str], answers: Sequence[str]) -> list[Mark]:
    """Mark replies.

    Parameters
    ----------
    replies, answers : texts, one answer for each reply.

    Examples
    --------
    >>> found = marks(["red cross top left. <answer>blue</answer>", "blue"], ["blue", "blue"])
    >>> [(m.binary, round(m.dense, 2)) for m in found]
    [(1.0, 1.0), (0.0, 0.0)]
    """
    rollouts = [
        Rollout(group="one", item=Item(kind="expression", gold=answer), text=reply)
        for reply, answer in zip(replies, answers, strict=True)
    ]
    made = []
    for reply, found in zip(replies, rewarded(rollouts, form="boxed"), strict=True):
        things = [part.strip(" .") for part in reply.split("<answer>")[0].split(",")]
        known = all(_THING.fullmatch(thing) for thing in things)
        made.append(
            Mark(
                right=found.right,
                fmt=found.parts.fmt,
                places=DIMENSION if known else 0.0,
                listing=SYMBOLIC if known and len(things) > 1 else 0.0,
            )
        )
    return made


__all__ = ["Mark", "marks"]
