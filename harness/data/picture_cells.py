"""Pictures as tables hold them: base64, bytes, a record of bytes and path, or a path alone."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

MAX_BYTES = 64 * 2**20
_DATA_URI = re.compile(r"\s*data:image/[\w.+-]+;base64,")


def picture_bytes(value: Any, image_root: Path | None) -> bytes:
    """The bytes of the picture file that one cell of a table holds.

    Parameters
    ----------
    value : base64 text, with or without "data:image/…;base64," before it; bytes; or a mapping
        with `bytes` or, where these are None, `path`.
    image_root : the folder that a `path` is taken from.

    Returns
    -------
    bytes
        At least 1 and at most 64 MiB; whether they are a picture is not looked at.

    Raises
    ------
    ValueError
        For an empty, malformed or too large value, and for a path as in `file_bytes`.

    Examples
    --------
    >>> picture_bytes("data:image/png;base64,aGVsbG8=", None)
    b'hello'
    """
    if isinstance(value, Mapping):
        if value.get("bytes") is None and value.get("path"):
            return file_bytes(str(value["path"]), image_root)
        value = value.get("bytes")
    if isinstance(value, str):
        value = _decoded(value)
    if not isinstance(value, bytes | bytearray | memoryview) or not len(value):
        found = "none" if value is None or value == b"" else type(value).__name__
        raise ValueError(f"expected a picture as base64 text or bytes, found {found}")
    return _limited(bytes(value))


def file_bytes(name: str, image_root: Path | None) -> bytes:
    """The bytes of a picture file that a table names.

    Parameters
    ----------
    name : a relative path with "/", below `image_root`.
    image_root : the folder of the pictures.

    Raises
    ------
    ValueError
        Without a folder; for a path that is absolute or leaves the folder, be it by ".." or by
        a link; for a file that is missing, empty, unreadable or larger than 64 MiB.
    """
    if image_root is None:
        raise ValueError(f"expected image_root in the study, for the picture {name!r:.80}")
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
        raise ValueError(f"expected a picture inside the image folder, found {name!r:.80}")
    root = image_root.resolve()
    file = (root / path).resolve()
    if not file.is_relative_to(root):
        raise ValueError(f"expected a picture inside the image folder, found a link {name!r:.80}")
    try:
        if file.stat().st_size > MAX_BYTES:
            raise ValueError(_too_large(file.stat().st_size))
        raw = file.read_bytes()
    except OSError as error:
        raise ValueError(
            f"expected the picture {name!r:.80} in the image folder, found no readable file "
            f"({type(error).__name__})"
        ) from error
    if not raw:
        raise ValueError(f"expected the picture {name!r:.80}, found an empty file")
    return raw


def _decoded(text: str) -> bytes:
    if len(text) > MAX_BYTES * 3 // 2:
        raise ValueError(_too_large(len(text) * 3 // 4))
    uri = _DATA_URI.match(text)
    bare = "".join(text[uri.end() if uri else 0 :].split())
    try:
        return base64.b64decode(bare, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(
            f"expected a picture as base64 text, found {len(bare)} characters that are none: "
            f"{bare!r:.40}"
        ) from error


def _limited(raw: bytes) -> bytes:
    if len(raw) > MAX_BYTES:
        raise ValueError(_too_large(len(raw)))
    return raw


def _too_large(n_bytes: int) -> str:
    return f"expected a picture of at most {MAX_BYTES} bytes, found {n_bytes}"


__all__ = ["MAX_BYTES", "file_bytes", "picture_bytes"]
