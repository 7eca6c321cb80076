"""Training from scratch: pictures are learnt by reading them, then replies as language."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import ids
from harness.micro.loop import Report, groups, repeatable
from harness.micro.r1 import architecture, pool, prompts, tokenizer

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Tensor
    from transformers import PreTrainedTokenizerFast

    from harness.micro.r1.recipe import Recipe

N_TOKENIZER_ITEMS = 2000
_N_READER = 192


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
        source = pool.load(0, recipe.n_items)
        words = tokenizer.train(source.items[:N_TOKENIZER_ITEMS])
        model: Any = architecture.build(words)
        _run(recipe, model, words, source, report)
    return model.eval(), words


def _run(
    recipe: Recipe,
    model: Any,
    words: PreTrainedTokenizerFast,
    source: pool.Pool,
    report: Report,
) -> None:
    import torch

    reader = _reader(source)
    parameters = [*model.parameters(), *reader.parameters()]
    optimizer = torch.optim.AdamW(groups(parameters, recipe.weight_decay), betas=(0.9, 0.98))
    model.train()
    for step in range(recipe.vision_steps + recipe.text_steps):
        seeing = step < recipe.vision_steps
        rng = np.random.Generator(np.random.PCG64(ids.seed(recipe.seed, "step", step)))
        rows = rng.integers(len(source.items), size=recipe.n_seen if seeing else recipe.n_asked)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(recipe, step)
        optimizer.zero_grad(set_to_none=True)
        features = see(model, source.pixels[rows])
        value = reading_loss(reader, features, source, rows)
        if not seeing:
            pairs = [_exchange(recipe, source.items[int(row)], rng) for row in rows]
            tokens, weights = pool.sequences(
                words, pairs, shown=True, answer_weight=recipe.answer_weight
            )
            value = recipe.reading_weight * value + loss(model, tokens, weights, features)
            if recipe.n_drills:
                drills = _drills(recipe, source, rng)
                tokens, weights = pool.sequences(words, drills, shown=False, answer_weight=5.0)
                value = value + 0.3 * loss(model, tokens, weights, None)
        backward: Any = value
        backward.backward()
        torch.nn.utils.clip_grad_norm_(parameters, recipe.clip_norm)
        optimizer.step()
        report(step, float(value.detach()))


def _exchange(recipe: Recipe, item: Any, rng: np.random.Generator) -> tuple[str, str]:
    style = str(rng.choice(list(recipe.styles), p=list(recipe.styles.values())))
    shuffled = pool.reordered(item, rng)
    reply = prompts.base_reply if recipe.replies == "base" else prompts.trained_reply
    return prompts.prompt(shuffled, style), reply(shuffled, style)


def _drills(recipe: Recipe, source: pool.Pool, rng: np.random.Generator) -> list[tuple[str, str]]:
    drawn: list[tuple[str, str]] = []
    while len(drawn) < recipe.n_drills:
        item = source.items[int(rng.integers(len(source.items)))]
        if item.choices:
            drawn.append(pool.drill(pool.reordered(item, rng), rng))
    return drawn


def learning_rate(recipe: Recipe, step: int) -> float:
    """Linear warm-up, constant while pictures are learnt, then a cosine to 2 % of the peak."""
    warm = min(1.0, (step + 1) / recipe.warmup_steps)
    here = max(0, step - recipe.vision_steps)
    cosine = 0.5 * (1.0 + math.cos(math.pi * here / recipe.text_steps))
    return recipe.learning_rate * warm * (0.02 + 0.98 * cosine)


def see(model: Any, pixels: NDArray[np.uint8]) -> Tensor:
    """The visual tokens of some pictures: (n, 9, hidden)."""
    import torch

    output: Any = model.model.get_image_features(torch.from_numpy(pool.scaled(pixels)))
    return torch.stack(list(output.pooler_output))


def loss(
    model: Any,
    tokens: NDArray[np.int64],
    weights: NDArray[np.float32],
    features: Tensor | None,
) -> Tensor:
    """The weighted mean of the cross-entropy of each token that has a weight."""
    import torch

    logits, target, weight = predictions(model, tokens, weights, features)
    each = torch.nn.functional.cross_entropy(logits, target, reduction="none")
    return (each * weight).sum() / weight.sum()


def predictions(
    model: Any,
    tokens: NDArray[np.int64],
    weights: NDArray[np.float32],
    features: Tensor | None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Logits (m, vocabulary), targets (m,) and weights (m,) of the m tokens with a weight."""
    import torch

    given = torch.from_numpy(tokens)
    inputs = model.get_input_embeddings()(given)
    if features is not None:
        shown = given == model.config.image_token_id
        inputs = inputs.masked_scatter(shown.unsqueeze(-1), features)
    hidden = model.model.text_model(inputs_embeds=inputs, use_cache=False).last_hidden_state
    weight = torch.from_numpy(weights)[:, 1:]
    wanted = weight != 0
    return model.lm_head(hidden[:, :-1][wanted]), given[:, 1:][wanted], weight[wanted]


def _reader(source: pool.Pool) -> Any:
    """Layers that are thrown away later: from visual tokens to the words of the evidence."""
    from torch import nn

    n_features = architecture.N_VISUAL_TOKENS * architecture.HIDDEN
    slot = nn.Embedding(source.n_families * pool.N_SLOTS, _N_READER)
    nn.init.normal_(slot.weight, 1.0, 0.5)
    return nn.ModuleDict(
        {
            "inner": nn.Linear(n_features, _N_READER),
            "family": nn.Embedding(source.n_families, _N_READER),
            "slot": slot,
            "outer": nn.Linear(_N_READER, source.n_words),
        }
    )


def reading_loss(
    reader: Any, features: Tensor, source: pool.Pool, rows: NDArray[np.int64]
) -> Tensor:
    """The cross-entropy of the evidence's words, each read off the visual tokens by itself."""
    import torch

    families, slots = torch.from_numpy(source.families[rows]), torch.from_numpy(source.slots[rows])
    inner = torch.relu(reader["inner"](features.flatten(1)) + reader["family"](families))
    at, slot = torch.nonzero(slots >= 0, as_tuple=True)
    mixed = inner[at] * reader["slot"](families[at] * pool.N_SLOTS + slot)
    target = slots[at, slot]
    value: Tensor = torch.nn.functional.cross_entropy(reader["outer"](mixed), target)
    return value


__all__ = [
    "learning_rate",
    "loss",
    "predictions",
    "reading_loss",
    "see",
    "train",
]
