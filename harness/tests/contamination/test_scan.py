"""A scan against brute force, the same by every way to it, resumed, and that it proves itself."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.audit.canaries import canaries
from harness.contamination import blocks, scanning
from harness.contamination.blocks import Found, Task, Texts, in_process
from harness.contamination.plan import AuditPlan
from harness.contamination.scan import Scan, read_scan, scan_from, write_scan
from harness.contamination.scanning import scan_file
from harness.contamination.sources import Source
from harness.embedding.base import Embedded, has_text
from harness.embedding.hashing import Hashing
from harness.errors import DataError, ModelError, StudyError
from harness.tests.audit.reference import every_pair, found, made_texts

TRAIN, SETS = made_texts(160, 45, "scan")
SETS = {name: texts for name, texts in SETS.items() if texts}


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST_ROWS", 32)


def lines(path: Path, texts: Sequence[str]) -> Source:
    path.write_text("".join(json.dumps({"problem": text}) + "\n" for text in texts))
    return Source(str(path))


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> AuditPlan:
    folder = tmp_path_factory.mktemp("texts")
    evals = tuple((name, lines(folder / f"{name}.jsonl", texts)) for name, texts in SETS.items())
    return AuditPlan(lines(folder / "train.jsonl", TRAIN), evals, embedder="hashing", k=2)


@pytest.fixture(scope="module")
def whole(plan: AuditPlan) -> Scan:
    return scan_file(plan)


def shown(scan: Scan) -> str:
    return json.dumps(scan.to_json(), sort_keys=True)


def test_both_stages_against_brute_force(plan: AuditPlan, whole: Scan) -> None:
    assert found(whole.findings) == every_pair(TRAIN, SETS, plan.words)
    assert len(whole.findings.hits) > 20
    limit = Hashing.threshold
    expected = set()
    vectors = {text: Hashing().embed([text]).vectors[0] for text in {*TRAIN} if has_text(text)}
    for name, texts in SETS.items():
        held = [k for k, text in enumerate(texts) if has_text(text)]
        side = Hashing().embed([texts[k] for k in held]).vectors.astype(np.float64)
        for row, text in enumerate(TRAIN):
            if text in vectors:
                cosines = (side * vectors[text].astype(np.float64)).sum(axis=1)
                order = sorted(zip(-cosines, held, strict=True))[:2]
                expected |= {(row, name, item) for one, item in order if -one >= limit}
    assert {(c.row, c.eval_set, c.item) for c in whole.candidates if 2 in c.stages} == expected
    assert len(expected) > 50
    assert all(whole.near is not None and one.cosine < limit for one in whole.band)
    for one in (*whole.candidates, *whole.band):
        assert whole.row_of[one.row].text == TRAIN[one.row]
        assert whole.item_of[one.eval_set, one.item].text == SETS[one.eval_set][one.item]
    pair = whole.pair(whole.candidates[0])
    assert pair.row == TRAIN[whole.candidates[0].row]
    assert whole.complete
    assert [one.ok for one in whole.sightings] == [True] * 6
    assert [(one.name, one.ok) for one in whole.vector_sightings] == [
        *(("exact", True), ("apart", True), ("paraphrase", None)),
        *(("item of one", True), ("item of two", True)),
    ]


def test_every_way_gives_the_same(plan: AuditPlan, whole: Scan, tmp_path: Path) -> None:
    ways: list[dict[str, Any]] = [
        {"engine": "numpy"},
        {"cache": tmp_path / "vectors"},
        {"cache": tmp_path / "vectors", "work": tmp_path / "work"},
        {"work": tmp_path / "work"},
    ]
    for way in ways:
        assert shown(scan_file(plan, **way)) == shown(whole), way


def test_what_was_finished_is_not_scanned_again(
    plan: AuditPlan, whole: Scan, tmp_path: Path
) -> None:
    scanned: list[int] = []

    def stops(at: int) -> scanning.Executor:
        def run(task: Task, given: Iterable[Texts]) -> Iterator[Found]:
            for one in in_process(task, given):
                if len(scanned) == at:
                    raise KeyboardInterrupt
                assert one.findings.spans
                scanned.append(one.findings.spans[0].start)
                yield one

        return run

    with pytest.raises(KeyboardInterrupt):
        scan_file(plan, work=tmp_path, executor=stops(2))
    kept = tmp_path / "blocks.jsonl"
    assert scanned == [0, 32]
    with open(kept, "ab") as handle:
        handle.write(b'{"key": "torn')
    with pytest.raises(KeyboardInterrupt):
        scan_file(plan, work=tmp_path, executor=stops(3))
    assert scanned == [0, 32, 64]
    data = kept.read_bytes().split(b"\n")
    kept.write_bytes(b"\n".join([data[0], b"7", b"[]", b'{"key": 1}', *data[2:]]))
    assert shown(scan_file(plan, work=tmp_path, executor=stops(99))) == shown(whole)
    assert scanned == [0, 32, 64, 32, 96, 128]
    scan_file(replace(plan, judges=(), sample=3), work=tmp_path, executor=stops(99))
    assert len(scanned) == 6
    changed = scan_file(replace(plan, k=1), work=tmp_path, executor=stops(99))
    assert len(scanned) == 11
    assert len(changed.candidates) < len(whole.candidates)
    other = replace(plan, train=lines(tmp_path / "train.jsonl", TRAIN[::-1]))
    assert shown(scan_file(other, work=tmp_path)) == shown(scan_file(other))


class Dying:
    """A pool whose processes are killed at once, and how many blocks it was given."""

    given = 0

    def __init__(self, *_: Any) -> None:
        pass

    def submit(self, *_: Any) -> Future[Found]:
        Dying.given += 1
        made: Future[Found] = Future()
        made.set_exception(BrokenProcessPool("killed"))
        return made

    def shutdown(self, **_: Any) -> None:
        pass


def test_a_worker_that_dies_is_named(plan: AuditPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "ProcessPoolExecutor", Dying)
    with pytest.raises(ModelError, match="one of 2 worker processes died"):
        scan_file(plan, n_processes=2)
    assert Dying.given == 4


def test_rows_that_cannot_be_read_are_listed(tmp_path: Path) -> None:
    train = Source(str(tmp_path / "t.jsonl"))
    text = "a ball falls from rest for three seconds"
    data = [json.dumps({"problem": text}), "{", json.dumps({"problem": 3}), "", "{}"]
    planted = json.dumps({"problem": canaries()[0].row})
    data += [json.dumps({"problem": "? !"}), data[0], planted]
    Path(train.path).write_text("\n".join(data))
    evals = lines(tmp_path / "e.jsonl", [text, "...", ""])
    with open(evals.path, "a") as handle:
        handle.write("no json\n")
    plan = AuditPlan(train, (("mini", evals),), embedder="hashing", on_bad_row="count")
    scan = scan_file(plan, work=tmp_path / "work")
    assert [(fault.number, fault.line) for fault in scan.faults] == [(1, 2), (2, 3), (3, 5)]
    assert (scan.train.rows, scan.ranges, scan.findings.counts()["unauditable"]) == (
        7,
        ((0, 7),),
        4,
    )
    assert {hit.row for hit in scan.findings.hits} == {0, 5}
    assert scan.nearness is not None
    assert scan.nearness.counts()["empty"] == 4
    made = scan.evals[0]
    assert (made.items, made.unauditable, made.empty) == (4, 3, 3)
    assert [fault.line for fault in made.faults] == [4]
    assert shown(scan_file(plan, work=tmp_path / "work")) == shown(scan)
    with pytest.raises(DataError, match=r"e\.jsonl:4: broken JSON"):
        scan_file(replace(plan, on_bad_row="error"))
    (tmp_path / "e.jsonl").write_text(data[0])
    with pytest.raises(DataError, match=r"t\.jsonl:2: broken JSON"):
        scan_file(replace(plan, on_bad_row="error"))


def test_pictures_of_both_sides(tmp_path: Path) -> None:
    from PIL import Image

    for name, colour in (("a", "red"), ("b", "blue")):
        Image.new("RGB", (2, 2), colour).save(tmp_path / f"{name}.png")

    def shows(path: Path, pictures: Sequence[Any]) -> Source:
        rows = [{"text": "What is shown in it?", "image": one} for one in pictures]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return Source(str(path), image_field="image")

    train = shows(tmp_path / "t.jsonl", ["a.png", ["b.png", "gone.png"], None])
    evals = shows(tmp_path / "e.jsonl", ["a.png"])
    scan = scan_file(AuditPlan(train, (("mini", evals),), embedder=None))
    assert (scan.nearness, scan.near, scan.vector_sightings, scan.band) == (None, None, (), ())
    item = scan.item_of["mini", 0]
    assert [(row.images == item.images, len(row.images), row.unreadable) for row in scan.rows] == [
        (True, 1, 0),
        (False, 1, 1),
        (False, 0, 0),
    ]


class Broken(Hashing):
    """An embedder of which something is wrong."""

    def __init__(self, kind: str) -> None:
        self.kind, self.calls = kind, 0

    def embed(self, texts: Sequence[str]) -> Embedded:
        self.calls += 1
        made = super().embed(texts)
        rows = {
            "constant": np.ones_like(made.vectors) / np.sqrt(np.float32(made.vectors.shape[1])),
            "unsteady": np.roll(made.vectors, self.calls, axis=1),
        }[self.kind]
        return replace(made, vectors=rows)


def test_an_embedder_that_finds_all_or_nothing_is_noticed(
    plan: AuditPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind, missed in (
        ("constant", {"apart"}),
        ("unsteady", {"exact", "item of one", "item of two"}),
    ):
        monkeypatch.setattr(scanning, "open_embedder", lambda _, kind=kind: Broken(kind))
        scan = scan_file(plan)
        assert {one.name for one in scan.vector_sightings if one.ok is False} == missed


def test_a_threshold_belongs_to_its_embedder(plan: AuditPlan) -> None:
    given = replace(plan, threshold=0.6, floor=0.55)
    for of in (None, "minilm"):
        with pytest.raises(StudyError, match=r"threshold 0\.6"):
            scan_file(replace(given, threshold_of=of))
    scan = scan_file(replace(given, threshold_of="hashing"))
    assert scan.near is not None
    assert (scan.near.threshold, scan.near.floor) == (0.6, 0.55)
    scan = scan_file(replace(given, threshold=1.0, threshold_of="hashing"))
    asked = {(one.row, one.eval_set, one.item) for one in scan.candidates}
    banded = {(one.row, one.eval_set, one.item) for one in scan.band}
    assert scan.nearness is not None
    near = {(one.row, one.eval_set, one.item) for one in scan.nearness.near if one.cosine < 1}
    assert banded == near - asked != near
    with pytest.raises(DataError, match="floor"):
        scan_file(replace(plan, floor=0.9))


def test_a_scan_is_read_as_it_was_written(whole: Scan, tmp_path: Path) -> None:
    write_scan(whole, tmp_path / "scan.json")
    again = read_scan(tmp_path / "scan.json")
    assert shown(again) == shown(whole)
    assert replace(again, plan=whole.plan) == whole
    (tmp_path / "cut.json").write_text(shown(whole)[:-9])
    for name in ("cut.json", "gone.json"):
        with pytest.raises(DataError, match=name):
            read_scan(tmp_path / name)
    made = whole.to_json()
    wrong: list[tuple[Any, Any, str]] = [
        ("version", 1, "expected a scan of version 2, found 1"),
        ("rows", None, "scan.rows: expected tuple"),
        ("ranges", [[0, 1, 2]], r"scan.ranges\[0\]: expected tuple"),
        ("estimated", 1, "scan.estimated: expected bool, found '1'"),
        ("sightings", [{"name": "x"}], "expected expected, found, name, ok, found name"),
        ("plan", [], "scan.plan: expected a table"),
        ("near", {"threshold": "0.5"}, "scan.near: expected"),
        ("train", {**made["train"], "rows": True}, "scan.train.rows: expected int, found 'True'"),
        (
            "train",
            {**made["train"], "more": 1},
            "scan.train: expected .*, found fields, file, more",
        ),
    ]
    for field, value, why in wrong:
        with pytest.raises(DataError, match=why):
            scan_from({**made, field: value})
    with pytest.raises(DataError, match="found 'list'"):
        scan_from([])
    without = {k: v for k, v in made.items() if k != "faults"}
    with pytest.raises(DataError, match="scan: expected .*faults"):
        scan_from(without)
