"""The only writer of a runs folder: one cell's identity, responses, events and seal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness.errors import StoreError
from harness.identity import SCHEMA, differing
from harness.locks import generation
from harness.records import FAILED, parse_response
from harness.segments import (
    SegmentReader,
    SegmentWriter,
    cut_torn_lines,
    damaged,
    naming,
    open_segment,
    where,
    write_atomically,
)
from harness.spent import Spent, Tally
from harness.types import Response

_N_SHOWN = 5
Slot = tuple[str, int]


class CellStore:
    """The folder `<runs>/<key>` of one cell.

    Reading takes no lock and makes no folder. `generating` takes the cell's lock, or a
    shard's, and hands out a segment of its own to append to.

    Parameters
    ----------
    runs : the folder of all cells.
    key : `cell_key(identity)`.
    identity : what the stored output has to belong to.

    Raises
    ------
    StoreError
        When the folder belongs to another identity or schema (the differing fields are
        named), a line is damaged (file and line number), or the seal does not match.
    """

    def __init__(self, runs: Path, key: str, identity: Mapping[str, Any]) -> None:
        self.folder = runs / key
        self.identity = dict(identity)
        self._records: dict[Slot, list[tuple[Response, bytes]]] = {}
        self._lines: dict[str, list[bytes]] = {}
        self._reader = SegmentReader(folder=self.folder / "responses")
        self._seal: dict[str, Any] | None = None
        self.read()

    def read(self) -> None:
        """Take in what any writer has added since the last call."""
        known = self._check_identity()
        # The seal first: lines may be added after it, never the other way round.
        seal = self._read_seal()
        for name, number, line, value in self._reader.read():
            path = self.folder / "responses" / name
            if not known:
                raise StoreError(
                    f"{where(path)}: expected cell.json beside the responses, found none; restore "
                    "it or move the folder away"
                )
            response = parse_response(value, path, number, line)
            slot = (response.example_id, response.replicate)
            self._records.setdefault(slot, []).append((response, line))
            self._lines.setdefault(name, []).append(line)
        if seal is not None and seal != self._seal:
            self._check_seal(seal)
            self._seal = seal

    def history(self, slot: Slot) -> tuple[Response, ...]:
        """Every attempt at an (example, replicate), oldest first."""
        return tuple(response for response, _ in self._attempts(slot))

    def effective(self, slot: Slot) -> Response | None:
        """The first response that is an answer of the model, else the latest failure."""
        record = self._effective(slot)
        return record and record[0]

    @property
    def slots(self) -> list[Slot]:
        """Every (example, replicate) that has a record, sorted."""
        return sorted(self._records)

    def tried(self, run_id: str) -> set[tuple[str, int, int]]:
        """(example id, replicate, attempt) of every response that a run has made."""
        tried: set[tuple[str, int, int]] = set()

        def take(event: Mapping[str, Any]) -> None:
            if event["run"] == run_id:
                tried.update((str(e), int(r), int(a)) for e, r, a in event["made"])

        self._events(take, "an event with run and made")
        return tried

    def spent(self, slots: Iterable[Slot]) -> Spent | None:
        """What the responses to some (example, replicate) took in all sessions; None: not known."""
        tally = Tally(slots)
        self._events(tally.take, "an event with run, asked, made and seconds")
        return tally.total()

    def _events(self, take: Callable[[Mapping[str, Any]], None], expected: str) -> None:
        for name, number, line, event in SegmentReader(folder=self.folder / "events").read():
            try:
                take(event)
            except (KeyError, TypeError, ValueError):
                raise damaged(self.folder / "events" / name, number, expected, line) from None

    def refuse_foreign(self, example_ids: Collection[str]) -> None:
        """Raise `StoreError` when a record belongs to no example of the data set."""
        foreign = sorted({example_id for example_id, _ in self._records}.difference(example_ids))
        if foreign:
            raise StoreError(
                f"{where(self.folder / 'responses')}: expected responses to this data set alone, "
                f"found {len(foreign)} foreign example id(s), first {foreign[:_N_SHOWN]}; move "
                "the folder away to generate the cell again"
            )

    def records_sha256(self, slots: Iterable[Slot]) -> str:
        """SHA-256 over the sorted effective records of some (example, replicate)."""
        records = (self._effective(slot) for slot in slots)
        return _sorted_sha256(record[1] for record in records if record is not None)

    @property
    def sealed(self) -> bool:
        """Whether the seal covers every record that was read."""
        return self._seal is not None and self._seal["segments"] == self._line_counts()

    @contextmanager
    def generating(self, shard: tuple[int, int] | None) -> Iterator[None]:
        """Hold the right to generate the cell or a shard of it, having read what is there.

        Waits for the present holder. `writing` and `seal` belong inside.
        """
        with naming(self.folder, "make"):
            self.folder.mkdir(parents=True, exist_ok=True)
        with generation(self.folder / "locks", shard):
            if not self._check_identity():
                text = json.dumps(self.identity, indent=1, sort_keys=True)
                write_atomically(self.folder / "cell.json", text + "\n")
            self.read()
            yield

    @contextmanager
    def writing(self) -> Iterator[SegmentWriter]:
        """A segment of one's own; on the disk and read back when the block ends."""
        writer = open_segment(self.folder / "responses", self.folder / "events")
        try:
            yield writer
        finally:
            writer.close()
        self.read()

    def seal(self) -> None:
        """Cut what killed writers left, and state count and hash of all records, atomically.

        For the holder of the whole cell alone, since it cuts the segments of all writers.
        """
        for name in ("responses", "events"):
            cut_torn_lines(self.folder / name)
        lines = [line for part in self._lines.values() for line in part]
        seal = {
            "count": len(lines),
            "sha256": _sorted_sha256(lines),
            "segments": self._line_counts(),
        }
        text = json.dumps(seal, indent=1, sort_keys=True)
        write_atomically(self.folder / "SEALED.json", text + "\n")
        self._seal = seal

    def _attempts(self, slot: Slot) -> list[tuple[Response, bytes]]:
        found = self._records.get(slot, [])
        return sorted(found, key=lambda r: (r[0].attempt, r[1])) if len(found) > 1 else found

    def _effective(self, slot: Slot) -> tuple[Response, bytes] | None:
        attempts = self._attempts(slot)
        answers = (record for record in attempts if record[0].status not in FAILED)
        return next(answers, attempts[-1] if attempts else None)

    def _line_counts(self) -> dict[str, int]:
        return {name: len(lines) for name, lines in self._lines.items()}

    def _check_identity(self) -> bool:
        """Whether cell.json is there; refuses one that is not ours."""
        path = self.folder / "cell.json"
        found = _read_object(path)
        if found is None:
            return False
        if found.get("schema") != SCHEMA:
            raise StoreError(
                f"{where(path)}: expected schema {SCHEMA}, found {found.get('schema')!r}; it was "
                "written by another version: use another runs folder"
            )
        names = differing(found, self.identity)
        if names:
            lines = [
                f"  {name}: expected {_field(self.identity, name)}, found {_field(found, name)}"
                for name in names
            ]
            raise StoreError(
                f"{where(path)}: the stored responses belong to another configuration; move the "
                "folder away to generate the cell again\n" + "\n".join(lines)
            )
        return True

    def _read_seal(self) -> dict[str, Any] | None:
        path = self.folder / "SEALED.json"
        seal = _read_object(path)
        if seal is not None and not (
            isinstance(seal.get("segments"), dict) and isinstance(seal.get("sha256"), str)
        ):
            raise StoreError(f"{where(path)}: expected segments and sha256, found {sorted(seal)}")
        return seal

    def _check_seal(self, seal: Mapping[str, Any]) -> None:
        found = [
            line
            for name, n_lines in sorted(seal["segments"].items())
            for line in self._lines.get(name, [])[:n_lines]
        ]
        expected = (sum(seal["segments"].values()), seal["sha256"])
        if expected != (len(found), _sorted_sha256(found)):
            raise StoreError(
                f"{where(self.folder / 'SEALED.json')}: expected {expected[0]} sealed records "
                f"with SHA-256 {expected[1][:12]}…, found {len(found)} with "
                f"{_sorted_sha256(found)[:12]}…: a sealed record was changed or lost; restore the "
                "files or move the folder away"
            )


def _sorted_sha256(lines: Iterable[bytes]) -> str:
    total = hashlib.sha256()
    for line in sorted(lines):
        total.update(line + b"\n")
    return total.hexdigest()


def _read_object(path: Path) -> dict[str, Any] | None:
    with naming(path, "read"):
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise StoreError(f"{where(path)}: expected one JSON object, found {data[:80]!r}")
    return value


def _field(identity: Mapping[str, Any], name: str) -> str:
    value: Any = identity
    for part in name.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return "nothing"
        value = value[part]
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."


__all__ = ["CellStore"]
