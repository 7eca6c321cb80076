"""Small data sets and requests for models that read no checkpoint."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from harness.data.manifest import fingerprint, pixel_digest
from harness.types import Dataset, Decoding, Example, Media, Request

DECODING = Decoding(max_new_tokens=8)
COLOURS = ("red", "green", "blue")


def picture(index: int) -> Image.Image:
    return Image.new("RGB", (4, 4), (index % 256, 7 * index % 256, 0))


def choice(index: int, *, question: str = "Which color?", gold: str | None = None) -> Example:
    """A choice among three colours with a picture of its own; gold is B unless it is given."""
    media = Media(kind="image", name=str(index), sha256=pixel_digest(picture(index)))
    return Example(
        id=f"e{index}", kind="choice", question=question, choices=COLOURS, gold=gold or "B",
        media=(media,),
    )  # fmt: skip


def yesno(index: int, gold: str = "yes") -> Example:
    return Example(id=f"y{index}", kind="yesno", question=f"Is there {index}?", gold=gold)


def dataset(examples: Sequence[Example], *, name: str = "toy", split: str = "test") -> Dataset:
    return Dataset(
        name=name,
        split=split,
        examples=tuple(examples),
        fingerprint=fingerprint(examples),
        open_image=lambda media: picture(int(media.name)),
    )


def request(example: Example, *, seed: int = 0, replicate: int = 0) -> Request:
    return Request(
        example=example,
        replicate=replicate,
        prompt=example.question,
        images=tuple(picture(int(m.name)) for m in example.media),
        seed=seed,
    )
