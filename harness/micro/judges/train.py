"""Training: visual tokens name what they show; then letters; then replies to questions."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import ids
from harness.micro import measure
from harness.micro.judges import architecture, batch, pool
from harness.micro.judges import tokenizer as words
from harness.micro.loop import Report, groups, repeatable

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor
    from transformers import PreTrainedTokenizerFast

    from harness.micro.judges.recipe import Recipe

_EMPTY_WEIGHT = 0.3
_N_TABLE = 64


def train(
    recipe: Recipe, source: pool.Pool, start: Path | None, report: Report
) -> tuple[Any, PreTrainedTokenizerFast]:
    """Train one judge.

    Equal recipes give equal weights on the same machine and package versions: every draw
    comes from the recipe's seed, and torch is held to one thread meanwhile.

    Parameters
    ----------
    recipe : all parameters.
    source : what `pool.load(recipe.n_each)` gives.
    start : directory of the checkpoint that the recipe starts from, if it names one.
    report : called with (step, loss) after each step.
    """
    import torch

    with repeatable():
        torch.manual_seed(recipe.seed)
        tokenizer = words.train()
        model: Any = architecture.build(tokenizer) if start is None else measure.load(start)[0]
        run(recipe, model, tokenizer, source, report)
    return model.eval(), tokenizer


def run(
    recipe: Recipe,
    model: Any,
    tokenizer: PreTrainedTokenizerFast,
    source: pool.Pool,
    report: Report,
) -> None:
    """All steps of a recipe, on a model that is changed in place."""
    n_before = recipe.vision_steps + recipe.drill_steps
    parameters = list(model.parameters())
    optimizer = _optimizer(recipe, parameters)
    model.train()
    for step in range(n_before):
        rng = np.random.Generator(np.random.PCG64(ids.seed(recipe.seed, "step", step)))
        warm = min(1.0, (step + 1) / recipe.warmup_steps)
        if step < recipe.vision_steps:
            rate = recipe.learning_rate * warm
            pixels, names = batch.seen(source, tokenizer, rng, recipe.n_seen)
            value = naming(see(model, pixels), model.get_input_embeddings().weight, names)
        else:
            rate = recipe.late_rate * warm
            given, weights = batch.drills(tokenizer, rng, recipe.n_drills, recipe.letter_weight)
            value = recipe.drill_weight * said(model, given, weights, None)
        report(step, _updated(recipe, optimizer, parameters, value, rate))
    if recipe.frozen:
        parameters = list(model.model.text_model.parameters())
        optimizer = _optimizer(recipe, parameters)
        table = _table(model.eval(), source)
    for step in range(recipe.text_steps):
        rng = np.random.Generator(np.random.PCG64(ids.seed(recipe.text_seed, "x", step)))
        drawn = batch.asked(recipe, source, tokenizer, rng)
        if recipe.frozen:
            features = table[drawn.rows + len(source.sights) * drawn.turned]
            value = said(model, drawn.ids, drawn.weights, features)
        else:
            pixels, names = batch.looked(source, tokenizer, drawn)
            features = see(model, pixels)
            value = said(model, drawn.ids, drawn.weights, features)
            named = naming(features, model.get_input_embeddings().weight, names)
            value = value + recipe.naming_weight * named
        rate = learning_rate(recipe, step)
        report(n_before + step, _updated(recipe, optimizer, parameters, value, rate))


def learning_rate(recipe: Recipe, step: int) -> float:
    """Of the replies: linear warm-up, then a cosine to 2 %."""
    cosine = 0.5 * (1.0 + math.cos(math.pi * step / recipe.text_steps))
    return recipe.late_rate * min(1.0, (step + 1) / recipe.warmup_steps) * (cosine * 0.98 + 0.02)


def see(model: Any, pixels: NDArray[np.float32]) -> Tensor:
    """The visual tokens of some pictures: (n, 36, hidden)."""
    import torch

    output: Any = model.model.get_image_features(torch.from_numpy(pixels))
    return torch.stack(list(output.pooler_output))


def _table(model: Any, source: pool.Pool) -> Tensor:
    """The visual tokens of all pictures, then of their mirror images."""
    import torch

    found = []
    with torch.no_grad():
        for pixels in (source.pixels, source.pixels[:, :, ::-1]):
            for start in range(0, len(pixels), _N_TABLE):
                found.append(see(model, architecture.scaled(pixels[start : start + _N_TABLE])))
    return torch.cat(found)


def _optimizer(recipe: Recipe, parameters: list[Any]) -> Any:
    import torch

    return torch.optim.AdamW(groups(parameters, recipe.weight_decay), betas=(0.9, 0.98))


def _updated(
    recipe: Recipe, optimizer: Any, parameters: list[Any], value: Any, rate: float
) -> float:
    """Make one step down a loss, and return the loss."""
    import torch

    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad(set_to_none=True)
    value.backward()
    torch.nn.utils.clip_grad_norm_(parameters, recipe.clip_norm)
    optimizer.step()
    return float(value.detach())


def said(
    model: Any,
    given: NDArray[np.int64],
    weights: NDArray[np.float32],
    features: Tensor | None,
) -> Tensor:
    """Weighted mean loss of the tokens that have a weight, with or without pictures."""
    import torch

    tokens = torch.from_numpy(given)
    inputs = model.get_input_embeddings()(tokens)
    if features is not None:
        shown = tokens == model.config.image_token_id
        chosen = features.repeat_interleave(len(tokens) // len(features), dim=0)
        inputs = inputs.masked_scatter(shown.unsqueeze(-1), chosen)
    hidden = model.model.text_model(inputs_embeds=inputs, use_cache=False).last_hidden_state
    weight = torch.from_numpy(weights)[:, 1:]
    wanted = weight > 0
    logits = model.lm_head(hidden[:, :-1][wanted])
    each = torch.nn.functional.cross_entropy(logits, tokens[:, 1:][wanted], reduction="none")
    return (each * weight[wanted]).sum() / weight.sum()


def naming(features: Tensor, words: Tensor, wanted: NDArray[np.int64]) -> Tensor:
    """Mean loss of naming objects by visual tokens, through the tied word embeddings.

    Naming empty places counts too, with a smaller weight.
    """
    import torch

    names = torch.from_numpy(wanted)
    logged = torch.log_softmax(features @ words.T, dim=-1)
    picked = logged.gather(-1, names.clamp(min=0))
    full = (names >= 0).all(dim=-1)
    return -picked[full].mean() - _EMPTY_WEIGHT * picked[~full][:, 0].mean()


__all__ = ["learning_rate", "naming", "run", "said", "see", "train"]
