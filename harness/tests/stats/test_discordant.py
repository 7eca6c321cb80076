from fractions import Fraction
from math import comb, isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2

from harness.stats.checks import StatisticsError
from harness.stats.discordant import VARIANTS, mcnemar, mcnemar_many, most_rejected, sign_test


def tail(k: int, n: int) -> Fraction:
    total, ways = 0, 1
    for i in range(k + 1):
        total, ways = total + ways, ways * (n - i) // (i + 1)
    return Fraction(total, 2**n)


def exact(n01: int, n10: int) -> Fraction:
    return min(Fraction(1), 2 * tail(min(n01, n10), n01 + n10))


def midp(n01: int, n10: int) -> Fraction:
    n, few = n01 + n10, min(n01, n10)
    return Fraction(1) if n01 == n10 else exact(n01, n10) - Fraction(comb(n, few), 2**n)


@pytest.mark.parametrize(
    ("n01", "n10", "p"),
    # R1-Onevision study, from its published flip counts; scipy's binomial test agrees below.
    [(141, 144, 0.90572), (49, 24, 0.00463), (24, 47, 0.00855), (0, 0, 1.0), (3, 0, 0.25)],
)
def test_mcnemar_gives_the_published_figures(n01: int, n10: int, p: float) -> None:
    found = mcnemar(n01, n10, "exact")
    assert round(found, 5) == p
    if n01 + n10:
        assert found == pytest.approx(binomtest(n01, n01 + n10).pvalue, rel=1e-12)


COUNT = st.integers(0, 60)


@settings(max_examples=50, deadline=None)
@given(COUNT, COUNT)
def test_every_variant_against_its_definition(n01: int, n10: int) -> None:
    n, apart = n01 + n10, abs(n01 - n10)
    expected = {
        "exact": float(exact(n01, n10)),
        "midp": float(midp(n01, n10)),
        "chi2": chi2.sf(apart**2 / n, 1) if n else 1.0,
        "chi2_cc": chi2.sf(max(apart - 1, 0) ** 2 / n, 1) if n else 1.0,
    }
    assert set(expected) == set(VARIANTS)
    for variant, p in expected.items():
        found = mcnemar(n01, n10, variant)
        assert found == pytest.approx(p, rel=1e-12), variant
        assert found == mcnemar(n10, n01, variant)
        assert 0.0 < found <= 1.0
        assert mcnemar_many([n01], [n10], variant)[0] == pytest.approx(found, rel=1e-13)
    assert mcnemar(n01, n10, "exact") == expected["exact"]
    assert mcnemar(n01, n10, "midp") == expected["midp"]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 300), st.sampled_from(VARIANTS))
def test_a_wider_split_is_never_less_significant(n: int, variant: str) -> None:
    few = np.arange(n // 2 + 1)
    p = mcnemar_many(few, n - few, variant)
    assert np.all(np.diff(p) >= -1e-15)


@pytest.mark.parametrize(("n01", "n10"), [(2800, 3000), (2500, 3300), (3000, 2800), (1001, 1001)])
def test_thousands_of_pairs_against_integers(n01: int, n10: int) -> None:
    assert mcnemar(n01, n10, "exact") == pytest.approx(float(exact(n01, n10)), rel=1e-12)
    assert mcnemar(n01, n10, "midp") == pytest.approx(float(midp(n01, n10)), rel=1e-12)


@pytest.mark.parametrize(("few", "many"), [(499_000, 501_000), (999_000, 1_000_000), (7, 999_993)])
def test_a_million_pairs_against_fifty_digits(few: int, many: int) -> None:
    import mpmath

    n = few + many
    with mpmath.workdps(50):
        log = mpmath.loggamma(n + 1) - mpmath.loggamma(few + 1) - mpmath.loggamma(many + 1)
        term = total = mpmath.exp(log - n * mpmath.log(2))
        for i in range(few, max(0, few - 20_000), -1):
            term = term * i / (n - i + 1)
            total += term
        expected = float(2 * total)
    assert mcnemar(few, many, "exact") == pytest.approx(expected, rel=1e-12)


def test_without_discordant_pairs_statsmodels_is_sure_and_we_are_not() -> None:
    from statsmodels.stats.contingency_tables import mcnemar as theirs

    with np.errstate(all="ignore"):
        assert theirs([[5, 0], [0, 5]], exact=False, correction=True).pvalue == 0.0
        assert isnan(theirs([[5, 0], [0, 5]], exact=False, correction=False).pvalue)
    for variant in VARIANTS:
        assert mcnemar(0, 0, variant) == 1.0
        assert mcnemar_many([0, 0], [0, 0], variant).tolist() == [1.0, 1.0]
    # Equal counts: their correction squares |0| - 1 and finds a difference.
    assert theirs([[0, 5], [5, 0]], exact=False, correction=True).pvalue < 1.0
    assert mcnemar(5, 5, "chi2_cc") == 1.0


def test_statsmodels_agrees_elsewhere() -> None:
    from statsmodels.stats.contingency_tables import mcnemar as theirs

    for n01, n10 in ((13, 3), (40, 20), (144, 141), (0, 12)):
        table = [[9, n10], [n01, 9]]
        for variant, options in (
            ("exact", {"exact": True}),
            ("chi2", {"exact": False, "correction": False}),
            ("chi2_cc", {"exact": False, "correction": True}),
        ):
            expected = theirs(table, **options).pvalue
            assert mcnemar(n01, n10, variant) == pytest.approx(expected, rel=1e-11)


def test_many_tests_at_once() -> None:
    n01, n10 = [0, 144, 13, 0, 3000], [0, 141, 3, 12, 2800]
    for variant in VARIANTS:
        found = mcnemar_many(n01, n10, variant)
        alone = [mcnemar(a, b, variant) for a, b in zip(n01, n10, strict=True)]
        assert found == pytest.approx(alone, rel=1e-12)
        assert mcnemar_many([], [], variant).shape == (0,)


BAD_COUNTS = [(-1, 2), (2, -1), (1.0, 2), (True, 2), (None, 2), ("1", 2), (float("nan"), 1)]


@pytest.mark.parametrize(("n01", "n10"), BAD_COUNTS)
def test_bad_counts_are_refused(n01: int, n10: int) -> None:
    for call in (
        lambda: mcnemar(n01, n10, "exact"),
        lambda: mcnemar_many([n01], [n10], "exact"),
        lambda: sign_test(n01, n10, 0, "two-sided"),
        lambda: sign_test(1, n10, n01, "less"),
    ):
        with pytest.raises(StatisticsError, match="expected .* found") as refused:
            call()
        assert refused.value.reason == "invalid_count"


def test_other_bad_input_is_refused() -> None:
    for call, reason in (
        (lambda: mcnemar(1, 2, "corrected"), "unknown_variant"),
        (lambda: mcnemar_many([1], [2], ""), "unknown_variant"),
        (lambda: mcnemar_many([1, 2], [2], "exact"), "length_mismatch"),
        (lambda: mcnemar_many([[1]], [[2]], "exact"), "invalid_count"),
        (lambda: mcnemar_many([1 << 70], [2], "exact"), "too_large"),
        (lambda: sign_test(1, 2, 0, "one-sided"), "unknown_variant"),
        (lambda: most_rejected(np.array([5]), 1.0, "exact"), "invalid_level"),
    ):
        with pytest.raises(StatisticsError, match="expected .* found") as refused:
            call()
        assert refused.value.reason == reason


@settings(max_examples=50, deadline=None)
@given(COUNT, COUNT, st.integers(0, 9))
def test_sign_tests_against_scipy(positive: int, negative: int, zero: int) -> None:
    n = positive + negative
    for alternative in ("two-sided", "greater", "less"):
        found = sign_test(positive, negative, zero, alternative)
        assert (found.n_used, found.n_zero, found.alternative) == (n, zero, alternative)
        if n:
            expected = binomtest(positive, n, alternative=alternative).pvalue
            assert found.p == pytest.approx(expected, rel=1e-12)
        else:
            assert found.p == 1.0
    more, fewer = (sign_test(positive, negative, zero, side).p for side in ("greater", "less"))
    assert more == sign_test(negative, positive, zero, "less").p
    if n:
        assert more + fewer == pytest.approx(1 + comb(n, positive) / 2**n, rel=1e-12)


def test_one_side_of_thousands_of_signs() -> None:
    for positive, negative in ((2800, 3000), (3000, 2800), (100, 5000), (5000, 100), (0, 3000)):
        n = positive + negative
        expected = float(tail(positive, n))
        assert sign_test(positive, negative, 0, "less").p == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("alpha", [0.05, 0.001, 0.0625, 0.5])
def test_critical_values_against_every_table(variant: str, alpha: float) -> None:
    discordant = np.arange(1, 70)
    found = most_rejected(discordant, alpha, variant)
    for n, most in zip(discordant.tolist(), found.tolist(), strict=True):
        rejected = [k for k in range((n - 1) // 2 + 1) if mcnemar(k, n - k, variant) <= alpha]
        assert most == max(rejected, default=-1), n


def test_a_p_value_of_exactly_alpha_rejects() -> None:
    assert mcnemar(0, 5, "exact") == 0.0625
    assert most_rejected(np.array([5]), 0.0625, "exact").tolist() == [0]
