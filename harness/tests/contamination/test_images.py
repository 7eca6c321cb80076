"""Pictures are equal when they look the same, and one that cannot be read equals none."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from harness.contamination import images
from harness.contamination.images import hashes, picture_hash

PIXELS = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)


def packed(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    made = io.BytesIO()
    image.save(made, kind, **options)
    return made.getvalue()


def test_the_hash_is_of_size_and_pixels(tmp_path: Path) -> None:
    picture = Image.fromarray(PIXELS)
    expected = hashlib.sha256(b"RGB 6x4 " + PIXELS.tobytes()).hexdigest()
    png = packed(picture)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.png").write_bytes(png)
    text = base64.b64encode(png).decode()
    turned = packed(picture.transpose(Image.Transpose.ROTATE_90), exif=oriented(6))
    same: list[Any] = [
        "sub/a.png",
        "file://sub/a.png",
        str(tmp_path / "sub" / "a.png"),
        png,
        packed(picture, "BMP"),
        packed(picture, compress_level=0),
        packed(picture.convert("RGBA")),
        turned,
        {"bytes": png, "path": "gone.png"},
        {"bytes": None, "path": "sub/a.png"},
        {"image": "sub/a.png"},
        text,
        f"{text[:20]}\n{text[20:]}",
        f"data:image/png;base64,{text}",
    ]
    assert hashes(same, tmp_path) == ((expected,) * len(same), 0)
    other = PIXELS.copy()
    other[0, 0, 0] += 1
    for array in (other, PIXELS.reshape(6, 4, 3)):
        assert picture_hash(packed(Image.fromarray(array)), tmp_path) != expected


def test_what_a_conversion_would_make_equal_stays_different(tmp_path: Path) -> None:
    deep = [np.full((2, 2), value, np.uint16) for value in (300, 60_000)]
    clear = np.zeros((2, 2, 4), np.uint8)
    shown = clear.copy()
    shown[0, 0, 3] = 255
    white = packed(Image.new("RGB", (2, 2), "white"))
    made = [packed(Image.fromarray(array)) for array in (*deep, clear, shown)]
    found, unreadable = hashes([*made, white], tmp_path)
    assert unreadable == 0
    assert found[2] == found[4]
    assert len(set(found)) == 4


def test_a_picture_in_bands_has_the_hash_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    colours = Image.fromarray(PIXELS)
    clear = colours.convert("RGBA")
    clear.putalpha(Image.fromarray(np.arange(24, dtype=np.uint8).reshape(4, 6) * 10))
    palette = colours.convert("P", palette=Image.Palette.ADAPTIVE)
    deep = Image.fromarray(np.arange(24, dtype=np.uint16).reshape(4, 6) * 2_000)
    made = [packed(colours.convert(mode)) for mode in ("1", "L", "LA", "RGB")]
    made += [packed(clear), packed(palette, transparency=2), packed(deep), packed(clear, "WEBP")]
    made += [packed(colours, exif=oriented(6)), packed(colours.convert("CMYK"), "TIFF")]
    made += [packed(deep.convert("F"), "TIFF"), packed(colours, "GIF")]
    whole = [picture_hash(one, Path()) for one in made]
    monkeypatch.setattr(images, "_BAND", 7)
    assert None not in whole
    assert [picture_hash(one, Path()) for one in made] == whole


def test_what_cannot_be_read_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, outside = tmp_path / "root", tmp_path / "out.png"
    (root / "folder").mkdir(parents=True)
    png = packed(Image.fromarray(PIXELS))
    outside.write_bytes(png)
    (root / "link.png").symlink_to(outside)
    (root / "round.png").symlink_to("round.png")
    (root / "text.png").write_text("no picture")
    (root / "cut.png").write_bytes(png[:-30])
    wrong: list[Any] = [
        *("../out.png", str(outside), "link.png", "round.png", "folder", "gone.png", "text.png"),
        *("cut.png", "http://example.org/a.png", "a\0b", "data:image/png;base64,!", "data:x"),
        *("A" * 5_000, b"", b"GIF89a", 7, 1.5, ["a.png"], {}, {"url": "a"}, {"image": {"path": 1}}),
        bomb(50_000, 50_000),
    ]
    assert hashes(wrong, root) == ((), len(wrong))
    assert hashes([png, *wrong[:3]], root)[1] == 3
    monkeypatch.setattr(images, "MOST_PIXELS", 23)
    assert picture_hash(png, root) is None
    monkeypatch.setattr(images, "MOST_PIXELS", 24)
    assert picture_hash(png, root)
    monkeypatch.setattr(images, "_MOST_BYTES", os.path.getsize(outside) - 1)
    (root / "large.png").write_bytes(png)
    assert picture_hash("large.png", root) is None


def oriented(value: int) -> Image.Exif:
    made = Image.Exif()
    made[274] = value
    return made


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that claims to be large."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + chunk(b"IEND", b"")
    )
