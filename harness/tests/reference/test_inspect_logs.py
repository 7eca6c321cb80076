"""Inspect's zip files as it writes them today: packed by Zstandard."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from harness.bridge.archives import archive
from harness.bridge.faults import BridgeError
from harness.bridge.inspect_logs import read_inspect

pytestmark = pytest.mark.reference

HEADER = {"status": "success", "eval": {"task": "t"}, "results": {"completed_samples": 1}}
SAMPLE = {
    "id": 1,
    "epoch": 1,
    "input": "Which?",
    "target": "B",
    "output": {"completion": "B " * 500},
    "scores": {"s": {"value": "C"}},
}


def packed(path: Path, members: dict[str, bytes], *, size_off: int = 0) -> Path:
    """A zip file of method 93; the unpacked sizes may be stated wrongly."""
    import pyarrow

    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED) as made:
        for name, data in members.items():
            made.writestr(name, pyarrow.compress(data, codec="zstd", asbytes=True))
        infos = {info.filename: info for info in made.infolist()}
    raw, central = bytearray(held.getvalue()), 0
    for name, data in members.items():
        local = infos[name].header_offset
        central = raw.index(b"PK\x01\x02", central + 1)
        for method_at, sizes_at in ((local + 8, local + 14), (central + 10, central + 16)):
            struct.pack_into("<H", raw, method_at, 93)
            sizes = (zlib.crc32(data), infos[name].compress_size, len(data) + size_off)
            struct.pack_into("<3L", raw, sizes_at, *sizes)
    path.write_bytes(raw)
    return path


def members() -> dict[str, bytes]:
    return {
        "samples/1_epoch_1.json": json.dumps(SAMPLE).encode(),
        "header.json": json.dumps(HEADER).encode(),
    }


def test_a_log_is_read(tmp_path: Path) -> None:
    rows = read_inspect(packed(tmp_path / "a.eval", members()))
    assert [(row.id, row.theirs, row.text) for row in rows] == [("t:1", 1.0, "B " * 500)]


@pytest.mark.parametrize("off", [-1, 1])
def test_a_size_that_is_stated_wrongly(off: int, tmp_path: Path) -> None:
    path = packed(tmp_path / "a.eval", members(), size_off=off)
    with pytest.raises(BridgeError, match="is damaged"):
        read_inspect(path)


def test_changed_bytes_are_found(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.eval", {"x": b"abc" * 50})
    raw = bytearray(path.read_bytes())
    struct.pack_into("<L", raw, raw.index(b"PK\x01\x02") + 16, 1)
    path.write_bytes(raw)
    with archive(path) as opened, pytest.raises(BridgeError, match="checksum"):
        opened.read("x")
