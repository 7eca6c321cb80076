"""Visual dependency: with the picture taken away, accuracy must fall."""

from __future__ import annotations

from typing import Any

from harness.gates.pairing import foreign_fields, joined
from harness.stats.paired import mcnemar, paired_difference
from harness.types import CellResult, Issue, Verdict


def visual_dependency(clean: CellResult, control: CellResult, *, level: float) -> Verdict:
    """Judge whether a cell's accuracy rests on its pictures.

    Parameters
    ----------
    clean : the cell with its own pictures.
    control : the same cell under another view (blank or shuffled pictures).
    level : confidence level of the interval, strictly between 0 and 1.

    Returns
    -------
    Verdict
        Rows are paired by example id; a pair with a row outside the denominator on either
        side is dropped and counted. Issues: `no_dependency` when the lower bound of the
        accuracy difference, clean minus control, is not above 0, or exact McNemar (two-sided)
        does not reject at 1 - level, which a handful of pairs never does; `no_pairs`; `duplicate`,
        `unpaired`; `not_a_pair` when the cells differ in more than the view. Facts: both
        accuracies, the difference with its interval and method, the p-value, n10 (right only on
        clean), n01 (right only on control), n_pairs, n_dropped, and the share of pairs with the
        same answer (an unread answer never agrees).

    Raises
    ------
    ValueError
        For cells with several replicates: those rows are not independent pairs; and for a
        level outside (0, 1).
    """
    for result in (clean, control):
        if result.cell.replicates != 1:
            raise ValueError(
                f"visual_dependency: {result.cell.id}: expected one replicate per example, found "
                f"{result.cell.replicates}"
            )
    slots, issues = joined(clean, control)
    issues += foreign_fields(clean, control, ("view",))
    left = {(s.example_id, s.replicate): s for s in clean.scores}
    right = {(s.example_id, s.replicate): s for s in control.scores}
    pairs = [(left[k], right[k]) for k in slots if left[k].counted and right[k].counted]
    n = len(pairs)
    gained = sum(a.correct and not b.correct for a, b in pairs)
    lost = sum(b.correct and not a.correct for a, b in pairs)
    # First = control, second = clean, so that the difference is clean minus control.
    estimate = paired_difference(gained, lost, n, level, "percentile")
    p_value = mcnemar(gained, lost, "exact")
    where = f"{clean.cell.id} against {control.cell.view.name}"
    if n == 0:
        issues.append(Issue("no_pairs", where, "no pair of counted rows to compare"))
    elif estimate.low is None or estimate.low <= 0 or p_value >= 1 - level:
        issues.append(
            Issue(
                "no_dependency",
                where,
                f"expected accuracy to fall without the picture, found a difference of "
                f"{estimate.value:+.4f} [{estimate.low:+.4f}, {estimate.high:+.4f}] on {n} pairs, "
                f"exact McNemar p = {p_value:.4f}",
            )
        )
    alike = sum(a.answer.value is not None and a.answer.value == b.answer.value for a, b in pairs)
    facts: dict[str, Any] = {
        "accuracy_clean": sum(a.correct for a, _ in pairs) / n if n else None,
        "accuracy_control": sum(b.correct for _, b in pairs) / n if n else None,
        "difference": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "level": level,
        "method": estimate.method,
        "answer_agreement": alike / n if n else None,
        "p_value": p_value,
        "test": "mcnemar_exact_two_sided",
        "n_pairs": n,
        "n10": gained,
        "n01": lost,
        "n_dropped": len(slots) - n,
        "control_view": control.cell.view.name,
    }
    return Verdict(gate="visual_dependency", issues=tuple(sorted(issues)), facts=facts)


__all__ = ["visual_dependency"]
