"""Prediction rows: written, read back in any order, and refused unless they cover exactly."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from harness.errors import DataError
from harness.retrieval.pairs import pairs
from harness.retrieval.ranks import both_ranks
from harness.retrieval.rows import MISSING_RANK, found_ranks, rank_rows, rows_text
from harness.tests.retrieval.vectors import generator, planted, with_ties

JOINED = pairs(["10", "20"], ["100", "101", "200"], {"100": "10", "101": "10", "200": "20"})


def compact() -> list[dict[str, Any]]:
    return [
        {"image_id": "10", "ranked_text_ids": ["200", "101"], "relevant_text_rank": 2},
        {"image_id": 20, "ranked_text_ids": ["100"], "relevant_text_rank": 3},
        {"text_id": "100", "ranked_image_ids": ["10", "20"], "relevant_image_rank": 1},
        {"text_id": 101, "ranked_image_ids": [20, 10], "relevant_image_rank": 2},
        {"text_id": "200", "ranked_image_ids": [], "relevant_image_rank": 1},
    ]


def rankings() -> list[dict[str, Any]]:
    return [{k: v for k, v in row.items() if not k.startswith("rel")} for row in compact()]


@pytest.mark.parametrize("ties", ["optimistic", "pessimistic"])
def test_rows_written_are_read_back_in_any_order(ties: str) -> None:
    images, texts, joined = planted(15, 50, 8, 2.0, "rows")
    i2t, t2i = both_ranks(*with_ties(images, texts), joined)
    rows = list(rank_rows(i2t, t2i, joined, ties))
    text = rows_text(rows)
    assert text == rows_text(json.loads(line) for line in text.splitlines())
    shuffled = [rows[k] for k in generator("rows").permutation(len(rows))]
    found = found_ranks(shuffled, joined)
    assert found.i2t == tuple(i2t.first(ties).tolist())
    assert found.t2i == tuple(t2i.first(ties).tolist())
    assert found.compact
    assert found.n_unlike > 0  # the ties
    assert all(type(rank) is int for rank in found.i2t)


def test_without_ties_every_list_agrees_with_its_rank() -> None:
    images, texts, joined = planted(15, 50, 8, 2.0, "rows")
    found = found_ranks(
        list(rank_rows(*both_ranks(images, texts, joined), joined, "optimistic")), joined
    )
    assert found.n_unlike == 0


def test_compact_rows_state_their_ranks() -> None:
    found = found_ranks(compact(), JOINED)
    assert (found.i2t, found.t2i, found.compact) == ((2, 3), (1, 2, 1), True)
    assert found.n_unlike == 0


def test_a_rank_unlike_its_list_is_counted() -> None:
    rows = compact()
    rows[0]["relevant_text_rank"] = 1
    assert found_ranks(rows, JOINED).n_unlike == 1
    rows[1]["relevant_text_rank"] = 1
    assert found_ranks(rows, JOINED).n_unlike == 2


def test_a_ranking_without_the_relevant_item_has_the_published_rank() -> None:
    found = found_ranks(rankings(), JOINED)
    assert found.i2t == (2, MISSING_RANK)
    assert found.t2i == (1, 2, MISSING_RANK)
    assert MISSING_RANK == 1_000_000
    assert (found.compact, found.n_missing) == (False, 2)


def changed(place: int, **fields: Any) -> Callable[[list[dict[str, Any]]], Any]:
    return lambda rows: rows[place].update(fields)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda rows: rows[3].pop("relevant_image_rank"), "all 5 rows or in none, found it in 4"),
        (lambda rows: rows.pop(), "row for each text_id, found none for 1 of 3, such as '200'"),
        (lambda rows: rows.pop(0), "row for each image_id, found none for 1 of 2"),
        (lambda rows: rows.append(dict(rows[0])), "row 6: image_id '10' has a row already"),
        (changed(0, image_id="30"), "row 1: expected a known image_id, found '30'"),
        (changed(0, image_id=True), "row 1: expected a known image_id, found True"),
        (changed(0, text_id="100"), "row 1: expected image_id or text_id, found 2"),
        (lambda rows: rows[0].pop("image_id"), "row 1: expected image_id or text_id, found 0"),
        (changed(0, ranked_text_ids=["100", "x"]), r"1 id\(s\) are not in the set, such as 'x'"),
        (changed(0, ranked_text_ids=["100", 100]), "expected different ids"),
        (changed(0, ranked_text_ids="100"), "expected a list as ranked_text_ids, found str"),
        (changed(0, relevant_text_rank=0), "integer from 1 as relevant_text_rank, found 0"),
        (changed(0, relevant_text_rank=1.0), "integer from 1 as relevant_text_rank, found 1.0"),
        (changed(0, relevant_text_rank=None), "integer from 1"),
    ],
)
def test_rows_that_do_not_cover_exactly_are_refused(change: Any, fault: str) -> None:
    rows = compact()
    change(rows)
    with pytest.raises(DataError, match=fault):
        found_ranks(rows, JOINED)


def test_an_expected_rank_is_no_row() -> None:
    images, texts, joined = planted(3, 4, 5, 1.0, "expected")
    with pytest.raises(DataError, match="optimistic or pessimistic"):
        list(rank_rows(*both_ranks(images, texts, joined), joined, "expected"))
