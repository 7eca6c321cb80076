"""Rows of parquet and TSV files, a file or a folder of shards, as plain dictionaries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

MAX_BYTES = 4 * 2**30
MAX_ROWS = 200_000
_ROWS_AT_ONCE = 64
_POINTER = b"version https://git-lfs"
_SUFFIXES = (".parquet", ".tsv")


def table_files(path: Path) -> tuple[Path, ...]:
    """The files of a table: the file itself, or those of one kind straight in a folder, sorted.

    Raises
    ------
    DataError
        For a missing path, a file that is neither parquet nor TSV, a folder without such files
        or with both kinds, and files of more than 4 GiB in all.
    """
    if path.is_dir():
        files = tuple(sorted(p for p in path.iterdir() if p.suffix in _SUFFIXES and p.is_file()))
        if len({file.suffix for file in files}) != 1:
            found = ", ".join(file.name for file in files[:4]) or "none"
            raise DataError(
                f"{path.name}: expected a folder of parquet files or of TSV files, found {found}; "
                "name one file in the study"
            )
    elif not path.is_file():
        raise DataError(
            f"{path.name}: no such file; check the path in the study or fetch the data first"
        )
    else:
        files = (path,)
        if path.suffix not in _SUFFIXES:
            raise DataError(f"{path.name}: expected a name with .parquet or .tsv")
    n_bytes = sum(file.stat().st_size for file in files)
    if n_bytes > MAX_BYTES:
        raise DataError(f"{path.name}: expected at most {MAX_BYTES} bytes, found {n_bytes}")
    return files


def table_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Give the rows of a table in the order of its files.

    Parameters
    ----------
    path : a `.parquet` or `.tsv` file, or a folder of shards of one kind (see `table_files`).
        TSV: UTF-8, a head line, fields with tabs or line breaks in double quotes; every value
        is text, and no text stands for a missing value.

    Yields
    ------
    dict
        Column to value: text, number, bytes, list or dict; None for a missing one.

    Raises
    ------
    DataError
        As in `table_files`; for a file that cannot be read as what its name says, a Git LFS
        pointer, a column that stands twice, more than 200,000 rows; and for parquet without
        the package pyarrow.
    """
    n_rows = 0
    for file in table_files(path):
        for table in _parts(file):
            n_rows += len(table)
            if n_rows > MAX_ROWS:
                raise DataError(f"{path.name}: expected at most {MAX_ROWS} rows, found more")
            yield from _rows(file, table)


def _rows(file: Path, table: pd.DataFrame) -> Iterator[dict[str, Any]]:
    columns = [str(column) for column in table.columns]
    # pandas names the second column of a name NAME.1.
    if len(set(columns)) < len(columns) or any(f"{column}.1" in columns for column in columns):
        raise DataError(f"{file.name}: expected each column once, found {', '.join(columns)}")
    for values in zip(*(table.iloc[:, i] for i in range(len(columns))), strict=True):
        yield {column: _plain(value) for column, value in zip(columns, values, strict=True)}


def _parts(file: Path) -> Iterator[pd.DataFrame]:
    """A file as tables of few rows where its format allows: pictures make rows large."""
    import pandas as pd

    try:
        with file.open("rb") as handle:
            if handle.read(len(_POINTER)) == _POINTER:
                raise DataError(
                    f"{file.name}: expected the data, found a Git LFS pointer; fetch the file "
                    "itself (git lfs pull, or hf download)"
                )
        if file.suffix == ".parquet":
            yield pd.read_parquet(file, engine="pyarrow")
            return
        with pd.read_csv(
            file,
            sep="\t",
            dtype=str,
            keep_default_na=False,
            encoding="utf-8-sig",
            low_memory=False,
            chunksize=_ROWS_AT_ONCE,
        ) as parts:
            yield from parts
    except ImportError as error:
        raise DataError(
            f"{file.name}: parquet is read with the package pyarrow, which is not installed; "
            "install this project with its extra `parquet`"
        ) from error
    except (OSError, ValueError) as error:
        kind = file.suffix.removeprefix(".")
        text = " ".join(str(error).split())
        raise DataError(
            f"{file.name}: cannot be read as {kind} ({type(error).__name__}: {text:.200}); replace "
            "it by a whole copy"
        ) from error


def _plain(value: Any) -> Any:
    """A value without the types of pandas and numpy; NaN and NA become None."""
    if isinstance(value, str | bytes) or value is None:
        return value
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if type(value).__name__ == "NAType" or value != value:
        return None
    return value


__all__ = ["MAX_BYTES", "MAX_ROWS", "table_files", "table_rows"]
