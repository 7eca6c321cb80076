"""CPU time of the resampling paths beside `scipy.stats.bootstrap`, in one process.

The aims at 942 examples and 10,000 resamples: counts 40 times as fast, weights 10 times at 12
comparisons and 60 times at 100. scipy is measured on 12 comparisons; 100 cost it 100/12 as much.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import bootstrap

from harness.stats.ratios import JointCell, cells_from_examples, ratio_difference, ratio_interval
from harness.stats.resampling import bootstrap_interval, bootstrap_statistic
from harness.stats.weighted import WeightedStatistic
from harness.stats.weighted_confidence import weighted_aurc, weighted_auroc, weighted_ece

pytestmark = pytest.mark.bench

N, B, LEVEL, SEED = 942, 10_000, 0.95, 20260724


def cpu_seconds(call: Callable[[], object], n_rounds: int) -> float:
    """The fastest of a few rounds, all threads counted."""
    seconds = []
    for _ in range(n_rounds):
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    return min(seconds)


def compare(
    benchmark: Any, capsys: Any, what: str, ours: Callable[[], object], theirs: float, aim: int
) -> None:
    mine = cpu_seconds(ours, 5)
    benchmark.pedantic(ours, rounds=3)
    benchmark.extra_info |= {"cpu_ms": round(1e3 * mine, 2), "ratio": round(theirs / mine, 1)}
    with capsys.disabled():
        print(
            f"\n{what}: scipy {1e3 * theirs:.1f} ms, ours {1e3 * mine:.2f} ms of CPU,"
            f" {theirs / mine:.0f} times as fast (aim: {aim})"
        )


def scores(k: int) -> Any:
    return np.random.Generator(np.random.PCG64(SEED)).random((2, k, N))


def scipy_paired(a: Any, b: Any, method: str) -> None:
    bootstrap(
        (a, b),
        lambda a, b, axis: b.mean(axis) - a.mean(axis),
        paired=True,
        vectorized=True,
        n_resamples=B,
        confidence_level=LEVEL,
        method=method,
        rng=np.random.Generator(np.random.PCG64(SEED)),
    )


@cache
def scipy_seconds(method: str) -> float:
    """scipy's time for 12 paired comparisons."""
    a, b = scores(12)
    pairs = list(zip(a, b, strict=True))
    return cpu_seconds(lambda: [scipy_paired(*pair, method) for pair in pairs], 2)


@pytest.mark.parametrize(("interval", "method"), [("percentile", "percentile"), ("bca", "BCa")])
@pytest.mark.parametrize(("k", "aim"), [(12, 10), (100, 60)])
def test_weights(k: int, aim: int, interval: str, method: str, benchmark: Any, capsys: Any) -> None:
    a, b = scores(k)
    compare(
        benchmark,
        capsys,
        f"weights, {interval}, {k} comparisons",
        lambda: bootstrap_interval(b - a, LEVEL, interval, B, SEED),
        scipy_seconds(method) * k / 12,
        aim,
    )


def test_counts_of_a_paired_difference(benchmark: Any, capsys: Any) -> None:
    cells = [
        JointCell(count=141, first=(1, 1), second=(0, 1)),
        JointCell(count=144, first=(0, 1), second=(1, 1)),
        JointCell(count=330, first=(1, 1), second=(1, 1)),
        JointCell(count=327, first=(0, 1), second=(0, 1)),
    ]
    a = np.repeat([1.0, 0.0, 1.0, 0.0], [141, 144, 330, 327])
    b = np.repeat([0.0, 1.0, 1.0, 0.0], [141, 144, 330, 327])
    compare(
        benchmark,
        capsys,
        "counts, paired difference (4 cells)",
        lambda: ratio_difference(cells, LEVEL, B, SEED),
        cpu_seconds(lambda: scipy_paired(a, b, "percentile"), 3),
        40,
    )


def test_counts_of_a_gap_of_ratios(benchmark: Any, capsys: Any) -> None:
    rng = np.random.Generator(np.random.PCG64(SEED))
    of_a, of_b = (rng.random((2, N)) < 0.8).astype(float)
    in_a, in_b = of_a * (rng.random(N) < 0.7), of_b * (rng.random(N) < 0.6)
    cells = cells_from_examples(*(x.astype(int) for x in (in_a, of_a, in_b, of_b)))
    assert len(cells) == 9
    theirs = cpu_seconds(
        lambda: bootstrap(
            (in_a, of_a, in_b, of_b),
            lambda p, q, r, s, axis: r.sum(axis) / s.sum(axis) - p.sum(axis) / q.sum(axis),
            paired=True,
            vectorized=True,
            n_resamples=B,
            method="percentile",
            rng=np.random.Generator(np.random.PCG64(SEED)),
        ),
        2,
    )
    compare(
        benchmark,
        capsys,
        "counts, gap of two ratios (9 cells)",
        lambda: ratio_difference(cells, LEVEL, B, SEED),
        theirs,
        40,
    )


@pytest.mark.parametrize("counts", [(139, 288, 642), (400, 800, 942), (4_000, 8_000, 10_000)])
def test_exact_ratio(counts: tuple[int, int, int], benchmark: Any) -> None:
    benchmark(ratio_interval, *counts, LEVEL)


@pytest.mark.parametrize("name", ["aurc", "ece", "auroc"])
def test_statistics_under_weights(name: str, benchmark: Any) -> None:
    rng = np.random.Generator(np.random.PCG64(SEED))
    confidence = rng.random(N).round(3).tolist()
    correct = (rng.random(N) < 0.6).astype(int).tolist()
    made: dict[str, Callable[[], WeightedStatistic]] = {
        "aurc": lambda: weighted_aurc(confidence, correct),
        "ece": lambda: weighted_ece(confidence, correct, 15),
        "auroc": lambda: weighted_auroc(confidence, correct),
    }
    statistic = made[name]()
    benchmark.pedantic(bootstrap_statistic, (statistic, LEVEL, "percentile", B, SEED), rounds=3)
