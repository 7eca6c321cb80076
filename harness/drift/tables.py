"""Tables of translation drift, from counts and from cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.drift.measure import Drift, DriftCounts, Verdicts, drift, drift_counts
from harness.drift.pairs import pairs_gate
from harness.errors import DataError
from harness.stats.multiple import adjust
from harness.table import Table, Value, percent
from harness.types import CellResult

STRICT, LIBERAL = "strict", "liberal"
ORIGINAL, TRANSLATED, OPEN = "original", "translated", "not told apart"
COLUMNS = (
    *("model", "original", "translated", "scoring", "n", "original_right", "translated_right"),
    *("original_pct", "original_low_pct", "original_high_pct"),
    *("translated_pct", "translated_low_pct", "translated_high_pct"),
    *("both", "original_only", "translated_only", "neither"),
    *("difference_pp", "low_pp", "high_pp", "degenerate", "alternative", "p_one_sided"),
    *("p_two_sided", "p_mcnemar_exact", "p_holm", "better", "power_pct", "mde_pp"),
    *("pairs_needed", "undecided_pairs", "range_low_pp", "range_high_pp", "settled", "excluded"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class DriftSettings:
    """What the table depends on besides the cells.

    `pairs` are (original, translated) names of data entries. `alternative`, `level`, `alpha`,
    `power` and `interval` are as in `harness.drift.measure.drift`.
    """

    pairs: tuple[tuple[str, str], ...]
    alternative: str = "greater"
    level: float = 0.95
    alpha: float = 0.05
    power: float = 0.8
    interval: str = "percentile"


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedCell:
    """Liberal verdicts of one judge, under one prompt, on a model's answers to one data entry."""

    judge: str
    verdicts: Verdicts


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """One row of the table: who was asked what, how it was scored, and what came out."""

    model: str
    original: str
    translated: str
    scoring: str
    counts: DriftCounts

    @property
    def name(self) -> str:
        """The row in one text."""
        return f"{self.model}: {self.original} - {self.translated}, {self.scoring}"


def drift_table(rows: Sequence[Comparison], settings: DriftSettings) -> Table:
    """Write comparisons as a table, with Holm's correction over the rows of each scoring.

    Parameters
    ----------
    rows : the comparisons, in the order of the table.
    settings : `pairs` plays no part here.

    Returns
    -------
    Table
        `better` is the language that is answered right more often at Holm's adjusted two-sided
        p ≤ alpha, else "not told apart". Strict and liberal rows are families of their own.

    Raises
    ------
    DataError, StatisticsError
        As `harness.drift.measure.drift`.
    """
    found = [
        drift(
            row.counts,
            alternative=settings.alternative,
            level=settings.level,
            alpha=settings.alpha,
            power=settings.power,
            interval=settings.interval,
        )
        for row in rows
    ]
    adjusted: dict[int, tuple[float, bool]] = {}
    families = []
    for scoring in dict.fromkeys(row.scoring for row in rows):
        places = [place for place, row in enumerate(rows) if row.scoring == scoring]
        holm = adjust([found[place].mcnemar for place in places], settings.alpha, "holm")
        for place, p, reject in zip(places, holm.adjusted, holm.reject, strict=True):
            adjusted[place] = p, bool(reject)
        members = "; ".join(rows[place].name for place in places)
        families.append(f"{len(places)} {scoring} ({members})")
    made = tuple(
        _row(row, what, *adjusted[place])
        for place, (row, what) in enumerate(zip(rows, found, strict=True))
    )
    return Table(name="translation_drift", columns=COLUMNS, rows=made, note=_note(families))


def drift_of_cells(
    results: Sequence[CellResult],
    settings: DriftSettings,
    liberal: Mapping[tuple[str, str], JudgedCell] | None = None,
) -> Table:
    """Compare every model's cells in two languages.

    Parameters
    ----------
    results : whole cells with one answer an example, in any order. A model may be asked one data
        entry under one prompt, view and decoding only.
    settings : the pairs of data entries, and the rest.
    liberal : (data entry, model) to a judge's verdicts; without it only strict rows are made.

    Returns
    -------
    Table
        Strict, then liberal rows, by pair and model; models in the order of their names.

    Raises
    ------
    DataError
        Where a cell of a pair is missing, twice or asked otherwise than its partner; where the
        two languages differ in golds, kinds, choices or pictures; where the two sides were judged
        by different judges or on one side only, or verdicts are missing.
    StatisticsError
        As `harness.drift.measure.drift`.
    """
    cells: dict[tuple[str, str], CellResult] = {}
    named = {name for both in settings.pairs for name in both}
    for result in results:
        key = result.cell.data, result.cell.model.name
        if result.cell.data in named and key in cells:
            raise DataError(
                f"drift: {key[1]} on {key[0]}: expected one cell, found {cells[key].cell.id} and "
                f"{result.cell.id}; keep one prompt, view and decoding"
            )
        cells[key] = result
    rows: dict[str, list[Comparison]] = {STRICT: [], LIBERAL: []}
    for original, translated in settings.pairs:
        models = {name for data, name in cells if data in (original, translated)}
        if not models:
            raise DataError(f"drift: expected cells of {original} and {translated}, found none")
        for model in sorted(models):
            both = [_cell(cells, name, model) for name in (original, translated)]
            _check_alike(*both)
            out = {s.example_id for r in both for s in r.scores if not s.counted}
            strict = [{s.example_id: s.correct for s in r.scores} for r in both]
            kinds: dict[str, list[Verdicts]] = {STRICT: [*strict]}
            if liberal is not None:
                judged = _judged(liberal, (original, model), (translated, model))
                for result, verdicts in zip(both, judged, strict=True):
                    _check_verdicts(result, verdicts)
                kinds[LIBERAL] = judged
            for scoring, (first, second) in kinds.items():
                rows[scoring].append(
                    Comparison(
                        model=model,
                        original=original,
                        translated=translated,
                        scoring=scoring,
                        counts=drift_counts(first, second, excluded=out),
                    )
                )
    return drift_table([*rows[STRICT], *rows[LIBERAL]], settings)


def _cell(cells: Mapping[tuple[str, str], CellResult], data: str, model: str) -> CellResult:
    if (data, model) not in cells:
        raise DataError(f"drift: expected a cell of {model} on {data}, found none; run it first")
    return cells[data, model]


def _check_alike(original: CellResult, translated: CellResult) -> None:
    a, b = original.cell, translated.cell
    for name in ("model", "view", "prompt", "decoding", "tier", "variant", "replicates"):
        if getattr(a, name) != getattr(b, name):
            raise DataError(f"drift: {a.id} and {b.id}: expected the same {name}, found two")
    if a.replicates != 1:
        raise DataError(f"drift: {a.id}: expected one answer an example, found {a.replicates}")
    verdict = pairs_gate(original.examples, translated.examples, max_untranslated=1.0)
    if not verdict.go:
        said = "; ".join(map(str, verdict.issues))
        raise DataError(f"drift: {a.data} and {b.data} are not one set in two languages: {said}")


def _judged(
    liberal: Mapping[tuple[str, str], JudgedCell], first: tuple[str, str], second: tuple[str, str]
) -> list[Verdicts]:
    for key in (first, second):
        if key not in liberal:
            raise DataError(f"drift: expected verdicts on {key[1]}, {key[0]}, found none")
    a, b = liberal[first], liberal[second]
    if a.judge != b.judge:
        raise DataError(
            f"drift: {first[1]} on {first[0]} and {second[0]}: expected one judge, found {a.judge} "
            f"and {b.judge}"
        )
    return [a.verdicts, b.verdicts]


def _check_verdicts(result: CellResult, verdicts: Verdicts) -> None:
    missing = [key for key in result.example_ids if key not in verdicts]
    if missing or len(verdicts) != len(result.examples):
        raise DataError(
            f"drift: {result.cell.id}: expected a verdict of each of {len(result.examples)} "
            f"examples, found {len(verdicts)}, {len(missing)} missing: {', '.join(missing[:5])}"
        )


def _row(row: Comparison, found: Drift, holm: float, reject: bool) -> dict[str, Value]:
    counts, spread = row.counts, row.counts.spread
    better = OPEN
    if reject:
        better = ORIGINAL if counts.original_only > counts.translated_only else TRANSLATED
    values: list[Value] = [row.model, row.original, row.translated, row.scoring, counts.n]
    values += [counts.original_right, counts.translated_right]
    for share in (found.original, found.translated):
        values += [percent(share.value), percent(share.low), percent(share.high)]
    values += [counts.both, counts.original_only, counts.translated_only, counts.neither]
    gap = found.difference
    values += [percent(gap.value), percent(gap.low), percent(gap.high), gap.degenerate]
    values += [found.one_sided.alternative, found.one_sided.p, found.two_sided.p, found.mcnemar]
    values += [holm, better, percent(found.power), percent(found.mde), found.pairs_needed]
    values += (
        [None, None, None, None]
        if spread is None
        else [spread.n_open, percent(spread.low), percent(spread.high), spread.settled]
    )
    values.append(len(counts.excluded))
    return dict(zip(COLUMNS, values, strict=True))


def _note(families: Sequence[str]) -> str:
    return (
        "Differences are original minus translated; their intervals are quantiles of the exact "
        "bootstrap distribution over pairs, those of the accuracies Wilson's. p_one_sided is the "
        "sign test under the named alternative; p_two_sided doubles the smaller tail and is exact "
        "McNemar, one and the same test. The power is that of exact McNemar at the observed "
        "shares, pairs_needed the pairs for the wanted power at them. An undecided verdict counts "
        "as wrong; range_low_pp and range_high_pp are the difference with all of them decided "
        "against and in favour of the original. Rows that are no answer of a model leave both "
        f"sides. Families under Holm's correction: {'; '.join(families) or 'none'}."
    )


__all__ = [
    "COLUMNS",
    "LIBERAL",
    "OPEN",
    "ORIGINAL",
    "STRICT",
    "TRANSLATED",
    "Comparison",
    "DriftSettings",
    "JudgedCell",
    "drift_of_cells",
    "drift_table",
]
