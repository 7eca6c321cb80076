"""What stages 1 and 2 found in a training file: all that judging and the report need."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from harness.audit.canaries import Sighting
from harness.audit.cosine import NearParameters
from harness.audit.findings import Findings
from harness.audit.nearness import Nearness
from harness.audit.pairs import Candidate, Near, Pair, PictureMatch, candidates
from harness.contamination.plan import AuditPlan
from harness.contamination.shared_pictures import is_brief
from harness.contamination.typed import jsonable, record
from harness.embedding.base import EmbedderIdentity
from harness.errors import DataError
from harness.segments import write_atomically

VERSION = 2


@dataclass(frozen=True, order=True)
class Fault:
    """A row that cannot be read, and so is not audited.

    Parameters
    ----------
    number : of the row, from 0.
    line : of the file, from 1; of Parquet number + 1.
    why : what is wrong with it.
    """

    number: int
    line: int
    why: str


@dataclass(frozen=True, order=True)
class RowText:
    """A training row that some stage found: its text and pictures.

    Parameters
    ----------
    number, line : as in `Fault`.
    id : of the field that names rows; the number elsewhere.
    text : as it was audited.
    images : hash of the pixels of each picture that can be read.
    unreadable : pictures that cannot.
    """

    number: int
    line: int
    id: str
    text: str
    images: tuple[str, ...]
    unreadable: int


@dataclass(frozen=True, order=True)
class ItemText:
    """The same of an evaluation item; `place` counts from 0 within its set."""

    eval_set: str
    place: int
    line: int
    id: str
    text: str
    images: tuple[str, ...]
    unreadable: int


@dataclass(frozen=True)
class EvalSet:
    """An evaluation set as it was read.

    Parameters
    ----------
    name : in the plan.
    file, sha256 : name without folder, and hash of the bytes.
    fields : that were joined to the text.
    items : of them `short` (below n tokens) and `unauditable` (none).
    truncated, empty : items cut at the embedder's limit, and those without a vector; 0 without
        stage 2.
    faults : items that cannot be read; they count as unauditable.
    """

    name: str
    file: str
    sha256: str
    fields: tuple[str, ...]
    items: int
    short: int
    unauditable: int
    truncated: int
    empty: int
    faults: tuple[Fault, ...]


@dataclass(frozen=True)
class TrainFile:
    """The training file: name without folder, hash, fields that were joined, and all its rows."""

    file: str
    sha256: str
    fields: tuple[str, ...]
    rows: int


@dataclass(frozen=True)
class VectorSighting:
    """A planted pair in stage 2.

    Parameters
    ----------
    name : `exact` (has to be found, with cosine of at least 0.999), `apart` (two texts that
        have nothing in common, below the threshold), `paraphrase` (reported only).
    cosine : of the pair.
    ok : it came out as it has to; None where it is only reported.
    """

    name: str
    cosine: float
    ok: bool | None


@dataclass(frozen=True)
class Part:
    """What was found in consecutive rows.

    Parameters
    ----------
    start, stop : first row, and the one after the last.
    findings : of stage 1. Rows with a fault are among its unauditable ones.
    nearness : of stage 2; None without it.
    rows, items : texts of those that are found together, at the floor of the sample or above.
    faults : rows that cannot be read.
    pictures : of each row and set the nearest item with an equal picture.
    """

    start: int
    stop: int
    findings: Findings
    nearness: Nearness | None
    rows: tuple[RowText, ...]
    items: tuple[ItemText, ...]
    faults: tuple[Fault, ...]
    pictures: tuple[PictureMatch, ...] = ()


@dataclass(frozen=True)
class Scan:
    """Stages 1 and 2 over a training file or some of its rows.

    Parameters
    ----------
    plan : as it was given.
    train, evals : the files that were read.
    ranges : rows that were scanned, as (first, one after the last), apart and ascending.
    findings, nearness, rows, items, faults, pictures : as in `Part`.
    sightings, vector_sightings : what came of the planted rows; the latter empty without
        stage 2.
    embedder, near : of stage 2, with the numbers that were settled; None without it.
    estimated : whether `truncated` rows are estimated, not counted.
    """

    plan: AuditPlan
    train: TrainFile
    evals: tuple[EvalSet, ...]
    ranges: tuple[tuple[int, int], ...]
    findings: Findings
    nearness: Nearness | None
    rows: tuple[RowText, ...]
    items: tuple[ItemText, ...]
    faults: tuple[Fault, ...]
    sightings: tuple[Sighting, ...]
    vector_sightings: tuple[VectorSighting, ...]
    embedder: EmbedderIdentity | None
    near: NearParameters | None
    estimated: bool
    pictures: tuple[PictureMatch, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every row of the file was scanned."""
        return self.ranges == (((0, self.train.rows),) if self.train.rows else ())

    @cached_property
    def row_of(self) -> dict[int, RowText]:
        """Texts by the number of the row."""
        return {row.number: row for row in self.rows}

    @cached_property
    def item_of(self) -> dict[tuple[str, int], ItemText]:
        """Texts by evaluation set and place."""
        return {(item.eval_set, item.place): item for item in self.items}

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Hits of stage 1, near pairs at or above the threshold, and pairs with equal pictures."""
        near = () if self.nearness is None else self.nearness.near
        limit = 2.0 if self.near is None else self.near.threshold
        return candidates(
            self.findings.hits,
            [one for one in near if one.cosine >= limit],
            [one for one in self.pictures if self._decides(one)],
            jaccard=Fraction(*self.plan.words.threshold),
            cosine=limit,
        )

    @cached_property
    def other_questions(self) -> tuple[PictureMatch, ...]:
        """Pairs with an equal picture and other texts: shown, no candidates."""
        return tuple(one for one in self.pictures if not self._decides(one))

    def _decides(self, one: PictureMatch) -> bool:
        if one.jaccard >= Fraction(*self.plan.words.threshold):
            return True
        if one.cosine is not None and self.near and one.cosine >= self.near.threshold:
            return True
        texts = self.row_of[one.row].text, self.item_of[one.eval_set, one.item].text
        return not one.common and all(map(self.is_brief, texts))

    def is_brief(self, text: str) -> bool:
        """Whether a text says little without its picture: `generic_tokens` of the plan."""
        return is_brief(text, self.plan.words.tokenizer, self.plan.generic_tokens)

    @cached_property
    def band(self) -> tuple[Near, ...]:
        """Nearest pairs below the threshold, down to the floor: what the sample is drawn from.

        Pairs that stage 1 found are candidates, and so not among them.
        """
        if self.nearness is None or self.near is None:
            return ()
        taken = {(one.row, one.eval_set, one.item) for one in self.candidates}
        return tuple(
            one
            for one in self.nearness.near
            if one.cosine < self.near.threshold and (one.row, one.eval_set, one.item) not in taken
        )

    def pair(self, candidate: Candidate) -> Pair:
        """Both texts of a candidate, as a judge is shown them."""
        item = self.item_of[candidate.eval_set, candidate.item]
        return Pair(candidate.key, self.row_of[candidate.row].text, item.text)

    def to_json(self) -> dict[str, Any]:
        """JSON types alone; `scan_from` reads them."""
        made = {f.name: jsonable(getattr(self, f.name)) for f in fields(self)}
        return {"version": VERSION, **made}


def scan_from(given: Any, where: str = "scan") -> Scan:
    """Read what `Scan.to_json` made.

    Raises
    ------
    DataError
        For another version, a missing or unknown field, or a value of another type.
    """
    if not isinstance(given, Mapping) or given.get("version") != VERSION:
        found = given.get("version") if isinstance(given, Mapping) else type(given).__name__
        raise DataError(
            f"{where}: expected a scan of version {VERSION}, found {found!r}; scan again"
        )
    return record(Scan, {k: v for k, v in given.items() if k != "version"}, where)


def write_scan(scan: Scan, path: Path) -> None:
    """Write a scan as one file, whole or not at all."""
    write_atomically(path, json.dumps(scan.to_json(), ensure_ascii=True, allow_nan=False) + "\n")


def read_scan(path: Path) -> Scan:
    """Read a scan's file.

    Raises
    ------
    DataError
        When it is not there or is no scan.
    """
    try:
        given = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(
            f"{path.name}: expected the file of a scan, found {type(error).__name__}; "
            "name the folder that an audit was written to"
        ) from None
    return scan_from(given, path.name)


__all__ = ["EvalSet", "Fault", "ItemText", "Part", "RowText", "Scan", "TrainFile"]
__all__ += ["VERSION", "VectorSighting", "read_scan", "scan_from", "write_scan"]
