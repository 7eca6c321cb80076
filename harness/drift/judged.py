"""Translation drift from stored verdicts of judges."""

from __future__ import annotations

from collections.abc import Sequence

from harness.drift.measure import drift_counts
from harness.drift.tables import LIBERAL, STRICT, Comparison, DriftSettings, drift_table
from harness.errors import DataError
from harness.judging.rows import JudgeRow
from harness.table import Table


def drift_of_judges(rows: Sequence[JudgeRow], settings: DriftSettings) -> Table:
    """Compare two languages by stored verdicts: strict once a model, liberal judge by judge.

    The strict reading is over all answers of the model that some judge of both sides judged.

    Parameters
    ----------
    rows : as `harness.judging.rows.judge_rows` gives them.
    settings : the pairs of data sets, and the rest.

    Returns
    -------
    Table
        That of `harness.drift.tables.drift_table`; the scoring of liberal rows names the judge.

    Raises
    ------
    DataError
        Where no model was judged by one judge on both sides of a pair.
    StatisticsError
        `unpaired_ids` where one side lacks an id.
    """
    cells: dict[tuple[str, str, str], dict[str, JudgeRow]] = {}
    for row in rows:
        cells.setdefault((row.model, row.judge, row.data), {})[row.id] = row
    strict: list[Comparison] = []
    liberal: list[Comparison] = []
    for original, translated in settings.pairs:
        both = [key for key in sorted(cells) if key[2] == original]
        both = [key for key in both if (*key[:2], translated) in cells]
        if not both:
            raise DataError(
                f"pair {original}={translated}: expected a model that one judge judged on both, "
                f"found data {', '.join(sorted({key[2] for key in cells}))}"
            )
        matched: dict[str, tuple[dict[str, bool], dict[str, bool]]] = {}
        for model, judge, _ in both:
            sides = [cells[model, judge, name] for name in (original, translated)]
            for told, side in zip(matched.setdefault(model, ({}, {})), sides, strict=True):
                told.update({key: row.strict for key, row in side.items()})
            asked = [{key: row.liberal for key, row in side.items()} for side in sides]
            head = {"model": model, "original": original, "translated": translated}
            scoring = f"{LIBERAL}: {judge}"
            liberal.append(Comparison(**head, scoring=scoring, counts=drift_counts(*asked)))
        for model, both_told in matched.items():
            head = {"model": model, "original": original, "translated": translated}
            strict.append(Comparison(**head, scoring=STRICT, counts=drift_counts(*both_told)))
    return drift_table([*strict, *liberal], settings)


__all__ = ["drift_of_judges"]
