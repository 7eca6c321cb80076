"""Questions answered several times: majority votes and what their confidence accepts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.stats.agreement import is_parsed
from harness.stats.agreement_gates import (
    Gate,
    check_outcome,
    dual_prompt_gate,
    gate,
)
from harness.stats.checks import (
    StatisticsError,
    check_count,
    check_unique,
    is_number,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


@dataclass(frozen=True, kw_only=True, slots=True)
class Vote:
    """What the replicates of one question say together.

    `answer` is the one with the most votes, None where several lead (`tied`) or none is parsed.
    `confidence` is the leader's share of the parsed answers, also where several lead, and None
    where none is parsed.
    """

    answer: str | None
    confidence: float | None
    n_votes: int
    n_valid: int
    n_replicates: int
    tied: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Replicates:
    """The canonical answers to one question, None or blank if unparsed, and whether each is right.

    `id` is the question's, `answers` and `correct` have one entry per replicate, in their order.
    """

    id: Hashable
    answers: Sequence[str | None]
    correct: Sequence[int]


@dataclass(frozen=True, kw_only=True, slots=True)
class SelfConsistency:
    """Votes over n questions, and what is accepted at each threshold.

    `n_mixed` counts questions whose leading answer was scored right in one replicate and wrong
    in another: above 0, the scorer judged more than the answer that is compared here.
    """

    votes: tuple[Vote, ...]
    correct: tuple[int, ...]
    gates: tuple[tuple[float, Gate], ...]
    n_tied: int
    n_unparsed: int
    n_mixed: int


def vote(answers: Sequence[str | None]) -> Vote:
    """Find the answer that most replicates give.

    Parameters
    ----------
    answers : one canonical answer per replicate, compared verbatim; None or blank if unparsed.

    Returns
    -------
    Vote
        Unparsed answers have no vote and are not in the denominator of `confidence`. Several
        leading answers give `answer` None and `tied` True; no parsed answer, or no replicate at
        all, gives None for both `answer` and `confidence`.

    Raises
    ------
    StatisticsError
        `invalid_answer` for an answer that is neither text nor None.

    References
    ----------
    X. Wang et al., "Self-consistency improves chain of thought reasoning in language models",
    ICLR 2023.

    Examples
    --------
    >>> found = vote(["A", "B", "A", None])
    >>> found.answer, found.n_votes, found.n_valid
    ('A', 2, 3)
    >>> vote(["A", "B"]).answer, vote(["A", "B"]).tied
    (None, True)
    """
    votes = Counter(answer for answer in answers if is_parsed(answer))
    n_valid = votes.total()
    n_votes = max(votes.values(), default=0)
    leaders = [answer for answer, count in votes.items() if count == n_votes]
    return Vote(
        answer=leaders[0] if len(leaders) == 1 else None,
        confidence=n_votes / n_valid if n_valid else None,
        n_votes=n_votes,
        n_valid=n_valid,
        n_replicates=len(answers),
        tied=len(leaders) > 1,
    )


def self_consistency(
    table: Sequence[Replicates], thresholds: Sequence[float], n_replicates: int
) -> SelfConsistency:
    """Accept by the confidence of the majority vote.

    Parameters
    ----------
    table : one row per question, each with n_replicates answers and outcomes.
    thresholds : shares in [0, 1]; a question is accepted when one answer leads alone and its
        share of the parsed answers is at least the threshold, compared as exact decimals.
    n_replicates : answers that every row must have, at least 1.

    Returns
    -------
    SelfConsistency
        One gate per threshold, in their order. A vote is right when the first replicate that
        gave the leading answer is right; a tie and a question without a parsed answer are wrong,
        are never accepted and stay among all. With no rows the rates are None.

    Raises
    ------
    StatisticsError
        `incomplete_row` with the ids of the rows that do not have n_replicates answers and
        outcomes; `duplicate_id`, `not_binary`, `invalid_answer`, `invalid_count`,
        `invalid_threshold`.

    References
    ----------
    X. Wang et al., "Self-consistency improves chain of thought reasoning in language models",
    ICLR 2023.

    Examples
    --------
    >>> rows = [
    ...     Replicates(id=1, answers=["A", "A", "B"], correct=[1, 1, 0]),
    ...     Replicates(id=2, answers=["C", "D", None], correct=[1, 0, 0]),
    ... ]
    >>> found = self_consistency(rows, [0.5], 3)
    >>> found.gates[0][1].accepted, found.n_tied
    ((1,), 1)
    """
    n_replicates = check_count("n_replicates", n_replicates)
    if n_replicates < 1:
        raise StatisticsError("invalid_count", "n_replicates: expected at least 1, found 0")
    for threshold in thresholds:
        if not is_number(threshold) or not 0 <= threshold <= 1:
            raise StatisticsError(
                "invalid_threshold", f"expected a threshold from 0 to 1, found {threshold!r}"
            )
    _check_rows(table, n_replicates)
    votes = tuple(vote(row.answers) for row in table)
    scored = [_score(row, found) for row, found in zip(table, votes, strict=True)]
    correct = tuple(max(verdicts[:1], default=0) for verdicts in scored)
    ids = [row.id for row in table]
    gates = []
    for threshold in thresholds:
        least = Fraction(repr(float(threshold)))
        accepts = [v.answer is not None and v.n_votes >= least * v.n_valid for v in votes]
        gates.append((float(threshold), gate(ids, correct, accepts)))
    return SelfConsistency(
        votes=votes,
        correct=correct,
        gates=tuple(gates),
        n_tied=sum(v.tied for v in votes),
        n_unparsed=sum(v.n_valid == 0 for v in votes),
        n_mixed=sum(len(set(verdicts)) > 1 for verdicts in scored),
    )


def two_run_gate(table: Sequence[Replicates], n_replicates: int) -> Gate:
    """Accept where the first two replicates agree, and score the first.

    Parameters
    ----------
    table : one row per question, each with n_replicates answers and outcomes.
    n_replicates : answers that every row must have, at least 2; those after the second are
        not used.

    Returns
    -------
    Gate
        An unparsed answer never agrees. With no rows the rates are None.

    Raises
    ------
    StatisticsError
        `incomplete_row`, `duplicate_id`, `not_binary`, `invalid_answer`, `invalid_count`.

    References
    ----------
    The rule of the R1-Onevision robustness study: accept where two outputs for one question give
    the same answer, and score the first.

    Examples
    --------
    >>> rows = [
    ...     Replicates(id=1, answers=["A", "A"], correct=[1, 1]),
    ...     Replicates(id=2, answers=["C", None], correct=[1, 0]),
    ... ]
    >>> two_run_gate(rows, 2).metrics.coverage
    0.5
    """
    n_replicates = check_count("n_replicates", n_replicates)
    if n_replicates < 2:
        raise StatisticsError(
            "invalid_count", f"n_replicates: expected at least 2, found {n_replicates}"
        )
    _check_rows(table, n_replicates)
    return dual_prompt_gate(
        [row.id for row in table],
        [row.answers[0] for row in table],
        [row.answers[1] for row in table],
        [row.correct[0] for row in table],
    )


def _check_rows(table: Sequence[Replicates], n_replicates: int) -> None:
    check_unique("table", (row.id for row in table))
    short = [row.id for row in table if {len(row.answers), len(row.correct)} != {n_replicates}]
    if short:
        raise StatisticsError(
            "incomplete_row",
            f"expected {n_replicates} answers and outcomes in each row, found others in {short!r}",
        )
    for row in table:
        for outcome in row.correct:
            check_outcome(row.id, outcome)


def _score(row: Replicates, found: Vote) -> list[int]:
    """The outcomes of the replicates that gave the leading answer, in their order."""
    if found.answer is None:
        return []
    pairs = zip(row.answers, row.correct, strict=True)
    return [int(outcome) for answer, outcome in pairs if answer == found.answer]


__all__ = [
    "Replicates",
    "SelfConsistency",
    "Vote",
    "self_consistency",
    "two_run_gate",
    "vote",
]
