"""What a comparison of an answer with a gold comes to."""

from __future__ import annotations

from dataclasses import dataclass

OTHER_SYMBOLS = "other symbols"  # the rule of formulas that differ in names alone


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether two answers are equal, and by which rule.

    `equal` is None where that cannot be decided (too large, too slow, not readable); such an
    answer goes to review.
    """

    equal: bool | None
    rule: str


__all__ = ["OTHER_SYMBOLS", "Comparison"]
