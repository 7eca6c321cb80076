"""Replies of a model to the pool's questions: greedy ones, and groups of sampled ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness import ids
from harness.micro import measure
from harness.micro.rl.pool import Question
from harness.micro.rl.recipe import Recipe
from harness.micro.tokenizer import SPECIAL

BATCH_SIZE = 60


def greedy(model: Any, processor: Any, asked: Sequence[Question], n_new_tokens: int) -> list[str]:
    """One greedy reply to each question, in their order."""
    return measure.generate(
        model,
        processor,
        [q.prompt for q in asked],
        [q.picture for q in asked],
        BATCH_SIZE,
        n_new_tokens,
    )


def sampled(
    model: Any, processor: Any, asked: Sequence[Question], recipe: Recipe
) -> list[list[str]]:
    """Sample `recipe.n_filter` replies to each question.

    Torch's generator is seeded from the recipe; call it inside `harness.micro.loop.repeatable`.
    """
    import torch

    torch.manual_seed(ids.seed(recipe.pool_seed, "filter"))
    groups: list[list[str]] = []
    for start in range(0, len(asked), BATCH_SIZE):
        part = asked[start : start + BATCH_SIZE]
        chats = [
            processor.apply_chat_template(
                [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": text}]}],
                add_generation_prompt=True,
            )
            for text in (q.prompt for q in part)
        ]
        inputs = processor(
            text=chats,
            images=[[q.picture] for q in part],
            padding=True,
            padding_side="left",
            return_tensors="pt",
        )
        with torch.inference_mode():
            out = model.generate(
                **inputs,
                do_sample=True,
                temperature=recipe.temperature,
                top_k=0,
                top_p=1.0,
                suppress_tokens=kept_out(processor.tokenizer),
                num_return_sequences=recipe.n_filter,
                max_new_tokens=recipe.n_new_tokens,
            )
        texts = processor.batch_decode(
            out[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True
        )
        groups += [texts[at : at + recipe.n_filter] for at in range(0, len(texts), recipe.n_filter)]
    return groups


def kept_out(words: Any) -> list[int]:
    """Special tokens that no reply may hold: a sampled image token would ask for features."""
    return [words.convert_tokens_to_ids(t) for t in SPECIAL if t != words.eos_token]


__all__ = ["greedy", "kept_out", "sampled"]
