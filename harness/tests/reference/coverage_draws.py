"""Coverage of the intervals that have no countable outcomes, over simulated data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.stats.clustered import cluster_interval
from harness.stats.estimate import Estimate
from harness.stats.ratios import JointCell, ratio_difference
from harness.stats.resampling import bootstrap_interval, bootstrap_statistic
from harness.stats.seeds import aggregate_seeds, compare_seeds
from harness.stats.selective import Selection
from harness.stats.uplift import enrichment_interval, uplift_interval
from harness.stats.weighted import weighted_yes_no
from harness.stats.weighted_confidence import (
    weighted_aurc,
    weighted_auroc,
    weighted_brier,
    weighted_ece,
)
from harness.tests.reference.coverage_rows import (
    LEVELS,
    Row,
    covers,
    generator,
    share_covered,
    simulated,
)

Interval = Callable[[Any, float, int], Estimate]

N_DRAWS = 2000
_RESAMPLES = 1000
_CLUSTER_SIZE = 5


def scores(n_draws: int = N_DRAWS) -> Iterator[Row]:
    """Means of real scores, in blocks of data sets that share their resamples."""
    laws: dict[str, Callable[[np.random.Generator, tuple[int, int]], NDArray[np.float64]]] = {
        "normal": lambda g, shape: g.normal(1.0, 1.0, shape),
        "exponential": lambda g, shape: g.exponential(1.0, shape),
    }
    for interval in ("percentile", "bca"):
        for law, (name, draw) in enumerate(laws.items()):
            for n in (10, 30, 100):
                coverage = []
                for level in LEVELS:
                    verdicts = [
                        covers(e, 1.0)
                        for block in range(n_draws // 50)
                        for e in bootstrap_interval(
                            draw(generator(1, law, n, block), (50, n)),
                            level,
                            interval,
                            _RESAMPLES,
                            block,
                        )
                    ]
                    coverage.append(share_covered(verdicts, [1.0] * len(verdicts)))
                yield Row(
                    table="Mean of scores, and of paired differences of scores",
                    interval=f"bootstrap_interval, {interval}",
                    setting=f"n = {n}, {name}",
                    coverage=tuple(coverage),
                    n_draws=n_draws,
                )


def clusters(n_draws: int = N_DRAWS) -> Iterator[Row]:
    """Normal scores in clusters of five with an intraclass correlation of 0.3."""

    def draw(g: int) -> Callable[[int], NDArray[np.float64]]:
        def one(seed: int) -> NDArray[np.float64]:
            source = generator(2, g, seed)
            shared = source.normal(0.0, np.sqrt(0.3), (g, 1))
            return np.asarray(
                (shared + source.normal(0.0, np.sqrt(0.7), (g, _CLUSTER_SIZE))).ravel()
            )

        return one

    for g in (5, 10, 30):
        names = np.repeat(np.arange(g), _CLUSTER_SIZE).tolist()
        singles = list(range(len(names)))
        kinds: dict[str, Interval] = {
            "cluster_interval, CR1": lambda x, level, seed, c=names: cluster_interval(
                x, c, "CR1", level
            ),
            "cluster_interval, CR0": lambda x, level, seed, c=names: cluster_interval(
                x, c, "CR0", level
            ),
            "bootstrap_interval of clusters, percentile": lambda x, level, seed, c=names: (
                bootstrap_interval([x], level, "percentile", _RESAMPLES, seed, c)[0]
            ),
            "clusters ignored": lambda x, level, seed, c=singles: cluster_interval(
                x, c, "CR1", level
            ),
        }
        for name, interval in kinds.items():
            count = n_draws // 4 if "bootstrap" in name else n_draws
            yield Row(
                table="Mean of clustered scores",
                interval=name,
                setting=f"{g} clusters of {_CLUSTER_SIZE}, ICC 0.3",
                coverage=simulated(draw(g), interval, 0.0, count),
                n_draws=count,
            )


def seeds(n_draws: int = N_DRAWS) -> Iterator[Row]:
    """Normal results of a few seeds, true mean 0."""

    def radius(rule: str) -> Interval:
        def interval(values: list[float], level: float, seed: int) -> Estimate:
            found = aggregate_seeds(values, level, rule)
            assert found.mean is not None and found.radius is not None
            return Estimate(
                value=found.mean,
                low=found.mean - found.radius,
                high=found.mean + found.radius,
                level=level,
                n=found.n_seeds,
                method=rule,
                unit="",
            )

        return interval

    def difference(values: list[float], level: float, seed: int) -> Estimate:
        half = len(values) // 2
        a, b = (dict(enumerate(part)) for part in (values[:half], values[half:]))
        return compare_seeds(a, b, level).difference

    for n in (2, 3, 5, 10):
        for name, interval, size, levels in (
            ("aggregate_seeds, t", radius("t"), n, LEVELS),
            ("aggregate_seeds, protocol_1.96", radius("protocol_1.96"), n, (0.95,)),
            ("compare_seeds", difference, 2 * n, LEVELS),
        ):

            def draw(seed: int, size: int = size) -> list[float]:
                return generator(3, size, seed).normal(size=size).tolist()

            yield Row(
                table="Mean over seeds",
                interval=name,
                setting=f"{n} seeds, normal",
                coverage=simulated(draw, interval, 0.0, n_draws, levels),
                n_draws=n_draws,
            )


def ratio_gaps(n_draws: int = N_DRAWS) -> Iterator[Row]:
    """Two judges on the same examples: gap of two ratios with their own denominators."""
    kinds = [((1, 1), (1, 1)), ((0, 1), (1, 1)), ((1, 1), (0, 1)), ((0, 1), (0, 1))]
    kinds += [((1, 1), (0, 0)), ((0, 0), (1, 1)), ((0, 0), (0, 0))]
    shares = np.array([0.3, 0.15, 0.05, 0.1, 0.1, 0.1, 0.2])
    tops, bottoms = np.array(kinds)[:, :, 0], np.array(kinds)[:, :, 1]
    first, second = (shares @ tops) / (shares @ bottoms)
    for n in (50, 300):

        def draw(seed: int, n: int = n) -> list[JointCell]:
            counts = generator(4, n, seed).multinomial(n, shares).tolist()
            return [
                JointCell(count=c, first=a, second=b)
                for c, (a, b) in zip(counts, kinds, strict=True)
            ]

        yield Row(
            table="Ratio of counts",
            interval="ratio_difference",
            setting=f"n = {n}, {first:.3f} against {second:.3f}",
            coverage=simulated(
                draw,
                lambda cells, level, seed: (
                    ratio_difference(cells, level, _RESAMPLES, seed).difference
                ),
                float(second - first),
                n_draws,
            ),
            n_draws=n_draws,
        )


def gates(n_draws: int = N_DRAWS) -> Iterator[Row]:
    """A gate that accepts 45 %, right on 60 % of them and on 35 % of the rest."""
    shares = np.array([0.45 * 0.6, 0.45 * 0.4, 0.55 * 0.35, 0.55 * 0.65])
    overall = float(shares[0] + shares[2])
    for n in (50, 300):

        def draw(seed: int, n: int = n) -> Selection:
            hits, misses, lost, _ = generator(5, n, seed).multinomial(n, shares).tolist()
            return Selection(
                n=n, n_correct=hits + lost, n_accepted=hits + misses, n_accepted_correct=hits
            )

        for name, interval, truth in (
            (
                "uplift_interval",
                lambda s, level, seed: uplift_interval([s], level, _RESAMPLES, seed),
                0.6 - overall,
            ),
            (
                "enrichment_interval",
                lambda s, level, seed: enrichment_interval(s, level, _RESAMPLES, seed),
                0.65 - (1 - overall),
            ),
        ):
            yield Row(
                table="Gate against random rejection",
                interval=name,
                setting=f"n = {n}, accepted 0.45, accuracy 0.6 and 0.35",
                coverage=simulated(draw, interval, truth, n_draws),
                n_draws=n_draws,
            )


def calibration(n_draws: int = N_DRAWS) -> Iterator[Row]:
    """Uniform confidence c, right with chance c: Brier 1/6, ECE 0, AUROC 5/6."""

    def draw(seed: int) -> tuple[list[float], list[int]]:
        source = generator(6, seed)
        confidence = source.random(100)
        return confidence.tolist(), (source.random(100) < confidence).astype(int).tolist()

    count = n_draws // 4
    for name, statistic, truth in (
        ("Brier", lambda d: weighted_brier(*d), 1 / 6),
        ("AUROC", lambda d: weighted_auroc(*d), 5 / 6),
        ("ECE, 10 bins", lambda d: weighted_ece(*d, 10), 0.0),
    ):
        yield Row(
            table="Calibration",
            interval=f"bootstrap_statistic, percentile: {name}",
            setting="n = 100, calibrated",
            coverage=simulated(
                draw,
                lambda d, level, seed, s=statistic: bootstrap_statistic(
                    s(d), level, "percentile", _RESAMPLES, seed
                ),
                truth,
                count,
            ),
            n_draws=count,
        )


def other_statistics(n_draws: int = N_DRAWS) -> Iterator[Row]:
    """Selective prediction with uniform confidence c, right with chance c: AURC 1/4 in the limit.

    Yes/no questions, half of them yes, of which 80 % are answered right either way: F1 0.8.
    """

    def draw(seed: int) -> tuple[list[float], list[int]]:
        source = generator(7, seed)
        confidence = source.random(100)
        return confidence.tolist(), (source.random(100) < confidence).astype(int).tolist()

    def answer(seed: int) -> tuple[list[bool], list[bool]]:
        source = generator(8, seed)
        gold = source.random(100) < 0.5
        return gold.tolist(), np.where(source.random(100) < 0.8, gold, ~gold).tolist()

    count = n_draws // 4
    cases: tuple[tuple[str, str, Any, Any, float], ...] = (
        ("AURC", "n = 100, calibrated", draw, lambda d: weighted_aurc(*d), 0.25),
        ("F1", "n = 100, 80 % right", answer, lambda d: weighted_yes_no("f1", *d), 0.8),
    )
    for name, setting, drawn, statistic, truth in cases:
        yield Row(
            table="Selective prediction and yes/no questions",
            interval=f"bootstrap_statistic, percentile: {name}",
            setting=setting,
            coverage=simulated(
                drawn,
                lambda d, level, seed, s=statistic: bootstrap_statistic(
                    s(d), level, "percentile", _RESAMPLES, seed
                ),
                truth,
                count,
            ),
            n_draws=count,
        )
