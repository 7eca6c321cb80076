"""Statistics of a resample, computed from how often each example was drawn.

A weight is a multiplicity: a statistic under weights equals, exactly, the plain statistic of
the list in which each example stands as often as its weight says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from harness.stats.checks import StatisticsError, check_choice, check_same_length
from harness.stats.columns import as_scores
from harness.stats.weights import drawn_sums

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Weights: TypeAlias = NDArray[np.int64]
    Values: TypeAlias = NDArray[np.float64]

YES_NO_METRICS = ("accuracy", "precision", "recall", "f1", "yes_ratio")


@dataclass(frozen=True, kw_only=True, slots=True)
class WeightedStatistic:
    """A statistic of n examples as a function of their weights.

    `compute` maps counts of shape (B, n) to B values, NaN where a resample leaves the statistic
    undefined: an array of floats has no None.
    """

    name: str
    n: int
    compute: Callable[[Weights], Values]


def weighted_ratio(name: str, numerator: ArrayLike, denominator: ArrayLike) -> WeightedStatistic:
    """Make the sum of one column over the sum of another a statistic under weights.

    Parameters
    ----------
    name : what the ratio is called.
    numerator, denominator : finite numbers, shape (n,) each.

    Returns
    -------
    WeightedStatistic
        NaN in a resample whose denominators sum to 0.

    Raises
    ------
    StatisticsError
        `nan_value`, `invalid_shape`, `length_mismatch`.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), section 10.3.

    Examples
    --------
    >>> ratio = weighted_ratio("selective accuracy", [1, 0, 0], [1, 1, 0])
    >>> ratio.compute(np.array([[1, 1, 1], [2, 0, 1], [0, 0, 3]])).tolist()
    [0.5, 1.0, nan]
    """
    above, below = as_scores("numerator", numerator), as_scores("denominator", denominator)
    check_same_length(numerator=above, denominator=below)
    columns = np.stack([above, below], axis=1)

    def compute(weights: Weights) -> Values:
        sums = drawn_sums(weights, columns)
        return share_of(sums[:, 0], sums[:, 1])

    return WeightedStatistic(name=name, n=len(above), compute=compute)


def weighted_mean(values: ArrayLike) -> WeightedStatistic:
    """Make the mean a statistic under weights.

    Parameters
    ----------
    values : finite numbers, shape (n,).

    Returns
    -------
    WeightedStatistic
        NaN in a resample without examples.

    Raises
    ------
    StatisticsError
        `nan_value`, `invalid_shape`.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), section 20.2: a
    resample as a vector of weights.

    Examples
    --------
    >>> weighted_mean([1.0, 4.0]).compute(np.array([[1, 1], [0, 2]])).tolist()
    [2.5, 4.0]
    """
    scores = as_scores("values", values)
    return weighted_ratio("mean", scores, np.ones(len(scores)))


def weighted_yes_no(
    metric: str, gold: Sequence[bool], answer: Sequence[bool | None]
) -> WeightedStatistic:
    """Make a metric of yes/no questions a statistic under weights, as `pope_metrics` defines it.

    Parameters
    ----------
    metric : one of `YES_NO_METRICS`.
    gold : the right answers, True for yes.
    answer : the answers read, None where none could be: wrong, and never a yes.

    Returns
    -------
    WeightedStatistic
        In [0, 1], NaN in a resample in which the metric's denominator is 0.

    Raises
    ------
    StatisticsError
        `unknown_variant`, `length_mismatch`, `not_binary`.

    References
    ----------
    Y. Li et al., "Evaluating Object Hallucination in Large Vision-Language Models" (2023).

    Examples
    --------
    >>> f1 = weighted_yes_no("f1", [True, True, False], [True, None, True])
    >>> f1.compute(np.array([[1, 1, 1], [0, 0, 0]])).tolist()
    [0.5, nan]
    """
    check_same_length(gold=gold, answer=answer)
    for name, column, allowed in (
        ("gold", gold, (True, False)),
        ("answer", answer, (True, False, None)),
    ):
        for place, value in enumerate(column):
            if value not in allowed:
                raise StatisticsError(
                    "not_binary", f"{name}[{place}]: expected one of {allowed}, found {value!r}"
                )
    positive = np.array([bool(value) for value in gold], dtype=np.int64)
    yes = np.array([bool(value) for value in answer], dtype=np.int64)
    right = np.array([a is not None and a == g for a, g in zip(answer, gold, strict=True)], int)
    every, hits = np.ones(len(positive)), positive * yes
    columns: dict[str, tuple[ArrayLike, ArrayLike]] = {
        "accuracy": (right, every),
        "precision": (hits, yes),
        "recall": (hits, positive),
        "f1": (2 * hits, positive + yes),
        "yes_ratio": (yes, every),
    }
    check_choice("metric", metric, YES_NO_METRICS)
    return weighted_ratio(metric, *columns[metric])


def weighted_difference(first: WeightedStatistic, second: WeightedStatistic) -> WeightedStatistic:
    """Make the difference of two statistics, second minus first, one statistic.

    Parameters
    ----------
    first, second : statistics of the same n examples in the same order, drawn together.

    Returns
    -------
    WeightedStatistic
        NaN in a resample that leaves one of the two undefined.

    Raises
    ------
    StatisticsError
        `length_mismatch` where the two stand on different numbers of examples.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), section 8.3.

    Examples
    --------
    >>> gap = weighted_difference(weighted_mean([0, 1]), weighted_mean([1, 1]))
    >>> gap.compute(np.array([[1, 1], [2, 0]])).tolist()
    [0.5, 1.0]
    """
    check_same_length(first=range(first.n), second=range(second.n))
    return WeightedStatistic(
        name=f"difference of {first.name}"
        if first.name == second.name
        else f"{second.name} - {first.name}",
        n=first.n,
        compute=lambda weights: second.compute(weights) - first.compute(weights),
    )


def share_of(above: ArrayLike, below: ArrayLike) -> Values:
    """Divide, with NaN where the denominator is 0.

    Parameters
    ----------
    above, below : finite numbers, shape (B,) each.

    Returns
    -------
    array of float64, shape (B,)

    Raises
    ------
    ValueError
        For shapes that do not fit.

    References
    ----------
    IEEE 754-2019, section 6.2 (NaN).

    Examples
    --------
    >>> share_of([1, 0], [2, 0]).tolist()
    [0.5, nan]
    """
    low = np.asarray(below, dtype=np.float64)
    share: Values = np.full(low.shape, np.nan)
    np.divide(above, low, out=share, where=low != 0.0)
    return share


__all__ = [
    "YES_NO_METRICS",
    "WeightedStatistic",
    "share_of",
    "weighted_difference",
    "weighted_mean",
    "weighted_ratio",
    "weighted_yes_no",
]
