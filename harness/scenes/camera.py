"""The pinhole camera: from scene units to pixels and back to rays, with rounded trigonometry."""

from __future__ import annotations

import math
from dataclasses import dataclass

from harness.errors import DataError
from harness.scenes.scene import Camera, SceneObject, Vector

# The sine of one angle differs in its last bits between C libraries; not after this rounding.
_TRIG_DECIMALS = 9
_NEAR = 0.05


@dataclass(frozen=True, slots=True)
class Eye:
    """A camera for one picture size.

    Attributes
    ----------
    position : of the pinhole, scene units.
    right, up, back : unit axes of the camera in the world; it looks along -`back`.
    scale : half the picture's longer side at depth 1, scene units.
    width, height : of the picture, pixels.
    """

    position: Vector
    right: Vector
    up: Vector
    back: Vector
    scale: float
    width: int
    height: int

    @property
    def pixel(self) -> float:
        """Side of one pixel at depth 1, scene units."""
        return 2.0 * self.scale / max(self.width, self.height)


def eye(camera: Camera, width: int, height: int) -> Eye:
    """Place a camera for a picture of `width` times `height` pixels.

    Raises
    ------
    DataError
        For a size below 1 or above 4096, a camera at or below the ground, and a field of view
        outside (0, 180) degrees.
    """
    if not (1 <= width <= 4096 and 1 <= height <= 4096):
        raise DataError(f"expected a picture of 1 to 4096 pixels a side, found {width}x{height}")
    if camera.position[2] <= 0:
        raise DataError(f"camera: expected a height above 0, found {camera.position[2]}")
    if not 0 < camera.fov_deg < 180:
        raise DataError(f"camera: expected a field in (0, 180) degrees, found {camera.fov_deg}")
    (cx, sx), (cy, sy), (cz, sz) = (turned(angle) for angle in camera.rotation_deg)
    half = math.radians(camera.fov_deg / 2)
    return Eye(
        position=camera.position,
        right=(cz * cy, sz * cy, -sy),
        up=(cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx),
        back=(cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx),
        scale=round(math.tan(half), _TRIG_DECIMALS),
        width=width,
        height=height,
    )


def turned(degrees: float) -> tuple[float, float]:
    """Cosine and sine of an angle in degrees, equal on every machine.

    >>> turned(90.0)
    (0.0, 1.0)
    """
    angle = math.radians(degrees)
    cosine, sine = math.cos(angle), math.sin(angle)
    return round(cosine, _TRIG_DECIMALS) + 0.0, round(sine, _TRIG_DECIMALS) + 0.0


def seen_from(view: Eye, point: Vector) -> Vector:
    """A point in the camera's axes: right, up, depth (positive in front), scene units."""
    offset = (
        point[0] - view.position[0],
        point[1] - view.position[1],
        point[2] - view.position[2],
    )
    return dot(offset, view.right), dot(offset, view.up), -dot(offset, view.back)


def dot(a: Vector, b: Vector) -> float:
    """Inner product of two vectors, summed from left to right."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def project(
    camera: Camera, x: float, y: float, z: float, width: int, height: int
) -> tuple[float, float]:
    """Where a point of the world falls in a picture.

    Parameters
    ----------
    x, y, z : the point, scene units.
    width, height : of the picture, pixels.

    Returns
    -------
    (column, row) in pixels from the left and from the top; pixel (0, 0) covers [0, 1) in both.
    Points outside the picture have coordinates outside it.

    Raises
    ------
    DataError
        For a point that is not in front of the camera.

    Examples
    --------
    >>> column, row = project(Camera(), 0.0, 0.0, 0.35, 320, 240)
    >>> round(column), round(row)
    (149, 122)
    """
    view = eye(camera, width, height)
    right, up, depth = seen_from(view, (x, y, z))
    if depth < _NEAR:
        raise DataError(f"expected a point in front of the camera, found {(x, y, z)}")
    unit = view.pixel * depth
    return width / 2 + right / unit, height / 2 - up / unit


def screen_box(view: Eye, thing: SceneObject) -> tuple[int, int, int, int]:
    """Pixels that an object can touch: first and end row, first and end column.

    Conservative by up to two pixels; empty (first = end) for an object outside the picture, and
    the whole picture where the object reaches behind the camera.
    """
    reach = thing.radius if thing.shape != "cube" else thing.radius * 1.4143
    columns, rows = [], []
    for sx in (-reach, reach):
        for sy in (-reach, reach):
            for z in (0.0, 2 * thing.radius):
                right, up, depth = seen_from(view, (thing.x + sx, thing.y + sy, z))
                if depth < _NEAR:
                    return 0, view.height, 0, view.width
                unit = view.pixel * depth
                columns.append(view.width / 2 + right / unit)
                rows.append(view.height / 2 - up / unit)
    return (
        min(max(math.floor(min(rows)) - 1, 0), view.height),
        min(max(math.ceil(max(rows)) + 1, 0), view.height),
        min(max(math.floor(min(columns)) - 1, 0), view.width),
        min(max(math.ceil(max(columns)) + 1, 0), view.width),
    )


__all__ = ["Eye", "dot", "eye", "project", "screen_box", "seen_from", "turned"]
