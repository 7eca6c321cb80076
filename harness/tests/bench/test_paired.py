"""Paired comparisons of n = 942, by CPU time in one process, beside scipy and statsmodels."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from harness.stats.paired import mcnemar, mcnemar_many, paired_difference, paired_differences
from harness.stats.power import mcnemar_power
from harness.stats.walk import exact_quantile, walk_pmf

pytestmark = pytest.mark.bench

N, LEVEL, RESAMPLES = 942, 0.95, 10_000


def tables(size: int) -> list[tuple[int, int, int]]:
    """Comparisons of two conditions with 20 to 160 discordant pairs of either kind."""
    rng = np.random.Generator(np.random.PCG64(942))
    return [(int(a), int(b), N) for a, b in rng.integers(20, 160, size=(size, 2))]


def cpu_seconds(call: Callable[[], object], repeats: int) -> float:
    """The least CPU time of a call."""
    least = float("inf")
    for _ in range(repeats):
        started = time.process_time()
        call()
        least = min(least, time.process_time() - started)
    return least


def report(
    capsys: Any, what: str, oracle: str, theirs: float, ours: float, aim: int | None
) -> float:
    """Print both times beside the aim, as the other speed tests do; gives the ratio."""
    with capsys.disabled():
        print(
            f"\n{what}: {oracle} {1e3 * theirs:.1f} ms, ours {1e3 * ours:.3f} ms of CPU,"
            f" {theirs / ours:.0f} times as fast (aim: {aim or 'none'})"
        )
    return theirs / ours


def sampled(table: tuple[int, int, int], method: str) -> tuple[float, float]:
    """The same interval by scipy: paired, vectorized, 10,000 resamples."""
    from scipy.stats import bootstrap

    n01, n10, n = table
    first, second = np.zeros(n), np.zeros(n)
    second[:n01], first[n01 : n01 + n10] = 1.0, 1.0

    def difference(a: Any, b: Any, axis: int = -1) -> Any:
        return np.mean(b, axis=axis) - np.mean(a, axis=axis)

    interval = bootstrap(
        (first, second),
        difference,
        paired=True,
        vectorized=True,
        n_resamples=RESAMPLES,
        confidence_level=LEVEL,
        method=method,
        rng=np.random.Generator(np.random.PCG64(1)),
    ).confidence_interval
    return float(interval.low), float(interval.high)


@pytest.mark.parametrize("interval", ["percentile", "bca"])
@pytest.mark.parametrize("size", [1, 12, 100])
def test_exact_bootstrap(size: int, interval: str, benchmark: Any, capsys: Any) -> None:
    """The aim: at least 1,000 times as fast as scipy's at 12 and at 100 comparisons.

    scipy's time is measured on two comparisons and scaled up: its cost is the same for each.
    """
    given = tables(size)
    method = {"percentile": "percentile", "bca": "BCa"}[interval]
    theirs = cpu_seconds(lambda: [sampled(t, method) for t in tables(2)], 2) / 2 * size
    ours = cpu_seconds(lambda: paired_differences(given, LEVEL, interval), 50)
    one_by_one = cpu_seconds(lambda: [paired_difference(*t, LEVEL, interval) for t in given], 10)
    found = benchmark(paired_differences, given, LEVEL, interval)
    low, high = sampled(given[0], method)
    assert found[0].low == pytest.approx(low, abs=3 / N)
    assert found[0].high == pytest.approx(high, abs=3 / N)
    aim = 1_000 if size > 1 else None
    what = f"exact bootstrap, {interval}, {size} comparison{'s' * (size > 1)}"
    benchmark.extra_info |= {
        "times_scipy": round(report(capsys, what, "scipy", theirs, ours, aim)),
        "times_scipy_one_by_one": round(theirs / one_by_one),
        "us_per_comparison": round(1e6 * ours / size, 1),
    }


@pytest.mark.parametrize("variant", ["exact", "midp"])
def test_a_hundred_mcnemar_tests(variant: str, benchmark: Any, capsys: Any) -> None:
    """The aim: at least 50 times as fast as statsmodels' exact test."""
    from statsmodels.stats.contingency_tables import mcnemar as theirs

    n01, n10, _ = np.array(tables(100)).T
    grids = [[[0, b], [a, 0]] for a, b in zip(n01, n10, strict=True)]
    slow = cpu_seconds(lambda: [theirs(grid, exact=True).pvalue for grid in grids], 5)
    fast = cpu_seconds(lambda: mcnemar_many(n01, n10, variant), 50)
    pairs = [(int(a), int(b)) for a, b in zip(n01, n10, strict=True)]
    one_by_one = cpu_seconds(lambda: [mcnemar(a, b, variant) for a, b in pairs], 10)
    found = benchmark(mcnemar_many, n01, n10, variant)
    if variant == "exact":
        assert found == pytest.approx([theirs(g, exact=True).pvalue for g in grids], rel=1e-10)
    what = f"100 McNemar tests, {variant}"
    benchmark.extra_info |= {
        "times_statsmodels": round(report(capsys, what, "statsmodels", slow, fast, 50)),
        "times_statsmodels_one_by_one": round(slow / one_by_one, 1),
    }


@pytest.mark.parametrize("n", [1_000, 1_000_000])
def test_size(n: int, benchmark: Any) -> None:
    """The window grows with the root of n: a million pairs stay within milliseconds."""
    benchmark(paired_difference, 3 * n // 10, n // 4, n, LEVEL, "bca")


def test_the_mass_of_a_walk(benchmark: Any) -> None:
    """One distribution, beside the same in integers of 9,000 bits."""
    from fractions import Fraction

    ours = cpu_seconds(lambda: walk_pmf(144, 141, N), 50)
    integers = cpu_seconds(lambda: exact_quantile(144, 141, N, Fraction(1)), 3)
    benchmark(walk_pmf, 144, 141, N)
    benchmark.extra_info |= {"times_integers": round(integers / ours)}


def test_power(benchmark: Any) -> None:
    """Exact power of the exact test at n = 942, over every number of discordant pairs."""
    assert 0 < benchmark(mcnemar_power, N, 0.16, 0.14, 0.05, "exact") < 1
