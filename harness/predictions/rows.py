"""Prediction files as a scorer reads them, whoever wrote them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.data.records import read_records
from harness.errors import DataError
from harness.models.predictions import INVALID

_TEXTS = ("prediction", "answer")
_SHOWN = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One prediction; `raw` is None where the file has only what was read from it.

    `prediction` is `__invalid__` where nothing could be read. Model, revision and seed are None
    where the file does not say.
    """

    id: str
    prediction: str
    raw: str | None
    model_id: str | None = None
    model_revision: str | None = None
    seed: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """The rows of one file by id, all of one model, revision and seed."""

    by_id: Mapping[str, Row]
    model_id: str | None
    model_revision: str | None
    seed: int | None


def read_rows(path: Path, seed: int | None = None) -> Rows:
    """Read a prediction file, of this package or of another tool.

    Parameters
    ----------
    path : JSON, JSON lines, or JSON lines named .json; each may be gzipped. A record has `id` or
        `question_id` and `prediction` or `answer` (a number becomes text); `raw_prediction`,
        `model_id`, `model_revision` and `seed` where the writer knew them.
    seed : what the rows that say a seed have to say; None takes any one.

    Returns
    -------
    Rows
        In the order of the file.

    Raises
    ------
    DataError
        For a file that cannot be read, with the line; else with the first ten faults: a record
        without id or text, an id that stands twice, another seed than asked for, records of two
        models, revisions or seeds, or no record.
    """
    found: dict[str, Row] = {}
    faults: list[str] = []
    for place, record in enumerate(read_records(path, {}), start=1):
        try:
            row = _row(record)
        except ValueError as error:
            faults.append(f"record {place}: {error}")
            continue
        if row.id in found:
            faults.append(f"record {place}: id {row.id!r} stands twice")
        elif seed is not None and row.seed not in (None, seed):
            faults.append(f"record {place}: expected seed {seed}, found {row.seed}")
        found.setdefault(row.id, row)
    if not found and not faults:
        faults.append("expected at least one record, found none")
    common = {}
    for name in ("model_id", "model_revision", "seed"):
        values = {getattr(row, name) for row in found.values()}
        if len(values) > 1:
            several = ", ".join(sorted(map(repr, values))[:_SHOWN])
            faults.append(f"expected one {name} in all records, found {several}")
        common[name] = next(iter(values), None)
    _require(path, faults)
    return Rows(by_id=found, **common)


def _require(path: Path, faults: Sequence[str]) -> None:
    if faults:
        more = [f"  … and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        lines = "\n".join([f"  {fault}" for fault in faults[:_SHOWN]] + more)
        raise DataError(f"{path.name}: {len(faults)} fault(s); correct the file\n{lines}")


def _row(record: Mapping[str, Any]) -> Row:
    key = record.get("id", record.get("question_id"))
    if isinstance(key, bool) or not isinstance(key, int | str) or key == "":
        raise ValueError(f"expected an id under id or question_id, found {key!r}")
    said = next((record[name] for name in _TEXTS if name in record), None)
    if isinstance(said, bool) or not isinstance(said, str | int | float):
        raise ValueError(
            f"(id {key!r}) expected a text or number under {' or '.join(_TEXTS)}, found {said!r}"
        )
    raw, seed = record.get("raw_prediction"), record.get("seed")
    if raw is not None and not isinstance(raw, str):
        raise ValueError(f"(id {key!r}) expected raw_prediction as text, found {raw!r}")
    if seed is not None and type(seed) is not int:
        raise ValueError(f"(id {key!r}) expected seed as a whole number, found {seed!r}")
    names = {}
    for name in ("model_id", "model_revision"):
        value = record.get(name)
        if value is not None and not isinstance(value, str):
            raise ValueError(f"(id {key!r}) expected {name} as text, found {value!r}")
        names[name] = value
    text = said if isinstance(said, str) else json.dumps(said)
    valid = record.get("prediction_valid", True) is not False
    return Row(id=str(key), prediction=text if valid else INVALID, raw=raw, seed=seed, **names)


__all__ = ["Row", "Rows", "read_rows"]
