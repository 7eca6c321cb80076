"""How the table of rendered colours (`tints.py`) is made, so that it can be made again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from harness.errors import DataError
from harness.scenes.hues import Lab, difference
from harness.scenes.palette import SHAPES, SIZES
from harness.scenes.scene import Scene, SceneObject
from harness.scenes.seen import see

if TYPE_CHECKING:
    from harness.scenes.render import Rendered

_PLACES = (-2.1, 0.0, 2.1)


def calibration_scene(color: str, material: str) -> Scene:
    """Nine objects of one colour and material on a 3×3 grid, of all shapes and both sizes.

    Examples
    --------
    >>> scene = calibration_scene("red", "metal")
    >>> sorted({thing.shape for thing in scene.objects}), len(scene.objects)
    (['cube', 'cylinder', 'sphere'], 9)
    """
    return Scene(
        objects=tuple(
            SceneObject(
                id=f"o{k}",
                shape=SHAPES[(k + k // 3) % 3],
                color=color,
                material=material,
                size=tuple(SIZES)[k % 2],
                x=_PLACES[k % 3],
                y=_PLACES[k // 3],
                turn_deg=25.0 * k,
            )
            for k in range(9)
        )
    )


def tint(color: str, material: str, picture: Callable[[Scene], Rendered]) -> Lab:
    """Mean L*a*b* of the nine objects' median core colours, rounded to 1 decimal.

    Parameters
    ----------
    picture : renders a scene; the table in `tints.py` is for 320×240.

    Raises
    ------
    DataError
        When fewer than five objects have a core, at sizes too small to calibrate on.
    """
    found = [
        thing.color.lab
        for thing in see(picture(calibration_scene(color, material))).objects.values()
        if thing.color is not None
    ]
    if len(found) < 5:
        raise DataError(f"{color} {material}: expected 5 objects with a core, found {len(found)}")
    light, a, b = (round(sum(part) / len(found), 1) + 0.0 for part in zip(*found, strict=True))
    return light, a, b


def spread(tints: Mapping[str, tuple[Lab, ...]]) -> dict[tuple[str, str], float]:
    """Least dE (CIE 1976) between the looks of each pair of classes.

    Examples
    --------
    >>> spread({"a": ((0, 0, 0),), "b": ((3, 4, 0), (9, 9, 9))})
    {('a', 'b'): 5.0}
    """
    names = list(tints)
    return {
        (one, other): min(difference(x, y) for x in tints[one] for y in tints[other])
        for k, one in enumerate(names)
        for other in names[k + 1 :]
    }


__all__ = ["calibration_scene", "spread", "tint"]
