"""Places on the open ground by CLEVR's rules: distance between surfaces, and clear directions."""

from __future__ import annotations

from math import hypot

from harness.scenes.draws import Draws
from harness.scenes.palette import MATERIALS, SHAPES, SIZES
from harness.scenes.placing import Kind, thing
from harness.scenes.scene import Camera, SceneObject
from harness.scenes.slots import View, inside

HALF_WIDTH = 3.0
MIN_DISTANCE = 0.25
MARGIN = 0.4
_TRIES = 50


class Room:
    """Objects placed so far, under one camera.

    `full` becomes true when an object found no place; the scene is then to be drawn anew.
    """

    def __init__(self, draws: Draws, camera: Camera) -> None:
        self._draws = draws
        self._view = View(camera)
        self.left = self._view.left
        self.away = (self.left[1], -self.left[0])
        self.placed: list[SceneObject] = []
        self.full = False

    def put(self, name: str, look: Kind | None = None, color: str = "gray") -> SceneObject:
        """Place an object of a look (by default any) at random."""
        draws = self._draws
        look = look or (draws.pick(SHAPES), draws.pick(MATERIALS), draws.pick(tuple(SIZES)))
        for _ in range(_TRIES):
            spot = (draws.between(-HALF_WIDTH, HALF_WIDTH), draws.between(-HALF_WIDTH, HALF_WIDTH))
            one = thing(draws, name, look, color, spot)
            if self.fits(one):
                break
        else:
            self.full = True
        self.placed.append(one)
        return one

    def put_all(self, things: list[SceneObject]) -> bool:
        """Place given objects, which may overlap each other but nothing else."""
        if not all(self.fits(one) for one in things):
            return False
        self.placed += things
        return True

    def fits(self, one: SceneObject) -> bool:
        """Whether an object is in the frame, and clear of all placed ones."""
        return inside(self._view.disc(one)) and all(self.clear(one, other) for other in self.placed)

    def clear(self, one: SceneObject, other: SceneObject) -> bool:
        """Whether two objects are apart, and neither is almost in line with the other."""
        x, y = one.x - other.x, one.y - other.y
        if hypot(x, y) - _reach(one) - _reach(other) < MIN_DISTANCE:
            return False
        return all(abs(x * a + y * b) >= MARGIN for a, b in (self.left, self.away))

    def lateral(self, one: SceneObject, other: SceneObject) -> float:
        """How far left of the other an object stands, as this camera sees it."""
        return (one.x - other.x) * self.left[0] + (one.y - other.y) * self.left[1]


def _reach(one: SceneObject) -> float:
    return SIZES[one.size]


__all__ = ["HALF_WIDTH", "MARGIN", "MIN_DISTANCE", "Room"]
