"""Records out of JSONL, CSV and Parquet, one at a time, with memory bounded by the longest."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any

from harness.contamination.opening import opened
from harness.contamination.parquet import parquet_file, parquet_rows
from harness.contamination.sources import Source
from harness.errors import DataError

_BOM = b"\xef\xbb\xbf"
_PIECE = 1 << 20

_Line = tuple[int, bytes, Iterable[bytes] | None]


@dataclass(frozen=True)
class Record:
    """One record as it stands in the file.

    Parameters
    ----------
    number : from 0; blank lines do not count.
    line : of the file, from 1; of Parquet number + 1.
    raw : its bytes, line end included; empty for Parquet. Of a record that is too long the
        first ones.
    values : by field; None where it cannot be read.
    why : what is wrong with it; empty where nothing is.
    rest : of a record that is too long the other bytes, in pieces, until the next record is
        asked for.
    """

    number: int
    line: int
    raw: bytes
    values: Mapping[str, Any] | None
    why: str = ""
    rest: Iterable[bytes] = ()


def records(
    source: Source,
    start: int = 0,
    stop: int | None = None,
    most_bytes: int = 16 << 20,
    columns: tuple[str, ...] = (),
    heading: bool = False,
) -> Iterator[Record]:
    """Records ``start`` to ``stop - 1``, in order.

    Parameters
    ----------
    source : a file.
    start, stop : as of `range`; None for all that follow.
    most_bytes : of a longer record only a piece is held, and it cannot be read.
    columns : of Parquet only these are read, if there are any.
    heading : give the names of a CSV's fields first, as number −1.

    Raises
    ------
    DataError
        For a file that is not there or is broken as a whole.
    """
    last = 1 << 62 if stop is None else stop
    if source.kind == "parquet":
        for number, values in parquet_rows(source, start, last, columns):
            yield Record(number, number + 1, b"", values)
        return
    with opened(source) as handle:
        if source.kind == "jsonl":
            yield from _jsonl(_lines(handle, most_bytes), start, last, most_bytes)
        else:
            tape = _Tape(source, _lines(handle, most_bytes), most_bytes)
            yield from _csv(source, tape, -1 if heading else start, last, most_bytes)


def count_rows(source: Source, most_bytes: int = 16 << 20) -> int:
    """Rows of the whole file, those with a fault among them."""
    if source.kind == "parquet":
        return int(parquet_file(source).metadata.num_rows)
    if source.kind == "jsonl":
        with opened(source) as handle:
            return sum(1 for _, raw, rest in _lines(handle, most_bytes) if rest or raw.strip())
    return sum(1 for _ in records(source, 0, None, most_bytes))


def field_names(source: Source, most_bytes: int = 16 << 20) -> tuple[str, ...]:
    """Fields of the first record that can be read.

    Raises
    ------
    DataError
        When there is none.
    """
    if source.kind == "parquet":
        return tuple(parquet_file(source).schema_arrow.names)
    first = None
    for one in records(source, 0, None, most_bytes):
        if one.values is not None:
            return tuple(one.values)
        first = first or one
    why = "an empty file" if first is None else f"in line {first.line}: {first.why}"
    raise DataError(f"{source.name}: expected rows, found {why}")


def _lines(handle: IO[bytes], most: int) -> Iterator[_Line]:
    """(number from 1, bytes, None); of a line that is too long the first bytes and the others."""
    line = 0
    while raw := handle.readline(most + 1):
        line += 1
        if len(raw) <= most or raw.endswith(b"\n"):
            yield line, raw, None
            continue
        rest = _pieces(handle)
        yield line, raw, rest
        for _ in rest:
            pass


def _pieces(handle: IO[bytes]) -> Iterator[bytes]:
    """What is left of a line."""
    while raw := handle.readline(_PIECE):
        yield raw
        if raw.endswith(b"\n"):
            return


def _jsonl(lines: Iterator[_Line], start: int, stop: int, most: int) -> Iterator[Record]:
    number = -1
    for line, raw, rest in lines:
        if rest is None and not raw.strip():
            continue
        number += 1
        if number >= stop:
            return
        if number >= start and rest is None:
            yield _parsed(number, line, raw)
        elif number >= start:
            yield Record(number, line, raw, None, _too_long(most), rest or ())


def _too_long(most: int) -> str:
    return f"longer than {most:,} bytes"


def _parsed(number: int, line: int, raw: bytes) -> Record:
    try:
        text = (raw.removeprefix(_BOM) if line == 1 else raw).decode("utf-8")
        values = json.loads(text)
    except UnicodeDecodeError as error:
        return Record(number, line, raw, None, f"not UTF-8 at byte {error.start}")
    except json.JSONDecodeError as error:
        why = f"broken JSON: {error.msg} at character {error.pos + 1}"
        return Record(number, line, raw, None, why)
    except (ValueError, RecursionError) as error:
        what = str(error) if isinstance(error, ValueError) else "nested too deep"
        return Record(number, line, raw, None, f"broken JSON: {what}")
    if not isinstance(values, dict):
        why = f"expected a JSON object, found {type(values).__name__}"
        return Record(number, line, raw, None, why)
    return Record(number, line, raw, values)


class _Tape:
    """Lines for the CSV parser, which keeps what it took for the record at hand."""

    def __init__(self, source: Source, lines: Iterator[_Line], most: int) -> None:
        self.line, self._source, self._lines, self._most = 0, source, lines, most
        self.start()

    def start(self) -> None:
        self.first, self.raw, self.fault = self.line + 1, b"", ""
        self.rest: Iterable[bytes] = ()

    def __iter__(self) -> _Tape:
        return self

    def __next__(self) -> str:
        self.line, raw, rest = next(self._lines)
        if self.raw and (rest is not None or len(self.raw) + len(raw) > self._most):
            # Where such a record ends nobody can tell.
            raise DataError(
                f"{self._source.name}:{self.first}: expected a record of at most "
                f"{self._most:,} bytes, found a longer one from here to line {self.line}; a "
                "quote that nothing closes does that"
            )
        self.raw += raw
        if rest is not None:
            self.fault, self.rest = _too_long(self._most), rest
            return "\n"
        body = raw.removeprefix(_BOM) if self.line == 1 else raw
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError as error:
            self.fault = f"not UTF-8 at byte {error.start} of line {self.line}"
            return body.decode("utf-8", "replace")


@contextmanager
def _fields_of(most: int) -> Iterator[None]:
    """The limit belongs to the whole process, so others get theirs back."""
    before = csv.field_size_limit(most)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _csv(source: Source, tape: _Tape, start: int, stop: int, most: int) -> Iterator[Record]:
    dialect = "excel-tab" if source.kind == "tsv" else "excel"
    reader = csv.reader(tape, dialect, strict=True)
    head: list[str] | None = None
    number = -1
    while True:
        tape.start()
        cells: list[str] = []
        try:
            with _fields_of(most):
                cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            tape.fault = tape.fault or f"broken CSV: {error}"
        if not cells and not tape.fault:
            continue
        if head is None:
            if tape.fault or len(set(cells)) < len(cells):
                what = tape.fault or f"a name twice in {', '.join(cells)}"
                raise DataError(
                    f"{source.name}:{tape.first}: expected names of fields, found {what}"
                )
            head = cells
            if start < 0:
                yield Record(-1, tape.first, tape.raw, None)
            continue
        number += 1
        if number >= stop:
            return
        why = tape.fault
        if not why and len(cells) != len(head):
            why = f"expected {len(head)} fields as in the first line, found {len(cells)}"
        if number >= start:
            values = None if why else dict(zip(head, cells, strict=True))
            yield Record(number, tape.first, tape.raw, values, why, tape.rest)


__all__ = ["Record", "count_rows", "field_names", "records"]
