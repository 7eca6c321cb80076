"""Calibration: does a confidence say how often the answer is right?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.proportion import wilson
from harness.stats.scored import check_bins, equal_width_bins, probabilities, scored_answers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from harness.stats.estimate import Estimate


@dataclass(frozen=True, kw_only=True, slots=True)
class ReliabilityBin:
    """One bin of the reliability curve: low ≤ confidence < high, the last bin with its end.

    `accuracy` carries a Wilson interval; in an empty bin its value and `mean_confidence` are
    None and its interval is the whole range.
    """

    low: float
    high: float
    n: int
    n_correct: int
    mean_confidence: float | None
    accuracy: Estimate


def ece(confidence: ArrayLike, correct: ArrayLike, n_bins: int) -> float | None:
    """Compute the expected calibration error over bins of equal width.

    Confidence c falls in bin min(floor(c · n_bins), n_bins - 1), taken on the decimal value as
    written: 0.3 is in bin 3 of 10, although the float that stands for it is a little less.

    Parameters
    ----------
    confidence : n probabilities in [0, 1].
    correct : n outcomes, 1 or True for right, 0 or False for wrong.
    n_bins : number of bins, 1 ≤ n_bins ≤ 1,000,000.

    Returns
    -------
    float or None
        The mean over answers of |accuracy - mean confidence| of the bin, in [0, 1]; None with
        n = 0.

    Raises
    ------
    StatisticsError
        `length_mismatch`, `nan_confidence`, `confidence_out_of_range`, `not_binary`,
        `invalid_shape`; `invalid_count` for the number of bins.

    References
    ----------
    M. P. Naeini, G. F. Cooper and M. Hauskrecht, "Obtaining well calibrated probabilities using
    Bayesian binning", AAAI 2015.

    Examples
    --------
    >>> ece([0.95, 1.0], [1, 0], 10)
    0.475
    """
    filled, n = _filled_bins(confidence, correct, n_bins)
    if n == 0:
        return None
    return math.fsum(abs(right - total) for _, right, total in filled.values()) / n


def reliability_curve(
    confidence: ArrayLike, correct: ArrayLike, n_bins: int, level: float
) -> tuple[ReliabilityBin, ...]:
    """Set the accuracy of each confidence bin beside its mean confidence.

    Parameters
    ----------
    confidence, correct, n_bins : as in `ece`.
    level : confidence level of the Wilson intervals, strictly between 0 and 1.

    Returns
    -------
    tuple of ReliabilityBin
        All n_bins bins from low to high, the empty ones too.

    Raises
    ------
    StatisticsError
        As in `ece`; `invalid_level`.

    References
    ----------
    A. Niculescu-Mizil and R. Caruana, "Predicting good probabilities with supervised learning",
    ICML 2005.

    Examples
    --------
    >>> [(b.n, b.mean_confidence) for b in reliability_curve([0.2, 0.4, 0.9], [0, 1, 1], 2, 0.95)]
    [(2, 0.30000000000000004), (1, 0.9)]
    """
    filled, _ = _filled_bins(confidence, correct, n_bins)
    n_bins, curve = int(n_bins), []
    for place in range(n_bins):
        size, right, total = filled.get(place, (0, 0, 0.0))
        curve.append(
            ReliabilityBin(
                low=place / n_bins,
                high=(place + 1) / n_bins,
                n=size,
                n_correct=right,
                mean_confidence=total / size if size else None,
                accuracy=wilson(right, size, level),
            )
        )
    return tuple(curve)


def brier(confidence: ArrayLike, correct: ArrayLike) -> float | None:
    """Compute the Brier score: the mean squared distance of confidence and outcome.

    Parameters
    ----------
    confidence : n probabilities in [0, 1].
    correct : n outcomes, 1 or True for right, 0 or False for wrong.

    Returns
    -------
    float or None
        In [0, 1], 0 for certainty that is always right; None with n = 0.

    Raises
    ------
    StatisticsError
        `length_mismatch`, `nan_confidence`, `confidence_out_of_range`, `not_binary`,
        `invalid_shape`.

    References
    ----------
    G. W. Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather
    Review 78 (1950), 1-3.

    Examples
    --------
    >>> brier([0.5, 1.0], [1, 1])
    0.125
    """
    scores, right = probabilities(confidence, correct)
    if not len(scores):
        return None
    return math.fsum(((scores - right) ** 2).tolist()) / len(scores)


def auroc(confidence: ArrayLike, correct: ArrayLike) -> float | None:
    """Compute the probability that a right answer is surer than a wrong one, ties counting half.

    Parameters
    ----------
    confidence : n scores on any scale, higher is surer; infinities are allowed, NaN is not.
    correct : n outcomes, 1 or True for right, 0 or False for wrong.

    Returns
    -------
    float or None
        In [0, 1], counted in integers and rounded once; 0.5 when all are tied. None when the
        answers are all right, all wrong or none at all.

    Raises
    ------
    StatisticsError
        `length_mismatch`, `nan_confidence`, `not_binary`, `invalid_shape`.

    References
    ----------
    J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating
    characteristic (ROC) curve", Radiology 143 (1982), 29-36.

    Examples
    --------
    >>> auroc([0.9, 0.9, 0.4, 0.4, 0.4], [1, 0, 1, 0, 0])
    0.5833333333333334
    """
    scores, right = scored_answers(confidence, correct)
    n_right = int(right.sum())
    n_wrong = len(right) - n_right
    if not n_right or not n_wrong:
        return None
    _, block = np.unique(scores, return_inverse=True)
    rights = np.bincount(block, weights=right).astype(np.int64)
    wrongs = np.bincount(block) - rights
    twice = rights * (2 * np.cumsum(wrongs) - wrongs)
    return int(twice.sum()) / (2 * n_right * n_wrong)


def _filled_bins(
    confidence: ArrayLike, correct: ArrayLike, n_bins: int
) -> tuple[dict[int, tuple[int, int, float]], int]:
    """By bin that holds an answer: answers, right ones, sum of confidences; and all answers."""
    check_bins(n_bins)
    scores, right = probabilities(confidence, correct)
    if not len(scores):
        return {}, 0
    place = equal_width_bins(np.asarray(confidence), scores, n_bins)
    order = np.argsort(place, kind="stable")
    bins, starts = np.unique(place[order], return_index=True)
    ends = np.append(starts[1:], len(order)).tolist()
    sums, values = np.add.reduceat(right[order], starts), scores[order].tolist()
    filled = {
        int(at): (end - start, int(total), math.fsum(values[start:end]))
        for at, start, end, total in zip(bins, starts.tolist(), ends, sums, strict=True)
    }
    return filled, len(scores)


__all__ = ["ReliabilityBin", "auroc", "brier", "ece", "reliability_curve"]
