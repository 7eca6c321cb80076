"""A limit for a total over strata, of each of which a sample was drawn: Chernoff, worst case."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from harness.audit.hypergeometric import most

Sampled = tuple[int, int, int]
_GRID, _STEPS, _HALVINGS = 24, 9, 36
_RANGE = (math.log(1e-3), math.log(1e3))


def most_in_total(strata: Sequence[Sampled], tail: Fraction) -> int:
    """The largest number of marked ones in all strata that the samples leave possible.

    Parameters
    ----------
    strata : population, sample without replacement, marked ones in it; independent of each
        other. Populations of 0 and samples of 0 are allowed: the latter may be marked whole.
    tail : chance, at most, that the limit lies below the truth, in (0, 1).

    Returns
    -------
    int
        Exact (hypergeometric) where at most one stratum was drawn in part. Otherwise with the
        estimate of the total T = sum of population / sample · marked, it is the largest total of
        any distribution over the strata under which Chernoff's bound of P(T <= observed) is above
        `tail`: wider than an exact limit, but narrower than limits of single strata added up,
        whose tails would have to be split to hold together.

    Notes
    -----
    For each theta > 0 and shares p, P(T <= t) <= exp(theta t) · product of (1 − p (1 −
    exp(−theta w)))^sample, which holds without replacement too (Hoeffding 1963, theorem 4). The
    largest total under one theta has a closed form, and every theta gives a valid limit, so the
    search for the best one cannot spoil it.

    References
    ----------
    W. Hoeffding, "Probability inequalities for sums of bounded random variables", JASA 58
    (1963), 13-30.

    Examples
    --------
    >>> tail = Fraction(1, 40)
    >>> most_in_total([(400, 100, 0), (900, 100, 0)], tail)
    32
    >>> most_in_total([(400, 100, 0)], tail) + most_in_total([(900, 100, 0)], tail)
    42
    """
    known = sum(marked for size, drawn, marked in strata if drawn == size)
    known += sum(size for size, drawn, _ in strata if drawn == 0)
    part = [one for one in strata if 0 < one[1] < one[0]]
    if len(part) < 2:
        return known + sum(most(*one, tail) for one in part)
    heaviest = max(size / drawn for size, drawn, _ in part)
    weights = [size / drawn / heaviest for size, drawn, _ in part]
    found = sum(weight * one[2] for weight, one in zip(weights, part, strict=True))
    spare = math.log(tail)

    def limit(log_theta: float) -> float:
        theta = math.exp(log_theta)
        return _largest(part, [-math.expm1(-theta * w) for w in weights], theta * found - spare)

    low, high = _RANGE
    step = (high - low) / (_GRID - 1)
    best = min((low + k * step for k in range(_GRID)), key=limit)
    least = limit(best)
    for _ in range(_STEPS):
        step /= 2
        for near in (best - step, best + step):
            if (value := limit(near)) < least:
                best, least = near, value
    return known + max(sum(one[2] for one in part), math.floor(least * (1 + 1e-12) + 1e-9))


def _largest(part: Sequence[Sampled], costs: Sequence[float], budget: float) -> float:
    """Largest sum of N p with −sum of n log(1 − p c) <= budget, p between what is certain."""
    certain = [
        (marked / size, (size - drawn + marked) / size, drawn, size, cost)
        for (size, drawn, marked), cost in zip(part, costs, strict=True)
    ]

    def shares(price: float) -> list[float]:
        return [
            min(high, max(low, (1 - price * drawn * cost / size) / cost))
            for low, high, drawn, size, cost in certain
        ]

    def spent(chosen: Sequence[float]) -> float:
        return -sum(
            drawn * math.log1p(-min(p * cost, 1 - 1e-16))
            for p, (_, _, drawn, _, cost) in zip(chosen, certain, strict=True)
        )

    cheap, dear = 0.0, max(size / (drawn * cost) for _, _, drawn, size, cost in certain)
    if spent(shares(cheap)) > budget:
        for _ in range(_HALVINGS):
            middle = (cheap + dear) / 2
            if spent(shares(middle)) > budget:
                cheap = middle
            else:
                dear = middle
    return sum(size * p for p, (_, _, _, size, _) in zip(shares(cheap), certain, strict=True))


__all__ = ["Sampled", "most_in_total"]
