"""Published figures: the project's own figure must equal the one in print."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from harness.types import CellResult, Issue, Verdict


def published(result: CellResult, expected: Mapping[str, float | int], tolerance: float) -> Verdict:
    """Judge whether a cell's metrics equal published figures.

    Parameters
    ----------
    result : the cell.
    expected : metric to published figure, in the metric's own unit (a fraction, a count).
    tolerance : largest permitted absolute difference, inclusive, in the same unit; compared
        in exact arithmetic on the decimal figures. A whole-number metric must be equal when
        the tolerance is below 1.

    Returns
    -------
    Verdict
        Issues: `differs`, `undefined` (the metric is None), `no_such_metric`,
        `nothing_expected`. Facts: per metric the expected and the found figure.

    Raises
    ------
    ValueError
        When the tolerance is negative or not a number.
    """
    if not tolerance >= 0:
        raise ValueError(f"published: expected a tolerance of at least 0, found {tolerance}")
    where = result.cell.id
    issues = []
    if not expected:
        issues.append(Issue("nothing_expected", where, "expected at least one figure, found none"))
    for name, figure in sorted(expected.items()):
        value = result.metrics.get(name)
        if name not in result.metrics:
            known = ", ".join(sorted(result.metrics)) or "none"
            issues.append(Issue("no_such_metric", where, f"no metric {name!r}; found: {known}"))
        elif value is None:
            issues.append(Issue("undefined", where, f"{name}: expected {figure}, it is undefined"))
        elif abs(_exact(value) - _exact(figure)) > _exact(tolerance):
            issues.append(
                Issue(
                    "differs",
                    where,
                    f"{name}: expected the published {figure} within {tolerance}, found {value}",
                )
            )
    return Verdict(
        gate="published",
        issues=tuple(sorted(issues)),
        facts={
            "tolerance": tolerance,
            "figures": {
                name: {"published": figure, "found": result.metrics.get(name)}
                for name, figure in sorted(expected.items())
            },
        },
    )


def _exact(value: float | int) -> Fraction:
    return Fraction(repr(value))


__all__ = ["published"]
