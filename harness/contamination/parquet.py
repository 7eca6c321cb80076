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
                    values = _values(batch.slice(low, high - low))
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
            size = batch.num_rows
            gone = sorted(row - before for row in removed if before <= row < before + size)
            before += size
            # Slices, as filters know not every type.
            ends = zip([-1, *gone], [*gone, size], strict=True)
            left = [batch.slice(low + 1, high - low - 1) for low, high in ends if high - low > 1]
            kept += size - len(gone)
            if left:
                writer.write_table(arrow.Table.from_batches(left))
    return kept, before - kept


class Unreadable:
    """Stands for a value that Python has no equal of, or text that is not UTF-8."""

    def __init__(self, why: str) -> None:
        self._why = why

    def __str__(self) -> str:
        return self._why


def _values(batch: Any) -> list[dict[str, Any]]:
    """The rows; a value that cannot be read spoils no other."""
    try:
        rows: list[dict[str, Any]] = batch.to_pylist()
        return rows
    except Exception:  # noqa: BLE001 - dates, zones and texts each fail in their own way
        columns = zip(batch.schema.names, batch.columns, strict=True)
        listed = {name: [_value(cell) for cell in column] for name, column in columns}
        return [{name: listed[name][k] for name in listed} for k in range(batch.num_rows)]


def _value(cell: Any) -> Any:
    try:
        return cell.as_py()
    except Exception as error:  # noqa: BLE001 - as above
        return Unreadable(f"{type(error).__name__}: {error}")


def _batches(source: Source, file: Any, **chosen: Any) -> Iterator[Any]:
    try:
        yield from file.iter_batches(use_threads=False, **chosen)
    except (OSError, ValueError, NotImplementedError) as error:
        raise unreadable(source, error) from None


__all__ = ["copy_parquet", "parquet_file", "parquet_rows"]
