"""From runs folders to a sample: which wrong answers there are, and which are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from string import ascii_uppercase

from harness.errors import AssayError, DataError
from harness.review.sampling import Stratum, Wrong, draw, listed, place
from harness.review.stored import Rows, Skipped, stored_rows
from harness.scoring import score
from harness.study import Study
from harness.vision.views import CONDITIONS, MODES

_ID_DIGITS = 8
_SHOWN = 10


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to draw: `views` in the order of their offsets (none: all that are found)."""

    per_condition: int
    seed: int
    views: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    policy: str = "default"


def drawn(
    folders: Sequence[Path], studies: Sequence[Study], plan: Plan
) -> tuple[list[Stratum], list[Skipped]]:
    """Draw wrong answers from stored cells, condition by condition.

    Parameters
    ----------
    folders, studies : as for `harness.review.stored.stored_rows`.
    plan : a condition is a view. `cells` are patterns such as "mini-r1/*/paper" of the names of
        cells, data/model/view/prompt, of which one must match; none takes every cell.

    Returns
    -------
    list of Stratum, and list of Skipped
        One stratum per condition; the seed of the i-th, from 0, is the plan's plus i. An answer
        is wrong when it counts in the denominator and is not right, so answers for manual
        review, cut off and refused are among them, failed requests are not. And what could not
        be read or scored.

    Raises
    ------
    AssayError
        When no cell, no such view or no wrong answer is there, or a folder holds no cell.
    """
    counted: dict[str, int] = {}
    wrong: dict[str, list[Wrong]] = {}
    keys: dict[str, list[str]] = {}
    skipped: list[Skipped] = []
    names: list[str] = []
    for rows in stored_rows(folders, studies):
        if isinstance(rows, Skipped):
            skipped.append(rows)
            continue
        view, name = rows.cell.view.name, rows.cell.name
        names.append(name)
        if plan.cells and not any(fnmatchcase(name, pattern) for pattern in plan.cells):
            continue
        if plan.views and view not in plan.views:
            continue
        try:
            n, found = _wrong(rows, plan.policy)
        except DataError as error:
            skipped.append(Skipped(key=rows.cell.key, reason=str(error)))
            continue
        counted[view] = counted.get(view, 0) + n
        wrong.setdefault(view, []).extend(found)
        keys.setdefault(view, []).append(rows.cell.key)
    views = plan.views or listed(counted, CONDITIONS + MODES)
    _check(views, counted, wrong, [f"cell: {name}" for name in sorted(names)], skipped)
    strata = [
        Stratum(
            condition=view,
            offset=offset,
            seed=plan.seed + offset,
            cells=tuple(sorted(keys[view])),
            n_counted=counted[view],
            n_wrong=len(wrong[view]),
            drawn=draw(wrong[view], plan.per_condition, plan.seed + offset),
        )
        for offset, view in enumerate(views)
    ]
    return strata, skipped


def _wrong(rows: Rows, policy: str) -> tuple[int, list[Wrong]]:
    """How many answers count, and those that are wrong."""
    n, found = 0, []
    for example, response in rows.rows:
        graded = score(example, response, policy)
        n += graded.counted
        if graded.counted and not graded.correct:
            found.append(Wrong(cell=rows.cell, example=example, response=response, score=graded))
    return n, found


def _check(
    views: Sequence[str],
    counted: dict[str, int],
    wrong: dict[str, list[Wrong]],
    cells: Sequence[str],
    skipped: Sequence[Skipped],
) -> None:
    absent = [view for view in views if view not in counted]
    if absent or not any(wrong.values()):
        what = f"a stored cell of view {', '.join(absent)}" if absent else "wrong answers"
        left_out = [f"left out: {s.key[:8]}: {s.reason}" for s in skipped]
        there = "".join(f"\n  {line}" for line in (*cells[:_SHOWN], *left_out[:_SHOWN]))
        raise AssayError(
            f"expected {what}, found none among the cells that could be read and match; found "
            f"{sum(counted.values())} answers under {', '.join(sorted(counted)) or 'no view'}; "
            f"check RUNS, --cells, --view and --study{there}"
        )


def sheet_rows(strata: Iterable[Stratum]) -> list[tuple[dict[str, str], Wrong]]:
    """The fixed columns of each drawn row, in the order of the conditions and of the draw.

    The id begins with a letter and holds letters, digits and "_" alone: r, the number of the
    row, and a part of the hash that placed it.
    """
    rows: list[tuple[dict[str, str], Wrong]] = []
    for stratum in strata:
        for row in stratum.drawn:
            tail = place(stratum.seed, *row.name)[:_ID_DIGITS]
            row_id = f"r{len(rows) + 1:03d}_{tail}"
            rows.append(({"id": row_id, **_columns(stratum.condition, row)}, row))
    return rows


def _columns(condition: str, row: Wrong) -> dict[str, str]:
    example, response, graded = row.example, row.response, row.score
    replicate = f"#{response.replicate}" if response.replicate else ""
    choices = zip(ascii_uppercase, example.choices, strict=False)
    return {
        "condition": condition,
        "cell": row.cell.name,
        "example": f"{example.id}{replicate}",
        "question": example.question,
        "choices": "\n".join(f"{letter}. {text}" for letter, text in choices),
        "gold": example.gold,
        "response": response.text or "",
        "read_answer": graded.answer.value or "",
        "rule": graded.answer.rule,
        "outcome": graded.outcome,
    }


__all__ = ["Plan", "drawn", "sheet_rows"]
