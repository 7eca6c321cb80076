from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.retrieval import mean_recall_from_hits, rank_of_relevant, retrieval_metrics

RANKS = st.lists(st.integers(1, 30), min_size=1, max_size=15)
CLIP = ([2515, 3747, 4173], 5000, [7618, 13987, 16735], 25010)
SIGLIP = ([3263, 4296, 4583], 5000, [12216, 18248, 20274], 25010)


@settings(max_examples=50, deadline=None)
@given(RANKS, RANKS, st.randoms(use_true_random=False))
def test_recalls_medians_and_their_mean(i2t: list[int], t2i: list[int], random) -> None:
    ks = [1, 5, 10]
    found = retrieval_metrics(i2t, t2i, ks)
    for side, ranks in ((found.i2t, i2t), (found.t2i, t2i)):
        assert side.recalls == {k: np.mean([rank <= k for rank in ranks]) for k in ks}
        assert side.recalls[1] <= side.recalls[5] <= side.recalls[10]
        assert side.median_rank == np.median(ranks)
        assert side.n == len(ranks)
    recalls = [*found.i2t.recalls.values(), *found.t2i.recalls.values()]
    assert found.mean_recall == pytest.approx(np.mean(recalls), abs=1e-15)
    hits = [[sum(rank <= k for rank in ranks) for k in ks] for ranks in (i2t, t2i)]
    assert mean_recall_from_hits(hits[0], len(i2t), hits[1], len(t2i)) == found.mean_recall
    random.shuffle(i2t)
    assert retrieval_metrics(np.array(i2t), tuple(t2i), ks) == found
    turned = retrieval_metrics(t2i, i2t, ks[::-1])
    assert (turned.mean_recall, turned.i2t.recalls) == (found.mean_recall, found.t2i.recalls)


def test_published_means_come_from_unrounded_recalls() -> None:
    clip, siglip = mean_recall_from_hits(*CLIP), mean_recall_from_hits(*SIGLIP)
    assert (round(100 * clip, 2), round(100 * siglip, 2)) == (60.33, 74.29)
    assert round(100 * (siglip - clip), 2) == 13.95
    rounded = [round(100 * hits / n, 2) for side in (0, 2) for hits, n in
               ((hits, SIGLIP[side + 1]) for hits in SIGLIP[side])]  # fmt: skip
    assert round(sum(rounded) / 6, 2) == 74.28


@pytest.mark.parametrize(
    ("i2t", "t2i", "ks", "reason"),
    [
        ([0, 1], [1], [1], "invalid_rank"),
        ([1], [-1], [1], "invalid_rank"),
        ([1.0], [1], [1], "invalid_rank"),
        ([True], [1], [1], "invalid_rank"),
        ([None], [1], [1], "invalid_rank"),
        ([float("nan")], [1], [1], "invalid_rank"),
        (["1"], [1], [1], "invalid_rank"),
        ([], [1], [1], "missing_direction"),
        ([1], [], [1], "missing_direction"),
        (None, [1], [1], "missing_direction"),
        ([1], None, [1], "missing_direction"),
        ([1], [1], [], "invalid_k"),
        ([1], [1], [0], "invalid_k"),
        ([1], [1], [1, 1], "invalid_k"),
        ([1], [1], [1.5], "invalid_k"),
        ([1], [1], [True], "invalid_k"),
    ],
)
def test_bad_ranks(i2t: list[Any], t2i: list[Any], ks: list[Any], reason: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        retrieval_metrics(i2t, t2i, ks)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("given_hits", "reason"),
    [
        (([1], 0, [1], 2), "invalid_count"),
        (([3], 2, [1], 2), "invalid_count"),
        (([1.0], 2, [1], 2), "invalid_count"),
        (([1], 2, [-1], 2), "invalid_count"),
        (([0], 0, [1], 2), "missing_direction"),
        (([1], 2, [], 2), "missing_direction"),
        (([1, 2], 2, [1], 2), "length_mismatch"),
    ],
)
def test_bad_hits(given_hits: tuple[Any, ...], reason: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        mean_recall_from_hits(*given_hits)
    assert refused.value.reason == reason


SCORES = st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=1, max_size=6)


@settings(max_examples=40, deadline=None)
@given(
    SCORES.flatmap(
        lambda s: st.tuples(st.just(s), st.sets(st.sampled_from(range(len(s))), min_size=1))
    )
)
def test_rank_over_all_orders_of_the_tied(case: tuple[list[float], set[int]]) -> None:
    scores, relevant = case
    ranks = []
    for order in permutations(range(len(scores))):
        if all(scores[a] >= scores[b] for a, b in pairwise(order)):
            ranks.append(1 + min(order.index(item) for item in relevant))
    found = rank_of_relevant(scores, sorted(relevant))
    assert (found.optimistic, found.pessimistic) == (min(ranks), max(ranks))
    assert found.expected == pytest.approx(np.mean(ranks), abs=1e-12)
    assert rank_of_relevant([2 * s for s in scores], sorted(relevant)) == found
    assert rank_of_relevant(np.array(scores, np.float32), sorted(relevant)) == found


def test_constant_scores_rank_last_and_not_first() -> None:
    found = rank_of_relevant([0.9] * 1000, [0])
    assert (found.pessimistic, found.optimistic, found.expected) == (1000, 1, 500.5)
    assert rank_of_relevant([0.0], [0]).expected == 1.0
    assert rank_of_relevant([3, 2**60, 2**60 + 1], [1]).optimistic == 2


@pytest.mark.parametrize(
    ("scores", "relevant", "reason"),
    [
        ([0.1, float("nan")], [0], "nan_value"),
        ([0.1, None], [0], "nan_value"),
        ([0.1, float("inf")], [0], "nan_value"),
        ([[0.1, 0.2]], [0], "nan_value"),
        ([0.1], [], "missing_relevant"),
        ([], [], "missing_relevant"),
        ([0.1], [1], "invalid_index"),
        ([0.1], [-1], "invalid_index"),
        ([0.1], [0.0], "invalid_index"),
        ([0.1], [False], "invalid_index"),
        ([0.1, 0.2], [1, 1], "duplicate_id"),
    ],
)
def test_bad_scores(scores: Any, relevant: list[Any], reason: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        rank_of_relevant(scores, relevant)
    assert refused.value.reason == reason
