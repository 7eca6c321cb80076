"""Shards put together in any order and any groups are the whole scan, or the reason is named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.contamination import blocks
from harness.contamination.plan import AuditPlan
from harness.contamination.scan import Scan, VectorSighting
from harness.contamination.scanning import part_of, scan_file
from harness.contamination.shards import check_complete, merge_scans
from harness.contamination.sources import Source
from harness.errors import DataError
from harness.ids import seed
from harness.tests.audit.reference import made_texts

TRAIN, SETS = made_texts(90, 30, "shards")


def table(path: Path, texts: Sequence[str]) -> Source:
    """A CSV with a row that lacks a field here and there."""
    rows = [f"{k},{text}" if k % 17 else str(k) for k, text in enumerate(texts, 1)]
    path.write_text("\n".join(["id,text", *rows]))
    return Source(str(path), ("text",), "id")


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> AuditPlan:
    folder = tmp_path_factory.mktemp("texts")
    evals = [(name, table(folder / f"{name}.csv", texts)) for name, texts in SETS.items() if texts]
    return AuditPlan(
        table(folder / "t.csv", TRAIN), tuple(evals), embedder="hashing", on_bad_row="count"
    )


@pytest.fixture(scope="module")
def whole(plan: AuditPlan) -> Scan:
    return scan_file(plan)


@pytest.fixture(scope="module")
def thirds(plan: AuditPlan) -> list[Scan]:
    return [scan_file(plan, shard=(i, 3)) for i in (1, 2, 3)]


def test_any_order_and_any_groups(
    plan: AuditPlan, whole: Scan, thirds: list[Scan], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert whole.faults
    assert whole.findings.hits
    assert whole.candidates
    monkeypatch.setattr(blocks, "MOST_ROWS", 7)
    sharded = {n: [scan_file(plan, shard=(i, n)) for i in range(1, n + 1)] for n in (1, 2, 7)}
    rng = np.random.Generator(np.random.PCG64(seed(7, "shards")))
    for n, parts in (sharded | {3: thirds}).items():
        for _ in range(3):
            order = [parts[k] for k in rng.permutation(n)]
            at = int(rng.integers(1, n + 1))
            groups = [group for group in (order[:at], order[at:]) if group]
            assert merge_scans(*order) == whole
            assert merge_scans(*(merge_scans(*group) for group in groups)) == whole
            assert reduce(merge_scans, order) == whole


def test_shards_cut_all_rows_once() -> None:
    for n_rows in (0, 1, 5, 10, 97):
        for n in (1, 2, 3, 7, 12):
            parts = [part_of(n_rows, (i, n)) for i in range(1, n + 1)]
            ends = [0, *(stop for _, stop in parts)]
            assert [start for start, _ in parts] == ends[:-1]
            assert ends[-1] == n_rows
            assert {stop - start for start, stop in parts} <= {n_rows // n, -(-n_rows // n)}
    for shard in ((0, 3), (4, 3), (1, 0), (-1, 3)):
        with pytest.raises(DataError, match="shard: expected i/n"):
            part_of(10, shard)


def test_more_shards_than_rows(plan: AuditPlan, tmp_path: Path) -> None:
    few = replace(plan, train=table(tmp_path / "few.csv", TRAIN[:2]))
    parts = [scan_file(few, shard=(i, 5)) for i in range(1, 6)]
    assert [part.ranges for part in parts] == [(), (), ((0, 1),), (), ((1, 2),)]
    assert merge_scans(*parts) == scan_file(few)


def test_what_does_not_belong_together(whole: Scan, thirds: list[Scan]) -> None:
    first, second, third = thirds
    with pytest.raises(DataError, match="rows 30 to 59 were scanned twice"):
        merge_scans(first, second, third, second)
    with pytest.raises(DataError, match="rows 0 to 29 were scanned twice"):
        merge_scans(whole, first)
    with pytest.raises(DataError, match="at least one scan"):
        merge_scans()
    others: list[tuple[dict[str, Any], str]] = [
        ({"plan": replace(first.plan, k=2, seed=1)}, "two that differ in k, seed"),
        ({"train": replace(first.train, sha256="0")}, "the same training file"),
        ({"evals": first.evals[:1]}, "the same evaluation sets"),
        ({"embedder": None}, "the same embedder"),
        ({"near": None}, "the same numbers of stage 2"),
        ({"sightings": ()}, "the same planted rows"),
    ]
    for change, why in others:
        with pytest.raises(DataError, match=why):
            merge_scans(second, replace(first, **change))


def test_missing_rows_are_named(whole: Scan, thirds: list[Scan]) -> None:
    first, second, third = thirds
    check_complete(whole)
    check_complete(merge_scans(third, first, second))
    for parts, gap in (
        ([first, third], "rows 30 to 59;"),
        ([second], "rows 0 to 29, 60 to 89;"),
        ([first], "rows 30 to 89;"),
    ):
        merged = merge_scans(*parts)
        assert not merged.complete
        with pytest.raises(DataError, match=f"all 90 rows of t.csv, found none of {gap}"):
            check_complete(merged)


def test_a_count_that_one_shard_estimates_is_an_estimate(thirds: list[Scan]) -> None:
    guessed = [thirds[0], replace(thirds[1], estimated=True), thirds[2]]
    assert merge_scans(*guessed).estimated and not merge_scans(*thirds).estimated


def test_a_count_that_one_block_estimates_is_an_estimate(
    plan: AuditPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(task: blocks.Task, given: Iterable[blocks.Texts]) -> Iterator[blocks.Found]:
        for one in blocks.in_process(task, given):
            yield replace(one, estimated=one.findings.spans[0].start == 30)

    monkeypatch.setattr(blocks, "MOST_ROWS", 30)
    assert scan_file(plan, executor=run).estimated


def test_a_missed_canary_of_any_shard_stays(thirds: list[Scan]) -> None:
    first, second, third = thirds
    bad = (VectorSighting("exact", 0.2, False),)
    for parts in ([replace(first, vector_sightings=bad), second, third], [first, second, third]):
        expected = parts[0].vector_sightings
        for order in (parts, parts[::-1]):
            assert merge_scans(*order).vector_sightings == expected
