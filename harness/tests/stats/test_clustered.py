"""Clustered standard errors against their definition, statsmodels and the plain formula."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t

from harness.stats.checks import StatisticsError
from harness.stats.clustered import cluster_difference, cluster_interval, cluster_stderr
from harness.stats.columns import cluster_codes

ROWS = st.lists(st.tuples(st.integers(-5, 5), st.sampled_from("abcd")), min_size=1, max_size=14)


def variance(rows: list[tuple[int, str]]) -> Fraction:
    """CR0, by its double sum over pairs in the same cluster."""
    mean = Fraction(sum(x for x, _ in rows), len(rows))
    return (
        sum(((x - mean) * (y - mean) for x, a in rows for y, b in rows if a == b), Fraction(0))
        / len(rows) ** 2
    )


@settings(max_examples=50, deadline=None)
@given(ROWS, st.randoms(use_true_random=False))
def test_against_the_double_sum(rows: list[tuple[int, str]], random: Any) -> None:
    scores, clusters = [x for x, _ in rows], [c for _, c in rows]
    n_clusters = len(set(clusters))
    for correction, factor in (("CR0", 1.0), ("CR1", n_clusters / max(n_clusters - 1, 1))):
        found = cluster_stderr(scores, clusters, correction)
        assert (found.n, found.n_clusters) == (len(rows), n_clusters)
        if n_clusters == 1:
            assert found.stderr is None
            continue
        assert found.stderr == pytest.approx(math.sqrt(variance(rows) * factor), abs=1e-12)
        random.shuffle(rows)
        again = cluster_stderr([x for x, _ in rows], [c for _, c in rows], correction)
        assert again.stderr == pytest.approx(found.stderr, abs=1e-14)


def test_against_statsmodels() -> None:
    from statsmodels.api import OLS

    rng = np.random.Generator(np.random.PCG64(1))
    codes = rng.integers(0, 12, 80)
    scores = rng.normal(size=80) + rng.normal(size=12)[codes]
    for correction, corrected in (("CR0", False), ("CR1", True)):
        fit = OLS(scores, np.ones(80)).fit(
            cov_type="cluster", cov_kwds={"groups": codes, "use_correction": corrected}
        )
        found = cluster_stderr(scores, codes.tolist(), correction)
        assert found.stderr == pytest.approx(float(fit.bse[0]), rel=1e-12)


def test_statsmodels_gives_one_cluster_a_standard_error_of_nothing() -> None:
    from statsmodels.api import OLS

    fit = OLS([1.0, 0.0, 1.0], np.ones(3)).fit(
        cov_type="cluster", cov_kwds={"groups": np.zeros(3, int), "use_correction": False}
    )
    assert float(fit.bse[0]) < 1e-15  # it reads as certainty
    for correction in ("CR0", "CR1"):
        assert cluster_stderr([1, 0, 1], ["a"] * 3, correction).stderr is None


def test_clusters_of_one_are_the_plain_standard_error() -> None:
    scores = [0.3, 0.7, 0.1, 0.9, 0.4]
    found = cluster_stderr(scores, range(5), "CR1")
    assert found.stderr == pytest.approx(np.std(scores, ddof=1) / math.sqrt(5), rel=1e-13)


def test_copies_in_a_cluster_add_nothing() -> None:
    scores, names = [0.3, 0.7, 0.1], ["a", "b", "c"]
    once = cluster_stderr(scores, names, "CR1")
    copied = cluster_stderr(scores * 4, names * 4, "CR1")
    assert copied.stderr == pytest.approx(once.stderr, rel=1e-13)
    assert copied.mean == pytest.approx(once.mean, rel=1e-15)


def test_published_cases() -> None:
    scores = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1]
    clusters = list("aaaaaaaaaabbbcdddddd")
    found = cluster_stderr(scores, clusters, "CR0")
    assert found.stderr == pytest.approx(0.17439180026595286, abs=1e-12)
    assert cluster_stderr([1, 1, 1, 1], list("aabb"), "CR1").stderr == 0.0
    assert cluster_stderr([0.1] * 6, list("aabbcc"), "CR0").stderr == 0.0


def test_interval() -> None:
    scores, clusters = [3, 4, 1, 2, 2, 3, 9], list("aabbccd")
    found = cluster_stderr(scores, clusters, "CR1")
    estimate = cluster_interval(scores, clusters, "CR1", 0.9)
    low, high = t.interval(0.9, 3, found.mean, found.stderr)
    assert (estimate.low, estimate.high) == (pytest.approx(low), pytest.approx(high))
    assert "t(3)" in estimate.method and "CR1" in estimate.method and not estimate.degenerate
    wide = cluster_interval(scores, clusters, "CR1", 0.99)
    assert wide.low < estimate.low < estimate.high < wide.high


def test_interval_at_the_edges() -> None:
    one = cluster_interval([1, 0], ["a", "a"], "CR1", 0.95)
    assert (one.value, one.low, one.high, one.degenerate) == (0.5, None, None, False)
    none = cluster_interval([], [], "CR1", 0.95)
    assert (none.value, none.low, none.n) == (None, None, 0)
    flat = cluster_interval([2, 2], ["a", "b"], "CR0", 0.95)
    assert (flat.low, flat.high, flat.degenerate) == (2.0, 2.0, True)
    assert cluster_stderr([], [], "CR0").n_clusters == 0


def test_difference_is_antisymmetric() -> None:
    a, b, clusters = [0, 1, 1, 0, 1], [1, 1, 0, 1, 1], list("aabbc")
    there, back = (cluster_difference(*pair, clusters, "CR1", 0.95) for pair in ((a, b), (b, a)))
    assert (there.value, there.low, there.high) == (-back.value, -back.high, -back.low)
    assert there.unit == "difference of means"
    same = cluster_interval([1, 0, -1, 1, 0], clusters, "CR1", 0.95)
    assert (same.low, same.high) == (there.low, there.high)


def test_differences_that_are_equal_but_for_rounding_are_a_point() -> None:
    assert 0.3 - 0.1 != 0.4 - 0.2
    a, b = [0.1, 0.2, 0.7, 0.1], [0.3, 0.4, 0.9, 0.3]
    found = cluster_difference(a, b, list("aabc"), "CR1", 0.95)
    assert (found.low, found.high, found.degenerate) == (found.value, found.value, True)
    assert found.value == pytest.approx(0.2, abs=1e-15)
    tiny = cluster_difference([0, 0, 0], [1e-30, 2e-30, 1e-30], list("abc"), "CR1", 0.95)
    assert tiny.low is not None and tiny.low < tiny.high and not tiny.degenerate


def test_ids_that_compare_equal_are_one_cluster() -> None:
    codes, n_clusters = cluster_codes([3, "3", 3.0, ("a", 1), ("a", 1), 0, False])
    assert (codes.tolist(), n_clusters) == ([0, 1, 0, 2, 2, 3, 3], 4)


@pytest.mark.parametrize(
    "missing", [None, float("nan"), "", np.nan, np.datetime64("NaT")], ids=repr
)
def test_missing_ids(missing: Any) -> None:
    for call in (
        lambda: cluster_stderr([1, 0], ["a", missing], "CR1"),
        lambda: cluster_difference([1, 0], [1, 1], ["a", missing], "CR1", 0.95),
    ):
        with pytest.raises(StatisticsError, match=r"clusters\[1\]") as error:
            call()
        assert error.value.reason == "missing_cluster"


def test_missing_ids_of_pandas() -> None:
    import pandas as pd

    for missing in (pd.NA, pd.NaT):
        with pytest.raises(StatisticsError) as error:
            cluster_codes(["a", missing])
        assert error.value.reason == "missing_cluster"


@pytest.mark.parametrize(
    ("given_", "reason"),
    [
        (([1, 0], ["a"], "CR1", 0.95), "length_mismatch"),
        (([1, None], ["a", "b"], "CR1", 0.95), "nan_value"),
        (([1, float("nan")], ["a", "b"], "CR1", 0.95), "nan_value"),
        (([1, "x"], ["a", "b"], "CR1", 0.95), "nan_value"),
        ((1.0, ["a"], "CR1", 0.95), "invalid_shape"),
        (([1, 0], ["a", "b"], "CR2", 0.95), "unknown_variant"),
        (([1, 0], ["a", "b"], "CR1", 1.0), "invalid_level"),
    ],
)
def test_bad_input(given_: Any, reason: str) -> None:
    with pytest.raises(StatisticsError) as error:
        cluster_interval(*given_)
    assert error.value.reason == reason
    with pytest.raises(StatisticsError) as error:
        cluster_difference([1, 0], [1], ["a", "b"], "CR1", 0.95)
    assert error.value.reason == "length_mismatch"
