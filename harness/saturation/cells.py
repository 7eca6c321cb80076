"""From cells to rungs of the gradient and to twin scores."""

from __future__ import annotations

from collections.abc import Collection

from harness.errors import DataError
from harness.saturation.factorial import TwinScore
from harness.saturation.gradient import Rung
from harness.saturation.parts import has_parts, problems_of_cell
from harness.types import CellResult


def rung_of_cell(result: CellResult, novel: float) -> Rung:
    """Make a rung of the gradient of a cell.

    Parameters
    ----------
    result : a whole cell whose examples are all of choice, with equally many choices, or all
        open.
    novel : share of its items from sources that no public training set holds, 0 to 1.

    Returns
    -------
    Rung
        Named by the data entry; rows that are no answer of the model do not count. Of a cell of
        sub-questions it counts problems, right when all parts are, as
        `harness.saturation.parts.problems_of_cell` says.

    Raises
    ------
    DataError
        For a cell that mixes formats or numbers of choices, or sub-questions with questions.
    StatisticsError
        As `Rung`.
    """
    sizes = {len(e.choices) if e.kind == "choice" else 0 for e in result.examples}
    if len(sizes) != 1:
        raise DataError(
            f"{result.cell.id}: expected one format and one number of choices, found {sizes}"
        )
    size = sizes.pop()
    right, n = result.n_correct, result.n_counted
    if has_parts(result):
        counts, _ = problems_of_cell(result)
        right, n = counts.right, counts.n
    return Rung(
        name=result.cell.data,
        form="choice" if size else "open",
        novel=novel,
        right=right,
        n=n,
        n_choices=size,
    )


def twin_scores(
    choice: CellResult, open_: CellResult, flagged: Collection[str]
) -> tuple[tuple[TwinScore, ...], tuple[str, ...]]:
    """Join one model's answers to both forms of a set of problems.

    Parameters
    ----------
    choice, open_ : whole cells of one model with one answer an example, of the two sides of
        `harness.saturation.twins.twins`.
    flagged : ids that the audit found in training data; each must be in the cells.

    Returns
    -------
    tuple of (scores, dropped ids)
        In the order of `choice`. Dropped are ids with a row on a side that is no answer.

    Raises
    ------
    DataError
        For cells of two models, views or decodings, other ids on one side, a side of the wrong
        format, flagged ids that are in neither, or several answers an example.
    """
    a, b = choice.cell, open_.cell
    for name in ("model", "view", "decoding", "tier"):
        if getattr(a, name) != getattr(b, name):
            raise DataError(f"twins: {a.id} and {b.id}: expected the same {name}, found two")
    if a.replicates != 1 or b.replicates != 1:
        raise DataError(f"twins: {a.id} and {b.id}: expected one answer an example")
    for result, is_choice in ((choice, True), (open_, False)):
        odd = [e.id for e in result.examples if (e.kind == "choice") != is_choice]
        if odd:
            form = "choice" if is_choice else "open form"
            raise DataError(f"twins: {result.cell.id}: expected examples of {form}, found {odd[0]}")
    others = {score.example_id: score for score in open_.scores}
    apart = sorted(set(choice.example_ids) ^ others.keys())
    if apart:
        raise DataError(f"twins: expected both forms of each problem, found one of {apart[:5]}")
    foreign = sorted(set(flagged) - others.keys())
    if foreign:
        raise DataError(f"twins: expected flagged ids of this set, found also {foreign[:5]}")
    marked, rows, dropped = set(flagged), [], []
    for example, score in zip(choice.examples, choice.scores, strict=True):
        other = others[example.id]
        if not (score.counted and other.counted):
            dropped.append(example.id)
            continue
        rows.append(
            TwinScore(
                id=example.id,
                choice=score.correct,
                open=other.correct,
                flagged=example.id in marked,
                n_choices=len(example.choices),
            )
        )
    return tuple(rows), tuple(dropped)


__all__ = ["rung_of_cell", "twin_scores"]
