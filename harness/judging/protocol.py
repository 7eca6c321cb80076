"""The judge protocol over stored verdicts: scores, agreement, sub-parts, families, one gate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from harness.judging.families import family, own_judge_lift, self_preference
from harness.judging.gates import MAX_UNDECIDED, MIN_KAPPA, judge_gate
from harness.judging.noise import by_problem, noise_floor, part_counts
from harness.judging.panel import Panel, Verdicts, agreement_table, panel
from harness.judging.rows import JudgeRow
from harness.stats.proportion import wilson
from harness.table import Table, Value, percent
from harness.types import Verdict

MAJORITY = "panel (majority)"
SCORES = (
    *("model", "data", "judge", "n", "strict_right", "strict_pct", "strict_low_pct"),
    *("strict_high_pct", "liberal_right", "liberal_pct", "liberal_low_pct", "liberal_high_pct"),
    *("undecided", "undecided_pct", "floor_pct", "ceiling_pct", "decided_pct", "reasons"),
)
PARTS = (
    *("model", "data", "judge", "problems", "right", "right_pct", "low_pct", "high_pct"),
    *("undecided", "parts", "parts_right", "parts_undecided", "left_out"),
)
FAMILIES = (
    *("judge", "model", "judge_family", "model_family", "shared", "other_judge", "n", "own_only"),
    *("other_only", "lift_pp", "lift_low_pp", "lift_high_pp", "p_mcnemar_exact"),
)
_ALPHA, _POWER = 0.05, 0.8
Answers = Mapping[tuple[str, str, str], Mapping[str, JudgeRow]]


def judge_protocol(
    rows: Sequence[JudgeRow],
    *,
    level: float = 0.95,
    known: Mapping[str, str] | None = None,
    max_undecided: float = MAX_UNDECIDED,
    min_kappa: float = MIN_KAPPA,
) -> Verdict:
    """Read stored verdicts as the protocol asks.

    Parameters
    ----------
    rows : of any judges, models and data sets, in any order; several judges of one answer form a
        panel, over the answers that all of them judged.
    level : of all intervals, strictly between 0 and 1.
    known : name to family, for judges and models whose name does not say it.
    max_undecided, min_kappa : as in `harness.judging.gates.judge_gate`.

    Returns
    -------
    Verdict
        The issues and facts of `judge_gate`, with the tables `judge_scores` (strict and liberal
        accuracy, the undecided rows and the range that they leave), `judge_agreement` (no rows
        with one judge), `judge_parts` (AND over the sub-questions of a problem; no rows without
        any) and `judge_families` (with the lift of a judge of the model's own family over each
        judge of another one). Agreement, kappa and lift leave strict matches out: these are right
        whatever a judge says, and judges would agree on them without having looked.

    Raises
    ------
    StatisticsError
        `invalid_level`.
    DataError
        Where the sub-questions of a problem stand beside whole questions of one set.

    References
    ----------
    Physics-R1 (2026); docs/drift.md.

    Examples
    --------
    >>> row = JudgeRow(judge="gpt-4o", model="qwen-vl", data="d", id="q", strict=False,
    ...                liberal=None, rule="no_verdict")
    >>> [issue.code for issue in judge_protocol([row]).issues]
    ['one_judge', 'undecided_above']
    """
    cells: dict[tuple[str, str, str], dict[str, JudgeRow]] = {}
    for row in sorted(rows, key=lambda r: (r.model, r.data, r.judge)):
        cells.setdefault((row.model, row.data, row.judge), {})[row.id] = row
    judges = list(dict.fromkeys(sorted(row.judge for row in rows)))
    found = _panel(cells, judges)
    open_cells = {
        key: {name: row for name, row in cell.items() if not row.strict}
        for key, cell in cells.items()
    }
    agreed = _panel(open_cells, judges)
    asked = sorted({(judge, model) for model, _, judge in cells})
    pairs = [self_preference(judge, model, known) for judge, model in asked]
    floors = [
        (f"{model}/{data}/{judge}", noise_floor(*_counts(cell.values()), level))
        for (model, data, judge), cell in cells.items()
    ]
    verdict = judge_gate(floors, pairs, agreed, max_undecided=max_undecided, min_kappa=min_kappa)
    shown = agreed or panel({judge: {} for judge in judges or ["none"]})
    kinds = {judge: family(judge, known) for judge in judges}
    voted = {**cells, **_majority(cells, found)}
    tables = (
        _scores(voted, level),
        agreement_table(shown, level, kinds),
        _parts(voted, level),
        _families(open_cells, asked, known, level),
    )
    return replace(verdict, tables=tables)


def _panel(cells: Answers, judges: Sequence[str]) -> Panel | None:
    """The panel over the answers that every judge judged; None with one judge or none such."""
    votes: dict[str, dict[str, bool | None]] = {judge: {} for judge in judges}
    for (model, data, judge), cell in cells.items():
        votes[judge].update({_name(model, data, key): row.liberal for key, row in cell.items()})
    seen = Counter(key for found in votes.values() for key in found)
    common = sorted(key for key, n in seen.items() if n == len(judges))
    if len(judges) < 2 or not common:
        return None
    return panel({judge: {key: votes[judge][key] for key in common} for judge in judges})


def _majority(
    cells: Answers, found: Panel | None
) -> dict[tuple[str, str, str], dict[str, JudgeRow]]:
    """The panel as one more judge."""
    made: dict[tuple[str, str, str], dict[str, JudgeRow]] = {}
    for (model, data, _), cell in cells.items() if found is not None else ():
        for key, row in cell.items():
            name = _name(model, data, key)
            if found is not None and name in found.majority:
                verdict = found.majority[name]
                rule = "majority" if verdict is not None else "no_majority"
                voted = replace(row, judge=MAJORITY, liberal=verdict, rule=rule)
                made.setdefault((model, data, MAJORITY), {})[key] = voted
    return made


def _name(model: str, data: str, key: str) -> str:
    return f"{model}\x1f{data}\x1f{key}"


def _counts(rows: Iterable[JudgeRow]) -> tuple[int, int, int]:
    verdicts = [row.liberal for row in rows]
    return verdicts.count(True), verdicts.count(None), len(verdicts)


def _scores(cells: Answers, level: float) -> Table:
    rows = []
    for key, cell in sorted(cells.items()):
        right, undecided, n = _counts(cell.values())
        strict_right = sum(row.strict for row in cell.values())
        strict, liberal = wilson(strict_right, n, level), wilson(right, n, level)
        floor = noise_floor(right, undecided, n, level)
        why = Counter(row.rule for row in cell.values() if row.liberal is None)
        values: list[Value] = [*key, n, strict_right]
        values += [percent(x) for x in (strict.value, strict.low, strict.high)] + [right]
        values += [percent(x) for x in (liberal.value, liberal.low, liberal.high)] + [undecided]
        values += [percent(floor.undecided_rate.value), percent(floor.low), percent(floor.high)]
        values += [percent(floor.decided), "; ".join(f"{k} {v}" for k, v in sorted(why.items()))]
        rows.append(dict(zip(SCORES, values, strict=True)))
    note = (
        "An undecided row counts as wrong; floor_pct and ceiling_pct are the liberal accuracy with "
        "all of them wrong and all right: smaller differences are noise of the judge. Intervals "
        f"are Wilson's at {level:g}. The panel decides by more than half of all judges, over the "
        "answers that all of them judged."
    )
    return Table(name="judge_scores", columns=SCORES, rows=tuple(rows), note=note)


def _parts(cells: Answers, level: float) -> Table:
    whole: dict[tuple[str, str], dict[str, str]] = {}
    for (model, data, _), cell in cells.items():
        parts = whole.setdefault((model, data), {})
        parts.update({key: row.problem for key, row in cell.items()})
    rows = []
    for key, cell in sorted(cells.items()):
        problem_of = {name: problem for name, problem in whole[key[:2]].items() if problem}
        if not problem_of:
            continue
        out = {problem for name, problem in problem_of.items() if name not in cell}
        kept = {name: problem for name, problem in problem_of.items() if problem not in out}
        verdicts = {name: row.liberal for name, row in cell.items() if row.problem not in out}
        found = part_counts(by_problem(kept, verdicts))
        share = wilson(found.right, found.n, level)
        values: list[Value] = [*key, found.n, found.right]
        values += [percent(x) for x in (share.value, share.low, share.high)]
        values += [found.undecided, found.n_parts, found.parts_right, found.parts_undecided]
        values.append(len(out))
        rows.append(dict(zip(PARTS, values, strict=True)))
    note = (
        "A problem is right when all of its parts are, wrong as soon as one is, else undecided; "
        "undecided problems count as wrong. left_out are problems with a part that another judge "
        "judged and this one did not."
    )
    return Table(name="judge_parts", columns=PARTS, rows=tuple(rows), note=note)


def _families(
    cells: Answers, asked: Sequence[tuple[str, str]], known: Mapping[str, str] | None, level: float
) -> Table:
    rows = []
    for judge, model in asked:
        pair = self_preference(judge, model, known)
        head: list[Value] = [judge, model, pair.judge_family, pair.model_family, pair.shared]
        others = [
            other
            for other, judged in asked
            if judged == model and self_preference(other, model, known).shared is False
        ]
        lifts = [(o, _lift(cells, model, judge, o, level)) for o in others if pair.shared]
        for tail in [[other, *lift] for other, lift in lifts] or [[None] * 8]:
            rows.append(dict(zip(FAMILIES, [*head, *tail], strict=True)))
    note = (
        "shared is true where judge and model are of one family, empty where a name does not say "
        "its own, which is no clearance. The lift is how much more often the own judge says right "
        "than the other, on answers that both decided and that are no strict match; a lenient "
        "judge shows the same, so compare it on a model of a third family."
    )
    return Table(name="judge_families", columns=FAMILIES, rows=tuple(rows), note=note)


def _lift(cells: Answers, model: str, judge: str, other: str, level: float) -> list[Value]:
    own, theirs = (_of(cells, model, name) for name in (judge, other))
    common = [key for key in own if key in theirs]
    found = own_judge_lift(
        {key: own[key] for key in common},
        {key: theirs[key] for key in common},
        level=level,
        alpha=_ALPHA,
        power=_POWER,
    )
    gap = found.difference
    return [
        *(found.n, found.n01, found.n10),
        *(percent(gap.value), percent(gap.low), percent(gap.high), found.p),
    ]


def _of(cells: Answers, model: str, judge: str) -> Verdicts:
    return {
        _name(model, data, key): row.liberal
        for (about, data, who), cell in cells.items()
        if (about, who) == (model, judge)
        for key, row in cell.items()
    }


__all__ = ["MAJORITY", "judge_protocol"]
