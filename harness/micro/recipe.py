"""The two training recipes: every number that shapes a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """One training run.

    Attributes
    ----------
    name : the checkpoint's directory name.
    hidden : width of the language model.
    vision_steps : steps with the dense loss alone (each visual token names its cell).
    text_steps : steps with the language loss, the dense loss staying at `dense_weight`.
    n_scenes : pictures per step, doubled in the vision steps; `n_asks` exchanges each.
    n_drills : text-only letter exercises per step.
    weights : shares of grid, single and digit scenes.
    blank : share of single and digit scenes whose picture is erased.
    styles : shares of the styles of an exchange.
    prompt_weight : weight of the loss on the question's text against the reply's.
    """

    name: str
    seed: int
    hidden: int
    vision_steps: int
    text_steps: int
    n_scenes: int
    n_asks: int
    n_drills: int
    weights: tuple[float, float, float]
    blank: float
    styles: Mapping[str, float]
    learning_rate: float = 3e-3
    weight_decay: float = 0.05
    warmup_steps: int = 50
    clip_norm: float = 1.0
    dense_weight: float = 0.2
    prompt_weight: float = 0.3


SFT = Recipe(
    name="micro-sft",
    seed=2026,
    hidden=96,
    vision_steps=250,
    text_steps=1800,
    n_scenes=24,
    n_asks=3,
    n_drills=6,
    weights=(0.4, 0.25, 0.35),
    blank=0.06,
    styles={"word": 0.35, "evidence": 0.27, "letter": 0.25, "caption": 0.13},
)
BASE = Recipe(
    name="micro-base",
    seed=2027,
    hidden=64,
    vision_steps=200,
    text_steps=400,
    n_scenes=24,
    n_asks=2,
    n_drills=0,
    weights=(0.25, 0.1, 0.65),
    blank=0.06,
    styles={"word": 0.6, "caption": 0.4},
)
RECIPES = (BASE, SFT)

__all__ = ["BASE", "RECIPES", "SFT", "Recipe"]
