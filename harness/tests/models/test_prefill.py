"""One pass over a prompt for all its samples: fewer prompts are read, and no text changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
import torch
from PIL import Image

from harness.models import hf, turn
from harness.models.hf import HFGenerator, open_hf
from harness.models.prefill import SHARING, distinct
from harness.models.sampling import SeededDraws
from harness.tests.models import tiny_qwen
from harness.tests.models.tiny import GREEDY, SAMPLED, request
from harness.types import Decoding, ModelSpec, Reply, Request

N_SAMPLES = 8
PENALISED = replace(SAMPLED, repetition_penalty=1.3)
DECODINGS = {"greedy": GREEDY, "sampled": SAMPLED, "penalised": PENALISED}


@pytest.fixture(scope="module", params=SHARING)
def model(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[HFGenerator]:
    if request.param == "qwen2_5_vl":
        generator = tiny_qwen.opened(
            tiny_qwen.spec(tiny_qwen.save_qwen(tmp_path_factory.mktemp("q")))
        )
    else:
        path = str(request.getfixturevalue(request.param))
        spec = ModelSpec(name=request.param, source={"kind": "local", "path": path})
        generator = open_hf(spec, "cpu", 1)
    with closing(generator):
        assert generator._model.config.model_type == request.param
        yield generator


def samples(indices: Sequence[int], n_images: int = 1) -> list[Request]:
    """Eight requests a question, as a cell with eight replicates asks."""
    return [
        replace(request(i, n_images=n_images), replicate=r, seed=1000 * i + r)
        for i in indices
        for r in range(N_SAMPLES)
    ]


def unshared(model: HFGenerator, asked: Sequence[Request], decoding: Decoding) -> list[Reply]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hf, "can_share", lambda _: False)
        return model.generate(asked, decoding)


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many prompts each call encodes."""
    counts: list[int] = []
    encode = turn.encode

    def counted(processor: Any, requests: Sequence[Request], side: int | None) -> Any:
        counts.append(len(requests))
        return encode(processor, requests, side)

    monkeypatch.setattr(hf, "encode", counted)
    return counts


@pytest.mark.parametrize("name", DECODINGS)
def test_texts_are_those_without_sharing(model: HFGenerator, name: str, read: list[int]) -> None:
    asked = samples([0, 1, 4])
    shared = model.generate(asked, DECODINGS[name])
    assert read == [3]
    assert shared == unshared(model, asked, DECODINGS[name])
    assert read == [3, 24]
    alone = [model.generate([r], DECODINGS[name])[0] for r in asked[::9]]
    assert shared[::9] == alone
    # Rows that end with their first token are not continued; others go on.
    lengths = {r.n_tokens for r in shared}
    assert len(lengths) > 1
    if name == "sampled":
        assert 1 in lengths and len({r.text for r in shared}) > 12


def test_rows_of_one_prompt_need_not_stand_together(model: HFGenerator, read: list[int]) -> None:
    asked = samples([1, 2])[::-3] + samples([3], n_images=0)[:3] + samples([6], n_images=3)[:3]
    shared = model.generate(asked, SAMPLED)
    assert sorted(read) == [1, 1, 2]
    assert shared == unshared(model, asked, SAMPLED)


@pytest.mark.parametrize("budget", [1, 2])
def test_the_budget_counts_the_first_token(model: HFGenerator, budget: int) -> None:
    decoding = replace(SAMPLED, max_new_tokens=budget)
    asked = samples([1, 2])
    replies = model.generate(asked, decoding)
    assert replies == unshared(model, asked, decoding)
    assert max(r.n_tokens or 0 for r in replies) == budget


def test_a_prompt_that_does_not_fit_fails_in_all_its_rows(model: HFGenerator) -> None:
    model_positions = model._n_positions or 0
    long = [replace(r, prompt="x" * model_positions) for r in samples([7])[:2]]
    asked = [*long, *samples([1])[:2]]
    replies = model.generate(asked, SAMPLED)
    assert [r.status == "error" for r in replies] == [True, True, False, False]
    assert replies[2:] == unshared(model, asked[2:], SAMPLED)


def test_another_model_type_is_asked_row_by_row(
    model: HFGenerator, read: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.models.prefill.SHARING", ())
    model.generate(samples([1]), SAMPLED)
    assert read == [8]


def test_what_is_told_apart() -> None:
    base = request(1)
    black, white = (Image.new("RGB", (4, 2), colour) for colour in ("black", "white"))
    asked = [
        replace(base, images=(black,)),
        replace(base, images=(white,)),
        replace(base, images=(black.copy(),), seed=3, replicate=1),
        replace(base, images=(Image.new("RGB", (2, 4)),)),
        replace(base, images=(black, white)),
        replace(base, images=(white, black)),
        replace(base, images=(white,), prompt=base.prompt + " "),
        replace(base, images=()),
    ]
    shown, places = distinct(asked)
    assert places == [0, 1, 0, 2, 3, 4, 5, 6]
    assert [asked.index(s) for s in shown] == [0, 1, 3, 4, 5, 6, 7]
    assert distinct([]) == ([], [])


def test_kept_rows_go_on_with_their_own_generators() -> None:
    rows = torch.zeros(3, 6)
    whole, cut = (SeededDraws([1, 2, 3], SAMPLED) for _ in range(2))
    assert torch.equal(whole(rows, rows), cut(rows, rows))
    cut.keep([2, 0])
    for _ in range(4):
        assert torch.equal(whole(rows, rows)[[2, 0]], cut(rows[:2], rows[:2]))
