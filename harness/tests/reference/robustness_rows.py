"""Rows of our tables held against the published ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.robustness.counts import PairedCounts
from harness.robustness.settings import TableSettings
from harness.stats.estimate import Estimate
from harness.tests.reference.published import SLACK, count, ends_fit, table

SETTINGS = TableSettings(
    models=("base", "sft", "rl"),
    focus="rl",
    whole="r1-942",
    design="r1-300",
    held_out="r1-642",
    paper="paper",
    evidence="evidence_first",
)
Rows = Sequence[Mapping[str, Any]]
# Ends of intervals, which were sampled, are compared on their own.
_SAMPLED = ("ci_low", "ci_high", "interval_low", "interval_high")


def published(name: str, n_rows: int) -> list[dict[str, str]]:
    return table(f"r1_study/{name}", n_rows)


def same(made: Rows, rows: Sequence[Mapping[str, str]], room: float = 1e-9) -> int:
    """Hold every published column but the sampled ones against ours; the number of values."""
    assert len(made) == len(rows)
    n_checked = 0
    for ours, theirs in zip(made, rows, strict=True):
        for column, text in theirs.items():
            if column.startswith("random_") or any(mark in column for mark in _SAMPLED):
                assert column in ours, column
                continue
            value = ours[column]
            if text == "":
                assert value is None, (column, theirs)
            elif isinstance(value, str):
                assert value == text, (column, theirs)
            else:
                assert value is not None and abs(value - float(text)) <= room, (column, theirs)
            n_checked += 1
    return n_checked


def near(
    make: Callable[[TableSettings], Rows],
    rows: Sequence[Mapping[str, str]],
    columns: Sequence[tuple[str, str]],
    room: float = 1e-9,
) -> int:
    """Hold sampled ends against the table made at a wider and at a closer level.

    `columns` are pairs (low, high) of names; the rule is that of `published.ends_fit`. Returns
    the number of ends.
    """
    levels = (1 - 2 * (0.025 - SLACK), 1 - 2 * (0.025 + SLACK))
    at = {level: make(replace(SETTINGS, level=level)) for level in levels}
    n_checked = 0
    for place, row in enumerate(rows):
        for low, high in columns:
            if row[low] == "":
                assert all(made[place][low] is None for made in at.values())
                continue

            def interval(level: float, place: int = place, ends: Any = (low, high)) -> Estimate:
                made = at[min(at, key=lambda known: abs(known - level))][place]
                return Estimate(
                    value=None,
                    low=made[ends[0]],
                    high=made[ends[1]],
                    level=level,
                    n=0,
                    method="",
                    unit="",
                )

            assert ends_fit(interval, float(row[low]), float(row[high]), room), (low, row)
            n_checked += 2
    return n_checked


def pairs_of(row: Mapping[str, str], unit: int) -> PairedCounts:
    n, share = int(row["n"]), "_pct" if unit == 100 else ""
    left_only = int(row["left_only_correct"])
    return PairedCounts(
        n=n,
        both_correct=count(row[f"left_accuracy{share}"], n, unit) - left_only,
        left_only=left_only,
        right_only=int(row["right_only_correct"]),
        n_agree=count(row[f"answer_agreement{share}"], n, unit),
    )


def within_a_step(made: Rows, rows: Sequence[Mapping[str, str]], ends: tuple[str, str]) -> None:
    """Ends of paired differences are counts of pairs; a sampled one may be a step off."""
    for ours, theirs in zip(made, rows, strict=True):
        unit = 100 if ends[0].endswith("_pp") else 1
        for end in ends:
            off = abs(ours[end] - float(theirs[end])) * int(theirs["n"]) / unit
            assert off <= 1 + 1e-6, theirs
