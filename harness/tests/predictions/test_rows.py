"""Prediction files of any tool, as a scorer reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.errors import DataError
from harness.models.predictions import read_predictions
from harness.predictions.rows import read_rows


def write(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "p.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_the_text_and_what_was_read_in_it_stay_apart(tmp_path: Path) -> None:
    found = read_rows(
        write(
            tmp_path,
            {"id": "a", "prediction": "B", "raw_prediction": "It is B.", "seed": 1},
            {"question_id": 7, "answer": 2, "raw_prediction": "C", "seed": 1},
            {"id": "c", "prediction": "x", "raw_prediction": "?", "seed": 1,
             "prediction_valid": False},
        )
    )  # fmt: skip
    assert [(r.id, r.prediction, r.raw) for r in found.by_id.values()] == [
        ("a", "B", "It is B."), ("7", "2", "C"), ("c", "__invalid__", "?"),
    ]  # fmt: skip
    assert (found.seed, found.model_id) == (1, None)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"id": "a"}], "record 1: (id 'a') expected a text or number under prediction or answer"),
        ([{"prediction": "a"}], "record 1: expected an id under id or question_id"),
        ([{"id": True, "prediction": "a"}], "expected an id"),
        ([{"id": 1, "prediction": True}], "found True"),
        ([{"id": 1, "prediction": "a"}, {"id": "1", "prediction": "a"}], "id '1' stands twice"),
        ([{"id": 1, "prediction": "a", "seed": 2}], "record 1: expected seed 3, found 2"),
        ([{"id": 1, "prediction": "a", "seed": "3"}], "expected seed as a whole number"),
        ([{"id": 1, "prediction": "a", "raw_prediction": 1}], "expected raw_prediction as text"),
        (
            [{"id": i, "prediction": "a", "model_revision": str(i)} for i in (1, 2)],
            "expected one model_revision in all records, found '1', '2'",
        ),
    ],
)
def test_a_fault_is_named(tmp_path: Path, rows: list[dict[str, Any]], said: str) -> None:
    with pytest.raises(DataError) as caught:
        read_rows(write(tmp_path, *rows), seed=3)
    assert said in str(caught.value)


def test_a_torn_line_is_named_by_its_number(tmp_path: Path) -> None:
    path = write(tmp_path, {"id": 1, "prediction": "a"})
    path.write_text(path.read_text() + '{"id": 2, "predic')
    with pytest.raises(DataError, match=r"p\.jsonl:2: "):
        read_rows(path)


def test_a_replay_reads_files_of_raw_texts_alone(tmp_path: Path) -> None:
    path = write(tmp_path, {"id": "4", "raw": "B", "published_index": 1}, {"id": "5", "raw": ""})
    assert read_predictions(path, {}) == {"4": "B", "5": ""}
