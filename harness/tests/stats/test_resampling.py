"""Bootstrap intervals against scipy, exact laws and each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, bootstrap

from harness.stats.checks import StatisticsError
from harness.stats.draws import DrawPlan, acceleration, interval_from_draws
from harness.stats.resampling import (
    bootstrap_interval,
    bootstrap_paired_scores,
    bootstrap_statistic,
)
from harness.stats.weighted import weighted_difference, weighted_mean, weighted_yes_no
from harness.stats.weighted_confidence import weighted_aurc, weighted_auroc, weighted_ece
from harness.stats.weights import bootstrap_weights

B = 10_000


def sample(n: int, seed: int = 7) -> Any:
    return np.random.Generator(np.random.PCG64(seed)).gamma(0.6, size=n)


def bounds(estimate: Any) -> tuple[Any, Any]:
    return estimate.low, estimate.high


@pytest.mark.parametrize(("interval", "method"), [("percentile", "percentile"), ("bca", "BCa")])
@pytest.mark.parametrize("n", [8, 25, 200])
def test_against_scipy(interval: str, method: str, n: int) -> None:
    a, b = sample(n, 1), sample(n, 2)
    rng = np.random.Generator(np.random.PCG64(3))
    theirs = bootstrap(
        (b - a,), np.mean, n_resamples=40_000, method=method, rng=rng
    ).confidence_interval
    ours = bootstrap_paired_scores(a, b, 0.95, interval, B, 1)
    error = 8 * np.std(b - a) / np.sqrt(n * B * 0.15)
    assert ours.value == pytest.approx(np.mean(b - a), abs=1e-15)
    assert bounds(ours) == pytest.approx((theirs.low, theirs.high), abs=error)
    assert (ours.n, ours.n_resamples, ours.seed, ours.degenerate) == (n, B, 1, False)


@pytest.mark.parametrize("values", [sample(30), np.repeat([0.0, 1.0, 4.0], [20, 6, 4])])
def test_bca_by_its_definition(values: Any) -> None:
    """The mid-rank counts where scores are whole numbers and many draws equal their mean."""
    from scipy.special import ndtr, ndtri

    draws = np.sort(bootstrap_weights(30, B, 5) @ values / 30)
    z0 = ndtri((np.sum(draws < values.mean()) + np.sum(draws <= values.mean())) / (2 * B))
    left_out = np.array([np.delete(values, i).mean() for i in range(30)])
    pull = left_out.mean() - left_out
    a = np.sum(pull**3) / (6 * np.sum(pull**2) ** 1.5)
    assert acceleration(left_out[None])[0] == pytest.approx(a, abs=1e-12)
    reach = z0 + ndtri([0.025, 0.975])
    ranks = np.ceil(ndtr(z0 + reach / (1 - a * reach)) * B).astype(int) - 1
    (found,) = bootstrap_interval([values], 0.95, "bca", B, 5)
    assert bounds(found) == pytest.approx(tuple(draws[ranks]), abs=1e-14)


def test_without_bias_and_acceleration_bca_is_the_percentile_interval() -> None:
    shifts = np.arange(-50, 50) + 0.5
    for level in (0.5, 0.8, 0.9, 0.95, 0.98):
        plain, bca = (
            interval_from_draws(0.0, shifts, 0.0, 0.0, DrawPlan(level, kind, 100, 1, None), 9, "")
            for kind in ("percentile", "bca")
        )
        assert bounds(bca) == bounds(plain)


def test_percentile_bounds_are_draws_of_their_rank() -> None:
    values, n_resamples = sample(20), 999
    draws = np.sort(bootstrap_weights(20, n_resamples, 5) @ values / 20)
    for level, low, high in ((0.95, 24, 974), (0.5, 249, 749), (0.9999, 0, 998)):
        (found,) = bootstrap_interval([values], level, "percentile", n_resamples, 5)
        assert bounds(found) == pytest.approx((draws[low], draws[high]), abs=1e-14)
        assert draws[low] == np.quantile(draws, (1 - level) / 2, method="inverted_cdf")


def test_against_the_exact_law_of_a_proportion() -> None:
    for n, k in ((10, 3), (100, 90), (942, 400)):
        (found,) = bootstrap_interval([[1] * k + [0] * (n - k)], 0.95, "percentile", B, 2)
        exact = tuple(binom.ppf(q, n, k / n) / n for q in (0.025, 0.975))
        assert bounds(found) == pytest.approx(exact, abs=1.001 / n)


COLUMNS = st.lists(st.integers(-3, 3), min_size=1, max_size=8)


@settings(max_examples=40, deadline=None)
@given(COLUMNS, st.sampled_from(["percentile", "bca"]), st.integers(-5, 5), st.integers(1, 4))
def test_moves_and_stretches_with_the_scores(
    column: list[int], interval: str, move: int, stretch: int
) -> None:
    found, moved = bootstrap_interval(
        [column, [stretch * x + move for x in column]], 0.9, interval, 200, 1
    )
    assert moved.value == pytest.approx(stretch * found.value + move, abs=1e-12)
    expected = tuple(stretch * bound + move for bound in bounds(found))
    assert bounds(moved) == pytest.approx(expected, abs=1e-12)
    assert moved.degenerate == found.degenerate == (len(set(column)) == 1)
    assert min(column) - 1e-12 <= found.low <= found.high <= max(column) + 1e-12


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_swapping_turns_the_interval_round(interval: str) -> None:
    a, b = sample(60, 1), sample(60, 2)
    there, back = (
        bootstrap_paired_scores(*pair, 0.95, interval, B, 1) for pair in ((a, b), (b, a))
    )
    assert there.value == -back.value
    # With the same draws only the inverted CDF's choice between two neighbours differs.
    assert bounds(there) == pytest.approx((-back.high, -back.low), abs=0.02)


def test_order_of_the_examples_is_noise() -> None:
    a, b = sample(60, 1), sample(60, 2)
    order = np.random.Generator(np.random.PCG64(1)).permutation(60)
    found = bootstrap_paired_scores(a, b, 0.95, "percentile", B, 1)
    other = bootstrap_paired_scores(a[order], b[order], 0.95, "percentile", B, 1)
    assert other.value == pytest.approx(found.value, abs=1e-15)
    assert bounds(other) == pytest.approx(bounds(found), abs=0.04)


def test_a_column_does_not_depend_on_the_others() -> None:
    table = np.stack([sample(50, seed) for seed in range(5)])
    together = bootstrap_interval(table, 0.95, "bca", 500, 1)
    for row, expected in zip(table, together, strict=True):
        (alone,) = bootstrap_interval([row], 0.95, "bca", 500, 1)
        assert bounds(alone) == pytest.approx(bounds(expected), abs=1e-14)
    assert bootstrap_interval(table, 0.95, "bca", 500, 1) == together
    assert bootstrap_interval(table, 0.95, "bca", 500, 2) != together


@pytest.mark.filterwarnings("ignore::scipy.stats.DegenerateDataWarning")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_constant_scores_where_scipy_gives_nan() -> None:
    theirs = bootstrap(([0.5, 0.5, 0.5],), np.mean, n_resamples=99, method="BCa")
    assert np.isnan(theirs.confidence_interval.low)
    for interval in ("percentile", "bca"):
        found = bootstrap_paired_scores([0.5] * 3, [0.7] * 3, 0.95, interval, B, 1)
        assert found.degenerate and found.low == found.value == found.high
        assert found.value == pytest.approx(0.2, abs=1e-15)


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_differences_equal_up_to_rounding_are_equal(interval: str) -> None:
    a, b = [0.1, 0.2, 0.7, 1e3], [0.3, 0.4, 0.9, 1e3 + 0.2]
    assert len(set(np.subtract(b, a).tolist())) == 4
    assert bootstrap_paired_scores(a, b, 0.95, interval, 1000, 1).degenerate
    b[0] = 0.3001
    assert not bootstrap_paired_scores(a, b, 0.95, interval, 1000, 1).degenerate


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_none_and_one_example(interval: str) -> None:
    none = bootstrap_paired_scores([], [], 0.95, interval, 100, 1)
    assert (none.value, none.low, none.high, none.n, none.degenerate) == (None,) * 3 + (0, False)
    one = bootstrap_paired_scores([0.25], [1], 0.95, interval, 100, 1)
    assert (one.value, one.low, one.high, one.degenerate) == (0.75, 0.75, 0.75, True)
    assert bootstrap_interval(np.empty((0, 3)), 0.95, interval, 10, 1) == ()
    assert [e.value for e in bootstrap_interval([[], []], 0.95, interval, 10, 1)] == [None, None]
    (single,) = bootstrap_interval([[0.0, 1.0, 5.0]], 0.95, interval, 1, 1)
    assert single.low == single.high


def test_bca_with_all_draws_on_one_side() -> None:
    seeds = [s for s in range(200) if (bootstrap_weights(2, 3, s)[:, 0] == 2).all()]
    (found,) = bootstrap_interval([[0.0, 1.0]], 0.95, "bca", 3, seeds[0])
    assert bounds(found) == (0.0, 0.0) and not found.degenerate


def test_clusters() -> None:
    values = sample(40)
    (plain,) = bootstrap_interval([values], 0.95, "bca", 2000, 1)
    (single,) = bootstrap_interval([values], 0.95, "bca", 2000, 1, list(range(40)))
    assert bounds(single) == pytest.approx(bounds(plain), abs=1e-13)
    assert (plain.resampled, single.resampled) == ("examples", "clusters")
    clusters = np.repeat(range(7), [15, 10, 5, 4, 3, 2, 1]).tolist()
    for interval in ("percentile", "bca"):
        (found,) = bootstrap_interval([values], 0.95, interval, B, 1, clusters)
        general = bootstrap_statistic(weighted_mean(values), 0.95, interval, B, 1, clusters)
        assert bounds(general) == pytest.approx(bounds(found), abs=1e-13)
    (one,) = bootstrap_interval([values], 0.95, "bca", 100, 1, ["a"] * 40)
    assert one.degenerate and one.low == one.value


def test_copies_in_clusters_add_nothing() -> None:
    values = sample(15)
    (once,) = bootstrap_interval([values], 0.95, "bca", 2000, 1)
    copied = np.repeat(values, 3)
    (found,) = bootstrap_interval([copied], 0.95, "bca", 2000, 1, np.repeat(range(15), 3).tolist())
    assert bounds(found) == pytest.approx(bounds(once), abs=1e-13)


def scored(n: int, seed: int) -> tuple[list[float], list[int]]:
    rng = np.random.Generator(np.random.PCG64(seed))
    confidence = rng.random(n).round(1)
    return confidence.tolist(), (rng.random(n) < confidence).astype(int).tolist()


@pytest.mark.parametrize("interval", ["percentile", "bca"])
def test_any_statistic_against_scipy(interval: str) -> None:
    from harness.stats.selective import aurc

    confidence, correct = scored(40, 1)
    found = bootstrap_statistic(weighted_aurc(confidence, correct), 0.9, interval, 4000, 1)
    assert found.value == pytest.approx(aurc(confidence, correct).aurc, abs=1e-12)
    theirs = bootstrap(
        (confidence, correct),
        lambda c, y: aurc(c, y).aurc,
        paired=True,
        vectorized=False,
        n_resamples=1500,
        confidence_level=0.9,
        method={"percentile": "percentile", "bca": "BCa"}[interval],
        rng=np.random.Generator(np.random.PCG64(2)),
    ).confidence_interval
    assert bounds(found) == pytest.approx((theirs.low, theirs.high), abs=0.015)


def test_a_difference_of_statistics_draws_both_together() -> None:
    confidence, correct = scored(40, 1)
    ece = weighted_ece(confidence, correct, 10)
    none = bootstrap_statistic(weighted_difference(ece, ece), 0.95, "bca", 500, 1)
    assert (none.low, none.high, none.degenerate) == (0.0, 0.0, True)


def test_undefined_draws_are_dropped_and_counted() -> None:
    auroc = weighted_auroc([0.9, 0.8, 0.6, 0.3], [1, 1, 0, 1])
    dropped = int(np.isnan(auroc.compute(bootstrap_weights(4, 500, 3).astype(np.int64))).sum())
    assert dropped > 100
    found = bootstrap_statistic(auroc, 0.9, "percentile", 500, 3)
    assert f"{dropped} of 500 draws undefined and dropped" in found.method
    assert found.low is not None
    # Without its one wrong answer the AUROC is undefined, and so is the acceleration.
    bca = bootstrap_statistic(auroc, 0.9, "bca", 500, 3)
    assert (bca.low, bca.high) == (None, None) and bca.value is not None
    assert "undefined when one is left out" in bca.method


def test_an_undefined_statistic() -> None:
    for statistic in (
        weighted_auroc([0.9, 0.8], [1, 1]),
        weighted_yes_no("f1", [False], [None]),
        weighted_mean([]),
    ):
        found = bootstrap_statistic(statistic, 0.95, "bca", 10, 1)
        assert (found.value, found.low, found.high, found.n) == (None, None, None, statistic.n)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"level": 0.0}, "invalid_level"),
        ({"level": float("nan")}, "invalid_level"),
        ({"interval": "basic"}, "unknown_variant"),
        ({"n_resamples": 0}, "invalid_count"),
        ({"n_resamples": 10.0}, "invalid_count"),
        ({"seed": -1}, "invalid_count"),
        ({"a": [0.1]}, "length_mismatch"),
        ({"a": [0.1, None, 0.2]}, "length_mismatch"),
        ({"b": [0.1, None]}, "nan_value"),
        ({"b": [0.1, float("nan")]}, "nan_value"),
        ({"b": np.array([0.1, np.inf])}, "nan_value"),
        ({"b": [0.1, "x"]}, "nan_value"),
    ],
)
def test_bad_input(change: dict[str, Any], reason: str) -> None:
    whole = {"a": [0.1, 0.2], "b": [0.3, 0.3], "level": 0.95, "interval": "percentile"}
    with pytest.raises(StatisticsError) as error:
        bootstrap_paired_scores(**{**whole, "n_resamples": 10, "seed": 1, **change})
    assert error.value.reason == reason


@pytest.mark.parametrize(
    ("values", "clusters", "reason"),
    [
        ([1.0, 2.0], None, "invalid_shape"),
        ([[1.0, 2.0], [1.0]], None, "invalid_shape"),
        ([[1.0, None]], None, "nan_value"),
        ([[1.0, 2.0]], ["a"], "length_mismatch"),
        ([[1.0, 2.0]], ["a", None], "missing_cluster"),
    ],
)
def test_bad_tables(values: Any, clusters: Any, reason: str) -> None:
    with pytest.raises(StatisticsError) as error:
        bootstrap_interval(values, 0.95, "percentile", 10, 1, clusters)
    assert error.value.reason == reason
