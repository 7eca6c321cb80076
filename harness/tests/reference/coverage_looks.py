"""Coverage at all looks together: the chance that no interval from 1 to n examples misses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from harness.stats.estimate import Estimate
from harness.stats.proportion import wilson
from harness.stats.sequential import difference_sequence, rate_sequence
from harness.tests.reference.coverage_rows import LEVELS, Row, covers, generator

PRIOR = 0.5
RATES = (0.02, 0.1, 0.3, 0.5)
_TABLE = "At all looks, from the first example to the last"


def never_missed(
    n_last: int,
    chance: Callable[[int], NDArray[np.float64]],
    missed: Callable[[int], NDArray[np.bool_]],
) -> float:
    """Exact chance that a walk of successes is never in a state that `missed(n)` marks.

    `chance(n)` holds the chance of a further success after k = 0 … n of n.
    """
    alive = np.array([1.0])
    for n in range(n_last):
        step = chance(n)
        alive = np.append(alive * (1 - step), 0.0) + np.append(0.0, alive * step)
        alive[missed(n + 1)] = 0.0
    return float(alive.sum())


def mixture_misses(p: float, level: float) -> Callable[[int], NDArray[np.bool_]]:
    """The counts whose confidence sequence excludes p: its closed form, at p alone."""
    from scipy.special import betaln, xlog1py, xlogy

    def missed(n: int) -> NDArray[np.bool_]:
        k = np.arange(n + 1)
        marginal = betaln(k + PRIOR, n - k + PRIOR) - betaln(PRIOR, PRIOR)
        return np.asarray(marginal - xlogy(k, p) - xlog1py(n - k, -p) >= -math.log(1 - level))

    return missed


def rates(n_last: int = 1000) -> Iterator[Row]:
    """The confidence sequence of a rate."""
    for p in RATES:
        yield Row(
            table=_TABLE,
            interval="rate_sequence",
            setting=f"p = {p}, looks 1 to {n_last}",
            coverage=tuple(
                never_missed(n_last, lambda n, p=p: np.full(n + 1, p), mixture_misses(p, level))
                for level in LEVELS
            ),
        )


def naive_rates(n_last: int = 300) -> Iterator[Row]:
    """A Wilson interval read after every example: what a confidence sequence is there for."""
    tables = [
        [[wilson(k, n, level) for k in range(n + 1)] for n in range(n_last + 1)] for level in LEVELS
    ]
    for p in RATES:
        yield Row(
            table=_TABLE,
            interval="Wilson after every example",
            setting=f"p = {p}, looks 1 to {n_last}",
            coverage=tuple(
                never_missed(
                    n_last,
                    lambda n, p=p: np.full(n + 1, p),
                    lambda n, p=p, t=table: np.array([not covers(e, p) for e in t[n]]),
                )
                for table in tables
            ),
        )


def finite_rates(population: int = 60) -> Iterator[Row]:
    """The confidence sequence of a benchmark's full result, drawn without replacement."""
    tables = [
        [
            [rate_sequence(k, n, level, PRIOR, population) for k in range(n + 1)]
            for n in range(population + 1)
        ]
        for level in LEVELS
    ]
    for total in (0, population // 10, population // 2):

        def chance(n: int, total: int = total) -> NDArray[np.float64]:
            return np.clip((total - np.arange(n + 1)) / (population - n), 0.0, 1.0)

        yield Row(
            table=_TABLE,
            interval="rate_sequence, without replacement",
            setting=f"{total} right of a population of {population}, looks 1 to {population}",
            coverage=tuple(
                never_missed(
                    population,
                    chance,
                    lambda n, t=table, p=total / population: np.array(
                        [not covers(e, p) for e in t[n]]
                    ),
                )
                for table in tables
            ),
        )


def finite_differences(population: int = 24) -> Iterator[Row]:
    """The same for a paired difference, over all orders of a population's +1, -1 and 0."""
    tables = [
        {
            (up, down, still): difference_sequence(up, down, n, level, PRIOR, population)
            for n in range(1, population + 1)
            for up in range(n + 1)
            for down in range(n + 1 - up)
            for still in (n - up - down,)
        }
        for level in LEVELS
    ]
    for plus, minus in ((2, 2), (10, 4)):
        totals = (plus, minus, population - plus - minus)
        yield Row(
            table=_TABLE,
            interval="difference_sequence, without replacement",
            setting=f"{plus} up, {minus} down of {population}, looks 1 to {population}",
            coverage=tuple(_orders_covered(totals, table) for table in tables),
        )


def _orders_covered(
    totals: tuple[int, int, int], table: dict[tuple[int, int, int], Estimate]
) -> float:
    population = sum(totals)
    alive = {(0, 0, 0): 1.0}
    for n in range(population):
        after: dict[tuple[int, int, int], float] = {}
        for state, mass in alive.items():
            for kind in range(3):
                chance = (totals[kind] - state[kind]) / (population - n)
                counts = list(state)
                counts[kind] += 1
                if chance and covers(table[tuple(counts)], (totals[0] - totals[1]) / population):
                    after[tuple(counts)] = after.get(tuple(counts), 0.0) + mass * chance
        alive = after
    return math.fsum(alive.values())


def gates(n_last: int = 1000) -> Iterator[Row]:
    """A gate on a rate that stands exactly at its floor: the chance of no false go."""
    from scipy.special import betaincc, betaln, xlog1py, xlogy

    for floor in (0.1, 0.5, 0.9):
        log_es = [np.zeros(1)]
        for n in range(1, n_last + 1):
            k = np.arange(n + 1)
            with np.errstate(divide="ignore"):
                log_e = np.log(betaincc(k + PRIOR, n - k + PRIOR, floor))
            log_e += betaln(k + PRIOR, n - k + PRIOR) - betaln(PRIOR, PRIOR)
            log_e -= (
                np.log(betaincc(PRIOR, PRIOR, floor)) + xlogy(k, floor) + xlog1py(n - k, -floor)
            )
            log_es.append(log_e)
        yield Row(
            table=_TABLE,
            interval="SequentialGate, no false go",
            setting=f"floor and rate {floor}, looks 1 to {n_last}",
            coverage=tuple(
                never_missed(
                    n_last,
                    lambda n, p=floor: np.full(n + 1, p),
                    lambda n, x=level, log_es=log_es: log_es[n] >= -math.log(1 - x),
                )
                for level in LEVELS
            ),
        )


def differences(n_draws: int = 1000, n_last: int = 1000) -> Iterator[Row]:
    """The confidence sequence of a paired difference, by its integral over bets.

    Gauss–Jacobi nodes integrate a polynomial of this degree exactly, so that the wealth of a
    path is followed without its closed form.
    """
    from scipy.special import logsumexp, roots_jacobi

    nodes, weights = roots_jacobi(n_last // 2 + 1, PRIOR - 1, PRIOR - 1)
    share, log_weight = (nodes + 1) / 2, np.log(weights / weights.sum())
    for place, (p01, p10) in enumerate(((0.02, 0.02), (0.15, 0.15), (0.2, 0.1))):
        mean = (1 + p01 - p10) / 2
        one, zero = share / mean, (1 - share) / (1 - mean)
        gains = np.log(np.stack([(one + zero) / 2, one, zero]))
        steps = generator(7, place).choice(3, size=(n_draws, n_last), p=(1 - p01 - p10, p01, p10))
        log_wealth, highest = np.tile(log_weight, (n_draws, 1)), np.zeros(n_draws)
        for n in range(n_last):
            log_wealth += gains[steps[:, n]]
            np.maximum(highest, logsumexp(log_wealth, axis=1), out=highest)
        yield Row(
            table=_TABLE,
            interval="difference_sequence",
            setting=f"p01 = {p01}, p10 = {p10}, looks 1 to {n_last}",
            coverage=tuple(float((highest < -math.log(1 - level)).mean()) for level in LEVELS),
            n_draws=n_draws,
        )
