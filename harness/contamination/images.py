"""Pictures by their pixels: equal hashes mean that they look the same, whatever the file."""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

MOST_PIXELS = 100_000_000
_MOST_BYTES = 64 << 20
_LONGEST_NAME = 1024
_BAND = 1 << 22


def hashes(pictures: Iterable[Any], root: Path) -> tuple[tuple[str, ...], int]:
    """Hash of each picture that can be read, in order, and how many cannot.

    Parameters
    ----------
    pictures : each a name below `root`, a data URL, base64, bytes, or a mapping with `bytes`,
        `path` or `image` as Parquet files of picture sets have it.
    root : no name leads out of it, be it by `..` or by a link.
    """
    found = [picture_hash(one, root) for one in pictures]
    return tuple(one for one in found if one is not None), found.count(None)


def picture_hash(picture: Any, root: Path) -> str | None:
    """SHA-256 of size and pixels; None for a picture that cannot be read, which equals none.

    Pictures are turned as their EXIF orientation says, laid on white where they are
    transparent, and compared as RGB in 8 bits; those with deeper pixels in their own mode. Of
    an animation the first frame counts.

    Examples
    --------
    >>> picture_hash("no such file.png", Path(".")) is None
    True
    """
    data = _bytes(picture, root)
    return None if data is None else _hashed(data)


def _bytes(picture: Any, root: Path) -> bytes | None:
    if isinstance(picture, Mapping):
        values = (picture.get(key) for key in ("bytes", "path", "image"))
        inner = next((one for one in values if one), None)
        return None if isinstance(inner, Mapping) else _bytes(inner, root)
    if isinstance(picture, bytes):
        return picture
    if not isinstance(picture, str):
        return None
    if picture[:5].lower() == "data:":
        head, comma, body = picture.partition(",")
        if head.lower().endswith(";base64"):
            return _decoded(body)
        return unquote_to_bytes(body) if comma else None
    read = _file(picture, root) if len(picture) <= _LONGEST_NAME else None
    return read or _decoded(picture)


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True) or None
    except (binascii.Error, ValueError):
        return None


def _file(name: str, root: Path) -> bytes | None:
    try:
        base = root.resolve()
        path = (base / name.removeprefix("file://")).resolve()
        if not path.is_relative_to(base) or not path.is_file():
            return None
        if path.stat().st_size > _MOST_BYTES:
            return None
        return path.read_bytes()
    except (OSError, ValueError, RuntimeError):
        return None


def _hashed(data: bytes) -> str | None:
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data)) as opened:
                if opened.width * opened.height > MOST_PIXELS:
                    return None
                opened.load()
                ImageOps.exif_transpose(opened, in_place=True)
                return _hashed_in_bands(opened)
    except Exception:  # noqa: BLE001 - a decoder raises anything at hostile bytes
        return None


def _hashed_in_bands(image: Any) -> str:
    """Of mode, size and pixels; some rows at a time, as conversions take copies."""
    made = hashlib.sha256()
    step = max(1, _BAND // image.width)
    for top in range(0, image.height, step):
        box = 0, top, image.width, min(top + step, image.height)
        shown = _flat(image.crop(box))
        if not top:
            made.update(f"{shown.mode} {image.width}x{image.height} ".encode())
        made.update(shown.tobytes())
    return made.hexdigest()


def _flat(image: Any) -> Any:
    from PIL import Image

    if image.mode.startswith(("I", "F")):
        # Conversion to 8 bits would clip them, and different pictures would become equal.
        return image
    if "A" in image.getbands() or "transparency" in image.info:
        ground = Image.new("RGBA", image.size, "white")
        return Image.alpha_composite(ground, image.convert("RGBA")).convert("RGB")
    return image.convert("RGB")


__all__ = ["MOST_PIXELS", "hashes", "picture_hash"]
