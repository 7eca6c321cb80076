from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.checks import StatisticsError
from harness.stats.multi_positive import first_ranks, multi_positive_recall, relevant_ranks
from harness.stats.retrieval import rank_of_relevant

CASE = st.lists(st.sampled_from([0.1, 0.5, 0.9]), min_size=1, max_size=8).flatmap(
    lambda scores: st.tuples(
        st.just(scores), st.sets(st.sampled_from(range(len(scores))), min_size=1).map(sorted)
    )
)


@pytest.mark.parametrize(("ties", "last"), [("pessimistic", True), ("optimistic", False)])
@settings(max_examples=50, deadline=None)
@given(case=CASE)
def test_ranks_are_places_in_the_sorted_list(
    ties: str, last: bool, case: tuple[list[float], list[int]]
) -> None:
    scores, relevant = case
    order = sorted(range(len(scores)), key=lambda i: (-scores[i], (i in relevant) == last))
    expected = [place for place, item in enumerate(order, start=1) if item in relevant]
    found = relevant_ranks(scores, relevant, ties)
    assert found.tolist() == expected
    assert found.dtype == np.int64
    assert found[0] == getattr(rank_of_relevant(scores, relevant), ties)
    assert first_ranks([scores], [relevant], ties).tolist() == [found[0]]
    whole = relevant_ranks(scores, list(range(len(scores))), ties)
    assert whole.tolist() == list(range(1, len(scores) + 1))


def test_rows_may_come_one_after_another() -> None:
    matrix = np.random.Generator(np.random.PCG64(2)).random((30, 40), dtype=np.float32)
    relevant = [[i, 39 - i] for i in range(20)] + [[i] for i in range(10)]
    found = first_ranks(matrix, relevant, "pessimistic")
    assert found.tolist() == first_ranks(iter(matrix), relevant, "optimistic").tolist()
    places = np.argsort(np.argsort(-matrix, axis=1), axis=1)
    assert found.tolist() == [1 + min(places[i, own]) for i, own in enumerate(relevant)]
    assert first_ranks([], [], "optimistic").shape == (0,)


RANKS = st.lists(st.sets(st.integers(1, 12), min_size=1, max_size=4).map(list), max_size=6)


@settings(max_examples=50, deadline=None)
@given(RANKS, st.randoms(use_true_random=False))
def test_recall_over_several_relevant_items(ranks: list[list[int]], random) -> None:
    ks = [1, 3, 10, 12]
    found = multi_positive_recall(ranks, ks)
    assert found.n == len(ranks)
    if not ranks:
        assert set(found.recalls.values()) == set(found.any_hit.values()) == {None}
        return
    for k in ks:
        assert found.recalls[k] == pytest.approx(
            np.mean([np.mean(np.array(r) <= k) for r in ranks])
        )
        assert found.any_hit[k] == np.mean([min(r) <= k for r in ranks])
        assert found.recalls[k] <= found.any_hit[k]
    assert list(found.recalls.values()) == sorted(found.recalls.values())
    assert found.recalls[12] == found.any_hit[12] == 1.0
    random.shuffle(ranks)
    for own in ranks:
        random.shuffle(own)
    assert multi_positive_recall(ranks, ks) == found
    single = multi_positive_recall([[min(own)] for own in ranks], ks)
    assert single.recalls == single.any_hit == found.any_hit


@pytest.mark.parametrize(
    ("ranks", "ks", "reason"),
    [
        ([[0]], [1], "invalid_rank"),
        ([[1.0]], [1], "invalid_rank"),
        ([[1], [2, 2]], [1], "duplicate_rank"),
        ([[1], []], [1], "missing_relevant"),
        ([[1]], [], "invalid_k"),
        ([[1]], [0], "invalid_k"),
    ],
)
def test_bad_ranks(ranks: list[list[Any]], ks: list[int], reason: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        multi_positive_recall(ranks, ks)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("rows", "relevant", "ties", "reason"),
    [
        ([[0.1]], [[0], [0]], "pessimistic", "length_mismatch"),
        ([[0.1], [0.1]], [[0]], "pessimistic", "length_mismatch"),
        ([[float("nan")]], [[0]], "pessimistic", "nan_value"),
        ([[0.1]], [[]], "pessimistic", "missing_relevant"),
        ([[0.1]], [[1]], "pessimistic", "invalid_index"),
        ([[0.1]], [[0]], "expected", "unknown_variant"),
    ],
)
def test_bad_rows(rows: list[Any], relevant: list[Any], ties: str, reason: str) -> None:
    with pytest.raises(StatisticsError) as refused:
        first_ranks(rows, relevant, ties)
    assert refused.value.reason == reason
    if len(rows) == len(relevant):
        with pytest.raises(StatisticsError) as refused:
            relevant_ranks(rows[0], relevant[0], ties)
        assert refused.value.reason == reason
