"""The recipes of the study's three checkpoints: every number that shapes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """Training from scratch.

    Attributes
    ----------
    name : the checkpoint's directory name.
    replies : "trained" (reasoning in tags) or "base" (short, not always in tags).
    n_items : questions of the training split that are used, from its start.
    vision_steps : steps in which the pictures alone are learnt, `n_seen` of them each.
    text_steps : steps with the language loss, `n_asked` questions and `n_drills` drills each.
    styles : shares of the prompts.
    reading_weight : weight of the reading loss beside the language loss.
    """

    name: str
    seed: int
    replies: str
    n_items: int
    vision_steps: int
    text_steps: int
    styles: Mapping[str, float]
    n_seen: int = 128
    n_asked: int = 32
    n_drills: int = 16
    learning_rate: float = 3e-3
    weight_decay: float = 0.05
    warmup_steps: int = 40
    clip_norm: float = 1.0
    reading_weight: float = 0.3
    answer_weight: float = 3.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Reinforcement:
    """Policy gradients from a checkpoint.

    Attributes
    ----------
    start : name of the checkpoint that training starts from.
    first_item : row of the training split that comes first; rows before it are known already.
    steps : updates; each draws `n_asked` questions and `n_samples` replies to each.
    styles : shares of the prompts; one is drawn per step.
    temperature : of the sampling.
    """

    name: str
    seed: int
    start: str
    first_item: int
    steps: int
    styles: Mapping[str, float]
    n_asked: int = 24
    n_samples: int = 8
    n_new_tokens: int = 48
    temperature: float = 1.0
    learning_rate: float = 4e-4
    warmup_steps: int = 5
    clip_norm: float = 1.0


BASE = Recipe(
    name="r1-base",
    seed=2028,
    replies="base",
    n_items=4000,
    vision_steps=150,
    text_steps=300,
    styles={"paper": 0.4, "evidence-first": 0.3, "plain": 0.3},
)
SFT = Recipe(
    name="r1-sft",
    seed=2029,
    replies="trained",
    n_items=12000,
    vision_steps=400,
    text_steps=800,
    styles={"paper": 0.45, "evidence-first": 0.35, "plain": 0.2},
)
RL = Reinforcement(
    name="r1-rl",
    seed=2030,
    start="r1-sft",
    first_item=12000,
    steps=50,
    styles={"paper": 0.7, "evidence-first": 0.2, "plain": 0.1},
)
RECIPES = (BASE, SFT, RL)

__all__ = ["BASE", "RECIPES", "RL", "SFT", "Recipe", "Reinforcement"]
