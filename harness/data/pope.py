"""POPE: is an object in the picture? Its official files: JSON lines under the name `.json`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import ids
from harness.data import manifest
from harness.data.image import open_rgb
from harness.data.records import read_records
from harness.errors import DataError
from harness.types import Dataset, Example, Media

if TYPE_CHECKING:
    from PIL.Image import Image

_SHOWN = 10


def pope(path: Path, name: str, *, split: str, image_root: Path | None = None) -> Dataset:
    """Read one POPE file.

    Parameters
    ----------
    path : an official file; each record has `question_id`, `image`, `text` and `label`.
    name, split : how the study names the data set and the file's sampling.
    image_root : the folder of the pictures. None where predictions are only replayed: then
        the media have no hash and `open_image` refuses.

    Returns
    -------
    Dataset
        Kind `yesno` in the file's order: id = str(question_id), gold = label. With
        `image_root` the media carry the SHA-256 of their files. Claim level L2.

    Raises
    ------
    DataError
        Listing all faults: records with a missing, empty or wrongly typed field, file names
        with a folder in them, pictures that are missing; then duplicate ids, labels other
        than yes and no, an empty file (see `manifest.check`); torn lines by file and line
        (see `read_records`).
    """
    rows = read_records(path, {})
    _require(path, [f for place, row in enumerate(rows, start=1) for f in _faults(place, row)])
    hashes = _hashes(path, {row["image"] for row in rows}, image_root)
    examples = tuple(
        Example(
            id=str(row["question_id"]),
            kind="yesno",
            question=row["text"],
            gold=row["label"],
            media=(Media(kind="image", name=row["image"], sha256=hashes[row["image"]]),),
        )
        for row in rows
    )
    manifest.check(examples, f"{name}/{split} ({path.name})")

    def open_image(media: Media) -> Image:
        if image_root is None:
            raise DataError(
                f"{name}/{split}: picture {media.name!r} is asked for, but the study names no "
                "image folder; set image_root"
            )
        if media.name not in hashes:
            raise DataError(f"{name}/{split}: no picture {media.name!r} in this split")
        path = image_root / media.name
        if ids.file_digest(path) != hashes[media.name]:
            raise DataError(f"{name}/{split}: picture {media.name!r} changed since it was hashed")
        return open_rgb(path)

    return Dataset(
        name=name,
        split=split,
        examples=examples,
        fingerprint=manifest.fingerprint(examples),
        open_image=open_image,
        claim_level="L2",
    )


def _faults(place: int, row: Mapping[str, Any]) -> list[str]:
    found = []
    key = row.get("question_id")
    if isinstance(key, bool) or not isinstance(key, int | str) or key == "":
        found.append(f"record {place}: expected question_id as a number or text, found {key!r}")
    for field in ("image", "text", "label"):
        value = row.get(field)
        if not isinstance(value, str) or not value:
            found.append(f"record {place}: expected {field} as text, found {value!r}")
    image = row.get("image")
    if isinstance(image, str) and image and (image in (".", "..") or set(image) & {"/", "\\"}):
        found.append(f"record {place}: expected image as a bare file name, found {image!r}")
    return found


def _hashes(path: Path, names: set[str], image_root: Path | None) -> dict[str, str | None]:
    if image_root is None:
        return dict.fromkeys(names)
    _require(
        path,
        [
            f"picture {name!r}: expected it in the image folder, found no such file"
            for name in sorted(names)
            if not (image_root / name).is_file()
        ],
    )
    return {name: ids.file_digest(image_root / name) for name in names}


def _require(path: Path, faults: list[str]) -> None:
    if faults:
        more = [f"  … and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        lines = "\n".join([f"  {fault}" for fault in faults[:_SHOWN]] + more)
        raise DataError(f"{path.name}: {len(faults)} fault(s); correct the data\n{lines}")


__all__ = ["pope"]
