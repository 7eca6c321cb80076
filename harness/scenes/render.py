"""From a scene to arrays: colours, ids, coverage, and the pixels that each object acts on.

An analytic ray caster without inter-reflection: an object acts on a pixel by what it covers, by
the light samples it hides and by the ambient light it takes, and by nothing else. Pixels are equal
to the bit on any machine, and depend on the set of objects, never on their order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.scenes.camera import eye, project
from harness.scenes.idpass import GROUND, SUB, IdPass, Samples, id_pass, ordered, traced
from harness.scenes.light import points_of, surface_light
from harness.scenes.rays import Bools, Floats
from harness.scenes.scene import Scene
from harness.scenes.shadows import check_lights, light_samples
from harness.scenes.tone import shoulder, to_srgb


@dataclass(frozen=True, slots=True)
class Rendered:
    """A picture with what is true of its pixels.

    Attributes
    ----------
    rgb : (H, W, 3) uint8, sRGB.
    object_ids : of the scene's objects, sorted; the index used below.
    ids : (H, W) int16, the object at the pixel's centre, -1 for the ground.
    coverage : (n, H, W) uint8, sub-samples of 9 that show the object.
    solo : (n, H, W) uint8, the same with every other object taken away: its silhouette.
    influence : (n, H, W) bool, pixels whose colour the object can have an effect on. Taking the
        object away, or changing its colour, leaves every other pixel as it is, to the bit.
    """

    rgb: npt.NDArray[np.uint8]
    object_ids: tuple[str, ...]
    ids: npt.NDArray[np.int16]
    coverage: npt.NDArray[np.uint8]
    solo: npt.NDArray[np.uint8]
    influence: Bools


def render(scene: Scene, *, width: int, height: int) -> Rendered:
    """Render a scene.

    Parameters
    ----------
    width, height : of the picture, pixels; the horizontal field of view is the camera's where
        the picture is wider than high.

    Returns
    -------
    Rendered
        A scene without objects gives the ground alone and arrays with n = 0.

    Raises
    ------
    DataError
        For a size outside 1 to 4096, a camera under the ground, and a light that is not above
        all objects.

    Examples
    --------
    >>> from harness.scenes.scene import Scene, SceneObject
    >>> ball = SceneObject(
    ...     id="o1", shape="sphere", color="red", material="rubber", size="large", x=0, y=0
    ... )
    >>> picture = render(Scene(objects=(ball,)), width=64, height=48)
    >>> red, green, blue = picture.rgb[24, 32].tolist()
    >>> red > 2 * green, picture.influence.shape
    (True, (1, 48, 64))
    """
    things = ordered(scene)
    view = eye(scene.camera, width, height)
    check_lights(scene.lights, things)
    seen, samples = traced(things, view)
    influence = seen.coverage > 0
    lamps = [(light, light_samples(light, scene.seed)) for light in scene.lights]
    shaded, mixed = _to_shade(samples)
    linear = np.zeros((3, SUB * height * SUB * width))
    for index in range(GROUND, len(things)):
        where = np.flatnonzero(shaded & (samples.ids == index))
        if where.size:
            points = points_of(things, index, where, view, samples)
            values = surface_light(lamps, things, points, influence)
            for channel, value in enumerate(values):
                linear[channel, where] = shoulder(value)
    rgb = np.empty((height, width, 3), np.uint8)
    for channel in range(3):
        rgb[:, :, channel] = to_srgb(_pixels(linear[channel], mixed))
    return Rendered(rgb, seen.object_ids, seen.ids, seen.coverage, seen.solo, influence)


def _to_shade(samples: Samples) -> tuple[Bools, Bools]:
    """Sub-samples to shade (3H, 3W), and pixels (H, W) that show more than one surface."""
    ids = samples.ids
    centre = ids[1::SUB, 1::SUB]
    mixed = np.zeros(centre.shape, np.bool_)
    for row in range(SUB):
        for column in range(SUB):
            mixed |= ids[row::SUB, column::SUB] != centre
    shaded = np.repeat(np.repeat(mixed, SUB, axis=0), SUB, axis=1)
    shaded[1::SUB, 1::SUB] = True
    return shaded, mixed


def _pixels(linear: Floats, mixed: Bools) -> Floats:
    """The centre's light, and in a pixel of more than one surface the mean of its sub-samples."""
    height, width = mixed.shape
    grid = linear.reshape(SUB * height, SUB * width)
    found = grid[1::SUB, 1::SUB].copy()
    total = np.zeros(np.count_nonzero(mixed))
    for row in range(SUB):
        for column in range(SUB):
            total += grid[row::SUB, column::SUB][mixed]
    found[mixed] = total / (SUB * SUB)
    return found


__all__ = ["IdPass", "Rendered", "id_pass", "project", "render"]
