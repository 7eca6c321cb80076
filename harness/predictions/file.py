"""A prediction file that grows by whole rows: one writer, and continued only by the same run."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from harness import ids
from harness.errors import StoreError
from harness.locks import try_lock
from harness.models.predictions import INVALID, Prediction, prediction_line
from harness.predictions.asked import Asked, read_sidecar, refuse_other, write_sidecar
from harness.segments import naming

_FIELDS = {
    "id": str,
    "prediction": str,
    "raw_prediction": str,
    "model_id": str,
    "model_revision": str,
    "seed": int,
    "prediction_valid": bool,
}


class PredictionFile:
    """The rows of a file that is open for writing; made by `continued`.

    Attributes
    ----------
    done : the rows that the file had before, by id, in its order.
    n_new : rows appended since.
    """

    def __init__(self, path: Path, asked: Asked, handle: IO[bytes]) -> None:
        self.done = _rows(path, asked)
        self.n_new = 0
        self._path, self._asked, self._handle = path, asked, handle
        self._known = set(self.done)

    def append(self, example_id: str, prediction: str | None, raw_prediction: str) -> None:
        """Add a row; it is in the file when the call returns.

        Parameters
        ----------
        example_id : not yet in the file.
        prediction : the answer that was read, None where none could be.
        raw_prediction : the model's text.

        Raises
        ------
        StoreError
            For an id that the file has already, and when the file cannot be written.
        """
        if example_id in self._known:
            raise StoreError(
                f"{self._path.name}: expected a new id, found {example_id!r} a second time"
            )
        row = Prediction(
            id=example_id,
            prediction=prediction,
            raw_prediction=raw_prediction,
            model_id=self._asked.model_id,
            model_revision=self._asked.model_revision,
            seed=self._asked.seed,
        )
        with naming(self._path, "write"):
            self._handle.write(f"{prediction_line(row)}\n".encode("ascii"))
            self._handle.flush()
        self._known.add(example_id)
        self.n_new += 1


@contextmanager
def continued(
    path: Path, asked: Asked, about: Mapping[str, Any] | None = None
) -> Iterator[PredictionFile]:
    """Open a prediction file to add rows, new or where an earlier run of the same kind stopped.

    The sidecar is written before the first row and again at the end, also after an error, so
    that what a killed run has left can be continued.

    Parameters
    ----------
    path : JSON lines, not gzipped; beside it lie the sidecar and the lock NAME.lock.
    asked : has to equal that of the file, in every field.
    about : further JSON values for the sidecar, such as n_selected, batch_size, device. Its
        `seconds` and `peak_memory_mb` replace those that are measured here (none).

    Yields
    ------
    PredictionFile
        `done` says which ids need not be asked again.

    Raises
    ------
    StoreError
        When another process has the file open; when it has rows but no sidecar, or one that
        disagrees (with the fields); when a line is torn, no JSON, of another form, of another
        model, revision or seed, or has an id a second time (with the line's number).
    """
    if path.suffix == ".gz":
        raise StoreError(f"{path.name}: expected a file without .gz, which cannot be continued")
    with _locked(path):
        sidecar = read_sidecar(path)
        if sidecar is not None:
            refuse_other(path, sidecar, asked)
        elif path.exists() and path.stat().st_size:
            raise StoreError(
                f"{path.name}: expected the sidecar that says what its rows were asked, found "
                "none; restore it, or write to another file"
            )
        start_s = time.monotonic()
        with ExitStack() as stack:
            with naming(path, "open"):
                handle = stack.enter_context(open(path, "ab"))
            file = PredictionFile(path, asked, handle)
            _state(path, asked, about, file, seconds=None)
            try:
                yield file
            finally:
                with naming(path, "write"):
                    os.fsync(handle.fileno())
                _state(path, asked, about, file, seconds=time.monotonic() - start_s)


def _state(
    path: Path,
    asked: Asked,
    about: Mapping[str, Any] | None,
    file: PredictionFile,
    seconds: float | None,
) -> None:
    """The sidecar as things stand; without seconds the file is still being written."""
    document = {
        "requested_revision": asked.model_revision,
        "resolved_revision": asked.model_revision,
        "deterministic": asked.decoding.get("temperature") is None,
        "max_new_tokens": asked.decoding.get("max_new_tokens"),
        "batch_size": None,
        "device": None,
        "peak_memory_mb": None,
        "platform": {"system": platform.system(), "machine": platform.machine()},
        "seconds": seconds,
        **(about or {}),
        "n_resumed": len(file.done),
        "n_new": file.n_new,
        "n_rows": len(file.done) + file.n_new,
        "closed": seconds is not None,
        "sha256": None if seconds is None else ids.file_digest(path),
    }
    write_sidecar(path, asked, document)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    lock = path.with_name(f"{path.name}.lock")
    with naming(lock, "open"):
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        with naming(lock, "lock"):
            free = try_lock(descriptor, exclusive=True)
        if not free:
            raise StoreError(
                f"{path.name}: expected to be its only writer, but another process has it open; "
                "wait for that one to end"
            )
        yield
    finally:
        os.close(descriptor)


def _rows(path: Path, asked: Asked) -> dict[str, Prediction]:
    """Every row of a file, each held against what this run would write."""
    found: dict[str, Prediction] = {}
    *lines, rest = path.read_bytes().split(b"\n")
    if rest:
        raise _fault(path, len(lines) + 1, "the end of a line", f"{rest[-40:]!r}", "torn line")
    for number, line in enumerate(lines, start=1):
        row = _row(path, number, line)
        for name in ("model_id", "model_revision", "seed"):
            if row[name] != getattr(asked, name):
                raise _fault(
                    path, number, f"{name} {getattr(asked, name)!r}", f"{row[name]!r}", "other run"
                )
        if row["id"] in found:
            raise _fault(path, number, "a new id", f"{row['id']!r} a second time", "repeated row")
        found[row["id"]] = Prediction(
            id=row["id"],
            prediction=row["prediction"] if row["prediction_valid"] else None,
            raw_prediction=row["raw_prediction"],
            model_id=row["model_id"],
            model_revision=row["model_revision"],
            seed=row["seed"],
        )
    return found


def _row(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise _fault(path, number, "a row as JSON", f"{line[:40]!r}", "torn line") from None
    if not isinstance(row, dict) or row.keys() != _FIELDS.keys():
        raise _fault(path, number, f"the fields {', '.join(_FIELDS)}", f"{line[:40]!r}", "line")
    for name, kind in _FIELDS.items():
        if type(row[name]) is not kind:
            raise _fault(path, number, f"{name} of type {kind.__name__}", repr(row[name]), "line")
    if row["prediction_valid"] == (row["prediction"] == INVALID):
        raise _fault(path, number, f"{INVALID} in rows that are not valid", "another", "line")
    return dict(row)


def _fault(path: Path, number: int, expected: str, found: str, what: str) -> StoreError:
    return StoreError(
        f"{path.name}:{number}: expected {expected}, found {found}; take the {what} out, or write "
        "to another file"
    )


__all__ = ["PredictionFile", "continued"]
