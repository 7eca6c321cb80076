"""A contact sheet: some triplets of a factor, side by side, with question and answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.data.image import open_rgb
from harness.scene_sets.specimen import PICTURES
from harness.scenes.rows import picture_name
from harness.scenes.triplet import VARIANTS

if TYPE_CHECKING:
    from PIL.Image import Image

_WIDTH_PX, _HEIGHT_PX = 320, 240
_CAPTION_PX = 30
_GAP_PX = 8


def contact_sheet(rows: Sequence[dict[str, Any]], folder: Path) -> Image:
    """One row of pictures per specimen, each picture with its variant and right answer.

    Parameters
    ----------
    rows : of a manifest, at least one.
    folder : of the set.

    Raises
    ------
    DataError
        When a picture is missing.
    """
    from PIL import Image as PillowImage
    from PIL import ImageDraw, ImageFont

    n_columns = max(len(row["scenes"]) for row in rows)
    line = _HEIGHT_PX + 2 * _CAPTION_PX
    sheet = PillowImage.new(
        "RGB", (n_columns * (_WIDTH_PX + _GAP_PX) + _GAP_PX, len(rows) * line), "white"
    )
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(15)
    for place, row in enumerate(rows):
        a, b = row["candidates"]
        top = place * line
        question = f"{row['id']}  {row['question']}  (A) {a}  (B) {b}"
        draw.text((_GAP_PX, top + 6), question, fill="black", font=font)
        for column, variant in enumerate(v for v in VARIANTS if v in row["gold"]):
            name = row["id"] if row["kind"] == "static" else f"{row['id']}:{variant}"
            image = open_rgb(folder / PICTURES / picture_name(name))
            left = _GAP_PX + column * (_WIDTH_PX + _GAP_PX)
            sheet.paste(image.resize((_WIDTH_PX, _HEIGHT_PX)), (left, top + _CAPTION_PX))
            below = top + _CAPTION_PX + _HEIGHT_PX + 4
            draw.text((left, below), f"{variant}: {row['gold'][variant]}", fill="black", font=font)
    return sheet


__all__ = ["contact_sheet"]
