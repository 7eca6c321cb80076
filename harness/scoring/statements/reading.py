"""What was read at a place of a response."""

from __future__ import annotations

from typing import NamedTuple

from harness.scoring.statements.text import Copy
from harness.types import Answer


class Reading(NamedTuple):
    """What stands at a place: the letter of a choice, or None with the reason in `why`."""

    value: str | None
    start: int
    end: int
    why: str = ""
    until: int = 0  # where the answer's own text or box ends, if later than its label

    @property
    def stop(self) -> int:
        """Where what follows the answer begins."""
        return max(self.end, self.until)


def answered(copy: Copy, reading: Reading | None, rule: str) -> Answer:
    """The answer that a reading of a copy makes, under the rule by which it was read."""
    if reading is None:
        return Answer(value=None, rule=f"{rule}:none")
    if reading.value is None:
        return Answer(value=None, rule=f"{rule}:{reading.why}")
    return Answer(value=reading.value, rule=rule, span=copy.span(reading.start, reading.end))


__all__ = ["Reading", "answered"]
