"""The training world: pictures with known contents, drawn from a generator."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from harness.data import digits as scanned
from harness.data import visual_shapes as shapes

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

    Pixels = NDArray[np.uint8]

SIDE_PX = 96
GRID = 3
CELL_PX = SIDE_PX // GRID
COLORS = {
    "red": (0.85, 0.15, 0.15),
    "green": (0.15, 0.75, 0.2),
    "blue": (0.2, 0.3, 0.9),
    "yellow": (0.9, 0.85, 0.15),
}
SHAPES = ("square", "cross", "circle")
ROWS = ("top", "middle", "bottom")
COLUMNS = ("left", "center", "right")


@dataclass(frozen=True, kw_only=True, slots=True)
class Thing:
    """One object and the cell of the 3×3 grid that holds it, both counted from the top left."""

    color: str
    shape: str
    row: int
    column: int

    @property
    def place(self) -> str:
        return f"{ROWS[self.row]} {COLUMNS[self.column]}"

    def __str__(self) -> str:
        return f"{self.color} {self.shape} {self.place}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Scene:
    """A picture with its truth.

    `pixels` is (96, 96, 3) 8-bit RGB. `kind` says which family it is of: "grid" (1 to 4
    things in a 3×3 grid), "single" (as in the visual-shapes benchmark) or "digit". A `blank`
    scene shows nothing: its truth is a guess, so that a model learns to answer from the
    listed answers even then, at chance.
    """

    kind: Literal["grid", "single", "digit"]
    pixels: Pixels
    things: tuple[Thing, ...] = ()
    digit: int | None = None
    blank: bool = False


@dataclass(frozen=True, kw_only=True)
class World:
    """What scenes are drawn from: the training scans and the share of each family.

    `scans` are the 64×64 grey pictures of the digits' training split (n, 64, 64) and
    `labels` their digits (n,); `weights` are the shares of grid, single and digit scenes.
    `blank` is the share of single and digit scenes whose picture is erased.
    """

    scans: Pixels
    labels: NDArray[np.int64]
    weights: tuple[float, float, float]
    blank: float

    def draw(self, rng: np.random.Generator) -> Scene:
        """Draw one scene; every number comes from `rng`."""
        family = int(rng.choice(3, p=self.weights))
        if family == 0:
            return grid(rng)
        if family == 1:
            scene = single(rng)
        else:
            row = int(rng.integers(len(self.labels)))
            scene = digit(self.scans[row], int(self.labels[row]), rng)
        return erased(scene, rng) if rng.random() < self.blank else scene


def load(weights: tuple[float, float, float], blank: float) -> World:
    """Open the world: reads the training split of the digits, and no other split.

    Parameters
    ----------
    weights : shares of grid, single and digit scenes; they must add up to 1.
    blank : share of single and digit scenes whose picture is erased, 0 to 1.
    """
    split = scanned.digits("train")
    pictures = [np.asarray(split.open_image(e.media[0]).convert("L")) for e in split.examples]
    labels = [ord(e.gold) - ord("A") for e in split.examples]
    return World(scans=np.stack(pictures), labels=np.array(labels), weights=weights, blank=blank)


def grid(rng: np.random.Generator) -> Scene:
    """Draw 1 to 4 different things, each jittered inside its own cell of a dark 3×3 grid."""
    n = int(rng.integers(1, 5))
    cells = rng.permutation(GRID * GRID)[:n]
    looks = rng.permutation(len(COLORS) * len(SHAPES))[:n]
    things = tuple(
        Thing(
            color=tuple(COLORS)[int(look) // len(SHAPES)],
            shape=SHAPES[int(look) % len(SHAPES)],
            row=int(cell) // GRID,
            column=int(cell) % GRID,
        )
        for cell, look in zip(cells, looks, strict=True)
    )
    canvas = np.full((SIDE_PX, SIDE_PX, 3), rng.uniform(0.0, 0.2))
    for thing in things:
        _paint(canvas, thing, rng)
    canvas += rng.normal(0.0, rng.uniform(0.0, 0.04), size=canvas.shape)
    return Scene(kind="grid", pixels=_quantise(canvas), things=things)


def single(rng: np.random.Generator) -> Scene:
    """Draw one picture of the visual-shapes distribution, enlarged as the processor does."""
    truth = {name: str(rng.choice(values)) for name, values in shapes.CHOICES.items()}
    noise = rng.normal(0.0, shapes.NOISE_SD, size=(shapes.SIDE_PX, shapes.SIDE_PX, 3))
    image = shapes.picture(truth["color"], truth["shape"], truth["position"], noise)
    row, column = truth["position"].split()
    thing = Thing(
        color=truth["color"],
        shape=truth["shape"],
        row=ROWS.index(row),
        column=COLUMNS.index(column),
    )
    return Scene(kind="single", pixels=_enlarge(image), things=(thing,))


def digit(scan: Pixels, label: int, rng: np.random.Generator) -> Scene:
    """Draw one scanned digit with a light change of place, size, tilt, contrast and noise.

    Parameters
    ----------
    scan : (64, 64) grey, light strokes on dark.
    label : 0 to 9.
    rng : the source of every change.
    """
    from PIL import Image

    tilt, size = math.radians(rng.uniform(-10, 10)), rng.uniform(0.9, 1.1)
    a, b = math.cos(tilt) / size, math.sin(tilt) / size
    centre = scanned.SIDE_PX / 2
    dx, dy = rng.uniform(-5, 5, size=2)
    matrix = (
        a,
        b,
        centre - a * (centre + dx) - b * (centre + dy),
        -b,
        a,
        centre + b * (centre + dx) - a * (centre + dy),
    )
    moved = Image.fromarray(scan).transform(
        (scanned.SIDE_PX, scanned.SIDE_PX),
        Image.Transform.AFFINE,
        matrix,
        resample=Image.Resampling.BILINEAR,
    )
    canvas = _enlarge(moved.convert("RGB")) / 255.0 * rng.uniform(0.75, 1.0)
    canvas += rng.normal(0.0, rng.uniform(0.0, 0.05), size=canvas.shape)
    return Scene(kind="digit", pixels=_quantise(canvas), digit=label)


def erased(scene: Scene, rng: np.random.Generator) -> Scene:
    """Replace the picture by an even one, black half of the time, with at most weak noise."""
    level = 0.0 if rng.random() < 0.5 else rng.uniform(0.0, 1.0)
    canvas = np.full((SIDE_PX, SIDE_PX, 3), level)
    if rng.random() < 0.5:
        canvas += rng.normal(0.0, rng.uniform(0.0, 0.1), size=canvas.shape)
    return replace(scene, pixels=_quantise(canvas), blank=True)


def _paint(canvas: NDArray[np.float64], thing: Thing, rng: np.random.Generator) -> None:
    radius = rng.uniform(9.0, 12.0)
    slack = CELL_PX / 2 - radius
    x = (thing.column + 0.5) * CELL_PX + rng.uniform(-slack, slack)
    y = (thing.row + 0.5) * CELL_PX + rng.uniform(-slack, slack)
    rows, columns = np.ogrid[0:SIDE_PX, 0:SIDE_PX]
    dx, dy = np.abs(columns + 0.5 - x), np.abs(rows + 0.5 - y)
    if thing.shape == "square":
        mask = (dx <= radius * 0.85) & (dy <= radius * 0.85)
    elif thing.shape == "circle":
        mask = dx**2 + dy**2 <= radius**2
    else:
        bar = radius / 3
        mask = ((dx <= radius) & (dy <= bar)) | ((dy <= radius) & (dx <= bar))
    tint = np.array(COLORS[thing.color]) + rng.uniform(-0.1, 0.1, size=3)
    canvas[mask] = tint


def _enlarge(image: Image) -> Pixels:
    import PIL.Image

    return np.asarray(image.resize((SIDE_PX, SIDE_PX), PIL.Image.Resampling.LANCZOS))


def _quantise(canvas: NDArray[np.float64]) -> Pixels:
    return np.rint(np.clip(canvas, 0.0, 1.0) * 255.0).astype(np.uint8)


__all__ = [
    "CELL_PX",
    "COLORS",
    "COLUMNS",
    "GRID",
    "ROWS",
    "SHAPES",
    "SIDE_PX",
    "Scene",
    "Thing",
    "World",
    "digit",
    "erased",
    "grid",
    "load",
    "single",
]
