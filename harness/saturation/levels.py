"""Accuracy by native difficulty: where a benchmark is too easy, and where it is out of reach."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from harness.errors import DataError
from harness.stats.proportion import wilson
from harness.table import Table, Value, percent
from harness.types import CellResult

COLUMNS = ("level", "n", "right", "accuracy_pct", "low_pct", "high_pct", "reading")
CEILING, FLOOR, BETWEEN = "saturated", "out of reach", "tells apart"
_TAG = "difficulty:"


def by_level(
    rows: Iterable[tuple[str, bool]], level: float, *, ceiling: float = 0.95, floor: float = 0.05
) -> Table:
    """Write accuracy by difficulty as a table.

    Parameters
    ----------
    rows : (difficulty, right) of each item that counts; numbers are sorted by value, before words
        by name.
    level : of the Wilson intervals, strictly between 0 and 1.
    ceiling, floor : shares; a level whose whole interval lies above the ceiling is "saturated",
        below the floor "out of reach". Others tell models apart, or are too few to say: 0 of 10
        right still allows 28 %.

    Returns
    -------
    Table
        One row a difficulty; none without items.

    Raises
    ------
    StatisticsError
        `invalid_level`.
    ValueError
        Unless 0 ≤ floor < ceiling ≤ 1.

    References
    ----------
    Physics-R1 (2026): 62.5 % at level 1 of PHYSOLYM-A's ten, 0 % at levels 3, 6, 8 and 10.

    Examples
    --------
    >>> table = by_level([("10", False), ("1", True), ("1", False)], 0.95)
    >>> [(row["level"], row["accuracy_pct"]) for row in table.rows]
    [('1', 50.0), ('10', 0.0)]
    """
    if not 0 <= floor < ceiling <= 1:
        raise ValueError(f"by_level: expected 0 <= floor < ceiling <= 1, found {floor}, {ceiling}")
    counts: dict[str, list[bool]] = {}
    for name, right in rows:
        counts.setdefault(name, []).append(right)
    made = []
    for name in sorted(counts, key=_order):
        share = wilson(sum(counts[name]), len(counts[name]), level)
        reading = BETWEEN
        if share.low is not None and share.low > ceiling:
            reading = CEILING
        elif share.high is not None and share.high < floor:
            reading = FLOOR
        values: tuple[Value, ...] = (
            *(name, share.n, sum(counts[name])),
            *(percent(share.value), percent(share.low), percent(share.high), reading),
        )
        made.append(dict(zip(COLUMNS, values, strict=True)))
    note = (
        f"Wilson's interval at {level:g}: saturated above {ceiling:g}, out of reach below {floor:g}"
    )
    return Table(name="accuracy_by_difficulty", columns=COLUMNS, rows=tuple(made), note=note)


def levels_of_cell(result: CellResult, ungraded: str = "") -> Sequence[tuple[str, bool]]:
    """The rows of `by_level` from a cell whose examples carry a tag "difficulty:…".

    Parameters
    ----------
    result : a whole cell.
    ungraded : the level of examples without the tag, such as "not graded"; "" refuses them.

    Raises
    ------
    DataError
        For an example without the tag, unless `ungraded` names their level, or with two.
    """
    rows = []
    for example, score in zip(result.examples, result.scores, strict=True):
        tags = [tag.removeprefix(_TAG) for tag in example.tags if tag.startswith(_TAG)]
        if not tags and ungraded:
            tags = [ungraded]
        if len(tags) != 1:
            raise DataError(
                f"{result.cell.id}: {example.id}: expected one tag {_TAG}…, found {len(tags)}"
            )
        if score.counted:
            rows.append((tags[0], score.correct))
    return rows


def is_graded(result: CellResult) -> bool:
    """Whether any example of a cell carries its native difficulty."""
    return any(tag.startswith(_TAG) for example in result.examples for tag in example.tags)


def _order(name: str) -> tuple[bool, Fraction, str]:
    try:
        return False, Fraction(name), name
    except (ValueError, ZeroDivisionError):
        return True, Fraction(0), name


__all__ = ["BETWEEN", "CEILING", "COLUMNS", "FLOOR", "by_level", "is_graded", "levels_of_cell"]
