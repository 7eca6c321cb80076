"""A file without some rows: every other byte stays as it was."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from pathlib import Path

import pytest

from harness.contamination.copies import copy_without
from harness.contamination.rows import read_rows
from harness.contamination.sources import Source
from harness.errors import DataError


def test_what_stays_is_copied_byte_for_byte(tmp_path: Path) -> None:
    lines = [b'{"text":  "a", "z": 1e5}\r\n', b"\n", b"{broken\n", b'{"text": "\\u00e9"}']
    source = Source(write(tmp_path / "t.jsonl", b"".join(lines)), ("text",))
    to = tmp_path / "c.jsonl"
    for removed, kept in [
        ({0}, lines[2] + lines[3]),
        ({1}, lines[0] + lines[3]),
        ({2}, lines[0] + lines[2]),
        (set(), lines[0] + lines[2] + lines[3]),
        ({0, 1, 2}, b""),
    ]:
        assert copy_without(source, removed, to) == (3 - len(removed), len(removed))
        assert to.read_bytes() == kept
    with pytest.raises(DataError, match="not the one that was audited"):
        copy_without(source, {9}, to)
    assert copy_without(source, {1}, to, most_bytes=10) == (2, 1)
    assert to.read_bytes() == lines[0] + lines[3]
    wide = Source(write(tmp_path / "w.csv", b'text\n"' + b"x" * 99 + b"\n2\n3\n"), ("text",))
    assert [row.text for row in read_rows(wide, on_bad="count", most_bytes=50)] == ["", "2", "3"]
    assert copy_without(wide, {1}, to, most_bytes=50) == (2, 1)
    assert to.read_bytes() == b'text\n"' + b"x" * 99 + b"\n3\n"
    table = b'"a\nname",text\r\n1,"x\ny"\r\n2,z\n'
    source = Source(write(tmp_path / "t.csv", table), ("text",))
    assert copy_without(source, {0}, to) == (1, 1)
    assert to.read_bytes() == b'"a\nname",text\r\n2,z\n'
    packed = Source(write(tmp_path / "t.csv.gz", gzip.compress(table)), ("text",))
    for name in ("one.csv.gz", "two.csv.gz"):
        copy_without(packed, {1}, tmp_path / name)
    written = (tmp_path / "one.csv.gz").read_bytes()
    assert gzip.GzipFile(fileobj=io.BytesIO(written)).read() == table[:-4]
    assert written == (tmp_path / "two.csv.gz").read_bytes()


def test_a_row_that_is_too_long_is_never_held_whole(tmp_path: Path) -> None:
    long = b'{"text": "' + b"x" * (24 << 20) + b'"}\n'
    packed = gzip.compress(b'{"text": "a"}\n' + long + b'{"text": "b"}\n', 1)
    source, to = Source(write(tmp_path / "t.jsonl.gz", packed), ("text",)), tmp_path / "c.jsonl.gz"
    tracemalloc.start()
    try:
        assert copy_without(source, {0}, to, most_bytes=1 << 20) == (2, 1)
        assert tracemalloc.get_traced_memory()[1] < 12 << 20
    finally:
        tracemalloc.stop()
    assert gzip.decompress(to.read_bytes()) == long + b'{"text": "b"}\n'


def write(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)
