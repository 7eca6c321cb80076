"""What the tables of an intervention study permit to say, from their numbers alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from harness.interventions.readings import BASELINE
from harness.interventions.settings import InterventionSettings
from harness.stats.multiple import holm
from harness.table import Table, Value

COLUMNS = ("question", "table", "permitted_interpretation")
_MISSING = "None: the table was not computed."
_LEVEL = " At the claim level of its data: on generated data (L0) a mechanism check only."
_BEHAVIOUR = (
    " It describes answers to these edits, not what a judge computes, and not a deployed system."
)


def permitted_interpretation(tables: Mapping[str, Table], settings: InterventionSettings) -> Table:
    """One or two sentences for each question of the study, under the policy `wrong`.

    "May be claimed" needs an interval that leaves out 0 and, within the family of the declared
    tolerance, rejection after Holm's correction. Where a table has no rows nothing is permitted.

    Parameters
    ----------
    tables : by name, of `intervention_tables`.
    settings : what they were made with.
    """
    rules: dict[str, tuple[str, Callable[[Table, InterventionSettings], str]]] = {
        "Do judges of equal static accuracy adapt alike?": ("matched_pairs", _matched),
        "Do judges that answer every base right adapt alike?": ("judge_cells", _perfect_base),
        "Do relevant and irrelevant edits have the same effect?": ("judge_cells", _effects),
        "Does the order of the candidates matter?": ("position_bias", _position),
        "Is adapting specific to its factor?": ("specificity", _specific),
        "Do interventions predict an outcome?": ("outcome_prediction", _prediction),
    }
    rows = []
    for question, (name, rule) in rules.items():
        table = tables.get(name)
        text = _MISSING
        if table is not None and table.rows:
            text = rule(table, settings) + _LEVEL + _BEHAVIOUR
        rows.append(dict(zip(COLUMNS, (question, name, text), strict=True)))
    note = "Each text follows from the rows of its table by a fixed rule; none claims equality."
    return Table(name="permitted_interpretation", columns=COLUMNS, rows=tuple(rows), note=note)


def _matched(table: Table, settings: InterventionSettings) -> str:
    rows = [r for r in _ours(table) if r["declared"] and r["metric"] == "RA"]
    if not rows:
        return f"No two judges lie within {settings.declared_pp:g} points of static accuracy."
    claimed, open_ = [], []
    for row in rows:
        ends = f"{_pp(row['ci_low_pp'])}, {_pp(row['ci_high_pp'])}"
        names = f"{row['first']} minus {row['second']}"
        if " and " in str(row["kinds"]):
            names += f" ({row['kinds']} judges, not ranked)"
        told = f"{row['factor']}: {names} {_pp(row['delta_pp'])}"
        if row["holm_reject"] and _outside(row["ci_low_pp"], row["ci_high_pp"]):
            claimed.append(f"{told} [{ends}]")
        else:
            seen = row["minimum_detectable_gap_pp"]
            could = "no triplet tells them apart"
            if seen is not None:
                could = f"{_pp(seen, signed=False)} could be seen"
            open_.append(f"{told} [{ends}], {could}")
    text = (
        f"Of {len(rows)} pairs within {settings.declared_pp:g} points of observed static accuracy, "
        f"a gap of relevant adaptation may be claimed for {len(claimed)} after Holm's correction "
        f"at {settings.alpha:g}"
    )
    text += f": {'; '.join(claimed)}." if claimed else "."
    return text + (f" Not claimed: {'; '.join(open_)}." if open_ else "")


def _perfect_base(table: Table, settings: InterventionSettings) -> str:
    parts = []
    rows = _ours(table)
    for factor in dict.fromkeys(r["factor"] for r in rows):
        perfect = [
            (float(ra), str(r["model"]))
            for r in rows
            if r["factor"] == factor and r["n_base_correct"] == r["n_triplets"]
            if r["kind"] != BASELINE
            if isinstance(ra := r["RA"], int | float)
        ]
        if len(perfect) > 1:
            low, high = min(perfect), max(perfect)
            parts.append(
                f"{factor}: {len(perfect)} judges, relevant adaptation {low[0]:.1%} ({low[1]}) to "
                f"{high[0]:.1%} ({high[1]})"
            )
    if not parts:
        return "On no factor do two judges answer every base picture right."
    return f"Observed, without a test: {'; '.join(parts)}."


def _effects(table: Table, settings: InterventionSettings) -> str:
    rows = [r for r in _ours(table) if r["kind"] != BASELINE]
    stuck = [
        f"{r['model']}/{r['factor']}"
        for r in rows
        if isinstance(r["retention_relevant"], int | float) and r["retention_relevant"] > 0.5
    ]
    text = (
        f"In {len(stuck)} of {len(rows)} cells most base-correct answers stay as they were after "
        "the relevant edit, where staying is wrong"
    )
    return text + (f": {', '.join(stuck)}." if stuck else ".")


def _position(table: Table, settings: InterventionSettings) -> str:
    tested = [row for row in table.rows if isinstance(row["p"], int | float)]
    kept = holm([float(row["p"] or 0.0) for row in tested], settings.alpha).reject
    found = [
        f"{row['model']}/{row['factor']}/{row['part']}"
        for row, rejected in zip(tested, kept, strict=True)
        if rejected
    ]
    text = (
        f"An effect of the order may be claimed in {len(found)} of {len(tested)} parts after "
        f"Holm's correction at {settings.alpha:g}"
    )
    text += f": {', '.join(found)}." if found else "."
    return f"{text} Figures of the frozen order alone hold for that order."


def _specific(table: Table, settings: InterventionSettings) -> str:
    parts = []
    for row in _ours(table):
        ends = f"{_pp(row['ci_low'])}, {_pp(row['ci_high'])}"
        parts.append(f"{row['behaviour']} on {row['outcome']} {_pp(row['specificity'])} [{ends}]")
    specific = [r for r in _ours(table) if isinstance(low := r["ci_low"], int | float) and low > 0]
    families = ", ".join(sorted({str(row["n_families"]) for row in table.rows}))
    return (
        f"Specific in {len(specific)} of {len(parts)} analyses: {'; '.join(parts)}. Without "
        f"correction, over {families} families: exploratory."
    )


def _prediction(table: Table, settings: InterventionSettings) -> str:
    rows = [r for r in _ours(table) if r["predictors"] != "A"]
    better = [r for r in rows if isinstance(c := r["mae_change_pp"], int | float) and c < 0]
    return (
        f"Adding PFC and PSC to static accuracy lowers the error on unseen families in "
        f"{len(better)} of {len(rows)} analyses; no interval is given, so nothing may be claimed "
        "beyond these judges."
    )


def _ours(table: Table) -> Sequence[Mapping[str, Value]]:
    return [row for row in table.rows if row["policy"] == "wrong"]


def _outside(low: Value, high: Value) -> bool:
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    return low > 0 or high < 0


def _pp(value: Value, *, signed: bool = True) -> str:
    if not isinstance(value, int | float):
        return "undefined"
    return f"{value:+.2f}" if signed else f"{value:.2f}"


__all__ = ["COLUMNS", "permitted_interpretation"]
