"""A summary without an issue is GO only where it judged something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def unjudged(summary: Mapping[str, Any]) -> list[str]:
    """Say what a signals summary that calls itself GO could not have judged.

    Parameters
    ----------
    summary : with every field of `AuditSummary.as_json`, its counts and shares in range.

    Returns
    -------
    list of str
        A fault where no record was expected, where all were lost to the machine, where the
        answers that could be read are not those of the records that are left, and where no
        answer of a type could be read at all.

    Examples
    --------
    >>> unjudged({"expected_records": 0, "infrastructure_failures": 0, "parseability": {}})
    ['expected_records: expected at least 1 at GO, found 0']
    """
    expected, lost = summary["expected_records"], summary["infrastructure_failures"]
    if expected == 0:
        return ["expected_records: expected at least 1 at GO, found 0"]
    if lost >= expected:
        return [f"infrastructure_failures: expected fewer than {expected} at GO, found {lost}"]
    kinds: Mapping[str, Mapping[str, Any]] = summary["parseability"]
    n, left = sum(kind["denominator"] for kind in kinds.values()), expected - lost
    faults = [
        f"parseability.{name}.rate: expected above 0 at GO, found {kind['rate']}"
        for name, kind in kinds.items()
        if not kind["rate"]
    ]
    if n != left:
        faults.append(f"parseability: expected denominators of {left} in all at GO, found {n}")
    return sorted(faults)


__all__ = ["unjudged"]
