"""Every number that shapes the two rewards' comparison."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """Reinforcement from one checkpoint, once for each reward and seed.

    Attributes
    ----------
    name, start : directory names of the checkpoint that is stored and of the one before it.
    pool_seed : draws the generated scenes of all three parts of the pool.
    seeds, rewards : a run for each pair.
    steps : updates at most. Each takes `n_asked` groups of `n_samples` replies; `n_updates` of
        them share one drawing of replies, so that all but the first are off-policy.
    n_filter : replies drawn to each training question before training; a question that none or
        all of them answer is left out.
    epsilon, epsilon_high, beta : lower and upper clip of the sequence ratio; weight of the KL.
    held_every, patience : updates between two looks at the held questions; looks without a
        better one before a run stops.
    """

    name: str = "micro-rl"
    start: str = "micro-sft"
    pool_seed: int = 2031
    seeds: tuple[int, ...] = (42, 43, 44)
    rewards: tuple[str, ...] = ("binary", "dense")
    steps: int = 60
    n_asked: int = 8
    n_samples: int = 8
    n_updates: int = 4
    n_filter: int = 16
    n_new_tokens: int = 40
    temperature: float = 1.0
    epsilon: float = 0.2
    epsilon_high: float = 0.28
    beta: float = 1e-3
    learning_rate: float = 1e-4
    warmup_steps: int = 4
    clip_norm: float = 1.0
    held_every: int = 6
    patience: int = 5


RECIPE = Recipe()

__all__ = ["RECIPE", "Recipe"]
