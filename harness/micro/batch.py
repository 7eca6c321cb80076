"""Training batches: scenes and exchanges as token ids, targets and weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.micro import dialogue, world
from harness.micro.architecture import N_VISUAL_TOKENS, PICTURE
from harness.micro.tokenizer import END, START

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from transformers import PreTrainedTokenizerFast

    from harness.micro.recipe import Recipe

N_NAMES = 4


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Arrays of one step.

    Attributes
    ----------
    pixels : (scenes, 1, 3, 96, 96) float32 in -1..1, as the processor gives them.
    names : (scenes, 9, 4) ids of the words that each visual token must name; -1 for none.
    scene_of : (sequences,) the scene of each sequence with a picture; these come first.
    ids : (sequences, length) token ids, padded on the right.
    weights : (sequences, length) weight of predicting each token; 0 for given ones.
    """

    pixels: NDArray[np.float32]
    names: NDArray[np.int64]
    scene_of: NDArray[np.int64]
    ids: NDArray[np.int64]
    weights: NDArray[np.float32]


def draw(
    recipe: Recipe,
    home: world.World,
    tokenizer: PreTrainedTokenizerFast,
    rng: np.random.Generator,
    n_scenes: int,
) -> Batch:
    """Draw the scenes and exchanges of one step."""
    scenes = [home.draw(rng) for _ in range(n_scenes)]
    styles, shares = list(recipe.styles), list(recipe.styles.values())
    pairs: list[tuple[str, str]] = []
    for scene in scenes:
        for style in rng.choice(styles, size=recipe.n_asks, p=shares):
            if style == "caption":
                pairs.append(dialogue.caption(scene))
            else:
                pairs.append(dialogue.exchange(dialogue.ask(scene, rng), style, rng))
    drills = [dialogue.drill(rng) for _ in range(recipe.n_drills)]
    ids, weights = _sequences(tokenizer, pairs, drills, recipe.prompt_weight)
    return Batch(
        pixels=pixels(scenes),
        names=names(tokenizer, scenes),
        scene_of=np.repeat(np.arange(n_scenes), recipe.n_asks),
        ids=ids,
        weights=weights,
    )


def pixels(scenes: Sequence[world.Scene]) -> NDArray[np.float32]:
    """Scale pictures to -1..1 and put channels first: (scenes, 1, 3, 96, 96)."""
    stacked = np.stack([s.pixels for s in scenes]).astype(np.float32) / 255.0
    return np.ascontiguousarray(((stacked - 0.5) / 0.5).transpose(0, 3, 1, 2)[:, None])


def names(tokenizer: PreTrainedTokenizerFast, scenes: Sequence[world.Scene]) -> NDArray[np.int64]:
    """The words of each cell: colour, shape and place of its thing; "empty"; or the digit.

    The cells of a blank scene have no words.
    """
    out = np.full((len(scenes), N_VISUAL_TOKENS, N_NAMES), -1, dtype=np.int64)

    def word(text: str) -> Any:
        return tokenizer.convert_tokens_to_ids(text)

    for index, scene in enumerate(scenes):
        if scene.blank:
            continue
        if scene.digit is not None:
            out[index, :, 0] = word(str(scene.digit))
            continue
        out[index, :, 0] = word("empty")
        for thing in scene.things:
            cell = thing.row * world.GRID + thing.column
            row, column = world.ROWS[thing.row], world.COLUMNS[thing.column]
            out[index, cell] = [word(t) for t in (thing.color, thing.shape, row, column)]
    return out


def _sequences(
    tokenizer: PreTrainedTokenizerFast,
    pairs: Sequence[tuple[str, str]],
    drills: Sequence[tuple[str, str]],
    prompt_weight: float,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    both = [*pairs, *drills]
    encode = tokenizer(
        [p for p, _ in both]
        + [f"{r}{END}" for _, r in both]
        + [f"{START}user\n{PICTURE}", f"{START}user\n", f"{END}\n{START}assistant\n"]
    )["input_ids"]
    shown, bare, turn = encode[-3:]
    parts = []
    for index in range(len(both)):
        head = shown if index < len(pairs) else bare
        parts.append((head, encode[index], turn, encode[len(both) + index]))
    length = max(sum(len(p) for p in part) for part in parts)
    ids = np.zeros((len(both), length), dtype=np.int64)
    weights = np.zeros((len(both), length), dtype=np.float32)
    for row, (head, prompt, middle, reply) in enumerate(parts):
        tokens = [*head, *prompt, *middle, *reply]
        ids[row, : len(tokens)] = tokens
        weights[row, len(head) : len(head) + len(prompt)] = prompt_weight / len(prompt) ** 0.5
        weights[row, len(tokens) - len(reply) : len(tokens)] = 1.0 / len(reply) ** 0.5
    return ids, weights


__all__ = ["Batch", "draw", "names", "pixels"]
