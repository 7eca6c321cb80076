"""Pictures: what they show, that an edit stays local, that equal scenes have equal pixels."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness import ids
from harness.errors import DataError
from harness.scenes import light, render
from harness.scenes.idpass import id_pass
from harness.scenes.render import Rendered
from harness.scenes.scene import Camera, Light, Scene, SceneObject
from harness.scenes.tone import to_linear, to_srgb
from harness.tests.scenes.rendered_scenes import SCENES, drawn, hashes

SMALL = {"width": 96, "height": 72}
PINNED = {"width": 64, "height": 48}


def changed(before: Rendered, after: Rendered) -> Any:
    return (before.rgb != after.rgb).any(axis=2)


@pytest.mark.parametrize("name", SCENES)
def test_pixels_are_pinned(name: str, golden: Callable[[str, Any], None]) -> None:
    """Equal under numpy 1.26 to 2.4 and Python 3.11 to 3.13: only +, -, *, / and roots."""
    golden(f"scenes/render_{name}", hashes(render.render(SCENES[name], **PINNED)))


def test_every_pinned_picture_is_a_scene_of_this_file() -> None:
    folder = Path(__file__).parents[3] / "golden/scenes"
    assert {path.stem for path in folder.glob("render_*.json")} == {f"render_{n}" for n in SCENES}


def test_arrays_have_the_promised_form() -> None:
    for name, scene in SCENES.items():
        picture = render.render(scene, **SMALL)
        n = len(scene.objects)
        assert picture.object_ids == tuple(sorted(thing.id for thing in scene.objects)), name
        expected: dict[str, tuple[tuple[int, ...], type]] = {
            "rgb": ((72, 96, 3), np.uint8),
            "ids": ((72, 96), np.int16),
            "coverage": ((n, 72, 96), np.uint8),
            "solo": ((n, 72, 96), np.uint8),
            "influence": ((n, 72, 96), np.bool_),
        }
        for field, (shape, kind) in expected.items():
            array = getattr(picture, field)
            assert (array.shape, array.dtype) == (shape, kind), (name, field)


def test_ids_coverage_and_silhouettes_agree() -> None:
    for scene in SCENES.values():
        picture = render.render(scene, **SMALL)
        assert (picture.coverage.sum(axis=0) <= 9).all()
        assert (picture.coverage <= picture.solo).all()
        for index, name in enumerate(picture.object_ids):
            alone = id_pass(replace(scene, objects=(scene[name],)), 96, 72)
            assert np.array_equal(alone.coverage[0], picture.solo[index])
            assert (picture.coverage[index][picture.ids == index] > 0).all()
            assert (picture.ids[picture.coverage[index] == 9] == index).all()
            assert picture.influence[index][picture.coverage[index] > 0].all()
        covered = picture.coverage.sum(axis=0)
        assert (covered[picture.ids == -1] < 9).all()
        assert (picture.ids[covered == 0] == -1).all()


def test_the_id_pass_alone_is_that_of_the_picture() -> None:
    for scene in SCENES.values():
        seen, picture = id_pass(scene, 96, 72), render.render(scene, **SMALL)
        assert seen.object_ids == picture.object_ids
        for name in ("ids", "coverage", "solo"):
            assert np.array_equal(getattr(seen, name), getattr(picture, name)), name


@pytest.mark.parametrize(("far", "near"), [("o1", "o2"), ("o2", "o1")])
def test_a_nearer_object_hides_a_farther_one(far: str, near: str) -> None:
    x, y, _ = Camera().position
    common: dict[str, Any] = {"shape": "cube", "material": "rubber"}
    behind = SceneObject(id=far, color="red", size="small", x=-0.1 * x, y=-0.1 * y, **common)
    front = SceneObject(id=near, color="blue", size="large", x=0.1 * x, y=0.1 * y, **common)
    picture = render.render(Scene(objects=(behind, front)), width=160, height=120)
    hidden, whole = (picture.object_ids.index(name) for name in (far, near))
    assert picture.coverage[hidden].sum() < picture.solo[hidden].sum()
    assert np.array_equal(picture.coverage[whole], picture.solo[whole])


def test_an_edge_is_the_mean_of_its_nine_sub_samples() -> None:
    """A picture of three times the size has those sub-samples at the centres of its pixels."""
    small = render.render(SCENES["ten"], width=128, height=96)
    large = render.render(SCENES["ten"], width=384, height=288)
    assert np.array_equal(large.ids[1::3, 1::3], small.ids)
    whole = (large.coverage == 9).any(axis=0) | (large.coverage == 0).all(axis=0)
    parts = whole.reshape(96, 3, 128, 3).all(axis=(1, 3))
    edges = parts & ((small.coverage > 0) & (small.coverage < 9)).any(axis=0)
    table = np.array([to_linear(float(level)) for level in range(256)])
    mean = table[large.rgb].reshape(96, 3, 128, 3, 3).mean(axis=(1, 3))
    assert edges.sum() >= 8
    assert np.abs(to_srgb(mean)[edges].astype(int) - small.rgb[edges]).max() <= 1


EDITS = ("recolour", "material", "remove", "move", "add")


def edited(scene: Scene, name: str, edit: str) -> Scene:
    thing, others = scene[name], tuple(o for o in scene.objects if o.id != name)
    if edit == "remove":
        return replace(scene, objects=others)
    if edit == "add":
        more = replace(thing, id="zz", x=-thing.x * 0.7 + 0.2, y=-thing.y * 0.7 - 0.1)
        return replace(scene, objects=(more, *scene.objects))
    edits: dict[str, dict[str, Any]] = {
        "recolour": {"color": "yellow" if thing.color != "yellow" else "blue"},
        "material": {"material": "metal" if thing.material == "rubber" else "rubber"},
        "move": {"x": thing.x + 0.6, "y": thing.y - 0.9, "turn_deg": thing.turn_deg / 2},
    }
    return replace(scene, objects=(*others, replace(thing, **edits[edit])))


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_changes_no_pixel_outside_the_influence_of_its_object(edit: str) -> None:
    seen = 0
    for scene in (SCENES["jittered"], drawn(7, 8)):
        before = render.render(scene, **SMALL)
        for index, name in enumerate(before.object_ids[:4]):
            after = render.render(edited(scene, name, edit), **SMALL)
            allowed = before.influence[index] & (edit != "add")
            for key in (name if edit != "add" else "zz",):
                if key in after.object_ids:
                    allowed = allowed | after.influence[after.object_ids.index(key)]
            moved = changed(before, after)
            assert not (moved & ~allowed).any(), (edit, name)
            if edit in ("recolour", "material"):
                assert np.array_equal(before.ids, after.ids)
                assert not (moved & (before.coverage[index] == 0)).any()
                core = before.coverage[index] == 9
                assert moved[core].mean() > 0.95
            seen += int(moved.sum())
    assert seen > 1000


def test_the_influence_is_not_much_more_than_what_changes() -> None:
    scene = drawn(7, 8)
    before = render.render(scene, width=160, height=120)
    for index, name in enumerate(before.object_ids):
        moved = changed(before, render.render(edited(scene, name, "remove"), width=160, height=120))
        assert moved.sum() > 0.5 * before.influence[index].sum(), name


def test_the_order_of_the_objects_has_no_effect() -> None:
    scene = SCENES["ten"]
    turned = replace(scene, objects=scene.objects[::-1])
    assert hashes(render.render(turned, **SMALL)) == hashes(render.render(scene, **SMALL))


def test_the_seed_moves_soft_shadows_and_nothing_else() -> None:
    one = render.render(SCENES["three"], **SMALL)
    other = render.render(replace(SCENES["three"], seed=99), **SMALL)
    assert np.array_equal(one.ids, other.ids)
    moved = changed(one, other)
    touched = (one.influence | other.influence).any(axis=0)
    assert moved.any() and not (moved & ~touched).any()
    assert np.abs(one.rgb.astype(int) - other.rgb).max() < 24


def test_the_number_of_points_at_once_has_no_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = hashes(render.render(SCENES["ten"], **SMALL))
    inner: Any = light.points_of

    def in_parts(lamps: Any, things: Any, points: Any, influence: Any) -> Any:
        parts = []
        for where in np.array_split(points, 7):
            part = inner(things, *rest, where, *ends)
            parts.append(light.surface_light(lamps, things, part, influence))
        return [np.concatenate(channel) for channel in zip(*parts, strict=True)]

    rest: tuple[Any, ...] = ()
    ends: tuple[Any, ...] = ()

    def held(things: Any, owner: int, where: Any, view: Any, samples: Any) -> Any:
        nonlocal rest, ends
        rest, ends = (owner,), (view, samples)
        return where

    monkeypatch.setattr(render, "points_of", held)
    monkeypatch.setattr(render, "surface_light", in_parts)
    assert hashes(render.render(SCENES["ten"], **SMALL)) == whole


_ELSEWHERE = """
import json, sys
from harness.scenes.render import render
from harness.scenes.scene import from_json
from harness.tests.scenes.rendered_scenes import hashes
print(json.dumps(hashes(render(from_json(json.load(sys.stdin)), width=96, height=72))))
"""


def test_another_process_with_other_threads_gives_the_same_bytes() -> None:
    told = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE],
        input=ids.canonical_json(SCENES["jittered"].to_json()),
        env={"OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(told.stdout) == hashes(render.render(SCENES["jittered"], **SMALL))


def test_a_larger_picture_shows_the_same_scene() -> None:
    large = render.render(SCENES["ten"], width=192, height=144)
    small = render.render(SCENES["ten"], **SMALL)
    mean = large.rgb.reshape(72, 2, 96, 2, 3).astype(float).mean(axis=(1, 3))
    assert np.abs(mean - small.rgb).mean() < 4
    tall = render.render(SCENES["ten"], width=48, height=64)
    assert tall.rgb.shape == (64, 48, 3)


@pytest.mark.parametrize(
    ("scene", "size", "words"),
    [
        (SCENES["three"], (0, 48), "0x48"),
        (replace(SCENES["three"], camera=Camera(position=(1.0, 1.0, -1.0))), (64, 48), "height"),
        (
            replace(
                SCENES["three"],
                lights=(
                    Light(name="low", position=(5.0, 0, 0.5), side=0.5, color=(1, 1, 1), power=9),
                ),
            ),
            (64, 48),
            "light low: expected it above",
        ),
    ],
)
def test_what_cannot_be_rendered_is_refused(
    scene: Scene, size: tuple[int, int], words: str
) -> None:
    with pytest.raises(DataError, match=words):
        render.render(scene, width=size[0], height=size[1])
