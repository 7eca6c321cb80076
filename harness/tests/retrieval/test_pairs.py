"""Pairs are joined by id: the order of a store does not matter, and no side has a rest."""

from __future__ import annotations

from typing import Any

import pytest

from harness.errors import DataError
from harness.retrieval.pairs import pairs, relevance, rows_of
from harness.retrieval.ranks import both_ranks
from harness.tests.retrieval.vectors import generator, planted


def test_a_permuted_store_gives_the_same_pairs_and_ranks() -> None:
    images, texts, joined = planted(20, 66, 8, 1.5, "store")
    rng = generator("permutation")
    at_image, at_text = rng.permutation(20), rng.permutation(66)
    stored_images = [joined.images[k] for k in at_image]
    stored_texts = [joined.texts[k] for k in at_text]
    again = both_ranks(
        images[at_image][rows_of(joined.images, stored_images, "image")],
        texts[at_text][rows_of(joined.texts, stored_texts, "text")],
        joined,
    )
    for one, other in zip(both_ranks(images, texts, joined), again, strict=True):
        assert one.n_above.tolist() == other.n_above.tolist()
        assert one.best.tolist() == other.best.tolist()


def test_both_directions_hold_the_same_pairs() -> None:
    image_of = {"a": "2", "b": "1", "c": "2"}
    found = pairs(["1", "2"], ["a", "b", "c"], dict(reversed(image_of.items())))
    assert [found.i2t.of(k).tolist() for k in range(2)] == [[1], [0, 2]]
    assert [found.t2i.of(k).tolist() for k in range(3)] == [[1], [0], [1]]
    assert found.image_of_text == ("2", "1", "2")


@pytest.mark.parametrize(
    ("images", "texts", "image_of", "fault"),
    [
        (["1", "1"], ["a"], {"a": "1"}, "1 of the image ids stand twice: '1'"),
        (["1"], ["a", "a"], {"a": "1"}, "text ids stand twice: 'a'"),
        (["1"], ["a", "b"], {"a": "1"}, "texts have no image in the set: 'b'"),
        (["1"], ["a"], {"a": "3"}, "texts have no image in the set: 'a'"),
        (["1", "2"], ["a"], {"a": "1"}, "images have no text in the set: '2'"),
        (["1"], ["a"], {"a": "1", "z": "1"}, "are not in the set: 'z'"),
    ],
)
def test_what_does_not_pair_is_refused(images: Any, texts: Any, image_of: Any, fault: str) -> None:
    with pytest.raises(DataError, match=fault):
        pairs(images, texts, image_of)


@pytest.mark.parametrize(
    ("relevant", "fault"),
    [
        ({"q": []}, "queries have no relevant candidate: 'q'"),
        ({}, "no relevant candidate"),
        ({"q": ["x"]}, "relevant ids are no candidates: 'x'"),
        ({"q": ["a", "a"]}, "name a candidate twice: 'q'"),
        ({"q": ["a"], "r": ["b"]}, "are no queries: 'r'"),
    ],
)
def test_relevance_without_a_rest(relevant: Any, fault: str) -> None:
    with pytest.raises(DataError, match=fault):
        relevance(["q"], ["a", "b"], relevant)


def test_no_query_is_refused() -> None:
    with pytest.raises(DataError, match="at least one query"):
        relevance([], ["a"], {})


@pytest.mark.parametrize(
    ("stored", "fault"),
    [(["a"], "1 of the text ids are not in the store: 'b'"), (["a", "b", "a"], "stand twice")],
)
def test_a_store_holds_each_id_once(stored: list[str], fault: str) -> None:
    with pytest.raises(DataError, match=fault):
        rows_of(["a", "b"], stored, "text")
