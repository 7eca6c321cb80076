"""A scan of rows with pictures: what it finds, and the same by every way to it."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from harness.contamination import blocks, training
from harness.contamination.blocks import Found, Task, Texts
from harness.contamination.plan import AuditPlan
from harness.contamination.scan import Scan, read_scan, write_scan
from harness.contamination.scanning import scan_file
from harness.contamination.shards import merge_scans
from harness.contamination.sources import Source
from harness.contamination.triage import triage

SHORT = "What is shown?"
LONG = "A wooden block slides down a rough plane that makes an angle of thirty degrees; find v."
OTHER = "Light of one colour passes two narrow slits; how far apart are the fringes on the screen?"


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve pictures of one colour each, 0.png to 11.png."""
    folder = tmp_path_factory.mktemp("pictures")
    for k in range(12):
        Image.new("RGB", (2, 2), (20 * k, 255 - 20 * k, 7)).save(folder / f"{k}.png")
    return folder


def source(path: Path, rows: Sequence[tuple[str, Sequence[int]]], root: Path) -> Source:
    """A file of texts with the numbers of their pictures."""
    made = [{"q": text, "image": [f"{one}.png" for one in shown]} for text, shown in rows]
    path.write_text("".join(f"{json.dumps(one)}\n" for one in made))
    return Source(str(path), ("q",), image_field="image", image_root=str(root))


def test_a_duplicate_behind_an_item_with_the_same_words_is_found(
    pictures: Path, tmp_path: Path
) -> None:
    train = source(tmp_path / "t.jsonl", [(SHORT, [3])], pictures)
    evals = source(tmp_path / "e.jsonl", [(SHORT, [k]) for k in range(5)], pictures)
    for embedder in (None, "hashing"):
        chosen = triage(scan_file(AuditPlan(train, (("mini", evals),), embedder=embedder)))
        assert [one.key for one in chosen.candidates] == ["0/mini/3"], embedder
        assert [one.key for one in chosen.generic] == ["0/mini/0"], embedder
        (found,) = chosen.candidates
        assert (found.pictures, found.stages) == (1, (1,) if embedder is None else (1, 2))


def test_texts_decide_what_is_judged(pictures: Path, tmp_path: Path) -> None:
    thirteen = "What is the value of x in the figure shown down below here"
    rows = [
        (LONG, [0]),  # other long question, same picture
        ("Name it.", [1]),  # other short question
        (f"So {OTHER}", [2]),  # alike
        (thirteen, [1]),  # one text is not brief
        (SHORT, [9]),  # no item has it
        ("", [4]),  # nothing but the picture
    ]
    items = [(OTHER, [0]), (SHORT, [1]), (LONG, [2, 0]), (OTHER, [3, 2]), ("", [4])]
    train = source(tmp_path / "t.jsonl", rows, pictures)
    plan = AuditPlan(
        train, (("mini", source(tmp_path / "e.jsonl", items, pictures)),), embedder=None
    )
    scan = scan_file(plan)
    assert [(one.row, one.item) for one in scan.pictures] == [
        (0, 2),
        (1, 1),
        (2, 3),
        (3, 1),
        (5, 4),
    ]
    assert [(one.row, one.item) for one in scan.other_questions] == [(3, 1)]
    keys = [one.key for one in scan.candidates]
    assert [key for key in keys if not key.startswith("4/")] == [
        *("0/mini/2", "1/mini/1", "2/mini/0", "2/mini/3", "5/mini/4")
    ]
    shown = {one.key: (one.stages, one.jaccard is None, one.pictures) for one in scan.candidates}
    assert shown["1/mini/1"] == shown["5/mini/4"] == ((), True, 1)
    assert shown["2/mini/3"] == ((1,), False, 1) and shown["2/mini/0"][2] == 0
    wider = replace(plan, generic_tokens=13)
    assert wider.scan_fingerprint == plan.scan_fingerprint != wider.fingerprint
    assert not replace(scan, plan=wider).other_questions
    none = replace(scan, plan=replace(plan, generic_tokens=0))
    assert [(one.row, one.item) for one in none.other_questions] == [(1, 1), (3, 1)]
    assert triage(none).generic == () and "4/mini/1" in [one.key for one in triage(none).candidates]


@pytest.fixture(scope="module")
def plan(pictures: Path, tmp_path_factory: pytest.TempPathFactory) -> AuditPlan:
    """Forty rows; some pictures are missing on both sides, some texts cannot be read."""
    folder = tmp_path_factory.mktemp("rows")
    texts = [SHORT, LONG, "Name it.", OTHER, "What is it?"]
    rows = [(texts[k % 5], [k % 13, 40 + k % 2][: 1 + k % 2]) for k in range(40)]
    train = source(folder / "t.jsonl", rows, pictures)
    with open(train.path, "a") as handle:
        handle.write('{"q": 3, "image": "1.png"}\n')
    items = [(texts[k % 4], [k, 40]) for k in range(12)]
    evals = [
        (name, source(folder / f"{name}.jsonl", items[k:], pictures))
        for name, k in (("one", 0), ("two", 7))
    ]
    return AuditPlan(train, tuple(evals), embedder="hashing", on_bad_row="count")


@pytest.fixture(scope="module")
def whole(plan: AuditPlan) -> Scan:
    return scan_file(plan)


def read_ahead(task: Task, given: Iterable[Texts]) -> Iterator[Found]:
    """As worker processes do it: several blocks are read before the first comes back."""
    work = task.open()
    waiting: deque[Future[Found]] = deque()
    with ThreadPoolExecutor(1) as pool:
        for start, texts in given:
            waiting.append(pool.submit(work, texts, start))
            if len(waiting) >= 4:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def test_every_way_gives_the_same(
    plan: AuditPlan, whole: Scan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(whole.pictures) > 30 and whole.other_questions and whole.faults
    assert whole.pictures == tuple(sorted(whole.pictures))
    read: list[Any] = []
    before = training.hashes

    def counted(given: Iterable[Any], root: Path) -> Any:
        read.append(given)
        return before(given, root)

    monkeypatch.setattr(training, "hashes", counted)
    monkeypatch.setattr(blocks, "MOST_ROWS", 6)
    cache = tmp_path / "vectors"
    ways: list[dict[str, Any]] = [
        *({}, {"cache": cache}, {"executor": read_ahead}, {"executor": read_ahead, "cache": cache}),
        {"work": tmp_path / "work", "executor": read_ahead},
    ]
    for way in ways:
        assert scan_file(plan, **way) == whole, way
        assert len(read) == 41
        read.clear()
    assert scan_file(plan, work=tmp_path / "work") == whole and not read
    kept = tmp_path / "work" / "blocks.jsonl"
    kept.write_bytes(b"".join(kept.read_bytes().splitlines(keepends=True)[2:5]))
    assert scan_file(plan, work=tmp_path / "work") == whole and len(read) == 41 - 18
    parts = [scan_file(plan, shard=(i, 4)) for i in (1, 2, 3, 4)]
    for order in ((0, 1, 2, 3), (2, 0, 3, 1)):
        first, second, third, fourth = (parts[k] for k in order)
        assert merge_scans(first, second, third, fourth) == whole
        assert merge_scans(merge_scans(first, fourth), merge_scans(third, second)) == whole
    write_scan(whole, tmp_path / "scan.json")
    assert read_scan(tmp_path / "scan.json").pictures == whole.pictures


def test_what_cannot_be_read_equals_nothing(pictures: Path, tmp_path: Path) -> None:
    evals = source(tmp_path / "e.jsonl", [(SHORT, [99]), ("Name it.", [98])], pictures)
    train = source(tmp_path / "t.jsonl", [(SHORT, [99]), ("Who?", [98])], pictures)
    scan = scan_file(AuditPlan(train, (("mini", evals),), embedder=None))
    assert scan.plan.compares_pictures and scan.pictures == ()
    assert [one.key for one in triage(scan).candidates] == ["0/mini/0"]


def test_without_pictures_on_one_side_nothing_changes(
    pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train = source(tmp_path / "t.jsonl", [(SHORT, [3]), (LONG, [1])], pictures)
    evals = source(tmp_path / "e.jsonl", [(SHORT, [2]), (SHORT, [3])], pictures)
    read: list[Any] = []
    before = training.hashes
    monkeypatch.setattr(training, "hashes", lambda *given: read.append(given) or before(*given))
    for mine, theirs in ((None, "image"), ("image", None), (None, None)):
        plan = AuditPlan(
            replace(train, image_field=mine),
            (("mini", replace(evals, image_field=theirs)),),
            embedder=None,
        )
        scan = scan_file(plan)
        assert not plan.compares_pictures and scan.pictures == ()
        assert [one.key for one in triage(scan).candidates] == ["0/mini/0"]
        # Of one row alone is anything kept.
        assert len(read) == 1
        read.clear()
