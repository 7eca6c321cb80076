"""Append-only files of one JSON object a line: read as a growing union, written by one owner."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import StoreError
from harness.locks import try_lock

_BLOCK = 1 << 16
_FSYNC_EVERY_S = 1.0


def where(path: Path) -> str:
    """A store file in messages: runs folder, key, sub-folder and name, without what is above."""
    return "/".join(path.parts[-4:])


@contextmanager
def naming(path: Path, action: str) -> Iterator[None]:
    """Turn an `OSError` into a `StoreError` that names the file and what was tried."""
    try:
        yield
    except OSError as error:
        raise StoreError(
            f"cannot {action} {where(path)}: {error.strerror or type(error).__name__}; "
            "what was written before is kept, so mend the cause and run again"
        ) from error


@dataclass(kw_only=True)
class SegmentReader:
    """The complete lines of every segment in a folder; a torn last line is not one.

    `read` returns what was added since the last call, so reading stays linear however often
    it is asked. Files only grow at their end, except for a torn line that its owner cuts.
    """

    folder: Path
    offsets: dict[str, int] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def read(self) -> list[tuple[str, int, bytes, dict[str, Any]]]:
        """(segment, line number from 1, the line without its end, the object), in order.

        Raises
        ------
        StoreError
            For a damaged line, by file and line number, and for an unreadable file.
        """
        found = []
        with naming(self.folder, "list"):
            paths = sorted(self.folder.glob("*.jsonl")) if self.folder.is_dir() else []
        for path in paths:
            with naming(path, "read"), open(path, "rb") as handle:
                handle.seek(self.offsets.get(path.name, 0))
                data = handle.read()
            whole = data[: data.rfind(b"\n") + 1]
            for line in whole.split(b"\n")[:-1]:
                number = self.lines.get(path.name, 0) + 1
                self.lines[path.name] = number
                found.append((path.name, number, line, _parsed(line, path, number)))
            self.offsets[path.name] = self.offsets.get(path.name, 0) + len(whole)
        return found


def _parsed(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise damaged(path, number, "one JSON object", line)
    return value


def damaged(path: Path, number: int, expected: str, line: bytes) -> StoreError:
    """The refusal of one line, by file and number."""
    return StoreError(
        f"{where(path)}:{number}: expected {expected}, found {line[:80]!r}; restore the file, or "
        "delete this line to have it generated again"
    )


class SegmentWriter:
    """The one owner of a segment: a pair of files for records and events.

    Each call to `append` is one write, so a killed process leaves at most one torn line,
    which the next owner cuts. Data reach the disk at most a second later, and at `close`.
    """

    def __init__(self, records: Path, events: Path, descriptor: int) -> None:
        self._paths = (records, events)
        self._descriptors = [descriptor]
        self._synced_s = time.monotonic()
        with naming(events, "open"):
            self._descriptors.append(os.open(events, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666))
        try:
            for path, opened in zip(self._paths, self._descriptors, strict=True):
                with naming(path, "cut the torn last line of"):
                    _cut_torn_line(opened)
        except BaseException:
            os.close(self._descriptors[1])
            raise

    @property
    def name(self) -> str:
        return self._paths[0].stem

    def append(self, records: Iterable[Any], event: dict[str, Any]) -> None:
        """Add an event, then its records: a record always has the event that made it."""
        for lines, path, descriptor in zip(
            ((event,), records), reversed(self._paths), reversed(self._descriptors), strict=True
        ):
            data = b"".join(ids.canonical_json(v).encode("ascii") + b"\n" for v in lines)
            with naming(path, "write"):
                _write_all(descriptor, data)
        if time.monotonic() - self._synced_s >= _FSYNC_EVERY_S:
            self._sync()

    def close(self) -> None:
        """Bring everything to the disk and free the segment for another owner."""
        try:
            self._sync()
        finally:
            for descriptor in self._descriptors:
                os.close(descriptor)

    def _sync(self) -> None:
        for path, descriptor in zip(self._paths, self._descriptors, strict=True):
            with naming(path, "flush"):
                os.fsync(descriptor)
        self._synced_s = time.monotonic()


def open_segment(records: Path, events: Path) -> SegmentWriter:
    """Own the first segment that no living process owns; makes one where all are taken.

    Raises
    ------
    StoreError
        When a folder or file cannot be written.
    """
    for folder in (records, events):
        with naming(folder, "make"):
            folder.mkdir(parents=True, exist_ok=True)
    number = 0
    while True:
        name = f"s{number:03d}.jsonl"
        with naming(records / name, "open"):
            descriptor = os.open(records / name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            with naming(records / name, "lock"):
                free = try_lock(descriptor, exclusive=True)
            if free:
                return SegmentWriter(records / name, events / name, descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        number += 1


def cut_torn_lines(folder: Path) -> None:
    """Cut the torn last line of every segment; for the owner of all of them alone."""
    for path in sorted(folder.glob("*.jsonl")):
        with naming(path, "cut the torn last line of"):
            descriptor = os.open(path, os.O_RDWR)
            try:
                _cut_torn_line(descriptor)
            finally:
                os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _cut_torn_line(descriptor: int) -> None:
    size = os.fstat(descriptor).st_size
    end = size
    while end > 0:
        start = max(0, end - _BLOCK)
        newline = os.pread(descriptor, end - start, start).rfind(b"\n")
        if newline >= 0:
            end = start + newline + 1
            break
        end = start
    if end < size:
        os.ftruncate(descriptor, end)


def write_atomically(path: Path, text: str) -> None:
    """Put a whole file in place: readers see the old one or the new one, never a part.

    Raises
    ------
    StoreError
        When it cannot be written.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    with naming(path, "write"):
        try:
            with open(draft, "w", encoding="ascii") as handle:
                handle.write(text)
                handle.flush()
                os.fsync(handle.fileno())
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


__all__ = [
    "SegmentReader",
    "SegmentWriter",
    "cut_torn_lines",
    "damaged",
    "naming",
    "open_segment",
    "where",
    "write_atomically",
]
