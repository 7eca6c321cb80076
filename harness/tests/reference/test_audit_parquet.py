"""Parquet: the same rows as from JSONL, streamed by row group, and a copy that keeps its schema."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from harness.contamination.copies import copy_without
from harness.contamination.images import hashes
from harness.contamination.readers import records
from harness.contamination.rows import count_rows, read_rows, settled
from harness.contamination.sources import Source
from harness.errors import DataError

pytestmark = pytest.mark.reference


def picture(shade: int) -> bytes:
    from PIL import Image

    made = io.BytesIO()
    Image.new("RGB", (3, 2), (shade, 0, 0)).save(made, "PNG")
    return made.getvalue()


ROWS: list[dict[str, Any]] = [
    {
        "id": k,
        "prompt": [{"role": "system", "content": "s"}, {"role": "user", "content": f"q {k}"}],
        "extra": {"text": f"é {k}" if k != 4 else None, "n": k},
        "images": [{"bytes": picture(k), "path": None}] if k % 2 else [],
        "score": k / 2,
    }
    for k in range(10)
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    import pyarrow
    import pyarrow.parquet

    made = tmp_path_factory.mktemp("parquet") / "t.parquet"
    table = pyarrow.Table.from_pylist(ROWS).replace_schema_metadata({"made": "by hand"})
    pyarrow.parquet.write_table(table, made, row_group_size=3)
    return str(made)


def test_the_same_rows_as_from_jsonl(path: str, tmp_path: Path) -> None:
    lines = tmp_path / "t.jsonl"
    lines.write_text(
        "".join(json.dumps({**row, "images": []}) + "\n" for row in ROWS), encoding="utf-8"
    )
    for fields in (("prompt",), ("prompt", "extra.text")):
        found = [
            [(r.number, r.line, r.id, r.text, r.why) for r in read_rows(one, on_bad="count")]
            for one in (Source(path, fields, "id"), Source(str(lines), fields, "id"))
        ]
        assert found[0] == found[1]
    assert [number for number, *_, why in found[0] if why] == [4]
    with pytest.raises(DataError, match=r"t\.parquet:5: field 'extra.text': expected text"):
        list(read_rows(Source(path, ("extra.text",))))
    assert settled(Source(path)).fields == ("prompt",)
    assert count_rows(Source(path)) == 10


def test_parts_and_pictures(path: str) -> None:
    source = Source(path, ("prompt",), "id", "images")
    rows = list(read_rows(source))
    for start in range(11):
        for stop in (start, start + 1, start + 4, 10):
            assert list(read_rows(source, start, stop)) == rows[start:stop]
    seen = [hashes(row.pictures, source.root) for row in rows]
    assert [(len(found), bad) for found, bad in seen] == [(k % 2, 0) for k in range(10)]
    assert len({found for found, _ in seen if found}) == 5
    assert set(rows[0].values) == {"id", "prompt", "images"}


def test_a_copy_keeps_schema_and_order(path: str, tmp_path: Path) -> None:
    import pyarrow.parquet

    whole = pyarrow.parquet.read_table(path)
    to = tmp_path / "c.parquet"
    for removed in (set(), {0, 4, 9}, {3, 4, 5}, set(range(10))):
        assert copy_without(Source(path), removed, to) == (10 - len(removed), len(removed))
        made = pyarrow.parquet.read_table(to)
        assert made.to_pylist() == [
            row for k, row in enumerate(whole.to_pylist()) if k not in removed
        ]
        assert made.schema.equals(whole.schema, check_metadata=True)
    with pytest.raises(DataError, match="not the one that was audited"):
        copy_without(Source(path), {10}, to)


def test_what_cannot_be_read(path: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"expected a field 'question', found id, prompt"):
        settled(Source(path, ("question",)))
    broken = tmp_path / "b.parquet"
    broken.write_bytes(Path(path).read_bytes()[:-20])
    for bad, why in ((broken, "damaged content"), (tmp_path / "no.parquet", "no such file")):
        with pytest.raises(DataError, match=f"{bad.name}: expected a readable parquet file.*{why}"):
            settled(Source(str(bad)))
    rows = list(read_rows(Source(path, ("prompt",)), on_bad="count", most_bytes=2))
    assert {row.why for row in rows} == {"longer than 2 characters"}


def test_a_type_that_python_lacks_spoils_nothing_else(tmp_path: Path) -> None:
    import pyarrow as arrow
    from pyarrow import parquet

    texts = [f"question {k}" for k in range(5)]
    table = arrow.table(
        {
            "text": arrow.array(texts, arrow.string_view()),
            "day": arrow.array([10**8] * 5, arrow.date32()),
            "at": arrow.array([0] * 5, arrow.timestamp("us", tz="Nowhere/Land")),
        }
    )
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=3)
    source = Source(str(tmp_path / "t.parquet"), ("text",))
    for removed in (set(), {0, 4}, {1, 2}, set(range(5))):
        assert copy_without(source, removed, tmp_path / "c.parquet") == (
            5 - len(removed),
            len(removed),
        )
        left = parquet.read_table(tmp_path / "c.parquet")
        assert left.schema == table.schema
        assert left["text"].to_pylist() == [t for k, t in enumerate(texts) if k not in removed]
    read = [record.values for record in records(source)]
    assert [values["text"] for values in read if values] == texts
    assert "OverflowError" in str(read[0] and read[0]["day"])


def test_text_that_is_not_utf_8_is_a_fault_of_its_row(tmp_path: Path) -> None:
    import pyarrow as arrow
    from pyarrow import parquet

    ends = arrow.array([0, 1, 3, 4], arrow.int32()).buffers()[1]
    broken = arrow.StringArray.from_buffers(3, ends, arrow.py_buffer(b"a\xff\xfeb"))
    parquet.write_table(arrow.table({"text": broken}), tmp_path / "t.parquet")
    source = Source(str(tmp_path / "t.parquet"), ("text",))
    found = [(row.text, row.why[:44]) for row in read_rows(source, on_bad="count")]
    assert found == [
        ("a", ""),
        ("", "field 'text': expected text, found Unreadable"[:44]),
        ("b", ""),
    ]
