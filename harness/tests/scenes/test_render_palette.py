"""The palette as seen: every colour stays itself in either material, at any place and size."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from harness.scenes.hues import Lab, lab
from harness.scenes.palette import COLORS, CONFUSABLE, MATERIALS, SHAPES, SIZES
from harness.scenes.render import render
from harness.scenes.scene import Scene, SceneObject

PLACES = ((-2.1, -1.8), (2.1, -1.8), (-2.0, 1.8), (2.0, 1.8))
Key = tuple[str, str, str, str, int]


@pytest.fixture(scope="module")
def seen() -> dict[Key, Lab]:
    """Median colour of whole pixels, of each colour and kind of object in two of four places."""
    found: dict[Key, Lab] = {}
    names = tuple(COLORS)
    kinds = itertools.product(MATERIALS, SIZES, SHAPES, range(4))
    for material, size, shape, shift in kinds:
        part = names[:4] if shift % 2 else names[4:]
        things = tuple(
            SceneObject(
                id=color,
                shape=shape,
                color=color,
                material=material,
                size=size,
                x=PLACES[(place + shift) % 4][0],
                y=PLACES[(place + shift) % 4][1],
                turn_deg=30.0 * place,
            )
            for place, color in enumerate(part)
        )
        picture = render(Scene(objects=things), width=160, height=120)
        for index, color in enumerate(picture.object_ids):
            core = picture.rgb[picture.coverage[index] == 9]
            assert (core.min(axis=1) >= 250).mean() <= 0.15
            red, green, blue = np.median(core, axis=0)
            found[material, size, shape, color, shift] = lab(red, green, blue)
    return found


def chroma(value: Lab) -> float:
    return math.hypot(value[1], value[2])


def test_gray_is_of_middle_lightness_and_without_hue(seen: dict[Key, Lab]) -> None:
    grays = [value for key, value in seen.items() if key[3] == "gray"]
    assert min(value[0] for value in grays) >= 38
    assert max(value[0] for value in grays) <= 60
    assert max(map(chroma, grays)) <= 6


def test_other_colours_keep_their_chroma_in_metal(seen: dict[Key, Lab]) -> None:
    for color in set(COLORS) - {"gray"}:
        mean = {
            material: np.mean(
                [chroma(v) for k, v in seen.items() if k[0] == material and k[3] == color]
            )
            for material in MATERIALS
        }
        assert mean["metal"] >= 0.65 * mean["rubber"], color
        assert min(chroma(v) for k, v in seen.items() if k[3] == color) >= 18


def test_two_colours_that_are_not_confusable_are_far_apart(seen: dict[Key, Lab]) -> None:
    for one, other in itertools.combinations(COLORS, 2):
        nearest = min(
            math.dist(a, b)
            for (j, a), (k, b) in itertools.product(seen.items(), repeat=2)
            if j[3] == one and k[3] == other
        )
        limit = 15 if frozenset({one, other}) in CONFUSABLE else 25
        assert nearest >= limit, (one, other)
