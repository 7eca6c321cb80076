"""Panels on a canvas: the target among distractors, or beside a blank or noise control."""

from __future__ import annotations

import string
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.vision.draws import noise_bytes
from harness.vision.resolution import fitted

if TYPE_CHECKING:
    from PIL.Image import Image

SIDE = 512
LETTERS = string.ascii_uppercase
CANVAS_COLOUR = (0xD9, 0xD9, 0xD9)
_N_COLUMNS = 2
_HEAD = 34
_BOX = (SIDE - 24, SIDE - 46)
_STRIP = (96, 30)
_TEXT_AT = (8, 4)
_TEXT_PT = 22
_WHITE = (255, 255, 255)
_BLACK = (0, 0, 0)


def panel(image: Image) -> Image:
    """A white panel of 512 × 512 px with a picture fitted into its 488 × 466 px; no label yet.

    The picture is centred across, and down below the 34 px that are left to the label.

    Parameters
    ----------
    image : RGB, of any size; scaled up or down with its aspect kept (Lanczos).

    References
    ----------
    The R1-Onevision robustness study, panel geometry.

    Examples
    --------
    >>> from PIL import Image
    >>> panel(Image.new("RGB", (1, 1))).getbbox() == (0, 0, 512, 512)
    True
    """
    inner = fitted(image, _BOX)
    white = blank()
    x = (SIDE - inner.width) // 2
    y = _HEAD + (SIDE - _HEAD - inner.height) // 2
    white.paste(inner, (x, y))
    return white


def blank() -> Image:
    """A white panel without a picture, the control of layout and scale."""
    from PIL import Image as PillowImage

    return PillowImage.new("RGB", (SIDE, SIDE), _WHITE)


def noise(base: int, example_id: str) -> Image:
    """A panel of uniform 8-bit RGB noise, drawn from the base seed and the example's id."""
    from PIL import Image as PillowImage

    raw = noise_bytes(base, example_id, SIDE * SIDE * 3)
    return PillowImage.frombytes("RGB", (SIDE, SIDE), raw)


def composed(panels: Sequence[Image], order: Sequence[int]) -> Image:
    """Put panels on a canvas in two columns and label them in reading order.

    Every panel is labelled "Panel A", "Panel B" ... by its place, in black at (8, 4) of a white
    strip of 96 × 30 px in its upper left corner. The font is the one that Pillow brings along
    (Aileron at 22 pt, basic layout), so no font of the machine is looked for.

    Parameters
    ----------
    panels : 1 to 26 panels of 512 × 512 px; they are not changed.
    order : a permutation: `order[place]` is the panel at that place.

    Returns
    -------
    Image
        RGB, colour #d9d9d9 where no panel stands. One panel: 512 × 512 px; n panels: 1024 px
        wide and 512·ceil(n / 2) px high.

    Raises
    ------
    ValueError
        For no panel or more than there are letters, or an order that is no permutation.

    Examples
    --------
    >>> composed([blank()] * 3, (0, 1, 2)).size, composed([blank()], (0,)).size
    ((1024, 1024), (512, 512))
    """
    from PIL import Image as PillowImage

    n = len(panels)
    if not 1 <= n <= len(LETTERS) or sorted(order) != list(range(n)):
        raise ValueError(
            f"expected 1 to {len(LETTERS)} panels and an order of all of them, found {n} panels "
            f"and order {tuple(order)}"
        )
    n_rows = -(-n // _N_COLUMNS)
    size = (SIDE * min(n, _N_COLUMNS), SIDE * n_rows)
    canvas = PillowImage.new("RGB", size, CANVAS_COLOUR)
    for place, index in enumerate(order):
        corner = (SIDE * (place % _N_COLUMNS), SIDE * (place // _N_COLUMNS))
        canvas.paste(panels[index], corner)
        canvas.paste(_label(LETTERS[place]), corner)
    return canvas


# Shared between threads and pasted from only, never drawn on again.
@lru_cache(maxsize=len(LETTERS))
def _label(letter: str) -> Image:
    from PIL import Image as PillowImage
    from PIL import ImageDraw, ImageFont

    strip = PillowImage.new("RGB", _STRIP, _WHITE)
    font = ImageFont.load_default(_TEXT_PT)
    ImageDraw.Draw(strip).text(_TEXT_AT, f"Panel {letter}", fill=_BLACK, font=font)
    return strip


__all__ = ["CANVAS_COLOUR", "LETTERS", "SIDE", "blank", "composed", "noise", "panel"]
