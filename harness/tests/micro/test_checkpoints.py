"""The committed checkpoints: what they say about themselves, and that they answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from harness import ids
from harness.data.digits import digits
from harness.data.visual_shapes import visual_shapes
from harness.errors import ModelError
from harness.micro import checkpoint, measure
from harness.micro.recipe import RECIPES, Recipe

ROOT = Path(__file__).parents[3] / "fixtures" / "micro"
LIMIT_BYTES = 5_000_000
BOUNDS = {
    "micro-base": {"visual_shapes": (0.55, 0.9), "digits": (0.3, 0.75)},
    "micro-sft": {"visual_shapes": (0.9, 1.0), "digits": (0.8, 1.0)},
}


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda r: r.name)
def test_record_agrees_with_files_and_recipe(recipe: Recipe) -> None:
    directory = ROOT / recipe.name
    record = checkpoint.record(directory)
    assert record["weights_sha256"] == ids.file_digest(directory / checkpoint.WEIGHTS)
    assert record["recipe"] == json.loads(ids.canonical_json(recipe))
    assert sum(f.stat().st_size for f in directory.iterdir()) <= LIMIT_BYTES
    card = (directory / "README.md").read_text(encoding="utf-8")
    for part in ("Architecture", "Data", "Training", "Measured", "Use and limits", "Apache-2.0"):
        assert part in card


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda r: r.name)
def test_plain_load_computes_in_single_precision(recipe: Recipe) -> None:
    config = json.loads((ROOT / recipe.name / "config.json").read_text(encoding="utf-8"))
    assert config["dtype"] == "float32"
    assert config["model_type"] == "idefics3"


@pytest.mark.parametrize("name", BOUNDS)
def test_first_test_items_are_answered_alike_in_any_batch(name: str) -> None:
    model, processor = measure.load(ROOT / name)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for data in (visual_shapes("test"), digits("test")):
            examples = data.examples[:60]
            pictures = [data.open_image(e.media[0]) for e in examples]
            prompts = [measure.prompt(e, "word") for e in examples]
            replies = measure.generate(model, processor, prompts, pictures, batch_size=8)
            answers = [measure.read(r, e, "word") for r, e in zip(replies, examples, strict=True)]
            assert None not in answers
            right = sum(a == e.gold for a, e in zip(answers, examples, strict=True))
            low, high = BOUNDS[name][data.name]
            assert low <= right / len(examples) <= high
            alone = measure.generate(model, processor, prompts[:8], pictures[:8], batch_size=1)
            assert alone == replies[:8]
    finally:
        torch.set_num_threads(threads)


def test_a_directory_without_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no config\.json; expected a checkpoint directory"):
        measure.load(tmp_path)
    with pytest.raises(ModelError, match=r"no training\.json"):
        checkpoint.record(tmp_path)
