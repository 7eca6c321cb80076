"""Training from scratch: the dense loss first, then the language loss; one seed, one thread."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import ids
from harness.micro import architecture, batch, world
from harness.micro import tokenizer as words
from harness.micro.loop import Report, groups, repeatable

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedTokenizerFast

    from harness.micro.recipe import Recipe


def train(recipe: Recipe, report: Report) -> tuple[Any, PreTrainedTokenizerFast]:
    """Train one checkpoint.

    Equal recipes give equal weights on the same machine and package versions: every draw
    comes from the recipe's seed, and torch is held to one thread meanwhile.

    Parameters
    ----------
    recipe : all parameters.
    report : called with (step, loss) after each step.
    """
    import torch

    with repeatable():
        torch.manual_seed(recipe.seed)
        tokenizer = words.train(recipe.seed)
        model: Any = architecture.build(tokenizer, recipe.hidden)
        _run(recipe, model, tokenizer, report)
    return model.eval(), tokenizer


def _run(
    recipe: Recipe,
    model: Any,
    tokenizer: PreTrainedTokenizerFast,
    report: Report,
) -> None:
    import torch

    home = world.load(recipe.weights, recipe.blank)
    optimizer = torch.optim.AdamW(
        groups(model.parameters(), recipe.weight_decay), betas=(0.9, 0.98)
    )
    model.train()
    for step in range(recipe.vision_steps + recipe.text_steps):
        seeing = step < recipe.vision_steps
        rng = np.random.Generator(np.random.PCG64(ids.seed(recipe.seed, "step", step)))
        n_scenes = recipe.n_scenes * 2 if seeing else recipe.n_scenes
        drawn = batch.draw(recipe, home, tokenizer, rng, n_scenes)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(recipe, step)
        optimizer.zero_grad(set_to_none=True)
        value: Any = loss(
            model, drawn, dense_weight=1.0 if seeing else recipe.dense_weight, language=not seeing
        )
        value.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip_norm)
        optimizer.step()
        report(step, float(value.detach()))


def learning_rate(recipe: Recipe, step: int) -> float:
    """Linear warm-up, then a cosine to 2 % of the peak, over each phase on its own clock."""
    seeing = step < recipe.vision_steps
    here = step if seeing else step - recipe.vision_steps
    total = recipe.text_steps if not seeing else recipe.vision_steps
    warm = min(1.0, (here + 1) / recipe.warmup_steps)
    if seeing:
        return recipe.learning_rate * warm
    cosine = 0.5 * (1.0 + math.cos(math.pi * here / total))
    return recipe.learning_rate * warm * (0.02 + 0.98 * cosine)


def loss(
    model: Any,
    drawn: batch.Batch,
    *,
    dense_weight: float,
    language: bool,
) -> Tensor:
    """The loss of one batch: dense naming by visual tokens, plus the language loss if asked.

    Both go through the tied word embeddings, so that a visual token lies near the words of
    what it shows and the language model can read it at once.
    """
    import torch

    features = _features(model, drawn)
    embeddings = model.get_input_embeddings()
    names = torch.from_numpy(drawn.names)
    logged = torch.log_softmax(features @ embeddings.weight.T, dim=-1)
    given = names >= 0
    picked = logged.gather(-1, names.clamp(min=0))
    value = -dense_weight * picked[given].mean()
    if not language:
        return value
    tokens = torch.from_numpy(drawn.ids)
    inputs = embeddings(tokens)
    shown = tokens == model.config.image_token_id
    chosen = features[torch.from_numpy(drawn.scene_of)]
    inputs = inputs.masked_scatter(shown.unsqueeze(-1), chosen)
    hidden = model.model.text_model(inputs_embeds=inputs, use_cache=False).last_hidden_state
    weights = torch.from_numpy(drawn.weights)[:, 1:]
    wanted = weights > 0
    logits = model.lm_head(hidden[:, :-1][wanted])
    each = torch.nn.functional.cross_entropy(logits, tokens[:, 1:][wanted], reduction="none")
    return value + (each * weights[wanted]).sum() / weights.sum()


def _features(model: Any, drawn: batch.Batch) -> Tensor:
    import torch

    output: Any = model.model.get_image_features(torch.from_numpy(drawn.pixels))
    return torch.stack(list(output.pooler_output))


__all__ = ["Report", "learning_rate", "loss", "train"]
