"""A data set of a study opened by its reader, whole or restricted to listed ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.data import manifest
from harness.data.records import read_records
from harness.errors import DataError
from harness.types import Dataset

READERS = ("digits", "pope", "visual-shapes")
_OPTIONS = {
    "digits": ("ids",),
    "pope": ("ids", "image_root"),
    "visual-shapes": ("ids",),
}
_SHOWN = 5


def load_dataset(
    reader: str, *, name: str, split: str, path: Path | None, options: Mapping[str, Any]
) -> Dataset:
    """Open one split of a data set.

    Parameters
    ----------
    reader : "visual-shapes", "digits" or "pope".
    name : how the study names the data set; the result carries it.
    split : as the reader knows it.
    path : the file, for readers that read one (pope); None for the others.
    options : `image_root` (pope): the folder of the pictures. `ids`: {"path", "where"}, a
        file of records (see `read_records`) whose `id` or `question_id` are the examples to
        keep. The subset's own fingerprint is that of its examples alone, so it never passes
        for the whole split.

    Returns
    -------
    Dataset
        In the data set's own order, also where `ids` lists another one.

    Raises
    ------
    DataError
        For an unknown reader, split or option, a path that is missing or not wanted, listed
        ids that occur twice or are not in the split, and every fault that the reader finds.
    """
    if reader not in READERS:
        raise DataError(f"{name}: unknown reader {reader!r}; expected one of: {', '.join(READERS)}")
    foreign = sorted(set(options) - set(_OPTIONS[reader]))
    if foreign:
        raise DataError(
            f"{name}: reader {reader!r} knows no option {', '.join(foreign)}; expected only: "
            f"{', '.join(_OPTIONS[reader])}"
        )
    dataset = _read(reader, name, split, path, options)
    if "ids" in options:
        dataset = _restricted(dataset, options["ids"])
    return dataset


def _read(
    reader: str, name: str, split: str, path: Path | None, options: Mapping[str, Any]
) -> Dataset:
    if (path is None) == (reader == "pope"):
        wanted = "the path of its file" if path is None else "no path, it makes its own data"
        raise DataError(f"{name}: reader {reader!r} expects {wanted}")
    match reader:
        case "visual-shapes":
            from harness.data.visual_shapes import visual_shapes

            return replace(visual_shapes(split), name=name)
        case "digits":
            from harness.data.digits import digits

            return replace(digits(split), name=name)
        case "pope" if path is not None:
            from harness.data.pope import pope

            root = options.get("image_root")
            return pope(path, name, split=split, image_root=None if root is None else Path(root))
    raise DataError(f"{name}: reader {reader!r} cannot be opened")


def _restricted(dataset: Dataset, listing: Mapping[str, Any]) -> Dataset:
    path, where = Path(listing["path"]), listing.get("where") or {}
    wanted = Counter(_listed(path, place, row) for place, row in _numbered(path, where))
    known = {example.id for example in dataset.examples}
    repeated = sorted(key for key, count in wanted.items() if count > 1)
    foreign = sorted(set(wanted) - known)
    for faulty, reason in ((repeated, "listed more than once"), (foreign, "not in the split")):
        if faulty:
            raise DataError(
                f"{dataset.name}/{dataset.split}: {len(faulty)} id(s) of {path.name} are {reason}: "
                f"{', '.join(faulty[:_SHOWN])}{' …' if len(faulty) > _SHOWN else ''}; check the "
                "file and its `where`"
            )
    examples = tuple(example for example in dataset.examples if example.id in wanted)
    manifest.check(examples, f"{dataset.name}/{dataset.split} restricted by {path.name}")
    return replace(dataset, examples=examples, fingerprint=manifest.fingerprint(examples))


def _numbered(path: Path, where: Mapping[str, Any]) -> list[tuple[int, dict[str, Any]]]:
    return list(enumerate(read_records(path, where), start=1))


def _listed(path: Path, place: int, row: Mapping[str, Any]) -> str:
    value = row.get("id", row.get("question_id"))
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise DataError(
            f"{path.name}: record {place}: expected an id under id or question_id, found {value!r}"
        )
    return str(value)


__all__ = ["READERS", "load_dataset"]
