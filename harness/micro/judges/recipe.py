"""The recipes of the three judges: every number that shapes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class Recipe:
    """One training.

    Attributes
    ----------
    name : the checkpoint's directory name.
    taught : how the replies are written; see `harness.micro.judges.dialogue.reply`.
    start : name of the checkpoint that training starts from; "" for random weights.
    n_each : training items of each factor, from index 0.
    vision_steps : steps in which pictures are learnt, `n_seen` of them each.
    drill_steps : then steps of `n_drills` exchanges without a picture, about letters alone.
    text_steps : then steps of replies to a question on each of `n_asked` pictures.
    frozen : whether those train the language model alone; otherwise the pictures are learnt on,
        with `naming_weight` for naming what they show.
    text_seed : of the questions.
    n_probed : of those pictures, how many get an exchange of probes instead.
    shares : of the factors among the questions.
    own : share of questions that are the item's own; the rest is drawn from what it shows.
    learning_rate : of pictures.
    late_rate : of drills, and of replies at their start.
    letter_weight : of a drill's letter against its other tokens.
    """

    name: str
    taught: str
    seed: int
    start: str = ""
    n_each: int = 1600
    vision_steps: int = 0
    drill_steps: int = 0
    text_steps: int
    frozen: bool = True
    naming_weight: float = 0.5
    text_seed: int = 5
    n_seen: int = 64
    n_drills: int = 48
    n_asked: int = 64
    n_probed: int = 40
    shares: Mapping[str, float] = field(
        default_factory=lambda: {
            "count": 0.2,
            "attribute": 0.25,
            "presence": 0.3,
            "spatial": 0.25,
        }
    )
    own: float = 0.5
    learning_rate: float = 3e-3
    late_rate: float = 2.5e-3
    letter_weight: float = 4.0
    drill_weight: float = 0.5
    weight_decay: float = 0.05
    warmup_steps: int = 40
    clip_norm: float = 1.0

    @property
    def n_steps(self) -> int:
        """Of all parts together."""
        return self.vision_steps + self.drill_steps + self.text_steps


LOOK = Recipe(
    name="judge-look",
    taught="look",
    seed=2031,
    vision_steps=330,
    drill_steps=150,
    text_steps=1200,
    frozen=False,
)
HABIT = Recipe(
    name="judge-habit",
    taught="habit",
    seed=2032,
    start="judge-look",
    text_steps=260,
    n_probed=0,
    late_rate=2e-3,
)
ORDER = Recipe(
    name="judge-order",
    taught="order",
    seed=2033,
    start="judge-look",
    text_steps=260,
    n_probed=0,
    late_rate=2e-3,
)
RECIPES = (LOOK, HABIT, ORDER)

__all__ = ["HABIT", "LOOK", "ORDER", "RECIPES", "Recipe"]
