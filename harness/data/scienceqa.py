"""ScienceQA from its official files: problems.json, pid_splits.json and the folder of pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
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

SPLITS = ("train", "val", "test")
_PROBLEMS, _ASSIGNED = "problems.json", "pid_splits.json"
_PARTS = {"trainval": ("train", "val"), **{s: (s,) for s in SPLITS}}
_SHOWN = 10


def scienceqa(
    path: Path, name: str, *, split: str, image_root: Path | None = None, hint: bool = True
) -> Dataset:
    """Read one split of ScienceQA.

    Parameters
    ----------
    path : the official folder, with `problems.json` and `pid_splits.json`; or a file of
        problems alone, of which those are taken whose own `split` is asked for. A problem has
        `question`, `choices`, `answer` (an index from 0), and where it has them `hint`, `image`
        (a file name), `subject` and `split`. Problems stand in one object by id, or in a list
        or in JSON lines, each with its `id`; any file may be gzipped.
    name : how the study names the data set.
    split : train, val or test, or with the folder any other that `pid_splits.json` has, such as
        trainval or minitest.
    image_root : the folder of the pictures, which lie at SPLIT/ID/NAME (the problem's own
        split), else ID/NAME, else SPLIT/NAME, else NAME; the last two only where one problem
        alone has that name. None where predictions are only replayed: then the media have no
        hash and `open_image` refuses.
    hint : put a problem's hint before its question, an empty line between them.

    Returns
    -------
    Dataset
        Kind `choice`, in the order of `pid_splits.json` or of the file. Tags: `image` or
        `text` (no picture), and the subject where it is known. A text-only problem has no
        media. With `image_root` the media carry the SHA-256 of their files. Claim level L2.

    Raises
    ------
    DataError
        For an unknown split; listing all faults: a problem that is missing, stands twice, is
        assigned to two splits or says another split itself, a missing or wrongly typed field,
        an answer that is no index of the choices, a file name with a folder in it, pictures that
        are missing; then what `manifest.check` and `read_records` find.

    References
    ----------
    P. Lu et al., "Learn to Explain: Multimodal Reasoning via Thought Chains for Science Question
    Answering" (2022).
    """
    problems = _selected(path, name, split)
    _require(path, [f for key, problem in problems.items() for f in _faults(key, problem)])
    names = {
        key: _media_name(key, problem, split)
        for key, problem in problems.items()
        if problem.get("image")
    }
    files = _files(path, names, image_root)
    hashes = {key: ids.file_digest(file) for key, file in files.items()}
    examples = tuple(
        _example(key, problem, names.get(key), hashes.get(key), hint=hint)
        for key, problem in problems.items()
    )
    manifest.check(examples, f"{name}/{split} ({path.name})")
    by_media = {names[key]: key for key in files}

    def open_image(media: Media) -> Image:
        if image_root is None:
            raise DataError(
                f"{name}/{split}: picture {media.name!r} is asked for, but the study names no "
                "image folder; set image_root"
            )
        if media.name not in by_media:
            raise DataError(f"{name}/{split}: no picture {media.name!r} in this split")
        file = files[by_media[media.name]]
        if ids.file_digest(file) != hashes[by_media[media.name]]:
            raise DataError(f"{name}/{split}: picture {media.name!r} changed since it was hashed")
        return open_rgb(file)

    return Dataset(
        name=name,
        split=split,
        examples=examples,
        fingerprint=manifest.fingerprint(examples),
        open_image=open_image,
        claim_level="L2",
    )


def _selected(path: Path, name: str, split: str) -> dict[str, Mapping[str, Any]]:
    """The problems of a split by id, in its order."""
    if not path.is_dir():
        problems = _problems(path)
        known = sorted({str(problem.get("split")) for problem in problems.values()})
        if split not in known:
            raise DataError(
                f"{name}: expected a split of {path.name}, which has {', '.join(known)}; found "
                f"{split!r}"
            )
        return {key: p for key, p in problems.items() if str(p.get("split")) == split}
    problems = _problems(_member(path, _PROBLEMS))
    assigned = _assigned(_member(path, _ASSIGNED), name, split)
    own = split.removeprefix("mini")
    faults = []
    for key in assigned:
        stated = problems.get(key, {}).get("split", own)
        if key not in problems:
            faults.append(f"{key}: expected a problem of this id in {_PROBLEMS}, found none")
        elif stated not in _PARTS.get(own, (stated,)):
            faults.append(f"{key}: assigned to {split}, but its own split is {stated!r}")
    _require(path, faults)
    return {key: problems[key] for key in assigned}


def _member(folder: Path, name: str) -> Path:
    """A file of the official folder, gzipped or not."""
    packed = folder / f"{name}.gz"
    return packed if packed.is_file() else folder / name


def _problems(path: Path) -> dict[str, Mapping[str, Any]]:
    rows = read_records(path, {})
    if len(rows) == 1 and "question" not in rows[0]:
        bad = [key for key, problem in rows[0].items() if not isinstance(problem, dict)]
        _require(path, [f"{key}: expected a problem as an object" for key in bad])
        return dict(rows[0])
    found: dict[str, Mapping[str, Any]] = {}
    faults = []
    for place, row in enumerate(rows, start=1):
        key = row.get("id", row.get("question_id"))
        if isinstance(key, bool) or not isinstance(key, int | str) or key == "":
            faults.append(f"record {place}: expected an id, found {key!r}")
        elif str(key) in found:
            faults.append(f"record {place}: the problem {str(key)!r} stands twice")
        else:
            found[str(key)] = row
    _require(path, faults)
    return found


def _assigned(path: Path, name: str, split: str) -> list[str]:
    """The ids of a split; no id may be in two of train, val and test."""
    splits = read_records(path, {})[0]
    if not isinstance(splits.get(split), list):
        raise DataError(
            f"{name}: expected a split of {path.name}, which has {', '.join(sorted(splits))}; "
            f"found {split!r}"
        )
    where: dict[str, str] = {}
    faults = []
    for own in dict.fromkeys((*(s for s in SPLITS if s in splits), split)):
        # A mini split is a part of its whole.
        seen: set[str] = set()
        for key in map(str, splits[own]):
            if key in seen:
                faults.append(f"{key}: stands twice in {own}")
            elif own in SPLITS and key in where:
                faults.append(f"{key}: assigned to {where[key]} and to {own}")
            seen.add(key)
            if own in SPLITS:
                where.setdefault(key, own)
    _require(path, faults)
    return [str(key) for key in splits[split]]


def _faults(key: str, problem: Mapping[str, Any]) -> list[str]:
    found = []
    question, choices, answer = (problem.get(f) for f in ("question", "choices", "answer"))
    if not isinstance(question, str) or not question:
        found.append(f"{key}: expected question as text, found {question!r}")
    if not (isinstance(choices, list) and choices and all(isinstance(c, str) for c in choices)):
        found.append(f"{key}: expected choices as a list of texts, found {choices!r}")
    elif (
        isinstance(answer, bool)
        or not isinstance(answer, int)
        or answer not in range(min(len(choices), len(manifest.LETTERS)))
    ):
        found.append(
            f"{key}: expected answer as an index of {len(choices)} choices, found {answer!r}"
        )
    for field in ("hint", "image", "subject"):
        value = problem.get(field)
        if value is not None and not isinstance(value, str):
            found.append(f"{key}: expected {field} as text or null, found {value!r}")
    for part in (key, problem.get("image")):
        if isinstance(part, str) and (part in (".", "..") or set(part) & {"/", "\\", "\0"}):
            found.append(f"{key}: expected id and image as bare file names, found {part!r}")
    return found


def _files(path: Path, names: Mapping[str, str], root: Path | None) -> dict[str, Path]:
    """The picture of each problem that has one; empty without a folder of pictures."""
    if root is None:
        return {}
    parts = {key: name.split("/") for key, name in names.items()}
    shared = {image for image, n in Counter(p[-1] for p in parts.values()).items() if n > 1}
    found, faults = {}, []
    for key, (folder, _, image) in parts.items():
        own = [root / folder / key / image, root / key / image]
        flat = [] if image in shared else [root / folder / image, root / image]
        file = next((place for place in (*own, *flat) if place.is_file()), None)
        if file is None:
            faults.append(f"{key}: expected its picture at {names[key]}, found no file")
        else:
            found[key] = file
    _require(path, faults)
    return found


def _example(
    key: str, problem: Mapping[str, Any], picture: str | None, sha256: str | None, *, hint: bool
) -> Example:
    context = (problem.get("hint") or "").strip()
    question, subject = problem["question"], problem.get("subject")
    return Example(
        id=key,
        kind="choice",
        question=f"{context}\n\n{question}" if hint and context else question,
        gold=manifest.LETTERS[problem["answer"]],
        choices=tuple(problem["choices"]),
        media=(Media(kind="image", name=picture, sha256=sha256),) if picture else (),
        tags=("image" if picture else "text", *((subject,) if subject else ())),
    )


def _media_name(key: str, problem: Mapping[str, Any], split: str) -> str:
    """SPLIT/ID/NAME, with the problem's own split, which is a part of the one asked for."""
    stated = problem.get("split")
    folder = stated if stated in SPLITS else split.removeprefix("mini")
    return f"{folder}/{key}/{problem['image']}"


def _require(path: Path, faults: Sequence[str]) -> None:
    if faults:
        more = [f"  … and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        lines = "\n".join([f"  {fault}" for fault in faults[:_SHOWN]] + more)
        raise DataError(f"{path.name}: {len(faults)} fault(s); correct the data\n{lines}")


__all__ = ["SPLITS", "scienceqa"]
