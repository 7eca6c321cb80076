"""What a distractor's meaning adds: six semantic panels against clean and against two blanks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

from harness.robustness.archive import Archive, Place, Row
from harness.robustness.settings import BLANK, SEMANTIC, TableSettings
from harness.stats.agreement import agree
from harness.stats.checks import StatisticsError
from harness.stats.contrasts import layout_decomposition
from harness.stats.resampling import bootstrap_interval
from harness.stats.semantic import semantic_differences
from harness.table import Table, Value, lacking, percent, ratio

COLUMNS = (
    *("model", "comparison", "n_rows", "semantic_trials", "clean_accuracy_pct"),
    *("matched_blank_accuracy_pct", "mean_semantic_accuracy_pct", "mean_delta_pp", "ci_low_pp"),
    *("ci_high_pp", "semantic_blank_answer_agreement_pct", "layout_share_pct"),
    *("minimum_detectable_effect_pp", "alpha", "power", "n_dropped", "n_unpaired"),
    *("bootstrap_repeats", "bootstrap_seed", "ci_level", "ci_method"),
)
COMPARISONS = ("semantic_mean_minus_clean", "semantic_mean_minus_matched_blank")
_FEW = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class SemanticCounts:
    """Right answers over `n` examples that count under all nine conditions.

    `correct_blank` is over 2 n rows, `correct_semantic` over 6 n; `n_agree` of the 6 n semantic
    answers equal that on the blank panel of the same side. `against_clean` and `against_blank`
    are the differences example by example, in the order of the ids; empty where only totals
    were published, which leaves the interval undefined.
    """

    n: int
    correct_clean: int
    correct_blank: int
    correct_semantic: int
    n_agree: int
    against_clean: Sequence[float] = field(default=())
    against_blank: Sequence[float] = field(default=())
    dropped: tuple[str, ...] = ()
    unpaired: tuple[str, ...] = ()


def count_semantic(cells: Mapping[str, Mapping[str, Row]], on_unpaired: str) -> SemanticCounts:
    """Join the nine conditions of one model by example id.

    Parameters
    ----------
    cells : rows by id, of `clean` and each condition of `BLANK` and `SEMANTIC`.
    on_unpaired : "error" or "report", for ids that a condition lacks.

    Raises
    ------
    StatisticsError
        `unpaired_ids`.
    """
    names = ("clean", *BLANK, *SEMANTIC)
    every = set().union(*(cells[name] for name in names))
    shared = set(every).intersection(*(cells[name] for name in names))
    unpaired = tuple(sorted(every - shared))
    if unpaired and on_unpaired == "error":
        raise StatisticsError(
            "unpaired_ids",
            f"expected the same ids under {len(names)} conditions, found {len(unpaired)} that one "
            f"of them lacks ({', '.join(unpaired[:_FEW])})",
        )
    dropped = {i for i in shared if any(cells[name][i].correct is None for name in names)}
    kept = sorted(shared - dropped)

    def right(name: str, i: str) -> float:
        return float(cells[name][i].correct is True)

    semantic = [[right(name, i) for name in SEMANTIC] for i in kept]
    blank = [[right(name, i) for name in BLANK] for i in kept]
    clean = [[right("clean", i)] for i in kept]
    matched = {name: blank_of for name in SEMANTIC for blank_of in BLANK if _side(name, blank_of)}
    return SemanticCounts(
        n=len(kept),
        correct_clean=sum(int(row[0]) for row in clean),
        correct_blank=sum(int(sum(row)) for row in blank),
        correct_semantic=sum(int(sum(row)) for row in semantic),
        n_agree=sum(
            agree(cells[name][i].answer, cells[matched[name]][i].answer)
            for name in SEMANTIC
            for i in kept
        ),
        against_clean=semantic_differences(semantic, clean),
        against_blank=semantic_differences(semantic, blank),
        dropped=tuple(sorted(dropped)),
        unpaired=unpaired,
    )


def semantic_rows(
    model: str, counts: SemanticCounts, settings: TableSettings
) -> list[dict[str, Value]]:
    """The two rows of `semantic_seed_aggregate` for one model."""
    c, trials = counts, len(SEMANTIC) * counts.n
    clean, blank = len(SEMANTIC) * c.correct_clean, len(SEMANTIC) // len(BLANK) * c.correct_blank
    split = layout_decomposition(c.correct_semantic - clean, c.correct_semantic - blank, trials)
    rows = []
    for comparison, base, differences in zip(
        COMPARISONS, (clean, blank), (c.against_clean, c.against_blank), strict=True
    ):
        (found,) = bootstrap_interval(
            [differences],
            settings.level,
            "percentile",
            settings.n_resamples,
            settings.analysis_seed,
        )
        values = (
            *(model, comparison, c.n, trials, ratio(c.correct_clean, c.n, 100)),
            *(ratio(c.correct_blank, len(BLANK) * c.n, 100),),
            *(ratio(c.correct_semantic, trials, 100),),
            *(ratio(c.correct_semantic - base, trials, 100),),
            *(percent(found.low), percent(found.high), ratio(c.n_agree, trials, 100)),
            *(percent(split.layout_share), percent(_detectable(differences, settings))),
            *(settings.alpha, settings.power, len(c.dropped), len(c.unpaired)),
            *(settings.n_resamples, settings.analysis_seed, settings.level, found.method),
        )
        rows.append(dict(zip(COLUMNS, values, strict=True)))
    return rows


def semantic_seed_aggregate(cells: Archive, settings: TableSettings) -> Table:
    """Mean over three distractors on two sides against clean, and against the blank panels."""
    name = "semantic_seed_aggregate"
    places = {
        model: {c: Place("design", model, c, settings.paper) for c in ("clean", *BLANK, *SEMANTIC)}
        for model in settings.models
    }
    found, missing = cells.take(p for by_view in places.values() for p in by_view.values())
    if missing:
        return lacking(name, COLUMNS, missing)
    rows: list[dict[str, Value]] = []
    for model, by_view in places.items():
        by_condition = {condition: found[place].first for condition, place in by_view.items()}
        counts = count_semantic(by_condition, settings.on_unpaired)
        rows += semantic_rows(model, counts, settings)
    note = (
        "Example by example: the mean over 6 semantic panels (3 distractors on 2 sides) minus "
        "clean, or minus the mean of the 2 blank panels; examples are redrawn, B = "
        f"{settings.n_resamples}, seed {settings.analysis_seed}, level {settings.level:g}. "
        "Agreement is with the blank panel of the same side. layout_share is the part of the "
        "effect against clean that blank panels have too; beyond 0 to 100 where they differ in "
        "sign. Fixed canvases do not fix the number of visual tokens."
    )
    return Table(name=name, columns=COLUMNS, rows=tuple(rows), note=note)


def _detectable(differences: Sequence[float], settings: TableSettings) -> float | None:
    """(z(1 - alpha / 2) + z(power)) · sd / √n; None where the differences do not vary."""
    n = len(differences)
    if n < 2:
        return None
    mean = math.fsum(differences) / n
    spread = math.sqrt(math.fsum((d - mean) ** 2 for d in differences) / (n - 1))
    normal = NormalDist()
    z = normal.inv_cdf(1 - settings.alpha / 2) + normal.inv_cdf(settings.power)
    return z * spread / math.sqrt(n) if spread else None


def _side(panel: str, blank: str) -> bool:
    return panel.rpartition("_")[2] == blank.rpartition("_")[2]


__all__ = [
    "COLUMNS",
    "COMPARISONS",
    "SemanticCounts",
    "count_semantic",
    "semantic_rows",
    "semantic_seed_aggregate",
]
