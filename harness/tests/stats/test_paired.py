from math import sqrt

import numpy as np
import pytest

from harness.stats.checks import StatisticsError
from harness.stats.estimate import Estimate, PairedTest
from harness.stats.paired import (
    comparison_family,
    paired_difference,
    paired_differences,
    paired_test,
)

PLAIN = {"level": 0.95, "interval": "percentile", "variant": "exact", "power": 0.8}


def percentile(n01: int, n10: int, n: int) -> Estimate:
    return paired_difference(n01, n10, n, 0.95, "percentile")


def family(n: int, comparisons: list[tuple[int, int]], **other: str) -> tuple[PairedTest, ...]:
    given = {"alpha": 0.05, "correction": "holm"} | PLAIN | other
    return comparison_family(n, comparisons, **given)


def test_a_published_comparison() -> None:
    found = percentile(144, 141, 942)
    assert (found.value, found.low, found.high) == (3 / 942, -30 / 942, 36 / 942)
    assert (found.resampled, found.n_resamples, found.seed) == ("pairs", None, None)
    assert not found.degenerate


def test_a_large_case_against_sampling() -> None:
    n01, n10, n = 400, 300, 2017
    rng = np.random.Generator(np.random.PCG64(1))
    draws = rng.multinomial(n, [n01 / n, n10 / n, 1 - (n01 + n10) / n], size=20_000)
    sums = np.sort((draws[:, 0] - draws[:, 1]) / n)
    estimate = percentile(n01, n10, n)
    assert estimate.low == pytest.approx(sums[500], abs=0.002)
    assert estimate.high == pytest.approx(sums[19_500], abs=0.002)


@pytest.mark.parametrize(("n01", "n10", "value"), [(0, 0, 0.0), (7, 0, 1.0), (0, 7, -1.0)])
@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_degenerate_data_give_a_flagged_point(
    n01: int, n10: int, value: float, interval: str
) -> None:
    estimate = paired_difference(n01, n10, 7, 0.95, interval)
    assert (estimate.value, estimate.low, estimate.high) == (value, value, value)
    assert estimate.degenerate
    assert "degenerate" in estimate.method


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_no_pairs_give_nothing(interval: str) -> None:
    estimate = paired_difference(0, 0, 0, 0.95, interval)
    assert (estimate.value, estimate.low, estimate.high, estimate.n) == (None, None, None, 0)
    assert "no pairs" in estimate.method
    assert not estimate.degenerate


def test_one_pair_is_a_point() -> None:
    assert percentile(1, 0, 1) == paired_difference(1, 0, 1, 0.95, "percentile")
    assert (percentile(1, 0, 1).low, percentile(0, 1, 1).high) == (1.0, -1.0)
    assert percentile(0, 0, 1).value == 0.0


def test_numpys_integers_and_many_at_once() -> None:
    given = [tuple(np.array(table)) for table in ((1, 1, 10), (0, 0, 5), (0, 0, 0))]
    found = paired_differences(given, 0.95, "percentile")
    assert [e.value for e in found] == [0.0, 0.0, None]
    assert [e.high for e in found] == [0.3, 0.0, None]
    assert type(found[0].value) is float
    assert type(found[0].n) is int


@pytest.mark.parametrize(
    ("n01", "n10", "n", "level", "interval", "reason"),
    [(-1, 0, 5, 0.95, "bca", "invalid_count"), (0, -1, 5, 0.95, "bca", "invalid_count"),
     (3, 3, 5, 0.95, "bca", "invalid_count"), (1, 1, -5, 0.95, "bca", "invalid_count"),
     (1.0, 1, 5, 0.95, "bca", "invalid_count"), (True, 1, 5, 0.95, "bca", "invalid_count"),
     (1, 1, 5, 1.0, "bca", "invalid_level"), (1, 1, 5, 0.0, "bca", "invalid_level"),
     (1, 1, 5, 0.95, "basic", "unknown_variant"), (0, 0, 0, 0.95, "", "unknown_variant")],
)  # fmt: skip
def test_bad_input_is_an_error(
    n01: int, n10: int, n: int, level: float, interval: str, reason: str
) -> None:
    with pytest.raises(StatisticsError, match="expected .* found") as refused:
        paired_difference(n01, n10, n, level, interval)
    assert refused.value.reason == reason


def test_a_test_holds_all_that_is_printed_beside_it() -> None:
    found = paired_test(13, 3, 59, alpha=0.05, **PLAIN)
    assert (found.n01, found.n10, found.n, found.variant) == (13, 3, 59, "exact")
    assert found.p == 0.021270751953125
    assert (found.difference.low, found.difference.high) == (3 / 59, 17 / 59)
    assert found.mde == pytest.approx(0.17843940069969477, abs=1e-12)
    assert (found.alpha, found.power, found.adjusted_p) == (0.05, 0.8, None)


@pytest.mark.parametrize("n", [0, 1, 9])
def test_without_discordance_nothing_is_visible(n: int) -> None:
    found = paired_test(0, 0, n, alpha=0.05, **PLAIN)
    assert (found.p, found.mde) == (1.0, None)


def test_a_family_is_corrected_and_its_members_see_less() -> None:
    tables = [(49, 24), (24, 47), (0, 0), (41, 41)]
    found = family(942, tables)
    assert [(t.n01, t.n10) for t in found] == tables
    assert [round(t.adjusted_p or 0, 5) for t in found] == [0.01851, 0.02566, 1.0, 1.0]
    alone = paired_test(49, 24, 942, alpha=0.05 / 4, **PLAIN)
    assert found[0].mde == alone.mde
    assert found[0].alpha == 0.05
    assert found[2].mde is None
    reordered = family(942, tables[::-1])[::-1]
    assert reordered == found
    assert family(942, tables, correction="benjamini_hochberg")[1].adjusted_p == pytest.approx(
        2 * found[1].p
    )


def test_without_a_correction_each_member_sees_what_it_sees_alone() -> None:
    tables = [(49, 24), (24, 47)]
    alone = paired_test(49, 24, 942, alpha=0.05, **PLAIN)
    plain = family(942, tables, correction="none")[0]
    assert (plain.adjusted_p, plain.mde) == (alone.p, alone.mde)
    single_step = family(942, tables, correction="bonferroni")
    assert [t.adjusted_p for t in single_step] == pytest.approx([2 * t.p for t in single_step])
    assert single_step[0].mde == family(942, tables)[0].mde


def test_a_family_of_none_and_of_one() -> None:
    assert family(942, []) == ()
    [single] = family(942, [(49, 24)])
    assert single.adjusted_p == single.p


@pytest.mark.parametrize(
    ("comparisons", "changed", "reason"),
    [
        ([(1, -1)], {}, "invalid_count"),
        ([(6, 5)], {}, "invalid_count"),
        ([], {"correction": "sidak"}, "unknown_variant"),
        ([(1, 1)], {"variant": "wald"}, "unknown_variant"),
        ([(1, 1)], {"alpha": 0.0}, "invalid_level"),
        ([(1, 1)], {"power": 1.0}, "invalid_level"),
    ],
)
def test_a_bad_family_is_refused(
    comparisons: list[tuple[int, int]], changed: dict[str, str], reason: str
) -> None:
    with pytest.raises(StatisticsError, match="expected .* found") as refused:
        family(10, comparisons, **changed)
    assert refused.value.reason == reason


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_width_is_that_of_the_normal_approximation(level: float) -> None:
    from scipy.stats import norm

    n01, n10, n = 300, 240, 3000
    estimate = paired_difference(n01, n10, n, level, "percentile")
    spread = norm.isf((1 - level) / 2) * sqrt((n01 + n10) / n - ((n01 - n10) / n) ** 2) / sqrt(n)
    assert estimate.low == pytest.approx(0.02 - spread, abs=1.01 / n)
    assert estimate.high == pytest.approx(0.02 + spread, abs=1.01 / n)
