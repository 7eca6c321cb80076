"""The id pass: which object each sub-sample of each pixel shows, without any shading."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.scenes.camera import Eye, eye, screen_box
from harness.scenes.rays import Floats, first_hit
from harness.scenes.scene import Scene, SceneObject

# Sub-samples along one side of a pixel; the middle one is the pixel's centre.
SUB = 3
GROUND = -1


@dataclass(frozen=True, slots=True)
class IdPass:
    """What every pixel shows.

    Attributes
    ----------
    object_ids : of the scene's objects, sorted; the index used below.
    ids : (H, W) int16, the object at the pixel's centre, -1 for the ground.
    coverage : (n, H, W) uint8, sub-samples of 9 that show the object.
    solo : (n, H, W) uint8, the same with every other object taken away: its silhouette.
    """

    object_ids: tuple[str, ...]
    ids: npt.NDArray[np.int16]
    coverage: npt.NDArray[np.uint8]
    solo: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Samples:
    """All sub-samples, (3H, 3W): the object seen (-1 the ground), and how far along the ray."""

    ids: npt.NDArray[np.int16]
    reach: Floats


def id_pass(scene: Scene, width: int, height: int) -> IdPass:
    """Find what every pixel shows, at about a tenth of the cost of a picture.

    Parameters
    ----------
    width, height : of the picture, pixels.

    Returns
    -------
    IdPass
        Exactly what `harness.scenes.render.render` returns under the same names.

    Raises
    ------
    DataError
        For a size or a camera that no picture can have.

    Examples
    --------
    >>> from harness.scenes.scene import Scene, SceneObject
    >>> ball = SceneObject(
    ...     id="o1", shape="sphere", color="red", material="rubber", size="large", x=0, y=0
    ... )
    >>> seen = id_pass(Scene(objects=(ball,)), 64, 48)
    >>> int(seen.ids[24, 32]), int(seen.coverage[0].max())
    (0, 9)
    """
    return traced(ordered(scene), eye(scene.camera, width, height))[0]


def ordered(scene: Scene) -> tuple[SceneObject, ...]:
    """The objects by id, so that their order in the scene can have no effect."""
    return tuple(sorted(scene.objects, key=lambda thing: thing.id))


def traced(things: tuple[SceneObject, ...], view: Eye) -> tuple[IdPass, Samples]:
    """The id pass of objects in the order of their ids, with all its sub-samples."""
    height, width = view.height, view.width
    ids = np.full((SUB * height, SUB * width), GROUND, np.int16)
    reach = np.full((SUB * height, SUB * width), np.inf)
    solo = np.zeros((len(things), height, width), np.uint8)
    coverage = np.zeros_like(solo)
    boxes = [screen_box(view, thing) for thing in things]
    for index, (thing, (top, bottom, left, right)) in enumerate(zip(things, boxes, strict=True)):
        if top == bottom or left == right:
            continue
        rows, columns = slice(SUB * top, SUB * bottom), slice(SUB * left, SUB * right)
        ray = directions(view, np.arange(left * SUB, right * SUB), np.arange(rows.start, rows.stop))
        found = first_hit(thing, view.position, ray)
        solo[index, top:bottom, left:right] = _counted(np.isfinite(found))
        nearer = found < reach[rows, columns]
        np.copyto(reach[rows, columns], found, where=nearer)
        np.copyto(ids[rows, columns], np.int16(index), where=nearer)
    for index, (top, bottom, left, right) in enumerate(boxes):
        shown = ids[SUB * top : SUB * bottom, SUB * left : SUB * right] == index
        coverage[index, top:bottom, left:right] = _counted(shown)
    centres = np.ascontiguousarray(ids[SUB // 2 :: SUB, SUB // 2 :: SUB])
    names = tuple(thing.id for thing in things)
    return IdPass(names, centres, coverage, solo), Samples(ids, reach)


def directions(
    view: Eye, columns: npt.NDArray[np.intp], rows: npt.NDArray[np.intp], *, grid: bool = True
) -> tuple[Floats, Floats, Floats]:
    """World directions of rays through sub-samples, of depth 1 along the view.

    A grid of all `rows` times all `columns`, or, with `grid` False, one ray for each pair.
    """
    unit = view.pixel / SUB
    x = (columns + (0.5 - SUB * view.width / 2)) * unit
    y = ((SUB * view.height / 2 - 0.5) - rows) * unit
    if grid:
        y = y[:, None]
    dx, dy, dz = ((y * view.up[i] - view.back[i]) + x * view.right[i] for i in range(3))
    return dx, dy, dz


def _counted(shown: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Sub-samples that are True, per pixel."""
    part = shown.view(np.uint8)
    rows = part[0::SUB] + part[1::SUB] + part[2::SUB]
    total: npt.NDArray[np.uint8] = rows[:, 0::SUB] + rows[:, 1::SUB] + rows[:, 2::SUB]
    return total


__all__ = ["GROUND", "SUB", "IdPass", "Samples", "directions", "id_pass", "ordered", "traced"]
