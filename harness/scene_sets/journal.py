"""What was made so far: one line per specimen, so that an interrupted run goes on."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import DataError

NAME = "journal.jsonl"


class Journal:
    """The specimens made so far by factor and index; one process holds it at a time.

    Raises
    ------
    DataError
        When another process is making the set, and for a damaged line before the last one. A
        torn last line is cut off.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / NAME
        self._handle = path.open("a+b")
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.done = self._read(path)
        except OSError as error:
            self._handle.close()
            raise DataError(
                f"{path}: expected to hold it alone, found another process making this set; wait "
                "for it or end it"
            ) from error
        except DataError:
            self._handle.close()
            raise

    def add(self, row: dict[str, Any]) -> None:
        """Append a specimen; it is on disk when this returns."""
        self._handle.write(ids.canonical_json(row).encode("ascii") + b"\n")
        self._handle.flush()
        os.fsync(self._handle.fileno())
        self.done[str(row["factor"]), int(row["index"])] = row

    def _read(self, path: Path) -> dict[tuple[str, int], dict[str, Any]]:
        self._handle.seek(0)
        raw = self._handle.read()
        whole = raw[: raw.rfind(b"\n") + 1]
        self._handle.truncate(len(whole))
        done: dict[tuple[str, int], dict[str, Any]] = {}
        for number, line in enumerate(whole.splitlines(), start=1):
            try:
                row = json.loads(line)
                done[str(row["factor"]), int(row["index"])] = row
            except (KeyError, TypeError, ValueError) as error:
                raise DataError(
                    f"{path}:{number}: expected a specimen, found {type(error).__name__}; delete "
                    "the line and its specimen is made again"
                ) from error
        return done

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self._handle.close()


__all__ = ["NAME", "Journal"]
