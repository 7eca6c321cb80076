"""A file without some of its rows: what stays is copied byte for byte."""

from __future__ import annotations

import gzip
from collections.abc import Set
from pathlib import Path
from typing import IO

from harness.contamination.parquet import copy_parquet
from harness.contamination.readers import records
from harness.contamination.sources import Source
from harness.errors import DataError


def copy_without(
    source: Source, removed: Set[int], to: Path, most_bytes: int = 16 << 20
) -> tuple[int, int]:
    """Write a copy of a file without some rows.

    JSONL and CSV keep the bytes of every other row, and of a table the first line; blank lines
    go. Parquet keeps its schema, its metadata and the order of its columns.

    Parameters
    ----------
    source : the file.
    removed : numbers of rows, from 0 as in `Row.number`.
    to : the new file, in the format of the old one; compressed where that was.
    most_bytes : as the audit read it.

    Returns
    -------
    (kept, removed)
        Rows of either kind.

    Raises
    ------
    DataError
        For a row to remove that is not there, and a file that cannot be read.
    """
    if source.kind == "parquet":
        kept, gone = copy_parquet(source, removed, to)
    elif source.packed:
        # Without name and time, equal content makes equal files.
        with (
            open(to, "wb") as plain,
            gzip.GzipFile("", "wb", fileobj=plain, mtime=0) as packed,
        ):
            kept, gone = _lines(source, removed, packed, most_bytes)  # type: ignore[arg-type]
    else:
        with open(to, "wb") as handle:
            kept, gone = _lines(source, removed, handle, most_bytes)
    if gone != len(removed):
        raise DataError(
            f"{source.name}: expected to leave out {len(removed)} rows, found {gone} of them; the "
            "file is not the one that was audited"
        )
    return kept, gone


def _lines(source: Source, removed: Set[int], to: IO[bytes], most: int) -> tuple[int, int]:
    kept = gone = 0
    for record in records(source, 0, None, most, heading=True):
        if record.number in removed:
            gone += 1
            continue
        to.write(record.raw)
        to.writelines(record.rest)
        kept += record.number >= 0
    return kept, gone


__all__ = ["copy_without"]
