from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from harness.stats.checks import StatisticsError
from harness.stats.seeds import aggregate_seeds, compare_seeds

VALUES = st.lists(st.floats(-100, 100).map(lambda x: round(x, 6)), min_size=2, max_size=8)


@settings(max_examples=50, deadline=None)
@given(VALUES, st.sampled_from([0.5, 0.9, 0.95, 0.99]), st.randoms(use_true_random=False))
def test_against_scipy(values: list[float], level: float, random) -> None:
    found = aggregate_seeds(values, level, "t")
    assert found.mean == pytest.approx(np.mean(values), abs=1e-12)
    assert found.sample_std == pytest.approx(np.std(values, ddof=1), abs=1e-12)
    half = stats.t.ppf((1 + level) / 2, len(values) - 1) * stats.sem(values)
    assert found.radius == pytest.approx(half, rel=1e-10, abs=1e-12)
    assert found.formal == (len(values) >= 3)
    random.shuffle(values)
    assert aggregate_seeds(values, level, "t") == found
    assert aggregate_seeds([-v for v in values], level, "t").mean == -found.mean


def test_published_seeds() -> None:
    physics = aggregate_seeds([32.2, 43.1, 43.4], 0.95, "t")
    assert (round(physics.mean, 1), round(physics.sample_std, 1)) == (39.6, 6.4)
    assert physics.radius == pytest.approx(15.852484144803716, abs=1e-9)
    cifar = [0.192, 0.197, 0.194]
    assert aggregate_seeds(cifar, 0.95, "t").radius == pytest.approx(0.0062516094793757795)
    protocol = aggregate_seeds(cifar, 0.95, "protocol_1.96")
    assert protocol.radius == pytest.approx(0.0028478139764465758)
    assert protocol.radius_rule == "protocol_1.96"


@pytest.mark.parametrize("radius", ["t", "protocol_1.96"])
def test_few_or_equal_seeds(radius: str) -> None:
    none = aggregate_seeds([], 0.95, radius)
    assert (none.n_seeds, none.mean, none.sample_std, none.radius) == (0, None, None, None)
    one = aggregate_seeds([0.7], 0.95, radius)
    assert (one.n_seeds, one.mean, one.sample_std, one.radius) == (1, 0.7, None, None)
    assert [aggregate_seeds([0.1] * n, 0.95, radius).formal for n in range(5)] == [
        False, False, False, True, True,
    ]  # fmt: skip
    equal = aggregate_seeds([0.1] * 3, 0.95, radius)
    assert (equal.mean, equal.sample_std, equal.radius) == (0.1, 0.0, 0.0)


def test_the_radius_of_the_protocol_covers_too_little() -> None:
    """Exactly P(|t| ≤ 1.96) with n - 1 degrees of freedom on normal seeds."""
    assert 1 - 2 * stats.t.sf(1.96, 2) == pytest.approx(0.811, abs=5e-4)
    draws = np.random.Generator(np.random.PCG64(4)).normal(size=(400, 3))
    covered = {"t": 0, "protocol_1.96": 0}
    for rule in covered:
        for values in draws:
            found = aggregate_seeds(list(values), 0.95, rule)
            covered[rule] += abs(found.mean) <= found.radius
    assert 0.92 < covered["t"] / 400 < 0.98
    assert 0.75 < covered["protocol_1.96"] / 400 < 0.87


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 1000)] * 2), max_size=6), st.sampled_from([0.9, 0.95]))
def test_comparison_is_paired_by_seed(rows: list[tuple[int, int]], level: float) -> None:
    a = {seed: x / 1000 for seed, (x, _) in enumerate(rows)}
    b = {seed: y / 1000 for seed, (_, y) in enumerate(rows)}
    found = compare_seeds(a, dict(reversed(b.items())), level)
    turned = compare_seeds(b, a, level)
    assert found.seeds == tuple(a)
    assert found.formal == (len(rows) >= 3)
    estimate = found.difference
    assert (estimate.n, estimate.level) == (len(rows), level)
    if len(rows) < 2:
        assert found.radius is estimate.low is estimate.high is found.sample_std is None
        assert (estimate.value is None) == (not rows)
        return
    assert turned.difference.value == -estimate.value
    assert (turned.difference.low, turned.difference.high) == (-estimate.high, -estimate.low)
    differences = [(y - x) / 1000 for x, y in rows]
    assert found.differences == pytest.approx(differences)
    assert estimate.degenerate == (len({y - x for x, y in rows}) == 1)
    if not estimate.degenerate:
        test = stats.ttest_rel(list(b.values()), list(a.values()))
        interval = test.confidence_interval(level)
        assert (estimate.low, estimate.high) == pytest.approx(tuple(interval), abs=1e-9)
    else:
        assert estimate.low == estimate.value == estimate.high


def test_equal_decimal_differences_are_equal() -> None:
    assert 0.3 - 0.2 != 0.2 - 0.1
    found = compare_seeds({42: 0.1, 43: 0.2}, {42: 0.2, 43: 0.3}, 0.95)
    assert found.differences == (0.1, 0.1)
    assert (found.difference.value, found.radius) == (0.1, 0.0)
    assert found.difference.degenerate
    assert not found.formal


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        ({1: 0.5, 2: 0.5}, {1: 0.5}, "only a: 2; only b: none"),
        ({1: 0.5}, {2: 0.5}, "only a: 1; only b: 2"),
        ({"1": 0.5}, {1: 0.5}, "only a: '1'; only b: 1"),
        ({}, {1: 0.5}, "only a: none; only b: 1"),
    ],
)
def test_unequal_seeds(a: dict[Any, float], b: dict[Any, float], told: str) -> None:
    with pytest.raises(StatisticsError, match=told.replace("; ", ", ")) as refused:
        compare_seeds(a, b, 0.95)
    assert refused.value.reason == "unequal_seeds"


@pytest.mark.parametrize("bad", [None, float("nan"), float("inf")])
def test_a_failed_seed_is_not_left_out(bad: Any) -> None:
    for call in (
        lambda: aggregate_seeds([0.5, bad], 0.95, "t"),
        lambda: compare_seeds({1: bad}, {1: 0.5}, 0.95),
        lambda: compare_seeds({1: 0.5}, {1: bad}, 0.95),
    ):
        with pytest.raises(StatisticsError) as refused:
            call()
        assert refused.value.reason == "nan_value"


@pytest.mark.parametrize("level", [0, 1, 95, -0.5, float("nan"), None, "0.95"])
def test_bad_levels(level: Any) -> None:
    for call in (lambda: aggregate_seeds([], level, "t"), lambda: compare_seeds({}, {}, level)):
        with pytest.raises(StatisticsError) as refused:
            call()
        assert refused.value.reason == "invalid_level"


def test_radius_rules() -> None:
    with pytest.raises(StatisticsError, match="expected 0.95 for the radius") as refused:
        aggregate_seeds([1, 2], 0.9, "protocol_1.96")
    assert refused.value.reason == "invalid_level"
    with pytest.raises(StatisticsError) as refused:
        aggregate_seeds([1, 2], 0.95, "normal")
    assert refused.value.reason == "unknown_variant"
