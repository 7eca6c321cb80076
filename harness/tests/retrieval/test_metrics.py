"""Metrics with intervals: the values of the published rule, and clusters where there are some."""

from __future__ import annotations

import numpy as np
import pytest

from harness.retrieval.metrics import retrieval_estimates
from harness.retrieval.pairs import pairs
from harness.stats.checks import StatisticsError
from harness.stats.proportion import wilson
from harness.stats.retrieval import retrieval_metrics
from harness.tests.retrieval.vectors import generator

N = 60
PER_IMAGE = 5
OWNERS = np.repeat(np.arange(N), PER_IMAGE)
JOINED = pairs(
    [f"i{k}" for k in range(N)],
    [f"t{k}" for k in range(len(OWNERS))],
    {f"t{k}": f"i{owner}" for k, owner in enumerate(OWNERS.tolist())},
)


def drawn() -> tuple[list[int], list[int]]:
    """Ranks that the captions of an image share but for a little."""
    rng = generator("ranks")
    images = np.floor(rng.exponential(6, N)).astype(int) + 1
    texts = np.repeat(np.floor(rng.exponential(8, N)).astype(int), PER_IMAGE) + rng.integers(
        1, 3, len(OWNERS)
    )
    return images.tolist(), texts.tolist()


def test_the_values_are_those_of_the_rule() -> None:
    i2t, t2i = drawn()
    found = retrieval_estimates(i2t, t2i, JOINED, 0.95, 500, 3)
    point = retrieval_metrics(i2t, t2i, (1, 5, 10))
    for side, rule in ((found.i2t, point.i2t), (found.t2i, point.t2i)):
        assert {k: one.value for k, one in side.recalls.items()} == pytest.approx(rule.recalls)
        assert side.median_rank.value == rule.median_rank
        assert side.n == rule.n
    assert found.mean_recall.value == pytest.approx(point.mean_recall, abs=1e-15)
    every = [*found.i2t.recalls.values(), *found.t2i.recalls.values(), found.mean_recall]
    assert all(one.low < one.value < one.high for one in every)  # type: ignore[operator]
    for median in (found.i2t.median_rank, found.t2i.median_rank):
        assert median.low <= median.value <= median.high  # type: ignore[operator]
        assert median.low < median.high  # type: ignore[operator]
    assert found == retrieval_estimates(i2t, t2i, JOINED, 0.95, 500, 3)


def test_captions_of_one_image_are_one_cluster() -> None:
    i2t, t2i = drawn()
    found = retrieval_estimates(i2t, t2i, JOINED, 0.95, 500, 3)
    clustered = found.t2i.recalls[5]
    alone = wilson(sum(rank <= 5 for rank in t2i), len(t2i), 0.95)
    assert clustered.high - clustered.low > 1.7 * (alone.high - alone.low)  # type: ignore[operator]
    assert found.i2t.recalls[5] == wilson(sum(rank <= 5 for rank in i2t), N, 0.95)


def test_the_intervals_cover_under_repetition() -> None:
    """Half of all ranks are at most 10 by design; some 95 of 100 intervals should hold that."""
    rng = generator("coverage")
    held = [0, 0]
    for _ in range(100):
        # Shares below 1/2 and the rank 10 or 11, so that the true median lies between.
        images = rng.integers(1, 21, N)
        texts = np.repeat(rng.integers(1, 21, N), PER_IMAGE)
        found = retrieval_estimates(images.tolist(), texts.tolist(), JOINED, 0.95, 2, 1, (10,))
        for at, side in enumerate((found.i2t, found.t2i)):
            recall, median = side.recalls[10], side.median_rank
            held[at] += recall.low <= 0.5 <= recall.high  # type: ignore[operator]
            held[at] += median.low <= 10.5 <= median.high  # type: ignore[operator]
    assert all(180 <= n <= 200 for n in held), held


def test_perfect_retrieval_is_a_point() -> None:
    found = retrieval_estimates([1] * N, [1] * len(OWNERS), JOINED, 0.95, 50, 1)
    assert found.mean_recall.value == found.mean_recall.low == 1.0
    assert found.mean_recall.degenerate
    assert found.t2i.recalls[1].degenerate
    assert (found.i2t.recalls[1].high, found.t2i.recalls[1].high) == (1.0, 1.0)
    assert (found.i2t.median_rank.low, found.i2t.median_rank.high) == (1.0, 1.0)


def test_one_image_has_no_interval_over_its_captions() -> None:
    joined = pairs(["1"], ["a", "b"], {"a": "1", "b": "1"})
    found = retrieval_estimates([1], [1, 2], joined, 0.95, 50, 1)
    assert found.t2i.recalls[1].low is None
    assert found.t2i.median_rank.low is None


@pytest.mark.parametrize(
    ("i2t", "t2i", "reason"),
    [
        ([1] * (N - 1), [1] * len(OWNERS), "length_mismatch"),
        ([1] * N, [1], "length_mismatch"),
        ([0] * N, [1] * len(OWNERS), "invalid_rank"),
    ],
)
def test_ranks_that_do_not_fit_are_refused(i2t: list[int], t2i: list[int], reason: str) -> None:
    with pytest.raises(StatisticsError) as caught:
        retrieval_estimates(i2t, t2i, JOINED, 0.95, 50, 1)
    assert caught.value.reason == reason
