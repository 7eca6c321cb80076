"""VLMEvalKit's files of predictions (TSV, CSV, JSON, XLSX) as rows."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from harness.bridge.faults import BridgeError
from harness.bridge.rows import Row, check_rows
from harness.bridge.xlsx import read_xlsx

_LARGEST_BYTES = 1 << 30
_FAILED = "Failed to obtain answer"
_FORMATS = {".tsv": "\t", ".csv": ","}


def read_vlmevalkit(path: Path, task: str) -> tuple[Row, ...]:
    """Read one file of predictions, with or without its `hit` column.

    Parameters
    ----------
    path : .tsv, .csv, .json (a list of records, or columns of values by row) or .xlsx, with the
        columns `index`, `prediction` and `answer`; `question`, the choices `A`, `B`, …, and
        `hit` are taken where they are.
    task : the data set; part of every id.

    Returns
    -------
    tuple of Row
        Choices end at the first letter without a text. A prediction of the kind that VLMEvalKit
        writes when an interface gave no answer is an error of the run, not an answer.

    Raises
    ------
    BridgeError
        For another format, a file above 1 GiB, missing columns, or an index that stands twice.
    """
    if not path.is_file():
        raise BridgeError(f"{path.name}: no such file")
    if path.stat().st_size > _LARGEST_BYTES:
        raise BridgeError(f"{path.name}: expected at most 1 GiB, found {path.stat().st_size} B")
    records = _records(path)
    rows = [_row(record, task, f"{path.name}, record {n}") for n, record in enumerate(records, 1)]
    return check_rows(rows, path.name)


def _records(path: Path) -> list[dict[str, Any]]:
    try:
        match path.suffix.lower():
            case ".xlsx":
                return read_xlsx(path)
            case ".json":
                return _of_json(json.loads(path.read_bytes()), path.name)
            case (".tsv" | ".csv") as suffix:
                return _of_lines(path, _FORMATS[suffix])
    except (ValueError, RecursionError, csv.Error) as error:
        raise BridgeError(f"{path.name}: expected a whole file, found damage: {error}") from error
    raise BridgeError(f"{path.name}: expected .tsv, .csv, .json or .xlsx, found {path.suffix!r}")


def _of_lines(path: Path, delimiter: str) -> list[dict[str, Any]]:
    former = csv.field_size_limit(min(sys.maxsize, _LARGEST_BYTES))  # pictures stand in cells
    try:
        with open(path, encoding="utf-8-sig", newline="") as handle:
            rows = list(csv.DictReader(handle, delimiter=delimiter, strict=True))
    finally:
        csv.field_size_limit(former)
    for number, row in enumerate(rows, 1):
        if None in row or None in row.values():
            raise ValueError(f"record {number} has more or fewer fields than the header")
    return [dict(row) for row in rows]


def _of_json(value: Any, name: str) -> list[dict[str, Any]]:
    if isinstance(value, dict) and value and all(isinstance(v, dict) for v in value.values()):
        labels = list(next(iter(value.values())))
        return [{column: cells.get(at) for column, cells in value.items()} for at in labels]
    if isinstance(value, list) and all(isinstance(record, dict) for record in value):
        return value
    raise BridgeError(f"{name}: expected a list of records or columns by row")


def _row(record: Mapping[str, Any], task: str, where: str) -> Row:
    missing = [name for name in ("index", "prediction", "answer") if name not in record]
    if missing:
        raise BridgeError(
            f"{where}: expected the columns index, prediction and answer, found none "
            f"named {', '.join(missing)}"
        )
    index = _text(record["index"])
    if not index:
        raise BridgeError(f"{where}: expected an index, found none")
    text = _text(record["prediction"])
    failed = text.startswith(_FAILED)
    choices = []
    for letter in ascii_uppercase:
        choice = _text(record.get(letter))
        if not choice:
            break
        choices.append(choice)
    return Row(
        id=f"{task}:{index}",
        task=task,
        question=_text(record.get("question")),
        gold=_text(record["answer"]),
        choices=tuple(choices),
        text=None if failed else text,
        status="error" if failed else "ok",
        error=text if failed else None,
        theirs=_hit(record.get("hit"), where),
    )


def _hit(value: Any, where: str) -> float | None:
    text = _text(value).lower()
    if not text:
        return None
    named = {"true": 1.0, "false": 0.0}
    try:
        return named[text] if text in named else float(text)
    except ValueError:
        raise BridgeError(f"{where}: expected a number as hit, found {text!r:.40}") from None


def _text(value: Any) -> str:
    """A cell as text: spreadsheets turn 3 into 3.0, and what is missing into NaN."""
    if value is None or (isinstance(value, float) and value != value):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


__all__ = ["read_vlmevalkit"]
