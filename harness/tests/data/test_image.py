import io
import random
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


def test_a_bomb_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    png = saved(Image.new("L", (40, 30)), "PNG")
    monkeypatch.setattr(image_module, "LIMIT_PX", 1199)
    with pytest.raises(DataError, match=r"at most 1199 pixels, found 40x30"):
        open_rgb(png)
    monkeypatch.setattr(image_module, "LIMIT_PX", 1200)
    assert open_rgb(png).size == (40, 30)
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 500)  # Pillow refuses beyond twice its own
    with pytest.raises(DataError, match="decompression bomb"):
        open_rgb(png)


def test_missing_and_corrupt_files_are_named_without_their_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"^gone.png: expected a picture") as caught:
        open_rgb(tmp_path / "gone.png")
    assert str(tmp_path) not in str(caught.value)
    path = tmp_path / "torn.jpg"
    path.write_bytes(saved(Image.effect_noise((64, 64), 50), "JPEG")[:700])
    with pytest.raises(DataError, match=r"^torn.jpg: expected a whole picture, found 700 bytes"):
        open_rgb(path)
    with pytest.raises(DataError, match=r"^x: expected a whole picture, found 5 bytes"):
        open_rgb(b"hello", "x")


@pytest.mark.filterwarnings("ignore:::PIL")
@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP"])
def test_damaged_bytes_give_a_picture_or_a_data_error(form: str) -> None:
    rng = random.Random(form)
    whole = saved(Image.effect_noise((24, 24), 60), form)
    for _ in range(40):
        raw = bytearray(whole)
        for _ in range(rng.randint(1, 8)):
            raw[rng.randrange(len(raw))] = rng.randrange(256)
        with suppress(DataError):
            assert open_rgb(bytes(raw)).mode == "RGB"
