import io
import random
import struct
import zlib
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from harness.data import image as image_module
from harness.data.image import open_rgb
from harness.errors import DataError


def saved(image: Image.Image, form: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


def test_rgb_comes_back_as_it_is(tmp_path: Path) -> None:
    image = Image.new("RGB", (3, 2), (1, 2, 3))
    path = tmp_path / "a.png"
    path.write_bytes(saved(image, "PNG"))
    opened = open_rgb(path)
    assert (opened.mode, opened.size, opened.tobytes()) == ("RGB", (3, 2), image.tobytes())


def test_exif_orientation_is_applied() -> None:
    image = Image.new("RGB", (4, 2), "white")
    image.putpixel((0, 0), (0, 0, 0))
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by 90 degrees clockwise
    opened = open_rgb(saved(image, "PNG", exif=exif))
    assert opened.size == (2, 4)
    assert opened.getpixel((1, 0)) == (0, 0, 0)


def test_transparency_lies_over_white() -> None:
    half = Image.new("RGBA", (1, 1), (255, 0, 0, 128))
    assert open_rgb(saved(half, "PNG")).getpixel((0, 0)) == (255, 127, 127)
    clear = Image.new("LA", (1, 1), (0, 0))
    assert open_rgb(saved(clear, "PNG")).getpixel((0, 0)) == (255, 255, 255)
    palette = Image.new("P", (1, 1), 0)
    palette.putpalette([9, 9, 9, 200, 0, 0])
    assert open_rgb(saved(palette, "PNG", transparency=0)).getpixel((0, 0)) == (255, 255, 255)
    keyed = Image.new("RGB", (1, 1), (5, 6, 7))
    assert open_rgb(saved(keyed, "PNG", transparency=(5, 6, 7))).getpixel((0, 0)) == (255,) * 3


def test_sixteen_bits_are_scaled_not_cut() -> None:
    grey = np.array([[0, 257, 32768, 65535]], dtype=np.uint16)
    opened = open_rgb(saved(Image.fromarray(grey), "PNG"))
    assert [opened.getpixel((x, 0)) for x in range(4)] == [(v,) * 3 for v in (0, 1, 128, 255)]


def png(
    n_bits: int, colour: int, rows: bytes, width: int, key: bytes = b"", n_rows: int = 1
) -> bytes:
    """A PNG file written by hand: Pillow writes no 16-bit colour, narrow key or false size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, n_rows, n_bits, colour, 0, 0, 0))
    body = (chunk(b"tRNS", key) if key else b"") + chunk(b"IDAT", zlib.compress(b"\0" + rows))
    return b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")


def first_row(raw: bytes) -> list[tuple[int, ...]]:
    return [tuple(pixel) for pixel in np.asarray(open_rgb(raw))[0].tolist()]


def test_sixteen_bit_colour_is_its_high_byte() -> None:
    values = [0, 255, 256, 257, 32768, 65535]
    raw = png(16, 2, struct.pack(">6H", *values), 2)
    assert first_row(raw) == [(0, 0, 1), (1, 128, 255)]
    clear = png(16, 6, struct.pack(">8H", 65535, 0, 0, 0, 65535, 0, 0, 65535), 2)
    assert first_row(clear) == [(255, 255, 255), (255, 0, 0)]
    keyed = png(16, 2, struct.pack(">6H", *values), 2, struct.pack(">3H", 0, 255, 256))
    with pytest.raises(DataError, match="16-bit colour with one transparent colour"):
        open_rgb(keyed)


@pytest.mark.parametrize(
    ("n_bits", "rows", "key", "grey"),
    [
        (16, struct.pack(">4H", 0, 1000, 1001, 65535), 1000, (0, 255, 4, 255)),
        (8, bytes([0, 17, 18, 255]), 17, (0, 255, 18, 255)),
        (4, b"\x01\x2f", 2, (0, 17, 255, 255)),
        (4, b"\x01\x2f", 1, (0, 255, 34, 255)),
        (2, b"\x1b", 1, (0, 255, 170, 255)),
        (1, b"\x50", 0, (255, 255, 255, 255)),
        (1, b"\x50", 1, (0, 255, 0, 255)),
    ],
)
def test_a_transparent_grey_is_white_at_every_depth(
    n_bits: int, rows: bytes, key: int, grey: tuple[int, ...]
) -> None:
    raw = png(n_bits, 0, rows, 4, struct.pack(">H", key))
    assert first_row(raw) == [(v, v, v) for v in grey]


def test_cmyk_grey_and_one_bit_become_rgb() -> None:
    cmyk = open_rgb(saved(Image.new("CMYK", (8, 8), (0, 255, 255, 0)), "TIFF"))
    assert cmyk.getpixel((4, 4)) == (255, 0, 0)
    assert open_rgb(saved(Image.new("L", (1, 1), 77), "PNG")).getpixel((0, 0)) == (77, 77, 77)
    assert open_rgb(saved(Image.new("1", (1, 1), 1), "PNG")).getpixel((0, 0)) == (255,) * 3


def test_the_first_frame_of_an_animation() -> None:
    red, blue = Image.new("RGB", (2, 2), "red"), Image.new("RGB", (2, 2), "blue")
    gif = saved(red, "GIF", save_all=True, append_images=[blue])
    assert open_rgb(gif).getpixel((0, 0)) == (255, 0, 0)


def test_values_without_a_stated_range_are_refused() -> None:
    floats = Image.fromarray(np.array([[0.5]], dtype=np.float32))
    with pytest.raises(DataError, match="expected 8- or 16-bit values, found mode F"):
        open_rgb(saved(floats, "TIFF"))
    wide = Image.fromarray(np.array([[70_000]], dtype=np.int32))
    with pytest.raises(DataError, match="70000"):
        open_rgb(saved(wide, "TIFF"))


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
def test_a_bomb_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for side in (10_000, 20_000):
        with pytest.raises(DataError, match="decompression bomb"):
            open_rgb(png(8, 2, b"", side, n_rows=side))
    small = saved(Image.new("L", (40, 30)), "PNG")
    monkeypatch.setattr(image_module, "LIMIT_PX", 1199)
    with pytest.raises(DataError, match=r"at most 1199 pixels, found 40x30"):
        open_rgb(small)
    monkeypatch.setattr(image_module, "LIMIT_PX", 1200)
    assert open_rgb(small).size == (40, 30)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 500)  # Pillow refuses beyond twice its own
    with pytest.raises(DataError, match="decompression bomb"):
        open_rgb(small)


def test_missing_and_corrupt_files_are_named_without_their_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"^gone.png: expected a picture") as caught:
        open_rgb(tmp_path / "gone.png")
    assert str(tmp_path) not in str(caught.value)
    path = tmp_path / "torn.jpg"
    path.write_bytes(saved(Image.effect_noise((64, 64), 50), "JPEG")[:700])
    with pytest.raises(DataError, match=r"^torn.jpg: expected a whole picture, found 700 bytes"):
        open_rgb(path)
    unknown = bytearray(saved(Image.new("RGB", (4, 4)), "DDS"))
    unknown[80:84] = bytes(4)  # pixel format flags; Pillow raises NotImplementedError
    with pytest.raises(DataError, match=r"^y: expected a whole picture"):
        open_rgb(bytes(unknown), "y")
    with pytest.raises(DataError, match=r"^x: expected a whole picture, found 5 bytes"):
        open_rgb(b"hello", "x")


@pytest.mark.filterwarnings("ignore:::PIL")
@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP", "DDS"])
def test_damaged_bytes_give_a_picture_or_a_data_error(form: str) -> None:
    rng = random.Random(form)
    whole = saved(Image.effect_noise((24, 24), 60), form)
    for _ in range(40):
        raw = bytearray(whole)
        for _ in range(rng.randint(1, 8)):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
        with suppress(DataError):
            assert open_rgb(bytes(raw)).mode == "RGB"
