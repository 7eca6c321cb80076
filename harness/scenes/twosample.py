"""Two samples of one variable: does anything tell them apart?"""

from __future__ import annotations

from math import comb, exp, inf, sqrt


def mean_difference(here: list[float], there: list[float]) -> float:
    """Difference of the means over the root of the mean variance; 0 for two equal constants.

    Two constants that differ give an infinite difference. Neither side may be empty.

    >>> mean_difference([0.0, 2.0], [1.0, 3.0])
    -0.7071067811865475
    """
    one, other = sum(here) / len(here), sum(there) / len(there)
    spread = sqrt((_variance(here, one) + _variance(there, other)) / 2)
    if spread > 1e-9:
        return (one - other) / spread
    return inf if abs(one - other) > 1e-9 else 0.0


def _variance(values: list[float], mean: float) -> float:
    return sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)


def p_value(here: list[float], there: list[float]) -> float:
    """Two-sided p: Fisher's exact test for two values, else Kolmogorov and Smirnov's limit law.

    Ties make the latter conservative. One single value gives 1. Neither side may be empty.

    >>> round(p_value([0.0] * 4, [1.0] * 4), 4)
    0.0286
    """
    values = sorted({*here, *there})
    if len(values) < 2:
        return 1.0
    if len(values) == 2:
        return _fisher(here.count(values[1]), len(here), there.count(values[1]), len(there))
    return _smirnov(sorted(here), sorted(there), values)


def _fisher(k: int, n: int, other_k: int, other_n: int) -> float:
    """Two-sided: all tables with these margins that are no likelier than the one found."""
    total = k + other_k
    ways = [
        comb(n, i) * comb(other_n, total - i)
        for i in range(max(0, total - other_n), min(n, total) + 1)
    ]
    found = comb(n, k) * comb(other_n, other_k)
    return float(sum(way for way in ways if way <= found) / sum(ways))


def _smirnov(here: list[float], there: list[float], values: list[float]) -> float:
    i = j = 0
    gap = 0.0
    for value in values:
        while i < len(here) and here[i] <= value:
            i += 1
        while j < len(there) and there[j] <= value:
            j += 1
        gap = max(gap, abs(i / len(here) - j / len(there)))
    root = sqrt(len(here) * len(there) / (len(here) + len(there)))
    # Stephens' small-sample form of the limit law.
    scaled = (root + 0.12 + 0.11 / root) * gap
    if scaled < 0.3:
        return 1.0
    terms = (2 * (-1) ** (k - 1) * exp(-2 * (k * scaled) ** 2) for k in range(1, 101))
    return float(min(1.0, max(0.0, sum(terms))))


def holm(p: list[float]) -> list[float]:
    """P-values adjusted by Holm's step-down, in the order given.

    >>> holm([0.01, 0.5])
    [0.02, 0.5]
    """
    adjusted = [1.0] * len(p)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        highest = max(highest, min(1.0, p[place] * (len(p) - rank)))
        adjusted[place] = highest
    return adjusted


__all__ = ["holm", "mean_difference", "p_value"]
