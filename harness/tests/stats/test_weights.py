"""Resamples as counts: their law, their order, and sums over them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.weights import bootstrap_weights, drawn_sums, weight_blocks


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40), st.integers(1, 60), st.integers(0, 9))
def test_rows(n: int, n_resamples: int, seed: int) -> None:
    weights = bootstrap_weights(n, n_resamples, seed)
    assert weights.shape == (n_resamples, n) and weights.dtype == np.uint8
    assert (weights.sum(axis=1) == n).all()


@pytest.mark.parametrize("n", [3, 942, 70_000])
def test_the_first_rows_do_not_depend_on_how_many_follow(n: int) -> None:
    many = bootstrap_weights(n, 20, 5)
    assert (bootstrap_weights(n, 11, 5) == many[:11]).all()
    assert (np.concatenate(list(weight_blocks(n, 20, 5))) == many).all()
    assert (bootstrap_weights(n, 11, 6) != many[:11]).any()


def test_blocks_stay_small() -> None:
    for n, largest in ((2, 2**17), (942, 2**17), (70_000, 8 * 70_000)):
        assert max(block.size for block in weight_blocks(n, 300, 5)) <= largest


def test_moments() -> None:
    """Each count is binomial (n, 1/n), and two of them have the covariance -1/n."""
    n, n_resamples = 12, 40_000
    weights = bootstrap_weights(n, n_resamples, 1).astype(float)
    assert np.abs(weights.mean(axis=0) - 1).max() < 5 / np.sqrt(n_resamples)
    covariance = np.cov(weights.T)
    assert np.abs(covariance - (np.eye(n) - 1 / n)).max() < 0.05


def test_clusters_are_drawn_whole() -> None:
    clusters = ["a", "b", "a", "c", "b", "a"]
    weights = bootstrap_weights(6, 500, 3, clusters)
    for members in ([0, 2, 5], [1, 4]):
        assert (weights[:, members] == weights[:, members[:1]]).all()
    assert (weights[:, [0, 1, 3]].sum(axis=1) == 3).all()
    assert (weights[:, [0, 1, 3]] == bootstrap_weights(3, 500, 3)).all()
    assert (bootstrap_weights(6, 50, 3, list("abcdef")) == bootstrap_weights(6, 50, 3)).all()


def test_without_examples() -> None:
    assert bootstrap_weights(0, 4, 1).shape == (4, 0)
    assert bootstrap_weights(0, 4, 1, []).shape == (4, 0)
    assert bootstrap_weights(1, 4, 1).tolist() == [[1]] * 4


@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (7, 3, 2), (139, 942, 12), (50, 300, 700), (40, 2, 0)]
)
def test_tiled_sums_are_the_matrix_product(shape: tuple[int, int, int]) -> None:
    n_rows, n, k = shape
    rng = np.random.Generator(np.random.PCG64(2))
    weights, columns = rng.integers(0, 4, (n_rows, n)), rng.normal(size=(n, k))
    assert np.allclose(drawn_sums(weights, columns), weights @ columns, rtol=0, atol=1e-11)
    whole = rng.integers(-9, 9, (n, k)).astype(float)
    assert (drawn_sums(weights, whole) == weights @ whole).all()


@pytest.mark.parametrize(
    ("given_", "reason"),
    [
        ((-1, 5, 1), "invalid_count"),
        ((2.0, 5, 1), "invalid_count"),
        ((2, 0, 1), "invalid_count"),
        ((2, True, 1), "invalid_count"),
        ((2, 5, -1), "invalid_count"),
        ((2, 5, None), "invalid_count"),
        ((2, 5, 1, ["a"]), "length_mismatch"),
        ((2, 5, 1, ["a", None]), "missing_cluster"),
    ],
)
def test_bad_input(given_: Any, reason: str) -> None:
    for draw in (bootstrap_weights, weight_blocks):
        with pytest.raises(StatisticsError) as error:
            draw(*given_)
        assert error.value.reason == reason
