"""Rows of a Parquet file, one row group after the other; pyarrow is the extra `parquet`."""

from __future__ import annotations

from collections.abc import Iterator, Set
from importlib import import_module
from pathlib import Path
from typing import Any

from harness.contamination.opening import unreadable
from harness.contamination.sources import Source
from harness.errors import DataError

_AT_ONCE = 256


def parquet_file(source: Source) -> Any:
    """The open file, of pyarrow.

    Raises
    ------
    DataError
        Where pyarrow is not installed, and for a file that is none.
    """
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        raise DataError(
            f"{source.name}: Parquet needs pyarrow; install the extra `parquet`, or convert the "
            "file to JSONL"
        ) from None
    try:
        return parquet.ParquetFile(source.path)
    except (OSError, ValueError) as error:
        raise unreadable(source, error) from None


def parquet_rows(
    source: Source, start: int, stop: int, columns: tuple[str, ...]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Rows ``start`` to ``stop - 1`` with their numbers, some hundred in memory at a time.

    Parameters
    ----------
    source : the file.
    start, stop : as of `range`; row groups outside are not read.
    columns : that are read, or in which something nested is; none for all.

    Raises
    ------
    DataError
        For damaged content.
    """
    file = parquet_file(source)
    names = file.schema_arrow.names
    chosen = [name for name in names if any(c == name or c.startswith(f"{name}.") for c in columns)]
    before = 0
    for group in range(file.metadata.num_row_groups):
        size = file.metadata.row_group(group).num_rows
        if before + size > start and before < stop:
            number = before
            for batch in _batches(
                source, file, batch_size=_AT_ONCE, row_groups=[group], columns=chosen or None
            ):
                low, high = max(start - number, 0), min(stop - number, batch.num_rows)
                if low < high:
                    values = batch.slice(low, high - low).to_pylist()
                    yield from enumerate(values, number + low)
                number += batch.num_rows
        before += size


def copy_parquet(source: Source, removed: Set[int], to: Path) -> tuple[int, int]:
    """Copy a file without some rows; its schema, metadata and order of columns stay.

    Returns
    -------
    (kept, removed)
        Rows of either kind.

    Raises
    ------
    DataError
        As for `parquet_rows`.
    """
    file = parquet_file(source)
    arrow: Any = import_module("pyarrow")
    parquet: Any = import_module("pyarrow.parquet")
    kept = before = 0
    with parquet.ParquetWriter(to, file.schema_arrow) as writer:
        for batch in _batches(source, file):
            mask = [before + k not in removed for k in range(batch.num_rows)]
            before += batch.num_rows
            left = batch.filter(arrow.array(mask, arrow.bool_()))
            kept += left.num_rows
            if left.num_rows:
                writer.write_batch(left)
    return kept, before - kept


def _batches(source: Source, file: Any, **chosen: Any) -> Iterator[Any]:
    try:
        yield from file.iter_batches(use_threads=False, **chosen)
    except (OSError, ValueError) as error:
        raise unreadable(source, error) from None


__all__ = ["copy_parquet", "parquet_file", "parquet_rows"]
