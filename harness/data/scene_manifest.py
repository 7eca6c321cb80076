"""Pictures of scenes by a frozen manifest: read from a folder or rendered, and always checked."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from harness.data import manifest
from harness.data.image import open_rgb
from harness.data.picture_cells import file_bytes
from harness.data.records import read_records
from harness.data.triplet_rows import Row, chosen, examples_of, require, triplet_faults
from harness.errors import DataError
from harness.scenes.recorded import recorded_letter
from harness.scenes.rows import picture_name, specimen_of
from harness.scenes.scene import Scene
from harness.scenes.triplet import Item
from harness.types import Dataset, Media

if TYPE_CHECKING:
    from PIL.Image import Image

CACHE_BYTES = 160 * 2**20
# Rendering holds about 0.6 KB for each pixel.
MAX_PX = 2**21


def scenes(
    path: Path,
    name: str,
    *,
    split: str,
    size: str | None = None,
    image_root: Path | None = None,
    exclude: Sequence[str] = (),
) -> Dataset:
    """Read a manifest of scenes.

    Its records are those of `harness.scenes.rows`, which hold the digest of each picture's RGB
    pixels (`harness.data.manifest.pixel_digest`) by size.

    Parameters
    ----------
    path : JSON lines, gzipped or not.
    name : how the study names the data set.
    split : "audit" (triplets), "static" or "all".
    size : width and height, "320x240"; None where the manifest has one size only.
    image_root : a folder of pictures named as by `harness.scenes.rows.picture_name`. What it
        lacks, or has in another size, is rendered when it is opened.
    exclude : ids of triplets or static items that are left out.

    Returns
    -------
    Dataset
        As of `harness.data.triplets`, but the media carry the digests of their pixels, so that
        the fingerprint does not depend on where the pictures come from. Opened pictures are kept
        compressed, in at most 160 MiB; 2,400 of 320x240 take about 100. Claim level L1.

    Raises
    ------
    DataError
        Listing all faults of the records, of the triplets (as in `harness.data.triplets`), and
        sizes that the manifest has no digest of; when a picture is opened, one whose pixels are
        not those of the manifest.
    """
    faults: list[str] = []
    rows: list[Row] = []
    found: dict[str, tuple[Scene, Mapping[str, str]]] = {}
    for place, record in enumerate(read_records(path, {}), start=1):
        try:
            parsed = _parsed(record)
        except DataError as error:
            faults.append(f"record {place}: {error}")
            continue
        rows += [row for row, _, _ in parsed]
        found |= {row.id: (scene, images) for row, scene, images in parsed}
    where = f"{name}/{split} ({path.name})"
    rows, foreign = chosen(rows, split, exclude, f"{name}/{split}")
    require(where, [*faults, *foreign, *triplet_faults(rows)])
    size = size or _only_size([found[row.id][1] for row in rows], where)
    lacking = [
        f"{row.id}: expected a digest of size {size}, found {', '.join(found[row.id][1])}"
        for row in rows
        if size not in found[row.id][1]
    ]
    require(where, lacking)
    digests = {row.id: found[row.id][1][size] for row in rows}
    examples = examples_of(rows, {key: (key, digest) for key, digest in digests.items()})
    manifest.check(examples, where)
    pictures = _Pictures(
        scenes={key: found[key][0] for key in digests},
        digests=digests,
        size=_sides(size, where),
        image_root=image_root,
        where=f"{name}/{split}",
    )
    return Dataset(
        name=name,
        split=split,
        examples=examples,
        fingerprint=manifest.fingerprint(examples),
        open_image=pictures.open,
        claim_level="L1",
    )


class _Pictures:
    """Opens pictures by item, keeping the last ones up to `CACHE_BYTES`; threads may call it."""

    def __init__(
        self,
        *,
        scenes: Mapping[str, Scene],
        digests: Mapping[str, str],
        size: tuple[int, int],
        image_root: Path | None,
        where: str,
    ) -> None:
        self._scenes = scenes
        self._digests = digests
        self._size = size
        self._root = image_root
        self._where = where
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._n_bytes = 0
        self._lock = Lock()

    def open(self, media: Media) -> Image:
        if media.name not in self._scenes:
            raise DataError(f"{self._where}: no picture {media.name!r} in this split")
        with self._lock:
            packed = self._kept.get(media.name)
            if packed is not None:
                self._kept.move_to_end(media.name)
        if packed is not None:
            return self._unpacked(packed)
        image = self._made(media.name)
        packed = zlib.compress(image.tobytes(), 1)
        with self._lock:
            self._n_bytes += len(packed) - len(self._kept.pop(media.name, b""))
            self._kept[media.name] = packed
            while self._n_bytes > CACHE_BYTES and len(self._kept) > 1:
                self._n_bytes -= len(self._kept.popitem(last=False)[1])
        return image

    def _unpacked(self, packed: bytes) -> Image:
        from PIL import Image as PillowImage

        return PillowImage.frombytes("RGB", self._size, zlib.decompress(packed))

    def _made(self, key: str) -> Image:
        image = self._stored(key)
        source = "the picture as rendered here; the renderer is another one"
        if image is None:
            image = self._rendered(key)
        else:
            source = "the file in the image folder; replace or remove it"
        digest = manifest.pixel_digest(image)
        if digest != self._digests[key]:
            raise DataError(
                f"{self._where}: {key}: expected pixels of digest {self._digests[key][:12]}…, "
                f"found {digest[:12]}… in {source}"
            )
        return image

    def _stored(self, key: str) -> Image | None:
        """The picture of the folder; None where it has none of this size."""
        name = picture_name(key)
        if self._root is None or not (self._root / name).is_file():
            return None
        try:
            image = open_rgb(file_bytes(name, self._root), name)
        except ValueError as error:
            raise DataError(f"{self._where}: {key}: {error}") from error
        return image if image.size == self._size else None

    def _rendered(self, key: str) -> Image:
        from PIL import Image as PillowImage

        from harness.scenes.render import render

        width, height = self._size
        return PillowImage.fromarray(render(self._scenes[key], width=width, height=height).rgb)


def _parsed(record: Mapping[str, Any]) -> list[tuple[Row, Scene, Mapping[str, str]]]:
    specimen, images = specimen_of(record)
    static = isinstance(specimen, Item)
    parsed = []
    for variant in images:
        item = specimen if isinstance(specimen, Item) else specimen.item(variant)
        letter = recorded_letter(item.query, item.scene, item.candidates)
        if letter not in (None, item.gold):
            raise DataError(
                f"{item.id}: expected the gold letter {letter} by the recorded scene, found "
                f"{item.gold}"
            )
        row = Row(
            id=item.id,
            triplet="" if static else specimen.id,
            variant="" if static else variant,
            factor=item.query.factor,
            question=item.question,
            candidates=item.candidates,
            gold=item.gold,
            image=picture_name(item.id),
        )
        parsed.append((row, item.scene, images[variant]))
    return parsed


def _sides(size: str, where: str) -> tuple[int, int]:
    width, cross, height = size.partition("x")
    if not (cross and width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise DataError(f"{where}: expected a size such as 320x240, found {size!r:.40}")
    if len(size) > 11 or int(width) * int(height) > MAX_PX:
        raise DataError(f"{where}: expected a size of at most {MAX_PX} pixels, found {size!r:.40}")
    return int(width), int(height)


def _only_size(images: Sequence[Mapping[str, str]], where: str) -> str:
    sizes = sorted({size for of in images for size in of})
    if len(sizes) != 1:
        raise DataError(
            f"{where}: expected `size` in the study, since the manifest has pictures of "
            f"{', '.join(sizes) or 'no size'}"
        )
    return sizes[0]


__all__ = ["CACHE_BYTES", "scenes"]
