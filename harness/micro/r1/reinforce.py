"""The reinforcement step: policy gradients with rewards from the harness's own scoring."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import ids
from harness.micro import measure as first
from harness.micro.loop import Report, groups, repeatable
from harness.micro.r1 import pool, prompts
from harness.micro.r1.train import predictions, see
from harness.micro.tokenizer import SPECIAL
from harness.scoring import grade

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from transformers import PreTrainedTokenizerFast

    from harness.data.mini_r1 import Item
    from harness.micro.r1.recipe import Reinforcement


def train(
    recipe: Reinforcement, start: Path, report: Report
) -> tuple[Any, PreTrainedTokenizerFast]:
    """Improve a checkpoint by its own rewarded replies.

    Each step draws questions that the checkpoint was not trained on, samples several replies
    to each, and raises the likelihood of those that score better than their group (as in
    group relative policy optimization: Z. Shao et al., DeepSeekMath, 2024, with one on-policy
    update per step, so no ratio to clip, and no KL term). The reward is 1 for a reply that the
    harness scores as correct, else 0; a group of equal rewards teaches nothing.

    Parameters
    ----------
    recipe : all parameters.
    start : directory of the checkpoint to start from.
    report : called with (step, mean reward) after each step.

    Returns
    -------
    (model, tokenizer)
        Equal on the same machine and package versions; torch is held to one thread meanwhile.

    Raises
    ------
    ModelError
        When `start` holds no checkpoint.
    """

    model, processor = first.load(start)
    with repeatable():
        _run(recipe, model, processor.tokenizer, report)
    return model.eval(), processor.tokenizer


def _run(recipe: Reinforcement, model: Any, words: PreTrainedTokenizerFast, report: Report) -> None:
    import torch

    source = pool.load(recipe.first_item, recipe.steps * recipe.n_asked)
    parameters = list(model.parameters())
    optimizer = torch.optim.AdamW(groups(parameters, 0.0), betas=(0.9, 0.95))
    for step in range(recipe.steps):
        rng = np.random.Generator(np.random.PCG64(ids.seed(recipe.seed, "step", step)))
        torch.manual_seed(ids.seed(recipe.seed, "sampling", step))
        style = str(rng.choice(list(recipe.styles), p=list(recipe.styles.values())))
        rows = np.arange(step * recipe.n_asked, (step + 1) * recipe.n_asked)
        asked = [source.items[int(row)] for row in rows]
        texts = [prompts.prompt(item, style) for item in asked]
        tokens, n_given, replies = _sample(recipe, model, words, texts, source.pixels[rows])
        rewards = reward([item for item in asked for _ in range(recipe.n_samples)], replies)
        gains = advantages(rewards.reshape(len(asked), recipe.n_samples)).ravel()
        report(step, float(rewards.mean()))
        taught = np.flatnonzero(gains)
        if not len(taught):
            continue
        for group in optimizer.param_groups:
            group["lr"] = recipe.learning_rate * min(1.0, (step + 1) / recipe.warmup_steps)
        optimizer.zero_grad(set_to_none=True)
        given, weights = _weighted(tokens, n_given, gains, taught)
        features = see(model, source.pixels[rows])[torch.from_numpy(taught // recipe.n_samples)]
        logits, target, weight = predictions(model, given, weights, features)
        each = torch.nn.functional.cross_entropy(logits, target, reduction="none")
        value: Any = (each * weight).sum() / weight.abs().sum()
        value.backward()
        torch.nn.utils.clip_grad_norm_(parameters, recipe.clip_norm)
        optimizer.step()


def _sample(
    recipe: Reinforcement,
    model: Any,
    words: PreTrainedTokenizerFast,
    texts: Sequence[str],
    pixels: NDArray[np.uint8],
) -> tuple[list[list[int]], list[int], list[str]]:
    """Token ids of prompt and reply, how many of them are the prompt's, and the replies."""
    import torch

    given, mask = pool.prompt_ids(words, texts)
    # A sampled image token would ask for features that the picture does not have.
    kept_out = [words.convert_tokens_to_ids(t) for t in SPECIAL if t != words.eos_token]
    with torch.inference_mode():
        out = model.generate(
            input_ids=torch.from_numpy(given),
            attention_mask=torch.from_numpy(mask),
            pixel_values=torch.from_numpy(pool.scaled(pixels)),
            do_sample=True,
            temperature=recipe.temperature,
            top_k=0,
            top_p=1.0,
            suppress_tokens=kept_out,
            num_return_sequences=recipe.n_samples,
            max_new_tokens=recipe.n_new_tokens,
        )
    end: Any = words.eos_token_id
    tokens, n_given, replies = [], [], []
    for row, line in enumerate(out.tolist()):
        known = int(mask[row // recipe.n_samples].sum())
        reply = line[given.shape[1] :]
        if end in reply:
            reply = reply[: reply.index(end) + 1]
        tokens.append([*line[given.shape[1] - known : given.shape[1]], *reply])
        n_given.append(known)
        replies.append(str(words.decode(reply, skip_special_tokens=True)))
    return tokens, n_given, replies


def reward(asked: Sequence[Item], replies: Sequence[str]) -> NDArray[np.float32]:
    """1 for each reply that scores as correct, else 0: (n,)."""
    scores = [
        grade(item.kind, text, item.choices, item.answer, exact=item.exact)
        for item, text in zip(asked, replies, strict=True)
    ]
    return np.array([score.correct for score in scores], dtype=np.float32)


def advantages(rewards: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rewards less their group's mean, over its standard deviation; 0 in an equal group.

    Parameters
    ----------
    rewards : (groups, replies).

    Examples
    --------
    >>> advantages(np.array([[1, 0, 0, 1], [1, 1, 1, 1]], dtype=np.float32)).tolist()
    [[1.0, -1.0, -1.0, 1.0], [0.0, 0.0, 0.0, 0.0]]
    """
    spread = rewards.std(axis=1, keepdims=True)
    centred = rewards - rewards.mean(axis=1, keepdims=True)
    gains: NDArray[np.float32] = np.zeros_like(centred)
    np.divide(centred, spread, out=gains, where=spread > 0)
    return gains


def _weighted(
    tokens: Sequence[list[int]],
    n_given: Sequence[int],
    gains: NDArray[np.float32],
    taught: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """The chosen sequences, padded on the right, with each reply's tokens at its advantage."""
    length = max(len(tokens[row]) for row in taught)
    given = np.zeros((len(taught), length), dtype=np.int64)
    weights = np.zeros((len(taught), length), dtype=np.float32)
    for at, row in enumerate(taught):
        given[at, : len(tokens[row])] = tokens[row]
        weights[at, n_given[row] : len(tokens[row])] = gains[row]
    return given, weights


__all__ = ["advantages", "reward", "train"]
