"""Cells that share a model share nothing else: no batch, no decoding, no answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from harness.run import run_cell
from harness.tests.run.stand_ins import Bench, Stub, cell, dataset
from harness.types import CellResult, Dataset, Decoding, Reply, Request

SHORT, LONG = (Decoding(max_new_tokens=n, batch_sizes=(4, 1)) for n in (2, 30))


@dataclass
class Listener(Stub):
    """Keeps what came with every call, and answers by example and budget."""

    heard: list[tuple[list[str], int]] = field(default_factory=list)

    def generate(self, requests: Sequence[Request], decoding: Decoding) -> list[Reply]:
        self.heard.append(([r.example.id for r in requests], decoding.max_new_tokens))
        return [Reply(text=f"{r.example.id} {decoding.max_new_tokens}") for r in requests]


def named(prefix: str, n: int) -> Dataset:
    data = dataset(n)
    examples = tuple(replace(e, id=prefix + e.id) for e in data.examples)
    return replace(data, name=prefix, examples=examples, fingerprint=prefix)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, dataset(7), Listener())


def heard(bench: Bench) -> list[tuple[list[str], int]]:
    assert isinstance(bench.model, Listener)
    return bench.model.heard


def texts(result: CellResult) -> list[str | None]:
    return [r.text for r in result.responses]


def test_a_batch_holds_one_data_set(bench: Bench) -> None:
    """AT-48."""
    sets = {"a": named("a", 5), "b": named("b", 7)}
    context = bench.context(dataset=sets.__getitem__)
    results = [run_cell(cell(data=name, decoding=SHORT), context) for name in ("a", "b", "a")]
    assert [len({i[0] for i in ids}) for ids, _ in heard(bench)] == [1] * 4
    for name, result in zip("aba", results, strict=True):
        assert texts(result) == [f"{e.id} 2" for e in sets[name].examples]


def test_each_cell_is_asked_with_its_own_decoding(bench: Bench) -> None:
    """AT-51: every call carries the settings of its cell, in whatever order cells come."""
    for decoding in (SHORT, LONG):
        result = run_cell(cell(decoding=decoding), bench.context())
        assert texts(result) == [f"q{i:03d} {decoding.max_new_tokens}" for i in range(7)]
    assert [budget for _, budget in heard(bench)] == [2, 2, 30, 30]


def test_odd_shards_of_two_decodings_keep_answers_with_their_examples(bench: Bench) -> None:
    """AT-60, AT-67, AT-68: 7 examples over 2 workers, two settings in turn: 7 rows each."""
    parts: dict[int, list[str]] = {2: [], 30: []}
    for index in (0, 1):
        for decoding in (SHORT, LONG):
            part = run_cell(cell(decoding=decoding, shard=(index, 2)), bench.context())
            parts[decoding.max_new_tokens] += part.example_ids
    assert [sorted(ids) for ids in parts.values()] == [[f"q{i:03d}" for i in range(7)]] * 2
    for decoding in (SHORT, LONG):
        result = run_cell(cell(decoding=decoding), bench.context(allow_generate=False))
        assert texts(result) == [f"q{i:03d} {decoding.max_new_tokens}" for i in range(7)]
    asked = [(i, budget) for ids, budget in heard(bench) for i in ids]
    assert len(asked) == len(set(asked)) == 14
