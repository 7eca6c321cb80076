"""Generated problems for the 2 × 2 design: physics with numbers, each with a near copy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from harness import ids
from harness.types import Example

FLAGGED_TAG = "flagged"  # of an example that the audit found in training data
Numbers = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Template:
    """A problem in two wordings, `{a}` and `{b}` its numbers, and its answer by them."""

    topic: str
    wordings: tuple[str, str]
    low: Numbers
    high: Numbers
    answer: Callable[[int, int], Decimal]
    unit: str


def _ratio(a: int, b: int, scale: int = 1) -> Decimal:
    return (Decimal(a * scale) / Decimal(b)).quantize(Decimal("0.01"))


TEMPLATES = (
    _Template(
        "speed",
        (
            "A cart covers {a} m in {b} s at constant speed. What is its speed?",
            "How fast is a trolley that needs {b} s for a track of {a} m and never speeds up?",
        ),
        (20, 3),
        (400, 19),
        lambda a, b: _ratio(a, b),
        "m/s",
    ),
    _Template(
        "resistance",
        (
            "A voltage of {a} V drives a current of {b} A through a wire. Find its resistance.",
            "Through a coil flow {b} A once {a} V are applied. What resistance has it in ohms?",
        ),
        (5, 2),
        (240, 17),
        lambda a, b: _ratio(a, b),
        "Ω",
    ),
    _Template(
        "energy",
        (
            "What is the kinetic energy of a body of {a} kg that moves at {b} m/s?",
            "A mass of {a} kg flies at {b} m/s. How much energy of motion does it carry?",
        ),
        (2, 3),
        (60, 25),
        lambda a, b: Decimal(a * b * b) / 2,
        "J",
    ),
    _Template(
        "acceleration",
        (
            "A net force of {a} N acts on {b} kg. What is the acceleration?",
            "By how much per second does the speed of a {b} kg sledge grow under a pull of {a} N?",
        ),
        (10, 3),
        (500, 40),
        lambda a, b: _ratio(a, b),
        "m/s^2",
    ),
    _Template(
        "wave",
        (
            "A wave of frequency {a} Hz travels at {b} m/s. What is its wavelength?",
            "Crests pass {a} times a second and run at {b} m/s. How far apart are they?",
        ),
        (3, 30),
        (60, 900),
        lambda a, b: _ratio(b, a),
        "m",
    ),
)


def problem(seed: int, number: int, wording: int = 0) -> Example:
    """Make one open problem.

    Parameters
    ----------
    seed : of the set.
    number : of the problem, from 0; templates take turns and numbers are drawn.
    wording : 0 for the problem as an evaluation asks it; 1 for its paraphrase with the same
        numbers and the same answer, as a contaminated training set would hold it.

    Returns
    -------
    Example
        Kind `number`; id "saturation-N" in either wording, one tag, the topic.

    Raises
    ------
    IndexError
        For another wording.

    Examples
    --------
    >>> problem(7, 0).gold == problem(7, 0, wording=1).gold
    True
    >>> problem(7, 0).question == problem(7, 0, wording=1).question
    False
    """
    template = TEMPLATES[number % len(TEMPLATES)]
    draws = np.random.Generator(np.random.PCG64(ids.seed(seed, "saturation", number)))
    a, b = (
        int(draws.integers(low, high + 1))
        for low, high in zip(template.low, template.high, strict=True)
    )
    return Example(
        id=f"saturation-{number}",
        kind="number",
        question=template.wordings[wording].format(a=a, b=b),
        gold=f"{template.answer(a, b):f} {template.unit}",
        tags=(template.topic,),
    )


def planted(seed: int, n: int, share: float) -> tuple[tuple[Example, ...], frozenset[str]]:
    """Make problems and draw those that a training set is to hold as paraphrases.

    Parameters
    ----------
    seed : of the set.
    n : problems.
    share : of them that are planted, 0 to 1; rounded down to whole problems.

    Returns
    -------
    tuple of (problems, ids of the planted ones)
        Planted ones are drawn by lot, so that they differ from the others in nothing else: on
        them an audit effect is an effect of contamination.

    Raises
    ------
    ValueError
        For a share outside 0 to 1.

    Examples
    --------
    >>> rows, ids = planted(7, 10, 0.3)
    >>> len(rows), len(ids)
    (10, 3)
    """
    if not 0 <= share <= 1:
        raise ValueError(f"planted: share: expected 0 to 1, found {share}")
    rows = tuple(problem(seed, number) for number in range(n))
    draws = np.random.Generator(np.random.PCG64(ids.seed(seed, "planted", n)))
    chosen = draws.permutation(n)[: int(Decimal(repr(share)) * n)]
    return rows, frozenset(rows[int(place)].id for place in chosen)


__all__ = ["FLAGGED_TAG", "TEMPLATES", "planted", "problem"]
