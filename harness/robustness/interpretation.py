"""What the tables permit to say, in words that follow from their numbers alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist

from harness.robustness.settings import TableSettings
from harness.stats.multiple import holm
from harness.table import Table, Value

COLUMNS = ("question", "table", "permitted_interpretation")
_MISSING = "None: the table was not computed."
_LEVEL = " At the claim level of its data: on generated data (L0) a mechanism check only."


def permitted_interpretation(tables: Mapping[str, Table], settings: TableSettings) -> Table:
    """One sentence or two for each question of the study.

    "May be claimed" needs an interval that leaves out 0 and, over all comparisons of the table,
    p at most alpha after Holm's correction; in the family of twelve the correction alone decides.
    An interval that leaves out 0 without it is told as uncorrected. Every text ends with the level
    that it is at most true at. Where a table has no rows nothing is permitted.

    Parameters
    ----------
    tables : by name, of `study_tables`.
    settings : the alpha, the levels and the focus that they were made with.
    """
    rules: dict[str, tuple[str, Callable[[Table, TableSettings], str]]] = {
        "Do the models differ on clean pictures?": ("reproduction_paired_deltas", _deltas),
        "Do altered pictures change accuracy?": ("robustness_paired", _robustness),
        "Is a distractor's effect that of its content?": ("semantic_seed_aggregate", _semantic),
        "Does the agreement of two prompts select?": ("heldout_gate_uplift", _gate),
        "Do repeated answers select?": ("self_consistency_risk_coverage", _votes),
        "Do five views help at equal pixels?": ("multiview_budgeted_paired", _views),
        "Does the ranking of the models hold?": ("ranking_stability", _ranking),
    }
    rows = []
    for question, (name, rule) in rules.items():
        table = tables.get(name)
        found = table is not None and table.rows
        text = rule(table, settings) + _LEVEL if table is not None and found else _MISSING
        rows.append(dict(zip(COLUMNS, (question, name, text), strict=True)))
    note = (
        "Each text follows from the rows of its table by a fixed rule; claims of no effect are "
        "never among them, only what could have been seen."
    )
    return Table(name="permitted_interpretation", columns=COLUMNS, rows=tuple(rows), note=note)


def _deltas(table: Table, settings: TableSettings) -> str:
    parts = []
    kept = _holm([row["mcnemar_exact_p"] for row in table.rows], settings)
    for row, corrected in zip(table.rows, kept, strict=True):
        names = f"{row['right']} minus {row['left']}"
        ends = _ends(row, "delta_ci_low", "delta_ci_high", 100)
        told = f"{_pp(row['accuracy_delta'], 100)} [{ends}]"
        if corrected and _outside(row, "delta_ci_low", "delta_ci_high"):
            parts.append(f"{names}: a difference of {told} points may be claimed")
        else:
            seen = _pp(row["minimum_detectable_effect"], 100, signed=False)
            told += f"; {seen} could be seen alone"
            parts.append(f"{names}: no difference may be claimed ({told})")
    size = len(table.rows)
    return f"{'; '.join(parts)}. Holm's correction over {size} at {settings.alpha:g}."


def _robustness(table: Table, settings: TableSettings) -> str:
    kept = [f"{r['model_key']}/{r['right']}" for r in table.rows if r["holm_reject"]]
    turnover = [float(v) for r in table.rows if (v := r["answer_turnover"]) is not None]
    size = len(table.rows)
    found = f"{', '.join(kept)} differ" if kept else "none may be claimed to differ"
    text = f"Of {size} comparisons, after Holm's correction at {settings.alpha:g}, {found}."
    if turnover:
        low, high = min(turnover), max(turnover)
        text += (
            f" Equal accuracy is not equal answers: {low:.1%} to {high:.1%} of the answers change."
        )
    return text


def _semantic(table: Table, settings: TableSettings) -> str:
    parts = []
    corrected = _holm([_normal_p(row, settings) for row in table.rows], settings)
    rows = list(zip(table.rows, corrected, strict=True))
    for (clean, clean_kept), (blank, blank_kept) in zip(rows[::2], rows[1::2], strict=True):
        seen = [_outside(row, "ci_low_pp", "ci_high_pp") for row in (clean, blank)]
        apparent, content = seen[0] and clean_kept, seen[1] and blank_kept
        deltas = (_pp(row["mean_delta_pp"]) for row in (clean, blank))
        told = "{} against clean, {} against blank".format(*deltas)
        if apparent and content:
            text = "an effect of the content may be claimed"
        elif apparent:
            text = "an effect of the altered picture may be claimed, of its content not"
        elif content:
            text = "an effect of the content may be claimed, though none against clean"
        else:
            text = "no effect may be claimed"
        weak = [
            name
            for name, outside, kept in zip(
                ("clean", "blank"), seen, (clean_kept, blank_kept), strict=True
            )
            if outside and not kept
        ]
        if weak:
            text += f"; uncorrected, exploratory: against {' and '.join(weak)}"
        parts.append(f"{clean['model']}: {text} ({told})")
    return (
        f"{'; '.join(parts)}. Holm's correction over {len(rows)} at {settings.alpha:g}, p from "
        "the normal approximation."
    )


def _gate(table: Table, settings: TableSettings) -> str:
    row = table.rows[-1]
    names = {
        str(r["comparison"]): _outside(r, "uplift_ci_low_pp", "uplift_ci_high_pp", above=True)
        for r in table.rows
    }
    coverage = row["coverage_pct"]
    if not all(names.values()):
        failed = ", ".join(name for name, held in names.items() if not held)
        return f"No gain over random acceptance may be claimed ({failed})."
    text = (
        f"Accepted answers are right more often than as many accepted at random, by "
        f"{_pp(row['selective_accuracy_uplift_pp'])} points with type and category matched: a "
        "trade-off of coverage for accuracy"
    )
    if isinstance(coverage, float) and coverage < 50:
        text += f", no failure detector: coverage is {coverage:.1f} %"
    return text + "."


def _votes(table: Table, settings: TableSettings) -> str:
    better = [
        row
        for row in table.rows
        if row["threshold"] is not None and _above(row["selective_accuracy_ci_low_pct"], row)
    ]
    n = sum(row["threshold"] is not None for row in table.rows)
    text = (
        f"In {len(better)} of {n} gates accepted answers' interval lies above the accuracy of all"
    )
    if better:
        text += (
            ": agreement of one prompt with itself selects too, so what two prompts select is not "
            "peculiar to them"
        )
    return f"{text}. Exploratory: on the part that prompts were developed on."


def _views(table: Table, settings: TableSettings) -> str:
    claimed = [
        f"{r['condition']}/{r['prompt_mode']} ({_pp(r['delta_pp'])})"
        for r in table.rows
        if _differs(r, "ci_low_pp", "ci_high_pp", settings)
    ]
    sides = [
        [float(v) for r in table.rows if (v := r[f"{side}_accuracy_pct"]) is not None]
        for side in ("left", "right")
    ]
    means = [f"{math.fsum(s) / len(s):.2f} %" if s else "undefined" for s in sides]
    text = f"Mean accuracy {means[0]} with one view and {means[1]} with five. "
    if not claimed:
        return text + f"In none of {len(table.rows)} comparisons may a difference be claimed."
    return text + f"Differences without correction, exploratory: {', '.join(claimed)}."


def _ranking(table: Table, settings: TableSettings) -> str:
    rankings = {str(row["ranking"]) for row in table.rows if row["ranking"] is not None}
    others = [row for row in table.rows if not row["baseline"]]
    same = sum(row["same_winner"] is True for row in others)
    if len(rankings) == 1:
        return f"One ranking under all {len(table.rows)} specifications: {rankings.pop()}."
    return (
        f"{len(rankings)} rankings under {len(table.rows)} specifications; the baseline's winner "
        f"leads alone in {same} of {len(others)} others. An order of the models may be claimed "
        "only together with its specification."
    )


def _holm(found: Sequence[Value], settings: TableSettings) -> tuple[bool, ...]:
    """Which of a family are rejected; an undefined p rejects nothing and still counts."""
    p = [float(value) if isinstance(value, int | float) else 1.0 for value in found]
    return holm(p, settings.alpha).reject


def _normal_p(row: Mapping[str, Value], settings: TableSettings) -> float | None:
    """Two-sided p of a mean difference, by the standard error in its smallest detectable effect.

    None where the differences do not vary, which leaves both undefined.
    """
    delta, seen = row["mean_delta_pp"], row["minimum_detectable_effect_pp"]
    if not isinstance(delta, int | float) or not isinstance(seen, int | float) or seen <= 0:
        return None
    normal = NormalDist()
    unit = normal.inv_cdf(1 - settings.alpha / 2) + normal.inv_cdf(settings.power)
    return math.erfc(abs(delta) * unit / seen / math.sqrt(2))


def _differs(row: Mapping[str, Value], low: str, high: str, settings: TableSettings) -> bool:
    p = row["mcnemar_exact_p"]
    return _outside(row, low, high) and isinstance(p, float) and p <= settings.alpha


def _outside(row: Mapping[str, Value], low: str, high: str, *, above: bool = False) -> bool:
    """Whether the interval leaves out 0, and lies above it where that is asked."""
    bottom, top = row[low], row[high]
    if not isinstance(bottom, int | float) or not isinstance(top, int | float):
        return False
    return bottom > 0 or (top < 0 and not above)


def _above(low: Value, row: Mapping[str, Value]) -> bool:
    base = row["baseline_accuracy_pct"]
    return isinstance(low, float) and isinstance(base, float) and low > base


def _ends(row: Mapping[str, Value], low: str, high: str, unit: int = 1) -> str:
    return f"{_pp(row[low], unit)}, {_pp(row[high], unit)}"


def _pp(value: Value, unit: int = 1, *, signed: bool = True) -> str:
    if not isinstance(value, int | float):
        return "undefined"
    return f"{unit * value:+.2f}" if signed else f"{unit * value:.2f}"


__all__ = ["COLUMNS", "permitted_interpretation"]
