"""Statistics of rows with an outcome, whose cases have their own words for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.conformance.statistics_calls import plain
from harness.stats.accuracy import accuracy
from harness.stats.checks import StatisticsError, check_binary
from harness.stats.pairing import pair
from harness.types import OUTCOMES

_OUTCOMES = {"ok": "answered", "manual_review": "review", "error": "runtime_error"}


def _outcome(row: Mapping[str, Any]) -> str:
    """The outcome that a case's status names, which is one of the cases' words or of ours."""
    status = row.get("status")
    outcome = _OUTCOMES.get(status, status) if isinstance(status, str) else None
    if outcome not in OUTCOMES:
        raise StatisticsError(
            "unknown_outcome",
            f"row {row.get('id')!r}: expected one of {', '.join((*_OUTCOMES, *OUTCOMES))}, "
            f"found {status!r}",
        )
    return outcome


def case_accuracy(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    found = accuracy((r.get("id"), _outcome(r), r.get("correct")) for r in rows)
    return {
        **plain(found),
        "n_error": found.n_excluded,
        "n_manual_review": found.n_review,
        "n_scored": found.n_counted,
    }


def _sides(rows: Iterable[Mapping[str, Any]]) -> list[tuple[Any, bool | None]]:
    """An answer has its verdict, a row that failed is excluded, and any other is wrong."""
    found: list[tuple[Any, bool | None]] = []
    for row in rows:
        outcome, correct = _outcome(row), row.get("correct")
        if outcome == "answered":
            check_binary(f"correct of {row.get('id')!r}", correct)
        elif outcome in ("resource_error", "runtime_error"):
            correct = None
        else:
            correct = False
        found.append((row.get("id"), correct))
    return found


def case_paired_table(
    a: Sequence[Mapping[str, Any]], b: Sequence[Mapping[str, Any]], on_unpaired: str
) -> dict[str, Any]:
    found = pair(_sides(a), _sides(b), on_unpaired)
    return {
        **plain(found),
        "diff_b_minus_a": found.difference,
        "dropped_error": list(found.dropped),
    }


__all__ = ["case_accuracy", "case_paired_table"]
