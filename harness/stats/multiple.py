"""Many tests at once: adjusted p-values by Holm, Benjamini and Hochberg, Bonferroni or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any

import numpy as np

from harness.stats.checks import StatisticsError, check_choice, check_share, is_number, shown

CORRECTIONS = ("holm", "benjamini_hochberg", "bonferroni", "none")
_IN_FRACTIONS = 10_000
_NEAR_TIE = 1e-12


@dataclass(frozen=True, kw_only=True, slots=True)
class Adjustment:
    """A family of tests in the order given: adjusted p-values and which are rejected."""

    p: tuple[float, ...]
    adjusted: tuple[float, ...]
    reject: tuple[bool, ...]
    alpha: float
    correction: str

    @property
    def n_rejected(self) -> int:
        """How many of the family are rejected."""
        return sum(self.reject)


def holm(p: Sequence[float], alpha: float) -> Adjustment:
    """Adjust p-values by Holm's step-down, which bounds the family-wise error.

    Parameters
    ----------
    p : p-values in [0, 1], one per test, in any order.
    alpha : family-wise error, strictly between 0 and 1.

    Returns
    -------
    Adjustment
        In the order given. The i-th smallest of m is multiplied by m - i + 1, made no smaller
        than the one before and at most 1; a test is rejected at adjusted ≤ alpha. p and alpha
        are read as the decimals they are written in, so that 3 × 0.1 is 0.3. Beyond 10,000
        tests the adjusted values are products of floats, and only those close to alpha are
        compared as decimals. An empty family gives empty tuples.

    Raises
    ------
    StatisticsError
        `invalid_p_value` for NaN, None, a bool or a number outside [0, 1]; `invalid_level`.

    References
    ----------
    S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
    of Statistics 6 (1979), 65-70.

    Examples
    --------
    >>> found = holm([0.05, 0.025], 0.05)
    >>> found.adjusted, found.reject
    ((0.05, 0.05), (True, True))
    """
    return _adjusted(p, alpha, "holm")


def benjamini_hochberg(p: Sequence[float], alpha: float) -> Adjustment:
    """Adjust p-values by Benjamini and Hochberg's step-up, which bounds the false discovery rate.

    The bound holds for independent tests and for positively dependent ones (Benjamini and
    Yekutieli 2001). Comparisons that share a condition, such as all against one baseline, are
    positively dependent; all pairs of conditions are not, and there it is no guarantee.

    Parameters
    ----------
    p : p-values in [0, 1], one per test, in any order.
    alpha : false discovery rate, strictly between 0 and 1.

    Returns
    -------
    Adjustment
        In the order given. The i-th smallest of m is multiplied by m / i and made no larger
        than the one after; a test is rejected at adjusted ≤ alpha, compared as in `holm`. An
        empty family gives empty tuples.

    Raises
    ------
    StatisticsError
        `invalid_p_value`, `invalid_level`, as `holm`.

    References
    ----------
    Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", JRSS B 57 (1995),
    289-300; Y. Benjamini and D. Yekutieli, "The control of the false discovery rate in multiple
    testing under dependency", Annals of Statistics 29 (2001), 1165-1188.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03], 0.05).adjusted
    (0.03, 0.04, 0.04)
    """
    return _adjusted(p, alpha, "benjamini_hochberg")


def adjust(p: Sequence[float], alpha: float, correction: str) -> Adjustment:
    """Adjust p-values by a named correction.

    Parameters
    ----------
    p, alpha : as in `holm`.
    correction : "holm" or "benjamini_hochberg", as the functions of these names; "bonferroni"
        multiplies each p-value by their number, at most 1; "none" leaves them as they are.

    Returns
    -------
    Adjustment
        In the order given; a test is rejected at adjusted ≤ alpha, compared as in `holm`.

    Raises
    ------
    StatisticsError
        `unknown_variant`; `invalid_p_value`, `invalid_level`, as `holm`.

    References
    ----------
    Those of `holm` and `benjamini_hochberg`; O. J. Dunn, "Multiple comparisons among means",
    JASA 56 (1961), 52-64.

    Examples
    --------
    >>> adjust([0.01, 0.04], 0.05, "holm").n_rejected
    2
    """
    check_choice("correction", correction, CORRECTIONS)
    return _adjusted(p, alpha, correction)


def _adjusted(p: Sequence[float], alpha: float, correction: str) -> Adjustment:
    alpha = check_share("alpha", alpha)
    given = [_probability(place, value) for place, value in enumerate(p)]
    few = len(given) <= _IN_FRACTIONS
    adjusted, reject = (_in_fractions if few else _in_floats)(given, alpha, correction)
    return Adjustment(
        p=tuple(given), adjusted=adjusted, reject=reject, alpha=alpha, correction=correction
    )


def _in_fractions(
    p: list[float], alpha: float, correction: str
) -> tuple[tuple[float, ...], tuple[bool, ...]]:
    """Each product in rational arithmetic, rounded once."""
    m, limit = len(p), _decimal(alpha)
    order = sorted(range(m), key=p.__getitem__)
    ranked = [_decimal(p[place]) * _factor(rank, m, correction) for rank, place in enumerate(order)]
    if correction == "benjamini_hochberg":
        running: Iterator[Fraction] = iter(list(accumulate(ranked[::-1], min))[::-1])
    else:
        running = accumulate((min(share, Fraction(1)) for share in ranked), max)
    adjusted = dict(zip(order, running, strict=True))
    shares = [adjusted[place] for place in range(m)]
    return tuple(map(float, shares)), tuple(share <= limit for share in shares)


def _in_floats(
    p: list[float], alpha: float, correction: str
) -> tuple[tuple[float, ...], tuple[bool, ...]]:
    """The same for many: only products close to alpha are compared in rational arithmetic."""
    m, order, ranks = len(p), np.argsort(p, kind="stable"), np.arange(len(p))
    ranked = np.array(p)[order]
    factors = {
        "holm": m - ranks,
        "benjamini_hochberg": m / (ranks + 1),
        "bonferroni": np.full(m, m),
        "none": np.ones(m),
    }
    ranked = ranked * factors[correction]
    within = ranked <= alpha
    for rank in np.flatnonzero(np.abs(ranked / alpha - 1.0) < _NEAR_TIE).tolist():
        share = _decimal(p[order[rank]]) * _factor(rank, m, correction)
        within[rank] = share <= _decimal(alpha)
    if correction == "benjamini_hochberg":
        ranked = np.minimum.accumulate(ranked[::-1])[::-1]
        within = np.logical_or.accumulate(within[::-1])[::-1]
    else:
        ranked = np.maximum.accumulate(np.minimum(ranked, 1.0))
        within = np.logical_and.accumulate(within)
    adjusted, reject = np.empty(m), np.empty(m, dtype=bool)
    adjusted[order], reject[order] = ranked, within
    return tuple(adjusted.tolist()), tuple(reject.tolist())


def _factor(rank: int, m: int, correction: str) -> Fraction:
    if correction == "benjamini_hochberg":
        return Fraction(m, rank + 1)
    return Fraction({"holm": m - rank, "bonferroni": m, "none": 1}[correction])


def _decimal(value: float) -> Fraction:
    return Fraction(repr(float(value)))


def _probability(place: int, value: Any) -> float:
    if not is_number(value) or not 0 <= value <= 1:
        raise StatisticsError(
            "invalid_p_value", f"p[{place}]: expected a number in [0, 1], found {shown(value)}"
        )
    return float(value)


__all__ = ["CORRECTIONS", "Adjustment", "adjust", "benjamini_hochberg", "holm"]
