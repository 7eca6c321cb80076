"""Light that reaches the points of one surface past all other objects, and whom it met."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from harness.scenes.camera import Eye
from harness.scenes.idpass import GROUND, SUB, Samples, directions
from harness.scenes.rays import Bools, Floats, Triple, normal
from harness.scenes.scene import Light, SceneObject
from harness.scenes.shading import Beam, Radiance, Surface, beam, ground_light, object_light
from harness.scenes.shadows import (
    Places,
    blocked,
    can_occlude,
    can_shade,
    in_shadow_zone,
    near,
    occlusion,
    seen_share,
)

Lamp = tuple[Light, Triple]


@dataclass(frozen=True, slots=True)
class Points:
    """Sub-samples of one surface.

    Attributes
    ----------
    owner : index of the object, -1 for the ground.
    surface : where they are.
    pixels : index of each one's pixel, row by row.
    far : squared distance to the eye, scene units.
    """

    owner: int
    surface: Surface
    pixels: Places
    far: Floats


def points_of(
    things: tuple[SceneObject, ...],
    owner: int,
    where: npt.NDArray[np.intp],
    view: Eye,
    samples: Samples,
) -> Points:
    """Find the points of one surface that flat indices of sub-samples show."""
    rows, columns = np.divmod(where, SUB * view.width)
    ray = directions(view, columns, rows, grid=False)
    if owner == GROUND:
        # A ray above the horizon counts as one that meets the ground very far away.
        reach = view.position[2] / np.maximum(-ray[2], 1e-6)
    else:
        reach = samples.reach.ravel()[where]
    x, y, z = (view.position[i] + reach * ray[i] for i in range(3))
    length = np.sqrt(ray[0] * ray[0] + ray[1] * ray[1] + ray[2] * ray[2])
    upright = (np.zeros_like(x), np.zeros_like(x), np.ones_like(x))
    surface = Surface(
        points=(x, y, z),
        normals=upright if owner == GROUND else normal(things[owner], (x, y, z)),
        views=(-ray[0] / length, -ray[1] / length, -ray[2] / length),
    )
    far = reach * length
    return Points(owner, surface, (rows // SUB) * view.width + columns // SUB, far * far)


def surface_light(
    lamps: Sequence[Lamp], things: tuple[SceneObject, ...], points: Points, influence: Bools
) -> Radiance:
    """Light that points of a surface send to the eye.

    Parameters
    ----------
    lamps : the scene's lights, each with its samples.
    things : the scene's objects in the order of their ids.
    influence : (n, H, W), changed in place: pixels are marked where an object hides a light
        sample or takes ambient light from a point of another surface.

    Returns
    -------
    Three arrays: linear red, green, blue.
    """
    marks = influence.reshape(len(things), influence.shape[1] * influence.shape[2])
    open_share = _open_share(things, points, marks)
    beams = [_past_others(lamp, things, points, marks) for lamp in lamps]
    if points.owner == GROUND:
        return ground_light(beams, open_share, points.far)
    return object_light(things[points.owner], points.surface, beams, open_share)


def _open_share(things: tuple[SceneObject, ...], points: Points, marks: Bools) -> Floats:
    """Share of ambient light that no other object takes; marks who takes some."""
    share = np.ones_like(points.far)
    owner = None if points.owner == GROUND else things[points.owner]
    for index, thing in enumerate(things):
        if index == points.owner or (owner is not None and not can_occlude(thing, owner)):
            continue
        close = near(thing, points.surface.points)
        if close.size:
            at, normals = _at(points.surface.points, close), _at(points.surface.normals, close)
            taken = occlusion(thing, at, normals)
            share[close] *= 1.0 - taken
            marks[index, points.pixels[close[taken > 0.0]]] = True
    return share


def _past_others(lamp: Lamp, things: tuple[SceneObject, ...], points: Points, marks: Bools) -> Beam:
    """What arrives of a light past the other objects; marks who hides some of it."""
    light, targets = lamp
    at = points.surface.points
    arrives = beam(light, at, points.surface.normals)
    lowest = 0.0 if points.owner == GROUND else max(float(at[2].min()), 0.0)
    owner = None if points.owner == GROUND else things[points.owner]
    hidden = np.zeros((2, points.far.size), np.uint8)
    for index, thing in enumerate(things):
        if index == points.owner or (owner is not None and not can_shade(thing, owner, light)):
            continue
        zone = in_shadow_zone(thing, light, at, lowest)
        zone = zone[arrives.cosine[zone] > 0.0]
        if zone.size:
            bits = blocked(thing, _at(at, zone), targets)
            hidden[:, zone] |= bits
            marks[index, points.pixels[zone[(bits[0] | bits[1]) > 0]]] = True
    return replace(arrives, power=arrives.power * seen_share(hidden))


def _at(vector: Triple, places: Places) -> Triple:
    return vector[0][places], vector[1][places], vector[2][places]


__all__ = ["Lamp", "Points", "points_of", "surface_light"]
