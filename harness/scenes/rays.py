"""Rays against a sphere, a cube and a cylinder: from the eye, and from a surface to a light.

Only +, -, *, / and square roots of arrays, which IEEE 754 fixes to the bit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.scenes.camera import turned
from harness.scenes.scene import SceneObject, Vector

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Triple = tuple[Any, Any, Any]

# A direction that misses the axis of a cylinder by nothing at all still needs a quotient.
_TINY = 1e-18


def to_local(thing: SceneObject, vector: Triple) -> Triple:
    """Turn a vector of the world into the object's axes (about the vertical)."""
    cosine, sine = turned(thing.turn_deg)
    x, y, z = vector
    return cosine * x + sine * y, cosine * y - sine * x, z


def to_world(thing: SceneObject, vector: Triple) -> Triple:
    """Turn a vector of the object's axes into the world's."""
    cosine, sine = turned(thing.turn_deg)
    x, y, z = vector
    return cosine * x - sine * y, cosine * y + sine * x, z


def from_centre(thing: SceneObject, point: Triple) -> Triple:
    """A point of the world in the object's axes, from its centre."""
    x, y, z = point
    return to_local(thing, (x - thing.x, y - thing.y, z - thing.radius))


def first_hit(thing: SceneObject, start: Vector, ray: Triple) -> Floats:
    """Where rays from outside first meet an object.

    Parameters
    ----------
    start : where all rays begin, world.
    ray : their directions in the world, three arrays that broadcast; of any length above 0.

    Returns
    -------
    Multiples of the direction up to the surface, `inf` where the ray misses.
    """
    o, d = from_centre(thing, start), to_local(thing, ray)
    with np.errstate(divide="ignore", invalid="ignore"):
        enter, leave = _INTERVALS[thing.shape](o, d, thing.radius)
        hit = (enter <= leave) & (enter > 0.0)
    found: Floats = np.where(hit, enter, np.inf)
    return found


def _sphere(o: Triple, d: Triple, r: float) -> tuple[Floats, Floats]:
    a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    b = o[0] * d[0] + o[1] * d[1] + o[2] * d[2]
    c = o[0] * o[0] + o[1] * o[1] + o[2] * o[2] - r * r
    root = np.sqrt(b * b - a * c)
    return (-b - root) / a, (root - b) / a


def _slab(o: Any, d: Any, r: float) -> tuple[Floats, Floats]:
    one, other = (-r - o) / d, (r - o) / d
    return np.minimum(one, other), np.maximum(one, other)


def _cube(o: Triple, d: Triple, r: float) -> tuple[Floats, Floats]:
    (x0, x1), (y0, y1), (z0, z1) = (_slab(o[i], d[i], r) for i in range(3))
    return np.maximum(np.maximum(x0, y0), z0), np.minimum(np.minimum(x1, y1), z1)


def _cylinder(o: Triple, d: Triple, r: float) -> tuple[Floats, Floats]:
    a = np.maximum(d[0] * d[0] + d[1] * d[1], _TINY)
    b = o[0] * d[0] + o[1] * d[1]
    c = o[0] * o[0] + o[1] * o[1] - r * r
    root = np.sqrt(b * b - a * c)
    z0, z1 = _slab(o[2], d[2], r)
    return np.maximum((-b - root) / a, z0), np.minimum((root - b) / a, z1)


_INTERVALS: dict[str, Callable[[Triple, Triple, float], tuple[Floats, Floats]]] = {
    "sphere": _sphere,
    "cube": _cube,
    "cylinder": _cylinder,
}


def blocks(thing: SceneObject, points: Triple, targets: Triple) -> Bools:
    """Whether an object stands between points outside it and targets above it.

    Parameters
    ----------
    points : the points, world; three arrays of n.
    targets : points of the world above the object's top; three arrays of m.

    Returns
    -------
    Array (m, n), True where the segment from the point to the target meets the object.
    """
    p = from_centre(thing, points)
    x, y, z = from_centre(thing, targets)
    d = (x[:, None] - p[0], y[:, None] - p[1], z[:, None] - p[2])
    return _BLOCKS[thing.shape](p, d, thing.radius)


def _sphere_blocks(p: Triple, d: Triple, r: float) -> Bools:
    a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    b = p[0] * d[0] + p[1] * d[1] + p[2] * d[2]
    c = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - r * r
    found: Bools = (b < 0.0) & (b * b >= a * c)
    return found


def _cube_blocks(p: Triple, d: Triple, r: float) -> Bools:
    # Separating axes of a segment and a box: no quotient, so no degenerate direction.
    e = [0.5 * part for part in d]
    m = [p[i] + e[i] for i in range(3)]
    size = [np.abs(part) for part in e]
    found: Bools = np.abs(m[2]) <= size[2] + r
    for i in range(2):
        found &= np.abs(m[i]) <= size[i] + r
    for i, j in ((0, 1), (0, 2), (1, 2)):
        found &= np.abs(m[i] * e[j] - m[j] * e[i]) <= r * (size[i] + size[j])
    return found


def _cylinder_blocks(p: Triple, d: Triple, r: float) -> Bools:
    # Targets lie above, so d[2] > 0 wherever the point is below the top.
    rise = np.maximum(d[2], _TINY)
    last = (r - p[2]) / rise
    first = np.maximum((-r - p[2]) / rise, 0.0)
    a = np.maximum(d[0] * d[0] + d[1] * d[1], _TINY)
    nearest = np.minimum(np.maximum((p[0] * d[0] + p[1] * d[1]) / -a, first), last)
    x, y = p[0] + nearest * d[0], p[1] + nearest * d[1]
    found: Bools = (last > 0.0) & (x * x + y * y <= r * r)
    return found


_BLOCKS: dict[str, Callable[[Triple, Triple, float], Bools]] = {
    "sphere": _sphere_blocks,
    "cube": _cube_blocks,
    "cylinder": _cylinder_blocks,
}


def normal(thing: SceneObject, point: Triple, bevel: float = 0.12) -> Triple:
    """Outward unit normals at points of an object's surface, bent over rounded edges.

    Parameters
    ----------
    point : points of the surface, world.
    bevel : share of the radius over which the normal turns at an edge; shading only, the
        silhouette keeps its edges.
    """
    x, y, z = from_centre(thing, point)
    if thing.shape != "sphere":
        flat = thing.radius * (1.0 - bevel)
        if thing.shape == "cube":
            x, y = _beyond(x, flat), _beyond(y, flat)
        else:
            out = np.maximum(np.sqrt(x * x + y * y), _TINY)
            share = np.maximum(out - flat, 0.0) / out
            x, y = x * share, y * share
        z = _beyond(z, flat)
    length = np.maximum(np.sqrt(x * x + y * y + z * z), _TINY)
    return to_world(thing, (x / length, y / length, z / length))


def _beyond(value: Floats, limit: float) -> Floats:
    found: Floats = np.maximum(value - limit, 0.0) + np.minimum(value + limit, 0.0)
    return found


__all__ = [
    "Bools",
    "Floats",
    "Triple",
    "blocks",
    "first_hit",
    "from_centre",
    "normal",
    "to_local",
    "to_world",
]
