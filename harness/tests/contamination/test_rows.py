"""Rows out of files: texts, lines and numbers, and what becomes of every kind of bad input."""

from __future__ import annotations

import csv
import gzip
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.contamination.copies import copy_without
from harness.contamination.records import BadRecord, guessed, text_of
from harness.contamination.rows import count_rows, read_rows, settled
from harness.contamination.sources import Source, source_from
from harness.errors import DataError

TALK = [
    {"role": "system", "content": "You are a tutor."},
    {"role": "user", "content": [{"type": "text", "text": "Why?"}, {"type": "image"}]},
    {"role": "assistant", "content": "Because."},
    {"role": "user", "content": "And then?"},
]
SHARED = [{"from": "human", "value": "How far?"}, {"from": "gpt", "value": "3 m"}]


def test_a_record_says_its_text_or_what_is_wrong() -> None:
    cases = [
        ({"problem": "a", "extra": "b"}, ["problem", "extra"], "a\nb"),
        ({"extra_info": {"question": "q"}}, ["extra_info.question"], "q"),
        ({"a.b": "dotted", "a": {"b": "nested"}}, ["a.b"], "dotted"),
        ({"prompt": TALK}, ["prompt"], "Why?\nAnd then?"),
        ({"messages": SHARED}, ["messages"], "How far?"),
        ({"text": "half \ud83d"}, ["text"], "half \ufffd"),
        ({"text": ""}, ["text"], ""),
    ]
    for record, fields, text in cases:
        assert text_of(record, fields) == text
    wrong = [
        ({"answer": 1, "id": 2}, "no field 'text' among the fields answer, id"),
        ({"text": None}, "expected text, found null"),
        ({"text": 3.5}, "expected text, found float '3.5'"),
        ({"text": ["a", "b"]}, "expected text, found list"),
        ({"text": []}, "expected text, found list"),
        ({"text": [{"role": "assistant", "content": "x"}]}, "one of them of the user"),
        ({"text": [{"role": "user", "content": None}]}, "expected messages with text"),
        ({"text": "a\0b"}, "NUL at character 1"),
    ]
    for record, why in wrong:
        with pytest.raises(BadRecord, match=why):
            text_of(record, ["text"])


def test_a_field_is_guessed_only_without_doubt(tmp_path: Path) -> None:
    assert guessed(["id", "query"], "") == "query"
    assert guessed(["id", "messages"], "") == "messages"
    assert guessed(["messages", "prompt"], "") == "prompt"
    for fields in (["question", "prompt"], ["id", "answer"], []):
        with pytest.raises(DataError, match="exactly one field of problem, question") as caught:
            guessed(fields, "t.jsonl")
        assert all(field in str(caught.value) for field in fields)
    table = write(tmp_path / "t.csv", b"id,question\n1,a\n")
    assert settled(Source(table)).fields == ("question",)
    for asked in (Source(table, ("problem",)), Source(table, ("question",), "name")):
        with pytest.raises(DataError, match="found id, question"):
            settled(asked)


def test_lines_and_numbers_of_jsonl(tmp_path: Path) -> None:
    data = (
        b'\xef\xbb\xbf{"text": "a", "n": 7}\r\n\n  \n{"text": "b", "n": "x"}\n{"text": "c", "n": 1}'
    )
    for name, bytes_ in (("t.jsonl", data), ("t.jsonl.gz", gzip.compress(data))):
        source = Source(write(tmp_path / name, bytes_), ("text",), "n")
        rows = list(read_rows(source))
        assert [(r.number, r.line, r.id, r.text) for r in rows] == [
            (0, 1, "7", "a"),
            (1, 4, "x", "b"),
            (2, 5, "1", "c"),
        ]
        assert count_rows(source) == 3
    assert [r.id for r in read_rows(Source(write(tmp_path / "u.jsonl", data)))] == ["0", "1", "2"]


BROKEN = [
    (b'{"text": "a"}\n{"text": ', 2, "broken JSON: Expecting value at character 11"),
    (b'{"text": "a"}\n\n["a"]\n', 3, "expected a JSON object, found list"),
    (b'{"text": "a"}\n{"text": "b\x00"}\n', 2, "broken JSON"),
    (b'{"text": "a"}\n{"text": "b\\u0000"}\n', 2, "NUL"),
    (b'{"text": "a"}\n{"text": "\xff"}\n', 2, "not UTF-8 at byte 10"),
    (b'{"text": "a"}\n{"question": "b"}\n', 2, "no field 'text'"),
    (b'{"text": "a"}\n{"text": 5}\n', 2, "expected text, found int"),
    (b'{"text": "a"}\n' + b"[" * 100_000 + b"\n", 2, "nested too deep"),
    (b'{"text": "a"}\n{"text": "' + b"x" * 200_000 + b'"}\n', 2, "longer than 150,000 bytes"),
    (b'{"text": "a"}\n{"text": ' + b"9" * 5_000 + b"}\n", 2, "broken JSON"),
]


def test_every_bad_line_is_named_or_counted(tmp_path: Path) -> None:
    for data, line, why in BROKEN:
        source = Source(write(tmp_path / "t.jsonl", data + b'\n{"text": "z"}'), ("text",))
        with pytest.raises(DataError, match=rf"t\.jsonl:{line}: .*{why}.*count such rows"):
            list(read_rows(source, most_bytes=150_000))
        rows = list(read_rows(source, on_bad="count", most_bytes=150_000))
        assert [row.text for row in rows] == ["a", "", "z"], why
        assert [bool(row.why) for row in rows] == [False, True, False]
        assert rows[1].line == line
        assert why in rows[1].why
        assert count_rows(source, 150_000) == 3


def test_a_row_of_50_mb_takes_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with open(path, "wb") as handle:
        handle.write(b'{"text": "')
        for _ in range(50):
            handle.write(b"x" * 1_000_000)
        handle.write(b'"}\n{"text": "b"}\n')
    tracemalloc.start()
    rows = list(read_rows(Source(str(path), ("text",)), on_bad="count", most_bytes=1_000_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [(row.text, row.line) for row in rows] == [("", 1), ("b", 2)]
    assert peak < 8_000_000


def test_a_table_keeps_its_lines(tmp_path: Path) -> None:
    data = b'id,text\r\n1,"two\r\nlines, ""quoted"""\r\n\r\n2,plain\r\n3,5" pipe\r\n'
    source = settled(Source(write(tmp_path / "t.csv", data), (), "id"))
    assert [(r.number, r.line, r.id, r.text) for r in read_rows(source)] == [
        (0, 2, "1", 'two\r\nlines, "quoted"'),
        (1, 5, "2", "plain"),
        (2, 6, "3", '5" pipe'),
    ]
    tabs = Source(write(tmp_path / "t.tsv", b"text\tid\na, b\t1\n"), ("text",))
    assert [row.text for row in read_rows(tabs)] == ["a, b"]
    long = b"text\n" + b"x" * 200_000 + b"\n"
    assert len(next(read_rows(Source(write(tmp_path / "l.csv", long)))).text) == 200_000


def test_every_bad_row_of_a_table_is_named_or_counted(tmp_path: Path) -> None:
    cases = [
        (b"a,b\n1,2,3\n4,5\n", "expected 2 fields as in the first line, found 3"),
        (b"a,b\n1\n4,5\n", "found 1"),
        (b'a,b\n"1"x,2\n4,5\n', "broken CSV"),
        (b"a,b\n\xff,2\n4,5\n", "not UTF-8 at byte 0 of line 2"),
        (b"a,b\n1\x00,2\n4,5\n", "NUL"),
        (b"a,b\n" + b"x" * 2_000 + b",2\n4,5\n", "longer than 1,000 bytes"),
    ]
    for data, why in cases:
        source = Source(write(tmp_path / "t.csv", data), ("a",))
        with pytest.raises(DataError, match=rf"t\.csv:2: .*{why}"):
            list(read_rows(source, most_bytes=1_000))
        rows = list(read_rows(source, on_bad="count", most_bytes=1_000))
        assert [row.text for row in rows] == ["", "4"], why
        assert why in rows[0].why
    unclosed = Source(write(tmp_path / "t.csv", b'a,b\n1,2\n4,"5\n'), ("a",))
    rows = list(read_rows(unclosed, on_bad="count"))
    assert [(row.text, row.line) for row in rows] == [("1", 2), ("", 3)]
    assert "broken CSV: unexpected end" in rows[1].why
    for data, why in [
        (b"a,a\n1,2\n", "a name twice in a, a"),
        (b'a\n"' + b"x\n" * 1_000, r"t\.csv:2: .*a quote that nothing closes"),
        (b'a\n"' + b"x\n" + b"y" * 2_000 + b'\n"\n', r"t\.csv:2: .*to line 3; a quote"),
        (b"x" * 2_000, "longer"),
    ]:
        source = Source(write(tmp_path / "t.csv", data), ("a",))
        with pytest.raises(DataError, match=why):
            list(read_rows(source, on_bad="count", most_bytes=1_000))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").mkdir()
    packed = gzip.compress(b'{"text": "a"}\n' * 5_000)
    cases = [
        ("d.jsonl", None, "found a folder"),
        ("no.jsonl", None, "no such file"),
        ("e.jsonl", b"", "expected rows, found an empty file"),
        ("e.csv", b"", "an empty file"),
        ("h.csv", b"text\n", "an empty file"),
        ("b.jsonl", b"\n\n", "an empty file"),
        ("bad.jsonl", b"{\n{\n", "in line 1: broken JSON"),
        ("cut.jsonl.gz", packed[:-30], "damaged content"),
        ("no.jsonl.gz", b"not packed", "damaged content"),
        ("t.txt", b"a", r"expected .jsonl, .csv.* found '.txt'"),
        ("t", b"a", "no ending"),
        ("u.jsonl", '{"text": "ä"}'.encode("utf-16"), "not UTF-8"),
    ]
    for name, data, why in cases:
        if data is not None:
            write(tmp_path / name, data)
        with pytest.raises(DataError, match=why) as caught:
            source = settled(Source(str(tmp_path / name)))
            list(read_rows(source))
        assert str(tmp_path) not in str(caught.value)
    for given_, why in (({}, "path among them"), ({"path": "a", "x": 1}, "unknown 'x'")):
        with pytest.raises(DataError, match=why):
            source_from(given_, "train")
    assert source_from({"path": "a", "fields": "b"}, "") == Source("a", ("b",))


LINES = st.lists(
    st.sampled_from([b'{"text": "a"}\n', b'{"text": "b"}\r\n', b"\n", b"{broken\n", b'"no"\n']),
    max_size=12,
)


@settings(max_examples=50, deadline=None)
@given(LINES, st.integers(0, 12), st.integers(0, 12))
def test_a_part_of_the_rows_is_that_part(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], start: int, stop: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "part.jsonl"
    source = Source(write(path, b"".join(lines).rstrip(b"\n")), ("text",))
    rows = list(read_rows(source, on_bad="count"))
    assert [row.number for row in rows] == list(range(count_rows(source)))
    assert list(read_rows(source, start, stop, on_bad="count")) == rows[start:stop]


PIECES = st.sampled_from(
    [b'"', b",", b"\n", b"\r\n", b"\r", b"a", b"\xff", b"\0", b"{}", b"xxxxxx"]
)


@settings(max_examples=50, deadline=None)
@given(st.lists(PIECES, max_size=20).map(b"".join), st.sampled_from(["jsonl", "csv", "tsv"]))
def test_whatever_a_file_holds_is_rows_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, kind: str
) -> None:
    folder = tmp_path_factory.getbasetemp()
    source = Source(write(folder / f"any.{kind}", data), ("a",))
    try:
        rows = list(read_rows(source, on_bad="count", most_bytes=5))
        copied = copy_without(source, {0} if rows else set(), folder / "copy", 5)
    except DataError:
        return
    assert count_rows(source, 5) == len(rows) == sum(copied)
    assert [row.number for row in rows] == list(range(len(rows)))
    left = Source(str(folder / "copy"), ("a",), format=kind)
    again = list(read_rows(left, on_bad="count", most_bytes=5))
    assert [(row.text, bool(row.why)) for row in again] == [
        (row.text, bool(row.why)) for row in rows[1:]
    ]


def write(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


def test_ids_and_pictures(tmp_path: Path) -> None:
    rows = [
        {"t": "a", "n": 3, "image": None},
        {"t": "b", "n": True, "image": ""},
        {"t": "c", "n": "x", "image": ["1.png", None, {"bytes": "b"}]},
        {"t": "d", "n": 1.5, "image": "2.png"},
        {"t": "e", "n": 5},
    ]
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    source = Source(write(tmp_path / "t.jsonl", data), ("t",), "n", "image")
    found = list(read_rows(source, on_bad="count"))
    assert [(row.id, row.pictures) for row in found if not row.why] == [
        ("3", ()),
        ("x", ("1.png", {"bytes": "b"})),
    ]
    assert ["expected an id" in row.why for row in found] == [False, True, False, True, False]
    assert "no field 'image'" in found[4].why


def test_a_long_field_is_read_and_the_limit_of_others_stays(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("text\n" + "x" * 200_000 + "\nshort\n", encoding="utf-8")
    before = csv.field_size_limit()
    rows = read_rows(Source(str(path), ("text",)), on_bad="error", most_bytes=1 << 20)
    assert len(next(rows).text) == 200_000
    assert csv.field_size_limit() == before
    assert next(rows).text == "short"
