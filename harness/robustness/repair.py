"""What another scorer changes over the same responses: before and after, nothing overwritten."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from harness.robustness.archive import Archive, Row, made_row
from harness.robustness.settings import ARCHIVES, TableSettings
from harness.scoring import score
from harness.stats.resampling import bootstrap_interval
from harness.table import Table, Value, percent, ratio

COLUMNS = (
    *("dataset", "n", "old_correct", "new_correct", "old_accuracy_pct", "new_accuracy_pct"),
    *("accuracy_change_pp", "false_to_true", "true_to_false", "old_manual_review"),
    *("new_manual_review", "manual_review_change", "answer_changed", "errors"),
    *("remaining_manual_mc_nonerror", "remaining_manual_fr_nonerror", "n_questions"),
    *("accuracy_change_ci_low_pp", "accuracy_change_ci_high_pp", "old_scorer", "new_scorer"),
    *("bootstrap_repeats", "bootstrap_seed", "ci_level", "ci_method"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class RepairCounts:
    """Two scorings of `n` responses, `errors` of which failed and count as wrong and unread.

    `review` is (before, after): the responses without an answer that was read, failed, truncated
    and refused ones among them. `changes` is, response by response, 1 for up, -1 for down and 0
    otherwise, and `questions` the example id of each; both are empty where only totals were
    published, which leaves the interval undefined.
    """

    n: int
    errors: int
    old_correct: int
    up: int
    down: int
    review: tuple[int, int]
    answer_changed: int
    left_multiple_choice: int
    left_free_response: int
    changes: Sequence[int] = field(default=())
    questions: Sequence[str] = field(default=())


def count_repair(pairs: Iterable[tuple[Row, Row]]) -> RepairCounts:
    """Count the changes between two scorings of the same responses, (before, after) each."""
    rows = sorted(pairs, key=lambda both: both[1].example.id)
    changes = [(after.correct is True) - (before.correct is True) for before, after in rows]
    failed = [after.correct is None for _, after in rows]
    unread = [(before.answer is None, after.answer is None) for before, after in rows]
    left = [
        after.item_type
        for (_, after), (_, still), error in zip(rows, unread, failed, strict=True)
        if still and not error
    ]
    return RepairCounts(
        n=len(rows),
        errors=sum(failed),
        old_correct=sum(before.correct is True for before, _ in rows),
        up=changes.count(1),
        down=changes.count(-1),
        review=(sum(before for before, _ in unread), sum(after for _, after in unread)),
        answer_changed=sum(before.answer != after.answer for before, after in rows),
        left_multiple_choice=left.count("multiple_choice"),
        left_free_response=left.count("free_response"),
        changes=changes,
        questions=[after.example.id for _, after in rows],
    )


def repair_row(dataset: str, counts: RepairCounts, settings: TableSettings) -> dict[str, Value]:
    """A row of `scorer_repair_summary`; failed rows stay in the denominator, as published.

    The interval redraws questions, each with all its responses: the same question stands in many
    cells, so responses are not independent.
    """
    c = counts
    (found,) = bootstrap_interval(
        [c.changes],
        settings.level,
        "percentile",
        settings.n_resamples,
        settings.repair_seed,
        c.questions,
    )
    values = (
        *(dataset, c.n, c.old_correct, c.old_correct + c.up - c.down),
        *(ratio(c.old_correct, c.n, 100), ratio(c.old_correct + c.up - c.down, c.n, 100)),
        *(ratio(c.up - c.down, c.n, 100), c.up, c.down, *c.review, c.review[1] - c.review[0]),
        *(c.answer_changed, c.errors, c.left_multiple_choice, c.left_free_response),
        *(len(set(c.questions)) or None, percent(found.low), percent(found.high)),
        *(settings.repair_from, "default", settings.n_resamples, settings.repair_seed),
        *(settings.level, found.method),
    )
    return dict(zip(COLUMNS, values, strict=True))


def scorer_repair_summary(cells: Archive, settings: TableSettings) -> Table:
    """Every response under the policy `repair_from` against the scores at hand.

    By data entry and over all of them, each response once; and by published archive (core and
    extension), where a cell that two phases share stands in both, as published.
    """
    name = "scorer_repair_summary"
    if settings.repair_from is None:
        return Table(name=name, columns=COLUMNS, note="not computed: no scorer to compare with")
    once = {cell.key: cell for cell in cells.cells}
    pairs = {
        key: rescored([row for rows in cell.rows.values() for row in rows], settings.repair_from)
        for key, cell in once.items()
    }
    named = [
        (title, [key for key, cell in once.items() if cell.place.part == part])
        for part, title in cells.names.items()
    ]
    lacking = []
    for title, experiments in ARCHIVES.items():
        phases = {settings.phase(experiment) for experiment in experiments}
        held = [cell for cell in cells.cells if cell.condition.phase in phases]
        absent = sorted(phases.difference(cell.condition.phase for cell in held))
        named.append((title, [] if absent else [cell.key for cell in held]))
        lacking += [f" No row {title}: no cell of {', '.join(absent)}."] if absent else []
    named.append(("all", list(once)))
    rows = [
        repair_row(title, count_repair([both for k in keys for both in pairs[k]]), settings)
        for title, keys in named
        if keys
    ]
    note = (
        "core and extension are the published archives: a cell that two phases share counts in "
        "both. The data entries and all count each response once. "
        f"Old scorer: {settings.repair_from}; new scorer: the scores at hand. Failed rows stay in "
        "every count here, as published, and the manual_review columns count every response "
        "without an answer that was read: failed, truncated and refused ones too. Responses are "
        "raw and overwritten by neither. answer_changed compares the texts that the two took as "
        "the answer. The published counts of blank extractions and of changed methods are left "
        "out: the scorers name their rules differently, and the new one extracts nothing where "
        "it reads no answer. Interval: questions are redrawn with all their responses, B = "
        f"{settings.n_resamples}, seed {settings.repair_seed}, level {settings.level:g}."
        f"{''.join(lacking)}"
    )
    return Table(name=name, columns=COLUMNS, rows=tuple(rows), note=note)


def rescored(rows: Sequence[Row], policy: str) -> list[tuple[Row, Row]]:
    """Each row under another policy, beside itself."""
    return [
        (made_row(row.example, row.response, score(row.example, row.response, policy)), row)
        for row in rows
    ]


__all__ = [
    "COLUMNS",
    "RepairCounts",
    "count_repair",
    "repair_row",
    "rescored",
    "scorer_repair_summary",
]
