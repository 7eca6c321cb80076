"""Replayed predictions belong to the data set, row by row."""

from __future__ import annotations

import pytest

from harness.errors import ModelError
from harness.models.replay import Replay
from harness.tests.models.asked import DECODING, choice, dataset, request

DATA = dataset([choice(i) for i in range(4)])
TEXTS = {f"e{i}": f"answer {i}" for i in range(4)}


def test_each_example_gets_its_own_row_in_any_order() -> None:
    replay = Replay(TEXTS, DATA)
    requests = [request(choice(i)) for i in (2, 0, 3)]
    assert [r.text for r in replay.generate(requests, DECODING)] == [
        "answer 2", "answer 0", "answer 3"
    ]  # fmt: skip
    replay.close()


def test_missing_rows_are_always_an_error() -> None:
    for allow_extra in (False, True):
        with pytest.raises(ModelError, match="2 of 4 examples have no row: e1, e2"):
            Replay({"e0": "", "e3": ""}, DATA, allow_extra=allow_extra)


def test_foreign_rows_are_an_error_unless_allowed() -> None:
    extra = {**TEXTS, **{f"x{i}": "" for i in range(7)}}
    with pytest.raises(ModelError, match="7 of 11 rows belong to no example: x0, x1, .*x4, …"):
        Replay(extra, DATA)
    replay = Replay(extra, DATA, allow_extra=True)
    assert replay.generate([request(choice(1))], DECODING)[0].text == "answer 1"


def test_a_second_replicate_is_refused() -> None:
    with pytest.raises(ModelError, match="replicate 1 of example 'e0'"):
        Replay(TEXTS, DATA).generate([request(choice(0), replicate=1)], DECODING)
