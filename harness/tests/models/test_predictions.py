"""Prediction files, read and written."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import DataError
from harness.models.predictions import INVALID, Prediction, read_predictions, write_predictions

ROWS = [{"id": "a", "prediction": "B"}, {"id": 7, "prediction": 3}, {"id": "c", "prediction": ""}]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)
EXPECTED = {"a": "B", "7": "3", "c": ""}
ROW = Prediction(
    id="a", prediction="B", raw_prediction="It is B.", model_id="m", model_revision="r", seed=1
)


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.json", json.dumps(ROWS)),
        ("p.json", json.dumps({"predictions": ROWS, "model": "m"})),
        ("p.json", json.dumps({"annotations": ROWS})),
        ("p.json", json.dumps({"records": ROWS})),
        ("p.json", LINES),
        ("p.jsonl", LINES),
    ],
)
def test_every_form_is_read(tmp_path: Path, name: str, text: str, packed: bool) -> None:
    path = tmp_path / (f"{name}.gz" if packed else name)
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    assert read_predictions(path, {}) == EXPECTED


def test_question_id_and_answer_stand_in_for_id_and_prediction(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(
        '{"question_id": 1, "answer": "yes"}\n'
        '{"id": "2", "question_id": 9, "prediction": "no", "answer": "yes"}\n'
    )
    assert read_predictions(path, {}) == {"1": "yes", "2": "no"}


def test_where_chooses_rows_before_duplicates_are_looked_for(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(
        '{"split": "random", "id": 1, "prediction": "yes"}\n'
        '{"split": "popular", "id": 1, "prediction": "no"}\n'
    )
    assert read_predictions(path, {"split": "popular"}) == {"1": "no"}
    with pytest.raises(DataError, match="'adversarial'.*'popular', 'random'"):
        read_predictions(path, {"split": "adversarial"})
    with pytest.raises(DataError, match="record 2: id '1' stands already in record 1"):
        read_predictions(path, {})


def test_an_unreadable_answer_keeps_its_raw_text(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(
        '{"id": "a", "prediction": "__invalid__", "raw_prediction": "Hard to say."}\n'
        '{"id": "b", "prediction": "__invalid__"}\n'
        '{"id": "c", "prediction": "A", "raw_prediction": "A, I think"}\n'
    )
    assert read_predictions(path, {}) == {"a": "Hard to say.", "b": INVALID, "c": "A"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"prediction": "A"}, "record 2: expected a text or number under id or question_id"),
        ({"id": None, "prediction": "A"}, "record 2: expected a text or number under id"),
        ({"id": True, "prediction": "A"}, "record 2: expected a text or number under id"),
        ({"id": "", "prediction": "A"}, "record 2: expected a text or number under id"),
        ({"id": "b"}, r"record 2 \(id 'b'\): expected a text or number under prediction or answer"),
        ({"id": "b", "prediction": None}, r"record 2 \(id 'b'\): expected a text or number"),
        ({"id": "b", "prediction": ["A"]}, r"record 2 \(id 'b'\): expected a text or number"),
        ({"id": "b", "prediction": True}, r"record 2 \(id 'b'\): expected a text or number"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, row: dict[str, object], message: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps([{"id": "a", "prediction": "A"}, row]))
    with pytest.raises(DataError, match=message):
        read_predictions(path, {})


def test_all_faults_are_counted_and_ten_shown(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps([{"id": "a", "prediction": "A"}] * 14))
    with pytest.raises(DataError) as caught:
        read_predictions(path, {})
    text = str(caught.value)
    assert text.startswith("p.json: 13 fault(s) among 14 predictions:")
    assert text.count("stands already") == 10 and text.endswith("and 3 more")


def test_a_torn_last_line_says_where_and_how_much_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(LINES + '{"id": "d", "predic')
    with pytest.raises(DataError, match=r"3 whole record\(s\) before(.|\n)*p\.jsonl:4: "):
        read_predictions(path, {})


@pytest.mark.parametrize("text", ["", "[]"])
def test_no_predictions_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "p.json").write_text(text)
    with pytest.raises(DataError, match="expected"):
        read_predictions(tmp_path / "p.json", {})


@pytest.mark.parametrize("name", ["p.jsonl", "p.jsonl.gz"])
@given(st.lists(st.text(), max_size=5), st.booleans())
def test_what_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, name: str, texts: list[str], valid: bool
) -> None:
    path = tmp_path_factory.mktemp("written") / name
    rows = [
        replace(ROW, id=f"e{i}", prediction="B" if valid else None, raw_prediction=text)
        for i, text in enumerate(["first", *texts])
    ]
    assert write_predictions(path, rows) == len(rows)
    wanted = {r.id: "B" if valid else r.raw_prediction for r in rows}
    assert read_predictions(path, {}) == wanted
    again = path.with_name(f"again-{name}")
    write_predictions(again, rows)
    assert again.read_bytes() == path.read_bytes()
    assert len(list(path.parent.iterdir())) == 2


def test_the_rows_have_the_protocols_fields(tmp_path: Path) -> None:
    write_predictions(tmp_path / "p.jsonl", [ROW, replace(ROW, id="b", prediction=None)])
    valid, invalid = map(json.loads, (tmp_path / "p.jsonl").read_text().splitlines())
    assert valid == {
        "id": "a", "prediction": "B", "prediction_valid": True, "raw_prediction": "It is B.",
        "model_id": "m", "model_revision": "r", "seed": 1,
    }  # fmt: skip
    assert invalid["prediction"] == INVALID and invalid["prediction_valid"] is False


def test_an_id_twice_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text("before")
    with pytest.raises(DataError, match="id 'a' stands twice"):
        write_predictions(tmp_path / "p.jsonl", [ROW, ROW])
    assert [p.read_text() for p in tmp_path.iterdir()] == ["before"]


def test_a_judges_published_records_are_read(tmp_path: Path) -> None:
    rows = [
        {"item_id": "t:base", "raw_output": "A", "score_a": None, "score_b": None},
        {"item_id": "t:relevant", "raw_output": None, "score_a": 1.5, "score_b": -0.25},
    ]
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert read_predictions(path, {}) == {
        "t:base": "A", "t:relevant": '{"score_a":1.5,"score_b":-0.25}',
    }  # fmt: skip
