"""What readers of problem sets share: drafts of examples with pictures become one data set."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.data import manifest
from harness.data.image import open_rgb
from harness.data.picture_cells import file_bytes, picture_bytes
from harness.data.records import read_records
from harness.data.tables import table_rows
from harness.errors import DataError
from harness.types import Dataset, Example, Media

if TYPE_CHECKING:
    from PIL.Image import Image

_SHOWN = 20
_TABLES = (".parquet", ".tsv")
_NAME_CHARS = 200


@dataclass(frozen=True, kw_only=True)
class Draft:
    """An example without its media, and its pictures as the source gives them."""

    example: Example
    pictures: tuple[Any, ...] = ()


def problem_rows(path: Path) -> list[dict[str, Any]]:
    """Read the rows of a problem set: parquet or TSV, JSON or JSONL, also gzipped.

    Raises
    ------
    DataError
        As `harness.data.tables.table_rows` and `harness.data.records.read_records`.
    """
    if path.is_dir() or path.suffix in _TABLES:
        return list(table_rows(path))
    return read_records(path, {})


def problem_set(
    name: str,
    split: str,
    drafts: Iterable[Draft],
    faults: Sequence[str],
    *,
    where: str,
    image_root: Path | None,
    exclude: Sequence[str],
) -> Dataset:
    """Hash the pictures of drafts, check everything, and make the data set.

    Parameters
    ----------
    name, split : as the study calls them.
    drafts : in the set's order. A picture is a short text (a path below `image_root`), or what
        `harness.data.picture_cells.picture_bytes` reads.
    faults : what the reader found; any of them refuses the set.
    where : the source's base name, for messages.
    image_root : folder of pictures given by path. None: these have no hash and cannot be opened,
        which is enough for replayed answers.
    exclude : ids to leave out before any check; each must be there.

    Returns
    -------
    Dataset
        Claim level L2. The bytes of pictures that stand in the rows stay in memory.

    Raises
    ------
    DataError
        Listing all faults: the reader's, pictures that cannot be read, excluded ids that are not
        there, and what `harness.data.manifest.check` finds.
    """
    listed = list(drafts)
    out = set(exclude)
    found = [*faults]
    found += [
        f"{key}: excluded, but there is no such example"
        for key in sorted(out - {draft.example.id for draft in listed})
    ]
    pictures: dict[str, bytes | None] = {}
    examples = []
    for draft in listed:
        if draft.example.id in out:
            continue
        media = []
        for place, value in enumerate(draft.pictures, start=1):
            by_name = isinstance(value, str) and len(value) <= _NAME_CHARS and "." in value
            label = value if by_name else f"{draft.example.id}#{place}"
            try:
                if by_name and image_root is None:
                    raw = None
                else:
                    raw = file_bytes(value, image_root) if by_name else picture_bytes(value, None)
            except ValueError as error:
                found.append(f"{draft.example.id}: {error}")
                continue
            pictures[label] = None if by_name else raw
            sha256 = None if raw is None else hashlib.sha256(raw).hexdigest()
            media.append(Media(kind="image", name=label, sha256=sha256))
        examples.append(replace(draft.example, media=tuple(media)))
    if found:
        lines = [f"  {fault}" for fault in sorted(found)[:_SHOWN]]
        lines += [f"  … and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
        said = "\n".join(lines)
        raise DataError(
            f"{name}/{split} ({where}): {len(found)} fault(s); correct the data, or name the ids "
            f"in exclude\n{said}"
        )
    manifest.check(examples, f"{name}/{split} ({where})")

    def open_image(media: Media) -> Image:
        if media.name not in pictures:
            raise DataError(f"{name}/{split}: no picture {media.name!r} in this split")
        raw = pictures[media.name]
        if raw is not None:
            return open_rgb(raw, media.name)
        if image_root is None:
            raise DataError(
                f"{name}/{split}: picture {media.name!r} is asked for, but the study names no "
                "image folder; set image_root"
            )
        raw = file_bytes(media.name, image_root)
        if hashlib.sha256(raw).hexdigest() != media.sha256:
            raise DataError(f"{name}/{split}: picture {media.name!r} changed since it was hashed")
        return open_rgb(raw, media.name)

    return Dataset(
        name=name,
        split=split,
        examples=tuple(examples),
        fingerprint=manifest.fingerprint(examples),
        open_image=open_image,
        claim_level="L2",
    )


def text_of(row: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that holds something, as stripped text; "" without one."""
    for name in names:
        value = row.get(name)
        if isinstance(value, bool) or value is None:
            continue
        if isinstance(value, str | int | float) and str(value).strip():
            return str(value).strip()
    return ""


def tag(label: str, value: str) -> tuple[str, ...]:
    """A tag "label:value", none without a value."""
    return (f"{label}:{value}",) if value else ()


__all__ = ["Draft", "problem_rows", "problem_set", "tag", "text_of"]
