"""Two cells joined by example id, never by position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from harness.types import CellResult, Issue

_SHOWN = 5


def joined(a: CellResult, b: CellResult) -> tuple[list[tuple[str, int]], list[Issue]]:
    """Join two cells by (example id, replicate).

    Parameters
    ----------
    a, b : the cells.

    Returns
    -------
    slots : what both hold, in the order of `a`.
    issues : `duplicate` for a row that stands twice in a cell, `unpaired` for rows that only
        one of them holds; the cells are named.
    """
    issues = []
    counts = []
    for result in (a, b):
        count = Counter((s.example_id, s.replicate) for s in result.scores)
        twice = sorted(slot for slot, number in count.items() if number > 1)
        if twice:
            issues.append(Issue("duplicate", result.cell.id, f"rows stand twice: {_names(twice)}"))
        counts.append(count)
    for result, only in ((a, counts[0] - counts[1]), (b, counts[1] - counts[0])):
        lone = sorted(only)
        if lone and not issues:
            issues.append(
                Issue("unpaired", result.cell.id, f"{len(lone)} rows only here: {_names(lone)}")
            )
    return [slot for slot in counts[0] if slot in counts[1]], issues


def foreign_fields(a: CellResult, b: CellResult, allowed: tuple[str, ...]) -> list[Issue]:
    """Find the fields of the identities in which two cells differ but must not.

    Parameters
    ----------
    a, b : the cells.
    allowed : top-level fields in which they may differ.

    Returns
    -------
    list of Issue
        Empty, or one `not_a_pair` that names both cells and the fields.
    """
    left, right = _without(a.identity, allowed), _without(b.identity, allowed)
    names = sorted(k for k in {*left, *right} if k not in left or k not in right
                   or left[k] != right[k])  # fmt: skip
    if not names:
        return []
    message = f"{a.cell.id} and {b.cell.id} differ in {', '.join(names)}; they may differ in "
    return [Issue("not_a_pair", "", f"{message}{', '.join(allowed)} only")]


def _without(identity: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in identity.items() if key not in names}


def _names(slots: list[tuple[str, int]]) -> str:
    shown = ", ".join(f"{name} (replicate {k})" if k else name for name, k in slots[:_SHOWN])
    return shown + (" …" if len(slots) > _SHOWN else "")


__all__ = ["foreign_fields", "joined"]
