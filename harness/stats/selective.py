"""Selective prediction: what is gained by answering only part of the questions."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.checks import StatisticsError, check_count, check_part
from harness.stats.scored import scored_answers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """Counts of one set of questions: all, right, accepted, accepted and right.

    Raises
    ------
    StatisticsError
        `invalid_count` for a count that is not an integer of at least 0, for a part that is more
        than its whole, and where the rejected questions would be right more often than they are.
    """

    n: int
    n_correct: int
    n_accepted: int
    n_accepted_correct: int

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, check_count(field.name, getattr(self, field.name)))
        check_part("n_correct", self.n_correct, "n", self.n)
        check_part("n_accepted", self.n_accepted, "n", self.n)
        check_part("n_accepted_correct", self.n_accepted_correct, "n_accepted", self.n_accepted)
        check_part("n_accepted_correct", self.n_accepted_correct, "n_correct", self.n_correct)
        if self.n_correct - self.n_accepted_correct > self.n - self.n_accepted:
            raise StatisticsError(
                "invalid_count",
                "expected n_correct - n_accepted_correct <= n - n_accepted, found "
                f"{self.n_correct - self.n_accepted_correct} > {self.n - self.n_accepted}",
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class SelectiveMetrics:
    """Rates of a selection, as shares of 1; None where the denominator is 0.

    `gain` is selective minus full accuracy, `enrichment` the error among the rejected minus the
    error among all: both are positive where the selection keeps the better questions.
    """

    n: int
    n_correct: int
    n_accepted: int
    n_accepted_correct: int
    coverage: float | None
    selective_accuracy: float | None
    selective_risk: float | None
    full_accuracy: float | None
    rejected_accuracy: float | None
    rejected_error: float | None
    gain: float | None
    enrichment: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class RiskCoveragePoint:
    """What is accepted at `confidence >= threshold`: the share of all, and the share wrong."""

    threshold: float
    n_accepted: int
    n_errors: int
    coverage: float
    risk: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Aurc:
    """The area under the risk–coverage curve, of the best possible order, and the excess."""

    n: int
    n_errors: int
    aurc: float | None
    aurc_oracle: float | None
    e_aurc: float | None


def selective_metrics(
    n: int, n_correct: int, n_accepted: int, n_accepted_correct: int
) -> SelectiveMetrics:
    """Compute coverage, selective accuracy and what the rejected questions hold.

    Parameters
    ----------
    n : all questions, n ≥ 0.
    n_correct : those answered right, 0 ≤ n_correct ≤ n.
    n_accepted : those accepted, 0 ≤ n_accepted ≤ n.
    n_accepted_correct : those accepted and right, at most n_accepted and at most n_correct.

    Returns
    -------
    SelectiveMetrics
        Shares of 1, each rounded once from its exact fraction. `selective_accuracy`,
        `selective_risk` and `gain` are None when nothing is accepted, `rejected_accuracy`,
        `rejected_error` and `enrichment` when nothing is rejected, all of them with n = 0.

    Raises
    ------
    StatisticsError
        `invalid_count`, as in `Selection`.

    References
    ----------
    R. El-Yaniv and Y. Wiener, "On the foundations of noise-free selective classification",
    JMLR 11 (2010), 1605-1641.

    Examples
    --------
    >>> found = selective_metrics(40, 22, 10, 10)
    >>> found.coverage, found.selective_accuracy, found.rejected_accuracy, found.gain
    (0.25, 1.0, 0.4, 0.45)
    """
    given = Selection(
        n=n, n_correct=n_correct, n_accepted=n_accepted, n_accepted_correct=n_accepted_correct
    )
    n, n_correct = given.n, given.n_correct
    n_accepted, n_accepted_correct = given.n_accepted, given.n_accepted_correct
    n_rejected, n_rejected_correct = n - n_accepted, n_correct - n_accepted_correct
    return SelectiveMetrics(
        n=n,
        n_correct=n_correct,
        n_accepted=n_accepted,
        n_accepted_correct=n_accepted_correct,
        coverage=_share(n_accepted, n),
        selective_accuracy=_share(n_accepted_correct, n_accepted),
        selective_risk=_share(n_accepted - n_accepted_correct, n_accepted),
        full_accuracy=_share(n_correct, n),
        rejected_accuracy=_share(n_rejected_correct, n_rejected),
        rejected_error=_share(n_rejected - n_rejected_correct, n_rejected),
        gain=_difference(n_accepted_correct, n_accepted, n_correct, n),
        enrichment=_difference(n_correct, n, n_rejected_correct, n_rejected),
    )


def risk_coverage(confidence: ArrayLike, correct: ArrayLike) -> tuple[RiskCoveragePoint, ...]:
    """Follow the risk as the threshold falls: one point per distinct confidence.

    Parameters
    ----------
    confidence : n scores on any scale, higher is surer; infinities are allowed, NaN is not.
    correct : n outcomes, 1 or True for right, 0 or False for wrong.

    Returns
    -------
    tuple of RiskCoveragePoint
        From the highest threshold down; questions with equal confidence enter together, and the
        last point has coverage 1. Empty with n = 0.

    Raises
    ------
    StatisticsError
        `length_mismatch`, `nan_confidence`, `not_binary`, `invalid_shape`.

    References
    ----------
    R. El-Yaniv and Y. Wiener, "On the foundations of noise-free selective classification",
    JMLR 11 (2010), 1605-1641.

    Examples
    --------
    >>> [(p.threshold, p.risk) for p in risk_coverage([0.9, 0.9, 0.5], [0, 1, 1])]
    [(0.9, 0.5), (0.5, 0.3333333333333333)]
    """
    scores, right = scored_answers(confidence, correct)
    n = len(scores)
    scores, ends, n_errors = _blocks(scores, right)
    total = np.cumsum(n_errors)
    return tuple(
        RiskCoveragePoint(
            threshold=float(scores[end - 1]),
            n_accepted=end,
            n_errors=errors,
            coverage=end / n,
            risk=errors / end,
        )
        for end, errors in zip(ends.tolist(), total.tolist(), strict=True)
    )


def aurc(confidence: ArrayLike, correct: ArrayLike) -> Aurc:
    """Compute the area under the risk–coverage curve and its excess over the best order.

    AURC is the mean over k = 1 … n of the share of errors among the k surest questions. Where
    confidences are tied it is the mean over all orders of the tied questions: k questions that
    reach j deep into a block of m with e errors hold e · j / m of them on average. The oracle
    ranks every right answer before every wrong one, at this n.

    Parameters
    ----------
    confidence : n scores on any scale, higher is surer; infinities are allowed, NaN is not.
    correct : n outcomes, 1 or True for right, 0 or False for wrong.

    Returns
    -------
    Aurc
        `aurc` and `aurc_oracle` in [0, 1], `e_aurc` their difference, at least 0; all None with
        n = 0. All three are 0 when every answer is right.

    Raises
    ------
    StatisticsError
        `length_mismatch`, `nan_confidence`, `not_binary`, `invalid_shape`.

    References
    ----------
    Y. Geifman, G. Uziel and R. El-Yaniv, "Bias-reduced uncertainty estimation for deep neural
    classifiers", ICLR 2019. There the oracle is the limit r + (1 - r) ln(1 - r); here it is the
    best order of the n questions at hand.

    Examples
    --------
    >>> found = aurc([0.9, 0.8, 0.7, 0.6], [1, 1, 0, 1])
    >>> found.aurc_oracle, round(found.e_aurc, 12)
    (0.0625, 0.083333333333)
    """
    scores, right = scored_answers(confidence, correct)
    n = len(scores)
    if n == 0:
        return Aurc(n=0, n_errors=0, aurc=None, aurc_oracle=None, e_aurc=None)
    _, ends, n_errors = _blocks(scores, right)
    wrong = int(n_errors.sum())
    edges, errors = [n], [wrong]
    if 0 < wrong < n:
        edges, errors = [n - wrong, n], [0, wrong]
    area = _area(ends, n_errors)
    oracle = _area(np.array(edges, dtype=np.int64), np.array(errors, dtype=np.int64))
    return Aurc(n=n, n_errors=wrong, aurc=area, aurc_oracle=oracle, e_aurc=area - oracle)


def _blocks(
    scores: NDArray[np.float64], right: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Scores from high to low; where each block of equal scores ends, and its errors."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    if not len(ranked):
        return ranked, np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    last = np.append(ranked[1:] != ranked[:-1], True)
    ends = np.flatnonzero(last) + 1
    total = np.cumsum(1 - right[order])[ends - 1]
    return ranked, ends, np.diff(total, prepend=0)


def _area(ends: NDArray[np.int64], n_errors: NDArray[np.int64]) -> float:
    n = int(ends[-1])
    sizes = np.diff(ends, prepend=0)
    place = np.arange(1, n + 1)
    depth = place - np.repeat(ends - sizes, sizes)
    before = np.repeat(np.cumsum(n_errors) - n_errors, sizes)
    expected = before + np.repeat(n_errors, sizes) * depth / np.repeat(sizes, sizes)
    return math.fsum((expected / place).tolist()) / n


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _difference(a: int, n_a: int, b: int, n_b: int) -> float | None:
    return float(Fraction(a, n_a) - Fraction(b, n_b)) if n_a and n_b else None


__all__ = [
    "Aurc",
    "RiskCoveragePoint",
    "Selection",
    "SelectiveMetrics",
    "aurc",
    "risk_coverage",
    "selective_metrics",
]
