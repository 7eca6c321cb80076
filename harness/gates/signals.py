"""Confidence signals: usable, calibrated and telling right from wrong, or not a signal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from harness.stats.calibration import auroc, ece
from harness.types import Issue, Verdict

_N_BINS = 10
# A calibration error is a sum of rounded floats, so it is compared as it would be printed.
_DECIMALS = 12


@dataclass(frozen=True, kw_only=True, slots=True)
class SignalRow:
    """One answer with the confidence in it, 0 to 1; None where no confidence can be had."""

    example_id: str
    confidence: float | None
    correct: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class SignalCell:
    """A signal over one cell; `n_dropped` rows were lost to the machine and are not among them."""

    cell: str
    signal: str
    rows: tuple[SignalRow, ...]
    n_dropped: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class SignalLimits:
    """What a signal must reach, all inclusive; a limit of None was not frozen and is an issue."""

    min_coverage: float | None
    max_ece: float | None
    min_auroc: float | None
    n_bins: int = _N_BINS


def signal_limits(thresholds: Mapping[str, Any]) -> SignalLimits:
    """Take the limits of confidence signals from a study's frozen thresholds.

    Examples
    --------
    >>> signal_limits({"max_ece": 0.1}).min_auroc is None
    True
    """
    bins = thresholds.get("ece_bins")
    return SignalLimits(
        min_coverage=thresholds.get("min_confidence_coverage"),
        max_ece=thresholds.get("max_ece"),
        min_auroc=thresholds.get("min_auroc"),
        n_bins=_N_BINS if bins is None else bins,
    )


def signal_audit(cells: Sequence[SignalCell], limits: SignalLimits) -> Verdict:
    """Judge whether confidence signals are worth an efficacy run.

    Parameters
    ----------
    cells : one per signal and cell.
    limits : smallest coverage (the share of rows with a confidence), largest expected
        calibration error and smallest AUROC, all from 0 to 1 and inclusive; the last two are of
        the rows with a confidence.

    Returns
    -------
    Verdict
        Issues per cell, with SIGNAL the name of the signal:
        `SIGNAL_confidence_cell_below_threshold`, once, with every limit it misses;
        `SIGNAL_confidence_cell_undefined` where a figure has nothing to stand on, such as the
        AUROC of answers that are all right or all wrong; `confidence_threshold_missing` per limit
        that is None; `no_signals` without a cell; `duplicate_signal` for one that stands twice.
        Facts: the limits, and per cell n, n_covered, coverage, ece, auroc, n_dropped; a figure
        that is undefined is None.

    Raises
    ------
    StatisticsError
        For a confidence that is NaN or outside 0 to 1.
    ValueError
        For a limit outside 0 to 1.

    Examples
    --------
    >>> rows = [
    ...     SignalRow(example_id="a", confidence=0.9, correct=True),
    ...     SignalRow(example_id="b", confidence=None, correct=False),
    ... ]
    >>> cell = SignalCell(cell="m/clean", signal="verbal", rows=tuple(rows))
    >>> limits = SignalLimits(min_coverage=0.9, max_ece=0.2, min_auroc=0.6)
    >>> [issue.code for issue in signal_audit([cell], limits).issues]
    ['verbal_confidence_cell_below_threshold', 'verbal_confidence_cell_undefined']
    """
    named = {
        "min_confidence_coverage": limits.min_coverage,
        "max_ece": limits.max_ece,
        "min_auroc": limits.min_auroc,
    }
    issues = []
    for name, limit in named.items():
        if limit is None:
            issues.append(
                Issue(
                    "confidence_threshold_missing",
                    name,
                    f"expected {name} to be frozen in the study's [gates], found none",
                )
            )
        elif not 0 <= limit <= 1:
            raise ValueError(f"signal_audit: {name}: expected 0 to 1, found {limit}")
    if not cells:
        issues.append(Issue("no_signals", "", "expected at least one signal, found none"))
    seen: set[tuple[str, str]] = set()
    facts = []
    for cell in cells:
        if (cell.cell, cell.signal) in seen:
            issues.append(Issue("duplicate_signal", cell.cell, f"{cell.signal} stands twice"))
        seen.add((cell.cell, cell.signal))
        fact = _figures(cell, limits.n_bins)
        issues += _judge(cell, fact, limits)
        facts.append(fact)
    return Verdict(
        gate="signal_audit",
        issues=tuple(sorted(issues)),
        facts={"limits": {**named, "ece_bins": limits.n_bins}, "cells": facts},
    )


def _figures(cell: SignalCell, n_bins: int) -> dict[str, Any]:
    pairs = [(row.confidence, row.correct) for row in cell.rows if row.confidence is not None]
    confidence, correct = [c for c, _ in pairs], [right for _, right in pairs]
    n = len(cell.rows)
    return {
        "cell": cell.cell,
        "signal": cell.signal,
        "n": n,
        "n_covered": len(pairs),
        "n_dropped": cell.n_dropped,
        "coverage": len(pairs) / n if n else None,
        "ece": ece(confidence, correct, n_bins),
        "auroc": auroc(confidence, correct),
    }


def _judge(cell: SignalCell, fact: Mapping[str, Any], limits: SignalLimits) -> list[Issue]:
    n, n_covered = fact["n"], fact["n_covered"]
    missed, undefined = [], []
    if n == 0:
        undefined.append("coverage (no row counts)")
    elif limits.min_coverage is not None and _exceeds(limits.min_coverage, n_covered, n):
        missed.append(f"coverage {n_covered} of {n}, expected at least {limits.min_coverage}")
    if fact["ece"] is None:
        undefined.append("ECE (no row has a confidence)")
    elif limits.max_ece is not None and round(fact["ece"], _DECIMALS) > limits.max_ece:
        missed.append(f"ECE {fact['ece']:.4f}, expected at most {limits.max_ece}")
    if fact["auroc"] is None:
        n_right = sum(row.correct for row in cell.rows if row.confidence is not None)
        undefined.append(f"AUROC ({n_right} right, {n_covered - n_right} wrong)")
    elif limits.min_auroc is not None and fact["auroc"] < limits.min_auroc:
        missed.append(f"AUROC {fact['auroc']:.4f}, expected at least {limits.min_auroc}")
    code = f"{cell.signal}_confidence_cell"
    issues = []
    if missed:
        issues.append(Issue(f"{code}_below_threshold", cell.cell, "; ".join(missed)))
    if undefined:
        message = f"undefined, which is no pass: {'; '.join(undefined)}"
        issues.append(Issue(f"{code}_undefined", cell.cell, message))
    return issues


def _exceeds(limit: float, k: int, n: int) -> bool:
    return Fraction(k, n) < Fraction(repr(float(limit)))


__all__ = [
    "SignalCell",
    "SignalLimits",
    "SignalRow",
    "signal_audit",
    "signal_limits",
]
