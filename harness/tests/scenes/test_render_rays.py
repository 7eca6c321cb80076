"""Rays, shadows and the camera against slower ways to the same answer."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

from harness.errors import DataError
from harness.scenes.camera import eye, project, screen_box, turned
from harness.scenes.idpass import SUB, directions, id_pass
from harness.scenes.palette import SHAPES, SIZES
from harness.scenes.rays import Floats, Triple, blocks, first_hit, from_centre, normal
from harness.scenes.scene import LIGHTS, Camera, Scene, SceneObject
from harness.scenes.shadows import (
    SAMPLES,
    can_occlude,
    can_shade,
    in_shadow_zone,
    light_samples,
    near,
    occlusion,
)
from harness.scenes.tone import shoulder, to_linear, to_srgb

KINDS = list(itertools.product(SHAPES, SIZES))


def thing(
    shape: str, size: str, x: float = 0.7, y: float = -0.4, turn: float = 33.0
) -> SceneObject:
    return SceneObject(
        id="o1", shape=shape, color="red", material="rubber", size=size, x=x, y=y, turn_deg=turn
    )


def generator(*parts: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(parts))


def depth_inside(item: SceneObject, point: Triple) -> Floats:
    """How deep points lie in the object: 1 at its middle, 0 on its surface, below 0 outside."""
    x, y, z = (np.abs(part) / item.radius for part in from_centre(item, point))
    if item.shape == "sphere":
        out = np.sqrt(x * x + y * y + z * z)
    elif item.shape == "cylinder":
        out = np.maximum(np.sqrt(x * x + y * y), z)
    else:
        out = np.maximum(np.maximum(x, y), z)
    depth: Floats = 1.0 - out
    return depth


def around(item: SceneObject, n: int, *parts: int) -> Triple:
    rng, near_by = generator(n, *parts), 3 * item.radius
    x, y, z = rng.uniform(-near_by, near_by, n), rng.uniform(-near_by, near_by, n), rng.random(n)
    return item.x + x, item.y + y, near_by * z


@pytest.mark.parametrize(("shape", "size"), KINDS)
def test_the_first_hit_lies_on_the_surface_and_no_earlier_point_inside(
    shape: str, size: str
) -> None:
    item, start = thing(shape, size), (5.0, -4.0, 3.0)
    goal = around(item, 200, 1)
    ray = tuple(goal[i] - start[i] for i in range(3))
    reach = first_hit(item, start, ray)
    steps = np.linspace(0.0, 2.0, 1201)[:, None]
    deep = depth_inside(item, tuple(start[i] + steps * ray[i] for i in range(3)))
    entered = (deep > 1e-9).any(0)
    assert 20 < np.isfinite(reach).sum() < 170
    assert not (entered & ~np.isfinite(reach)).any()
    assert (deep[:, ~np.isfinite(reach)] < 1e-9).all()
    met = np.isfinite(reach)
    at = tuple(start[i] + reach[met] * ray[i][met] for i in range(3))
    assert np.abs(depth_inside(item, at)).max() < 1e-9
    before = steps < reach[met]
    assert deep[:, met][before].max() < 1e-9


@pytest.mark.parametrize(("shape", "size"), KINDS)
def test_a_segment_is_blocked_where_it_passes_through(shape: str, size: str) -> None:
    item = thing(shape, size)
    points = around(item, 200, 2)
    outside = depth_inside(item, points) < 0
    points = tuple(part[outside] for part in points)
    targets = light_samples(LIGHTS[0], 5)
    found = blocks(item, points, targets)
    steps = np.linspace(0.0, 1.0, 1201)[:, None]
    for index in range(0, SAMPLES, 7):
        way = tuple(points[i] + steps * (targets[i][index] - points[i]) for i in range(3))
        deepest = depth_inside(item, way).max(0)
        clear = np.abs(deepest) > 4e-3
        assert (found[index] == (deepest > 0))[clear].all()
        assert clear.mean() > 0.9
    assert 5 < found[0].sum() < 150


@pytest.mark.parametrize(("shape", "size"), KINDS)
def test_zones_leave_out_no_point_that_an_object_acts_on(shape: str, size: str) -> None:
    item = thing(shape, size)
    for floor in (0.0, 0.2):
        rng = generator(3, int(10 * floor))
        points = tuple(rng.uniform(low, 2.4, 4000) for low in (-2.4, -2.4, floor))
        points = (points[0], points[1], floor + (points[2] - floor) * rng.integers(0, 2, 4000) / 3)
        for light in LIGHTS:
            acts = blocks(item, points, light_samples(light, 1)).any(0)
            zone = in_shadow_zone(item, light, points, floor)
            assert acts.sum() > 5, light.name
            assert not np.delete(acts, zone).any()
            assert zone.size < 3 * acts.sum() + 60
        taken = occlusion(item, points, (np.zeros(4000), np.zeros(4000), np.ones(4000)))
        assert (taken >= 0).all() and (taken <= 1).all() and (taken > 0).sum() > 5
        assert not np.delete(taken, near(item, points)).any()


def test_pairs_that_are_left_out_could_not_have_acted() -> None:
    left_out = [0, 0]
    for case in range(60):
        rng = generator(4, case)
        (a, b), (c, d) = rng.uniform(-3, 3, (2, 2))
        kinds = [KINDS[k] for k in rng.integers(0, len(KINDS), 2)]
        one = thing(kinds[0][0], kinds[0][1], a, b)
        other = thing(kinds[1][0], kinds[1][1], c, d)
        local = rng.uniform(-1, 1, (3, 500)) * other.radius
        points = (local[0] + other.x, local[1] + other.y, local[2] + other.radius)
        normals = tuple(part / np.sqrt((local * local).sum(0)) for part in local)
        outside = (depth_inside(one, points) < 0) & (depth_inside(other, points) >= 0)
        points = tuple(part[outside] for part in points)
        light = LIGHTS[case % 3]
        if not can_shade(one, other, light):
            left_out[0] += 1
            assert not blocks(one, points, light_samples(light, case)).any()
        if not can_occlude(one, other):
            left_out[1] += 1
            assert not occlusion(one, points, tuple(part[outside] for part in normals)).any()
    assert min(left_out) > 10


@pytest.mark.parametrize(("shape", "size"), KINDS)
def test_normals_are_of_length_one_and_point_outwards(shape: str, size: str) -> None:
    item = thing(shape, size)
    start = (5.0, -4.0, 3.0)
    goal = around(item, 200, 1)
    ray = tuple(goal[i] - start[i] for i in range(3))
    reach = first_hit(item, start, ray)
    met = np.isfinite(reach)
    at = tuple(start[i] + reach[met] * ray[i][met] for i in range(3))
    bent = normal(item, at)
    assert np.abs(sum(part * part for part in bent) - 1).max() < 1e-8
    outwards = tuple(at[i] + 0.02 * bent[i] for i in range(3))
    assert (depth_inside(item, outwards) < 0).all()


def test_the_camera_is_a_rotation_and_projects_as_its_rays_go() -> None:
    camera = Camera(position=(6.9, -6.1, 5.0), rotation_deg=(61.0, 2.5, 48.0))
    view = eye(camera, 320, 240)
    axes = np.array([view.right, view.up, view.back])
    assert np.abs(axes @ axes.T - np.eye(3)).max() < 1e-8
    assert abs(np.linalg.det(axes) - 1) < 1e-8
    columns, rows = np.array([3, 400, 900]), np.array([700, 30, 333])
    ray = directions(view, columns, rows, grid=False)
    for index in range(3):
        x, y, z = (view.position[i] + 7.5 * ray[i][index] for i in range(3))
        column, row = project(camera, x, y, z, 320, 240)
        assert column * SUB - 0.5 == pytest.approx(columns[index], abs=1e-4)
        assert row * SUB - 0.5 == pytest.approx(rows[index], abs=1e-4)
    grid = directions(view, columns, rows)
    assert all(np.array_equal(np.diagonal(grid[i]), ray[i]) for i in range(3))


def test_clevr_camera_looks_where_clevr_looked() -> None:
    """Left of the picture is CLEVR's "left" direction, (-0.6563, -0.7545, 0)."""
    view = eye(Camera(), 480, 320)
    flat = math.hypot(view.right[0], view.right[1])
    assert view.right[0] / flat == pytest.approx(0.6563, abs=0.03)
    assert view.right[1] / flat == pytest.approx(0.7545, abs=0.03)
    assert 2 * math.degrees(math.atan(view.scale)) == pytest.approx(49.134, abs=1e-6)


@pytest.mark.parametrize(("shape", "size"), KINDS)
def test_nothing_of_an_object_lies_outside_its_box(shape: str, size: str) -> None:
    for x, y, camera in (
        (0.3, 0.2, Camera()),
        (2.9, -2.9, Camera()),
        (-3.0, 3.0, Camera(position=(6.9, -6.9, 5.1))),
        (5.2, -4.4, Camera()),
        (6.2, -5.4, Camera()),
        (12.0, -9.0, Camera()),
    ):
        item = thing(shape, size, x, y, 45.0)
        view = eye(camera, 96, 72)
        ray = directions(view, np.arange(SUB * 96), np.arange(SUB * 72))
        rows, columns = np.nonzero(np.isfinite(first_hit(item, view.position, ray)))
        expected = np.zeros((72, 96), np.uint8)
        np.add.at(expected, (rows // SUB, columns // SUB), 1)
        assert np.array_equal(
            id_pass(Scene(objects=(item,), camera=camera), 96, 72).solo[0], expected
        )
        top, bottom, left, right = screen_box(view, item)
        assert 0 <= top <= bottom <= 72 and 0 <= left <= right <= 96


def test_light_samples_fill_the_light_once_in_each_direction() -> None:
    for light in LIGHTS:
        points = np.array(light_samples(light, 11))
        middle = np.array(light.position)
        away = points.T - middle
        assert np.abs(away @ middle).max() < 1e-9
        assert np.abs(away).max() <= light.side * 0.7072
        across = np.array([-middle[1], middle[0], 0.0]) / math.hypot(middle[0], middle[1])
        strata = np.floor((away @ across / light.side + 0.5) * SAMPLES)
        assert sorted(strata.astype(int)) == list(range(SAMPLES))
    one, other = (light_samples(LIGHTS[0], seed) for seed in (1, 2))
    assert not np.array_equal(one[0], other[0])


def test_levels_are_the_nearest_of_srgb() -> None:
    exact = np.array([to_linear(float(level)) for level in range(256)])
    assert to_srgb(exact).tolist() == list(range(256))
    between = np.array([to_linear(level + 0.5) for level in range(255)])
    assert to_srgb(between - 1e-9).tolist() == list(range(255))
    assert to_srgb(between + 1e-9).tolist() == list(range(1, 256))
    light = np.linspace(0, 50, 1001)
    assert (np.diff(shoulder(light)) > 0).all() and shoulder(light).max() < 1


def test_trigonometry_is_rounded() -> None:
    assert turned(60.0) == (0.5, 0.866025404)
    assert turned(180.0) == (-1.0, 0.0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: eye(Camera(), 0, 10), "0x10"),
        (lambda: eye(Camera(), 10, 5000), "10x5000"),
        (lambda: eye(Camera(position=(1.0, 1.0, 0.0)), 10, 10), "height above 0"),
        (lambda: eye(Camera(fov_deg=180.0), 10, 10), "found 180"),
        (lambda: project(Camera(), 20.0, -20.0, 9.0, 10, 10), "in front of the camera"),
    ],
)
def test_what_no_camera_can_see_is_refused(call: Callable[[], object], words: str) -> None:
    with pytest.raises(DataError, match=words):
        call()
