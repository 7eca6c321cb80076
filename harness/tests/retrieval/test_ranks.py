"""Exact ranks: equal to a brute-force reference, whatever the block, the ties or the product."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from harness.errors import DataError
from harness.retrieval import ranks as module
from harness.retrieval.all_ranks import all_ranks
from harness.retrieval.pairs import relevance
from harness.retrieval.ranks import both_ranks, exact_ranks
from harness.stats.retrieval import rank_of_relevant
from harness.tests.retrieval.vectors import brute_force, generator, planted, unit, with_ties


def columns(ranks: Any) -> list[list[Any]]:
    return [x.tolist() for x in (ranks.n_above, ranks.n_tied, ranks.n_relevant, ranks.best)]


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize(("rows", "width"), [(1024, 1024), (64, 40), (37, 8)])
def test_both_directions_equal_the_brute_force(
    tied: bool, rows: int, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_ROWS", rows)
    monkeypatch.setattr(module, "_COLUMNS", width)
    images, texts, joined = planted(90, 301, 24, 2.0, "brute")
    if tied:
        images, texts = with_ties(images, texts)
    i2t, t2i = both_ranks(images, texts, joined)
    assert columns(i2t) == brute_force(images, texts, joined.i2t, 10)
    assert columns(t2i) == brute_force(texts, images, joined.t2i, 10)
    assert columns(exact_ranks(texts, images, joined.t2i)) == columns(t2i)
    assert bool(i2t.n_tied.any()) == tied
    assert i2t.n_above.dtype == np.int64


def test_scores_that_float32_cannot_order_are_ordered() -> None:
    rng = generator("near")
    base = unit(rng.standard_normal((1, 64)))
    # Steps of some 1e-8 in the score, below the rounding of a float32 product.
    candidates = base + (1e-8 * rng.standard_normal((400, 64))).astype(np.float32)
    relevant = relevance(["q"], [str(k) for k in range(400)], {"q": ["217"]})
    found = exact_ranks(base, candidates, relevant)
    assert columns(found) == brute_force(base, candidates, relevant, 10)
    assert len({float(x) for x in (candidates @ base.T)[:, 0]}) < 60


def test_many_may_be_relevant_to_many() -> None:
    rng = generator("many")
    images, texts, _ = planted(60, 200, 16, 3.0, "many")
    names = [f"t{k}" for k in range(200)]
    wanted = {
        f"i{k}": [names[at] for at in rng.choice(200, size=1 + k % 7, replace=False)]
        for k in range(60)
    }
    relevant = relevance(list(wanted), names, wanted)
    found = exact_ranks(images, texts, relevant, 5)
    assert columns(found) == brute_force(images, texts, relevant, 5)
    for ties in ("optimistic", "pessimistic"):
        every = list(all_ranks(images, texts, relevant, ties))
        assert [row[0] for row in every] == found.first(ties).tolist()
        assert [len(row) for row in every] == [len(wanted[q]) for q in wanted]
        assert all(np.all(np.diff(row) > 0) for row in every)


def test_ties_agree_with_the_statistic() -> None:
    images, texts, joined = planted(30, 120, 8, 3.0, "ties")
    images, texts = with_ties(images, texts)
    found = exact_ranks(images, texts, joined.i2t)
    for query in range(30):
        scores = (texts.astype(np.float64) * images[query].astype(np.float64)).sum(axis=1)
        one = rank_of_relevant(scores, joined.i2t.of(query).tolist())
        assert [found.first(t)[query] for t in ("pessimistic", "optimistic", "expected")] == [
            one.pessimistic,
            one.optimistic,
            one.expected,
        ]
    assert (found.first("pessimistic") > found.first("optimistic")).any()


def test_a_collapsed_encoder_ranks_first_only_optimistically(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("harness.retrieval.side._SPARE", 64)
    _, texts, joined = planted(40, 200, 8, 1.0, "collapsed")
    same = np.repeat(texts[:1], 40, axis=0)
    found = exact_ranks(np.repeat(texts[:1], 200, axis=0), same, joined.t2i)
    assert set(found.first("optimistic")) == {1}
    assert set(found.first("pessimistic")) == {40}
    assert found.best.tolist() == [list(range(10))] * 200


@pytest.mark.parametrize("error", [2.0**-9, 0.0])
def test_a_reduced_product_screens_and_does_not_decide(error: float) -> None:
    images, texts, joined = planted(50, 160, 12, 2.0, "product")
    rng = generator("error")

    def product(rows: slice, wide: slice) -> Any:
        exact = images[rows] @ texts[wide].T
        return exact + np.float32(error) * rng.uniform(-1, 1, exact.shape).astype(np.float32)

    found = both_ranks(images, texts, joined, product=product, roundoff=2.0**-11)
    assert [columns(side) for side in found] == [
        columns(side) for side in both_ranks(images, texts, joined)
    ]


def test_few_candidates_are_all_named() -> None:
    images, texts, joined = planted(3, 4, 5, 0.1, "few")
    i2t, t2i = both_ranks(images, texts, joined, 100)
    assert (i2t.best.shape, t2i.best.shape) == ((3, 4), (4, 3))
    assert sorted(i2t.best[0].tolist()) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda x: x.astype(np.float64), "float32"),
        (lambda x: x[:, 0], "shape"),
        (lambda x: x[:-1], "a vector for each of 5 images, found 4"),
        (lambda x: x * np.float32(0), "row 0; scale"),
        (lambda x: np.where(np.arange(len(x))[:, None] == 2, np.float32(np.nan), x), "in row 2"),
        (lambda x: x * np.float32(1e30), "scale"),
        (lambda x: x[:, :-1].copy(), "one dimension, found 5 and 6"),
    ],
)
def test_vectors_that_cannot_be_ranked_are_refused(change: Any, fault: str) -> None:
    images, texts, joined = planted(5, 9, 6, 1.0, "bad")
    with pytest.raises(DataError, match=fault):
        both_ranks(change(images), texts, joined)


@pytest.mark.parametrize("top", [0, 101])
def test_the_number_of_best_has_limits(top: int) -> None:
    images, texts, joined = planted(5, 9, 6, 1.0, "top")
    with pytest.raises(DataError, match="from 1 to 100"):
        both_ranks(images, texts, joined, top)


def test_other_ties_are_refused() -> None:
    images, texts, joined = planted(5, 9, 6, 1.0, "ties")
    with pytest.raises(DataError, match="'average'"):
        both_ranks(images, texts, joined)[0].first("average")
