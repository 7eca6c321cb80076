"""Scenes that the tests of the renderer share, and the hashes of their pictures."""

from __future__ import annotations

import hashlib
from dataclasses import fields
from typing import Any

import numpy as np

from harness.scenes.palette import COLORS, MATERIALS, SHAPES, SIZES
from harness.scenes.render import Rendered
from harness.scenes.scene import Camera, Light, Scene, SceneObject


def drawn(seed: int, count: int, **changes: Any) -> Scene:
    """Objects of every kind that do not meet, from a seed."""
    rng = np.random.Generator(np.random.PCG64(seed))
    things: list[SceneObject] = []
    while len(things) < count:
        index = len(things) + seed
        thing = SceneObject(
            id=f"o{len(things)}",
            shape=SHAPES[index % 3],
            color=tuple(COLORS)[index % 8],
            material=MATERIALS[index % 2],
            size=tuple(SIZES)[rng.integers(2)],
            x=rng.uniform(-3, 3),
            y=rng.uniform(-3, 3),
            turn_deg=rng.uniform(0, 360),
        )
        gaps = [
            (other.x - thing.x) ** 2
            + (other.y - thing.y) ** 2
            - (SIZES[other.size] + SIZES[thing.size] + 0.1) ** 2
            for other in things
        ]
        if all(gap > 0 for gap in gaps):
            things.append(thing)
    return Scene(objects=tuple(things), seed=seed, **changes)


SCENES = {
    "nothing": Scene(objects=()),
    "three": drawn(1, 3),
    "ten": drawn(2, 10),
    "jittered": drawn(
        3,
        6,
        camera=Camera(position=(7.1, -6.9, 5.5)),
        lights=(
            Light(name="key", position=(6.0, -2.1, 4.9), side=0.5, color=(1.0, 0.9, 0.8), power=80),
            Light(name="back", position=(0.0, 0.0, 5.0), side=1.0, color=(0.8, 0.9, 1.0), power=60),
        ),
    ),
}


def hashes(picture: Rendered) -> dict[str, str]:
    """SHA-256 of every array, first 32 hex digits."""
    return {
        field.name: hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()[:32]
        for field in fields(picture)
        if isinstance(value := getattr(picture, field.name), np.ndarray)
    }
