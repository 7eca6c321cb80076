"""The stored checkpoint: what it says about itself, and that its phrase pays off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from harness import ids
from harness.data.visual_shapes import visual_shapes
from harness.micro import checkpoint, measure
from harness.micro.rl import card, pool, study
from harness.micro.rl.recipe import RECIPE

ROOT = Path(__file__).parents[3] / "fixtures" / "micro"
LIMIT_BYTES = 1_500_000
N_GRIDS = 60


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_record_agrees_with_files_and_recipe() -> None:
    directory = ROOT / RECIPE.name
    record = checkpoint.record(directory)
    assert record["weights_sha256"] == ids.file_digest(directory / checkpoint.WEIGHTS)
    assert record["start_sha256"] == ids.file_digest(ROOT / RECIPE.start / checkpoint.WEIGHTS)
    assert record["recipe"] == json.loads(ids.canonical_json(RECIPE))
    assert (record["reward"], record["seed"] in RECIPE.seeds) == ("binary", True)
    assert record["held"] > record["held_start"]
    assert sum(f.stat().st_size for f in directory.iterdir()) <= LIMIT_BYTES
    config = json.loads((directory / "config.json").read_text(encoding="utf-8"))
    assert (config["dtype"], config["model_type"]) == ("float32", "idefics3")
    card = (directory / "README.md").read_text(encoding="utf-8")
    for part in ("Architecture", "Data", "Training", "Measured", "Use and limits", "Apache-2.0"):
        assert part in card


def test_card_shows_every_figure() -> None:
    record = checkpoint.record(ROOT / RECIPE.name)
    rows = [
        measure.Row(data="digits", style="word", condition=c, n=400, accuracy=0.123, listed=0.987)
        for c in measure.CONDITIONS
    ]
    text = card.card(record, rows, {"batch 8": 7}, {"grid": (0.25, 0.75)}, 1234.0)
    assert "| grid | 0.250 | 0.750 |" in text
    assert "| digits | word | 400 | 0.123 | 0.123 | 0.123 | 0.987 |" in text
    assert "about 1,234 CPU seconds" in text
    assert "400 replies above (clean) against batch size 1 at one thread: batch 8: 7 differ" in text
    assert f"step {record['step']} of seed {record['seed']}" in text


def test_its_phrase_is_answered_better_than_by_the_start() -> None:
    asked = pool.questions(
        RECIPE.pool_seed, "test", {"grid": N_GRIDS, "visual_shapes": 0, "digits": 0}
    )
    right = {}
    for name in (RECIPE.start, RECIPE.name):
        found = study.marked(ROOT / name, None, asked, RECIPE.n_new_tokens)
        right[name] = sum(mark.right for mark in found)
    assert right[RECIPE.name] > right[RECIPE.start]


def test_the_word_is_still_given_alike_in_any_batch() -> None:
    model, processor = measure.load(ROOT / RECIPE.name)
    data = visual_shapes("test")
    examples = data.examples[:40]
    pictures = [data.open_image(e.media[0]) for e in examples]
    prompts = [measure.prompt(e, "word") for e in examples]
    replies = measure.generate(model, processor, prompts, pictures, batch_size=8)
    answers = [measure.read(r, e, "word") for r, e in zip(replies, examples, strict=True)]
    right = sum(a == e.gold for a, e in zip(answers, examples, strict=True))
    assert right >= 0.9 * len(examples)
    assert measure.generate(model, processor, prompts[:4], pictures[:4], 1) == replies[:4]
