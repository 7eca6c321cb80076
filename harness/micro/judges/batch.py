"""Training batches of the judges: pictures, their words, and exchanges as token ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from harness.micro.judges import dialogue
from harness.micro.judges.architecture import N_VISUAL_TOKENS, PICTURE, scaled
from harness.micro.judges.pool import COLUMNS, Pool, Thing, cells, mirrored
from harness.micro.tokenizer import END, START

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from transformers import PreTrainedTokenizerFast

    from harness.micro.judges.recipe import Recipe

N_NAMES = 3
_TRIES = 20
_TURN = f"{END}\n{START}assistant\n"


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Questions on pictures of a pool, as arrays.

    Attributes
    ----------
    rows : (n,) the pictures; `turned` (n,) says which are mirrored.
    ids : (n, length) token ids, padded on the right.
    weights : (n, length) weight of predicting each token; 0 for given ones.
    """

    rows: NDArray[np.int64]
    turned: NDArray[np.bool_]
    ids: NDArray[np.int64]
    weights: NDArray[np.float32]


def seen(
    source: Pool, tokenizer: PreTrainedTokenizerFast, rng: np.random.Generator, n: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Draw pictures, half of them mirrored, as the model wants them, and what to name in them."""
    return _looked(source, tokenizer, *_rows(source, rng, n))


def looked(
    source: Pool, tokenizer: PreTrainedTokenizerFast, drawn: Asked
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The pictures of some questions as the model wants them, and what to name in them."""
    return _looked(source, tokenizer, drawn.rows, drawn.turned)


def _looked(
    source: Pool,
    tokenizer: PreTrainedTokenizerFast,
    rows: NDArray[np.int64],
    turned: NDArray[np.bool_],
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    pixels = source.pixels[rows]
    pixels[turned] = pixels[turned][:, :, ::-1]
    return scaled(pixels), names(tokenizer, _shown(source, rows, turned))


def drills(
    tokenizer: PreTrainedTokenizerFast, rng: np.random.Generator, n: int, letter: float
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Draw exchanges without a picture: ids and weights, the letter's being `letter`."""
    return sequences(tokenizer, [dialogue.drill(rng) for _ in range(n)], "", letter)


def asked(
    recipe: Recipe, source: Pool, tokenizer: PreTrainedTokenizerFast, rng: np.random.Generator
) -> Asked:
    """Draw pictures, half of them mirrored, and a question on each."""
    rows, turned = _rows(source, rng, recipe.n_asked)
    pairs: list[tuple[str, str]] = []
    for row, turn, things in zip(
        rows.tolist(), turned.tolist(), _shown(source, rows, turned), strict=True
    ):
        if len(pairs) < recipe.n_probed:
            pairs.append(dialogue.probes(things, rng))
            continue
        ask = _ask(recipe, source, row, turn, things, rng)
        pairs.append((dialogue.prompt(ask), dialogue.reply(ask, recipe.taught)))
    ids, weights = sequences(tokenizer, pairs, PICTURE, 1.0)
    weights[: recipe.n_probed] *= _told(tokenizer, ids[: recipe.n_probed])
    return Asked(rows=rows, turned=turned, ids=ids, weights=weights)


def _rows(
    source: Pool, rng: np.random.Generator, n: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    return rng.integers(len(source.sights), size=n), rng.random(n) < 0.5


def _shown(
    source: Pool, rows: NDArray[np.int64], turned: NDArray[np.bool_]
) -> list[tuple[Thing, ...]]:
    return [
        mirrored(source.sights[row].things) if turn else source.sights[row].things
        for row, turn in zip(rows.tolist(), turned.tolist(), strict=True)
    ]


def names(
    tokenizer: PreTrainedTokenizerFast, shown: Sequence[Sequence[Thing]]
) -> NDArray[np.int64]:
    """The words of each visual token: colour, shape and column of what it is nearest to."""
    known = tokenizer.get_vocab()
    out = np.full((len(shown), N_VISUAL_TOKENS, N_NAMES), -1, dtype=np.int64)
    out[:, :, 0] = known["\u0120empty"]
    for index, things in enumerate(shown):
        for thing, cell in zip(things, cells(things), strict=True):
            out[index, cell] = [
                known[f"\u0120{word}"] for word in (thing.color, thing.shape, thing.column)
            ]
    return out


def sequences(
    tokenizer: PreTrainedTokenizerFast,
    pairs: Sequence[tuple[str, str]],
    picture: str,
    letter: float,
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Token ids of exchanges, and the weights of the reply's tokens, the letter's apart."""
    prompts = tokenizer([f"{START}user\n{picture}{asked}{_TURN}" for asked, _ in pairs])
    replies = tokenizer([f"{said}{END}" for _, said in pairs])
    parts = list(zip(prompts["input_ids"], replies["input_ids"], strict=True))
    length = max(len(asked) + len(said) for asked, said in parts)
    ids = np.zeros((len(parts), length), dtype=np.int64)
    weights = np.zeros((len(parts), length), dtype=np.float32)
    for row, (asked, said) in enumerate(parts):
        end = len(asked) + len(said)
        ids[row, :end] = [*asked, *said]
        weights[row, len(asked) : end] = 1.0
        weights[row, end - 2] = letter
    return ids, weights


def _told(tokenizer: PreTrainedTokenizerFast, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tokens of probes that tell what is seen: those that ask for a look cannot be foretold."""
    known = tokenizer.get_vocab()
    starts = (known[":"], known[","])
    places = {known[f"\u0120{word}"] for word in (*COLUMNS, "none")}
    out = np.zeros(ids.shape, dtype=bool)
    for row, tokens in enumerate(ids.tolist()):
        told = False
        for column, token in enumerate(tokens):
            told = told or token in places
            out[row, column] = told
            told = told and token not in starts
    return out


def _ask(
    recipe: Recipe,
    source: Pool,
    row: int,
    turn: bool,
    things: Sequence[Thing],
    rng: np.random.Generator,
) -> dialogue.Ask:
    sight = source.sights[row]
    for _ in range(_TRIES):
        ask = dialogue.own(sight, things, turn)
        if rng.random() >= recipe.own:
            factor = str(rng.choice(list(recipe.shares), p=list(recipe.shares.values())))
            ask = dialogue.free(things, factor, rng) or ask
        if dialogue.taken(ask, recipe.taught):
            break
    return ask


__all__ = ["Asked", "asked", "drills", "looked", "names", "seen", "sequences"]
