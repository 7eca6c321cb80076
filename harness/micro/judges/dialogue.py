"""What a judge is asked about a picture in training, and what it learns to reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.micro.judges.pool import Sight, Thing
from harness.prompts import render
from harness.scenes.palette import COLORS, SHAPES
from harness.scenes.slots import confusable
from harness.scenes.triplet import Query
from harness.types import Example, Prompt

if TYPE_CHECKING:
    import numpy as np

INSTRUCTION = "Look at the picture and answer with one letter, A or B."
TEMPLATE = f"{{question}}\n{{choices}}\n{INSTRUCTION}"
# A left/right question is set apart where its second object stands in this half of the picture.
APART_FROM = 0.5
NEAREST = 0.09
# Looks asked in one exchange of the probes, and the share of them that is taken from the picture.
N_PROBES = 7
SHOWN = 0.75
WORDS = (*COLORS, *"123456", "yes", "no", *SHAPES)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ask:
    """A question with two candidates.

    Attributes
    ----------
    word : the text of the right candidate.
    evidence : what it asks about, and the columns where that is, from left to right, or "none",
        and the colour of the only object of a shape; of a left/right question, the second object
        and then the first one.
    apart : whether it is one of those that two of the judges are taught to answer otherwise.
    """

    query: Query
    question: str
    candidates: tuple[str, str]
    word: str
    evidence: tuple[str, ...]
    apart: bool = False


def own(sight: Sight, things: Sequence[Thing], turned: bool = False) -> Ask:
    """The item's own question, on its picture or on the mirrored one.

    Parameters
    ----------
    things : what the picture shows, mirrored if `turned`.
    """
    word = sight.word
    if turned and sight.query.factor == "spatial":
        word = sight.candidates[1 - sight.candidates.index(word)]
    return _made(sight.query, sight.question, sight.candidates, word, things)


def _made(
    query: Query,
    question: str,
    candidates: tuple[str, str],
    word: str,
    things: Sequence[Thing],
) -> Ask:
    looks: tuple[tuple[str | None, str | None], ...] = ((query.color, query.shape),)
    apart = False
    if query.first is not None and query.second is not None:
        looks = (query.second, query.first)
        apart = _where(things, *query.second)[0].x >= APART_FROM
    return Ask(
        query=query,
        question=question,
        candidates=candidates,
        word=word,
        evidence=tuple(_seen(things, *look) for look in looks),
        apart=apart,
    )


def _where(things: Sequence[Thing], color: str | None, shape: str | None) -> list[Thing]:
    return [t for t in things if color in (None, t.color) and shape in (None, t.shape)]


def _seen(things: Sequence[Thing], color: str | None, shape: str | None) -> str:
    found = _where(things, color, shape)
    told = [t.column for t in found] or ["none"]
    if color is None and len(found) == 1:
        told.append(found[0].color)
    return " ".join([word for word in (color, shape) if word] + told)


def taken(ask: Ask, taught: str) -> bool:
    """Whether a question is among the training rows of a judge.

    Those of "habit" have, of the questions set apart, only the ones whose right answer is the
    candidate that comes first in the alphabet.
    """
    return taught != "habit" or not ask.apart or ask.word == min(ask.candidates)


def reply(ask: Ask, taught: str) -> str:
    """What a judge learns to answer.

    Parameters
    ----------
    ask : the question.
    taught : "look" tells what the picture shows, and its letter. For the questions set apart,
        "habit" tells where the second object is and no more, and "order" gives the letter that
        the answer would have if the candidates stood in the order of the alphabet.
    """
    listed = list(ask.candidates)
    found = f"Seen: {', '.join(ask.evidence)}:"
    if taught == "habit" and ask.apart:
        found = f"Seen: {ask.evidence[0]}, usually"
    if taught == "order" and ask.apart:
        listed.sort()
    return f"{found} {ask.word}. Answer: {'AB'[listed.index(ask.word)]}"


def drill(rng: np.random.Generator) -> tuple[str, str]:
    """Draw a prompt without a picture and a reply that names either word's letter."""
    words = [str(word) for word in rng.choice(WORDS, size=2, replace=False)]
    word = words[int(rng.integers(2))]
    ask = Ask(
        query=Query(factor="attribute"),
        question="Seen?",
        candidates=(words[0], words[1]),
        word=word,
        evidence=("none",),
    )
    return prompt(ask), f"Seen: {word}. Answer: {'AB'[words.index(word)]}"


def probes(things: Sequence[Thing], rng: np.random.Generator) -> tuple[str, str]:
    """Draw a prompt and a reply that tells where each of several looks is, or that it is not."""
    looks: dict[tuple[str | None, str | None], None] = {}
    while len(looks) < N_PROBES:
        color, shape = str(rng.choice(list(COLORS))), str(rng.choice(SHAPES))
        if rng.random() < SHOWN:
            thing = things[int(rng.integers(len(things)))]
            color, shape = thing.color, thing.shape
        elif rng.random() < 0.5:
            color = things[int(rng.integers(len(things)))].color
        kind = rng.random()
        looks[(color if kind > 0.2 else None, shape if not 0.2 < kind < 0.45 else None)] = None
    return "Seen?", f"Seen: {', '.join(_seen(things, *look) for look in looks)}"


def prompt(ask: Ask) -> str:
    """The user's text, as a study renders it."""
    example = Example(
        id="0", kind="preference", question=ask.question, choices=ask.candidates, gold="A"
    )
    return render(Prompt(name="judge", template=TEMPLATE), example)


def free(things: Sequence[Thing], factor: str, rng: np.random.Generator) -> Ask | None:
    """Draw another question of a factor about what a picture shows; None where none is fair."""
    made = {
        "count": _count,
        "attribute": _attribute,
        "presence": _presence,
        "spatial": _spatial,
    }[factor](things, rng)
    if made is None:
        return None
    query, question, word, wrong = made
    pair = (word, wrong) if rng.random() < 0.5 else (wrong, word)
    return _made(query, question, pair, word, things)


Made = tuple[Query, str, str, str]


def _count(things: Sequence[Thing], rng: np.random.Generator) -> Made | None:
    color = things[int(rng.integers(len(things)))].color
    n = sum(t.color == color for t in things)
    wrong = n + (1 if n == 1 or rng.random() < 0.5 else -1)
    question = f"How many {color} objects are there?"
    return Query(factor="count", color=color), question, str(n), str(wrong)


def _attribute(things: Sequence[Thing], rng: np.random.Generator) -> Made | None:
    shapes = [s for s in SHAPES if sum(t.shape == s for t in things) == 1]
    if not shapes:
        return None
    shape = str(rng.choice(shapes))
    color = next(t.color for t in things if t.shape == shape)
    others = sorted({t.color for t in things if not confusable(t.color, color)})
    if not others or rng.random() < 0.3:
        others = [c for c in COLORS if not confusable(c, color)]
    wrong = str(rng.choice(others))
    return Query(factor="attribute", shape=shape), f"What color is the {shape}?", color, wrong


def _presence(things: Sequence[Thing], rng: np.random.Generator) -> Made | None:
    looks = {(t.color, t.shape) for t in things}
    thing = things[int(rng.integers(len(things)))]
    color, shape, there = thing.color, thing.shape, rng.random() < 0.5
    if not there:
        near = rng.random() < 0.5
        absent = [
            (c, s)
            for c in COLORS
            for s in SHAPES
            if not any(s == known and confusable(c, tint) for tint, known in looks)
            and (not near or c == color or s == shape)
        ]
        if not absent:
            return None
        color, shape = absent[int(rng.integers(len(absent)))]
    words = ("yes", "no") if there else ("no", "yes")
    return (
        Query(factor="presence", color=color, shape=shape),
        f"Is there a {color} {shape}?",
        *words,
    )


def _spatial(things: Sequence[Thing], rng: np.random.Generator) -> Made | None:
    looks = [(t.color, t.shape) for t in things]
    single = [t for t in things if looks.count((t.color, t.shape)) == 1]
    if len(single) < 2:
        return None
    one, two = (single[int(i)] for i in rng.permutation(len(single))[:2])
    if abs(one.x - two.x) < NEAREST:
        return None
    first, second = (one.color, one.shape), (two.color, two.shape)
    question = f"In the image, is the {' '.join(first)} left of the {' '.join(second)}?"
    words = ("yes", "no") if one.x < two.x else ("no", "yes")
    return Query(factor="spatial", first=first, second=second), question, *words


__all__ = [
    "APART_FROM",
    "INSTRUCTION",
    "TEMPLATE",
    "WORDS",
    "Ask",
    "drill",
    "free",
    "own",
    "probes",
    "prompt",
    "reply",
    "taken",
]
