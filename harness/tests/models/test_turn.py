"""Down-scaling before the processor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from harness.models.turn import shrink


@pytest.mark.parametrize(
    ("size", "side", "expected"),
    [
        ((400, 100), 200, (200, 50)),
        ((100, 400), 200, (50, 200)),
        ((200, 100), 200, (200, 100)),
        ((100, 50), 200, (100, 50)),
        ((1000, 1), 10, (10, 1)),
        ((400, 100), None, (400, 100)),
    ],
)
def test_size(size: tuple[int, int], side: int | None, expected: tuple[int, int]) -> None:
    assert shrink(Image.new("RGB", size), side).size == expected


@given(st.integers(1, 200), st.integers(1, 200), st.integers(1, 60))
def test_longer_side_is_met_exactly_and_nothing_grows(width: int, height: int, side: int) -> None:
    image = Image.new("RGB", (width, height))
    new = shrink(image, side)
    assert max(new.size) == min(side, max(width, height))
    assert new.width <= width and new.height <= height
    assert shrink(new, side) is new


def test_an_image_that_fits_is_left_as_it_is() -> None:
    image = Image.linear_gradient("L").convert("RGB")
    assert shrink(image, 256) is image
