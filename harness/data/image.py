"""Pictures opened in one stated way, whatever their format."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import DataError

if TYPE_CHECKING:
    from PIL.Image import Image

LIMIT_PX = 89_478_485
_WIDE_BITS = 16
_FULL_16_BIT = 2**_WIDE_BITS - 1
# All that Pillow's decoders were seen to raise on damaged bytes (RuntimeError: AVIF;
# NotImplementedError: DDS; OverflowError: TIFF), and what they may.
_BROKEN = (
    *(ArithmeticError, EOFError, LookupError, OSError, RuntimeError, SyntaxError, TypeError),
    *(ValueError, struct.error, zlib.error),
)
_PNG_DEPTH_AT = 24


def open_rgb(source: Path | bytes, name: str = "image bytes") -> Image:
    """Open a picture as 8-bit RGB.

    The first frame of an animation; turned upright as its EXIF orientation says;
    transparency over white; 16-bit grey scaled by 255 / 65535 and rounded, 16-bit colour by its
    high byte (Pillow's decoding); CMYK, palette and other colours by Pillow's plain conversion,
    without colour profiles.

    Parameters
    ----------
    source : a file, or the bytes of one.
    name : what messages call it when `source` is bytes; a file goes by its base name.

    Returns
    -------
    Image
        Fully decoded, mode RGB, at its own size.

    Raises
    ------
    DataError
        For a file that is missing, is no picture, is cut short or otherwise corrupt, has
        more than `LIMIT_PX` pixels (a decompression bomb), whose grey values have no stated
        range (floating point, or integers beyond 16 bits), or that is 16-bit colour with one
        colour marked as transparent, which its high bytes no longer tell from others.
    """
    from PIL import Image as PillowImage

    if isinstance(source, Path):
        name = source.name
    try:
        raw = source.read_bytes() if isinstance(source, Path) else source
    except OSError as error:
        raise DataError(
            f"{name}: expected a picture, found no readable file ({type(error).__name__}); "
            "check the image folder"
        ) from error
    try:
        with PillowImage.open(io.BytesIO(raw)) as image:
            if image.width * image.height > LIMIT_PX:
                raise DataError(_too_large(name, f"{image.width}x{image.height}"))
            image.load()
            if image.format == "PNG":
                _scale_key(image, raw[_PNG_DEPTH_AT], name)
            return _upright_rgb(image, name)
    except (PillowImage.DecompressionBombError, PillowImage.DecompressionBombWarning) as error:
        raise DataError(_too_large(name, "more")) from error
    except _BROKEN as error:
        raise DataError(
            f"{name}: expected a whole picture, found {len(raw)} bytes that cannot be decoded "
            f"({type(error).__name__}); replace the file"
        ) from error


def _scale_key(image: Image, n_bits: int, name: str) -> None:
    """Bring a PNG file's transparent value to the range of the decoded ones (Pillow does not)."""
    key = image.info.get("transparency")
    if image.mode == "RGB" and n_bits == _WIDE_BITS and key is not None:
        raise DataError(
            f"{name}: expected 8-bit colour, or transparency as a channel; found 16-bit colour "
            "with one transparent colour; convert the file to RGBA"
        )
    if image.mode == "L" and isinstance(key, int):
        image.info["transparency"] = key * 255 // (2**n_bits - 1)


def _upright_rgb(image: Image, name: str) -> Image:
    from PIL import Image as PillowImage
    from PIL import ImageOps

    turned = ImageOps.exif_transpose(image)
    if turned.mode.startswith("I") or turned.mode == "F":
        return _from_wide(turned, name)
    if turned.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in turned.info:
        layer = turned.convert("RGBA")
        white = PillowImage.new("RGBA", layer.size, (255, 255, 255, 255))
        return PillowImage.alpha_composite(white, layer).convert("RGB")
    # A copy even where the mode is RGB already: the caller's picture outlives the file.
    return turned.convert("RGB") if turned.mode != "RGB" else turned.copy()


def _from_wide(image: Image, name: str) -> Image:
    import numpy as np
    from PIL import Image as PillowImage

    values: Any = np.asarray(image)
    if image.mode == "F" or values.min() < 0 or values.max() > _FULL_16_BIT:
        raise DataError(
            f"{name}: expected 8- or 16-bit values, found mode {image.mode} from {values.min()} "
            f"to {values.max()}; convert the file to a format with a stated range"
        )
    grey = np.rint(values.astype(np.float64) * (255.0 / _FULL_16_BIT)).astype(np.uint8)
    if (key := image.info.get("transparency")) is not None:
        grey[values == key] = 255
    return PillowImage.fromarray(grey).convert("RGB")


def _too_large(name: str, found: str) -> str:
    return (
        f"{name}: expected at most {LIMIT_PX} pixels, found {found}; a picture of this size is "
        "refused as a decompression bomb: scale it down"
    )


__all__ = ["LIMIT_PX", "open_rgb"]
