"""What a family of questions makes, and wrong answers that look like the right one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.data.mini_r1.draws import Draws
from harness.data.mini_r1.figure import Figure
from harness.types import Kind

N_WRONG = 4
JUNIOR, HIGH, COLLEGE, SOCIAL = "junior high school", "high school", "college", "social test"


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One question with its picture; `wrong` holds four answers, all different.

    `evidence` is one sentence that says what in the picture decides.
    """

    question: str
    answer: str
    wrong: tuple[str, ...]
    evidence: str
    figure: Figure


@dataclass(frozen=True, kw_only=True, slots=True)
class Family:
    """A kind of question. `free` is the answer's kind where it can be asked without choices.

    `exact` asks a free number to match exactly, for counts and readings that are integers.
    """

    name: str
    category: str
    level: str
    make: Callable[[Draws], Problem]
    free: Kind | None = None
    exact: bool = False


def spread(
    draws: Draws, answer: int, step: int, show: Callable[[int], str] = str, lowest: int = 0
) -> tuple[str, ...]:
    """Four wrong numbers that make an evenly spaced row with the right one.

    The right number's place in the row is drawn, so the row alone does not tell it; only
    near `lowest`, below which no number is given, are some places ruled out.
    """
    rank = draws.between(0, min(N_WRONG, (answer - lowest) // step))
    row = (answer + step * (i - rank) for i in range(N_WRONG + 1))
    return tuple(show(value) for value in row if value != answer)


def others(draws: Draws, answer: str, pool: Sequence[str]) -> tuple[str, ...]:
    """Four drawn members of a pool that are not the answer; the pool holds at least five."""
    left = [value for value in dict.fromkeys(pool) if value != answer]
    return tuple(draws.sample(left, N_WRONG))


def unit(name: str) -> Callable[[int], str]:
    """How a whole number of a unit is written."""
    return lambda value: f"{minus(value)} {name}"


def minus(value: int) -> str:
    """An integer with a true minus sign."""
    return str(value).replace("-", "−")


__all__ = [
    "COLLEGE",
    "HIGH",
    "JUNIOR",
    "N_WRONG",
    "SOCIAL",
    "Family",
    "Problem",
    "minus",
    "others",
    "spread",
    "unit",
]
