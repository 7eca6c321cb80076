"""ESC-50 and ESC-10: five-second sounds of 50 (10) classes, in the official table and WAV files."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness import ids
from harness.data import manifest
from harness.data.wav import read_wav, resample
from harness.errors import DataError
from harness.types import Dataset, Example, Media

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

FOLDS = (1, 2, 3, 4, 5)
_COLUMNS = ("filename", "fold", "target", "category", "esc10")
_SPLIT = re.compile(r"(esc50|esc10)(?:-fold([1-5]))?")
_NAME = re.compile(r"([1-5])-(\d+)-[A-Z]-(\d{1,2})\.wav")
_WORD = re.compile(r"[a-z]+(?:_[a-z]+)*")
_SHOWN = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class _Row:
    name: str
    fold: int
    target: int
    category: str
    esc10: bool
    recording: str


def esc50(
    path: Path,
    name: str,
    *,
    split: str,
    audio_root: Path | None = None,
    exclude: Sequence[str] = (),
) -> Dataset:
    """Read the table of ESC-50, whole or a part of it.

    Parameters
    ----------
    path : the official `esc50.csv`, or a part of its rows with its head line. Columns beyond
        filename, fold, target, category and esc10 are not looked at. esc10 is true or false in
        any case.
    name : how the study names the data set.
    split : "esc50" (all rows) or "esc10" (those of ESC-10), with "-fold1" to "-fold5" behind it
        for one fold. Choices are the classes of all folds.
    audio_root : the folder of the WAV files. None where answers are only replayed: then the
        media have no hash.
    exclude : file names that are left out, each of them in the table.

    Returns
    -------
    Dataset
        Kind `retrieval`, in the table's order: id = file name, gold = the class with spaces for
        underscores, choices = all classes of the split sorted, `group` = the recording that the
        clip was cut from (clips of one are not independent), `role` = "fold1" … One medium of
        kind `audio` with the SHA-256 of its file; `open_image` refuses. Claim level L2.

    Raises
    ------
    DataError
        For an unknown split or fold, a missing or torn table; and, listing all faults by line: a
        missing column, a value that is not read, a file name that stands twice, is no official
        one or contradicts its row, a number with two classes and the reverse, a class that is
        only partly of ESC-10, an unknown id in `exclude`, a clip that is not in `audio_root`, no
        row that is left.

    References
    ----------
    K. J. Piczak, "ESC: Dataset for environmental sound classification", ACM Multimedia (2015).
    """
    where = f"{name}/{split} ({path.name})"
    found = _SPLIT.fullmatch(split)
    if found is None:
        raise DataError(
            f"{where}: expected the split esc50 or esc10, alone or with -fold1 to -fold5 behind "
            f"it, found {split!r}"
        )
    rows, faults = _rows(path)
    faults += _contradictions(rows)
    absent = sorted(set(exclude) - {row.name for row in rows})
    faults += [f"exclude: expected ids of the table, found {key!r}" for key in absent]
    part = [row for row in rows if found[1] == "esc50" or row.esc10]
    labels = tuple(sorted({row.category.replace("_", " ") for row in part}))
    if found[2]:
        part = [row for row in part if row.fold == int(found[2])]
    part = [row for row in part if row.name not in exclude]
    hashes: Mapping[str, str | None] = dict.fromkeys(row.name for row in part)
    if audio_root is not None:
        missing = [row.name for row in part if not (audio_root / row.name).is_file()]
        faults += [f"{key}: expected it in the audio folder, found no such file" for key in missing]
        if not faults:
            hashes = {row.name: ids.file_digest(audio_root / row.name) for row in part}
    _raise(where, faults)
    examples = tuple(_example(row, labels, hashes[row.name]) for row in part)
    manifest.check(examples, where)
    return Dataset(
        name=name,
        split=split,
        examples=examples,
        fingerprint=manifest.fingerprint(examples),
        open_image=_no_picture(f"{name}/{split}"),
        claim_level="L2",
    )


def open_clip(media: Media, audio_root: Path, rate_hz: int) -> NDArray[np.float32]:
    """Open a clip of ESC-50 at the rate that a model takes.

    Parameters
    ----------
    media : of a data set that was read with this `audio_root`.
    audio_root : the folder of the WAV files.
    rate_hz : samples a second, at least 1 (48,000 for CLAP).

    Returns
    -------
    array of float32, shape (n,)
        One channel, nominally in [-1, 1); see `harness.data.wav.read_wav` and `resample`.

    Raises
    ------
    DataError
        For a medium that is no audio, a clip that changed since it was hashed, and as `read_wav`
        and `resample` do.
    """
    if media.kind != "audio":
        raise DataError(f"expected an audio clip, found {media.kind} {media.name!r}")
    path = audio_root / media.name
    clip = read_wav(path)
    if media.sha256 is not None and ids.file_digest(path) != media.sha256:
        raise DataError(f"{media.name}: the clip changed since it was hashed; read the table again")
    return resample(clip.samples, clip.rate_hz, rate_hz)


def _rows(path: Path) -> tuple[list[_Row], list[str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise DataError(
            f"{path.name}: no such file; check the path in the study or fetch the data first"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"{path.name}: cannot be read as UTF-8 text ({type(error).__name__}); replace it by a "
            "whole copy"
        ) from error
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    lacking = [column for column in _COLUMNS if column not in (reader.fieldnames or ())]
    if lacking:
        raise DataError(
            f"{path.name}: expected the columns {', '.join(_COLUMNS)}, found none named "
            f"{', '.join(lacking)}"
        )
    rows, faults = [], []
    try:
        for cells in reader:
            try:
                rows.append(_row(cells))
            except ValueError as error:
                faults.append(f"line {reader.line_num}: {error}")
    except csv.Error as error:
        raise DataError(f"{path.name}:{reader.line_num}: cannot be read as CSV: {error}") from error
    return rows, faults


def _row(cells: Mapping[str, str | None]) -> _Row:
    values = {column: cells.get(column) or "" for column in _COLUMNS}
    for column, allowed in (("fold", r"[1-5]"), ("target", r"\d{1,2}"), ("category", _WORD)):
        if not re.fullmatch(allowed, values[column]):
            expected = {"fold": "1 to 5", "target": "0 to 49"}.get(column, "words joined by _")
            raise ValueError(f"{column}: expected {expected}, found {values[column]!r}")
    flag = values["esc10"].lower()
    if flag not in ("true", "false"):
        raise ValueError(f"esc10: expected true or false, found {values['esc10']!r}")
    named = _NAME.fullmatch(values["filename"])
    if named is None:
        raise ValueError(
            f"filename: expected FOLD-NUMBER-TAKE-TARGET.wav, found {values['filename']!r}"
        )
    if (named[1], int(named[3])) != (values["fold"], int(values["target"])):
        raise ValueError(
            f"filename: {values['filename']!r} names fold {named[1]} and target {named[3]}, the "
            f"row fold {values['fold']} and target {values['target']}"
        )
    return _Row(
        name=values["filename"],
        fold=int(values["fold"]),
        target=int(values["target"]),
        category=values["category"],
        esc10=flag == "true",
        recording=named[2],
    )


def _contradictions(rows: Sequence[_Row]) -> list[str]:
    classes, targets, flags = defaultdict(set), defaultdict(set), defaultdict(set)
    names: dict[str, int] = defaultdict(int)
    for row in rows:
        names[row.name] += 1
        classes[row.target].add(row.category)
        targets[row.category].add(row.target)
        flags[row.category].add(row.esc10)
    found = [f"{key}: the id stands {n} times" for key, n in names.items() if n > 1]
    found += [
        f"target {number}: expected one class, found {', '.join(sorted(words))}"
        for number, words in classes.items()
        if len(words) > 1
    ]
    found += [
        f"{word}: expected one target, found {', '.join(map(str, sorted(numbers)))}"
        for word, numbers in targets.items()
        if len(numbers) > 1
    ]
    return found + [
        f"{word}: expected all or none of its clips in ESC-10, found both"
        for word, seen in flags.items()
        if len(seen) > 1
    ]


def _example(row: _Row, labels: tuple[str, ...], sha256: str | None) -> Example:
    label = row.category.replace("_", " ")
    return Example(
        id=row.name,
        kind="retrieval",
        question="Which sound is this?",
        gold=label,
        choices=labels,
        media=(Media(kind="audio", name=row.name, sha256=sha256),),
        group=row.recording,
        role=f"fold{row.fold}",
    )


def _no_picture(where: str) -> Callable[[Media], Image]:
    def open_image(media: Media) -> Image:
        raise DataError(
            f"{where}: {media.name!r} is {media.kind}, not a picture; open it with "
            "harness.data.esc50.open_clip"
        )

    return open_image


def _raise(where: str, faults: Sequence[str]) -> None:
    if faults:
        more = [f"  … and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        lines = "\n".join([f"  {fault}" for fault in faults[:_SHOWN]] + more)
        raise DataError(f"{where}: {len(faults)} fault(s); correct the data\n{lines}")


__all__ = ["FOLDS", "esc50", "open_clip"]
