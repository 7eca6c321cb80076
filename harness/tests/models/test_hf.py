"""Generation: the text depends on the request and the decoding, and on nothing else."""

from __future__ import annotations

import os
import random
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from harness.models.base import OutOfMemory
from harness.models.hf import HFGenerator, open_hf, peak_memory_gib, watch_memory
from harness.models.turn import encode, shrink
from harness.tests.models.tiny import GREEDY, SAMPLED, SPECIAL, picture, request
from harness.types import Decoding, ModelSpec

REQUESTS = [request(i) for i in range(16)]


@pytest.fixture(scope="module", params=["idefics3", "llava"])
def model(request: pytest.FixtureRequest) -> Iterator[HFGenerator]:
    folder: Path = request.getfixturevalue(request.param)
    source = {"kind": "local", "path": str(folder)}
    generator = open_hf(ModelSpec(name="tiny", source=source), "cpu", 1)
    yield generator
    generator.close()


@pytest.fixture
def one(idefics3: Path) -> Iterator[HFGenerator]:
    source = {"kind": "local", "path": str(idefics3)}
    generator = open_hf(ModelSpec(name="tiny", source=source), "cpu", 1)
    yield generator
    generator.close()


def singly(model: HFGenerator, requests: list[Any], decoding: Decoding) -> list[Any]:
    return [model.generate([r], decoding)[0] for r in requests]


def test_batch_of_eight_equals_single_requests(model: HFGenerator) -> None:
    """AT-46, AT-47, AT-49: prompts of 1 to 31 words, left padding."""
    lengths = {len(model.prompt_token_ids(r)) for r in REQUESTS}
    assert max(lengths) > 3 * min(lengths)
    alone = singly(model, REQUESTS, GREEDY)
    batched = [*model.generate(REQUESTS[:8], GREEDY), *model.generate(REQUESTS[8:], GREEDY)]
    assert batched == alone
    assert len({r.text for r in alone}) > 8


def test_each_answer_belongs_to_its_own_image(model: HFGenerator) -> None:
    """AT-44: one prompt, many pictures."""
    requests = [replace(REQUESTS[0], images=(picture(i),)) for i in range(8)]
    batched = model.generate(requests, GREEDY)
    assert batched == singly(model, requests, GREEDY)
    assert model.generate(requests[::-1], GREEDY) == batched[::-1]
    assert len({r.text for r in batched}) > 2


def test_mixed_numbers_of_images_keep_their_order(model: HFGenerator) -> None:
    requests = [request(i, n_images=i % 3) for i in range(9)]
    assert model.generate(requests, GREEDY) == singly(model, requests, GREEDY)


def test_the_order_of_images_matters(model: HFGenerator) -> None:
    pairs = [replace(REQUESTS[0], images=(picture(i), picture(i + 1))) for i in range(4)]
    swapped = [replace(r, images=r.images[::-1]) for r in pairs]
    assert model.generate(pairs, GREEDY) != model.generate(swapped, GREEDY)


def test_a_text_only_request_has_no_image_part(one: HFGenerator) -> None:
    """AT-84."""
    plain = request(1, n_images=0)
    inputs = encode(one._processor, [plain], None)
    assert set(inputs) == {"input_ids", "attention_mask"}
    image = one._processor.image_token_id
    assert image not in one.prompt_token_ids(plain)
    assert one.prompt_token_ids(request(1, n_images=2)).count(image) == 8
    assert one.generate([plain], GREEDY)[0].text is not None


def test_final_token_ids(one: HFGenerator) -> None:
    """AT-98: the images, then the text, in one user turn; the answer is the model's to start."""
    ids = one.prompt_token_ids(request(3, words=2))
    special = {name: 256 + i for i, name in enumerate(SPECIAL)}
    assert set(special.values()) & set(ids) == {257, 258, 259, 260, 261}
    assert ids == [
        257, 84, 82, 68, 81, 198,
        259, 260, 261, 261, 261, 261, 259,
        86, 18, 15, 220, 86, 18, 16,
        258, 198,
        257, 64, 82, 82, 72, 82, 83, 64, 77, 83, 198,
    ]  # fmt: skip


def test_each_call_has_its_own_decoding(model: HFGenerator) -> None:
    """AT-51: the budget of one call does not stay for the next."""
    short, long = Decoding(max_new_tokens=2), Decoding(max_new_tokens=30)
    before, full, after = (model.generate(REQUESTS, d) for d in (short, long, short))
    assert before == after
    for cut, whole in zip(before, full, strict=True):
        assert cut.n_tokens is not None and whole.n_tokens is not None
        assert cut.n_tokens == min(2, whole.n_tokens)
        assert (cut.status == "truncated") == (whole.n_tokens > 2)
    assert {r.status for r in before} == {"ok", "truncated"}


def test_threads_change_no_answer_and_are_restored(spec: ModelSpec) -> None:
    found = torch.get_num_threads()
    replies = []
    for n_threads in (1, 2):
        generator = open_hf(spec, "cpu", n_threads)
        assert torch.get_num_threads() == n_threads
        replies.append(generator.generate(REQUESTS[:4], GREEDY))
        generator.close()
        generator.close()
        assert torch.get_num_threads() == found
    assert replies[0] == replies[1]


def test_sampled_text_depends_on_the_seed_alone(model: HFGenerator) -> None:
    batched = model.generate(REQUESTS, SAMPLED)
    assert batched == singly(model, REQUESTS, SAMPLED)
    assert batched != model.generate([replace(r, seed=r.seed + 1) for r in REQUESTS], SAMPLED)
    assert batched != model.generate(REQUESTS, GREEDY)


def test_a_repetition_penalty_does_not_see_the_padding(one: HFGenerator) -> None:
    """Padding with a token that these rows like to write must not make it dearer."""
    decoding = replace(GREEDY, repetition_penalty=1.5)
    one._processor.tokenizer.pad_token = "í"
    one._model.generation_config.pad_token_id = one._processor.tokenizer.pad_token_id
    expected = singly(one, REQUESTS[:8], decoding)
    assert one.generate(REQUESTS[:8], decoding) == expected
    assert one.generate(REQUESTS[:8], GREEDY) != expected


@pytest.mark.parametrize("decoding", [GREEDY, SAMPLED], ids=["greedy", "sampled"])
def test_random_state_and_environment_are_left_as_found(
    spec: ModelSpec, decoding: Decoding
) -> None:
    """AT-78."""

    def state() -> tuple[Any, ...]:
        return (
            random.getstate(),
            str(np.random.get_state()),
            torch.get_rng_state().tolist(),
            dict(os.environ),
            torch.is_grad_enabled(),
        )

    before = state()
    generator = open_hf(spec, "cpu", 1)
    generator.generate(REQUESTS[:4], decoding)
    generator.close()
    assert state() == before


def test_a_prompt_that_does_not_fit_is_an_error_of_its_row(model: HFGenerator) -> None:
    """AT-99: never cut, and the other rows answer as they would alone."""
    requests = [REQUESTS[0], request(1, words=100), REQUESTS[2]]
    first, long, last = model.generate(requests, GREEDY)
    assert long.status == "error" and long.text is None
    assert long.error is not None and long.error.startswith("truncated_input: the prompt has ")
    assert [first, last] == singly(model, [REQUESTS[0], REQUESTS[2]], GREEDY)
    tight = Decoding(max_new_tokens=256 - len(model.prompt_token_ids(REQUESTS[0])))
    assert model.generate([REQUESTS[0]], tight)[0].status == "ok"
    over = replace(tight, max_new_tokens=tight.max_new_tokens + 1)
    assert model.generate([REQUESTS[0]], over)[0].status == "error"


def test_a_tokenizer_set_to_cut_does_not_cut(one: HFGenerator) -> None:
    whole = one.prompt_token_ids(REQUESTS[4])
    one._processor.tokenizer.model_max_length = 16
    one._processor.tokenizer.backend_tokenizer.enable_truncation(max_length=16)
    assert one.prompt_token_ids(REQUESTS[4]) == whole
    assert len(whole) > 16


def test_the_models_own_marker_in_a_prompt_is_an_error_of_its_row(model: HFGenerator) -> None:
    marked = replace(REQUESTS[1], prompt="What is in <image> here?")
    reply, other = model.generate([marked, REQUESTS[0]], GREEDY)
    assert reply.status == "error"
    assert reply.error == "prompt_placeholder: the prompt holds the model's own marker '<image>'"
    assert other == model.generate([REQUESTS[0]], GREEDY)[0]


def test_images_are_scaled_down_before_the_processor(idefics3: Path) -> None:
    big = replace(REQUESTS[0], images=(picture(3, (90, 60)),))
    source = {"kind": "local", "path": str(idefics3)}
    generator = open_hf(ModelSpec(name="t", source=source, max_image_side_px=30), "cpu", 1)
    small = encode(generator._processor, [big], 30)["pixel_values"]
    by_hand = replace(big, images=(shrink(big.images[0], 30),))
    assert by_hand.images[0].size == (30, 20)
    assert torch.equal(small, encode(generator._processor, [by_hand], None)["pixel_values"])
    assert not torch.equal(small, encode(generator._processor, [big], None)["pixel_values"])
    assert generator.generate([big], GREEDY) == generator.generate([by_hand], GREEDY)
    generator.close()


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (
            torch.OutOfMemoryError,
            "CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has 1 B free",
            "out of memory in a batch of 2 (tried to allocate 2.50 GiB)",
        ),
        (
            RuntimeError,
            "DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes.",
            "out of memory in a batch of 2 (tried to allocate 9 bytes)",
        ),
        (RuntimeError, "CUDA error: out of memory", "out of memory in a batch of 2"),
        (MemoryError, "", "out of memory in a batch of 2"),
    ],
)
def test_out_of_memory_is_announced_with_nothing_kept(
    one: HFGenerator,
    monkeypatch: pytest.MonkeyPatch,
    kind: type[Exception],
    text: str,
    message: str,
) -> None:
    held: list[weakref.ref[torch.Tensor]] = []

    def generate(**_: Any) -> Any:
        large = torch.zeros(8)
        held.append(weakref.ref(large))
        raise kind(text)

    monkeypatch.setattr(one._model, "generate", generate)
    with pytest.raises(OutOfMemory) as caught:
        one.generate(REQUESTS[:2], GREEDY)
    assert str(caught.value) == message
    assert caught.value.__context__ is None
    assert held[0]() is None


def test_other_failures_pass_through(one: HFGenerator, monkeypatch: pytest.MonkeyPatch) -> None:
    def generate(**_: Any) -> Any:
        raise RuntimeError("shapes do not match")

    monkeypatch.setattr(one._model, "generate", generate)
    with pytest.raises(RuntimeError, match="shapes do not match"):
        one.generate(REQUESTS[:2], GREEDY)


def test_no_requests_no_replies(one: HFGenerator) -> None:
    assert one.generate([], GREEDY) == []


def test_the_peak_of_memory_is_that_of_the_last_call(
    one: HFGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    one.generate(REQUESTS[:1], GREEDY)
    assert one.peak_memory_gib is None
    asked: list[Any] = []
    monkeypatch.setattr(torch.cuda, "reset_peak_memory_stats", asked.append)
    monkeypatch.setattr(torch.cuda, "max_memory_allocated", lambda device: 3 * 2**29)
    card = torch.device("cuda:1")
    watch_memory(card)
    assert (asked, peak_memory_gib(card)) == ([card], 1.5)
