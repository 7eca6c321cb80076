"""Pixels of every view of fixed pictures, pinned in golden/views; and threads agree with one.

The hashes hold what test_geometry.py cannot compute another way exactly: Pillow's resampling and
glyphs. A change of Pillow that moves a pixel shows here, and is a change of what models see.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from harness.data.manifest import pixel_digest
from harness.tests.vision.made_split import BOTH, EVERY_VIEW, ROWS, SIZES, MadeSplit, picture
from harness.vision.metadata import drawn
from harness.vision.views import apply, named

SEED = 20260723
FOLDER = Path(__file__).parents[3] / "golden/views"


def hashes(name: str, size: str) -> list[str]:
    images = apply(named(name, SEED), (picture(*SIZES[size]),), MadeSplit())
    return [f"{i.width}x{i.height} {pixel_digest(i)[:32]}" for i in images]


@pytest.mark.parametrize("name", EVERY_VIEW)
def test_pixels_are_pinned(name: str, golden: Callable[[str, Any], None]) -> None:
    sizes = ("usual",) if name in BOTH else tuple(SIZES)
    told = {k: v for k, v in drawn(named(name, SEED), "r0", ROWS).items() if v is not None}
    pinned = {"drawn": told, "pixels": {size: hashes(name, size) for size in sizes}}
    golden(f"views/{name}", pinned)


def test_every_pinned_view_is_a_view() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == set(EVERY_VIEW)


def test_threads_give_what_one_gives() -> None:
    work = [(name, "portrait") for name in EVERY_VIEW if name not in BOTH] * 2
    alone = [hashes(*one) for one in work[: len(work) // 2]]
    with ThreadPoolExecutor(max_workers=4) as pool:
        assert list(pool.map(lambda one: hashes(*one), work)) == alone * 2
