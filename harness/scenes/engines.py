"""Engines behind one function: numpy's pictures, or another's with numpy's ids and masks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.errors import DataError
from harness.scenes.blender_script import SCRIPT
from harness.scenes.idpass import ordered
from harness.scenes.render import Rendered, render
from harness.scenes.scene import Scene
from harness.scenes.shading import AMBIENT, GROUND, albedo

Engine = Callable[[Scene, int, int], Rendered]
Run = Callable[[str, dict[str, Any]], npt.NDArray[np.uint8]]

BLENDER_SAMPLES = 64
_ROUGHNESS = {"rubber": 0.6, "metal": 0.2}


def numpy_engine(scene: Scene, width: int, height: int) -> Rendered:
    """The default: `harness.scenes.render.render`, equal to the bit on any machine."""
    return render(scene, width=width, height=height)


def blender_job(
    scene: Scene, width: int, height: int, samples: int = BLENDER_SAMPLES
) -> dict[str, Any]:
    """What `blender_script.SCRIPT` reads: the scene in JSON values, with colours in linear light.

    Parameters
    ----------
    width, height : of the picture, pixels.
    samples : paths per pixel, at least 1.

    Raises
    ------
    DataError
        For fewer samples than 1.
    """
    if samples < 1:
        raise DataError(f"blender: expected at least 1 sample a pixel, found {samples}")
    things = [
        {
            "id": thing.id,
            "shape": thing.shape,
            "radius": thing.radius,
            "x": thing.x,
            "y": thing.y,
            "turn_deg": thing.turn_deg,
            "color": [min(part, 1.0) for part in albedo(thing.color)],
            "metal": float(thing.material == "metal"),
            "rough": _ROUGHNESS[thing.material],
        }
        for thing in ordered(scene)
    ]
    value = scene.to_json()
    return {
        "objects": things,
        "camera": value["camera"],
        "lights": [{**light, "power": 4 * light["power"]} for light in value["lights"]],
        "ground": list(GROUND),
        "ambient": list(AMBIENT),
        "seed": scene.seed % 2**31,
        "samples": samples,
        "width": width,
        "height": height,
    }


def blender_engine(run: Run, samples: int = BLENDER_SAMPLES) -> Engine:
    """Blender's Cycles for the colours; ids, coverage and influence stay those of numpy.

    Parameters
    ----------
    run : executes a script in an interpreter that has `bpy`, with a job, and returns the picture
        it wrote, (H, W, 3) uint8. Processes and files are its business.
    samples : paths per pixel.

    Returns
    -------
    Engine
        Path tracing is not local: a pixel outside `influence` may change a little with an edit.

    Raises
    ------
    DataError
        From the engine, when the picture has another size or type.
    """

    def engine(scene: Scene, width: int, height: int) -> Rendered:
        rgb = run(SCRIPT, blender_job(scene, width, height, samples))
        if rgb.shape != (height, width, 3) or rgb.dtype != np.uint8:
            raise DataError(
                f"blender: expected ({height}, {width}, 3) uint8, found {rgb.shape} {rgb.dtype}"
            )
        return replace(numpy_engine(scene, width, height), rgb=rgb)

    return engine


ENGINES: dict[str, Engine] = {"numpy": numpy_engine}

__all__ = [
    "BLENDER_SAMPLES",
    "ENGINES",
    "Engine",
    "Run",
    "blender_engine",
    "blender_job",
    "numpy_engine",
]
