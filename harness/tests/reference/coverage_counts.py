"""Coverage of the intervals of counts, exact: a sum over every outcome."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from harness.stats.paired import paired_differences
from harness.stats.proportion import clopper_pearson, wilson
from harness.stats.ratios import ratio_interval
from harness.tests.reference.coverage_rows import LEVELS, Row, covers, share_covered, trinomial

PROPORTION_SIZES = (5, 10, 20, 50, 100, 300, 1000)
PAIRED_SIZES = (10, 30, 100, 300)
PAIRED_RATES = ((0.02, 0.02), (0.05, 0.05), (0.15, 0.15), (0.2, 0.1), (0.02, 0.0))
RATIO_SIZES = (20, 50, 100)


def proportions(sizes: tuple[int, ...] = PROPORTION_SIZES) -> Iterator[Row]:
    """Wilson and Clopper–Pearson over all counts of n."""
    from scipy.stats import binom

    for name, interval in (("Wilson", wilson), ("Clopper–Pearson", clopper_pearson)):
        for n in sizes:
            made = [[interval(k, n, level) for k in range(n + 1)] for level in LEVELS]
            for p in (0.01, 0.05, 0.2, 0.5):
                masses = binom.pmf(np.arange(n + 1), n, p).tolist()
                yield Row(
                    table="One proportion",
                    interval=name,
                    setting=f"n = {n}, p = {p}",
                    coverage=tuple(
                        share_covered([covers(e, p) for e in row], masses) for row in made
                    ),
                )


def paired(sizes: tuple[int, ...] = PAIRED_SIZES) -> Iterator[Row]:
    """The exact bootstrap intervals of a paired difference over all counts of n pairs."""
    for interval in ("percentile", "bca"):
        for n in sizes:
            for p01, p10 in PAIRED_RATES:
                states, masses = trinomial(n, p01, p10)
                tables = [(i, j, n) for i, j in states.tolist()]
                yield Row(
                    table="Paired difference of two accuracies",
                    interval=f"paired_difference, {interval}",
                    setting=f"n = {n}, p01 = {p01}, p10 = {p10}",
                    coverage=tuple(
                        share_covered(
                            [
                                covers(e, p01 - p10)
                                for e in paired_differences(tables, level, interval)
                            ],
                            masses.tolist(),
                        )
                        for level in LEVELS
                    ),
                )


def ratios(sizes: tuple[int, ...] = RATIO_SIZES) -> Iterator[Row]:
    """Selective accuracy over all counts of hits and of other accepted examples."""
    for n in sizes:
        for accepted, accuracy in ((0.45, 0.48), (0.45, 0.9)):
            states, masses = trinomial(n, accepted * accuracy, accepted * (1 - accuracy))
            yield Row(
                table="Ratio of counts",
                interval="ratio_interval",
                setting=f"n = {n}, accepted {accepted}, accuracy {accuracy}",
                coverage=tuple(
                    share_covered(
                        [
                            covers(ratio_interval(i, i + j, n, level), accuracy)
                            for i, j in states.tolist()
                        ],
                        masses.tolist(),
                    )
                    for level in LEVELS
                ),
            )
