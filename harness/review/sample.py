"""From runs folders to a sample: which wrong answers there are, and which are drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_uppercase

from harness.errors import AssayError, DataError, StoreError
from harness.review.choice import Choice, chosen, published
from harness.review.naming import AXES, Naming
from harness.review.sampling import Stratum, Wrong, draw, place
from harness.review.shelf import Shelf
from harness.review.stored import Rows, Skipped, StoredCell, read_rows, stored_cells
from harness.scoring import score
from harness.study import Study

_ID_DIGITS = 8
_SHOWN = 10


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to draw, from which cells, and by which policy an answer is wrong."""

    per_condition: int
    seed: int
    choice: Choice = field(default_factory=Choice)
    policy: str = "default"


@dataclass(frozen=True, kw_only=True)
class Sample:
    """The strata of a sample, the names of what they are of, and what could not be read."""

    names: dict[str, str]
    strata: tuple[Stratum, ...]
    skipped: tuple[Skipped, ...]


def drawn(folders: Sequence[Path], studies: Sequence[Study], plan: Plan) -> Sample:
    """Draw wrong answers from stored cells, condition by condition.

    Parameters
    ----------
    folders, studies : runs folders, and where the names of cells and the data sets are.
    plan : a condition is a view. What its choice leaves open is what the robustness study's
        error analysis sampled (`harness.review.choice.published`) where the cells are of it.

    Returns
    -------
    Sample
        One stratum per condition; the seed of the i-th, from 0, is the plan's plus i. An answer
        is wrong when it counts in the denominator and is not right, so answers for manual
        review, cut off and refused are among them, failed requests are not.

    Raises
    ------
    AssayError
        When no such cell or no wrong answer is there, when models, prompts, data sets or
        decodings would be mixed, or when a folder holds no cell.
    """
    found = stored_cells(folders, Naming(studies))
    skipped = [cell for cell in found if isinstance(cell, Skipped)]
    cells = [cell for cell in found if isinstance(cell, StoredCell)]
    try:
        choice = plan.choice.over(published(studies, cells))
        conditions = chosen(cells, choice)
    except AssayError as error:
        raise AssayError(f"{error}{_left_out(skipped)}") from None
    shelf = Shelf(studies)
    strata: list[Stratum] = []
    for offset, (view, cell) in enumerate(conditions.items()):
        rows = read_rows(cell, shelf)
        stratum = rows if isinstance(rows, Skipped) else _stratum(rows, view, offset, plan)
        if isinstance(stratum, Skipped):
            skipped.append(stratum)
        else:
            strata.append(stratum)
    absent = [view for view in choice.views if view not in {s.condition for s in strata}]
    if absent or not any(stratum.n_wrong for stratum in strata):
        what = f"answers under {', '.join(absent)}" if absent else "wrong answers"
        there = ", ".join(f"{s.condition} ({s.n_counted})" for s in strata)
        raise AssayError(
            f"expected {what}, found none in the chosen cells; answers under: {there or 'no view'}"
            f"{_left_out(skipped)}"
        )
    parts = next(iter(conditions.values())).names
    names = {axis: choice.of(axis) or parts.of(axis)[0] for axis in AXES}
    return Sample(names=names, strata=tuple(strata), skipped=tuple(skipped))


def _stratum(rows: Rows, view: str, offset: int, plan: Plan) -> Stratum | Skipped:
    """The sample of one condition; Skipped where it cannot be shown or an answer not scored."""
    n, wrong = 0, []
    try:
        shown = rows.cell.view
        for example, response in rows.rows:
            graded = score(example, response, plan.policy)
            n += graded.counted
            if graded.counted and not graded.correct:
                wrong.append(
                    Wrong(
                        cell=rows.cell,
                        view=shown,
                        dataset=rows.dataset,
                        example=example,
                        response=response,
                        score=graded,
                    )
                )
    except (DataError, StoreError) as error:
        return Skipped(key=rows.cell.key, reason=str(error))
    seed = plan.seed + offset
    return Stratum(
        condition=view,
        offset=offset,
        seed=seed,
        cell=rows.cell.key,
        n_counted=n,
        n_wrong=len(wrong),
        n_questions=len({row.example.id for row in wrong}),
        drawn=draw(wrong, plan.per_condition, seed),
    )


def _left_out(skipped: Sequence[Skipped]) -> str:
    return "".join(f"\n  left out: {s.key[:8]}: {s.reason}" for s in skipped[:_SHOWN])


def sheet_rows(strata: Iterable[Stratum], seed: int) -> list[tuple[dict[str, str], Wrong]]:
    """The fixed columns of each drawn row, conditions mixed.

    The rows stand in the order of the hash of seed, condition and row, so that an annotator's
    getting used to the task falls on no condition alone. The id begins with a letter and holds
    letters, digits and "_" alone: r, the number of the row, and a part of the hash that placed
    it.
    """
    placed = {
        place(seed, "sheet", stratum.condition, *row.name): (stratum.condition, row)
        for stratum in strata
        for row in stratum.drawn
    }
    rows: list[tuple[dict[str, str], Wrong]] = []
    for number, at in enumerate(sorted(placed), start=1):
        condition, row = placed[at]
        row_id = f"r{number:03d}_{at[:_ID_DIGITS]}"
        rows.append(({"id": row_id, **_columns(condition, row)}, row))
    return rows


def _columns(condition: str, row: Wrong) -> dict[str, str]:
    example, response, graded = row.example, row.response, row.score
    replicate = f"#{response.replicate}" if response.replicate else ""
    choices = zip(ascii_uppercase, example.choices, strict=False)
    return {
        "condition": condition,
        "cell": row.cell.names.text,
        "example": f"{example.id}{replicate}",
        "question": example.question,
        "choices": "\n".join(f"{letter}. {text}" for letter, text in choices),
        "gold": example.gold,
        "response": response.text or "",
        "read_answer": graded.answer.value or "",
        "rule": graded.answer.rule,
        "outcome": graded.outcome,
    }


__all__ = ["Plan", "Sample", "drawn", "sheet_rows"]
