"""Pictures and surroundings made up by formula, for the tests of views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from PIL import Image

from harness.vision.views import CONDITIONS, MODES

# Edge cases first: one pixel, odd and tiny, usual, a strip, portrait.
SIZES = {
    "pixel": (1, 1),
    "tiny": (3, 2),
    "usual": (640, 480),
    "strip": (2000, 37),
    "portrait": (111, 333),
}
BOTH = (
    "downsample_25-global_plus_quadrants",
    "distractor_3-global_budgeted",
    "distractor_3-global_plus_quadrants_budgeted",
)
EVERY_VIEW = (*CONDITIONS, *MODES, *BOTH)
ROWS = tuple(f"r{i}" for i in range(9))


def picture(width: int, height: int, salt: int = 0) -> Image.Image:
    """An RGB picture without symmetry, whose pixels differ from those of another salt."""
    y, x = np.mgrid[0:height, 0:width]
    planes = (x * 7 + y * 13 + salt * 29, x * y // 5 + salt * 101, (x * x + 3 * y) // 7 + salt)
    return Image.fromarray((np.stack(planes, axis=-1) % 256).astype(np.uint8))


@dataclass
class MadeSplit:
    """Rows r0 to r8; row i lends a picture of its own size, some have two, of which one counts."""

    example_id: str = "r0"
    ids: Sequence[str] = ROWS
    asked: list[str | int] = field(default_factory=list)

    def partner(self, offset: int) -> tuple[Image.Image, ...]:
        self.asked.append(offset)
        return (picture(20, 30, salt=50),)

    def images_of(self, example_id: str) -> tuple[Image.Image, ...]:
        self.asked.append(example_id)
        i = int(example_id[1:])
        return tuple(picture(40 + 17 * i, 90 - 8 * i, salt=i + 10 * k) for k in range(1 + i % 2))
