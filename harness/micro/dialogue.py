"""What is asked about a scene, and the three styles of asking and answering."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from harness.data import digits as scanned
from harness.data import visual_shapes as shapes
from harness.data.manifest import LETTERS
from harness.micro.world import COLORS, COLUMNS, ROWS, SHAPES, Scene, Thing

Style = Literal["word", "evidence", "letter", "caption"]

TEMPLATES: dict[str, str] = {
    "word": "{question}",
    "evidence": "{question} Think first.",
    "letter": "{question} Options: {options}",
}
CAPTION = "Describe the image."
DRILL = "Letters? Options: {options}"
PLACES = tuple(f"{row} {column}" for row in ROWS for column in COLUMNS)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """A question with its answer, the evidence for it and the answers it could have.

    `ordered` says that the options keep their order when all of them are shown, as the
    benchmarks show them.
    """

    question: str
    answer: str
    evidence: str
    candidates: tuple[str, ...]
    ordered: bool


def options_line(choices: Sequence[str]) -> str:
    """Write choices in one line.

    Examples
    --------
    >>> options_line(["blue", "red"])
    '(A) blue (B) red'
    """
    return " ".join(f"({LETTERS[index]}) {choice}" for index, choice in enumerate(choices))


def ask(scene: Scene, rng: np.random.Generator) -> Ask:
    """Draw one question that the scene answers.

    Parameters
    ----------
    scene : a grid scene (colour, shape, position, count, presence), a single shape (colour,
        shape, position, in the words of the benchmark) or a digit.
    rng : the source of the choice.
    """
    if scene.kind == "digit":
        answer = str(scene.digit)
        return Ask(
            question=scanned.QUESTION,
            answer=answer,
            evidence=f"digit {answer}",
            candidates=scanned.CHOICES,
            ordered=True,
        )
    if scene.kind == "single":
        thing = scene.things[0]
        attribute = str(rng.choice(list(shapes.QUESTIONS)))
        truth = {"color": thing.color, "shape": thing.shape, "position": thing.place}
        return Ask(
            question=shapes.QUESTIONS[attribute],
            answer=truth[attribute],
            evidence=str(thing),
            candidates=shapes.CHOICES[attribute],
            ordered=True,
        )
    return _ask_grid(scene, rng)


def exchange(question: Ask, style: Style, rng: np.random.Generator) -> tuple[str, str]:
    """Phrase a question in a style.

    Returns
    -------
    (prompt, reply)
        The user's text and the text that the model should give.
    """
    if style == "word":
        return TEMPLATES["word"].format(question=question.question), question.answer
    if style == "evidence":
        prompt = TEMPLATES["evidence"].format(question=question.question)
        return prompt, f"{question.evidence}. <answer>{question.answer}</answer>"
    if style == "letter":
        choices = _options(question, rng)
        prompt = TEMPLATES["letter"].format(
            question=question.question, options=options_line(choices)
        )
        return prompt, LETTERS[choices.index(question.answer)]
    raise ValueError(f"style {style!r} is not asked about a question; captions take a scene")


def caption(scene: Scene) -> tuple[str, str]:
    """The request for a caption and the caption: all things in reading order, or the digit."""
    if scene.kind == "digit":
        return CAPTION, f"digit {scene.digit}."
    return CAPTION, f"{_listing(scene.things)}."


def drill(rng: np.random.Generator) -> tuple[str, str]:
    """A text-only exercise: name the letter of each option, in another order."""
    words = [*COLORS, *SHAPES, *PLACES, *scanned.CHOICES, "yes", "no"]
    picked = [words[int(i)] for i in rng.permutation(len(words))[: int(rng.integers(2, 5))]]
    order = [int(i) for i in rng.permutation(len(picked))]
    reply = " ".join(f"{picked[i]} {LETTERS[i]}" for i in order)
    return DRILL.format(options=options_line(picked)), reply


def texts(asks: Sequence[Ask], captions: Sequence[str]) -> list[str]:
    """Plain texts for training a tokenizer: questions, answers, evidence and options."""
    rng = np.random.Generator(np.random.PCG64(0))
    lines = [f"{a.question} Think first.\n{a.evidence}. <answer>{a.answer}</answer>" for a in asks]
    lines += [exchange(a, "letter", rng)[0] for a in asks]
    return lines + [a.answer for a in asks] + list(captions)


def _ask_grid(scene: Scene, rng: np.random.Generator) -> Ask:
    things = scene.things
    thing = things[int(rng.integers(len(things)))]
    kinds = ["position", "count", "presence"]
    if sum(t.shape == thing.shape for t in things) == 1:
        kinds.append("color")
    if sum(t.color == thing.color for t in things) == 1:
        kinds.append("shape")
    kind = str(rng.choice(kinds))
    if kind == "count":
        return _count(things, rng)
    if kind == "presence":
        return _presence(things, thing, rng)
    facts: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
        "color": (f"What color is the {thing.shape}?", thing.color, tuple(COLORS)),
        "shape": (f"What shape is the {thing.color} one?", thing.shape, SHAPES),
        "position": (f"Where is the {thing.color} {thing.shape}?", thing.place, PLACES),
    }
    question, answer, candidates = facts[kind]
    return Ask(
        question=question,
        answer=answer,
        evidence=str(thing),
        candidates=candidates,
        ordered=False,
    )


def _count(things: Sequence[Thing], rng: np.random.Generator) -> Ask:
    color = str(rng.choice(["", *COLORS]))
    counted = [t for t in things if color in ("", t.color)]
    return Ask(
        question=f"How many {color} shapes are there?".replace("  ", " "),
        answer=str(len(counted)),
        evidence=_listing(counted),
        candidates=("0", "1", "2", "3", "4"),
        ordered=False,
    )


def _presence(things: Sequence[Thing], thing: Thing, rng: np.random.Generator) -> Ask:
    color, shape = thing.color, thing.shape
    if rng.random() < 0.5:
        looks = [(c, s) for c in COLORS for s in SHAPES]
        absent = sorted(set(looks) - {(t.color, t.shape) for t in things})
        color, shape = absent[int(rng.integers(len(absent)))]
    there = any((t.color, t.shape) == (color, shape) for t in things)
    return Ask(
        question=f"Is there a {color} {shape}?",
        answer="yes" if there else "no",
        evidence=_listing([t for t in things if t.color == color]),
        candidates=("yes", "no"),
        ordered=True,
    )


def _listing(things: Sequence[Thing]) -> str:
    if not things:
        return "none"
    return ", ".join(str(t) for t in sorted(things, key=lambda t: (t.row, t.column)))


def _options(question: Ask, rng: np.random.Generator) -> list[str]:
    if question.ordered and rng.random() < 0.6:
        return list(question.candidates)
    others = [c for c in question.candidates if c != question.answer]
    n = int(rng.integers(1, min(4, len(others) + 1)))
    picked = [others[int(i)] for i in rng.permutation(len(others))[:n]] + [question.answer]
    return [picked[int(i)] for i in rng.permutation(len(picked))]


__all__ = [
    "CAPTION",
    "DRILL",
    "PLACES",
    "TEMPLATES",
    "Ask",
    "Style",
    "ask",
    "caption",
    "drill",
    "exchange",
    "options_line",
    "texts",
]
