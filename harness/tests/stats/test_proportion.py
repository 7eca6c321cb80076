import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.stats.proportion import wilson


@given(st.integers(0, 5000), st.integers(0, 5000), st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_interval_holds_the_value_and_ends_where_it_must(a: int, b: int, level: float) -> None:
    k, n = a, a + b
    estimate = wilson(k, n, level)
    assert estimate.low is not None
    assert estimate.high is not None
    assert 0.0 <= estimate.low <= estimate.high <= 1.0
    if n:
        assert estimate.value == k / n
        assert estimate.low <= k / n <= estimate.high
        assert (estimate.low == 0.0) == (k == 0)
        assert (estimate.high == 1.0) == (k == n)


@pytest.mark.parametrize(("k", "n", "level"), [(139, 288, 0.95), (5, 20, 0.99), (1, 3, 0.5)])
def test_bounds_solve_the_score_equation(k: int, n: int, level: float) -> None:
    from scipy.stats import norm

    z = norm.isf((1 - level) / 2)
    estimate = wilson(k, n, level)
    for bound in (estimate.low, estimate.high):
        assert bound is not None
        assert abs(k / n - bound) == pytest.approx(z * math.sqrt(bound * (1 - bound) / n), rel=1e-9)


@pytest.mark.parametrize(("n", "level"), [(5, 0.95), (9, 0.9), (7, 0.99)])
def test_none_and_all_end_at_exactly_0_and_1(n: int, level: float) -> None:
    assert wilson(0, n, level).low == 0.0  # the formula leaves a last bit for these
    assert wilson(n, n, level).high == 1.0


def test_mirrored_counts_give_the_mirrored_interval() -> None:
    a, b = wilson(3, 11, 0.95), wilson(8, 11, 0.95)
    assert a.low is not None
    assert b.high is not None
    assert a.low == pytest.approx(1 - b.high, abs=1e-15)


def test_no_data_has_no_value_and_the_whole_range() -> None:
    estimate = wilson(0, 0, 0.95)
    assert (estimate.value, estimate.low, estimate.high, estimate.n) == (None, 0.0, 1.0, 0)
    assert "no data" in estimate.method


@pytest.mark.parametrize(
    ("k", "n", "level"),
    [(-1, 2, 0.95), (3, 2, 0.95), (1, 2, 0.0), (1, 2, 1.0), (1, 2, float("nan")), (1.0, 2, 0.95),
     (True, 2, 0.95)],
)  # fmt: skip
def test_bad_input_is_an_error(k: int, n: int, level: float) -> None:
    with pytest.raises(ValueError, match="wilson: expected"):
        wilson(k, n, level)
