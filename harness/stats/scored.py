"""Answers with a confidence: the check that selective prediction and calibration share."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.stats.checks import StatisticsError, check_same_length, check_whole, shown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_MOST_BINS = 1_000_000


def scored_answers(
    confidence: ArrayLike, correct: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Check n confidences and n outcomes, and return them as arrays.

    Parameters
    ----------
    confidence : n numbers on any scale, possibly infinite.
    correct : n outcomes, each equal to 0 or 1.

    Returns
    -------
    two arrays, shape (n,)
        The confidences without NaN, the outcomes as integers; both empty with n = 0.

    Raises
    ------
    StatisticsError
        `length_mismatch` for unequal lengths, `invalid_shape` for tables and single values,
        `nan_confidence` for None, NaN or what is no number, `not_binary` for an outcome other
        than 0 and 1.

    References
    ----------
    IEEE 754-2019, 5.11: NaN compares with nothing, so that it has no rank; infinities have one.

    Examples
    --------
    >>> scored_answers([0.5, 1], [True, False])[1].tolist()
    [1, 0]
    """
    given, outcomes = _column("confidence", confidence), _column("correct", correct)
    check_same_length(confidence=given, correct=outcomes)
    if given.dtype.kind in "biuf":
        scores = given.astype(np.float64)
    else:
        scores = np.array([_number(value) for value in given.tolist()], dtype=np.float64)
    missing = np.flatnonzero(np.isnan(scores))
    if len(missing):
        place = int(missing[0])
        found = given.tolist()[place]
        raise StatisticsError(
            "nan_confidence", f"confidence[{place}]: expected a number, found {shown(found)}"
        )
    for place, value in enumerate(outcomes.tolist()):
        if value not in (0, 1):
            raise StatisticsError(
                "not_binary", f"correct[{place}]: expected 0 or 1, found {shown(value)}"
            )
    return scores, outcomes.astype(np.int64)


def probabilities(
    confidence: ArrayLike, correct: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Check n confidences that are probabilities and n outcomes, and return them as arrays.

    Parameters
    ----------
    confidence : n probabilities in [0, 1].
    correct : n outcomes, each equal to 0 or 1.

    Returns
    -------
    two arrays, shape (n,)
        As `scored_answers`.

    Raises
    ------
    StatisticsError
        As `scored_answers`; `confidence_out_of_range` outside [0, 1].

    References
    ----------
    G. W. Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather
    Review 78 (1950), 1-3: a forecast is a probability.

    Examples
    --------
    >>> probabilities([0.5, 1], [True, False])[0].tolist()
    [0.5, 1.0]
    """
    scores, right = scored_answers(confidence, correct)
    for place in np.flatnonzero((scores < 0.0) | (scores > 1.0))[:1].tolist():
        raise StatisticsError(
            "confidence_out_of_range",
            f"confidence[{place}]: expected a value from 0 to 1, found {float(scores[place])!r}",
        )
    return scores, right


def equal_width_bins(
    given: NDArray[Any], scores: NDArray[np.float64], n_bins: int
) -> NDArray[np.int64]:
    """Place probabilities in bins of equal width, on their decimal values.

    Confidence c falls in bin min(floor(c · n_bins), n_bins - 1): 0.3 is in bin 3 of 10, although
    the float that stands for it is a little less.

    Parameters
    ----------
    given : n probabilities of any numeric type, whose text is the decimal that is meant.
    scores : the same as floats.
    n_bins : number of bins, 1 ≤ n_bins ≤ 1,000,000.

    Returns
    -------
    array of int64, shape (n,)
        From 0 to n_bins - 1.

    Raises
    ------
    StatisticsError
        `invalid_count` for the number of bins.

    References
    ----------
    M. P. Naeini, G. F. Cooper and M. Hauskrecht, "Obtaining well calibrated probabilities using
    Bayesian binning", AAAI 2015.

    Examples
    --------
    >>> scores = np.array([0.29, 0.3, 1.0])
    >>> equal_width_bins(scores, scores, 10).tolist()
    [2, 3, 9]
    """
    check_bins(n_bins)
    product = scores * int(n_bins)
    place = np.floor(product).astype(np.int64)
    precision = float(np.finfo(given.dtype).eps) if given.dtype.kind == "f" else 2.0**-52
    near = np.abs(product - np.rint(product)) <= 4 * precision * np.maximum(product, 1.0)
    values, where = np.unique(given[near], return_inverse=True)
    written = (int(value) if given.dtype.kind == "b" else Fraction(str(value)) for value in values)
    places = [math.floor(value * int(n_bins)) for value in written]
    place[near] = np.array(places, dtype=np.int64)[where]
    return np.minimum(place, int(n_bins) - 1)


def check_bins(n_bins: int) -> None:
    """Refuse all but 1 to 1,000,000 bins (`invalid_count`)."""
    check_whole("n_bins", n_bins)
    if not 1 <= n_bins <= _MOST_BINS:
        raise StatisticsError(
            "invalid_count", f"n_bins: expected 1 to {_MOST_BINS:,} bins, found {shown(n_bins)}"
        )


def _column(name: str, values: ArrayLike) -> NDArray[np.generic]:
    try:
        column = np.asarray(values)
    except ValueError:
        column = np.empty((0, 0))
    if column.ndim != 1:
        raise StatisticsError("invalid_shape", f"{name}: expected a sequence of single values")
    return column


def _number(value: object) -> float:
    """The value as a float, NaN for what is no number or lies beyond the floats."""
    try:
        return float(value) if isinstance(value, Real | Decimal) else math.nan
    except (OverflowError, ValueError):
        return math.nan


__all__ = ["check_bins", "equal_width_bins", "probabilities", "scored_answers"]
