"""Published tables and answers, read from the folder of real data."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.stats.estimate import Estimate
from harness.stats.paired import paired_difference

# 4.5 standard errors (of about 1,000 ends not one is expected outside), and one draw.
SLACK = 4.5 * (0.025 * 0.975 / 10_000) ** 0.5 + 1e-4


def data(name: str) -> Path:
    """A file of the folder of real data."""
    folder = os.environ.get("HARNESS_DATA")
    assert folder, (
        "HARNESS_DATA: expected the folder of real data, found it unset; the reference tier is "
        "for machines that have it"
    )
    return Path(folder) / name


def table(name: str, n_rows: int) -> list[dict[str, str]]:
    """A published table, which must have this many rows."""
    with data(f"reference_tables/{name}.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == n_rows, f"{name}: expected {n_rows} rows, found {len(rows)}"
    return rows


def document(name: str) -> Any:
    """A published JSON document."""
    return json.loads(data(f"reference_tables/{name}.json").read_text(encoding="utf-8"))


def count(share: str | float, whole: int, unit: float = 1.0) -> int:
    """The number of `whole` that an unrounded share, of `unit` (100 for percent), stands for."""
    if whole == 0:
        return 0
    exact = float(share) / unit * whole
    assert abs(exact - round(exact)) < 1e-6, f"{share} of {whole} is no whole number"
    return round(exact)


def ends_fit(
    interval: Callable[[float], Estimate], low: float, high: float, room: float = 1e-9
) -> bool:
    """Whether both ends of a sampled 95 % interval lie where 10,000 draws leave them.

    An end that was sampled for the probability q is the exact distribution's quantile at a
    probability near q: the share of B draws below a point has the standard error
    sqrt(q (1 - q) / B), and an empirical quantile is known to one draw. So the end must lie
    between the exact quantiles at q - `SLACK` and q + `SLACK`. Neither a density nor a normal
    approximation of the statistic enters, and ties on a lattice are no trouble.

    Parameters
    ----------
    interval : from a level to the exact interval.
    low, high : the published ends.
    room : what rounding in print can add.
    """
    wide, close = interval(1 - 2 * (0.025 - SLACK)), interval(1 - 2 * (0.025 + SLACK))
    assert wide.low is not None and wide.high is not None
    assert close.low is not None and close.high is not None
    lows = wide.low - room <= low <= close.low + room
    return lows and close.high - room <= high <= wide.high + room


def some_table(first: int, second: int, n: int, low: float, high: float) -> bool:
    """Whether a joint table with these margins has an interval with these ends.

    For a published interval of second minus first whose discordant pairs are not published.
    Ends are counts of n pairs, sampled 10,000 times: each may be a step off, and a fiftieth more
    for the rounding in print.
    """
    for only_second in range(max(0, second - first), min(second, n - first) + 1):
        only_first = first - second + only_second
        found = paired_difference(only_second, only_first, n, 0.95, "percentile")
        assert found.low is not None and found.high is not None
        if abs(found.low * n - low) <= 1.02 and abs(found.high * n - high) <= 1.02:
            return True
    return False
