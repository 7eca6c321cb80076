"""Models that fail: the ladder of batch sizes, retries over runs, and broken models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.batches import Ladder
from harness.errors import ModelError
from harness.requests import prepare, tasks_of
from harness.run import run_cell
from harness.store import CellStore
from harness.tests.run.stand_ins import Bench, Stub, cell, dataset, events, record_lines
from harness.types import CellResult, Decoding


def bench(runs: Path, n: int = 16, **stub: Any) -> Bench:
    return Bench(runs, dataset(n), Stub(**stub))


def status_of(result: CellResult) -> dict[str, str]:
    return {r.example_id: r.status for r in result.responses if r.status != "ok"}


def history(runs: Path, result: CellResult, example_id: str) -> list[tuple[str, int]]:
    store = CellStore(runs, result.key, result.identity)
    return [(r.status, r.attempt) for r in store.history((example_id, 0))]


def test_one_example_out_of_memory_is_one_row_and_nothing_is_redone(tmp_path: Path) -> None:
    made = bench(tmp_path, oom_on=["q003"])
    result = run_cell(cell(), made.context())

    assert status_of(result) == {"q003": "oom"}
    assert result.counts["resource_error"] == 1
    assert result.counts["answered"] == 15
    assert result.n_counted == 15
    assert sorted(made.model.answered) == sorted(set(result.example_ids) - {"q003"})
    assert [len(call) for call in made.model.calls if "q003" in call] == [8, 4, 1]
    assert result.batch_size == 8
    record = next(r for r in result.responses if r.example_id == "q003")
    assert record.error == "out of memory at batch size 1"
    steps = [e["batch_size"] for e in events(tmp_path) if e["failure"]]
    assert steps == [8, 4, 1]


@pytest.mark.parametrize(("limit", "sizes"), [(4, [8, 4, 4, 4, 4]), (1, [8, 4] + [1] * 4)])
def test_the_ladder_is_declared_and_recorded(tmp_path: Path, limit: int, sizes: list[int]) -> None:
    made = bench(tmp_path, oom_above=limit)
    result = run_cell(cell(), made.context())
    assert result.counts["answered"] == 16
    assert result.batch_size == limit or result.batch_size == 4
    assert [len(c) for c in made.model.calls][: len(sizes)] == sizes
    assert {len(c) for c in made.model.calls} <= {8, 4, 1}
    assert sorted(made.model.answered) == list(result.example_ids)
    assert events(tmp_path)[0]["failure"] == "out of memory at batch size 8"


def test_no_size_below_the_declared_ones_is_used(tmp_path: Path) -> None:
    made = bench(tmp_path, 8, oom_on=["q003"])
    decoding = Decoding(max_new_tokens=8, batch_sizes=(4, 2))
    result = run_cell(cell(decoding=decoding), made.context())
    assert {len(c) for c in made.model.calls} == {4, 2}
    assert len(status_of(result)) == 2
    assert "q003" in status_of(result)
    assert {r.error for r in result.responses if r.error} == {
        "batch of 2: out of memory at batch size 2"
    }


def test_a_hang_is_a_row_that_names_the_limit(tmp_path: Path) -> None:
    made = bench(tmp_path, hang_on=["q003"])
    result = run_cell(cell(), made.context(hang_timeout_s=0.1))
    assert status_of(result) == {"q003": "error"}
    assert result.counts["runtime_error"] == 1
    record = next(r for r in result.responses if r.example_id == "q003")
    assert record.error == "Hung: no reply within 0.1 s (hang_timeout_s)"
    assert sorted(made.model.answered) == sorted(set(result.example_ids) - {"q003"})


def test_one_example_that_breaks_the_model_is_one_row(tmp_path: Path) -> None:
    made = bench(tmp_path, fail_on=["q003", "q011"])
    result = run_cell(cell(), made.context())
    assert status_of(result) == {"q003": "error", "q011": "error"}
    error = next(r.error for r in result.responses if r.example_id == "q003")
    assert error is not None
    assert error.startswith("RuntimeError: planted for q003")
    assert "/secret" not in error
    assert "0x…" in error
    assert made.model.answered.count("q000") == 1


def test_failed_rows_are_equal_in_equal_runs(tmp_path: Path) -> None:
    for name in ("a", "b"):
        run_cell(cell(), bench(tmp_path / name, fail_on=["q003"], oom_on=["q001"]).context())
    assert record_lines(tmp_path / "a") == record_lines(tmp_path / "b")


def test_failures_are_retried_by_later_runs_only_and_a_bounded_number_of_times(
    tmp_path: Path,
) -> None:
    made = bench(tmp_path, fail_on=["q003"])
    first = run_cell(cell(), made.context(run_id="run-1"))
    again = run_cell(cell(), made.context(run_id="run-1"))
    assert (first.n_generated, again.n_generated) == (16, 0)

    second = run_cell(cell(), made.context(run_id="run-2"))
    assert run_cell(cell(), made.context(run_id="run-2")).n_generated == 0
    third = run_cell(cell(), made.context(run_id="run-3"))
    fourth = run_cell(cell(), made.context(run_id="run-4"))
    assert (second.n_generated, third.n_generated, fourth.n_generated) == (1, 1, 0)
    assert history(tmp_path, first, "q003") == [("error", 1), ("error", 2), ("error", 3)]
    assert fourth.counts["runtime_error"] == 1
    assert len(fourth.responses) == 16


def test_a_retry_that_works_is_the_answer_and_the_failure_is_kept(tmp_path: Path) -> None:
    made = bench(tmp_path, fail_on=["q003"])
    run_cell(cell(), made.context())
    made.model.fail_on = []
    assert run_cell(cell(), made.context(run_id="run-2"), retry_failed=False).n_generated == 0
    assert run_cell(cell(), made.context(run_id="run-2", allow_generate=False)).n_generated == 0
    result = run_cell(cell(), made.context(run_id="run-2"))
    assert result.n_generated == 1
    assert result.counts["answered"] == 16
    assert history(tmp_path, result, "q003") == [("error", 1), ("ok", 2)]
    assert run_cell(cell(), made.context(run_id="run-3")).n_generated == 0


def test_a_broken_model_stops_the_cell_and_stores_nothing(tmp_path: Path) -> None:
    made = bench(tmp_path, fail_all=True)
    with pytest.raises(ModelError, match="first 3 requests failed in the same way") as caught:
        run_cell(cell(), made.context())
    assert isinstance(caught.value.__cause__, RuntimeError)
    assert record_lines(tmp_path) == []
    assert len(made.model.calls) == 4

    made.model.fail_all = False
    assert run_cell(cell(), made.context()).counts["answered"] == 16


def test_a_model_that_hangs_from_the_start_stops_the_cell(tmp_path: Path) -> None:
    made = bench(tmp_path, hang_on=[f"q{i:03d}" for i in range(16)])
    with pytest.raises(ModelError, match="no reply within 0.05 s"):
        run_cell(cell(), made.context(hang_timeout_s=0.05))
    assert len(made.model.calls) == 5


def test_a_model_that_breaks_later_stops_the_resumed_cell(tmp_path: Path) -> None:
    made = bench(tmp_path)
    run_cell(cell(n=4), made.context())
    made.model.fail_all = True
    with pytest.raises(ModelError):
        run_cell(cell(), made.context())
    assert len(record_lines(tmp_path)) == 4


def test_leftover_failures_of_a_working_model_do_not_stop_it(tmp_path: Path) -> None:
    guilty = ["q000", "q001", "q002", "q003"]
    made = bench(tmp_path, fail_on=guilty)
    result = run_cell(cell(), made.context())
    assert list(status_of(result)) == guilty
    again = run_cell(cell(), made.context(run_id="run-2"))
    assert again.n_generated == 4
    assert list(status_of(again)) == guilty


def test_failures_known_from_earlier_runs_do_not_stop_it() -> None:
    data, one = dataset(8), cell(decoding=Decoding(max_new_tokens=8, batch_sizes=(1,)))
    slots = {(e.id, 0): 2 for e in data.examples}
    tasks = tasks_of(one, data, {"base_seed": None}, "key", slots)
    ladder = Ladder(Stub(fail_all=True), one.decoding, hang_timeout_s=30.0, trusted=False)
    calls = [call for t in tasks for call in ladder.run([prepare(one, data, t)])]
    assert [reply.status for call in calls for reply in call.replies] == ["error"] * 8


def test_a_few_last_examples_that_break_a_working_model_do_not_stop_it(tmp_path: Path) -> None:
    made = bench(tmp_path)
    small = run_cell(cell(n=13), made.context())
    made.model.fail_on = sorted({e.id for e in made.data.examples} - set(small.example_ids))
    result = run_cell(cell(), made.context())
    assert list(status_of(result)) == made.model.fail_on


def test_first_failures_before_an_answer_are_kept(tmp_path: Path) -> None:
    # q002 and q005 have the longest prompts, so they are asked first.
    made = bench(tmp_path, 6, fail_on=["q002", "q005"])
    small = cell(decoding=Decoding(max_new_tokens=8, batch_sizes=(1,)))
    result = run_cell(small, made.context())
    assert made.model.calls[:2] == [["q002"], ["q005"]]
    assert status_of(result) == {"q002": "error", "q005": "error"}


def test_a_cell_smaller_than_the_stop_keeps_its_failures(tmp_path: Path) -> None:
    result = run_cell(cell(), bench(tmp_path, 2, fail_all=True).context())
    assert status_of(result) == {"q000": "error", "q001": "error"}
    assert result.accuracy is None
