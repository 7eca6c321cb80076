"""The published 59 pairs of Estonian and English olympiad problems, from their counts."""

from __future__ import annotations

from dataclasses import replace

from harness.drift.measure import DriftCounts
from harness.drift.tables import STRICT, Comparison, DriftSettings, drift_table
from harness.table import Table

# 18 and 8 of 59 leave the discordant pairs open; McNemar's 0.021 fits 13 and 3 alone.
PUBLISHED = DriftCounts(n=59, both=5, original_only=13, translated_only=3)
PUBLISHED_FIGURES = {
    "original_pct": 30.5,
    "translated_pct": 13.6,
    "low_pp": 5.1,
    "high_pp": 28.9,
    "p_sign": 0.011,
    "p_mcnemar": 0.021,
    "power_pct": 65.7,
}
_NOTE = (
    "Published: strict 30.5 against 13.6 %, sign test p = 0.011, McNemar p = 0.021, 95 % interval "
    "5.1 to 28.9 points, power 65.7 %. The two p-values are not two findings: they are one test "
    "of 13 against 3 discordant pairs at two sidednesses, one-sided 0.0106 and two-sided 0.0213 = "
    "2 × 0.0106. An upper end of 28.9 is no share of 59: 17 / 59 is 28.8. The exact power is "
    "66.3 %. One model, one pair of languages and no correction: at 80 % power such a difference "
    "needs 78 pairs, not 59. "
)


def published_drift(settings: DriftSettings | None = None) -> Table:
    """Compute the published drift again from its counts.

    Parameters
    ----------
    settings : levels and alternative; None for the published ones (95 %, one-sided "greater").

    Returns
    -------
    Table
        One strict row of `harness.drift.tables.drift_table`, with what differs from print.

    References
    ----------
    Physics-R1 (2026), finding 2; docs/published_figures.md.

    Examples
    --------
    >>> row = published_drift().rows[0]
    >>> round(row["p_one_sided"], 3), round(row["p_mcnemar_exact"], 3), row["pairs_needed"]
    (0.011, 0.021, 78)
    """
    row = Comparison(
        model="claude-sonnet-4.5",
        original="PHYSOLYM-A (et)",
        translated="PHYSOLYM-A (en)",
        scoring=STRICT,
        counts=PUBLISHED,
    )
    made = drift_table([row], settings or DriftSettings(pairs=()))
    return replace(made, name="published_drift", note=_NOTE + made.note)


__all__ = ["PUBLISHED", "PUBLISHED_FIGURES", "published_drift"]
