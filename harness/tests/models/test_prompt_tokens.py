"""The token ids that a model is given: pinned for one item per prompt and processor."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from harness.data.mini_r1 import mini_r1
from harness.models.hf import open_hf
from harness.prompts import render
from harness.study import load_study
from harness.tests.models import tiny_qwen
from harness.types import Request
from harness.vision.views import named

ROOT = Path(__file__).parents[3]
STUDY = ROOT / "evals/studies/mini.toml"
GOLDEN = json.loads((ROOT / "golden/prompts/token_ids.json").read_text("utf-8"))
PROMPTS = ("paper", "evidence-first", "plain")


@pytest.mark.parametrize("model", ["micro-sft", "r1-sft", "tiny-qwen"])
def test_token_ids_are_the_pinned_ones(model: str, tmp_path: Path) -> None:
    """They decode to the prompt as rendered, so that a pinned list cannot hide a lost word."""
    study = load_study(STUDY)
    dataset = mini_r1("test")
    example = dataset.examples[0]
    picture = dataset.open_image(example.media[0])
    if model == "tiny-qwen":
        generator = tiny_qwen.opened(tiny_qwen.spec(tiny_qwen.save_qwen(tmp_path)))
    else:
        generator = open_hf(study.models[model], "cpu", 1)
    marker = generator._processor.image_token
    for prompt in PROMPTS:
        for view, n_pictures in (("clean", 1), ("global_plus_quadrants", 5)):
            text = render(study.prompts[prompt], example, named(view))
            request = Request(
                example=example,
                replicate=0,
                prompt=text,
                images=(picture,) * n_pictures,
                seed=0,
            )
            found = generator.prompt_token_ids(request)
            decoded = generator._processor.tokenizer.decode(found)
            assert text in decoded and decoded.count(marker) % n_pictures == 0
            assert found == GOLDEN[model][prompt][view]
    generator.close()


def test_the_public_study_asks_with_the_same_prompts() -> None:
    """So the pinned lists stand for its prompts too; its processor is Qwen's."""
    mini = load_study(STUDY).prompts
    public = tomllib.loads((ROOT / "evals/studies/r1_onevision.toml").read_text("utf-8"))
    assert {name: public["prompts"][name] for name in PROMPTS} == {
        name: mini[name].template for name in PROMPTS
    }
