"""What is measured from the arrays: colour, areas, pieces, places and silhouettes."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import DataError
from harness.scenes.calibrate import spread, tint
from harness.scenes.hues import chroma, difference, lab, nearest
from harness.scenes.idpass import id_pass
from harness.scenes.palette import COLORS, CONFUSABLE, MATERIALS, SHAPES, SIZES
from harness.scenes.render import Rendered, render
from harness.scenes.scene import Camera, Scene, SceneObject
from harness.scenes.seen import pair, pieces, see
from harness.scenes.silhouette import camera_left, outline, shape_fits
from harness.scenes.tints import TINTS
from harness.tests.scenes import made


def arrays(*masks: list[str], color: tuple[int, int, int] = (200, 20, 20)) -> Rendered:
    """A picture by hand: one mask an object, of digits 0 to 9 sub-samples."""
    coverage = np.array([[[int(c) for c in row] for row in mask] for mask in masks], np.uint8)
    ids = np.full(coverage.shape[1:], -1, np.int16)
    for k, mask in enumerate(coverage):
        ids[mask >= 5] = k
    rgb = np.full((*ids.shape, 3), 90, np.uint8)
    rgb[ids >= 0] = color
    return Rendered(
        rgb=rgb,
        object_ids=tuple(f"o{k}" for k in range(len(masks))),
        ids=ids,
        coverage=coverage,
        solo=coverage.copy(),
        influence=coverage > 0,
    )


def test_lab_of_known_colours() -> None:
    # The conversion's own landmarks: ends of the gray axis and the primaries of IEC 61966-2-1.
    for rgb, wanted in [
        ((0, 0, 0), (0, 0, 0)),
        ((255, 255, 255), (100, 0, 0)),
        ((119, 119, 119), (50.03, 0, 0)),
        ((255, 0, 0), (53.24, 80.09, 67.20)),
        ((0, 255, 0), (87.74, -86.18, 83.18)),
        ((0, 0, 255), (32.30, 79.19, -107.86)),
    ]:
        assert lab(*rgb) == pytest.approx(wanted, abs=0.04)
    with pytest.raises(DataError, match=r"\[0, 255\]"):
        lab(0, 0, 256)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 254))
def test_gray_is_neutral_and_lightness_grows(value: int) -> None:
    assert chroma(lab(value, value, value)) == 0
    assert lab(value, value, value)[0] < lab(value + 1, value + 1, value + 1)[0]


def test_nearest_counts_lightness_half() -> None:
    centres = {"a": [(50.0, 0.0, 0.0)], "b": [(50.0, 30.0, 0.0), (90.0, 30.0, 0.0)]}
    assert nearest((70.0, 16.0, 0.0), centres)[0] == "b"
    assert nearest((50.0, 0.0, 0.0), centres) == ("a", 30.0)
    assert difference((0, 0, 0), (8, 3, 0), 0.5) == 5
    with pytest.raises(DataError, match="two or more"):
        nearest((0, 0, 0), {"a": [(0, 0, 0)]})


def test_the_table_of_tints_is_what_the_renderer_makes() -> None:
    assert set(TINTS) == set(COLORS)

    def picture(scene: Scene) -> Rendered:
        return render(scene, width=128, height=96)

    for color, material in (("gray", "rubber"), ("purple", "metal")):
        found = tint(color, material, picture)
        assert difference(found, TINTS[color][MATERIALS.index(material)]) < 2.5
    apart = spread(TINTS)
    assert len(apart) == 28
    assert min(v for k, v in apart.items() if frozenset(k) not in CONFUSABLE) > 20


def test_measures_of_a_picture_by_hand() -> None:
    rendered = arrays(
        ["0000000000", "0990000000", "0991000000", "0000000000", "0000000000"],
        ["0000000000", "0000000000", "0000000599", "0000000599", "0000000000"],
    )
    seen = see(rendered)
    one, other = seen.objects["o0"], seen.objects["o1"]
    assert (seen.width, seen.height, seen.strangers) == (10, 5, ())
    assert (one.pixels, one.pieces, one.core, one.visible) == (4, 1, 4, 1.0)
    assert one.box == (1, 1, 3, 2)
    assert one.centroid == pytest.approx(((18 * 1 + 18 * 2 + 3) / 37, (18 + 2 * 19) / 37))
    assert one.radius == pytest.approx(1.25**0.5 + 0.5)
    assert (seen.border_gap("o0"), seen.border_gap("o1")) == (1, 0)
    between = pair(one, other)
    assert between is not None
    assert between.box_gap == 3
    assert between.centroid_gap == pytest.approx(other.centroid[0] - one.centroid[0])
    assert between.disc_gap == pytest.approx((36 + 1) ** 0.5 - one.radius - other.radius)
    assert one.color is not None
    assert (one.color.rgb, one.color.name, one.color.clipped) == ((200, 20, 20), "red", 0)
    white = see(arrays(["999", "999"], color=(250, 255, 251))).objects["o0"].color
    assert white is not None
    assert white.clipped == 1
    assert [o.id for o in seen.of_color("red")] == ["o0", "o1"]


def test_what_is_hidden_torn_or_unknown() -> None:
    torn = arrays(["99099", "99099"], ["00000", "00000"])
    torn.solo[0, :, 2] = 9
    torn.ids[0, 2] = 7
    seen = see(torn)
    assert (seen.objects["o0"].pieces, seen.objects["o0"].visible) == (2, 0.8)
    hidden = seen.objects["o1"]
    assert (hidden.core, hidden.pieces, hidden.visible, hidden.box) == (0, 0, 0.0, None)
    assert (hidden.color, seen.border_gap("o1"), pair(hidden, seen.objects["o0"])) == (None,) * 3
    assert seen.strangers == (7,)
    with pytest.raises(DataError, match="expected solo of shape"):
        see(replace(torn, solo=torn.solo[:1]))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=7, max_size=7), min_size=1, max_size=7))
def test_pieces_agree_with_flood_fill(rows: list[list[bool]]) -> None:
    left = {(y, x) for y, row in enumerate(rows) for x, on in enumerate(row) if on}
    n = 0
    while left:
        n += 1
        front = [left.pop()]
        while front:
            y, x = front.pop()
            for cell in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if cell in left:
                    left.remove(cell)
                    front.append(cell)
    assert pieces(np.array(rows)) == n


def test_every_silhouette_is_its_own_and_no_other() -> None:
    for shape, size, (x, y) in product(SHAPES, SIZES, ((0.0, 0.0), (-2.2, 1.9))):
        thing = SceneObject(
            id="o1", shape=shape, color="red", material="metal", size=size, x=x, y=y, turn_deg=33
        )
        solo = id_pass(Scene(objects=(thing,)), 96, 72).solo[0]
        fits = shape_fits(solo, Camera(), thing)
        best = max(fits, key=lambda kind: fits[kind])
        assert best == (shape, size)
        assert fits[best] > (0.985 if (shape, size) == ("sphere", "large") else 0.95)
        assert sorted(fits.values())[-2] < 0.85
        moved = shape_fits(solo, Camera(), replace(thing, x=x + 0.3))
        assert moved[shape, size] < 0.9


def test_silhouettes_of_nothing_and_of_what_is_behind() -> None:
    thing = made.thing("o1", "cube", "red", 0, 0)
    assert set(shape_fits(np.zeros((72, 96), np.uint8), Camera(), thing).values()) == {0.0}
    behind = replace(thing, x=30, y=-30)
    assert set(shape_fits(np.ones((72, 96), np.uint8), Camera(), behind).values()) == {0.0}
    with pytest.raises(DataError, match="in front of the camera"):
        outline(Camera(), behind, 96, 72)


def test_the_cameras_left_is_left_in_the_picture() -> None:
    for camera in (Camera(), Camera(position=(6, 6, 5), rotation_deg=(60, 0, 135))):
        x, y = camera_left(camera)
        assert x * x + y * y == pytest.approx(1)
        middle = made.thing("o1", "sphere", "red", 0, 0)
        left = replace(middle, x=x, y=y)
        columns = [outline(camera, o, 96, 72)[:, 0].mean() for o in (left, middle)]
        assert columns[0] < columns[1] - 5
