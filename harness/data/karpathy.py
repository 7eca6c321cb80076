"""Karpathy's splits of COCO and Flickr30K: images and their captions, joined by id."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.data.records import read_records
from harness.errors import DataError
from harness.retrieval.pairs import Pairs, pairs

SPLITS = ("train", "restval", "val", "test")
_IMAGE_IDS = ("cocoid", "imgid", "image_id")
_TEXT_IDS = ("sentid", "id")
_FILES = ("filename", "file_name", "image")
_COCO_FILE = re.compile(r"COCO_\w+_0*(\d+)\.\w+")
_SHOWN = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class CaptionedImage:
    """An image's id and its file below the image folder, "" where the record names none."""

    id: str
    file: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Caption:
    """A caption as it was written, without white space at its ends, and the id of its image."""

    id: str
    image_id: str
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class CaptionSet:
    """One split, in the order of its file."""

    name: str
    split: str
    images: tuple[CaptionedImage, ...]
    captions: tuple[Caption, ...]

    def pairs(self) -> Pairs:
        """What is relevant to what, in the order of `images` and `captions`."""
        return pairs(
            [image.id for image in self.images],
            [caption.id for caption in self.captions],
            {caption.id: caption.image_id for caption in self.captions},
        )


def karpathy(path: Path, name: str, *, split: str, image_root: Path | None = None) -> CaptionSet:
    """Read one split of a Karpathy file.

    Parameters
    ----------
    path : JSON, gzipped or not: the official `{"images": [...]}`, whose images have `sentences`,
        or a list of `{"image": file, "caption": [texts]}`, which holds one split alone.
    name, split : how the study names the data set, and which of `SPLITS` is wanted.
    image_root : the folder of the pictures, which must then all be there; None does not look.

    Returns
    -------
    CaptionSet
        An image's id is its `cocoid`, else `imgid`, else `image_id`; else the number of its COCO
        file name, else its file's name, else its place in the file. A caption's is its `sentid`,
        else `id`, else the image's id, "#" and its place among the image's captions.

    Raises
    ------
    DataError
        Listing all faults of the split: images or captions that lack the id the others have, an
        image without a caption, an empty caption, a caption of another image, ids that stand
        twice, files outside the folder or missing; also an unknown split, or one without images.

    Examples
    --------
    >>> import json, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "dataset.json")
    ...     sentences = [{"raw": "A cat. ", "sentid": 7, "imgid": 0}]
    ...     image = {"cocoid": 42, "imgid": 0, "split": "test", "sentences": sentences}
    ...     _ = path.write_text(json.dumps({"images": [image]}))
    ...     karpathy(path, "coco", split="test").captions
    (Caption(id='7', image_id='42', text='A cat.'),)
    """
    if split not in SPLITS:
        raise DataError(f"{name}: expected a split of {', '.join(SPLITS)}, found {split!r}")
    records = _records(path)
    chosen = list(_of_split(path, records, split))
    if not chosen:
        raise DataError(f"{path.name}: expected images of the split {split!r}, found none")
    faults: list[str] = []
    image_key = _common_key([image for _, image in chosen], _IMAGE_IDS, "image", faults)
    sentences = {place: _sentences(image) for place, image in chosen}
    every = [one for some in sentences.values() for one in some if isinstance(one, dict)]
    text_key = _common_key(every, _TEXT_IDS, "caption", faults)
    images, captions = [], []
    for place, record in chosen:
        image = CaptionedImage(id=_image_id(place, record, image_key), file=_file(record))
        where = f"image {image.id!r} (record {place + 1})"
        faults += _image_faults(where, record, image.file, sentences[place], image_root)
        images.append(image)
        for at, sentence in enumerate(sentences[place]):
            own: Mapping[str, Any] = sentence if isinstance(sentence, dict) else {"raw": sentence}
            key = f"{image.id}#{at}" if text_key is None else str(own.get(text_key))
            faults += _caption_faults(f"caption {at + 1} of {where}", record, own)
            text = own.get("raw")
            captions.append(
                Caption(
                    id=key, image_id=image.id, text=text.strip() if isinstance(text, str) else ""
                )
            )
    faults += _twice("image", [image.id for image in images])
    faults += _twice("caption", [caption.id for caption in captions])
    if faults:
        more = [f"  … and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        lines = "\n".join([f"  {fault}" for fault in faults[:_SHOWN]] + more)
        raise DataError(f"{path.name}: {len(faults)} fault(s); correct the data\n{lines}")
    return CaptionSet(name=name, split=split, images=tuple(images), captions=tuple(captions))


def _records(path: Path) -> list[dict[str, Any]]:
    records = read_records(path, {})
    if len(records) != 1 or "images" not in records[0]:
        return records
    images = records[0]["images"]
    if not isinstance(images, list) or not all(isinstance(one, dict) for one in images):
        raise DataError(f"{path.name}: expected `images` to be a list of objects")
    return images


def _of_split(
    path: Path, records: Sequence[dict[str, Any]], split: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """(place in the file, record); a file in which no record names a split is one."""
    named = ["split" in record for record in records]
    if not any(named):
        yield from enumerate(records)
        return
    unknown = sorted({repr(record.get("split")) for record in records} - set(map(repr, SPLITS)))
    if unknown:
        raise DataError(
            f"{path.name}: expected every image in a split of {', '.join(SPLITS)}, found "
            f"{', '.join(unknown[:_SHOWN])}"
        )
    yield from ((place, one) for place, one in enumerate(records) if one["split"] == split)


def _common_key(
    records: Sequence[Mapping[str, Any]], keys: Sequence[str], what: str, faults: list[str]
) -> str | None:
    """The first key that any record has; those that lack it, or hold no id there, are faults."""
    key = next((key for key in keys if any(key in record for record in records)), None)
    if key is not None:
        bad = sum(not _is_id(record.get(key)) for record in records)
        if bad:
            faults.append(f"{bad} {what} record(s): expected a number or text as {key}, as others")
    return key


def _is_id(value: Any) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool) and value != ""


def _image_id(place: int, record: Mapping[str, Any], key: str | None) -> str:
    if key is not None:
        return str(record.get(key))
    file = _file(record).rpartition("/")[2]
    found = _COCO_FILE.fullmatch(file)
    return found[1] if found else file or str(place)


def _file(record: Mapping[str, Any]) -> str:
    file = next((record[key] for key in _FILES if isinstance(record.get(key), str)), "")
    folder = record.get("filepath")
    return f"{folder}/{file}" if file and isinstance(folder, str) and folder else file


def _sentences(record: Mapping[str, Any]) -> list[Any]:
    found = record.get("sentences", record.get("caption"))
    return found if isinstance(found, list) else [] if found is None else [found]


def _image_faults(
    where: str, record: Mapping[str, Any], file: str, sentences: list[Any], root: Path | None
) -> Iterator[str]:
    if not sentences:
        yield f"{where}: expected captions, found none"
    stated = record.get("sentids")
    found = [one.get("sentid") for one in sentences if isinstance(one, dict)]
    if isinstance(stated, list) and sorted(map(str, stated)) != sorted(map(str, found)):
        yield f"{where}: expected captions with the ids of sentids, found others"
    if file.startswith("/") or "\\" in file or ".." in file.split("/"):
        yield f"{where}: expected a file below the image folder, found another path"
    elif root is not None and not (file and (root / file).is_file()):
        yield f"{where}: expected its file {file!r} in the image folder, found no such file"


def _caption_faults(
    where: str, record: Mapping[str, Any], sentence: Mapping[str, Any]
) -> Iterator[str]:
    text = sentence.get("raw")
    if not isinstance(text, str) or not text.strip():
        yield f"{where}: expected a text as raw, found {str(text)[:40]!r}"
    if "imgid" in sentence and "imgid" in record and sentence["imgid"] != record["imgid"]:
        yield (
            f"{where}: expected imgid {record['imgid']!r} of its image, found "
            f"{sentence['imgid']!r}; a caption stands with another image"
        )


def _twice(what: str, ids: Sequence[str]) -> Iterator[str]:
    seen: set[str] = set()
    for one in ids:
        if one in seen:
            yield f"{what} id {one!r} stands twice"
        seen.add(one)


__all__ = ["SPLITS", "Caption", "CaptionSet", "CaptionedImage", "karpathy"]
