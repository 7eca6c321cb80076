import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.betting import (
    log_wealth,
    means_in_play,
)
from harness.stats.checks import StatisticsError
from harness.stats.finite_betting import log_finite_difference, log_finite_wealth, log_sum

COUNTS = st.integers(0, 12)
PRIORS = st.sampled_from([0.5, 1.0, 3.0])


@pytest.mark.parametrize(
    ("up", "down", "still", "prior", "mean"),
    [(3, 1, 4, 0.5, 0.3), (0, 0, 5, 1.0, 0.4), (7, 2, 0, 2.0, 0.6), (0, 9, 2, 0.5, 0.5)],
)
def test_closed_form_equals_the_integral_over_bets(
    up: int, down: int, still: int, prior: float, mean: float
) -> None:
    from scipy import integrate, stats

    def bet(share: float) -> float:
        one, zero = share / mean, (1 - share) / (1 - mean)
        wealth = one**up * zero**down * ((one + zero) / 2) ** still
        return float(stats.beta.pdf(share, prior, prior) * wealth)

    for side, low, high in (("both", 0.0, 1.0), ("above", 0.35, 1.0), ("below", 0.0, 0.35)):
        mass = stats.beta.cdf(high, prior, prior) - stats.beta.cdf(low, prior, prior)
        expected = integrate.quad(bet, low, high, epsrel=1e-11, limit=400)[0] / mass
        found = math.exp(log_wealth(up, down, still, prior, side, 0.35)(mean))
        assert found == pytest.approx(expected, rel=1e-8)


@settings(max_examples=50, deadline=None)
@given(COUNTS, COUNTS, COUNTS, PRIORS, st.floats(0.05, 0.95), st.floats(0.0, 1.0))
def test_wealth_is_a_fair_game_at_the_true_mean(
    up: int, down: int, still: int, prior: float, mean: float, ties: float
) -> None:
    tie = ties * 2 * min(mean, 1 - mean)
    chances = (mean - tie / 2, 1 - mean - tie / 2, tie)
    steps = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    now = log_wealth(up, down, still, prior, "both", 0.5)(mean)
    after = sum(
        chance * math.exp(log_wealth(up + u, down + d, still + s, prior, "both", 0.5)(mean) - now)
        for chance, (u, d, s) in zip(chances, steps, strict=True)
    )
    assert after == pytest.approx(1.0, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(COUNTS, COUNTS, COUNTS, PRIORS, st.floats(0.1, 0.9), st.floats(0.0, 1.0))
def test_one_sided_wealth_does_not_grow_where_the_claim_is_false(
    up: int, down: int, still: int, prior: float, threshold: float, part: float
) -> None:
    mean = threshold * part  # at or below the threshold: "above" is false
    chances = (mean, 1 - mean)
    now = log_wealth(up, down, still, prior, "above", threshold)(threshold)
    after = sum(
        chance * math.exp(log_wealth(*counts, still, prior, "above", threshold)(threshold) - now)
        for chance, counts in zip(chances, ((up + 1, down), (up, down + 1)), strict=True)
    )
    assert after <= 1.0 + 1e-9


@settings(max_examples=40, deadline=None)
@given(COUNTS, COUNTS, COUNTS, PRIORS, st.floats(0.02, 0.98), st.floats(0.02, 0.98))
def test_wealth_is_convex_in_the_mean_and_at_most_one_at_the_observed(
    up: int, down: int, still: int, prior: float, a: float, b: float
) -> None:
    at = log_wealth(up, down, still, prior, "both", 0.5)
    assert at((a + b) / 2) <= (at(a) + at(b)) / 2 + 1e-9
    n = up + down + still
    if n:
        assert at((up + still / 2) / n) <= 1e-12


@settings(max_examples=40, deadline=None)
@given(COUNTS, COUNTS, COUNTS, PRIORS)
def test_edges_lie_on_the_limit_and_mirror(up: int, down: int, still: int, prior: float) -> None:
    if up + down + still == 0:
        return
    limit = math.log(20)
    low, high = means_in_play(up, down, still, prior, limit)
    at = log_wealth(up, down, still, prior, "both", 0.5)
    assert low <= (up + still / 2) / (up + down + still) <= high
    assert (low == 0.0) == (up + still == 0)
    assert (high == 1.0) == (down + still == 0)
    for edge in {low, high} - {0.0, 1.0}:
        assert at(edge) == pytest.approx(limit, abs=1e-9)
        assert at(edge) >= limit - 1e-12  # rounded outwards
    mirrored = means_in_play(down, up, still, prior, limit)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 9), st.data())
def test_finite_wealth_is_a_fair_game_at_the_true_total(
    population: int, data: st.DataObject
) -> None:
    total = data.draw(st.integers(0, population))
    n = data.draw(st.integers(0, population - 1))
    k = data.draw(st.integers(max(0, n - (population - total)), min(total, n)))

    def wealth(k: int, n: int) -> float:
        _, log_prior, log_likelihood = log_finite_wealth(k, n, population, 0.5)
        return math.exp(log_sum(log_prior + log_likelihood) - log_likelihood[total])

    chance = (total - k) / (population - n)
    after = chance * wealth(k + 1, n + 1) if chance else 0.0
    after += (1 - chance) * wealth(k, n + 1) if chance < 1 else 0.0
    if 0 < chance < 1:
        assert after == pytest.approx(wealth(k, n), rel=1e-9)
    else:  # what was staked on the impossible is lost
        assert after <= wealth(k, n) + 1e-9


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 8), st.data())
def test_finite_difference_is_the_smallest_over_all_totals(
    population: int, data: st.DataObject
) -> None:
    up = data.draw(st.integers(0, population))
    down = data.draw(st.integers(0, population - up))
    still = data.draw(st.integers(0, population - up - down))
    n, a = up + down + still, 0.5
    marginal = math.lgamma(3 * a) - math.lgamma(n + 3 * a) - 3 * math.lgamma(a)
    marginal += sum(math.lgamma(count + a) for count in (up, down, still))
    best: dict[int, float] = {}
    for plus in range(population + 1):
        for minus in range(population + 1 - plus):
            zero = population - plus - minus
            ways = math.perm(plus, up) * math.perm(minus, down) * math.perm(zero, still)
            if ways:
                log_e = marginal - math.log(ways / math.perm(population, n))
                best[plus - minus] = min(best.get(plus - minus, math.inf), log_e)
    differences, found = log_finite_difference(up, down, still, population, a)
    for difference, log_e in zip(differences.tolist(), found.tolist(), strict=True):
        assert log_e == pytest.approx(best.get(difference, math.inf), abs=1e-9)


def test_a_mean_that_an_observed_value_contradicts_is_ruled_out_for_good() -> None:
    assert log_wealth(1, 0, 0, 0.5, "both", 0.5)(0.0) == math.inf
    assert log_wealth(0, 1, 0, 0.5, "both", 0.5)(1.0) == math.inf
    assert log_wealth(0, 0, 1, 0.5, "both", 0.5)(1.0) == math.inf
    assert log_wealth(0, 0, 0, 0.5, "both", 0.5)(0.3) == pytest.approx(0.0, abs=1e-12)


def test_a_prior_without_mass_on_the_claimed_side_is_refused() -> None:
    with pytest.raises(StatisticsError) as caught:
        log_wealth(1, 1, 0, 5000.0, "above", 0.99)
    assert caught.value.reason == "invalid_prior"


def test_log_sum_of_nothing_is_nothing() -> None:
    assert log_sum(np.array([])) == -math.inf
    assert log_sum(np.array([0.0, 0.0])) == pytest.approx(math.log(2))
