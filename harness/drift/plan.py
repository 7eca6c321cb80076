"""The gates of a drift experiment: its data are one set in two languages, and its table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from harness.drift.pairs import pairs_gate
from harness.drift.tables import DriftSettings, drift_of_cells
from harness.errors import StudyError
from harness.study import Study
from harness.types import Cell, CellResult, Gate, Verdict


def drift_gates(
    study: Study,
    cells: Sequence[Cell],
    pairs: Sequence[tuple[str, str]],
    *,
    alternative: str = "greater",
) -> list[Gate]:
    """The gates that a drift experiment needs beside `standard_gates`.

    Parameters
    ----------
    study : at a tier.
    cells : of the experiment, one for each model and data entry.
    pairs : (original, translated) names of data entries; those without cells are left out, so
        that one experiment serves studies with fewer languages.
    alternative : side of the one-sided sign test, stated before any result.

    Returns
    -------
    list of Gate
        Per pair "language-pairs" (same ids, golds, kinds and choices); and one "drift", which
        leaves the table `translation_drift` in the report and judges no result.

    Raises
    ------
    StudyError
        Without a tier, or where no pair has cells.
    """
    if study.tier is None:
        raise StudyError("drift_gates() needs a study at a tier")
    named = {cell.data for cell in cells}
    kept = tuple(pair for pair in pairs if set(pair) <= named)
    if not kept:
        listed = ", ".join(f"{a}/{b}" for a, b in pairs)
        raise StudyError(
            f"experiment {study.experiment}: expected the data of one of {listed}, found "
            f"{', '.join(sorted(named)) or 'none'}"
        )
    first: dict[str, Cell] = {}
    for cell in cells:
        first.setdefault(cell.data, cell)
    settings = DriftSettings(
        pairs=kept, alternative=alternative, level=float(study.thresholds["level"])
    )
    gates = [
        Gate(
            name="language-pairs",
            subject=f"{study.experiment}/{original}/{translated}",
            tier=study.tier,
            cells=(first[original], first[translated]),
            judge=_paired,
        )
        for original, translated in kept
    ]
    compared = {name for pair in kept for name in pair}
    return [
        *gates,
        Gate(
            name="drift",
            subject=study.experiment,
            tier=study.tier,
            cells=tuple(cell for cell in cells if cell.data in compared),
            judge=partial(_tabled, settings=settings),
        ),
    ]


def _paired(results: Sequence[CellResult]) -> Verdict:
    original, translated = results
    return pairs_gate(original.examples, translated.examples)


def _tabled(results: Sequence[CellResult], *, settings: DriftSettings) -> Verdict:
    table = drift_of_cells(results, settings)
    better = {
        f"{row['model']}: {row['original']}/{row['translated']}": row["better"]
        for row in table.rows
    }
    return Verdict(gate="drift", issues=(), facts={"better": better}, tables=(table,))


__all__ = ["drift_gates"]
