"""Counts of an audit, step by step and by evaluation set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.audit.buckets import LEVEL
from harness.audit.pairs import Candidate, PictureMatch
from harness.contamination.judging import Judgement, row_labels
from harness.contamination.scan import EvalSet, Scan
from harness.contamination.shared_pictures import COMMON
from harness.stats.proportion import wilson
from harness.table import Table, Value

STAGE_COLUMNS = ("step", "rows", "pairs")
SET_COLUMNS = (
    *("set", "items", "short", "unauditable", "unreadable", "truncated"),
    *("stage_1_rows", "stage_2_rows", "candidate_rows", "duplicate_rows", "undecided_rows"),
    *("generic_rows", "same_picture_rows", "other_question_rows", "common_picture_rows"),
    *("contained_rows", "items_hit", "items_hit_share", "share_low", "share_high"),
)


def stage_table(
    scan: Scan,
    judged: Sequence[Judgement],
    sampled: Sequence[Judgement],
    generic: Sequence[Candidate],
    removed: int,
) -> Table:
    """What each step left, in rows and in pairs of a row and an item; None where not defined.

    Parameters
    ----------
    scan, judged, sampled, generic : as in `Outcome`.
    removed : rows that go.
    """
    found = scan.findings.counts()
    bad = len(scan.faults)
    steps: list[tuple[str, int | None, int | None]] = [
        ("train", scan.train.rows, None),
        ("bad", bad, None),
        ("unauditable", found["unauditable"] - bad, None),
        ("short", found["short"], None),
        ("covered", found["covered"], None),
        ("compared", None, found["candidates"]),
        ("stage_1", found["rows_hit"], found["hits"]),
        ("contained", len({one.row for one in scan.findings.contained}), found["contained"]),
    ]
    if scan.nearness is not None:
        near = [one.candidate for one in judged if one.candidate.cosine is not None]
        near += [one for one in generic if one.cosine is not None]
        border = scan.nearness.borderline
        counts = scan.nearness.counts()
        steps += [
            ("embedded", counts["rows"] - counts["empty"], None),
            ("truncated", counts["truncated"], None),
            ("stage_2", len({one.row for one in near}), len(near)),
            ("borderline", len({one.row for one in border}), len(border)),
        ]
    if scan.plan.compares_pictures:
        for step, matches in (
            ("same_picture", scan.pictures),
            ("other_question", scan.other_questions),
        ):
            steps.append((step, len({one.row for one in matches}), len(matches)))
    labels = row_labels(judged)
    steps += [
        ("generic", len({one.row for one in generic}), len(generic)),
        ("candidates", len(labels), len(judged)),
        *(
            (step, sum(one == label for one in labels.values()), _n(judged, label))
            for step, label in (
                ("duplicate", "duplicate"),
                ("neighbour", "neighbour"),
                ("undecided", None),
            )
        ),
    ]
    if sampled:
        steps += [
            ("sampled", len({one.candidate.row for one in sampled}), len(sampled)),
            ("sampled_duplicate", row_count(sampled), _n(sampled, "duplicate")),
        ]
    steps += [("removed", removed, None), ("kept", scan.train.rows - removed, None)]
    note = "A row counts once, a pair is a row beside an item."
    if scan.nearness is None:
        note += " Stage 2 was left out: paraphrases were not looked for."
    elif scan.estimated:
        note += " Truncated rows are estimated from their lengths."
    rows: list[dict[str, Value]] = [dict(zip(STAGE_COLUMNS, one, strict=True)) for one in steps]
    return Table(name="stages", columns=STAGE_COLUMNS, rows=tuple(rows), note=note)


def set_table(scan: Scan, judged: Sequence[Judgement], generic: Sequence[Candidate]) -> Table:
    """Rows that each evaluation set found, and the share of its items that have a duplicate."""
    rows = tuple(_set_line(scan, one, judged, generic) for one in scan.evals)
    note = (
        "Rows of the training set for each evaluation set; a row may count in several. "
        f"items_hit_share: items with a duplicate over all items, {100 * LEVEL:g} % Wilson "
        "interval. contained_rows: rows that hold most of an item, whatever their length; a "
        "column beside the hits, no verdict. same_picture_rows: rows with a picture of an item; "
        "other_question_rows: those of them whose texts are not alike, no verdict either; "
        f"common_picture_rows: those whose pictures stand beside more than {COMMON} items."
    )
    return Table(name="sets", columns=SET_COLUMNS, rows=rows, note=note)


def row_count(judged: Iterable[Judgement], label: str | None = "duplicate") -> int:
    """Distinct rows with a pair of that label."""
    return len({one.candidate.row for one in judged if one.label == label})


def _set_line(
    scan: Scan, given: EvalSet, judged: Sequence[Judgement], generic: Sequence[Candidate]
) -> dict[str, Value]:
    mine = [one for one in judged if one.candidate.eval_set == given.name]
    set_apart = [one for one in generic if one.eval_set == given.name]
    found = [*(one.candidate for one in mine), *set_apart]
    labels = row_labels(mine)
    items_hit = len({one.candidate.item for one in mine if one.label == "duplicate"})
    share = wilson(items_hit, given.items, LEVEL)
    values = (
        *(given.name, given.items, given.short, given.unauditable - len(given.faults)),
        *(len(given.faults), given.truncated),
        len({one.row for one in found if one.jaccard is not None}),
        len({one.row for one in found if one.cosine is not None}),
        *(len(labels), _of(labels.values(), "duplicate"), _of(labels.values(), None)),
        len({one.row for one in set_apart}),
        *(_rows(matches, given) for matches in (scan.pictures, scan.other_questions)),
        _rows((one for one in scan.pictures if one.common), given),
        len({one.row for one in scan.findings.contained if one.eval_set == given.name}),
        *(items_hit, share.value, share.low, share.high),
    )
    return dict(zip(SET_COLUMNS, values, strict=True))


def _rows(matches: Iterable[PictureMatch], given: EvalSet) -> int:
    # Of each row and set there is one.
    return sum(one.eval_set == given.name for one in matches)


def _n(judged: Iterable[Judgement], label: str | None) -> int:
    return sum(one.label == label for one in judged)


def _of(labels: Iterable[str | None], label: str | None) -> int:
    return sum(one == label for one in labels)


__all__ = ["SET_COLUMNS", "STAGE_COLUMNS", "row_count", "set_table", "stage_table"]
