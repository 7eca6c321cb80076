"""A data set of a study opened by its reader, whole or restricted to listed ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.data import manifest
from harness.data.problem_readers import PROBLEM_READERS, WITH_PATH, open_problems
from harness.data.records import read_records
from harness.data.subsets import subset
from harness.data.video_frames import N_FRAMES
from harness.errors import DataError
from harness.types import Dataset

READERS = (
    *("digits", "mini-r1", "pope", "r1-onevision-bench", "scenes", "scienceqa"),
    *("triplets", "visual-shapes", "esc50", "video-mme-v2"),
    *PROBLEM_READERS,
)
_MEDIA = ("esc50", "video-mme-v2")
_WITH_PATH = ("pope", "r1-onevision-bench", "scenes", "scienceqa", "triplets", *_MEDIA, *WITH_PATH)
_COMMON = ("ids", "subset", "fingerprint")
_OPTIONS = {
    "digits": _COMMON,
    "mini-r1": _COMMON,
    "pope": (*_COMMON, "image_root"),
    "r1-onevision-bench": (*_COMMON, "image_root", "exclude"),
    "scenes": (*_COMMON, "image_root", "exclude", "size"),
    "scienceqa": (*_COMMON, "image_root", "hint"),
    "triplets": (*_COMMON, "image_root", "exclude", "incomplete"),
    "visual-shapes": _COMMON,
    "esc50": (*_COMMON, "image_root", "exclude"),
    "video-mme-v2": (*_COMMON, "image_root", "exclude", "frames"),
    **dict.fromkeys(("mgsm", "twin-problems", "xcopa"), _COMMON),
    **dict.fromkeys(
        ("olympiadbench", "physolym", "physreason", "phyx"), (*_COMMON, "image_root", "exclude")
    ),
}
_SHOWN = 5


def load_dataset(
    reader: str, *, name: str, split: str, path: Path | None, options: Mapping[str, Any]
) -> Dataset:
    """Open one split of a data set.

    Parameters
    ----------
    reader : one of `READERS`.
    name : how the study names the data set; the result carries it.
    split : as the reader knows it.
    path : the file, for readers that read one (esc50, pope, r1-onevision-bench, scenes, scienceqa,
        triplets, video-mme-v2, and problem sets but twin-problems); None for the others.
    options : `image_root` (readers with a path): the folder of the pictures, clips or videos.
        `exclude` (esc50, r1-onevision-bench, scenes, triplets, video-mme-v2): ids that are left
        out. `size` (scenes): of the pictures, such as "320x240". `incomplete` (triplets): "refuse"
        or "keep". `hint` (scienceqa): "context" or "none". `frames` (video-mme-v2): how many of
        each video are shown. For every reader: `ids`: {"path", "where"}, a file of records (see
        `read_records`) whose `id` or `question_id` are the examples to keep; then `subset`, a draw
        from these (see `harness.data.subsets.subset`).
        A restricted data set's fingerprint is that of its examples alone, so it never passes
        for the whole split. `fingerprint`: what the result must have, 64 hex digits.

    Returns
    -------
    Dataset
        In the data set's own order, also where `ids` lists another one.

    Raises
    ------
    DataError
        For an unknown reader, split or option, a path that is missing or not wanted, listed
        ids that occur twice or are not in the split, a subset that cannot be drawn, another
        fingerprint than stated, and every fault that the reader finds.
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
    if "subset" in options:
        dataset = subset(dataset, options["subset"])
    stated = options.get("fingerprint", dataset.fingerprint)
    if stated != dataset.fingerprint:
        raise DataError(
            f"{name}/{split}: expected the fingerprint {stated}, found {dataset.fingerprint}; the "
            "data are not those that the study was written for: restore them, or state the new "
            "fingerprint"
        )
    return dataset


def _read(
    reader: str, name: str, split: str, path: Path | None, options: Mapping[str, Any]
) -> Dataset:
    if (path is None) == (reader in _WITH_PATH):
        wanted = "the path of its file" if path is None else "no path, it makes its own data"
        raise DataError(f"{name}: reader {reader!r} expects {wanted}")
    if reader in PROBLEM_READERS:
        return open_problems(reader, name=name, split=split, path=path, options=options)
    root = None if options.get("image_root") is None else Path(options["image_root"])
    exclude = tuple(options.get("exclude", ()))
    match reader:
        case "visual-shapes":
            from harness.data.visual_shapes import visual_shapes

            return replace(visual_shapes(split), name=name)
        case "digits":
            from harness.data.digits import digits

            return replace(digits(split), name=name)
        case "mini-r1":
            from harness.data.mini_r1 import mini_r1

            return replace(mini_r1(split), name=name)
        case "pope" if path is not None:
            from harness.data.pope import pope

            return pope(path, name, split=split, image_root=root)
        case "r1-onevision-bench" if path is not None:
            from harness.data.r1bench import r1bench

            return r1bench(
                path,
                name,
                split=split,
                image_root=root,
                exclude=exclude,
            )
        case "scenes" if path is not None:
            from harness.data.scene_manifest import scenes

            return scenes(
                path,
                name,
                split=split,
                size=options.get("size"),
                image_root=root,
                exclude=exclude,
            )
        case "scienceqa" if path is not None:
            from harness.data.scienceqa import scienceqa

            return scienceqa(
                path,
                name,
                split=split,
                image_root=root,
                hint=options.get("hint", "context") == "context",
            )
        case "esc50" if path is not None:
            from harness.data.esc50 import esc50

            return esc50(
                path,
                name,
                split=split,
                audio_root=root,
                exclude=exclude,
            )
        case "video-mme-v2" if path is not None:
            from harness.data.video_mme import video_mme

            return video_mme(
                path,
                name,
                split=split,
                video_root=root,
                exclude=exclude,
                n_frames=int(options.get("frames", N_FRAMES)),
            )
        case "triplets" if path is not None:
            from harness.data.triplets import triplets

            return triplets(
                path,
                name,
                split=split,
                image_root=root,
                exclude=exclude,
                keep_incomplete=options.get("incomplete", "refuse") == "keep",
            )
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
