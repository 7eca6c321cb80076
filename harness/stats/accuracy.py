"""Accuracy over the rows that count, with how many did not and why."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from harness.stats.checks import StatisticsError, check_binary, check_count, check_ids
from harness.stats.proportion import standard_error
from harness.types import OUTCOMES

_EXCLUDED = ("resource_error", "runtime_error")


@dataclass(frozen=True, kw_only=True, slots=True)
class Accuracy:
    """How many rows there were, how many counted, and the share of these that were right.

    `n_counted` is the denominator: `n_rows` less `n_excluded`. `n_review` rows are in it, as
    wrong. `accuracy` is None without a counted row, `stderr` with fewer than two.
    `n_by_outcome` has every outcome, also those with no row, and is empty where only totals
    were given.
    """

    n_rows: int
    n_counted: int
    n_correct: int
    n_review: int
    n_excluded: int
    accuracy: float | None
    stderr: float | None
    n_by_outcome: Mapping[str, int]


def accuracy(rows: Iterable[tuple[Hashable, str, bool | None]]) -> Accuracy:
    """Count rows by outcome and give the accuracy.

    Parameters
    ----------
    rows : (id, outcome, correct) of each example, in any order. `outcome` is one of answered,
        review, truncated, refused, resource_error, runtime_error; `correct` is a bool for an
        answered row and ignored for the others: review, truncated and refused count as wrong,
        the two errors leave the denominator.

    Returns
    -------
    Accuracy
        `accuracy` is a proportion, None when no row counts.

    Raises
    ------
    StatisticsError
        `missing_id` for None, NaN or an empty id, `invalid_id` for one that is neither text nor
        integer, `duplicate_id`, `unknown_outcome`; `not_binary`
        for an answered row whose `correct` is not a bool.

    References
    ----------
    docs/statistics.md, "Outcome of one example".

    Examples
    --------
    >>> rows = [("q1", "answered", True), ("q2", "review", None), ("q3", "runtime_error", None)]
    >>> found = accuracy(rows)
    >>> found.n_rows, found.n_counted, found.n_correct, found.accuracy
    (3, 2, 1, 0.5)
    """
    given = list(rows)
    check_ids("rows", [row[0] for row in given])
    counts: dict[str, int] = dict.fromkeys(OUTCOMES, 0)
    n_correct = 0
    for name, outcome, correct in given:
        if not isinstance(outcome, str) or outcome not in counts:
            raise StatisticsError(
                "unknown_outcome",
                f"row {name!r}: expected one of {', '.join(OUTCOMES)}, found {outcome!r}",
            )
        counts[outcome] += 1
        if outcome == "answered":
            check_binary(f"row {name!r}", correct)
            n_correct += bool(correct)
    n_excluded = sum(counts[outcome] for outcome in _EXCLUDED)
    return _made(n_correct, len(given) - n_excluded, n_excluded, counts["review"], counts)


def accuracy_from_counts(correct: int, wrong: int, review: int, excluded: int) -> Accuracy:
    """Give the accuracy that counts of rows amount to.

    Parameters
    ----------
    correct, wrong : answered rows that were right and wrong (truncated and refused are wrong).
    review : rows without a readable answer, which count as wrong.
    excluded : rows that broke outside the model's answer and leave the denominator.

    Returns
    -------
    Accuracy
        `accuracy` and `stderr` are None when no row counts; `stderr` also for a single one.

    Raises
    ------
    StatisticsError
        `invalid_count` for a count that is not an integer of at least 0.

    References
    ----------
    docs/statistics.md, "Outcome of one example".

    Examples
    --------
    >>> round(accuracy_from_counts(252, 390, 0, 3).accuracy, 4)
    0.3925
    """
    correct, wrong = check_count("correct", correct), check_count("wrong", wrong)
    review, excluded = check_count("review", review), check_count("excluded", excluded)
    return _made(correct, correct + wrong + review, excluded, review, {})


def _made(
    n_correct: int, n_counted: int, n_excluded: int, n_review: int, counts: Mapping[str, int]
) -> Accuracy:
    return Accuracy(
        n_rows=n_counted + n_excluded,
        n_counted=n_counted,
        n_correct=n_correct,
        n_review=n_review,
        n_excluded=n_excluded,
        accuracy=n_correct / n_counted if n_counted else None,
        stderr=standard_error(n_correct, n_counted),
        n_by_outcome=counts,
    )


__all__ = ["Accuracy", "accuracy", "accuracy_from_counts"]
