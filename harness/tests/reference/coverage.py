"""How often do the intervals of harness.stats hold the truth? Writes docs/coverage.md.

python -m harness.tests.reference.coverage [FILE]
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from harness.tests.reference import coverage_counts, coverage_draws, coverage_looks
from harness.tests.reference.coverage_rows import LEVELS, Row

DOCUMENT = Path(__file__).parents[3] / "docs/coverage.md"
HEAD = """# Coverage of the intervals

How often an interval holds the truth, at 90, 95 and 99 %, in stated settings. `exact` sums over
every outcome of the data; otherwise the share of so many simulated data sets (seeds fixed), whose
standard error is at most the figure in brackets, in percentage points. A figure in **bold** is
below its level by more than 1 point and by more than three standard errors. Outcomes with a
probability below 1e-9 are left out of the exact sums of pairs and ratios; data sets without an
interval (nothing accepted) are left out of the shares. Resampled intervals take 1,000 resamples;
blocks of 50 data sets of scores share theirs. Written by
`python -m harness.tests.reference.coverage`; the reference tier recomputes a part of it.
"""

NOTES = """
What the tables say:

* **Wilson** is close to its level on average, not in every setting: for a p near 0 and at small n
  single combinations fall several points short (81.8 % for 90 % at n = 20, p = 0.01).
  **Clopper–Pearson** never falls short, at the price of wider intervals.
* **paired_difference, percentile** falls short where pairs that differ are rare: without one the
  interval is a point (flagged degenerate). At n = 10 that makes 87.4 % for 95 % where 20 % of the
  pairs differ one way and 10 % the other; where 2 % do, all one way, 18.3 %, and 86.6 % at n = 100.
  **BCa** is better where a few pairs differ all one way (97.9 against 93.2 % for 95 % at n = 300
  with 2 %) and worse where a few differ both ways (90.2 against 95.8 % at n = 100 with 2 % each).
  From about 30 discordant pairs both hold their level.
* **ratio_interval** is the published percentile method. Near 0 or 1 with few accepted examples it
  is far too narrow (59.8 % for 95 % with about 9 accepted at an accuracy of 0.9): two samples in
  five have no error among the accepted, and a bootstrap cannot draw what it has not seen.
* **bootstrap_interval** falls short below about 30 examples, more so for skewed scores, and BCa
  repairs little of it. The same holds for the cluster bootstrap below about 30 clusters.
* **cluster_interval** with CR1 and t(G - 1) holds its level even for 5 clusters of equal size;
  ignoring the clusters does not (80.5 % for 95 %).
* **aggregate_seeds** with t holds its level at any number of seeds, for normal results. The
  protocol's 1.96 radius covers 81 % with three seeds.
* The percentile intervals of **AURC**, **F1**, **AUROC** and **Brier** hold their level at n = 100,
  as far as 500 data sets can tell.
* The percentile interval of **ECE** never holds the truth 0 of a calibrated model: ECE is biased
  upwards, and resampling adds the same bias again. Read it as spread, not as a confidence interval.
* A **Wilson interval read after every example** at 95 % misses at some time in 32 to 46 % of
  all runs of 300 examples. The **confidence sequences** hold their level at all looks together.
  Against an interval for one fixed n they are 1.4 (n = 10) to 1.9 (n = 1,000) times as wide.
  Where the whole benchmark is the truth, the version without replacement is the one to use; the
  other speaks of the source of the examples. For differences it gains little before about half
  of the benchmark is seen, then closes on the full result.
* Ranges of rankings over draws (`bootstrap_rankings`) and of random rejection are no confidence
  intervals and have no coverage.
* Not in rows of their own: `bootstrap_paired_scores` and `cluster_difference` are
  bootstrap_interval and cluster_interval of the differences; `reliability_curve` and
  `specification_curve` give a Wilson interval for each bin or cell, so the rows of one proportion
  hold; `bootstrap_statistic` is measured for the five statistics named here and no other, and
  `uplift_interval` for one stratum, not for several.
"""


def rows() -> Iterable[Row]:
    """All rows, in the order of the document."""
    yield from coverage_counts.proportions()
    yield from coverage_counts.paired()
    yield from coverage_counts.ratios()
    yield from coverage_draws.ratio_gaps()
    yield from coverage_draws.scores()
    yield from coverage_draws.clusters()
    yield from coverage_draws.seeds()
    yield from coverage_draws.gates()
    yield from coverage_draws.calibration()
    yield from coverage_draws.other_statistics()
    yield from coverage_looks.rates()
    yield from coverage_looks.finite_rates()
    yield from coverage_looks.differences()
    yield from coverage_looks.finite_differences()
    yield from coverage_looks.gates()
    yield from coverage_looks.naive_rates()


def line(row: Row) -> str:
    """One row of a table."""
    how = "exact"
    if row.n_draws:
        how = f"{row.n_draws:,} draws (±{50 / math.sqrt(row.n_draws):.1f})"
    figures = (
        _figure(c, level, row.n_draws) for c, level in zip(row.coverage, LEVELS, strict=True)
    )
    return f"| {row.interval} | {row.setting} | {' | '.join(figures)} | {how} |"


def document(found: Iterable[Row]) -> str:
    """The whole of docs/coverage.md."""
    parts = [HEAD, NOTES.strip() + "\n"]
    for table, group in groupby(found, key=lambda row: row.table):
        parts.append(
            f"## {table}\n\n| interval | setting | 90 % | 95 % | 99 % | how |\n"
            "|---|---|--:|--:|--:|---|\n" + "\n".join(map(line, group)) + "\n"
        )
    return "\n".join(parts)


def falls_short(coverage: float, level: float, n_draws: int) -> bool:
    """Below its level by more than a point, and by more than three standard errors."""
    error = math.sqrt(level * (1 - level) / n_draws) if n_draws else 0.0
    return coverage < level - max(0.01, 3 * error)


def _figure(coverage: float | None, level: float, n_draws: int) -> str:
    if coverage is None:
        return "–"
    shown = f"{100 * coverage:.1f}"
    return f"**{shown}**" if falls_short(coverage, level, n_draws) else shown


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else DOCUMENT
    target.write_text(document(rows()), encoding="utf-8")
