"""Parseability: a figure over answers that could not be read is not a figure of the model."""

from __future__ import annotations

from fractions import Fraction

from harness.types import OUTCOMES, CellResult, Issue, Verdict


def parseability(result: CellResult, *, min_parse_rate: float) -> Verdict:
    """Judge whether enough of a cell's counted responses hold a readable answer.

    Parameters
    ----------
    result : the cell.
    min_parse_rate : smallest permitted share of counted rows that are answered, inclusive,
        0 to 1.

    Returns
    -------
    Verdict
        Issues: `parse_rate`, or `no_rows` when no row is counted. Facts: the rate, its two
        counts, the threshold and the count of every outcome.

    Raises
    ------
    ValueError
        When the threshold is outside 0 to 1.
    """
    if not 0.0 <= min_parse_rate <= 1.0:
        raise ValueError(f"parseability: expected a rate of 0 to 1, found {min_parse_rate}")
    n = sum(s.counted for s in result.scores)
    n_answered = sum(s.outcome == "answered" for s in result.scores)
    where = result.cell.id
    issues: tuple[Issue, ...] = ()
    if n == 0:
        issues = (Issue("no_rows", where, "no row counts, so there is no parse rate to judge"),)
    elif Fraction(n_answered, n) < Fraction(repr(float(min_parse_rate))):
        issues = (
            Issue(
                "parse_rate",
                where,
                f"expected a readable answer in at least {min_parse_rate:.2%} of the rows, found "
                f"{n_answered} of {n} ({n_answered / n:.2%}); look at the rows for review",
            ),
        )
    return Verdict(
        gate="parseability",
        issues=issues,
        facts={
            "parse_rate": n_answered / n if n else None,
            "n_answered": n_answered,
            "n_counted": n,
            "min_parse_rate": min_parse_rate,
            "outcomes": {o: sum(s.outcome == o for s in result.scores) for o in OUTCOMES},
        },
    )


__all__ = ["parseability"]
