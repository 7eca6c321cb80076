"""The difference of two paired proportions: estimate, exact bootstrap interval, test, family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.stats.checks import check_share
from harness.stats.discordant import SignTest, mcnemar, mcnemar_many, sign_test
from harness.stats.estimate import Estimate, PairedTest
from harness.stats.multiple import adjust
from harness.stats.power import paired_mde
from harness.stats.walk import check_table
from harness.stats.walk_interval import WalkInterval, walk_intervals

_NAMES = {"percentile": "percentile interval", "bca": "BCa interval"}


def paired_difference(n01: int, n10: int, n: int, level: float, interval: str) -> Estimate:
    """Estimate the difference of two accuracies on the same examples: second minus first.

    Drawing n pairs with replacement makes the difference a walk of n steps: +1 with
    probability n01 / n, -1 with n10 / n, else 0. The interval is read from that walk's
    distribution, computed from the counts and not sampled, so it needs no seed.

    Parameters
    ----------
    n01 : pairs with the first wrong and the second right.
    n10 : pairs with the first right and the second wrong.
    n : all pairs, n01 + n10 ≤ n.
    level : confidence level, strictly between 0 and 1.
    interval : "percentile" or "bca" (bias-corrected and accelerated).

    Returns
    -------
    Estimate
        `value` is (n01 - n10) / n. The bounds are quantiles by inverted CDF, so both lie on
        the lattice of multiples of 1 / n; the percentile interval takes (1 - level) / 2 and
        (1 + level) / 2. When every resample equals the estimate (no discordant pair, or all
        pairs discordant the same way) the interval is that point and `degenerate` is set.
        With n = 0 all three numbers are None.

    Raises
    ------
    StatisticsError
        `invalid_count` for counts that are not integers, negative or more than n;
        `invalid_level`; `unknown_variant` for another interval; `too_large` beyond about
        5e10 discordant pairs.

    References
    ----------
    B. Efron and R. Tibshirani, An Introduction to the Bootstrap (1993), chapters 13 and 14.

    Examples
    --------
    >>> estimate = paired_difference(30, 12, 300, 0.95, "percentile")
    >>> estimate.value, estimate.low
    (0.06, 0.02)
    """
    return paired_differences([(n01, n10, n)], level, interval)[0]


def paired_differences(
    tables: Sequence[tuple[int, int, int]], level: float, interval: str
) -> tuple[Estimate, ...]:
    """Estimate many paired differences at once, from one set of array operations.

    Parameters
    ----------
    tables : (n01, n10, n) of each comparison, as in `paired_difference`.
    level, interval : as in `paired_difference`.

    Returns
    -------
    tuple of Estimate
        In the order given, each as `paired_difference` returns it. No table gives none.

    Raises
    ------
    StatisticsError
        As `paired_difference`.

    References
    ----------
    Those of `paired_difference`.

    Examples
    --------
    >>> [e.high for e in paired_differences([(1, 1, 10), (0, 0, 5)], 0.95, "percentile")]
    [0.3, 0.0]
    """
    counts = [check_table(*table) for table in tables]
    found = walk_intervals(counts, level, interval)
    return tuple(_estimate(*table, read) for table, read in zip(counts, found, strict=True))


def paired_test(
    n01: int,
    n10: int,
    n: int,
    *,
    level: float,
    interval: str,
    variant: str,
    alpha: float,
    power: float,
) -> PairedTest:
    """Compare two conditions on the same examples: difference, test and what could be seen.

    Parameters
    ----------
    n01, n10, n, level, interval : as in `paired_difference`.
    variant : of McNemar's test: "exact", "midp", "chi2" or "chi2_cc".
    alpha : error of the test that `mde` is about, strictly between 0 and 1.
    power : chance of finding the difference `mde`, strictly between 0 and 1.

    Returns
    -------
    PairedTest
        `adjusted_p` is None: one test is no family. `mde` is None without a discordant pair.
        With n = 0 the difference is None and p is 1.

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_level`, `unknown_variant`.

    References
    ----------
    Those of `paired_difference`, `mcnemar` and `paired_mde`.

    Examples
    --------
    >>> found = paired_test(144, 141, 942, level=0.95, interval="percentile", variant="exact",
    ...                     alpha=0.05, power=0.8)
    >>> round(found.p, 3), round(found.mde, 3)
    (0.906, 0.05)
    """
    difference = paired_difference(n01, n10, n, level, interval)
    alpha = check_share("alpha", alpha)
    return _test(check_table(n01, n10, n), difference, variant, alpha, alpha, power)


def comparison_family(
    n: int,
    comparisons: Sequence[tuple[int, int]],
    *,
    alpha: float,
    correction: str,
    level: float,
    interval: str,
    variant: str,
    power: float,
) -> tuple[PairedTest, ...]:
    """Compare many pairs of conditions on the same n examples, with corrected p-values.

    Parameters
    ----------
    n : pairs of each comparison.
    comparisons : (n01, n10) of each member, in the caller's order.
    alpha : error over the whole family, strictly between 0 and 1.
    correction : "holm", "benjamini_hochberg", "bonferroni" or "none".
    level, interval, variant, power : as in `paired_test`.

    Returns
    -------
    tuple of PairedTest
        In the order given, `adjusted_p` filled. Each `mde` is at alpha / size, which is what
        all corrections ask of the smallest p-value, and at alpha under "none"; `alpha` is that
        of the family. No member gives an
        empty tuple. Which members are rejected, exact where adjusted = alpha, is in
        `adjust([t.p for t in tests], alpha, correction).reject`.

    Raises
    ------
    StatisticsError
        `invalid_count`, `invalid_level`, `unknown_variant`.

    References
    ----------
    Those of `paired_test`, `holm` and `benjamini_hochberg`.

    Examples
    --------
    >>> tests = comparison_family(942, [(49, 24), (24, 47)], alpha=0.05, correction="holm",
    ...     level=0.95, interval="percentile", variant="exact", power=0.8)
    >>> [round(test.adjusted_p, 4) for test in tests]
    [0.0093, 0.0093]
    """
    alpha = adjust([], alpha, correction).alpha
    tables = [check_table(n01, n10, n) for n01, n10 in comparisons]
    differences = paired_differences(tables, level, interval)
    each = alpha / len(tables) if tables and correction != "none" else alpha
    tests = [
        _test(table, difference, variant, alpha, each, power)
        for table, difference in zip(tables, differences, strict=True)
    ]
    adjusted = adjust([test.p for test in tests], alpha, correction).adjusted
    return tuple(replace(t, adjusted_p=p) for t, p in zip(tests, adjusted, strict=True))


def _estimate(n01: int, n10: int, n: int, read: WalkInterval) -> Estimate:
    method = f"exact bootstrap distribution over pairs, {_NAMES[read.interval]}"
    if read.degenerate:
        method += " (degenerate: every resample equals the estimate)"
    low, high = read.low_count, read.high_count
    return Estimate(
        value=(n01 - n10) / n if n else None,
        low=None if low is None else low / n,
        high=None if high is None else high / n,
        level=read.level,
        n=n,
        method=method if n else f"{method} (no pairs)",
        unit="difference of proportions",
        resampled="pairs",
        degenerate=read.degenerate,
    )


def _test(
    table: tuple[int, int, int],
    difference: Estimate,
    variant: str,
    alpha: float,
    each: float,
    power: float,
) -> PairedTest:
    n01, n10, n = table
    return PairedTest(
        n01=n01,
        n10=n10,
        n=n,
        difference=difference,
        p=mcnemar(n01, n10, variant),
        variant=variant,
        mde=paired_mde(n, (n01 + n10) / n if n else 0.0, each, power),
        alpha=alpha,
        power=power,
    )


__all__ = [
    "SignTest",
    "comparison_family",
    "mcnemar",
    "mcnemar_many",
    "paired_difference",
    "paired_differences",
    "paired_test",
    "sign_test",
]
