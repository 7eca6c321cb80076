import gzip
import json
from pathlib import Path

import pytest

from harness.data.records import read_records
from harness.errors import DataError

ROWS = [{"id": "a", "split": "x"}, {"id": "b\u2028c", "split": "y"}]
LINES = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    raw = text.encode("utf-8")
    path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r.json", json.dumps(ROWS)),
        ("r.json.gz", json.dumps(ROWS)),
        ("r.json", json.dumps({"predictions": ROWS, "model": "m"})),
        ("r.json", json.dumps({"annotations": ROWS})),
        ("r.json", json.dumps({"records": ROWS}, indent=1)),
        ("r.json", LINES),
        ("r.json.gz", LINES),
        ("r.jsonl", LINES),
        ("r.jsonl.gz", LINES),
        ("r.jsonl", LINES.replace("\n", "\r\n").rstrip() + "\n\n"),
        ("r.jsonl", "\ufeff" + LINES),
    ],
)
def test_every_form_gives_the_same_records(tmp_path: Path, name: str, text: str) -> None:
    assert read_records(write(tmp_path, name, text), {}) == ROWS


def test_a_single_object_is_one_record(tmp_path: Path) -> None:
    assert read_records(write(tmp_path, "r.json", '{"id": 1}'), {}) == [{"id": 1}]
    assert read_records(write(tmp_path, "r.jsonl", '{"id": 1}'), {}) == [{"id": 1}]


def test_where_selects_and_refuses_what_is_not_there(tmp_path: Path) -> None:
    path = write(tmp_path, "r.jsonl", LINES)
    assert read_records(path, {"split": "y"}) == ROWS[1:]
    with pytest.raises(DataError, match="no record has split = 'z'; found: 'x', 'y'"):
        read_records(path, {"split": "z"})
    with pytest.raises(DataError, match=r"2 of 2 record.s. lack that field"):
        read_records(path, {"fold": 1})


def test_a_torn_line_is_named_with_the_whole_records_before_it(tmp_path: Path) -> None:
    torn = LINES + '{"id": "c", "spl'
    for name in ("r.jsonl", "r.json", "r.jsonl.gz"):
        with pytest.raises(DataError, match=rf"{name}:3: .*") as caught:
            read_records(write(tmp_path, name, torn), {})
        assert "1 torn or bad line(s), 2 whole record(s) before the first" in str(caught.value)
        assert str(tmp_path) not in str(caught.value)


def test_all_bad_lines_are_counted_and_ten_named(tmp_path: Path) -> None:
    path = write(tmp_path, "r.jsonl", '{"id": 1}\n' + "5\n" * 12)
    with pytest.raises(DataError) as caught:
        read_records(path, {})
    message = str(caught.value)
    assert "12 torn or bad line(s), 1 whole record(s)" in message
    assert message.count("expected an object, found int") == 10
    assert "and 2 more" in message


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("r.json", "", "the file is empty"),
        ("r.jsonl", "\n\n", "the file is empty"),
        ("r.json", '{"id": 1', "r.json:1: expected JSON"),
        ("r.json", "[1, 2]", "expected objects as records, found 2"),
        ("r.json", "5", "expected a list of objects, found int"),
        ("r.json", '{"predictions": [], "records": []}', "expected one list of records"),
        ("r.json", '[{"id": 1, "id": 2}]', "names a key twice: id"),
        ("r.jsonl", '{"id": 1, "id": 2}', "r.jsonl:1: an object names a key twice: id"),
        ("r.jsonl", '{"p": NaN}', "r.jsonl:1: expected JSON values, found NaN"),
        ("r.json", '[{"p": Infinity}]', "found Infinity"),
    ],
)
def test_faulty_files_are_errors(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_records(write(tmp_path, name, text), {})


def test_files_that_cannot_be_read_are_errors(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"^none.json: no such file"):
        read_records(tmp_path / "none.json", {})
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(gzip.compress(LINES.encode())[:-9])
    with pytest.raises(DataError, match=r"^cut.jsonl.gz: cannot be read \(EOFError\)"):
        read_records(cut, {})
    plain = tmp_path / "plain.json.gz"
    plain.write_text(LINES, encoding="utf-8")
    with pytest.raises(DataError, match="BadGzipFile"):
        read_records(plain, {})
    bytes_ = tmp_path / "bytes.jsonl"
    bytes_.write_bytes(b'{"id": 1}\n{"id": "\xff"}\n')
    with pytest.raises(DataError, match=r"^bytes.jsonl:2: expected UTF-8"):
        read_records(bytes_, {})


def test_brackets_without_end_are_a_fault_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000)
    with pytest.raises(DataError, match="deep.json.*nested too deep"):
        read_records(path, {})
