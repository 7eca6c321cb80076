"""Video-MME-v2: four questions on each video with up to eight options, in the official layout."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import ids
from harness.data import manifest
from harness.data.choice_lists import choices_of
from harness.data.records import read_records
from harness.data.tables import table_rows
from harness.data.video_frames import N_FRAMES, RULE
from harness.data.video_store import VideoStore
from harness.errors import DataError
from harness.scoring.question_groups import STRUCTURES, structure_of
from harness.types import Dataset, Example, Media

if TYPE_CHECKING:
    from PIL.Image import Image

N_QUESTIONS = 4
MAX_OPTIONS = 8
LETTERS = manifest.LETTERS[:MAX_OPTIONS]
_KINDS = {"relevance": "relevance", "logic": "logic", "相关性": "relevance", "逻辑链": "logic"}
_TEXTS = ("question_id", "question", "answer")
_HEADS = ("level", "second_head", "third_head")
_VIDEO = re.compile(r"[^/\\]+\.(?:mp4|mkv|webm|mov)", re.IGNORECASE)
_LABEL = re.compile(r"^[ \t]*([A-Z])[.):][ \t]+", re.MULTILINE)
_PLACE = re.compile(r".*-([1-9]\d*)")
_SHOWN = 10


def video_mme(
    path: Path,
    name: str,
    *,
    split: str,
    video_root: Path | None = None,
    exclude: Sequence[str] = (),
    n_frames: int = N_FRAMES,
) -> Dataset:
    """Read the table of Video-MME-v2, or a part of its videos.

    Columns: `video_id`, `question_id`, `question`, `options` (see
    `harness.data.choice_lists.choices_of`; the official ones are lines "A. …" to "H. …"), `answer`,
    `group_type` (relevance or logic), `group_structure` (see `harness.scoring.question_groups`),
    and `level`, `second_head` and `third_head`, which the official table gives with a group's last
    question. The file of a video is `video` where a row has it, else `videoID.mp4`, else
    `video_id.mp4`. Rows of Video-MME (the first) have no `group_type`; they are read too, and
    have no groups to score.

    Parameters
    ----------
    path : `.parquet` or `.tsv` (or a folder of either), `.jsonl` or `.json`; parquet needs pyarrow.
    name, split : how the study names the data set and what it reads; the file holds one split.
    video_root : the folder of the videos. None where answers are only replayed: then the media
        have no hash and `open_image` refuses.
    exclude : ids of videos that are left out with all their questions, each of them in the table.
    n_frames : frames that a model is shown of each video, at least 1.

    Returns
    -------
    Dataset
        Kind `choice` in the table's order: id = question_id, `group` = video_id, `role` "part-1" …
        in the order of the questions, so that a sample takes whole videos. `tags`:
        "group:relevance" or "group:logic", "structure:…" of a logic group, and "level:…",
        "second_head:…", "third_head:…" of its group. `media` are `n_frames` pictures,
        "001.mp4#1/32" …; the hash of each is of the video's bytes, the rule and its place.
        `open_image` decodes (see `harness.data.video_frames`). Claim level L2.

    Raises
    ------
    DataError
        As in `read_records` and `table_rows`; and, listing faults by id: a missing field, options
        that cannot be read, are fewer than 2 or more than 8, an answer that is not the letter of
        one, a repeated id, a video without four questions numbered 1 to 4, of two group types or
        structures, an unknown one of these, a name with a folder in it, a video that is not in
        `video_root`, an unknown id in `exclude`, and what `manifest.check` finds. A video that
        cannot be decoded raises when its pictures are opened.

    References
    ----------
    C. Fu et al., "Video-MME-v2: towards the next stage in benchmarks for comprehensive video
    understanding", arXiv 2604.05015 (2026); data set MME-Benchmarks/Video-MME-v2.
    """
    if n_frames < 1:
        raise DataError(f"{name}/{split}: expected at least one frame, found {n_frames}")
    where = f"{name}/{split} ({path.name})"
    records = {".json", ".jsonl"} & set(path.suffixes)
    rows = read_records(path, {}) if records else list(table_rows(path))
    _raise(where, [fault for place, row in enumerate(rows, start=1) for fault in _gaps(place, row)])
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[str(row["video_id"])].append(row)
    absent = sorted(set(exclude) - set(groups))
    faults = [f"exclude: expected ids of videos, found {key!r}" for key in absent]
    made: dict[str, Example] = {}
    files = {key: _file(key, group[0]) for key, group in groups.items() if key not in exclude}
    if video_root is not None:
        faults += [
            f"{key}: expected {file} in the video folder, found no such file"
            for key, file in files.items()
            if not (video_root / file).is_file()
        ]
    hashes: Mapping[str, str | None] = dict.fromkeys(files.values())
    if video_root is not None and not faults:
        hashes = {file: ids.file_digest(video_root / file) for file in hashes}
    repeated: list[str] = []
    for key, file in files.items():
        try:
            tags, places = _group(groups[key])
        except ValueError as error:
            faults.append(f"video {key}: {error}")
            continue
        media = _media(file, hashes[file], n_frames)
        for row, place in zip(groups[key], places, strict=True):
            try:
                example = _example(row, key, place, tags, media)
            except ValueError as error:
                faults.append(f"{row['question_id']}: {error}")
                continue
            repeated += [example.id] if example.id in made else []
            made[example.id] = example
    faults += [f"{key}: the id stands twice" for key in repeated]
    _raise(where, faults)
    examples = tuple(made[str(r["question_id"])] for r in rows if str(r["question_id"]) in made)
    manifest.check(examples, where)
    store = VideoStore(f"{name}/{split}", video_root, hashes, n_frames)

    def open_image(media: Media) -> Image:
        return store.frame(media)

    return Dataset(
        name=name,
        split=split,
        examples=examples,
        fingerprint=manifest.fingerprint(examples),
        open_image=open_image,
        claim_level="L2",
    )


def _gaps(place: int, row: Mapping[str, Any]) -> list[str]:
    found = [
        f"record {place}: expected {field} as text, found {row.get(field)!r:.60}"
        for field in _TEXTS
        if not isinstance(row.get(field), str) or not row[field].strip()
    ]
    key = row.get("video_id")
    if isinstance(key, bool) or not isinstance(key, int | str) or key == "":
        found.append(f"record {place}: expected video_id as text or a number, found {key!r:.60}")
    if "questions" in row:
        found.append(f"record {place}: expected one question a record, found a list of questions")
    file = _file(str(key), row)
    if not _VIDEO.fullmatch(file):
        found.append(f"record {place}: expected the bare name of a video file, found {file!r:.60}")
    return found


def _file(key: str, row: Mapping[str, Any]) -> str:
    file = str(row.get("video") or row.get("videoID") or key)
    return file if Path(file).suffix else f"{file}.mp4"


def _group(rows: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, ...], list[int]]:
    """The tags of a video's questions, and the place of each from 1."""
    kinds = {row.get("group_type") or None for row in rows}
    if len(kinds) > 1:
        raise ValueError(f"expected one group_type, found {', '.join(map(repr, kinds)):.80}")
    kind = kinds.pop()
    numbers = [_PLACE.fullmatch(row["question_id"]) for row in rows]
    if kind is None:
        return _heads(rows), list(range(1, len(rows) + 1))
    if kind not in _KINDS:
        raise ValueError(f"expected group_type relevance or logic, found {kind!r:.40}")
    places = [int(number[1]) if number else 0 for number in numbers]
    if sorted(places) != list(range(1, N_QUESTIONS + 1)):
        found = ", ".join(str(row["question_id"]) for row in rows)
        raise ValueError(f"expected questions numbered -1 to -{N_QUESTIONS}, found {found:.80}")
    tags = [f"group:{_KINDS[kind]}"]
    if _KINDS[kind] == "logic":
        structures = {structure_of(row.get("group_structure")) for row in rows}
        if len(structures) > 1:
            raise ValueError(f"expected one group_structure, found {len(structures)}")
        structure = structures.pop()
        if structure not in STRUCTURES:
            raise ValueError(f"expected group_structure {' or '.join(STRUCTURES)}: {structure}")
        tags.append(f"structure:{structure}")
    return (*tags, *_heads(rows)), places


def _heads(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    tags = []
    for head in _HEADS:
        values = {_plain(row.get(head)) for row in rows} - {""}
        if len(values) > 1:
            raise ValueError(f"expected one {head}, found {', '.join(sorted(values)):.80}")
        tags += [f"{head}:{value}" for value in values]
    return tuple(tags)


def _plain(value: Any) -> str:
    """A head as text: a column of whole numbers with gaps comes as floats."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value).strip()


def _media(file: str, sha256: str | None, n_frames: int) -> tuple[Media, ...]:
    names = [f"{number}/{n_frames}" for number in range(1, n_frames + 1)]
    return tuple(
        Media(
            kind="image",
            name=f"{file}#{at}",
            sha256=sha256 and ids.digest({"video": sha256, "frame": at, "rule": RULE}),
        )
        for at in names
    )


def _options(value: Any) -> tuple[str, ...]:
    """Lines "A. …" as they are, so that no letter inside a line is taken for a label."""
    if isinstance(value, str):
        parts = [part.strip() for part in _LABEL.split(value.strip())[1:]]
        if parts[::2] == list(manifest.LETTERS[: len(parts) // 2]) and len(parts) > 2:
            return tuple(parts[1::2])
    return choices_of(value)


def _example(
    row: Mapping[str, Any], key: str, place: int, tags: tuple[str, ...], media: tuple[Media, ...]
) -> Example:
    choices = _options(row.get("options"))
    if not 2 <= len(choices) <= MAX_OPTIONS:
        raise ValueError(f"expected 2 to {MAX_OPTIONS} options, found {len(choices)}")
    gold = row["answer"].strip()
    if gold not in tuple(LETTERS[: len(choices)]):
        raise ValueError(
            f"expected the answer A to {LETTERS[len(choices) - 1]}, found {gold!r:.40}"
        )
    return Example(
        id=row["question_id"],
        kind="choice",
        question=row["question"].strip(),
        gold=gold,
        choices=choices,
        media=media,
        group=key,
        role=f"part-{place}",
        tags=tags,
    )


def _raise(where: str, faults: Sequence[str]) -> None:
    if faults:
        more = [f"  … and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        lines = "\n".join([f"  {fault}" for fault in faults[:_SHOWN]] + more)
        raise DataError(f"{where}: {len(faults)} fault(s); correct the data\n{lines}")


__all__ = ["LETTERS", "MAX_OPTIONS", "N_QUESTIONS", "video_mme"]
