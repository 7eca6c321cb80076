"""Opening a model by its source, and keeping one open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.errors import ModelError
from harness.models.base import Generator
from harness.models.load import ModelPool, open_model
from harness.tests.models.asked import DECODING, choice, dataset, request
from harness.types import Decoding, Example, ModelSpec, Reply, Request

DATA = dataset([choice(i) for i in range(3)])
OTHER = dataset([choice(i) for i in range(4)])
GOLD = ModelSpec(name="gold", source={"kind": "fake", "behaviour": "gold"})
MAJORITY = ModelSpec(name="m", source={"kind": "baseline", "name": "majority", "fit": "train"})


def first(model: Generator) -> str | None:
    return model.generate([request(choice(0))], DECODING)[0].text


def test_each_kind_is_opened(spec: ModelSpec, tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(
        "".join(f'{{"s": 1, "id": "e{i}", "prediction": "P{i}"}}\n' for i in range(3))
        + '{"s": 2, "id": "e0", "prediction": "other"}\n'
    )
    entry = {"path": str(tmp_path / "p.jsonl"), "where": {"s": 1}}
    replay = ModelSpec(name="r", source={"kind": "replay", "predictions": {"toy": entry}})
    random = ModelSpec(name="b", source={"kind": "baseline", "name": "random"})
    assert first(open_model(GOLD, DATA, "cpu", 1)) == "<answer>B</answer>"
    assert first(open_model(replay, DATA, "cpu", 1)) == "P0"
    assert first(open_model(random, DATA, "cpu", 1)) in choice(0).choices
    assert first(open_model(MAJORITY, DATA, "cpu", 1, lambda: [choice(9)])) == "green"
    model = open_model(spec, DATA, "cpu", 1)
    assert len(model.generate([request(choice(0))], Decoding(max_new_tokens=2))) == 1
    model.close()


def test_foreign_rows_go_by_the_source(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(
        "".join(f'{{"id": "e{i}", "prediction": "P"}}\n' for i in range(4))
    )
    source = {"kind": "replay", "predictions": {"toy": {"path": str(tmp_path / "p.jsonl")}}}
    with pytest.raises(ModelError, match="1 of 4 rows belong to no example: e3"):
        open_model(ModelSpec(name="r", source=source), DATA, "cpu", 1)
    allowed = ModelSpec(name="r", source={**source, "allow_extra": True})
    assert first(open_model(allowed, DATA, "cpu", 1)) == "P"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (replace(GOLD, source={"kind": "cloud"}), "expected source.kind .* found 'cloud'"),
        (replace(GOLD, family="dual"), "expected family generative or reward, found 'dual'"),
        (
            replace(GOLD, source={"kind": "baseline", "name": "oracle"}),
            "expected source.name to be majority or random, found 'oracle'",
        ),
        (MAJORITY, "needs the examples of split 'train' of data set 'toy', and none were given"),
        (
            replace(MAJORITY, source={**MAJORITY.source, "fit": "test"}),
            "source.fit is 'test', the split that is evaluated",
        ),
    ],
)
def test_what_cannot_be_opened_says_why(spec: ModelSpec, message: str) -> None:
    with pytest.raises(ModelError, match=f"model .*: .*{message}"):
        open_model(spec, DATA, "cpu", 1)


class Recorded:
    """A generator that says when it is opened and closed."""

    def __init__(self, name: str, events: list[str]) -> None:
        self.name, self.events = name, events
        events.append(f"open {name}")

    def generate(self, requests: Sequence[Request], decoding: Decoding) -> list[Reply]:
        return []

    def close(self) -> None:
        self.events.append(f"close {self.name}")


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []

    def opened(spec: ModelSpec, *_: Any) -> Generator:
        return Recorded(spec.name, seen)

    monkeypatch.setattr("harness.models.load.open_model", opened)
    return seen


def test_the_pool_closes_the_old_model_before_it_opens_the_new(events: list[str]) -> None:
    local = ModelSpec(name="l", source={"kind": "local", "path": "x"})
    with ModelPool() as pool:
        one = pool.get(GOLD, DATA, "cpu", 1)
        assert pool.get(GOLD, DATA, "cpu", 1) is one
        pool.get(local, DATA, "cpu", 1)
        pool.get(local, OTHER, "cpu", 1)
    assert events == ["open gold", "close gold", "open l", "close l"]


@pytest.mark.parametrize(
    "change",
    [
        {"spec": replace(GOLD, source={**GOLD.source, "accuracy": 0.5})},
        {"spec": replace(GOLD, dtype="bfloat16")},
        {"dataset": OTHER},
        {"device": "cuda:0"},
        {"n_threads": 2},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_pool_reopens_whatever_differs(events: list[str], change: dict[str, Any]) -> None:
    asked: dict[str, Any] = {"spec": GOLD, "dataset": DATA, "device": "cpu", "n_threads": 1}
    pool = ModelPool()
    pool.get(**asked)
    pool.get(**(asked | change))
    pool.close()
    pool.close()
    assert events == ["open gold", "close gold"] * 2


def test_a_model_that_failed_to_open_is_not_kept() -> None:
    bad = ModelSpec(name="bad", source={"kind": "cloud"})
    pool = ModelPool()
    for _ in range(2):
        with pytest.raises(ModelError):
            pool.get(bad, DATA, "cpu", 1)
    assert first(pool.get(GOLD, DATA, "cpu", 1)) == "<answer>B</answer>"
    fit: list[Example] = []
    with pytest.raises(ModelError, match="3 of 3 examples"):
        pool.get(MAJORITY, DATA, "cpu", 1, lambda: fit)
