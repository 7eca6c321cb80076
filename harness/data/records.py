"""Records read from JSON, JSONL, `.json` files that hold JSONL, and gzip files of each."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.errors import DataError

WRAPPERS = ("predictions", "annotations", "records")
_SHOWN = 10


def read_records(path: Path, where: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Read the records of a file, in its own order.

    A JSON file holds a list of objects, one object with the list under `predictions`,
    `annotations` or `records`, or a single object, which is one record. JSONL holds one
    object a line; it is recognised in a file of any name. `.gz` files are unpacked first.
    Ids are not looked at: the caller knows which key holds them and checks for duplicates.

    Parameters
    ----------
    path : the file.
    where : field to value; only records with all these values are given. Empty: all.

    Returns
    -------
    list of dict
        At least one record when `where` is not empty; empty only for a file with an empty list.

    Raises
    ------
    DataError
        For a missing, unreadable or empty file; a torn or bad line (as file:line, the first
        ten, with their number and the whole records before the first); a record that is not
        an object or names a key twice; NaN or Infinity; a field of `where` that a record does
        not have; no record that fits. Messages hold the file's base name only.
    """
    text = _text(path)
    rows = _json(path, text)
    if rows is None:
        rows = _lines(path, text)
    return _filtered(path, rows, where)


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
        if path.suffix == ".gz":
            raw = gzip.decompress(raw)
    except FileNotFoundError as error:
        raise DataError(
            f"{path.name}: no such file; check the path in the study or fetch the data first"
        ) from error
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(
            f"{path.name}: cannot be read ({type(error).__name__}); replace it by a whole copy"
        ) from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError(f"{path.name}:{line}: expected UTF-8 text, found other bytes") from error
    if not text.strip():
        raise DataError(f"{path.name}: the file is empty; expected JSON or JSONL records")
    return text


def _json(path: Path, text: str) -> list[dict[str, Any]] | None:
    """Records of a whole JSON document, or None when the text is JSONL."""
    if path.name.removesuffix(".gz").endswith(".jsonl"):
        return None
    try:
        document = _parse(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            return None
        raise DataError(
            f"{path.name}:{error.lineno}: expected JSON or JSONL, found a fault: {error.msg}"
        ) from error
    except ValueError as error:
        raise DataError(f"{path.name}: {error}") from error
    if isinstance(document, dict):
        found = [key for key in WRAPPERS if isinstance(document.get(key), list)]
        if len(found) > 1:
            raise DataError(f"{path.name}: expected one list of records, found {', '.join(found)}")
        document = document[found[0]] if found else [document]
    if not isinstance(document, list):
        raise DataError(f"{path.name}: expected a list of objects, found {type(document).__name__}")
    bad = [index for index, row in enumerate(document) if not isinstance(row, dict)]
    if bad:
        raise DataError(
            f"{path.name}: expected objects as records, found {len(bad)} other value(s), "
            f"the first at index {bad[0]} (from 0)"
        )
    return document


def _lines(path: Path, text: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    faults: list[str] = []
    before = 0
    # Not splitlines(): U+2028 and its like may stand inside a JSON string.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = _parse(line)
            if not isinstance(row, dict):
                raise ValueError(f"expected an object, found {type(row).__name__}")
        except ValueError as error:
            message = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            before = before if faults else len(rows)
            faults.append(f"  {path.name}:{number}: {message}")
        else:
            rows.append(row)
    if faults:
        more = [f"  … and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        lines = "\n".join(faults[:_SHOWN] + more)
        raise DataError(
            f"{path.name}: {len(faults)} torn or bad line(s), {before} whole record(s) before "
            f"the first; repair or replace the file\n{lines}"
        )
    return rows


def _parse(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("expected JSON, found brackets nested too deep to read") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) < len(pairs):
        names = sorted({name for name, _ in pairs if sum(n == name for n, _ in pairs) > 1})
        raise ValueError(f"an object names a key twice: {', '.join(names)}")
    return built


def _refuse(constant: str) -> Any:
    raise ValueError(f"expected JSON values, found {constant}")


def _filtered(
    path: Path, rows: list[dict[str, Any]], where: Mapping[str, Any]
) -> list[dict[str, Any]]:
    for field, value in where.items():
        lacking = sum(field not in row for row in rows)
        if lacking:
            raise DataError(
                f"{path.name}: cannot select {field} = {value!r}: {lacking} of {len(rows)} "
                "record(s) lack that field"
            )
        kept = [row for row in rows if row[field] == value]
        if not kept:
            found = ", ".join(sorted({repr(row[field]) for row in rows})[:_SHOWN])
            raise DataError(
                f"{path.name}: no record has {field} = {value!r}; found: {found or 'no records'}"
            )
        rows = kept
    return rows


__all__ = ["WRAPPERS", "read_records"]
