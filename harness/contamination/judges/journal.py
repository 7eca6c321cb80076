"""Every request and reply of an endpoint judge, on disk before it counts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

from harness.segments import SegmentReader, SegmentWriter, damaged, open_segment


class Journal:
    """Append-only files below one folder: `replies/`, and in `spent/` what each pair took.

    Several processes may write: each owns a segment. A killed one leaves at most one incomplete
    line, which the next owner cuts.

    Parameters
    ----------
    folder : of one judge.

    Raises
    ------
    StoreError
        For a damaged line, by file and number, and a folder that cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._folders = folder / "replies", folder / "spent"
        self.replies: dict[str, Mapping[str, Any]] = {}
        self.requests = self.tokens = 0
        self.notes: list[str] = []
        self._lock = Lock()
        self._writer: SegmentWriter | None = None
        replies, spent = (SegmentReader(folder=path) for path in self._folders)
        for name, number, line, value in replies.read():
            key, reply = value.get("key"), value.get("reply")
            if not isinstance(key, str) or not isinstance(reply, dict) or "status" not in reply:
                path = self._folders[0] / name
                raise damaged(path, number, "a key and a reply with its status", line)
            self.replies.setdefault(key, reply)
        for name, number, line, value in spent.read():
            try:
                self.requests += int(value["attempts"])
                self.tokens += int(value["tokens"])
            except (KeyError, TypeError, ValueError):
                path = self._folders[1] / name
                raise damaged(path, number, "attempts and tokens", line) from None
        for reader in (replies, spent):
            for path in sorted(reader.folder.glob("*.jsonl")):
                extra = path.stat().st_size - reader.offsets.get(path.name, 0)
                if extra:
                    self.notes.append(
                        f"{path.parent.name}/{path.name}: left out an incomplete last line of "
                        f"{extra} bytes, of a process that was stopped while it wrote"
                    )

    def add(self, spent: Mapping[str, Any], record: Mapping[str, Any] | None) -> None:
        """Write what a pair took and, if it was answered, request and reply; from any thread."""
        with self._lock:
            if self._writer is None:
                self._writer = open_segment(*self._folders)
            self._writer.append([] if record is None else [dict(record)], dict(spent))
            if record is not None:
                self.replies[record["key"]] = record["reply"]

    def close(self) -> None:
        """Bring everything to the disk; `add` may be called again."""
        with self._lock:
            if self._writer is not None:
                self._writer.close()
                self._writer = None


__all__ = ["Journal"]
