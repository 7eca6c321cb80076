"""Training scenes with their pictures: what is where, mirrored or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from harness.micro.judges.architecture import GRID, SIDE_PX, resized
from harness.scenes.sampler import static_item
from harness.scenes.triplet import FACTORS, Item, Query

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from harness.scenes.scene import SceneObject

MASTER_SEEDS = {"train": 6_202_601, "val": 6_202_602}
WIDTH_PX, HEIGHT_PX = 128, 96
COLUMNS = (
    *("zero", "one", "two", "three", "four", "five"),
    *("six", "seven", "eight", "nine", "ten", "eleven"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Thing:
    """An object as seen: `x` and `y` are its silhouette's middle, 0 to 1 from the top left."""

    color: str
    shape: str
    x: float
    y: float

    @property
    def column(self) -> str:
        """The name of the twelfth of the picture's width that the middle lies in."""
        return COLUMNS[int(self.x * len(COLUMNS))]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sight:
    """What is asked of a picture and what it shows, from left to right.

    `query`, `candidates` and `word`, the text of the right answer, are the item's own.
    """

    things: tuple[Thing, ...]
    query: Query
    question: str
    candidates: tuple[str, str]
    word: str


def drawn(factor: str, split: str, n: int, start: int = 0) -> Iterator[tuple[Sight, Pixels]]:
    """Draw items of a factor and their pictures (96, 96, 3), from index `start`.

    Parameters
    ----------
    factor : one of `FACTORS`.
    split : "train" or "val"; each has a master seed of its own, and neither is the sampler's.
    n : how many.
    """
    for index in range(start, start + n):
        item = static_item(factor, index, master_seed=MASTER_SEEDS[split])
        yield pictured(item)


def pictured(item: Item) -> tuple[Sight, Pixels]:
    """What an item's picture shows, and the picture, rendered at 128×96 and brought to 96×96."""
    from PIL import Image

    from harness.scenes.render import render

    seen = render(item.scene, width=WIDTH_PX, height=HEIGHT_PX)
    things = [
        _thing(item.scene[name], seen.coverage[number])
        for number, name in enumerate(seen.object_ids)
    ]
    sight = Sight(
        things=_ordered(things),
        query=item.query,
        question=item.question,
        candidates=item.candidates,
        word=item.candidates["AB".index(item.gold)],
    )
    return sight, np.asarray(resized(Image.fromarray(seen.rgb)))


@dataclass(frozen=True, kw_only=True)
class Pool:
    """Items with pictures: `pixels` is (n, 96, 96, 3) 8-bit RGB, row by row with `sights`."""

    sights: tuple[Sight, ...]
    pixels: NDArray[np.uint8]


def load(n_each: int, split: str = "train") -> Pool:
    """Draw and render the first `n_each` items of each factor."""
    rows = [row for factor in FACTORS for row in drawn(factor, split, n_each)]
    pixels = np.zeros((len(rows), SIDE_PX, SIDE_PX, 3), np.uint8)
    for number, (_, picture) in enumerate(rows):
        pixels[number] = picture
    return Pool(sights=tuple(sight for sight, _ in rows), pixels=pixels)


def mirrored(things: tuple[Thing, ...]) -> tuple[Thing, ...]:
    """What the mirrored picture shows."""
    return _ordered(
        [Thing(color=t.color, shape=t.shape, x=1.0 - 1e-9 - t.x, y=t.y) for t in things]
    )


def cells(things: Sequence[Thing]) -> list[int]:
    """The visual token of each thing: the nearest one that no other thing is nearer to."""
    away = sorted(
        ((t.x * GRID - column - 0.5) ** 2 + (t.y * GRID - row - 0.5) ** 2, n, row * GRID + column)
        for n, t in enumerate(things)
        for row in range(GRID)
        for column in range(GRID)
    )
    found: dict[int, int] = {}
    for _, number, cell in away:
        if number not in found and cell not in found.values():
            found[number] = cell
    return [found[number] for number in range(len(things))]


def _ordered(things: list[Thing]) -> tuple[Thing, ...]:
    return tuple(sorted(things, key=lambda t: (t.x, t.y)))


def _thing(record: SceneObject, coverage: NDArray[np.uint8]) -> Thing:
    rows, columns = np.nonzero(coverage)
    return Thing(
        color=record.color,
        shape=record.shape,
        x=float((columns.min() + columns.max() + 1) / 2 / WIDTH_PX),
        y=float((rows.min() + rows.max() + 1) / 2 / HEIGHT_PX),
    )


if TYPE_CHECKING:
    Pixels = NDArray[np.uint8]

__all__ = [
    "COLUMNS",
    "MASTER_SEEDS",
    "Pool",
    "Sight",
    "Thing",
    "cells",
    "drawn",
    "load",
    "mirrored",
    "pictured",
]
