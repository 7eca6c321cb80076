"""The tables that tell seconds and memory: apart, because they differ between equal runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from harness.robustness.archive import Archive, archive
from harness.robustness.consistency import inference_cost_summary
from harness.robustness.counts import count_cell
from harness.robustness.matrix_tables import multiview_budgeted_summary, reproduction_models
from harness.robustness.settings import TableSettings
from harness.stats.checks import StatisticsError
from harness.table import Table, Value
from harness.types import CellResult, ModelSpec

_T = TypeVar("_T")
TIMED = {
    "reproduction_models": ("latency_seconds_mean",),
    "inference_cost_summary": ("sum_recorded_latency_seconds",),
    "multiview_budgeted_summary": ("mean_latency_seconds", "max_peak_memory_gb"),
}
SPENT = (
    *("phase", "model_key", "condition", "prompt_mode", "image_mode", "part", "n", "n_timed"),
    *("n_sessions", "seconds", "seconds_per_response", "output_tokens", "peak_memory_gib"),
)
_NOTE = (
    "Seconds are those in the model, over all sessions: every call that came to an end, repeated "
    "and failed ones too, divided by the responses that calls with a known time have made. A "
    "batch's seconds are shared by its rows, so they depend on the batch size and the machine. "
    "Memory is the most that the device's tensors held, and not known on a CPU."
)


def timed_tables(
    cells: Archive, settings: TableSettings, results: Sequence[CellResult]
) -> dict[str, Callable[[], Table]]:
    """The makers of the tables that have columns of `TIMED`, by name."""
    models = {r.cell.model.name: _told(r.cell.model) for r in results}
    return {
        "reproduction_models": partial(reproduction_models, cells, settings, models),
        "inference_cost_summary": partial(inference_cost_summary, cells, settings),
        "multiview_budgeted_summary": partial(multiview_budgeted_summary, cells, settings),
    }


def untimed(make: Callable[[], Table]) -> Table:
    """A table without its columns of `TIMED`, and where to find them."""
    table = make()
    left_out = TIMED[table.name]
    columns = tuple(c for c in table.columns if c not in left_out)
    rows = tuple({c: row[c] for c in columns} for row in table.rows)
    note = table.note
    if rows:
        note += f" {', '.join(left_out)}: in measured/{table.name}, as equal runs differ in them."
    return replace(table, columns=columns, rows=rows, note=note)


def measured_tables(results: Sequence[CellResult], settings: TableSettings) -> dict[str, Table]:
    """Compute the tables of seconds and memory from what the cells' responses took.

    Parameters
    ----------
    results, settings : as for `study_tables`; the seconds are in `CellResult.measured`.

    Returns
    -------
    dict of Table
        `generation_cost`, a row for each cell, and the tables of `TIMED` with all published
        columns. A value of None was not measured.

    Raises
    ------
    DataError, StatisticsError
        As `study_tables`.
    """
    cells = archive(results, settings)
    tables = {"generation_cost": _generation_cost(cells)}
    for name, make in timed_tables(cells, settings, results).items():
        table = named_refusal(name, make)
        note = f"{table.note} {_NOTE}" if table.rows else table.note
        tables[name] = replace(table, note=note)
    return tables


def _generation_cost(cells: Archive) -> Table:
    rows: list[Mapping[str, Value]] = []
    for cell in sorted(cells.cells, key=lambda c: (c.condition, c.place.part)):
        counts = count_cell(row for rows in cell.rows.values() for row in rows)
        spent = cell.measured
        values: tuple[Value, ...] = (
            *cell.condition,
            *(cells.names[cell.place.part], counts.n),
            *((spent.n_timed, spent.n_sessions, spent.seconds) if spent else (0, 0, None)),
            spent.seconds_per_response if spent else None,
            counts.mean_tokens,
            spent.peak_memory_gib if spent else None,
        )
        rows.append(dict(zip(SPENT, values, strict=True)))
    note = (
        f"{_NOTE} A cell that two phases share stands in both with the same seconds; they were "
        "spent once. output_tokens is the mean over its responses."
    )
    return Table(name="generation_cost", columns=SPENT, rows=tuple(rows), note=note)


def named_refusal(name: str, make: Callable[[], _T]) -> _T:
    """What `make` gives; a refusal is told with the name of the table."""
    try:
        return make()
    except StatisticsError as error:
        raise StatisticsError(error.reason, f"table {name}: {error}") from error


def _told(model: ModelSpec) -> str:
    """What a model is, without a path of this machine."""
    return str(model.source.get("id") or model.name)


__all__ = ["SPENT", "TIMED", "measured_tables", "named_refusal", "timed_tables", "untimed"]
