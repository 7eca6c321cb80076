"""A measure over groups of responses: a share or a correlation, with what a bootstrap needs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from harness.stats.weighted import WeightedStatistic, share_of, weighted_ratio
from harness.stats.weights import drawn_sums

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Values: TypeAlias = NDArray[np.float64]
    Weights: TypeAlias = NDArray[np.int64]

_FLAT = 1e-18


@dataclass(frozen=True, kw_only=True, slots=True)
class Measure:
    """What is measured over G groups, drawn whole.

    `part` and `whole` are the sums whose quotient it is, None for a correlation.
    """

    name: str
    statistic: WeightedStatistic
    part: float | None = None
    whole: float | None = None

    @property
    def value(self) -> float | None:
        """Of all groups as they are; None where it is undefined."""
        found = float(self.statistic.compute(np.ones((1, self.statistic.n), dtype=np.int64))[0])
        return None if math.isnan(found) else found


def share(name: str, part: ArrayLike, whole: ArrayLike) -> Measure:
    """Make the sum of one column over the sum of another a measure.

    Parameters
    ----------
    name : what it is called.
    part, whole : one number a group, shape (G,) each.

    Returns
    -------
    Measure
        Undefined where the whole sums to 0.
    """
    return Measure(
        name=name,
        statistic=weighted_ratio(name, part, whole),
        part=math.fsum(np.asarray(part, dtype=np.float64)),
        whole=math.fsum(np.asarray(whole, dtype=np.float64)),
    )


def correlation(name: str, products: ArrayLike) -> Measure:
    """Make a correlation of two columns, centred inside their groups, a measure.

    Parameters
    ----------
    name : what it is called.
    products : a group's sums of xx, yy and xy over its centred members, shape (G, 3).

    Returns
    -------
    Measure
        Σxy / √(Σxx · Σyy), undefined where one of the two does not vary inside any group.
    """
    columns = np.asarray(products, dtype=np.float64).reshape(-1, 3)

    def compute(weights: Weights) -> Values:
        xx, yy, xy = drawn_sums(weights, columns).T
        flat = (xx <= _FLAT) | (yy <= _FLAT)
        return share_of(xy, np.where(flat, 0.0, np.sqrt(np.maximum(xx * yy, 0.0))))

    return Measure(
        name=name, statistic=WeightedStatistic(name=name, n=len(columns), compute=compute)
    )


__all__ = ["Measure", "correlation", "share"]
