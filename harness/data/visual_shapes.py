"""Visual shapes: one coloured shape in one quadrant, drawn from a seed (claim level L0)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from harness import ids
from harness.data import manifest
from harness.errors import DataError
from harness.types import Dataset, Example, Media

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

SEED = 2026
SIDE_PX = 32
SIZES = {"train": 480, "val": 120, "test": 120}
COLORS = {"red": (0.85, 0.15, 0.15), "green": (0.15, 0.75, 0.2), "blue": (0.2, 0.3, 0.9)}
SHAPES = ("square", "cross")
CENTRES_PX = {
    "top left": (8, 8),
    "top right": (24, 8),
    "bottom left": (8, 24),
    "bottom right": (24, 24),
}
QUESTIONS = {
    "color": "What color is the shape?",
    "shape": "What shape is it?",
    "position": "Where is the shape?",
}
CHOICES = {"color": tuple(COLORS), "shape": SHAPES, "position": tuple(CENTRES_PX)}
NOISE_SD = 0.015


def visual_shapes(split: str) -> Dataset:
    """Build one split of the visual-shapes benchmark in memory.

    Each example is one 32×32 picture with one question. The question cycles through colour,
    shape and position, so each has a third of the split; colour (3), shape (2) and position
    (4) are drawn independently and uniformly. Guessing scores (1/3 + 1/2 + 1/4) / 3 ≈ 0.361.

    Parameters
    ----------
    split : "train" (480 examples), "val" (120) or "test" (120).

    Returns
    -------
    Dataset
        Kind `choice`: `choices` are all answers of the attribute in a fixed order, `gold` is
        the letter of the right one, `tags` is the attribute.

    Raises
    ------
    DataError
        For an unknown split; from `open_image`, for a picture that is not of this split.

    Examples
    --------
    >>> example = visual_shapes("test").examples[0]
    >>> example.id, example.question, example.choices
    ('visual-shapes-test-0000', 'What color is the shape?', ('red', 'green', 'blue'))
    """
    if split not in SIZES:
        raise DataError(
            f"visual_shapes: unknown split {split!r}; valid splits are {', '.join(SIZES)}"
        )
    examples = tuple(_example(split, index) for index in range(SIZES[split]))
    manifest.check(examples, f"visual_shapes/{split}")
    index_of = {e.media[0].name: i for i, e in enumerate(examples)}

    def open_image(media: Media) -> Image:
        if media.name not in index_of:
            raise DataError(
                f"visual_shapes/{split}: no picture {media.name!r}; expected a name like "
                f"{examples[0].media[0].name!r} from this split"
            )
        return _draw(split, index_of[media.name])[1]

    return Dataset(
        name="visual_shapes",
        split=split,
        examples=examples,
        fingerprint=manifest.fingerprint(examples),
        open_image=open_image,
        claim_level="L0",
    )


def picture(color: str, shape: str, position: str, noise: NDArray[np.float64]) -> Image:
    """Draw one picture of the benchmark.

    Parameters
    ----------
    color, shape, position : one of `COLORS`, `SHAPES` and `CENTRES_PX`.
    noise : (32, 32, 3), added to the picture in units of the full range; the sum is clipped
        to 0..1 and rounded to 8 bits.

    Returns
    -------
    Image
        32×32 RGB: a black ground with an 8×8 filled square, or a cross of two 12×4 bars.
    """
    from PIL import Image

    x, y = CENTRES_PX[position]
    canvas = np.zeros((SIDE_PX, SIDE_PX, 3))
    for half_width, half_height in ((4, 4),) if shape == "square" else ((6, 2), (2, 6)):
        rows = slice(y - half_height, y + half_height)
        columns = slice(x - half_width, x + half_width)
        canvas[rows, columns] = COLORS[color]
    pixels = np.rint(np.clip(canvas + noise, 0.0, 1.0) * 255.0).astype(np.uint8)
    return Image.fromarray(pixels)


def _draw(split: str, index: int) -> tuple[dict[str, str], Image]:
    rng = np.random.Generator(np.random.PCG64(ids.seed(SEED, split, index)))
    truth = {name: values[int(rng.integers(len(values)))] for name, values in CHOICES.items()}
    noise = rng.normal(0.0, NOISE_SD, size=(SIDE_PX, SIDE_PX, 3))
    return truth, picture(truth["color"], truth["shape"], truth["position"], noise)


def _example(split: str, index: int) -> Example:
    truth, image = _draw(split, index)
    attribute = tuple(QUESTIONS)[index % len(QUESTIONS)]
    name = f"visual-shapes-{split}-{index:04d}"
    return Example(
        id=name,
        kind="choice",
        question=QUESTIONS[attribute],
        choices=CHOICES[attribute],
        gold=manifest.LETTERS[CHOICES[attribute].index(truth[attribute])],
        media=(Media(kind="image", name=f"{name}.png", sha256=manifest.pixel_digest(image)),),
        tags=(attribute,),
    )


__all__ = [
    "CENTRES_PX",
    "CHOICES",
    "COLORS",
    "NOISE_SD",
    "QUESTIONS",
    "SHAPES",
    "SIDE_PX",
    "picture",
    "visual_shapes",
]
