"""Parts of a cell: disjoint, complete, and not to be seen in any record."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from pathlib import Path

import pytest

from harness.errors import MissingResponses
from harness.run import run_cell
from harness.tests.run.stand_ins import Bench, Stub, cell, dataset, events, record_lines
from harness.types import Decoding


def whole(runs: Path, n: int) -> list[bytes]:
    run_cell(cell(), Bench(runs, dataset(n)).context())
    return record_lines(runs)


@pytest.mark.parametrize("n", [3, 10, 16])
@pytest.mark.parametrize("count", [1, 3, 8])
def test_any_number_of_shards_stores_the_same_records(tmp_path: Path, n: int, count: int) -> None:
    made = Bench(tmp_path / "parts", dataset(n))
    parts = [run_cell(cell(shard=(i, count)), made.context()) for i in range(count)]

    ids = [example_id for part in parts for example_id in part.example_ids]
    assert sorted(ids) == [e.id for e in made.data.examples]
    assert [part.n_generated for part in parts] == [len(part.example_ids) for part in parts]
    assert max(map(len, (p.example_ids for p in parts))) <= -(-n // count)
    assert record_lines(tmp_path / "parts") == whole(tmp_path / "whole", n)


def test_a_shard_without_examples_is_complete_and_empty(tmp_path: Path) -> None:
    made = Bench(tmp_path, dataset(3))
    result = run_cell(cell(shard=(7, 8)), made.context())
    assert result.responses == ()
    assert result.accuracy is None
    assert made.n_opened == 0


def test_only_the_whole_cell_seals_and_it_generates_nothing_twice(tmp_path: Path) -> None:
    made = Bench(tmp_path, dataset(10))
    for i in range(3):
        run_cell(cell(shard=(i, 3)), made.context())
    (folder,) = tmp_path.iterdir()
    assert not (folder / "SEALED.json").exists()
    result = run_cell(cell(), made.context())
    assert result.n_generated == 0
    assert (folder / "SEALED.json").exists()
    assert len(result.responses) == 10


def test_a_missing_shard_is_missed_by_the_whole(tmp_path: Path) -> None:
    made = Bench(tmp_path, dataset(10))
    run_cell(cell(shard=(0, 2)), made.context())
    with pytest.raises(MissingResponses, match="5 missing"):
        run_cell(cell(), made.context(allow_generate=False))
    assert run_cell(cell(), made.context()).n_generated == 5


@pytest.mark.parametrize("sizes", [(4, 1), (1,)])
def test_the_batch_size_is_in_no_record(tmp_path: Path, sizes: tuple[int, ...]) -> None:
    made = Bench(tmp_path / "small", dataset(10))
    decoding = Decoding(max_new_tokens=8, batch_sizes=sizes)
    run_cell(cell(decoding=decoding), made.context())
    assert record_lines(tmp_path / "small") == whole(tmp_path / "eight", 10)


def _work(runs: Path, shard: tuple[int, int] | None, start: object) -> None:
    made = Bench(runs, dataset(40), Stub(slow_s=0.002))
    start.wait()  # type: ignore[attr-defined]
    result = run_cell(cell(shard=shard), made.context())
    raise SystemExit(0 if result.n_counted == len(result.example_ids) else 1)


@pytest.mark.parametrize(
    "shards",
    [(None, None), ((0, 2), (1, 2), None), ((0, 2), (0, 2), (1, 3), (2, 3))],
    ids=["twice", "shards and whole", "shards of two counts"],
)
def test_processes_at_once_make_nothing_twice(
    tmp_path: Path, shards: tuple[tuple[int, int] | None, ...]
) -> None:
    fork = multiprocessing.get_context("fork")
    start = fork.Barrier(len(shards))
    workers = [fork.Process(target=_work, args=(tmp_path, s, start)) for s in shards]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    assert [worker.exitcode for worker in workers] == [0] * len(workers)
    run_cell(cell(), Bench(tmp_path, dataset(40)).context())
    made = Counter(tuple(slot) for event in events(tmp_path) for slot in event["made"])
    assert len(made) == 40
    assert set(made.values()) == {1}
    assert len(record_lines(tmp_path)) == 40
