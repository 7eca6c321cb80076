"""What a row of docs/coverage.md is, and how coverage is added up."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.stats.estimate import Estimate

LEVELS = (0.9, 0.95, 0.99)
# Bounds and truths that are the same fraction may differ in their last bits.
_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """Coverage of one interval in one setting, at each of LEVELS (None: not offered there).

    `n_draws` is 0 where the coverage is exact, a sum over all outcomes.
    """

    table: str
    interval: str
    setting: str
    coverage: tuple[float | None, ...]
    n_draws: int = 0


def covers(estimate: Estimate, truth: float) -> bool | None:
    """Whether an interval holds the truth; None where there is no interval."""
    if estimate.low is None or estimate.high is None:
        return None
    return estimate.low - _ROUNDING <= truth <= estimate.high + _ROUNDING


def share_covered(verdicts: Iterable[bool | None], weights: Sequence[float]) -> float:
    """The share of the weight of all intervals that hold the truth."""
    known = [(v, w) for v, w in zip(verdicts, weights, strict=True) if v is not None]
    return math.fsum(w for v, w in known if v) / math.fsum(w for _, w in known)


def trinomial(n: int, p: float, q: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """All outcomes (i, j) of n draws with a mass above 1e-9, and their masses."""
    from scipy.special import gammaln, xlogy

    i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = i + j <= n
    i, j = i[inside], j[inside]
    rest = n - i - j
    log_mass = gammaln(n + 1) - gammaln(i + 1) - gammaln(j + 1) - gammaln(rest + 1)
    log_mass += xlogy(i, p) + xlogy(j, q) + xlogy(rest, max(0.0, 1.0 - p - q))
    mass = np.exp(log_mass)
    kept = mass > 1e-9
    return np.stack([i[kept], j[kept]], axis=1), mass[kept]


def simulated(
    draw: Callable[[int], Any],
    interval: Callable[[Any, float, int], Estimate],
    truth: float,
    n_draws: int,
    levels: Sequence[float] = LEVELS,
) -> tuple[float | None, ...]:
    """Coverage over n_draws data sets, the same ones at each level.

    `draw` makes a data set from a seed; `interval` takes data set, level and a seed for
    resampling, another one for every data set.
    """
    data = [draw(seed) for seed in range(n_draws)]
    found: list[float | None] = []
    for level in LEVELS:
        if level not in levels:
            found.append(None)
            continue
        verdicts = [covers(interval(each, level, seed), truth) for seed, each in enumerate(data)]
        found.append(share_covered(verdicts, [1.0] * n_draws))
    return tuple(found)


def generator(*seeds: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(list(seeds)))
