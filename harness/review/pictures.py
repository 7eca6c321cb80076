"""The pictures of a sampled row, as its condition showed them to the model."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness.errors import DataError
from harness.requests import Task, error_text, prepare
from harness.types import Cell, Decoding, ModelSpec, Prompt

if TYPE_CHECKING:
    from PIL.Image import Image

    from harness.review.sampling import Wrong


class Shown(NamedTuple):
    """One picture of the page: its file's name below the page, and its size in pixels."""

    file: str
    width: int
    height: int


def save_pictures(row: Wrong, folder: Path) -> tuple[list[Shown], str]:
    """Write the pictures of a row as PNG files without metadata.

    Parameters
    ----------
    row : the pictures are those before the model's own resizing. A baseline's or a replayed
        answer is shown with the pictures of its question.
    folder : made where it is not there. Files are named by the hash of their pixels, so equal
        pictures are stored once.

    Returns
    -------
    list of Shown, and str
        The pictures; or none, with the reason, where one cannot be opened or made.
    """
    try:
        images = _images(row)
    except DataError as error:
        return [], error_text(error)
    if isinstance(images, str):
        return [], images
    folder.mkdir(parents=True, exist_ok=True)
    return [_saved(image, folder) for image in images], ""


def _images(row: Wrong) -> tuple[Image, ...] | str:
    dataset = row.dataset
    cell = Cell(
        experiment="review",
        data=dataset.name,
        # Any model that looks at pictures: `prepare` asks nothing else of it.
        model=ModelSpec(name="any", source={"kind": "local"}),
        view=row.view,
        prompt=Prompt(name="none", template="{question}"),
        decoding=Decoding(max_new_tokens=1),
        tier="full",
        base_seed=0,
    )
    position = next(i for i, e in enumerate(dataset.examples) if e.id == row.example.id)
    task = Task(example=row.example, position=position, replicate=0, attempt=1, prompt="", seed=0)
    prepared = prepare(cell, dataset, task)
    return prepared.error or "" if prepared.request is None else prepared.request.images


def _saved(image: Image, folder: Path) -> Shown:
    from PIL import Image as PillowImage

    pixels = image.convert("RGB").tobytes()
    size = f"{image.width}x{image.height}:".encode("ascii")
    name = f"{sha256(size + pixels).hexdigest()[:32]}.png"
    if not (folder / name).exists():
        # A picture made of the pixels alone has no profile, comment or position to give away.
        PillowImage.frombytes("RGB", image.size, pixels).save(folder / name, "PNG")
    return Shown(f"{folder.name}/{name}", image.width, image.height)


__all__ = ["Shown", "save_pictures"]
