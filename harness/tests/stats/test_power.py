from math import asin, comb, isnan, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.discordant import VARIANTS, mcnemar, mcnemar_many
from harness.stats.power import mcnemar_power, paired_mde, required_pairs, two_proportion_n


def enumerated(n: int, p10: float, p01: float, alpha: float, variant: str) -> float:
    """Every table of n pairs, its trinomial probability and its test."""
    return sum(
        comb(n, b) * comb(n - b, c) * p10**b * p01**c * (1 - p10 - p01) ** (n - b - c)
        for b in range(n + 1)
        for c in range(n - b + 1)
        if mcnemar(c, b, variant) <= alpha
    )


SHARES = st.sampled_from([(0.2, 0.05), (0.3, 0.3), (0.9, 0.1), (0.0, 0.4), (1.0, 0.0), (0.5, 0.2)])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 22), SHARES, st.sampled_from([0.05, 0.0625, 0.3]), st.sampled_from(VARIANTS))
def test_power_against_every_table(
    n: int, shares: tuple[float, float], alpha: float, variant: str
) -> None:
    found = mcnemar_power(n, *shares, alpha, variant)
    assert found == pytest.approx(enumerated(n, *shares, alpha, variant), abs=1e-12)
    assert found == pytest.approx(mcnemar_power(n, *shares[::-1], alpha, variant), abs=1e-14)
    assert 0.0 <= found <= 1.0


def test_power_of_a_study_of_942_against_sampling() -> None:
    rng = np.random.Generator(np.random.PCG64(5))
    draws = rng.multinomial(942, [0.17, 0.13, 0.7], size=40_000)
    sampled = np.mean(mcnemar_many(draws[:, 0], draws[:, 1], "exact") <= 0.05)
    found = mcnemar_power(942, 0.17, 0.13, 0.05, "exact")
    assert found == pytest.approx(sampled, abs=4 * sqrt(found * (1 - found) / 40_000))


def test_the_exact_test_keeps_its_error_and_midp_is_less_careful() -> None:
    for n in (20, 100, 942):
        exact = mcnemar_power(n, 0.15, 0.15, 0.05, "exact")
        assert exact <= 0.05
        assert mcnemar_power(n, 0.15, 0.15, 0.05, "midp") > exact


def test_a_million_pairs_against_the_normal_approximation() -> None:
    found = mcnemar_power(1_000_000, 0.251, 0.249, 0.05, "exact")
    shift = 0.002 * 1_000_000 / sqrt(500_000)
    assert found == pytest.approx(1 - NormalDist().cdf(1.959964 - shift), abs=2e-3)


@pytest.mark.parametrize(
    ("n", "p10", "p01"), [(0, 0.2, 0.1), (10, 0.0, 0.0), (1, 0.5, 0.5), (5, 0.6, 0.4)]
)
def test_too_little_data_has_no_power(n: int, p10: float, p01: float) -> None:
    assert mcnemar_power(n, p10, p01, 0.05, "exact") == 0.0


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 10_000), st.floats(0.001, 1), st.floats(0.001, 0.2), st.floats(0.5, 0.99))
def test_mde_solves_its_equation(n: int, rate: float, alpha: float, power: float) -> None:
    z = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)
    found = paired_mde(n, rate, alpha, power)
    assert found is not None
    assert found == pytest.approx(z * sqrt((rate - found**2) / n), rel=1e-9)
    assert (paired_mde(4 * n, rate, alpha, power) or 0) < found
    assert (paired_mde(n, rate, alpha / 2, power) or 0) > found


@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.025), (0.5, 0.1), (0.999, 0.001)])
def test_a_power_that_alpha_gives_needs_no_difference(alpha: float, power: float) -> None:
    assert paired_mde(100, 0.3, alpha, power) == pytest.approx(0.0, abs=1e-12)
    assert (paired_mde(100, 0.3, alpha, power) or 0.0) >= 0.0


@pytest.mark.parametrize(("n", "n_discordant", "reached"), [(59, 16, 0.721), (942, 285, 0.783)])
def test_the_exact_test_finds_the_mde_less_often_than_the_normal_one(
    n: int, n_discordant: int, reached: float
) -> None:
    rate = n_discordant / n
    d = paired_mde(n, rate, 0.05, 0.8)
    assert d is not None
    found = mcnemar_power(n, (rate + d) / 2, (rate - d) / 2, 0.05, "exact")
    assert found == pytest.approx(reached, abs=0.0005)


def test_numbers_of_numpy_are_numbers() -> None:
    assert paired_mde(100, np.float32(0.5), np.float64(0.05), 0.8) == paired_mde(  # type: ignore[arg-type]
        100, 0.5, 0.05, 0.8
    )
    assert two_proportion_n(np.int64(0), np.float32(0.5), 0.05, 0.8) == two_proportion_n(  # type: ignore[arg-type]
        0.0, 0.5, 0.05, 0.8
    )


@pytest.mark.parametrize(("n", "rate"), [(100, 0.0), (0, 0.3), (0, 0.0), (100, 0)])
def test_nothing_to_see_is_none_and_never_zero(n: int, rate: float) -> None:
    assert paired_mde(n, rate, 0.05, 0.8) is None


@pytest.mark.parametrize("shares", [(0.2, 0.12), (0.05, 0.01), (0.7, 0.3), (0.9, 0.1), (0.1, 0.0)])
@pytest.mark.parametrize("power", [0.5, 0.9])
def test_required_pairs_are_the_first_that_reach_the_power(
    shares: tuple[float, float], power: float
) -> None:
    found = required_pairs(*shares, 0.05, power, "exact")
    assert found is not None
    assert mcnemar_power(found, *shares, 0.05, "exact") >= power
    below = range(max(1, found - 60), found)
    assert all(mcnemar_power(n, *shares, 0.05, "exact") < power for n in below)
    assert found == required_pairs(*shares[::-1], 0.05, power, "exact")


def test_required_pairs_by_the_normal_formula() -> None:
    z_alpha, z_power = NormalDist().inv_cdf(0.975), NormalDist().inv_cdf(0.8)
    n = ((z_alpha * sqrt(0.32) + z_power * sqrt(0.32 - 0.08**2)) / 0.08) ** 2
    assert required_pairs(0.2, 0.12, 0.05, 0.8, "normal") == int(n) + 1
    assert required_pairs(1.0, 0.0, 0.05, 0.8, "normal") == 4
    assert required_pairs(0.2, 0.1, 0.05, 1e-9, "normal") == 1


@pytest.mark.parametrize("method", ["exact", "normal"])
def test_no_difference_needs_more_pairs_than_there_are(method: str) -> None:
    assert required_pairs(0.2, 0.2, 0.05, 0.8, method) is None
    assert required_pairs(0.0, 0.0, 0.05, 0.8, method) is None


def test_required_pairs_beyond_a_million_are_not_searched() -> None:
    assert required_pairs(0.2501, 0.2500, 0.05, 0.8, "exact") is None


@pytest.mark.parametrize(("p1", "p2"), [(0.5, 0.55), (0.394, 0.426), (0.9, 0.1), (0.0, 0.5)])
def test_two_proportions_agree_with_statsmodels(p1: float, p2: float) -> None:
    from statsmodels.stats.power import NormalIndPower

    found = two_proportion_n(p1, p2, 0.05, 0.8)
    assert found.effect_size_h == pytest.approx(abs(2 * asin(sqrt(p1)) - 2 * asin(sqrt(p2))))
    theirs = NormalIndPower().solve_power(found.effect_size_h, alpha=0.05, power=0.8, ratio=1)
    assert found.n_per_group == pytest.approx(theirs, abs=1e-3)
    reached = NormalIndPower().power(found.effect_size_h, found.n_per_group, 0.05)
    assert reached == pytest.approx(0.8, abs=1e-12)
    assert found == two_proportion_n(p2, p1, 0.05, 0.8)


def test_where_statsmodels_finds_no_solution_there_is_one() -> None:
    from statsmodels.stats.power import NormalIndPower

    found = two_proportion_n(0.0, 1.0, 0.05, 0.8)
    with np.errstate(all="ignore"), pytest.warns(Warning, match="Failed to converge"):
        theirs = NormalIndPower().solve_power(found.effect_size_h, alpha=0.05, power=0.8, ratio=1)
    assert isnan(theirs)
    assert found.n_per_group == pytest.approx(1.5905, abs=1e-4)


def test_two_equal_proportions_and_a_power_that_alpha_gives() -> None:
    assert two_proportion_n(0.3, 0.3, 0.05, 0.8).n_per_group is None
    assert two_proportion_n(0.3, 0.4, 0.05, 0.05).n_per_group == 0.0
    assert two_proportion_n(0.3, 0.4, 0.05, 0.01).n_per_group == 0.0


@pytest.mark.parametrize("bad", [float("nan"), -0.1, 1.1, None, True, "0.5"])
def test_bad_probabilities_are_refused(bad: float) -> None:
    for call in (
        lambda: paired_mde(10, bad, 0.05, 0.8),
        lambda: mcnemar_power(10, bad, 0.1, 0.05, "exact"),
        lambda: mcnemar_power(10, 0.1, bad, 0.05, "exact"),
        lambda: required_pairs(bad, 0.1, 0.05, 0.8, "normal"),
        lambda: two_proportion_n(0.1, bad, 0.05, 0.8),
    ):
        with pytest.raises(StatisticsError, match="expected .* found") as refused:
            call()
        assert refused.value.reason == "invalid_probability"


def test_other_bad_input_is_refused() -> None:
    for call, reason in (
        (lambda: mcnemar_power(10, 0.7, 0.4, 0.05, "exact"), "invalid_probability"),
        (lambda: required_pairs(0.7, 0.4, 0.05, 0.8, "exact"), "invalid_probability"),
        (lambda: mcnemar_power(10, 0.1, 0.2, 0.05, "wald"), "unknown_variant"),
        (lambda: required_pairs(0.1, 0.2, 0.05, 0.8, "simulated"), "unknown_variant"),
        (lambda: mcnemar_power(-1, 0.1, 0.2, 0.05, "exact"), "invalid_count"),
        (lambda: paired_mde(10.0, 0.1, 0.05, 0.8), "invalid_count"),  # type: ignore[arg-type]
        (lambda: paired_mde(10, 0.1, 0.0, 0.8), "invalid_level"),
        (lambda: paired_mde(10, 0.1, 0.05, 1.0), "invalid_level"),
        (lambda: mcnemar_power(10, 0.1, 0.2, 1.0, "exact"), "invalid_level"),
        (lambda: required_pairs(0.1, 0.2, 0.05, 0.0, "normal"), "invalid_level"),
        (lambda: two_proportion_n(0.1, 0.2, 0.05, float("nan")), "invalid_level"),
    ):
        with pytest.raises(StatisticsError, match="expected .* found") as refused:
            call()
        assert refused.value.reason == reason
