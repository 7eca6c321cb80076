"""Questions for reinforcement: a part to train on, one to stop by, one to compare on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from harness import ids
from harness.data.digits import digits
from harness.data.visual_shapes import visual_shapes
from harness.micro import dialogue, world

if TYPE_CHECKING:
    from PIL.Image import Image

Part = Literal["train", "held", "test"]

# Not among the phrases that the start was trained on: it answers it in tags only now and then.
PROMPT = "{question} Think."
SOURCES = ("grid", "visual_shapes", "digits")
SIZES: dict[str, dict[str, int]] = {
    "train": {"grid": 480, "visual_shapes": 120, "digits": 120},
    "held": {"grid": 240, "visual_shapes": 30, "digits": 30},
    "test": {"grid": 800, "visual_shapes": 120, "digits": 120},
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """One question: `prompt` is the user's text, `answer` the word or words that are right."""

    id: str
    source: str
    prompt: str
    answer: str
    picture: Image


def questions(seed: int, part: Part, sizes: dict[str, int] | None = None) -> list[Question]:
    """Draw one part of the pool; the three share no picture.

    Parameters
    ----------
    seed : of the generated scenes.
    part : "train" and "held" take visual shapes and digits from different rows of their training
        splits; "test" takes them from their test splits, which neither training nor stopping sees.
    sizes : questions per source, from `SOURCES`; None for those of `SIZES`.

    Returns
    -------
    list of Question
        Generated grids of 1 to 4 shapes first, then visual shapes, then digits. Equal arguments
        give equal questions.
    """
    wanted = SIZES[part] if sizes is None else sizes
    made = [_grid(seed, part, index) for index in range(wanted["grid"])]
    for name in SOURCES[1:]:
        made += list(_benchmark(name, part, wanted[name]))
    return made


def _grid(seed: int, part: Part, index: int) -> Question:
    from PIL import Image

    rng = np.random.Generator(np.random.PCG64(ids.seed(seed, "grid", part, index)))
    scene = world.grid(rng)
    asked = dialogue.ask(scene, rng)
    return Question(
        id=f"grid-{part}-{index:04d}",
        source="grid",
        prompt=PROMPT.format(question=asked.question),
        answer=asked.answer,
        picture=Image.fromarray(scene.pixels),
    )


def _benchmark(name: str, part: Part, n: int) -> Iterator[Question]:
    readers: dict[str, Any] = {"visual_shapes": visual_shapes, "digits": digits}
    data = readers[name]("test" if part == "test" else "train")
    first = SIZES["train"][name] if part == "held" else 0
    for example in data.examples[first : first + n]:
        yield Question(
            id=example.id,
            source=name,
            prompt=PROMPT.format(question=example.question),
            answer=example.choices[ord(example.gold) - ord("A")],
            picture=data.open_image(example.media[0]),
        )


__all__ = ["PROMPT", "SIZES", "SOURCES", "Part", "Question", "questions"]
