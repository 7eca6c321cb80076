"""Rows of a training file or an evaluation set, streamed: text, id, pictures and faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from harness.contamination.readers import Record, count_rows, field_names, records
from harness.contamination.records import BadRecord, guessed, id_of, pictures_of, text_of
from harness.contamination.sources import Source
from harness.errors import DataError

MOST_BYTES = 16 << 20


@dataclass(frozen=True)
class Row:
    """One row.

    Parameters
    ----------
    number : from 0, those with a fault counted.
    line : of the file, from 1; of Parquet number + 1.
    id : names it in reports.
    text : what is audited; empty for a row with a fault.
    pictures : values of the picture field, unread; `harness.contamination.images.hashes` reads
        them.
    values : the fields of the record, of Parquet those alone that the source names.
    why : what keeps the row from being audited; empty where nothing does.
    """

    number: int
    line: int
    id: str
    text: str
    pictures: tuple[Any, ...]
    values: Mapping[str, Any]
    why: str = ""


def settled(source: Source, most_bytes: int = MOST_BYTES) -> Source:
    """The source with its text fields named.

    Raises
    ------
    DataError
        For a file without rows, one in which no field or several could be the text, and a field
        that a table does not have.
    """
    names = field_names(source, most_bytes)
    given = source.fields or (guessed(names, source.name),)
    if source.kind != "jsonl":
        asked = [*given, *(n for n in (source.id_field, source.image_field) if n is not None)]
        for name in asked:
            if name not in names and name.split(".")[0] not in names:
                raise DataError(
                    f"{source.name}: expected a field {name!r}, found {', '.join(names)}"
                )
    return replace(source, fields=given)


def read_rows(
    source: Source,
    start: int = 0,
    stop: int | None = None,
    *,
    on_bad: str = "error",
    most_bytes: int = MOST_BYTES,
) -> Iterator[Row]:
    """Rows ``start`` to ``stop - 1``, one at a time.

    Parameters
    ----------
    source : of `settled`, or with its fields named.
    start, stop : as of `range`; None for all that follow.
    on_bad : `error` raises at the first row that cannot be audited; `count` gives it with what
        is wrong, without a text.
    most_bytes : a longer row cannot be audited; only a piece of it is ever held.

    Raises
    ------
    DataError
        For a file that cannot be read, and a row that cannot, naming file and line.
    """
    chosen = source if source.fields else settled(source, most_bytes)
    asked = (*chosen.fields, chosen.id_field, chosen.image_field)
    columns = tuple(name for name in asked if name is not None)
    for record in records(chosen, start, stop, most_bytes, columns):
        row = _row(record, chosen, most_bytes)
        if row.why and on_bad == "error":
            raise DataError(
                f"{source.name}:{row.line}: {row.why}; correct the row, or count such rows "
                "(on_bad_row)"
            )
        yield row


def _row(record: Record, source: Source, most: int) -> Row:
    number, line, values = record.number, record.line, record.values
    if values is None:
        return Row(number, line, str(number), "", (), {}, record.why)
    try:
        text = text_of(values, source.fields)
        if len(text) > most:
            raise BadRecord(f"longer than {most:,} characters")
        made = id_of(values, source, number), text, pictures_of(values, source)
    except BadRecord as error:
        return Row(number, line, str(number), "", (), values, str(error))
    return Row(number, line, *made, values)


__all__ = ["MOST_BYTES", "Row", "count_rows", "read_rows", "settled"]
