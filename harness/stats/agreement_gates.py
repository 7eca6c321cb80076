"""Gates that accept a question where two of its answers agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.stats.agreement import agree
from harness.stats.checks import StatisticsError, check_same_length, check_unique
from harness.stats.selective import SelectiveMetrics, selective_metrics

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


@dataclass(frozen=True, kw_only=True, slots=True)
class Gate:
    """The questions that a gate accepts, in the order given, and the rates that follow."""

    accepted: tuple[Hashable, ...]
    metrics: SelectiveMetrics


def dual_prompt_gate(
    ids: Sequence[Hashable],
    first: Sequence[str | None],
    second: Sequence[str | None],
    first_correct: Sequence[int],
) -> Gate:
    """Accept where the answers under two prompts agree, and score the first prompt's.

    Parameters
    ----------
    ids : n ids of questions, each once.
    first, second : n canonical answers each, in the order of `ids`, compared verbatim; None or
        blank if unparsed.
    first_correct : n outcomes of the first prompt's answers, 1 or True for right.

    Returns
    -------
    Gate
        A question is accepted when both answers are parsed and equal. With n = 0 the rates are
        None.

    Raises
    ------
    StatisticsError
        `length_mismatch`, `duplicate_id`, `not_binary`, `invalid_answer`.

    References
    ----------
    The rule of the R1-Onevision robustness study: accept where two outputs for one question give
    the same answer, and score the first.

    Examples
    --------
    >>> dual_prompt_gate([1, 2, 3], ["A", "B", None], ["A", "C", None], [1, 0, 0]).accepted
    (1,)
    """
    check_same_length(ids=ids, first=first, second=second, first_correct=first_correct)
    accepts = [agree(a, b) for a, b in zip(first, second, strict=True)]
    return gate(ids, first_correct, accepts)


def gate(ids: Sequence[Hashable], correct: Sequence[int], accepts: Sequence[bool]) -> Gate:
    """Count what a gate accepts.

    Parameters
    ----------
    ids : n ids of questions, each once.
    correct : n outcomes, 1 or True for right, 0 or False for wrong.
    accepts : n decisions.

    Returns
    -------
    Gate
        With n = 0 the rates are None.

    Raises
    ------
    StatisticsError
        `length_mismatch`, `duplicate_id`, `not_binary`.

    References
    ----------
    R. El-Yaniv and Y. Wiener, "On the foundations of noise-free selective classification",
    JMLR 11 (2010), 1605-1641.

    Examples
    --------
    >>> gate(["p", "q"], [1, 0], [True, False]).metrics.selective_accuracy
    1.0
    """
    check_same_length(ids=ids, correct=correct, accepts=accepts)
    check_unique("ids", ids)
    for place, outcome in zip(ids, correct, strict=True):
        check_outcome(place, outcome)
    return Gate(
        accepted=tuple(i for i, accept in zip(ids, accepts, strict=True) if accept),
        metrics=selective_metrics(
            len(ids),
            sum(int(outcome) for outcome in correct),
            sum(bool(accept) for accept in accepts),
            sum(int(c) for c, accept in zip(correct, accepts, strict=True) if accept),
        ),
    )


def check_outcome(place: Hashable, outcome: int) -> None:
    """Refuse an outcome other than 0 and 1 (`not_binary`), naming where it stands."""
    if outcome not in (0, 1):
        raise StatisticsError("not_binary", f"{place!r}: expected 0 or 1, found {outcome!r}")


__all__ = ["Gate", "check_outcome", "dual_prompt_gate", "gate"]
