"""Completeness: every expected response is there once, and few were lost to the machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from harness.types import CellResult, Issue, Verdict

_N_ERRORS = 3
_SHOWN = 5
_INFRASTRUCTURE = ("resource_error", "runtime_error")


def completeness(
    results: Sequence[CellResult],
    *,
    expected_ids: Sequence[Sequence[str]],
    max_infrastructure_share: float,
) -> Verdict:
    """Judge whether cells hold exactly the responses that they should.

    Parameters
    ----------
    results : the cells.
    expected_ids : per cell, in the same order, the ids of its examples; each is expected
        once per replicate of the cell.
    max_infrastructure_share : largest permitted share of a cell's expected responses that
        are resource or runtime errors, inclusive, 0 to 1.

    Returns
    -------
    Verdict
        Issues: `no_cells`, `no_examples`, `missing`, `unexpected`, `duplicate`,
        `misaligned`, `infrastructure`. Facts: per cell the counts behind them.

    Raises
    ------
    ValueError
        When the two sequences differ in length, expected ids occur twice, or the share is
        outside 0 to 1.
    """
    if len(results) != len(expected_ids):
        raise ValueError(
            f"completeness: expected one list of ids per cell, found {len(expected_ids)} "
            f"lists for {len(results)} cells"
        )
    if not 0.0 <= max_infrastructure_share <= 1.0:
        raise ValueError(
            f"completeness: expected a share of 0 to 1, found {max_infrastructure_share}"
        )
    issues: list[Issue] = []
    if not results:
        issues.append(Issue("no_cells", "", "expected at least one cell, found none"))
    facts = []
    for result, wanted in zip(results, expected_ids, strict=True):
        found, fact = _judge(result, wanted, max_infrastructure_share)
        issues += found
        facts.append(fact)
    return Verdict(
        gate="completeness",
        issues=tuple(sorted(issues)),
        facts={"max_infrastructure_share": max_infrastructure_share, "cells": facts},
    )


def _judge(
    result: CellResult, ids: Sequence[str], limit: float
) -> tuple[list[Issue], dict[str, Any]]:
    where = result.cell.id
    if len(set(ids)) != len(ids):
        raise ValueError(f"completeness: {where}: the expected ids hold one twice")
    wanted = {(name, replicate) for name in ids for replicate in range(result.cell.replicates)}
    present = Counter((s.example_id, s.replicate) for s in result.scores)
    lists = {
        "missing": sorted(wanted - set(present)),
        "unexpected": sorted(set(present) - wanted),
        "duplicate": sorted(slot for slot, count in present.items() if count > 1),
    }
    issues = [
        Issue(code, where, f"{len(slots)} {code} response(s): {_names(slots, result)}")
        for code, slots in lists.items()
        if slots
    ]
    n_asked = result.n_data if result.cell.n is None else min(result.cell.n, result.n_data)
    if result.cell.shard is None and len(ids) != n_asked:
        message = f"expected {n_asked} examples of the data set's {result.n_data}, found {len(ids)}"
        issues.append(Issue("sample_size", where, message))
    if not wanted:
        issues.append(Issue("no_examples", where, "expected at least one example, found none"))
    if [(r.example_id, r.replicate) for r in result.responses] != [
        (s.example_id, s.replicate) for s in result.scores
    ]:
        issues.append(Issue("misaligned", where, "responses and scores are not of the same rows"))
    n_lost = sum(s.outcome in _INFRASTRUCTURE for s in result.scores)
    if wanted and Fraction(n_lost, len(wanted)) > Fraction(repr(float(limit))):
        issues.append(
            Issue(
                "infrastructure",
                where,
                f"{n_lost} of {len(wanted)} responses are resource or runtime errors, permitted "
                f"share {limit}; run again once the cause is mended. {_errors(result)}",
            )
        )
    fact = {
        "cell": where,
        "n_expected": len(wanted),
        "n_present": len(result.scores),
        "n_infrastructure": n_lost,
        **{f"n_{code}": len(slots) for code, slots in lists.items()},
    }
    return issues, fact


def _errors(result: CellResult) -> str:
    """The first failed rows with their errors, cut short."""
    lost = [r for r in result.responses if r.status in ("oom", "error")]
    shown = [f"{r.example_id[:80]}: {(r.error or r.status)[:160]}" for r in lost[:_N_ERRORS]]
    return "First: " + "; ".join(shown)


def _names(slots: Sequence[tuple[str, int]], result: CellResult) -> str:
    many = result.cell.replicates > 1
    shown = [f"{name} (replicate {k})" if many else name for name, k in slots[:_SHOWN]]
    return ", ".join(shown) + (" …" if len(slots) > _SHOWN else "")


__all__ = ["completeness"]
