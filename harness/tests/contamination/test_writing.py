"""The files of an audit: what they hold, and that they come whole or not at all."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import threading
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.contamination import writing
from harness.contamination.outcome import Outcome, outcome
from harness.contamination.sources import Source
from harness.contamination.triage import triage
from harness.contamination.writing import PAGES, cleaned_name, refuse_other, write
from harness.errors import DataError, StoreError
from harness.ids import file_digest
from harness.locks import try_lock
from harness.tests.contamination.made_audits import hit, item, near, row, said, scan_of, with_plan

# Odd spacing, key order, escapes, no newline at the end: all of it has to stay.
LINES = [
    b'{"q": "first",   "id": "t0", "n": 1e2}\n',
    '{"id":"t1","q":"zweite \\u00e9 é"}\r\n'.encode(),
    b'{"id": "t2", "q": "third"}\n',
    b'{"id": "t3", "q": "fourth", "deep": {"a": [1, 2]}}',
]
TABLE = b'id,q\r\nt0,"a ""quoted"" one"\r\nt1,"two\r\nlines"\r\nt2,plain\r\nt3,last'
FILES = {
    *("counts.json", "pairs.jsonl", "removed.jsonl", "manifest.json", "croissant.json"),
    *PAGES,
}


def audited(train: Path, content: bytes, **changed: Any) -> Outcome:
    """Row 1 is a duplicate, row 2 a neighbour."""
    train.parent.mkdir(parents=True, exist_ok=True)
    train.write_bytes(content)
    scan = scan_of(
        [row(1, "zweite"), row(2, "third")],
        [item(0, "second"), item(1, "THIRD")],
        hits=[hit(1, 0), hit(2, 1)],
        found=[near(1, 0, 0.97)],
        train=str(train),
        sha256=file_digest(train),
        n_rows=4,
        judges=("rule", "labels:" + str(train.with_name("said.jsonl"))),
        max_removed_share=0.5,
        **changed,
    )
    labels = {"1/mini/0": ("duplicate", "duplicate"), "2/mini/1": ("neighbour", "duplicate")}
    asked = triage(scan).asked
    found = outcome(scan, [said(one, *labels[one.key]) for one in asked])
    assert [one.code for one in found.issues] == ["undecided"]
    return found


def test_the_files_and_what_they_hold(tmp_path: Path) -> None:
    found = audited(tmp_path / "secret-folder" / "train.jsonl", b"".join(LINES))
    out = tmp_path / "new" / "out"
    files = write(found, found.scan, out)
    assert {one.name for one in out.iterdir()} == FILES | {"cleaned.jsonl"} == set(files)
    assert (out / "cleaned.jsonl").read_bytes() == LINES[0] + LINES[2] + LINES[3]
    pairs = lines(out / "pairs.jsonl")
    assert [(one["key"], one["label"]) for one in pairs] == [
        *(("1/mini/0", "duplicate"), ("2/mini/1", None))
    ]
    assert pairs[0]["row"]["text"] == "zweite" and pairs[1]["item"]["text"] == "THIRD"
    (removed,) = lines(out / "removed.jsonl")
    assert (removed["number"], removed["line"], removed["id"]) == (1, 2, "t1")
    assert removed["duplicates"][0]["by"] == ["a", "b"]
    counts = json.loads((out / "counts.json").read_text())
    assert counts["go"] is False and counts["issues"][0]["code"] == "undecided"
    assert counts["disputed"] == ["2/mini/1"] and counts["canaries"] == {"exact": True}
    assert {one["step"]: one["rows"] for one in counts["stages"]}["kept"] == 3
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["unicode"] == unicodedata.unidata_version
    assert manifest["embedder"]["model"] == "toy-model" and manifest["near"]["threshold"] == 0.85
    assert manifest["plan"]["words"]["threshold"] == "2/5" and manifest["judges"] == ["a", "b"]
    assert manifest["train"]["sha256"] == file_digest(tmp_path / "secret-folder" / "train.jsonl")
    assert manifest["command"] == (
        "python -m harness audit --plan manifest.json --train train.jsonl "
        "--eval mini=mini.jsonl --out OUT"
    )
    assert manifest["files"] == {
        name: file_digest(path) for name, path in files.items() if name != "manifest.json"
    }
    assert manifest["provenance"]["packages"]["numpy"] and manifest["canaries"]
    for path in files.values():
        assert b"secret-folder" not in path.read_bytes(), path.name
        assert str(tmp_path).encode() not in path.read_bytes(), path.name
    croissant = json.loads((out / "croissant.json").read_text())
    assert croissant["distribution"][0]["sha256"] == file_digest(out / "cleaned.jsonl")
    assert "NO-GO" in croissant["description"] and "1 of 4 rows" in croissant["description"]


def test_cleaned_tables_and_packed_files(tmp_path: Path) -> None:
    found = audited(tmp_path / "train.csv", TABLE)
    cleaned = write(found, found.scan, tmp_path / "csv")["cleaned.csv"].read_bytes()
    assert cleaned == TABLE.replace(b't1,"two\r\nlines"\r\n', b"")
    rows = list(csv.reader(io.StringIO(cleaned.decode(), newline="")))
    assert [one[0] for one in rows] == ["id", "t0", "t2", "t3"]
    found = audited(tmp_path / "train.jsonl.gz", gzip.compress(b"".join(LINES)))
    for name in ("gz", "again"):
        packed = write(found, found.scan, tmp_path / name)["cleaned.jsonl.gz"].read_bytes()
        assert gzip.decompress(packed) == LINES[0] + LINES[2] + LINES[3]
    assert packed == (tmp_path / "gz" / "cleaned.jsonl.gz").read_bytes()
    for path, name in (
        ("t.tsv", "cleaned.tsv"),
        ("t.NDJSON", "cleaned.NDJSON"),
        ("t.pq", "cleaned.pq"),
    ):
        assert cleaned_name(Source(path)) == name
    assert cleaned_name(Source("t.txt", format="csv")) == "cleaned.txt"
    assert cleaned_name(Source("t", format="csv")) == "cleaned.csv"


def test_equal_audits_make_equal_files(tmp_path: Path) -> None:
    found = audited(tmp_path / "a" / "train.jsonl", b"".join(LINES))
    moved = audited(tmp_path / "b" / "train.jsonl", b"".join(LINES))
    first = write(found, found.scan, tmp_path / "one")
    second = write(moved, moved.scan, tmp_path / "two")
    for name, path in first.items():
        assert path.read_bytes() == second[name].read_bytes(), name


def test_another_audit_is_not_written_over(tmp_path: Path) -> None:
    found = audited(tmp_path / "train.jsonl", b"".join(LINES))
    out = tmp_path / "out"
    (out / "scan").mkdir(parents=True)
    refuse_other(found.scan, out)
    write(found, found.scan, out)
    write(found, found.scan, out)
    judged_otherwise = with_plan(found.scan, judges=("labels:x",), max_removed_share=1.0)
    again = outcome(judged_otherwise, found.judgements)
    write(again, judged_otherwise, out)
    before = (out / "counts.json").read_bytes()
    other = audited(tmp_path / "train.jsonl", b"".join(LINES) + b"\n")
    with pytest.raises(DataError, match="another audit"):
        write(other, other.scan, out)
    with pytest.raises(DataError, match="found another"):
        write(found, with_plan(found.scan, k=2), tmp_path / "mixed")
    assert (out / "counts.json").read_bytes() == before
    (out / "manifest.json").write_text("[]")
    with pytest.raises(DataError, match="not that of an audit"):
        refuse_other(other.scan, out)


def test_another_evaluation_file_of_the_same_name_is_another_audit(tmp_path: Path) -> None:
    found = audited(tmp_path / "train.jsonl", b"".join(LINES))
    write(found, found.scan, tmp_path / "out")
    changed = replace(found.scan, evals=(replace(found.scan.evals[0], sha256="cd" * 32),))
    with pytest.raises(DataError, match="another audit"):
        refuse_other(changed, tmp_path / "out")


def test_a_folder_that_is_being_replaced_has_no_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, out = audited(tmp_path / "train.jsonl", b"".join(LINES)), tmp_path / "out"
    real = os.replace
    moved: list[str] = []

    def stops(old: Path, new: Path) -> None:
        if new.parent == out and len(moved) == 3:
            raise OSError(5, "Input/output error")
        moved.append(new.name)
        real(old, new)

    for _ in range(2):
        monkeypatch.setattr(os, "replace", stops)
        with pytest.raises(StoreError, match="Input/output"):
            write(found, found.scan, out)
        assert not (out / "manifest.json").exists()
        monkeypatch.setattr(os, "replace", real)
        write(found, found.scan, out)
        moved.clear()


def test_one_writes_at_a_time_and_the_draft_of_a_killed_one_goes(tmp_path: Path) -> None:
    found, out = audited(tmp_path / "train.jsonl", b"".join(LINES)), tmp_path / "out"
    killed = out / ".audit-dead"
    killed.mkdir(parents=True)
    (killed / "cleaned.jsonl").write_bytes(b"half")
    held = os.open(out, os.O_RDONLY)
    assert try_lock(held, exclusive=True)
    other = threading.Thread(target=write, args=(found, found.scan, out))
    other.start()
    other.join(0.3)
    assert other.is_alive() and {one.name for one in out.iterdir()} == {killed.name}
    os.close(held)
    other.join(30)
    assert {one.name for one in out.iterdir()} == FILES | {"cleaned.jsonl"}


def test_a_failure_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = audited(tmp_path / "train.jsonl", b"".join(LINES))
    out = tmp_path / "out"
    (tmp_path / "train.jsonl").write_bytes(b"".join(LINES[:2]))
    with pytest.raises(DataError, match="the file that was scanned"):
        write(found, found.scan, out)
    assert list(out.iterdir()) == []
    elsewhere = tmp_path / "moved.jsonl"
    elsewhere.write_bytes(b"".join(LINES))
    files = write(found, found.scan, out, Source(str(elsewhere), ("q",)))
    assert files["cleaned.jsonl"].read_bytes() == LINES[0] + LINES[2] + LINES[3]

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device")

    before = {path.name: path.read_bytes() for path in out.iterdir()}
    monkeypatch.setattr(writing, "page", full)
    with pytest.raises(StoreError, match="No space left"):
        write(found, found.scan, out, Source(str(elsewhere), ("q",)))
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot write"):
        write(found, found.scan, tmp_path / "file" / "out")


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]
