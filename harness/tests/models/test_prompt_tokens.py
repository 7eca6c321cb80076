"""The token ids that a model is given: pinned for one item per prompt and processor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.data.mini_r1 import mini_r1
from harness.models.hf import open_hf
from harness.prompts import render
from harness.study import load_study
from harness.types import Request
from harness.vision.views import named

ROOT = Path(__file__).parents[3]
GOLDEN = json.loads((ROOT / "golden/prompts/token_ids.json").read_text("utf-8"))
PROMPTS = ("paper", "evidence-first", "plain")


@pytest.mark.parametrize("model", ["micro-sft", "r1-sft"])
def test_token_ids_are_the_pinned_ones(model: str) -> None:
    """They decode to the prompt as rendered, so that a pinned list cannot hide a lost word."""
    study = load_study(ROOT / "evals/studies/mini.toml")
    dataset = mini_r1("test")
    example = dataset.examples[0]
    picture = dataset.open_image(example.media[0])
    generator = open_hf(study.models[model], "cpu", 1)
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
            assert text in decoded and decoded.count("<image>") % n_pictures == 0
            assert found == GOLDEN[model][prompt][view]
    generator.close()
