"""The free sampler: CLEVR's placing, moved cameras, seven factors."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from math import hypot

import pytest

from harness.errors import DataError
from harness.scenes.free import JITTER, LEAST, MOST, free_triplet
from harness.scenes.palette import SIZES
from harness.scenes.scene import LIGHTS, Camera, Scene, SceneObject
from harness.scenes.slots import View
from harness.scenes.triplet import FREE_FACTORS, VARIANTS, Query, Triplet

EACH = pytest.mark.parametrize("factor", FREE_FACTORS)
N = 8


@cache
def drawn(factor: str) -> list[Triplet]:
    return [free_triplet(factor, index) for index in range(N)]


def one_of(scene: Scene, color: str | None, shape: str | None) -> SceneObject:
    (one,) = (o for o in scene.objects if o.shape == shape and color in (None, o.color))
    return one


def answer(query: Query, scene: Scene) -> str:
    """The right candidate by the record of the scene, through the query alone."""
    if query.factor == "count":
        return str(sum(one.color == query.color for one in scene.objects))
    if query.factor == "presence":
        found = [o for o in scene.objects if (o.color, o.shape) == (query.color, query.shape)]
        assert len(found) <= 1
        return "yes" if found else "no"
    if query.factor in ("attribute", "material", "size"):
        field = "color" if query.factor == "attribute" else query.factor
        return str(getattr(one_of(scene, query.color, query.shape), field))
    assert query.first and query.second
    one, other = one_of(scene, *query.first), one_of(scene, *query.second)
    left = View(scene.camera).left
    if query.factor == "spatial":
        lateral = (one.x - other.x) * left[0] + (one.y - other.y) * left[1]
        assert abs(lateral) > 0.4
        return "yes" if lateral > 0 else "no"
    eye = scene.camera.position
    near = min((one, other), key=lambda o: hypot(o.x - eye[0], o.y - eye[1]))
    return f"{near.color} {near.shape}"


@EACH
def test_every_specimen_keeps_its_question_and_its_gold(factor: str) -> None:
    for found in drawn(factor):
        base = found.scenes["base"]
        for variant in VARIANTS:
            scene = found.scenes[variant]
            assert found.candidates["AB".index(found.gold[variant])] == answer(found.query, scene)
            assert (scene.camera, scene.lights, scene.seed) == (base.camera, base.lights, base.seed)
            assert LEAST - 1 <= len(scene.objects) <= MOST
        assert found.gold["irrelevant"] == found.gold["base"] != found.gold["relevant"]
        for edit in ("relevant", "irrelevant"):
            here = {one.id: one for one in base.objects}
            there = {one.id: one for one in found.scenes[edit].objects}
            touched = {name for name in {*here, *there} if here.get(name) != there.get(name)}
            assert touched == set(found.edited[edit])


@EACH
def test_objects_camera_and_lights_keep_their_bounds(factor: str) -> None:
    for found in drawn(factor):
        scene = found.scenes["base"]
        assert LEAST <= len(scene.objects) <= MOST
        moved = [(scene.camera.position, Camera().position)]
        moved += [(a.position, b.position) for a, b in zip(scene.lights, LIGHTS, strict=True)]
        parts = [abs(a - b) for one, other in moved for a, b in zip(one, other, strict=True)]
        assert max(parts) <= JITTER + 1e-9
        assert max(parts) > 0.01
        for one, other in combinations(scene.objects, 2):
            gap = hypot(one.x - other.x, one.y - other.y) - SIZES[one.size] - SIZES[other.size]
            assert gap >= 0.25 - 1e-3


def test_an_occluded_pair_overlaps_in_the_picture() -> None:
    for found in drawn("occlusion"):
        scene = found.scenes["base"]
        view = View(scene.camera)
        (ax, ay, ar), (bx, by, br) = (view.disc(scene[name]) for name in found.queried["base"])
        assert hypot(ax - bx, ay - by) < ar + br


@EACH
def test_letters_and_values_are_level(factor: str) -> None:
    cells = Counter((one.gold["base"], one.design["value"]) for one in drawn(factor))
    assert set(cells.values()) == {N // 4}


def test_draws_do_not_depend_on_each_other() -> None:
    forth = [free_triplet("size", index) for index in range(6)]
    assert [free_triplet("size", index) for index in reversed(range(6))] == forth[::-1]
    assert free_triplet("size", 0, master_seed=1) != forth[0]
    for factor, index in (("colour", 0), ("size", -1)):
        with pytest.raises(DataError, match="expected"):
            free_triplet(factor, index)
