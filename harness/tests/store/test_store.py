"""A cell's folder: what comes back from it, what is cut, and what is refused."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from harness import ids, segments
from harness.errors import StoreError
from harness.identity import cell_identity, cell_key
from harness.store import CellStore
from harness.tests.run.stand_ins import cell, dataset
from harness.types import Response

IDENTITY = cell_identity(cell(), dataset(), {"weights": "w0"})
KEY = cell_key(IDENTITY)
ODD = "\ud800 lone, \x00 nul, \u2028 line, \r\n, é, 🜁, " + "x" * 1_000_000


def answer(example_id: str, text: str = "yes", **changes: Any) -> Response:
    return Response(**{"example_id": example_id, "status": "ok", "text": text} | changes)


def failure(example_id: str, attempt: int, error: str = "ValueError: no") -> Response:
    return Response(example_id=example_id, status="error", error=error, attempt=attempt)


def opened(runs: Path, identity: dict[str, Any] = IDENTITY) -> CellStore:
    return CellStore(runs, KEY, identity)


def write(runs: Path, *responses: Response, run: str = "r1", seal: bool = False) -> CellStore:
    store = opened(runs)
    with store.generating(None):
        with store.writing() as writer:
            made = [[r.example_id, r.replicate, r.attempt] for r in responses]
            writer.append(responses, {"run": run, "made": made})
        if seal:
            store.seal()
    return store


def segment(runs: Path) -> Path:
    return runs / KEY / "responses" / "s000.jsonl"


def test_reading_makes_no_folder(tmp_path: Path) -> None:
    store = opened(tmp_path / "runs")
    assert store.effective(("q000", 0)) is None
    assert not store.sealed
    assert not (tmp_path / "runs").exists()


def test_any_text_comes_back_as_it_was(tmp_path: Path) -> None:
    write(tmp_path, answer("a", ODD), answer("../b\n/c", ""))
    store = opened(tmp_path)
    assert store.effective(("a", 0)) == answer("a", ODD)
    assert store.effective(("../b\n/c", 0)) == answer("../b\n/c", "")
    assert {p.name for p in tmp_path.rglob("*.jsonl")} == {"s000.jsonl"}


def test_a_torn_line_is_ignored_by_readers_and_cut_before_appending(tmp_path: Path) -> None:
    write(tmp_path, answer("a"))
    whole = segment(tmp_path).read_bytes()
    for part in (b'{"attempt":1,"err', ids.canonical_json(answer("b")).encode(), b"\0" * 70_000):
        segment(tmp_path).write_bytes(whole + part)
        assert opened(tmp_path).effective(("b", 0)) is None
        write(tmp_path, answer("b"))
        assert opened(tmp_path).effective(("b", 0)) == answer("b")
        assert len(segment(tmp_path).read_bytes().splitlines()) == 2


def test_a_torn_event_is_cut_too(tmp_path: Path) -> None:
    write(tmp_path, failure("a", 1))
    with open(tmp_path / KEY / "events" / "s000.jsonl", "ab") as handle:
        handle.write(b'{"run":"r1","ma')
    write(tmp_path, failure("b", 1), run="r2")
    store = opened(tmp_path)
    assert store.tried("r1") == {("a", 0, 1)}
    assert store.tried("r2") == {("b", 0, 1)}


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"",
        b"[1]",
        b"\xff\xfe",
        b"[" * 100_000,
        ids.canonical_json(answer("x")).replace('"ok"', '"fine"').encode(),
        ids.canonical_json(answer("x")).replace('"attempt":1,', "").encode(),
        ids.canonical_json(answer("x")).replace('"attempt":1', '"attempt":"1"').encode(),
        ids.canonical_json(answer("x")).replace('"ok"', '"error"').encode(),
        ids.canonical_json(failure("x", 1)).replace('"error","t', '"ok","t').encode(),
    ],
    ids=[
        "torn",
        "empty",
        "list",
        "bytes",
        "deep",
        "status",
        "lacks",
        "type",
        "failed-text",
        "no-text",
    ],
)
def test_a_damaged_line_is_refused_by_file_and_number(tmp_path: Path, line: bytes) -> None:
    write(tmp_path, answer("a"), answer("b"))
    first, second = segment(tmp_path).read_bytes().splitlines(keepends=True)
    segment(tmp_path).write_bytes(first + line + b"\n" + second)
    with pytest.raises(StoreError, match=rf"{KEY}/responses/s000\.jsonl:2: expected"):
        opened(tmp_path)


def test_a_damaged_event_is_refused_by_file_and_number(tmp_path: Path) -> None:
    write(tmp_path, failure("a", 1))
    with open(tmp_path / KEY / "events" / "s000.jsonl", "ab") as handle:
        handle.write(b'{"made":[]}\n')
    with pytest.raises(StoreError, match=r"events/s000\.jsonl:2: expected an event"):
        opened(tmp_path).tried("r1")


def test_the_first_answer_counts_else_the_latest_failure(tmp_path: Path) -> None:
    write(tmp_path, failure("a", 2, "second"), failure("a", 1, "first"))
    store = write(tmp_path, failure("b", 1), answer("b", "yes", attempt=2))
    assert store.effective(("a", 0)) == failure("a", 2, "second")
    assert [r.error for r in store.history(("a", 0))] == ["first", "second"]
    assert store.effective(("b", 0)) == answer("b", "yes", attempt=2)


def test_another_identity_is_refused_with_the_fields_named(tmp_path: Path) -> None:
    write(tmp_path, answer("a"))
    changed = cell_identity(cell(), dataset(11), {"weights": "w1"})
    with pytest.raises(StoreError) as caught:
        opened(tmp_path, changed)
    assert 'model.fingerprint.weights: expected "w1", found "w0"' in str(caught.value)
    assert "data.fingerprint" in str(caught.value)
    assert "prompt" not in str(caught.value)


def test_another_schema_is_refused(tmp_path: Path) -> None:
    write(tmp_path, answer("a"))
    path = tmp_path / KEY / "cell.json"
    path.write_text(path.read_text().replace("assay.cell/1", "assay.cell/0"))
    with pytest.raises(StoreError, match=r"cell\.json: expected schema assay\.cell/1, found '.*0'"):
        opened(tmp_path)


@pytest.mark.parametrize("content", ["", "{", "[]"])
def test_an_unreadable_cell_json_is_refused(tmp_path: Path, content: str) -> None:
    write(tmp_path, answer("a"))
    (tmp_path / KEY / "cell.json").write_text(content)
    with pytest.raises(StoreError, match=r"cell\.json: expected one JSON object"):
        opened(tmp_path)


def test_responses_without_an_identity_are_refused(tmp_path: Path) -> None:
    write(tmp_path, answer("a"))
    (tmp_path / KEY / "cell.json").unlink()
    with pytest.raises(StoreError, match=r"expected cell\.json beside the responses"):
        opened(tmp_path)


def test_foreign_ids_are_refused_up_to_five(tmp_path: Path) -> None:
    store = write(tmp_path, *(answer(f"x{i}") for i in range(7)), answer("a"))
    with pytest.raises(StoreError, match=r"7 foreign example id\(s\), first \['x0'.*'x4'\];"):
        store.refuse_foreign({"a"})


def test_a_seal_covers_what_was_there_and_may_be_outgrown(tmp_path: Path) -> None:
    write(tmp_path, answer("a"), seal=True)
    assert opened(tmp_path).sealed
    write(tmp_path, answer("b"))
    assert not opened(tmp_path).sealed
    write(tmp_path, seal=True)
    assert opened(tmp_path).sealed
    assert json.loads((tmp_path / KEY / "SEALED.json").read_text())["count"] == 2


@pytest.mark.parametrize("change", ["edit", "lose", "remove"])
def test_records_that_do_not_match_their_seal_are_refused(tmp_path: Path, change: str) -> None:
    write(tmp_path, answer("a", "yes"), answer("b", "no"), seal=True)
    path = segment(tmp_path)
    if change == "edit":
        path.write_bytes(path.read_bytes().replace(b'"yes"', b'"no"'))
    elif change == "lose":
        path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    else:
        path.unlink()
    with pytest.raises(StoreError, match=r"SEALED\.json: expected 2 sealed records"):
        opened(tmp_path)


def test_writers_at_once_have_segments_of_their_own_and_reuse_them(tmp_path: Path) -> None:
    folders = (tmp_path / "responses", tmp_path / "events")
    first, second = segments.open_segment(*folders), segments.open_segment(*folders)
    assert (first.name, second.name) == ("s000", "s001")
    first.close()
    third = segments.open_segment(*folders)
    assert third.name == "s000"
    second.close()
    third.close()


def test_a_full_disk_is_an_error_that_names_the_file_and_keeps_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, answer("a"))
    real = os.write
    n_calls = 0

    def filling(descriptor: int, data: bytes) -> int:
        nonlocal n_calls
        n_calls += 1
        if n_calls == 2:
            return real(descriptor, bytes(data)[:20])
        if n_calls == 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(descriptor, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", filling)
        with pytest.raises(StoreError, match=r"write .*responses/s000\.jsonl: No space left"):
            write(tmp_path, answer("b"))
    assert segment(tmp_path).read_bytes().count(b"\n") == 1
    write(tmp_path, answer("c"))
    store = opened(tmp_path)
    assert store.effective(("a", 0)) and store.effective(("c", 0))
    assert store.effective(("b", 0)) is None


def test_a_failing_flush_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = write(tmp_path, answer("a"))

    def failing(_descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", failing)
    with (
        pytest.raises(StoreError, match=r"flush .*s000\.jsonl: Input/output error"),
        store.generating(None),
        store.writing(),
    ):
        pass


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file")
    with pytest.raises(StoreError, match=f"runs/{KEY}"):
        write(tmp_path / "runs", answer("a"))


def test_reading_again_parses_only_what_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[int] = []
    real = segments._parsed

    def counted(line: bytes, path: Path, number: int) -> dict[str, Any]:
        parsed.append(number)
        return real(line, path, number)

    monkeypatch.setattr(segments, "_parsed", counted)
    store = write(tmp_path, *(answer(f"q{i}") for i in range(50)))
    assert len(parsed) == 50
    for _ in range(5):
        store.read()
    assert len(parsed) == 50
    write(tmp_path, answer("new"))
    parsed.clear()
    store.read()
    assert len(parsed) == 1
    assert store.effective(("new", 0)) == answer("new")
