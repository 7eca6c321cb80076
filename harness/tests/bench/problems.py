"""Generated problems: a training side with planted near copies of an evaluation side."""

from __future__ import annotations

from typing import Any

import numpy as np

from harness.ids import seed

_BOILERPLATE = (
    "Give your answer to three significant figures and state the unit.",
    "Neglect air resistance and take the acceleration due to gravity as 9.81 m/s^2.",
    "Assume that all surfaces are smooth unless the problem says otherwise.",
    "Choose the correct option from the list below and explain your choice.",
    "The following question refers to the figure.",
    "Show all steps of your working, and box the final answer.",
)
_SMALL = """the a of is to and in with at from by on for its it that an as are which when if
between find what how after into has mass speed length m/s kg m cm"""
_FANCY = (
    ("acceleration", "accélération"),
    ("m/s", "m·s⁻¹"),
    ("mass ", "mass $m = \\frac{1}{2}\\mu$, "),
    ("speed of ", "speed $v_{0} = $ "),
    ("'", "’"),
    (" cm", " × 10⁻² m"),
)


def words(size: int) -> list[str]:
    """Made-up words of two to four syllables."""
    rng = np.random.Generator(np.random.PCG64(seed(7, "words")))
    starts, vowels = list("bcdfghjklmnprstvwz"), list("aeiou")
    made: dict[str, None] = {}
    while len(made) < size:
        n = int(rng.integers(2, 5))
        made["".join(rng.choice(starts) + rng.choice(vowels) for _ in range(n))] = None
    return list(made)


def problem(rng: Any, vocabulary: list[str]) -> str:
    """About 650 characters: rare and frequent words and numbers, and two common sentences."""
    small = _SMALL.split()
    # Frequent words are more frequent by far, as in real text.
    ranks = (len(vocabulary) ** rng.random(100)).astype(int) - 1
    kinds, places = rng.random(100), rng.integers(len(small), size=100)
    made = [
        small[places[k]]
        if kinds[k] < 0.4
        else vocabulary[ranks[k]]
        if kinds[k] < 0.9
        else str(ranks[k])
        for k in range(100)
    ]
    parts = [" ".join(made[low : low + 17]).capitalize() + "." for low in range(0, 85, 17)]
    for _ in range(2):
        parts.insert(int(rng.integers(len(parts) + 1)), _BOILERPLATE[rng.integers(6)])
    return " ".join(parts)


def edited(text: str, rng: Any, vocabulary: list[str], n_edits: int) -> str:
    """The same text with some words replaced by others."""
    split = text.split()
    for at in rng.integers(len(split), size=n_edits):
        split[at] = vocabulary[int(rng.integers(len(vocabulary)))]
    return " ".join(split)


def two_sides(n_train: int, n_eval: int) -> tuple[list[str], list[str]]:
    """Training and evaluation texts; 2 % of the training side are edited evaluation texts.

    One row in seven has characters beyond ASCII or LaTeX.
    """
    vocabulary = words(20_000)
    rng = np.random.Generator(np.random.PCG64(seed(7, "problems", n_train, n_eval)))
    evaluation = [problem(rng, vocabulary) for _ in range(n_eval)]
    train = []
    for row in range(n_train):
        if row % 50 == 0:
            source = evaluation[int(rng.integers(n_eval))]
            text = edited(source, rng, vocabulary, int(rng.integers(0, 16)))
        else:
            text = problem(rng, vocabulary)
        if row % 7 == 3:
            for plain, fancy in _FANCY:
                text = text.replace(plain, fancy)
        train.append(text)
    return train, evaluation
