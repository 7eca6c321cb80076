"""Pictures as they are found: each is shown as stated or counted as a failure of its own row."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from harness.data.image import open_rgb
from harness.requests import prepare, tasks_of
from harness.run import run_cell
from harness.tests.run.stand_ins import Bench, Stub, cell, dataset
from harness.types import Dataset, Media, Request
from harness.vision.views import CONDITIONS, MODES, named


def saved(image: Image.Image, form: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


def claimed(width: int, height: int) -> bytes:
    """A PNG file that claims a size and holds almost nothing."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = (chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(b"\0")), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(body)


def turned() -> bytes:
    image, exif = Image.new("RGB", (4, 2), (10, 20, 30)), Image.Exif()
    exif[0x0112] = 6
    return saved(image, "PNG", exif=exif)


def clear_palette() -> bytes:
    image = Image.new("P", (3, 3), 0)
    image.putpalette([9, 9, 9, 200, 0, 0])
    return saved(image, "PNG", transparency=0)


GREY16 = Image.fromarray(np.full((2, 2), 32768, np.uint16))
FRAMES = [Image.new("RGB", (2, 2), colour) for colour in ("red", "blue")]
# Name → the file (None: missing), then what a model is shown: size and colour, or the reason.
FOUND: dict[
    str, tuple[Callable[[], bytes] | None, tuple[tuple[int, int], tuple[int, ...]] | str]
] = {
    "corrupt": (lambda: saved(Image.effect_noise((64, 64), 9), "JPEG")[:400], "whole picture"),
    "empty": (lambda: b"", "found 0 bytes that cannot be decoded"),
    "text": (lambda: b"<html>404 not found</html>", "whole picture"),
    "pixel": (lambda: saved(Image.new("RGB", (1, 1), "red"), "PNG"), ((1, 1), (255, 0, 0))),
    "bomb": (lambda: claimed(20_000, 20_000), "decompression bomb"),
    "cmyk": (
        lambda: saved(Image.new("CMYK", (8, 8), (0, 255, 255, 0)), "JPEG"),
        ((8, 8), (255, 0, 0)),
    ),
    "16-bit": (lambda: saved(GREY16, "PNG"), ((2, 2), (128, 128, 128))),
    "float": (lambda: saved(Image.new("F", (2, 2), 0.5), "TIFF"), "expected 8- or 16-bit values"),
    "palette": (clear_palette, ((3, 3), (255, 255, 255))),
    "rotated": (turned, ((2, 4), (10, 20, 30))),
    "gif": (
        lambda: saved(FRAMES[0], "GIF", save_all=True, append_images=FRAMES[1:]),
        ((2, 2), (255, 0, 0)),
    ),
    "apng": (
        lambda: saved(FRAMES[0], "PNG", save_all=True, append_images=FRAMES[1:]),
        ((2, 2), (255, 0, 0)),
    ),
    "missing": (None, "found no readable file"),
}
GOOD = [name for name, (_, shown) in FOUND.items() if not isinstance(shown, str)]


def folder_of(path: Path) -> Dataset:
    for name, (make, _) in FOUND.items():
        if make is not None:
            (path / name).write_bytes(make())

    def open_image(media: Media) -> Image.Image:
        return open_rgb(path / media.name)

    data = dataset(len(FOUND), images=True, open_image=open_image)
    examples = tuple(
        replace(e, id=name, media=(Media(kind="image", name=name, sha256=name),))
        for e, name in zip(data.examples, FOUND, strict=True)
    )
    return replace(data, examples=examples)


def told(request: Request) -> str:
    (image,) = request.images
    return f"{image.mode} {image.size} {sorted({c for _, c in image.getcolors() or ()})}"


def test_each_picture_is_shown_as_stated_or_is_a_failure_of_its_own(tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    made = Bench(tmp_path / "runs", folder_of(files), Stub(answer=told))
    result = run_cell(cell(), made.context(n_threads=2))
    assert len(result.responses) == len(FOUND)
    assert result.counts["runtime_error"] == len(FOUND) - len(GOOD)
    assert result.n_counted == len(GOOD)
    for response in result.responses:
        expected = FOUND[response.example_id][1]
        if isinstance(expected, str):
            assert (response.status, response.text) == ("error", None)
            assert response.error is not None
            assert response.error.startswith(f"DataError: {response.example_id}: expected ")
            assert expected in response.error
            assert str(tmp_path) not in response.error
        else:
            size, colour = expected
            assert (response.status, response.text) == ("ok", f"RGB {size} {[colour]}")


@pytest.mark.parametrize("view", [*CONDITIONS, *MODES])
def test_every_view_takes_every_picture_that_opens(tmp_path: Path, view: str) -> None:
    data = folder_of(tmp_path)
    data = replace(data, examples=tuple(e for e in data.examples if e.id in GOOD))
    one = cell(view=named(view, seed=3))
    tasks = tasks_of(one, data, {"base_seed": None}, "key", {(e.id, 0): 1 for e in data.examples})
    shown = [prepare(one, data, task).request for task in tasks]
    assert all(r is not None and all(i.mode == "RGB" for i in r.images) for r in shown)


def test_a_donor_that_cannot_be_opened_is_a_failure_of_the_target_alone(tmp_path: Path) -> None:
    data = folder_of(tmp_path)
    one = cell(view=named("distractor_1", seed=3))
    tasks = tasks_of(one, data, {"base_seed": None}, "key", {(e.id, 0): 1 for e in data.examples})
    prepared = {task.example.id: prepare(one, data, task) for task in tasks}
    errors = {name: p.error for name, p in prepared.items() if p.request is None}
    assert set(errors) >= set(FOUND) - set(GOOD)
    by_donor = set(errors) & set(GOOD)
    assert by_donor and len(errors) < len(FOUND)
    assert all(not (errors[name] or "").startswith(f"DataError: {name}:") for name in by_donor)
