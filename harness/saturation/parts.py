"""Problems of several sub-questions: right when all parts are, in a cell and as a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.errors import DataError
from harness.judging.noise import PartCounts, by_problem, part_counts
from harness.stats.proportion import wilson
from harness.table import Table, Value, percent
from harness.types import CellResult

COLUMNS = (
    *("set", "problems", "problems_right", "problems_pct", "low_pct", "high_pct"),
    *("problems_undecided", "parts", "parts_right", "parts_pct", "parts_unread", "left_out"),
)
_ROLE = re.compile(r"part-[1-9]\d*")
_TAG = "parts:"


def has_parts(result: CellResult) -> bool:
    """Whether a cell's examples are sub-questions of problems.

    Raises
    ------
    DataError
        For a cell that mixes sub-questions with whole questions.
    """
    found = {_ROLE.fullmatch(example.role) is not None for example in result.examples}
    if len(found) > 1:
        raise DataError(
            f"{result.cell.id}: expected sub-questions (role part-N) or whole questions, found both"
        )
    return True in found


def problems_of_cell(result: CellResult) -> tuple[PartCounts, tuple[str, ...]]:
    """Score a cell's problems by AND over their sub-questions.

    Parameters
    ----------
    result : a whole cell of sub-questions with one answer each: `group` is the problem, `role`
        "part-N", and a tag "parts:N" says how many there are.

    Returns
    -------
    tuple of (counts, ids of problems left out)
        An answer under review leaves its part undecided: the problem is wrong where another part
        is wrong, else undecided, which is not right. Left out are problems with a part that the
        tier's sample or `exclude` lacks, or whose row is no answer of the model: the rest of the
        parts would make them right too easily.

    Raises
    ------
    DataError
        For an example without a problem, a part or one tag "parts:N"; for two numbers of parts
        within a problem, a part that stands twice, and several answers an example.

    References
    ----------
    X. Zhang et al., PhysReason, ACL 2025, as Physics-R1 (2026) scores it: AND over the parts.
    """
    where = result.cell.id
    if result.cell.replicates != 1:
        raise DataError(f"{where}: expected one answer an example")
    problem_of: dict[str, str] = {}
    verdicts: dict[str, bool | None] = {}
    sizes: dict[str, int] = {}
    roles: dict[str, set[str]] = {}
    lost = set()
    for example, score in zip(result.examples, result.scores, strict=True):
        tags = [tag.removeprefix(_TAG) for tag in example.tags if tag.startswith(_TAG)]
        named = example.group and _ROLE.fullmatch(example.role)
        if not named or len(tags) != 1 or not tags[0].isdecimal():
            raise DataError(
                f"{where}: {example.id}: expected a group, a role part-N and one tag {_TAG}N, "
                f"found {example.group!r}, {example.role!r} and {tags}"
            )
        size = sizes.setdefault(example.group, int(tags[0]))
        seen = roles.setdefault(example.group, set())
        if size != int(tags[0]) or example.role in seen:
            raise DataError(
                f"{where}: {example.id}: expected each part of {example.group} once and one number "
                f"of parts, found {example.role} with {tags[0]} beside {size}"
            )
        seen.add(example.role)
        if not score.counted:
            lost.add(example.group)
        problem_of[example.id] = example.group
        verdicts[example.id] = None if score.outcome == "review" else score.correct
    out = {key for key, size in sizes.items() if len(roles[key]) != size} | lost
    kept = {key: problem for key, problem in problem_of.items() if problem not in out}
    found = by_problem(kept, {key: verdicts[key] for key in kept})
    return part_counts(found), tuple(sorted(out))


def parts_table(cells: Sequence[CellResult], level: float) -> Table:
    """Write the problems of cells as a table, by AND and part by part.

    Parameters
    ----------
    cells : of sub-questions; others are left out.
    level : of Wilson's interval of the problems' accuracy, strictly between 0 and 1.

    Returns
    -------
    Table
        One row a cell, in their order; shares are None without problems.

    Raises
    ------
    DataError
        As `problems_of_cell`.
    StatisticsError
        `invalid_level`.
    """
    rows = []
    for cell in cells:
        if not has_parts(cell):
            continue
        found, out = problems_of_cell(cell)
        share = wilson(found.right, found.n, level)
        values: tuple[Value, ...] = (
            *(cell.cell.data, found.n, found.right),
            *(percent(share.value), percent(share.low), percent(share.high)),
            *(found.undecided, found.n_parts, found.parts_right, percent(found.part_accuracy)),
            *(found.parts_undecided, len(out)),
        )
        rows.append(dict(zip(COLUMNS, values, strict=True)))
    note = (
        "A problem is right when every part is. An unread part leaves its problem undecided, "
        "unless another part is wrong; undecided problems count as wrong. left_out are "
        "problems with a part that was not asked or whose row is no answer."
    )
    return Table(name="sub_parts", columns=COLUMNS, rows=tuple(rows), note=note)


__all__ = ["COLUMNS", "has_parts", "parts_table", "problems_of_cell"]
