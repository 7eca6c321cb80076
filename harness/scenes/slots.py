"""Where objects stand: nine slots, directions seen from the camera, and room between objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import hypot

from harness.scenes.camera import eye
from harness.scenes.palette import CONFUSABLE
from harness.scenes.scene import Camera, SceneObject

SLOTS = (
    (-2.1, -1.8),
    (0.0, -2.0),
    (2.1, -1.8),
    (-2.2, 0.0),
    (0.0, 0.1),
    (2.2, 0.0),
    (-2.0, 1.8),
    (0.1, 1.9),
    (2.0, 1.8),
)
LEFT = (-0.6563, -0.7545)
AWAY = (-0.7545, 0.6563)
LEFT_OF = 0.2
FRONT_Y = -0.8
SAME_DEPTH_Y = 0.35

# Left or right, near or far, as seen by the default camera.
QUADRANTS = ("left near", "left far", "right near", "right far")
OPPOSITE = {
    "left near": "right far",
    "left far": "right near",
    "right near": "left far",
    "right far": "left near",
}

# Farthest point of the silhouette from its centre, in object radii, at CLEVR's elevation.
_REACH = {"sphere": 1.05, "cube": 1.3, "cylinder": 1.4}
_WIDTH, _HEIGHT = 320, 240
GAP_PX = 8.0
EDGE_PX = 9.0

Disc = tuple[float, float, float]


def leftness(x: float, y: float) -> float:
    """How far left a ground point is, scene units, seen by the default camera; 0 at the centre.

    >>> leftness(0, -2) > leftness(0, 2)
    True
    """
    return LEFT[0] * x + LEFT[1] * y


def awayness(x: float, y: float) -> float:
    """How far behind the centre a ground point is, scene units; negative is nearer."""
    return AWAY[0] * x + AWAY[1] * y


def at(left: float, away: float) -> tuple[float, float]:
    """The ground point that lies so far left and so far behind the centre.

    >>> x, y = at(1.5, -2.0)
    >>> round(leftness(x, y), 3), round(awayness(x, y), 3)
    (1.5, -2.0)
    """
    return left * LEFT[0] + away * AWAY[0], left * LEFT[1] + away * AWAY[1]


def quadrant(x: float, y: float) -> str:
    """Which of `QUADRANTS` a ground point is in."""
    side = "left" if leftness(x, y) > 0 else "right"
    return f"{side} {'far' if awayness(x, y) > 0 else 'near'}"


def distance(x: float, y: float) -> float:
    """From the default camera to a ground point, scene units."""
    eye = Camera().position
    return hypot(eye[0] - x, eye[1] - y, eye[2] - 0.5)


SLOTS_IN = {
    name: tuple(i for i, slot in enumerate(SLOTS) if quadrant(*slot) == name) for name in QUADRANTS
}


class View:
    """Where objects come to lie in a 320 × 240 picture, as discs; close enough to place them.

    The verdict on a picture is read from its pixels; this only keeps hopeless scenes out.
    """

    def __init__(self, camera: Camera | None = None) -> None:
        seen = eye(camera or Camera(), _WIDTH, _HEIGHT)
        self._right, self._up, self._back = seen.right, seen.up, seen.back
        self._eye = seen.position
        self._focal = 1.0 / seen.pixel

    @property
    def left(self) -> tuple[float, float]:
        """The unit vector on the ground that points to the picture's left."""
        x, y = -self._right[0], -self._right[1]
        size = hypot(x, y)
        return x / size, y / size

    def disc(self, thing: SceneObject) -> Disc:
        """Column, row and radius in pixels of a disc around the object's silhouette."""
        radius = thing.radius
        place = (thing.x - self._eye[0], thing.y - self._eye[1], radius - self._eye[2])
        right, up, back = (
            axis[0] * place[0] + axis[1] * place[1] + axis[2] * place[2]
            for axis in (self._right, self._up, self._back)
        )
        scale = self._focal / -back
        # A cube is stored with its half side, which is its radius divided by the root of 2.
        reach = _REACH[thing.shape] * radius * (2**0.5 if thing.shape == "cube" else 1.0)
        return _WIDTH / 2 + right * scale, _HEIGHT / 2 - up * scale, reach * scale


_DEFAULT = View()
_discs: dict[tuple[float, float, str, str], Disc] = {}


def disc(thing: SceneObject) -> Disc:
    """`View.disc` for the default camera."""
    key = (thing.x, thing.y, thing.shape, thing.size)
    if key not in _discs:
        if len(_discs) > 4096:
            _discs.clear()
        _discs[key] = _DEFAULT.disc(thing)
    return _discs[key]


def gap(one: Disc, other: Disc) -> float:
    """Pixels between two discs; negative where they overlap."""
    return hypot(one[0] - other[0], one[1] - other[1]) - one[2] - other[2]


def inside(one: Disc) -> bool:
    """Whether a disc keeps its distance from the picture's border."""
    x, y, r = one
    return EDGE_PX + r <= x <= _WIDTH - EDGE_PX - r and EDGE_PX + r <= y <= _HEIGHT - EDGE_PX - r


def fits(thing: SceneObject, placed: Iterable[SceneObject], least: float = GAP_PX) -> bool:
    """Whether an object is in the frame and keeps `least` pixels from every placed one."""
    own = disc(thing)
    return inside(own) and all(gap(own, disc(other)) >= least for other in placed)


def confusable(one: str, other: str) -> bool:
    """Whether two colours are equal or too close as rendered to tell apart with certainty."""
    return one == other or frozenset({one, other}) in CONFUSABLE


def alike(slot: int, slots: Sequence[int], most: float = 1.4) -> list[int]:
    """Those of `slots` that are about as far from the camera as `slot`, itself excepted."""
    own = distance(*SLOTS[slot])
    return [
        other for other in slots if other != slot and abs(distance(*SLOTS[other]) - own) <= most
    ]


__all__ = [
    "AWAY",
    "FRONT_Y",
    "LEFT",
    "LEFT_OF",
    "OPPOSITE",
    "QUADRANTS",
    "SAME_DEPTH_Y",
    "SLOTS",
    "SLOTS_IN",
    "Disc",
    "View",
    "alike",
    "at",
    "awayness",
    "confusable",
    "disc",
    "distance",
    "fits",
    "gap",
    "inside",
    "leftness",
    "quadrant",
]
