from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from harness import ids
from harness.micro import architecture, batch, checkpoint, measure, train, world
from harness.micro import tokenizer as words
from harness.micro.recipe import RECIPES, SFT

TINY = replace(
    SFT,
    name="tiny",
    hidden=32,
    n_scenes=4,
    n_asks=2,
    n_drills=1,
    vision_steps=1,
    text_steps=1,
    warmup_steps=1,
)


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return words.train(TINY.seed)


@pytest.fixture(scope="module")
def drawn(tokenizer: Any) -> batch.Batch:
    home = world.load(TINY.weights, TINY.blank)
    return batch.draw(TINY, home, tokenizer, np.random.Generator(np.random.PCG64(1)), 4)


def fresh(tokenizer: Any) -> Any:
    torch.manual_seed(0)
    return architecture.build(tokenizer, TINY.hidden)


def test_loss_falls_on_a_tiny_batch(tokenizer: Any, drawn: batch.Batch) -> None:
    model = fresh(tokenizer)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    values = []
    for _ in range(12):
        optimizer.zero_grad()
        value: Any = train.loss(model, drawn, dense_weight=0.2, language=True)
        value.backward()
        optimizer.step()
        values.append(float(value.detach()))
    assert values[-1] < 0.75 * values[0]


def test_the_dense_loss_alone_leaves_the_language_layers_untouched(
    tokenizer: Any, drawn: batch.Batch
) -> None:
    model = fresh(tokenizer)
    value: Any = train.loss(model, drawn, dense_weight=1.0, language=False)
    value.backward()
    assert model.model.text_model.layers[0].mlp.up_proj.weight.grad is None
    assert model.model.connector.modality_projection.proj.weight.grad.abs().sum() > 0
    assert model.get_input_embeddings().weight.grad.abs().sum() > 0


def test_only_replies_and_questions_are_learnt(tokenizer: Any, drawn: batch.Batch) -> None:
    for row, weights in zip(drawn.ids, drawn.weights, strict=True):
        learnt = tokenizer.decode(row[weights > 0])
        assert "<image>" not in learnt
        assert "user" not in learnt
        assert learnt.endswith(words.END)
        assert weights[weights > 0].max() <= 1.0
    assert (drawn.weights[drawn.ids == tokenizer.pad_token_id] == 0).all()


def test_training_sees_what_the_processor_gives(tokenizer: Any) -> None:
    scene = world.single(np.random.Generator(np.random.PCG64(3)))
    processor: Any = architecture.processor(tokenizer)
    chat = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "Where?"}]}]
    text = processor.apply_chat_template(chat, add_generation_prompt=True)
    image = Image.fromarray(scene.pixels)
    given = processor(text=[text], images=[[image]], return_tensors="np")
    assert np.allclose(given["pixel_values"], batch.pixels([scene]), atol=1e-6)
    tokens, _ = batch._sequences(tokenizer, [("Where?", "here")], [], 0.3)
    expected = list(given["input_ids"][0])
    assert list(tokens[0][: len(expected)]) == expected
    assert tokenizer.decode(tokens[0][len(expected) :]) == f"here{words.END}"


def test_visual_tokens_must_name_their_cell(tokenizer: Any) -> None:
    thing = world.Thing(color="red", shape="cross", row=2, column=0)
    scene = world.Scene(kind="grid", pixels=np.zeros((96, 96, 3), dtype=np.uint8), things=(thing,))
    names = batch.names(tokenizer, [scene])[0]
    told = [[tokenizer.decode([n]) for n in cell if n >= 0] for cell in names]
    assert told[6] == ["red", "cross", "bottom", "left"]
    assert [cell for i, cell in enumerate(told) if i != 6] == [["empty"]] * 8
    digit = replace(scene, kind="digit", things=(), digit=7)
    assert (batch.names(tokenizer, [replace(scene, blank=True)]) == -1).all()
    assert (batch.names(tokenizer, [digit])[0, :, 0] == tokenizer("7")["input_ids"][0]).all()


def test_learning_rate_warms_up_and_falls() -> None:
    recipe = replace(SFT, vision_steps=100, text_steps=200, warmup_steps=10)
    rates = [train.learning_rate(recipe, step) for step in range(300)]
    assert rates[0] == pytest.approx(3e-4)
    assert rates[99] == 3e-3
    assert max(rates) <= 3e-3
    assert rates[299] < 0.03 * 3e-3
    assert all(a >= b for a, b in pairwise(rates[109:]))


def test_equal_recipes_give_equal_checkpoints(tmp_path: Path) -> None:
    steps: list[tuple[int, float]] = []
    state = torch.get_rng_state()
    records = []
    for name in ("a", "b"):
        torch.manual_seed(len(name) + ord(name))
        model, trained = train.train(TINY, lambda step, loss: steps.append((step, loss)))
        records.append(checkpoint.save(tmp_path / name, model, trained, TINY))
    torch.set_rng_state(state)
    assert records[0] == records[1]
    assert records[0]["weights_sha256"] == ids.file_digest(tmp_path / "a" / checkpoint.WEIGHTS)
    assert checkpoint.record(tmp_path / "a") == records[0]
    assert steps[:2] == steps[2:]
    loaded, processor = measure.load(tmp_path / "a")
    assert loaded.dtype == torch.float32
    config = json.loads((tmp_path / "a" / "config.json").read_text(encoding="utf-8"))
    assert config["dtype"] == "float32"
    for name, value in model.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], value), name
    assert type(processor.image_processor).__name__ == "Idefics3ImageProcessorPil"


def test_recipes_have_shares_that_add_up() -> None:
    for recipe in RECIPES:
        assert sum(recipe.weights) == pytest.approx(1.0)
        assert sum(recipe.styles.values()) == pytest.approx(1.0)
