"""What light a surface sends to the eye: ground, rubber and metal under area lights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.scenes.palette import COLORS
from harness.scenes.rays import Floats, Triple
from harness.scenes.scene import Light, SceneObject, Vector
from harness.scenes.tone import to_linear

# Linear light for 1 W at 1 unit, and from everywhere.
_EXPOSURE = 0.6
AMBIENT = (0.36, 0.365, 0.375)
GROUND = (0.42, 0.416, 0.41)
_BACKDROP = (0.42, 0.425, 0.43)
# Distance at which half the ground has gone over into the backdrop, scene units.
_HAZE = 24.0

_GLOSS, _F0 = 1.4, 0.04
_METAL_BASE, _METAL_GLOSS, _METAL_BROAD, _METAL_SHARP = 0.3, 1.0, 3.0, 6.0
_METAL_RIM = 0.25
# What a mirror shows of an empty room: its top, its walls, the floor under them and far below.
_ZENITH, _WALL, _FLOOR, _BELOW = 1.6, 0.22, 1.15, 0.55
# Both its sides are brighter: to the left and right of CLEVR's camera.
_ASIDE = (0.6563, 0.7545)
# The dark colours that would be hard to name on their shaded side are lightened.
_LIGHTER = {"gray": 1.75, "brown": 1.15, "green": 1.15}

Radiance = list[Floats]


@dataclass(frozen=True, slots=True)
class Surface:
    """Points of one surface as the eye sees them: world places, unit normals, unit ways back."""

    points: Triple
    normals: Triple
    views: Triple


@dataclass(frozen=True, slots=True)
class Beam:
    """A light at every point of a surface.

    Attributes
    ----------
    color : linear colour of the light.
    way : unit way to its middle, three arrays.
    power : irradiance of a surface that faces it; 0 where all of it is hidden.
    cosine : of the angle to the normal, 0 where it stands behind the surface.
    """

    color: Vector
    way: Triple
    power: Floats
    cosine: Floats


def beam(light: Light, points: Triple, normals: Triple) -> Beam:
    """Take a light as a point at its middle; its size acts on shadows alone."""
    x, y, z = (light.position[i] - points[i] for i in range(3))
    square = x * x + y * y + z * z
    root = np.sqrt(square)
    way = (x / root, y / root, z / root)
    cosine = way[0] * normals[0] + way[1] * normals[1] + way[2] * normals[2]
    power = (light.power * _EXPOSURE) / square
    return Beam(light.color, way, power, np.maximum(cosine, 0.0))


def ground_light(beams: Sequence[Beam], open_share: Floats, far: Floats) -> Radiance:
    """Radiance of a matt ground that goes over into a backdrop far away.

    Parameters
    ----------
    beams : what arrives of each light.
    open_share : share of the ambient light that is not hidden, in [0, 1].
    far : squared distance to the eye, scene units.

    Returns
    -------
    Three arrays: linear red, green, blue.
    """
    lit = _lit(beams, open_share)
    fade = far * far / (far * far + _HAZE**4)
    return [_BACKDROP[c] * fade + (1.0 - fade) * (GROUND[c] * lit[c]) for c in range(3)]


def object_light(
    thing: SceneObject, surface: Surface, beams: Sequence[Beam], open_share: Floats
) -> Radiance:
    """Radiance of a rubber or metal object; parameters and result as in `ground_light`."""
    tint = albedo(thing.color)
    up = 0.5 + 0.5 * surface.normals[2]
    ambient = open_share * (0.35 + 0.65 * up)
    lit = _lit(beams, ambient)
    facing = _inner(surface.normals, surface.views)
    broad = _gloss(surface, beams, sharp=False)
    if thing.material == "rubber":
        return [tint[c] * lit[c] + broad[c] for c in range(3)]
    around = open_share * _around(_mirrored(surface, facing))
    sharp = _gloss(surface, beams, sharp=True)
    rim = _METAL_RIM * _fifth(1.0 - np.maximum(facing, 0.0))
    found = []
    for c in range(3):
        mirror = tint[c] * (1.0 - rim) + rim
        gloss = _METAL_GLOSS * around + _METAL_BROAD * broad[c] + _METAL_SHARP * sharp[c]
        found.append(_METAL_BASE * tint[c] * lit[c] + mirror * gloss)
    return found


def albedo(color: str) -> Vector:
    """Linear reflectance of a named colour."""
    gain = _LIGHTER.get(color, 1.0)
    red, green, blue = (gain * to_linear(level) for level in COLORS[color])
    return red, green, blue


def _lit(beams: Sequence[Beam], ambient: Floats) -> Radiance:
    found = [AMBIENT[c] * ambient for c in range(3)]
    for arrives in beams:
        direct = arrives.power * arrives.cosine
        for c in range(3):
            found[c] = found[c] + arrives.color[c] * direct
    return found


def _gloss(surface: Surface, beams: Sequence[Beam], *, sharp: bool) -> Radiance:
    """Blinn-Phong: exponent 64 where sharp, else 16 and weighted by Fresnel's term."""
    found = [np.zeros_like(surface.points[0]) for _ in range(3)]
    for arrives in beams:
        half = [arrives.way[i] + surface.views[i] for i in range(3)]
        length = np.sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2])
        length = np.maximum(length, 1e-9)
        cosine = np.maximum(_inner(surface.normals, half), 0.0) / length
        power = cosine
        for _ in range(6 if sharp else 4):
            power = power * power
        strength = arrives.power * power * (arrives.cosine > 0.0)
        if not sharp:
            grazing = _fifth(1.0 - np.maximum(_inner(surface.views, half), 0.0) / length)
            strength = strength * (_GLOSS * (_F0 + (1.0 - _F0) * grazing))
        for c in range(3):
            found[c] = found[c] + arrives.color[c] * strength
    return found


def _around(way: Sequence[Floats]) -> Floats:
    """Radiance that a mirror shows of an empty room in a direction."""
    rise, side = way[2], way[0] * _ASIDE[0] + way[1] * _ASIDE[1]
    above, below = np.maximum(rise, 0.0), np.maximum(-rise, 0.0)
    wall = np.minimum(np.maximum(rise * 4.0 + 0.5, 0.0), 1.0)
    high = _WALL + (_ZENITH - _WALL) * (above * above)
    low = _FLOOR + (_BELOW - _FLOOR) * below
    found: Floats = (low + (high - low) * wall) * (0.7 + 0.8 * (side * side))
    return found


def _mirrored(surface: Surface, facing: Floats) -> Sequence[Floats]:
    return [2.0 * facing * surface.normals[i] - surface.views[i] for i in range(3)]


def _fifth(value: Floats) -> Floats:
    square = value * value
    found: Floats = square * square * value
    return found


def _inner(a: Sequence[Floats], b: Sequence[Floats]) -> Floats:
    found: Floats = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return found


__all__ = [
    "AMBIENT",
    "GROUND",
    "Beam",
    "Radiance",
    "Surface",
    "albedo",
    "beam",
    "ground_light",
    "object_light",
]
