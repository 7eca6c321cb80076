"""The protocol's prediction files: one text per example id, as JSON or JSON lines."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import ids
from harness.data.records import read_records
from harness.errors import DataError
from harness.scoring.letters.margin import FIELDS, scores_text

INVALID = "__invalid__"
_IDS = ("id", "question_id", "item_id")
_TEXTS = ("prediction", "answer", "raw_output", "raw")
_SHOWN = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Prediction:
    """One row to write: `prediction` is the answer that was read, None when none could be."""

    id: str
    prediction: str | None
    raw_prediction: str
    model_id: str
    model_revision: str
    seed: int


def read_predictions(path: Path, where: Mapping[str, str | int]) -> dict[str, str]:
    """Read the texts of a prediction file.

    Parameters
    ----------
    path : JSON, JSON lines, or JSON lines named .json; each may be gzipped. The records may
        stand in a list, or under `predictions`, `annotations` or `records`.
    where : only records that have all of these values are taken; empty takes all.

    Returns
    -------
    dict
        Text by example id, in the order of the file. The id is that of `id`, else
        `question_id`, else `item_id`; the text that of `prediction`, else `answer`, else
        `raw_output`, else `raw`; where these hold none, `score_a` and `score_b` as a reward
        model's scores. Numbers become text. Where the prediction is the marker of an unreadable
        answer, the raw text is taken instead, if the record has one: whether it can be read is
        for the scorer to say.

    Raises
    ------
    DataError
        For a file that cannot be read, with the line; else with the first ten faults and their
        number: a record without id or text, an id that stands twice, or no record at all.
    """
    texts: dict[str, str] = {}
    faults: list[str] = []
    first: dict[str, int] = {}
    records = read_records(path, where)
    for place, record in enumerate(records, 1):
        key, text = _id(record), _text(record)
        if key is None:
            faults.append(f"record {place}: expected a text or number under {' or '.join(_IDS)}")
        elif text is None:
            faults.append(
                f"record {place} (id {key!r}): expected a text or number under "
                f"{' or '.join(_TEXTS)}"
            )
        elif key in first:
            faults.append(f"record {place}: id {key!r} stands already in record {first[key]}")
        else:
            first[key] = place
            texts[key] = text
    if not records:
        faults.append("expected at least one record, found none")
    if faults:
        more = [f"  and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        kept = f" with {dict(where)}" if where else ""
        raise DataError(
            f"{path.name}: {len(faults)} fault(s) among {len(records)} predictions{kept}:\n"
            + "\n".join([f"  {fault}" for fault in faults[:_SHOWN]] + more)
        )
    return texts


def write_predictions(path: Path, rows: Iterable[Prediction]) -> int:
    """Write a prediction file as JSON lines, gzipped when the name ends in .gz.

    Equal rows give equal bytes. The file appears whole or not at all.

    Returns
    -------
    int
        The number of rows written.

    Raises
    ------
    DataError
        When an id stands twice; nothing is written then.
    """
    lines: dict[str, str] = {}
    for row in rows:
        if row.id in lines:
            raise DataError(f"{path.name}: id {row.id!r} stands twice among the predictions")
        lines[row.id] = prediction_line(row)
    raw = "".join(f"{line}\n" for line in lines.values()).encode("ascii")
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        unfinished.write_bytes(gzip.compress(raw, mtime=0) if path.suffix == ".gz" else raw)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return len(lines)


def prediction_line(row: Prediction) -> str:
    """The line of a row, without its end."""
    return ids.canonical_json(
        {
            "id": row.id,
            "prediction": INVALID if row.prediction is None else row.prediction,
            "prediction_valid": row.prediction is not None,
            "raw_prediction": row.raw_prediction,
            "model_id": row.model_id,
            "model_revision": row.model_revision,
            "seed": row.seed,
        }
    )


def _id(record: Mapping[str, Any]) -> str | None:
    value = next((record[key] for key in _IDS if key in record), None)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        return None
    return str(value)


def _text(record: Mapping[str, Any]) -> str | None:
    value = next((record[key] for key in _TEXTS if key in record), None)
    raw = record.get("raw_prediction")
    score_a, score_b = (_score(record.get(name)) for name in FIELDS)
    if value is None and score_a is not None and score_b is not None:
        return scores_text(score_a, score_b)
    if value == INVALID and isinstance(raw, str):
        return raw
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return json.dumps(value)
    return None


def _score(value: Any) -> float | None:
    return None if isinstance(value, bool) or not isinstance(value, int | float) else float(value)


__all__ = ["INVALID", "Prediction", "prediction_line", "read_predictions", "write_predictions"]
