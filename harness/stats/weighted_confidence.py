"""Calibration and selective prediction under weights: Brier, ECE, AURC and AUROC of a resample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from harness.stats.checks import check_size
from harness.stats.scored import equal_width_bins, probabilities, scored_answers
from harness.stats.weighted import WeightedStatistic, share_of, weighted_ratio
from harness.stats.weights import drawn_sums

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from harness.stats.weighted import Values, Weights

_MOST_ENTRIES = 10**8


def weighted_brier(confidence: Sequence[float], correct: Sequence[int]) -> WeightedStatistic:
    """Make the Brier score a statistic under weights.

    Parameters
    ----------
    confidence : n probabilities in [0, 1].
    correct : n outcomes, 1 or True for right, 0 or False for wrong.

    Returns
    -------
    WeightedStatistic
        In [0, 1], NaN in a resample without examples.

    Raises
    ------
    StatisticsError
        `length_mismatch`, `invalid_shape`, `nan_confidence`, `confidence_out_of_range`,
        `not_binary`.

    References
    ----------
    G. W. Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather
    Review 78 (1950), 1-3.

    Examples
    --------
    >>> weighted_brier([0.5, 1.0], [1, 1]).compute(np.array([[1, 1], [0, 2]])).tolist()
    [0.125, 0.0]
    """
    scores, right = probabilities(confidence, correct)
    return weighted_ratio("Brier score", (scores - right) ** 2, np.ones(len(scores)))


def weighted_ece(
    confidence: Sequence[float], correct: Sequence[int], n_bins: int
) -> WeightedStatistic:
    """Make the expected calibration error a statistic under weights.

    Each example keeps its bin, taken on the decimal value of its confidence as in `ece`, so
    that the gaps of all bins are one matrix product.

    Parameters
    ----------
    confidence : n probabilities in [0, 1].
    correct : n outcomes, 1 or True for right, 0 or False for wrong.
    n_bins : number of bins of equal width, at least 1.

    Returns
    -------
    WeightedStatistic
        The ECE in [0, 1], NaN in a resample without examples.

    Raises
    ------
    StatisticsError
        `length_mismatch`, `invalid_shape`, `nan_confidence`, `confidence_out_of_range`,
        `not_binary`; `invalid_count` for the number of bins; `too_large` for more than 1e8
        examples × bins that hold one.

    References
    ----------
    M. P. Naeini, G. F. Cooper and M. Hauskrecht, "Obtaining well calibrated probabilities using
    Bayesian binning", AAAI 2015.

    Examples
    --------
    >>> ece = weighted_ece([0.95, 1.0], [1, 0], 10)
    >>> ece.compute(np.array([[1, 1], [0, 2]])).tolist()
    [0.475, 1.0]
    """
    scores, right = probabilities(confidence, correct)
    places = equal_width_bins(np.asarray(confidence), scores, n_bins)
    filled, bins = np.unique(places, return_inverse=True)
    check_size("n * filled bins", len(scores) * len(filled), _MOST_ENTRIES)
    gaps = np.zeros((len(scores), len(filled)))
    gaps[np.arange(len(scores)), bins] = scores - right

    def compute(weights: Weights) -> Values:
        total = np.abs(drawn_sums(weights, gaps)).sum(axis=1)
        return share_of(total, weights.sum(axis=1))

    return WeightedStatistic(name=f"ECE ({n_bins} bins)", n=len(scores), compute=compute)


def weighted_aurc(confidence: Sequence[float], correct: Sequence[int]) -> WeightedStatistic:
    """Make the area under the risk–coverage curve a statistic under weights.

    Ties, those between copies of an example too, are averaged over all orders as in `aurc`.
    A block of m drawn examples with e errors that follows M others with E errors adds, over
    k = M + 1 … M + m, the terms (E + e (k - M) / m) / k, which is E · D + e (1 - M · D / m) with
    D = 1 / (M + 1) + … + 1 / (M + m).

    Parameters
    ----------
    confidence : n scores on any scale, higher is surer; infinities are allowed, NaN is not.
    correct : n outcomes, 1 or True for right, 0 or False for wrong.

    Returns
    -------
    WeightedStatistic
        In [0, 1], NaN in a resample without examples.

    Raises
    ------
    StatisticsError
        `length_mismatch`, `invalid_shape`, `nan_confidence`, `not_binary`.

    References
    ----------
    Y. Geifman, G. Uziel and R. El-Yaniv, "Bias-reduced uncertainty estimation for deep neural
    classifiers", ICLR 2019.

    Examples
    --------
    >>> aurc = weighted_aurc([0.9, 0.8], [0, 1])
    >>> aurc.compute(np.array([[1, 1], [0, 2], [2, 0]])).tolist()
    [0.75, 0.0, 1.0]
    """
    scores, right = scored_answers(confidence, correct)
    order, ends = _descending(scores)
    wrong = 1 - right[order]

    def compute(weights: Weights) -> Values:
        ranked = weights[:, order]
        after, errors = _sums(ranked, ends), _sums(ranked * wrong, ends)
        before, errors_before = after[:, :-1], errors[:, :-1]
        size, found = np.diff(after, axis=1), np.diff(errors, axis=1)
        n_drawn = after[:, -1]
        inverses = 1.0 / np.arange(1, int(n_drawn.max(initial=0)) + 1)
        harmonic = np.concatenate([[0.0], np.cumsum(inverses)])
        step = np.diff(harmonic[after], axis=1)
        inside = found * (1.0 - before * step / np.maximum(size, 1))
        return share_of((errors_before * step + inside).sum(axis=1), n_drawn)

    return WeightedStatistic(name="AURC", n=len(scores), compute=compute)


def weighted_auroc(confidence: Sequence[float], correct: Sequence[int]) -> WeightedStatistic:
    """Make the probability that a right answer is surer than a wrong one a weighted statistic.

    Parameters
    ----------
    confidence : n scores on any scale, higher is surer; infinities are allowed, NaN is not.
    correct : n outcomes, 1 or True for right, 0 or False for wrong.

    Returns
    -------
    WeightedStatistic
        In [0, 1], ties counting half; NaN in a resample of one class.

    Raises
    ------
    StatisticsError
        `length_mismatch`, `invalid_shape`, `nan_confidence`, `not_binary`.

    References
    ----------
    J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating
    characteristic (ROC) curve", Radiology 143 (1982), 29-36.

    Examples
    --------
    >>> auroc = weighted_auroc([0.9, 0.9, 0.4], [1, 0, 0])
    >>> auroc.compute(np.array([[1, 1, 1], [3, 0, 0]])).tolist()
    [0.75, nan]
    """
    scores, right = scored_answers(confidence, correct)
    order, ends = _descending(-scores)
    hit = right[order]

    def compute(weights: Weights) -> Values:
        ranked = weights[:, order]
        rights, wrongs = _sums(ranked * hit, ends), _sums(ranked * (1 - hit), ends)
        twice = np.diff(rights, axis=1) * (wrongs[:, :-1] + wrongs[:, 1:])
        return share_of(twice.sum(axis=1), 2 * rights[:, -1] * wrongs[:, -1])

    return WeightedStatistic(name="AUROC", n=len(scores), compute=compute)


def _descending(scores: Values) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The order from high to low, and the last place of each block of equal scores."""
    order = np.argsort(-scores, kind="stable")
    ranked = scores[order]
    return order, np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)[: len(ranked)])


def _sums(columns: Weights, ends: NDArray[np.intp]) -> Weights:
    """Running sums at the block ends, after a first column of zeros."""
    zero = np.zeros((len(columns), 1), dtype=np.int64)
    return np.concatenate([zero, np.cumsum(columns, axis=1)[:, ends]], axis=1)


__all__ = ["weighted_aurc", "weighted_auroc", "weighted_brier", "weighted_ece"]
