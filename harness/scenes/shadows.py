"""What keeps light from a surface: which light samples an object blocks, and ambient occlusion."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from harness import ids
from harness.errors import DataError
from harness.scenes.camera import dot
from harness.scenes.rays import Floats, Triple, blocks
from harness.scenes.scene import Light, SceneObject, Vector

# Light samples stand in a SIDE x SIDE grid of strata.
SIDE = 4
SAMPLES = SIDE * SIDE

Bits = npt.NDArray[np.uint8]
Places = npt.NDArray[np.intp]

_FULLER = {"sphere": 1.0, "cylinder": 1.15, "cube": 1.25}
# Beyond so many radii an object takes no ambient light at all: its influence has an end.
_FADES_AT = 2.6
_ONES = np.array([bin(byte).count("1") for byte in range(256)], np.uint8)


def light_samples(light: Light, seed: int) -> tuple[Floats, Floats, Floats]:
    """Points of a square light that faces the scene's middle: x, y and z, 16 of each.

    Stratified in two dimensions and in each alone (Chiu, Shirley and Wang 1994), so that a soft
    shadow has 16 steps whatever way it falls. The jitter comes from `seed` and the light's name.
    """
    across, along = _facing(light.position)
    x, y, z = [], [], []
    for index in range(SAMPLES):
        i, j = divmod(index, SIDE)
        drawn = ids.seed(seed, "light", light.name, index)
        u = (i + (j + (drawn & 0xFFFF) / 0x10000) / SIDE) / SIDE - 0.5
        v = (j + (i + (drawn >> 16 & 0xFFFF) / 0x10000) / SIDE) / SIDE - 0.5
        x.append(light.position[0] + light.side * (u * across[0] + v * along[0]))
        y.append(light.position[1] + light.side * (u * across[1] + v * along[1]))
        z.append(light.position[2] + light.side * (u * across[2] + v * along[2]))
    return np.array(x), np.array(y), np.array(z)


def _facing(position: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors that span a light turned to the origin."""
    x, y, z = position
    flat = math.sqrt(x * x + y * y)
    across = (-y / flat, x / flat, 0.0) if flat > 0 else (1.0, 0.0, 0.0)
    far = math.sqrt(dot(position, position))
    axis = (x / far, y / far, z / far)
    along = (
        axis[1] * across[2] - axis[2] * across[1],
        axis[2] * across[0] - axis[0] * across[2],
        axis[0] * across[1] - axis[1] * across[0],
    )
    return across, along


def check_lights(lights: Sequence[Light], things: Sequence[SceneObject]) -> None:
    """Refuse a light that is not above every object, as the shadow tests take for granted.

    Raises
    ------
    DataError
        Names the light.
    """
    top = max((2 * thing.radius for thing in things), default=0.0)
    for light in lights:
        if light.position[2] - light.side <= top:
            raise DataError(
                f"light {light.name}: expected it above all objects (z > {top + light.side:.4g}), "
                f"found z = {light.position[2]}"
            )


def can_shade(thing: SceneObject, other: SceneObject, light: Light) -> bool:
    """Whether an object can hide a part of a light from any point of another object.

    May say yes where no point is hidden, never the reverse: balls around both objects are taken.
    """
    to_light = _between(other, light.position)
    to_thing = _between(other, (thing.x, thing.y, thing.radius))
    along = dot(to_thing, to_light) / dot(to_light, to_light)
    along = min(max(along, 0.0), 1.0)
    away = tuple(to_thing[i] - along * to_light[i] for i in range(3))
    room = _reach(thing) + _reach(other) + light.side * 0.7072
    return dot((away[0], away[1], away[2]), (away[0], away[1], away[2])) <= room * room


def can_occlude(thing: SceneObject, other: SceneObject) -> bool:
    """Whether an object can take ambient light from any point of another object."""
    away = _between(other, (thing.x, thing.y, thing.radius))
    room = _ball(thing) * _FADES_AT + _reach(other)
    return dot(away, away) <= room * room


def _between(thing: SceneObject, point: Vector) -> Vector:
    return point[0] - thing.x, point[1] - thing.y, point[2] - thing.radius


def _reach(thing: SceneObject) -> float:
    """Radius of the ball around an object."""
    return thing.radius * {"sphere": 1.0, "cylinder": 1.4143, "cube": 1.7321}[thing.shape]


def in_shadow_zone(thing: SceneObject, light: Light, points: Triple, floor: float) -> Places:
    """Points that an object can put in shadow; a superset, by a box and a cone around its ball.

    Parameters
    ----------
    points : three arrays of n, world; none lower than `floor`.
    floor : least height among the points, scene units.

    Returns
    -------
    Indices into the points, ascending.
    """
    spread = light.side * 0.7072
    x, y, z = points
    # The box over the object and its shadow, cast at the floor from all of the light.
    wide = thing.radius * (1.4143 if thing.shape == "cube" else 1.0)
    top = 2 * thing.radius
    drop = (top - floor) / (light.position[2] - spread - top)
    keep = z < top
    for axis, centre, value in ((0, thing.x, x), (1, thing.y, y)):
        away = centre - light.position[axis]
        low = centre - wide + min(0.0, (away - wide - spread) * drop)
        high = centre + wide + max(0.0, (away + wide + spread) * drop)
        keep &= (value >= low) & (value <= high)
    places = np.flatnonzero(keep)
    # The cone: distance from the object's middle to the segment from the point to the light.
    px, py, pz = (part[places] for part in points)
    dx, dy, dz = (light.position[0] - px, light.position[1] - py, light.position[2] - pz)
    cx, cy, cz = thing.x - px, thing.y - py, thing.radius - pz
    along = (cx * dx + cy * dy + cz * dz) / (dx * dx + dy * dy + dz * dz)
    along = np.minimum(np.maximum(along, 0.0), 1.0)
    ex, ey, ez = cx - along * dx, cy - along * dy, cz - along * dz
    # Where a segment to another part of the light meets the object, it is that far off at most.
    wider = _reach(thing) + spread * (top - pz) / (light.position[2] - spread - pz)
    close = ex * ex + ey * ey + ez * ez <= wider * wider
    found: Places = places[close]
    return found


def blocked(thing: SceneObject, points: Triple, samples: Triple) -> Bits:
    """Which light samples an object hides from points: (2, n) uint8, one bit a sample."""
    return np.packbits(blocks(thing, points, samples), axis=0)


def seen_share(bits: Bits) -> Floats:
    """Share of a light's samples that no object hides, in sixteenths; from `blocked` bits."""
    hidden = _ONES[bits[0]] + _ONES[bits[1]]
    share: Floats = (SAMPLES - hidden) * (1.0 / SAMPLES)
    return share


def near(thing: SceneObject, points: Triple) -> Places:
    """Points whose ambient light an object takes a part of; a superset, by a box."""
    reach = _ball(thing) * _FADES_AT
    x, y, _ = points
    keep = (x > thing.x - reach) & (x < thing.x + reach)
    keep &= (y > thing.y - reach) & (y < thing.y + reach)
    return np.flatnonzero(keep)


def occlusion(thing: SceneObject, points: Triple, normals: Triple) -> Floats:
    """Share of ambient light that an object takes away, in [0, 1]; 0 beyond 2.6 radii.

    A ball's exact share (cosine to its middle over squared distance in radii), faded to 0.
    """
    ball = _ball(thing)
    x, y, z = thing.x - points[0], thing.y - points[1], thing.radius - points[2]
    square = np.maximum(x * x + y * y + z * z, ball * ball * 0.25)
    cosine = (x * normals[0] + y * normals[1] + z * normals[2]) / np.sqrt(square)
    limit = ball * _FADES_AT
    fade = np.maximum(1.0 - square / (limit * limit), 0.0)
    share = np.maximum(cosine, 0.0) * (ball * ball / square) * (fade * fade)
    found: Floats = np.minimum(share, 1.0)
    return found


def _ball(thing: SceneObject) -> float:
    return thing.radius * _FULLER[thing.shape]


__all__ = [
    "SAMPLES",
    "Bits",
    "Places",
    "blocked",
    "can_occlude",
    "can_shade",
    "check_lights",
    "in_shadow_zone",
    "light_samples",
    "near",
    "occlusion",
    "seen_share",
]
