"""What undecided verdicts leave open: an accuracy as a range, and a difference as a range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.errors import DataError
from harness.judging.verdicts import all_parts
from harness.stats.checks import StatisticsError, check_count
from harness.stats.estimate import Estimate
from harness.stats.proportion import wilson


@dataclass(frozen=True, kw_only=True, slots=True)
class NoiseFloor:
    """How far a judge's undecided rows let an accuracy move.

    `undecided_rate` has its Wilson interval. `low` and `high` are the accuracy with every
    undecided row wrong and with every one right, None without rows; no interval of sampling is in
    them. `decided` is the accuracy over decided rows alone, None where there are none.
    """

    n: int
    n_right: int
    n_undecided: int
    undecided_rate: Estimate
    low: float | None
    high: float | None
    decided: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class DifferenceRange:
    """A paired difference, first minus second, with undecided rows at their worst and best.

    `settled` says that 0 lies outside of [low, high]: no way of deciding the rest turns the sign.
    """

    n: int
    n_open: int
    low: float | None
    high: float | None
    settled: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class PartCounts:
    """Problems of several parts: `right` by AND over the parts, `undecided` where that is open.

    `part_accuracy` is over all parts, an undecided one wrong, and is never below the accuracy
    by AND over problems of equally many parts.
    """

    n: int
    right: int
    undecided: int
    n_parts: int
    parts_right: int
    parts_undecided: int

    @property
    def part_accuracy(self) -> float | None:
        """`parts_right` / `n_parts`; None without parts."""
        return self.parts_right / self.n_parts if self.n_parts else None


def noise_floor(n_right: int, n_undecided: int, n: int, level: float) -> NoiseFloor:
    """Give the range that undecided verdicts leave to an accuracy.

    Parameters
    ----------
    n_right, n_undecided : rows judged right, and rows without a verdict.
    n : all rows, at least their sum.
    level : of the interval of the undecided rate, strictly between 0 and 1.

    Returns
    -------
    NoiseFloor
        Shares in [0, 1]. Two systems under one judge cannot be told apart by less than
        `high` - `low` unless the same rows are undecided for both (`difference_range`).

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_level`.

    References
    ----------
    C. F. Manski, Partial Identification of Probability Distributions (2003), chapter 1.

    Examples
    --------
    >>> found = noise_floor(30, 20, 100, 0.95)
    >>> found.low, found.high, found.decided
    (0.3, 0.5, 0.375)
    """
    n_right, n_undecided = check_count("n_right", n_right), check_count("n_undecided", n_undecided)
    n = check_count("n", n)
    if n_right + n_undecided > n:
        raise StatisticsError(
            "invalid_count",
            f"expected n_right + n_undecided <= n, found {n_right} + {n_undecided} > {n}",
        )
    return NoiseFloor(
        n=n,
        n_right=n_right,
        n_undecided=n_undecided,
        undecided_rate=wilson(n_undecided, n, level),
        low=n_right / n if n else None,
        high=(n_right + n_undecided) / n if n else None,
        decided=n_right / (n - n_undecided) if n > n_undecided else None,
    )


def difference_range(pairs: Sequence[tuple[bool | None, bool | None]]) -> DifferenceRange:
    """Give the range that undecided verdicts leave to a paired difference.

    Parameters
    ----------
    pairs : (first, second) verdict of each item, None where undecided.

    Returns
    -------
    DifferenceRange
        In [-1, 1]; each undecided verdict is set to what lowers, then to what raises first minus
        second. `n_open` counts pairs with an undecided side. None, and not settled, without pairs.

    References
    ----------
    C. F. Manski, Partial Identification of Probability Distributions (2003), chapter 1.

    Examples
    --------
    >>> found = difference_range([(True, False), (True, None), (None, False), (False, False)])
    >>> found.low, found.high, found.settled
    (0.25, 0.75, True)
    """
    n = len(pairs)
    low = high = n_open = 0
    for first, second in pairs:
        low += (first is True) - (second is not False)
        high += (first is not False) - (second is True)
        n_open += first is None or second is None
    return DifferenceRange(
        n=n,
        n_open=n_open,
        low=low / n if n else None,
        high=high / n if n else None,
        settled=low > 0 or high < 0,
    )


def part_counts(problems: Mapping[str, Sequence[bool | None]]) -> PartCounts:
    """Count problems by AND over their sub-parts, and the parts themselves.

    Parameters
    ----------
    problems : the verdicts of each problem's parts, None where undecided.

    Returns
    -------
    PartCounts
        Zeros without problems.

    Raises
    ------
    DataError
        For a problem without parts.

    References
    ----------
    As `harness.judging.verdicts.all_parts`.

    Examples
    --------
    >>> found = part_counts({"p1": [True, True], "p2": [True, False], "p3": [True, None]})
    >>> found.right, found.undecided, found.part_accuracy
    (1, 1, 0.6666666666666666)
    """
    whole = [all_parts(parts) for parts in problems.values()]
    parts = [part for row in problems.values() for part in row]
    return PartCounts(
        n=len(whole),
        right=sum(verdict is True for verdict in whole),
        undecided=sum(verdict is None for verdict in whole),
        n_parts=len(parts),
        parts_right=sum(part is True for part in parts),
        parts_undecided=sum(part is None for part in parts),
    )


def by_problem(
    problem_of: Mapping[str, str], verdicts: Mapping[str, bool | None]
) -> dict[str, list[bool | None]]:
    """Gather the verdicts of sub-questions by their problem.

    Parameters
    ----------
    problem_of : sub-question to problem, of every sub-question there is (`Example.group`).
    verdicts : of the same sub-questions.

    Returns
    -------
    dict of list
        In the order of `problem_of`. A sub-question without a verdict is an error, not a part
        less: a problem would be right for its first half.

    Raises
    ------
    DataError
        Where sub-questions lack a verdict or verdicts a sub-question.

    References
    ----------
    As `harness.judging.verdicts.all_parts`.

    Examples
    --------
    >>> by_problem({"p1/1": "p1", "p1/2": "p1"}, {"p1/2": False, "p1/1": True})
    {'p1': [True, False]}
    """
    apart = sorted(problem_of.keys() ^ verdicts.keys())
    if apart:
        raise DataError(
            f"by_problem: expected a verdict of each sub-question, found {len(apart)} on one side "
            f"alone: {', '.join(apart[:5])}"
        )
    found: dict[str, list[bool | None]] = {}
    for part, problem in problem_of.items():
        found.setdefault(problem, []).append(verdicts[part])
    return found


__all__ = [
    "DifferenceRange",
    "NoiseFloor",
    "PartCounts",
    "by_problem",
    "difference_range",
    "noise_floor",
    "part_counts",
]
