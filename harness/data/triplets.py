"""Triplets of a user: pictures with controlled edits, their questions and answers as JSON lines."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.data import manifest
from harness.data.image import LIMIT_PX, open_rgb
from harness.data.picture_cells import file_bytes
from harness.data.records import read_records
from harness.data.triplet_rows import (
    Row,
    chosen,
    examples_of,
    require,
    rows_of,
    triplet_faults,
)
from harness.errors import DataError
from harness.types import Dataset, Media

if TYPE_CHECKING:
    from PIL.Image import Image

_ORIENTATION = 0x0112
_TURNED = (5, 6, 7, 8)


def triplets(
    path: Path,
    name: str,
    *,
    split: str,
    image_root: Path | None = None,
    exclude: Sequence[str] = (),
    keep_incomplete: bool = False,
) -> Dataset:
    """Read triplets and static items.

    A record is one picture or one triplet. Of a picture: `item_id` (or `id`), `question`,
    `candidates` ({"A", "B"} or a list of two; or `candidate_a` and `candidate_b`), `gold` ("A" or
    "B"), `image` (a path below the image folder), `factor` if there is one; and, unless it is a
    static item, `triplet_id` and `variant` (base, relevant, irrelevant); its id is then
    triplet:variant where it has none. Of a triplet: `triplet_id` (or `id`), `question`, candidates,
    `factor`, and `images` and `gold` by variant. Of a pool: `pool_id`, `question`, `candidates` as
    a list of 2 to 26 texts, `gold` (the letter of the best one), `image`, and `factor` if there is
    one. Other fields are not looked at.

    Parameters
    ----------
    path : JSON lines, or any file that `read_records` takes.
    name : how the study names the data set.
    split : "audit" (triplets), "static" (items without a variant), "pools" or "all".
    image_root : the folder of the pictures. None where predictions are only replayed: then the
        media have no hash and `open_image` refuses.
    exclude : ids of triplets or static items that are left out before any check of triplets.
    keep_incomplete : keep triplets that lack a variant, and rows whose picture is missing,
        instead of refusing them. They stay rows of the data set: a missing picture is a failed
        response of its id, and its medium has no hash.

    Returns
    -------
    Dataset
        Kind `preference` in the file's order: `choices` are the candidates, `group` is the
        triplet, `role` the variant ("" and "" for a static item), `tags` the factor; a pool of N
        is of kind `choice`, its `group` the pool and its `role` pool-N. The media
        carry the SHA-256 of their files. Claim level L1.

    Raises
    ------
    DataError
        Listing all faults: a field that is missing or of another type, an id or a variant that
        stands twice, a triplet without a variant, questions, candidates or factors that differ
        inside a triplet, a relevant edit that leaves the right answer as it was or an irrelevant
        one that changes it, a missing picture, pictures of unequal size in one triplet; then what
        `manifest.check` finds. A picture that cannot be decoded raises when it is opened.
    """
    faults: list[str] = []
    rows: list[Row] = []
    for place, record in enumerate(read_records(path, {}), start=1):
        try:
            rows += rows_of(record)
        except ValueError as error:
            faults.append(f"record {place}: {error}")
    rows, foreign = chosen(rows, split, exclude, f"{name}/{split}")
    faults += foreign
    hashes, sizes, missing = _looked_at({row.image for row in rows}, image_root)
    faults += triplet_faults(rows, keep_incomplete=keep_incomplete)
    faults += [] if keep_incomplete else missing
    faults += _unequal(rows, sizes)
    require(f"{name}/{split} ({path.name})", faults)
    examples = examples_of(rows, {row.id: (row.image, hashes[row.image]) for row in rows})
    manifest.check(examples, f"{name}/{split} ({path.name})")

    def open_image(media: Media) -> Image:
        if image_root is None:
            raise DataError(
                f"{name}/{split}: picture {media.name!r} is asked for, but the study names no "
                "image folder; set image_root"
            )
        if media.name not in hashes:
            raise DataError(f"{name}/{split}: no picture {media.name!r} in this split")
        try:
            raw = file_bytes(media.name, image_root)
        except ValueError as error:
            raise DataError(f"{name}/{split}: {error}") from error
        if hashlib.sha256(raw).hexdigest() != hashes[media.name]:
            raise DataError(f"{name}/{split}: picture {media.name!r} changed since it was hashed")
        return open_rgb(raw, media.name)

    return Dataset(
        name=name,
        split=split,
        examples=examples,
        fingerprint=manifest.fingerprint(examples),
        open_image=open_image,
        claim_level="L1",
    )


_Looked = tuple[dict[str, str | None], dict[str, tuple[int, int]], list[str]]


def _looked_at(names: Iterable[str], image_root: Path | None) -> _Looked:
    """Hash and size by picture, and the faults of those that cannot be read."""
    hashes: dict[str, str | None] = {}
    sizes: dict[str, tuple[int, int]] = {}
    faults = []
    for name in sorted(names):
        hashes[name] = None
        if image_root is None:
            continue
        try:
            raw = file_bytes(name, image_root)
        except ValueError as error:
            faults.append(str(error))
            continue
        hashes[name] = hashlib.sha256(raw).hexdigest()
        size = _size(raw)
        if size is not None:
            sizes[name] = size
    return hashes, sizes, faults


def _size(raw: bytes) -> tuple[int, int] | None:
    """Width and height as shown, by the header; None where it cannot be read."""
    from PIL import Image as PillowImage

    try:
        with PillowImage.open(io.BytesIO(raw)) as image:
            # A PNG is decoded whole for its EXIF; `open_rgb` refuses one of this size anyway.
            if image.width * image.height > LIMIT_PX:
                return None
            turned = image.getexif().get(_ORIENTATION) in _TURNED
            return (image.height, image.width) if turned else image.size
    # Pillow raises many types for damaged bytes; opening the picture names the fault.
    except Exception:  # noqa: BLE001
        return None


def _unequal(rows: Iterable[Row], sizes: Mapping[str, tuple[int, int]]) -> list[str]:
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for row in rows:
        if row.variant and row.image in sizes:
            found.setdefault(row.triplet, {})[row.variant] = sizes[row.image]
    return [
        f"{key}: expected pictures of one size, found "
        + ", ".join(f"{variant} {w}x{h}" for variant, (w, h) in of.items())
        for key, of in found.items()
        if len(set(of.values())) > 1
    ]


__all__ = ["triplets"]
