"""The geometry of views against an independent reference on arrays, pixel by pixel."""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFont

from harness.tests.vision.made_split import ROWS, SIZES, MadeSplit, picture
from harness.types import View
from harness.vision import panels
from harness.vision.metadata import drawn
from harness.vision.multiview import quadrant_boxes
from harness.vision.resolution import downsampled, fitted, squared
from harness.vision.views import apply, named

Pixels = npt.NDArray[np.uint8]
SIDES = st.integers(1, 3000)


def pixels(image: Image.Image) -> Pixels:
    return np.asarray(image.convert("RGB"))


def shown(name: str, image: Image.Image, seed: int = 7) -> list[Pixels]:
    return [pixels(i) for i in apply(named(name, seed), (image,), MadeSplit())]


# Resampling, as separate sums of weights: Pillow rounds twice and its weights have 22 bits.


def triangle(x: float) -> float:
    return max(0.0, 1 - abs(x))


def lanczos(x: float) -> float:
    if x == 0 or abs(x) >= 3:
        return float(x == 0)
    return math.sin(math.pi * x) * math.sin(math.pi * x / 3) / (math.pi**2 * x**2 / 3)


def weights(n_in: int, n_out: int, kernel: Any, support: float) -> npt.NDArray[np.float64]:
    scale = n_in / n_out
    stretch = max(scale, 1.0)
    matrix = np.zeros((n_out, n_in))
    for i in range(n_out):
        centre = (i + 0.5) * scale
        for j in range(n_in):
            x = (j + 0.5 - centre) / stretch
            matrix[i, j] = kernel(x) if abs(x) < support else 0.0
    return matrix / matrix.sum(axis=1, keepdims=True)


def rounded(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.clip(np.floor(values + 0.5 + 1e-9), 0, 255)


def resized(image: Pixels, size: tuple[int, int], kernel: Any, support: float) -> Pixels:
    across = weights(image.shape[1], size[0], kernel, support)
    down = weights(image.shape[0], size[1], kernel, support)
    rows = rounded(np.einsum("ij,yjc->yic", across, image.astype(float)))
    return rounded(np.einsum("ij,jxc->ixc", down, rows)).astype(np.uint8)


def near(a: Pixels, b: Pixels) -> bool:
    return a.shape == b.shape and int(np.abs(a.astype(int) - b.astype(int)).max()) <= 1


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (31, 17), (2, 60)])
@pytest.mark.parametrize("ratio", [0.5, 0.25])
def test_downsampling_by_another_way(size: tuple[int, int], ratio: float) -> None:
    image = picture(*size)
    small = (max(1, round(size[0] * ratio)), max(1, round(size[1] * ratio)))
    down = resized(pixels(image), small, triangle, 1)
    assert near(pixels(downsampled(image, ratio)), resized(down, size, triangle, 1))


@pytest.mark.parametrize("size", [(1, 1), (3, 2), (60, 44), (130, 9), (9, 70)])
def test_fitting_by_another_way(size: tuple[int, int]) -> None:
    image, box = picture(*size), (48, 46)
    scale = min(box[0] / size[0], box[1] / size[1])
    wanted = (max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
    assert near(pixels(fitted(image, box)), resized(pixels(image), wanted, lanczos, 3))


@settings(max_examples=50, deadline=None)
@given(SIDES, SIDES, st.integers(1, 40), st.integers(1, 40))
def test_a_fitted_picture_touches_its_box(w: int, h: int, bw: int, bh: int) -> None:
    size = fitted(Image.new("1", (min(w, 200), min(h, 200))), (bw, bh)).size
    assert size[0] == bw or size[1] == bh
    assert 1 <= size[0] <= bw and 1 <= size[1] <= bh


# Panels and canvas.


def panel_reference(image: Image.Image) -> Pixels:
    """A panel without its label."""
    inner = pixels(fitted(image, (488, 466)))
    h, w = inner.shape[:2]
    panel = np.full((512, 512, 3), 255, np.uint8)
    x, y = (512 - w) // 2, 34 + (478 - h) // 2
    panel[y : y + h, x : x + w] = inner
    return panel


def canvas_reference(placed: list[Pixels], labels: bool = True) -> Pixels:
    n = len(placed)
    canvas = np.full((512 * math.ceil(n / 2), 512 * min(n, 2), 3), 0xD9, np.uint8)
    for i, panel in enumerate(placed):
        y, x = 512 * (i // 2), 512 * (i % 2)
        canvas[y : y + 512, x : x + 512] = panel
        strip = Image.new("RGB", (96, 30), "white")
        font = ImageFont.load_default(22)
        ImageDraw.Draw(strip).text((8, 4), "Panel " + "ABCDEFGH"[i], fill="black", font=font)
        canvas[y : y + 30, x : x + 96] = pixels(strip)
    return canvas


def others_of(name: str, seed: int) -> list[Pixels]:
    """The panels beside the target, in the order of drawing."""
    if "blank" in name:
        return [np.full((512, 512, 3), 255, np.uint8)]
    if "noise" in name:
        key = hashlib.sha256(f"{seed}::r0::distractor_1::noise".encode()).digest()[:8]
        raw = hashlib.shake_256(key).digest(512 * 512 * 3)
        return [np.frombuffer(raw, np.uint8).reshape(512, 512, 3)]
    told = drawn(named(name, seed), "r0", ROWS)
    return [panel_reference(MadeSplit().images_of(i)[0]) for i in told["distractor_ids"] or ()]


@pytest.mark.parametrize("size", SIZES)
def test_one_target_and_one_other_panel_by_another_way(size: str) -> None:
    image = picture(*SIZES[size])
    target = panel_reference(image)
    assert np.array_equal(shown("control_target_rescaled", image)[0], canvas_reference([target]))
    for kind in ("control_blank_1", "control_noise_1", "distractor_1_seed0", "distractor_1_seed2"):
        (other,) = others_of(f"{kind}_left", seed=7)
        left, right = shown(f"{kind}_left", image)[0], shown(f"{kind}_right", image)[0]
        assert np.array_equal(left, canvas_reference([target, other]))
        assert np.array_equal(right, canvas_reference([other, target]))


@pytest.mark.parametrize("seed", [0, 1, 20260723])
@pytest.mark.parametrize("name", ["distractor_1", "distractor_3"])
def test_drawn_places_by_another_way(name: str, seed: int) -> None:
    image = picture(70, 50)
    n = int(name[-1])
    key = hashlib.sha256(f"{seed}::r0::{name}::position".encode()).digest()[:8]
    order = list(range(n + 1))
    for i in range(n + 1):
        draw = hashlib.sha256(f"{int.from_bytes(key, 'big')}::{i}".encode()).digest()[:8]
        j = i + int.from_bytes(draw, "big") % (n + 1 - i)
        order[i], order[j] = order[j], order[i]
    panels_of = [panel_reference(image), *others_of(name, seed)]
    wanted = canvas_reference([panels_of[k] for k in order])
    assert np.array_equal(shown(name, image, seed)[0], wanted)
    assert drawn(named(name, seed), "r0", ROWS)["target_panel_index"] == order.index(0)


def test_a_canvas_of_three_panels_shows_its_ground() -> None:
    view = View(
        name="v", steps=(("distractors", (("n", 2), ("variant", 0), ("position", "drawn"))),)
    )
    (canvas,) = apply(view, (picture(70, 50),), MadeSplit())
    assert canvas.size == (1024, 1024)
    assert {(0xD9,) * 3} == set(map(tuple, pixels(canvas)[512:, 512:].reshape(-1, 3).tolist()))


def test_the_label_is_dark_on_a_white_strip() -> None:
    strip = pixels(panels.composed([panels.noise(1, "a")], (0,)))[:30, :96].astype(int)
    assert (np.ptp(strip, axis=2) == 0).all()
    dark = np.argwhere(strip[:, :, 0] < 64)
    assert dark[:, 1].min() >= 8 and dark[:, 1].max() <= 90
    assert dark[:, 0].min() >= 4 and dark[:, 0].max() <= 27
    assert (strip[:4] == 255).all() and (strip[:, :8] == 255).all()


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 300), st.integers(1, 300), st.integers(0, 2**32))
def test_the_target_is_untouched_by_what_stands_beside_it(w: int, h: int, seed: int) -> None:
    image = picture(w, h, salt=seed % 7)
    for side, columns in (("left", slice(0, 512)), ("right", slice(512, 1024))):
        seen = {
            shown(f"{kind}_{side}", image, seed)[0][:, columns].tobytes()
            for kind in ("control_blank_1", "control_noise_1", "distractor_1_seed1")
        }
        assert len(seen) == 1


def test_a_control_at_a_drawn_place_stands_where_the_distractor_does() -> None:
    for seed in range(4):
        order = drawn(named("distractor_1", seed), "r0", ROWS)["target_panel_index"]
        for fill in ("blank", "noise"):
            step = ("control", (("fill", fill), ("position", "drawn")))
            told = drawn(View(name="v", steps=(step,), seed=seed), "r0", ROWS)
            assert told["target_panel_index"] == order
            assert told["matched_condition"] == "distractor_1"


@pytest.mark.parametrize("order", [(), (0, 0), (1, 2)])
def test_an_order_that_is_none_is_refused(order: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="an order of all of them"):
        panels.composed([panels.blank()] * len(order), order)


# Several views.


@pytest.mark.parametrize("size", SIZES)
def test_quadrants_by_another_way(size: str) -> None:
    image = picture(*SIZES[size])
    w, h = image.size
    x, y, dx, dy = w // 2, h // 2, round(0.12 * w), round(0.12 * h)
    array = pixels(image)
    near_x, far_x = slice(0, max(1, x + dx)), slice(x - dx, w)
    near_y, far_y = slice(0, max(1, y + dy)), slice(y - dy, h)
    wanted = [
        array,
        *(array[rows, columns] for rows in (near_y, far_y) for columns in (near_x, far_x)),
    ]
    found = shown("global_plus_quadrants", image)
    assert all(np.array_equal(a, b) for a, b in zip(found, wanted, strict=True))
    budgeted = shown("global_plus_quadrants_budgeted", image)
    for whole, square in zip(wanted, budgeted, strict=True):
        assert np.array_equal(square, squared_reference(whole, 384))
    assert np.array_equal(shown("global_budgeted", image)[0], squared_reference(array, 864))


def squared_reference(array: Pixels, side: int) -> Pixels:
    inner = pixels(fitted(Image.fromarray(array), (side, side)))
    h, w = inner.shape[:2]
    square = np.full((side, side, 3), 255, np.uint8)
    x, y = (side - w) // 2, (side - h) // 2
    square[y : y + h, x : x + w] = inner
    return square


@settings(max_examples=50, deadline=None)
@given(SIDES, SIDES, st.floats(0, 0.5))
def test_quadrants_cover_the_picture_and_overlap(w: int, h: int, overlap: float) -> None:
    boxes = quadrant_boxes(w, h, overlap)
    assert all(0 <= x0 < x1 <= w and 0 <= y0 < y1 <= h for x0, y0, x1, y1 in boxes)
    (_, _, x_end, y_end), (x_start, _, _, _), (_, y_start, _, _), _ = boxes
    assert boxes[3] == (x_start, y_start, w, h) and boxes[0] == (0, 0, x_end, y_end)
    for side, start, end in ((w, x_start, x_end), (h, y_start, y_end)):
        assert start <= end
        if side > 1:
            assert (side // 2 - start, end - side // 2) == (min(round(overlap * side), side // 2),
                min(round(overlap * side), side - side // 2))  # fmt: skip


def test_a_square_is_white_around() -> None:
    square = pixels(squared(Image.new("RGB", (10, 4), "black"), 20))
    assert (square[6:14] == 0).all() and (square[:6] == 255).all() and (square[14:] == 255).all()
