"""The tables of single cells, made from the archive."""

from __future__ import annotations

from collections.abc import Mapping

from harness.robustness.archive import Archive, Place
from harness.robustness.counts import count_cell, count_pairs, left_out
from harness.robustness.matrix import (
    CONTROL_SUMMARY,
    MATRIX,
    MODELS,
    VIEWS,
    control_row,
    count_unread,
    domain_columns,
    domain_row,
    matrix_row,
    measured_of,
    model_row,
    view_row,
)
from harness.robustness.paired import MULTIVIEW_CONDITIONS
from harness.robustness.paired_rows import BUDGETED
from harness.robustness.settings import CONTROLS, TableSettings
from harness.table import Table, lacking


def full_group_matrix(cells: Archive) -> Table:
    """Every cell there is, by phase, with what failed and what could not be read."""
    rows = []
    for cell in sorted(cells.cells, key=lambda c: (c.condition, c.place.part)):
        listed = [row for rows in cell.rows.values() for row in rows]
        part = cells.names[cell.place.part]
        rows.append(matrix_row(cell.condition, count_cell(listed), part, count_unread(listed)))
    note = (
        "accuracy is the published convention: failed rows stay in its denominator, as wrong, and "
        "in manual_review, which counts every row without an answer that was read. accuracy_valid "
        "and review_valid leave them out, as every other table does; review_valid is n_review + "
        "n_truncated + n_refused, and only n_review rows are for a person to read. A cell that "
        "two phases share stands in both."
    )
    return Table(name="full_group_matrix", columns=MATRIX, rows=tuple(rows), note=note)


def reproduction_models(cells: Archive, settings: TableSettings, ids: Mapping[str, str]) -> Table:
    """The models on the clean pictures of all questions; `ids` names what each model is."""
    name = "reproduction_models"
    places = {m: Place("whole", m, "clean", settings.paper, long=True) for m in settings.models}
    found, missing = cells.take(places.values())
    if missing:
        return lacking(name, MODELS, missing)
    rows = []
    for model, place in places.items():
        cell = found[place]
        counts = count_cell(cell.first.values())
        told = measured_of(cell)
        rows.append(model_row(model, ids.get(model, ""), counts, settings, told))
    note = (
        "Failed rows leave accuracy, parse rate and review rate; the last counts truncated and "
        "refused rows too, as published. Intervals are quantiles of the exact bootstrap "
        "distribution over questions, without draws or a seed."
    )
    return Table(name=name, columns=MODELS, rows=tuple(rows), note=note)


def reproduction_by_domain(cells: Archive, settings: TableSettings) -> Table:
    """The same by category, with the focus against the first model."""
    name, columns = "reproduction_by_domain", domain_columns(settings)
    places = {m: Place("whole", m, "clean", settings.paper, long=True) for m in settings.models}
    found, missing = cells.take(places.values())
    if missing:
        return lacking(name, columns, missing)
    rows_of = {model: found[place].first for model, place in places.items()}
    categories = sorted({row.category for rows in rows_of.values() for row in rows.values()})
    rows, named = [], {}
    for category in categories:
        part = {
            model: {i: row for i, row in rows.items() if row.category == category}
            for model, rows in rows_of.items()
        }
        counts = {model: count_cell(rows.values()) for model, rows in part.items()}
        pairs = count_pairs(part[settings.models[0]], part[settings.focus], settings.on_unpaired)
        named[category] = pairs
        right = {model: (c.n_correct, c.n_valid) for model, c in counts.items()}
        n = len({i for rows in part.values() for i in rows})
        rows.append(domain_row(category, n, right, pairs, settings))
    note = (
        "Intervals are quantiles of the exact bootstrap distribution over pairs, without draws or "
        f"a seed. {left_out(named)}"
    ).strip()
    return Table(name=name, columns=columns, rows=tuple(rows), note=note)


def control_condition_summary(cells: Archive, settings: TableSettings) -> Table:
    """Accuracy under every fixed-canvas control, with the two conditions they start from."""
    name = "control_condition_summary"
    places = [
        Place("design", model, condition, settings.paper)
        for model in settings.models
        for condition in (*CONTROLS, "clean", "distractor_1")
    ]
    found, missing = cells.take(places)
    if missing:
        return lacking(name, CONTROL_SUMMARY, missing)
    rows = [
        control_row(place.model, place.condition, count_cell(found[place].first.values()))
        for place in places
    ]
    return Table(
        name=name,
        columns=CONTROL_SUMMARY,
        rows=tuple(rows),
        note="Failed rows leave accuracy and parse rate.",
    )


def multiview_budgeted_summary(cells: Archive, settings: TableSettings) -> Table:
    """Accuracy and tokens of one picture and of five at nearly the same number of pixels."""
    name = "multiview_budgeted_summary"
    places = [
        Place("design", settings.focus, condition, prompt, mode)
        for condition in MULTIVIEW_CONDITIONS
        for prompt in (settings.evidence, settings.paper)
        for mode in BUDGETED
    ]
    found, missing = cells.take(places)
    if missing:
        return lacking(name, VIEWS, missing)
    rows = [
        view_row(
            found[place].condition,
            count_cell(found[place].first.values()),
            measured_of(found[place]),
        )
        for place in places
    ]
    note = "Failed rows leave accuracy."
    return Table(name=name, columns=VIEWS, rows=tuple(rows), note=note)


__all__ = [
    "control_condition_summary",
    "full_group_matrix",
    "multiview_budgeted_summary",
    "reproduction_by_domain",
    "reproduction_models",
]
