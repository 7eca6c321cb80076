"""The outline that a recorded object must have in the picture, worked out without the renderer."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from harness.errors import DataError
from harness.scenes.palette import SHAPES, SIZES
from harness.scenes.scene import Camera, SceneObject

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_ROUND = 48
_ROWS_A_PIXEL = 3


def shape_fits(
    solo: NDArray[np.uint8], camera: Camera, thing: SceneObject, full: int = 9
) -> dict[tuple[str, str], float]:
    """Compare what an object alone shows with the outline of each shape and size at its place.

    Each outline is the convex hull of projected points (a box's corners, a cylinder's rims, a
    sphere's contour circle) at the recorded place and turn. So the pixels decide which shape of
    which size stands there; place and turn are only confirmed, by a good fit.

    Parameters
    ----------
    solo : sub-samples of each pixel that show the object alone, shape (H, W), in [0, full].
    thing : the record; its colour and material have no effect.

    Returns
    -------
    dict of (shape, size) to float
        Shared over joined area of the two silhouettes, in [0, 1]; 0 where nothing is shown or
        the outline would reach behind the camera.

    Examples
    --------
    >>> from harness.scenes.idpass import id_pass
    >>> from harness.scenes.scene import Scene
    >>> cube = SceneObject(
    ...     id="o1", shape="cube", color="red", material="rubber", size="large", x=0, y=0
    ... )
    >>> fits = shape_fits(id_pass(Scene(objects=(cube,)), 96, 72).solo[0], Camera(), cube)
    >>> max(fits, key=lambda kind: fits[kind])
    ('cube', 'large')
    """
    height, width = solo.shape
    rows = np.nonzero(solo.any(axis=1))[0]
    shown = solo[rows[0] : rows[-1] + 1] / full if rows.size else np.zeros((0, width))
    top = int(rows[0]) if rows.size else 0
    fits = {}
    for shape, size in product(SHAPES, SIZES):
        plain = replace(thing, id="o", shape=shape, size=size, color="gray", material="rubber")
        first, mask = _silhouette(camera, plain, width, height)
        area, total = float(mask.sum()), float(shown.sum())
        low, high = max(first, top), min(first + len(mask), top + len(shown))
        shared = 0.0
        if low < high:
            both = np.minimum(mask[low - first : high - first], shown[low - top : high - top])
            shared = float(both.sum())
        joined = area + total - shared
        fits[shape, size] = shared / joined if joined > 0 else 0.0
    return fits


def outline(camera: Camera, thing: SceneObject, width: int, height: int) -> Floats:
    """Corners of the convex outline, shape (m, 2): x to the right and y down, in pixels.

    The corner of the picture is (0, 0), so that pixel centres lie at halves.

    Raises
    ------
    DataError
        When part of the object is not in front of the camera.
    """
    axes, place = _axes(camera), np.array(camera.position)
    points = (_points(thing, place) - place) @ axes.T
    depth = -points[:, 2]
    if (depth <= 1e-6).any():
        raise DataError(f"object {thing.id}: expected it in front of the camera, found it behind")
    focal = max(width, height) / 2 / math.tan(math.radians(camera.fov_deg) / 2)
    x = width / 2 + focal * points[:, 0] / depth
    y = height / 2 - focal * points[:, 1] / depth
    return _hull(np.stack([x, y], axis=1))


@lru_cache(maxsize=512)
def _silhouette(camera: Camera, thing: SceneObject, width: int, height: int) -> tuple[int, Floats]:
    """First row and covered share of each pixel of the rows that the outline meets."""
    try:
        corners = outline(camera, thing, width, height)
    except DataError:
        return 0, np.zeros((0, width))
    top = min(max(math.floor(corners[:, 1].min()), 0), height)
    bottom = min(max(math.ceil(corners[:, 1].max()), top), height)
    lines = top + (np.arange(_ROWS_A_PIXEL * (bottom - top)) + 0.5) / _ROWS_A_PIXEL
    (x0, y0), (x1, y1) = corners.T, np.roll(corners, -1, axis=0).T
    crosses = (y0 <= lines[:, None]) != (y1 <= lines[:, None])
    rise = np.where(y1 == y0, 1.0, y1 - y0)
    at = x0 + (lines[:, None] - y0) / rise * (x1 - x0)
    left = np.where(crosses, at, np.inf).min(axis=1)
    right = np.where(crosses, at, -np.inf).max(axis=1)
    columns = np.arange(width)
    covered = np.minimum(right[:, None], columns + 1) - np.maximum(left[:, None], columns)
    share = np.clip(covered, 0.0, 1.0)
    return top, share.reshape(-1, _ROWS_A_PIXEL, width).mean(axis=1)


def _points(thing: SceneObject, eye: Floats) -> Floats:
    """Points of the world, (m, 3), whose convex hull looks like the object from `eye`."""
    r = thing.radius
    middle = np.array([thing.x, thing.y, r])
    if thing.shape == "cube":
        turn = math.radians(thing.turn_deg) + np.pi / 4 + np.arange(4) * np.pi / 2
        return _rims(middle, r * math.sqrt(2), r, turn)
    around = np.arange(_ROUND) * 2 * np.pi / _ROUND
    if thing.shape == "cylinder":
        return _rims(middle, r, r, around)
    toward = eye - middle
    distance = math.sqrt(float((toward**2).sum()))
    if distance <= r:
        return eye[None, :]
    toward = toward / distance
    side = np.cross(toward, [0.0, 0.0, 1.0] if abs(toward[2]) < 0.9 else [1.0, 0.0, 0.0])
    side = side / math.sqrt(float((side**2).sum()))
    up = np.cross(toward, side)
    reach = r * math.sqrt(1 - (r / distance) ** 2)
    circle = np.cos(around)[:, None] * side + np.sin(around)[:, None] * up
    seen: Floats = middle + toward * (r * r / distance) + reach * circle
    return seen


def _rims(middle: Floats, radius: float, half: float, angles: Floats) -> Floats:
    x = middle[0] + radius * np.cos(angles)
    y = middle[1] + radius * np.sin(angles)
    return np.concatenate(
        [np.stack([x, y, np.full_like(x, middle[2] + z)], axis=1) for z in (-half, half)]
    )


def _axes(camera: Camera) -> Floats:
    """Rows: the camera's right, up and back in the world; turned about x, then y, then z."""
    a, b, c = (math.radians(angle) for angle in camera.rotation_deg)
    about_x = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
    about_y = np.array([[math.cos(b), 0, math.sin(b)], [0, 1, 0], [-math.sin(b), 0, math.cos(b)]])
    about_z = np.array([[math.cos(c), -math.sin(c), 0], [math.sin(c), math.cos(c), 0], [0, 0, 1]])
    axes: Floats = (about_z @ about_y @ about_x).T
    return axes


def camera_left(camera: Camera) -> tuple[float, float]:
    """Unit direction on the ground that points to the left in the picture.

    >>> x, y = camera_left(Camera())
    >>> round(x, 2), round(y, 2)
    (-0.69, -0.73)
    """
    right = _axes(camera)[0]
    length = math.hypot(float(right[0]), float(right[1]))
    return -float(right[0]) / length, -float(right[1]) / length


def _hull(points: Floats) -> Floats:
    """Convex hull in order (A. M. Andrew, Information Processing Letters 9, 1979)."""
    ordered = sorted(set(map(tuple, points.tolist())))

    def chain(parts: list[tuple[float, float]]) -> list[tuple[float, float]]:
        kept: list[tuple[float, float]] = []
        for p in parts:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], p) <= 0:
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]) or ordered)


def _turn(o: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


__all__ = ["camera_left", "outline", "shape_fits"]
