"""A data set of a study as a file of rows that an audit reads."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterable
from pathlib import Path

from harness.contamination.sources import Source
from harness.segments import write_atomically
from harness.types import Dataset, Example, Media


def export(dataset: Dataset, examples: Iterable[Example], path: Path) -> Source:
    """Write examples as JSONL with `id`, `question` and `images`, and say how to read it.

    Parameters
    ----------
    dataset : opens the pictures, which are stored as PNG in base64.
    examples : of that data set, in the order of the rows.
    path : of the file, ending in .jsonl; written whole or not at all.

    Raises
    ------
    DataError
        For a picture that is missing or corrupt.
    """
    lines = []
    for example in examples:
        row: dict[str, object] = {"id": example.id, "question": example.question}
        row["images"] = [_png(dataset, media) for media in example.media if media.kind == "image"]
        lines.append(json.dumps(row))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, "".join(f"{line}\n" for line in lines))
    return Source(str(path), ("question",), id_field="id", image_field="images", format="jsonl")


def _png(dataset: Dataset, media: Media) -> str:
    held = io.BytesIO()
    dataset.open_image(media).save(held, "PNG", compress_level=1)
    return base64.b64encode(held.getvalue()).decode("ascii")


__all__ = ["export"]
