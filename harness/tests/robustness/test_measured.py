"""Seconds and memory of a study: summed over all sessions, and in tables of their own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ModelError
from harness.robustness.measured import SPENT, TIMED, measured_tables
from harness.robustness.plan import _tabled
from harness.robustness.tables import study_tables
from harness.run import run_cell
from harness.spent import Spent
from harness.table import Table
from harness.tests.robustness.made_study import LEAN, examples, study
from harness.tests.run.stand_ins import Bench, Stub, dataset
from harness.types import Cell, CellResult, Decoding, Prompt, Request

SPENT_BY_ALL = Spent(seconds=96.0, n_timed=48, n_sessions=3, peak_memory_gib=1.5)
PHASES = ("reproduction", "multiview", "self-consistency")
ONCE_CLEAN = ("robustness", "gate-generalisation")
_SECONDS = {
    "reproduction_models": "latency_seconds_mean",
    "inference_cost_summary": "sum_recorded_latency_seconds",
    "multiview_budgeted_summary": "mean_latency_seconds",
    "generation_cost": "seconds_per_response",
}


class Card(Stub):
    """A model on a device that tells its memory, and is lost after so many calls."""

    peak_memory_gib = 0.25
    n_left = 10**9

    def generate(self, requests: Any, decoding: Any) -> Any:
        self.peak_memory_gib += 0.25
        self.n_left -= 1
        if self.n_left < 0:
            raise KeyboardInterrupt
        return super().generate(requests, decoding)


def answer(request: Request) -> str:
    return f"<answer>{request.example.gold}</answer>"


def bench(runs: Path, cell: Cell, model: Stub) -> Bench:
    """The view shows no picture, so its name goes into the key by way of the weights."""
    part = cell.data
    shown = replace(dataset(1), name=part, examples=examples(part), fingerprint=part)
    return Bench(runs, shown, model, {"weights": f"{cell.model.name} {cell.view.name}"})


def measured(found: dict[str, Table], name: str) -> list[Any]:
    return [row[_SECONDS[name]] for row in found[name].rows]


def test_a_real_run_and_a_resumed_one_tell_their_seconds(tmp_path: Path) -> None:
    results: list[CellResult] = []
    resumed: list[CellResult] = []
    for planned in study():
        cell: Cell = replace(
            planned.cell,
            view=replace(planned.cell.view, steps=()),
            prompt=Prompt(
                name=planned.cell.prompt.name, template=planned.cell.prompt.name + "{question}"
            ),
            decoding=Decoding(
                max_new_tokens=8,
                batch_sizes=(16,),
                temperature=0.7 if planned.cell.replicates > 1 else None,
            ),
        )
        if cell.experiment not in PHASES and not (
            cell.view.name == "clean" and cell.experiment in ONCE_CLEAN
        ):
            continue
        model = Card(answer=answer, slow_s=1e-5)
        results.append(run_cell(cell, bench(tmp_path / "one", cell, model).context()))
        cut = Card(answer=answer, slow_s=1e-5)
        cut.n_left, cut.peak_memory_gib = 1, 2.0
        with pytest.raises(KeyboardInterrupt):
            run_cell(cell, bench(tmp_path / "two", cell, cut).context())
        again = bench(tmp_path / "two", cell, Card(answer=answer)).context(run_id="run-2")
        resumed.append(run_cell(cell, again))
    assert [r.records_sha256 for r in results] == [r.records_sha256 for r in resumed]
    assert {r.measured.n_sessions for r in resumed if r.measured} == {2}
    deterministic = []
    for whole, most_gib in ((results, 0.75), (resumed, 2.25)):
        verdict = _tabled(whole, settings=LEAN)
        found = {table.name: table for table in verdict.measured}
        assert set(found) == set(_SECONDS)
        for name, rows in (
            ("reproduction_models", 3),
            ("inference_cost_summary", 5),
            ("multiview_budgeted_summary", 12),
            ("generation_cost", len(whole)),
        ):
            seconds = measured(found, name)
            assert len(seconds) == rows
            assert min(seconds) > 0
        assert {r["n_timed"] == r["n"] for r in found["generation_cost"].rows} == {True}
        peaks = [r["max_peak_memory_gb"] for r in found["multiview_budgeted_summary"].rows]
        assert min(peaks) == max(peaks) == pytest.approx(most_gib * 2**30 / 1e9)
        deterministic.append([table.to_json() for table in verdict.tables] + [verdict.facts])
    assert deterministic[0] == deterministic[1]


def test_tables_of_equal_runs_hold_no_seconds() -> None:
    timed = [replace(r, measured=SPENT_BY_ALL) for r in study()]
    plain = study_tables(study(), LEAN)
    assert {n: t.to_json() for n, t in study_tables(timed, LEAN).items()} == {
        n: t.to_json() for n, t in plain.items()
    }
    for name, columns in TIMED.items():
        assert not set(columns) & set(plain[name].columns)
        assert f"in measured/{name}" in plain[name].note
        found = measured_tables(timed, LEAN)[name]
        assert set(found.columns) - set(columns) == set(plain[name].columns)


def test_what_a_response_took_is_summed_as_published() -> None:
    found = measured_tables([replace(r, measured=SPENT_BY_ALL) for r in study()], LEAN)
    assert set(measured(found, "reproduction_models")) == {2.0}
    cost = found["inference_cost_summary"].rows
    assert [r["sum_recorded_latency_seconds"] for r in cost] == [2, 4, 4, 16, 16]
    assert [r["outputs_per_item"] for r in cost] == [1, 2, 2, 8, 8]
    assert len(found["generation_cost"].rows) == len(study())
    assert found["generation_cost"].columns == SPENT


def test_what_was_not_measured_is_undefined() -> None:
    found = measured_tables(study(), LEAN)
    for name in _SECONDS:
        assert set(measured(found, name)) == {None}
    assert {r["model_id"] for r in found["reproduction_models"].rows} == {
        *("some/base", "some/sft", "some/rl"),
    }


def test_models_that_fail_from_the_start_have_no_seconds(tmp_path: Path) -> None:
    cell = replace(study()[0].cell, decoding=Decoding(max_new_tokens=8, batch_sizes=(1,)))
    with pytest.raises(ModelError):
        run_cell(cell, bench(tmp_path, cell, Stub(fail_all=True)).context())
    found = run_cell(cell, bench(tmp_path, cell, Stub(answer=answer)).context())
    assert found.measured is not None
    assert (found.measured.n_timed, found.measured.n_sessions) == (48, 1)
    assert found.measured.peak_memory_gib is None
