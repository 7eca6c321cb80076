"""Which pair gets which letter and which base: balanced exactly in each block of sixteen indices.

A block holds each of letter × base state × place of the target (4 quadrants) once. Among the ways
to do that, one is taken that also keeps the free variables level between the letters and between
the states, over the blocks so far.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from harness import ids
from harness.scenes import attribute, count, presence, spatial
from harness.scenes.cues import cues
from harness.scenes.draws import Draws
from harness.scenes.pair import Pair, Wish, triplet_of
from harness.scenes.palette import COLORS
from harness.scenes.slots import QUADRANTS, confusable
from harness.scenes.triplet import Triplet

BLOCK = 16
# Sums start anew after so many blocks, so that a late index does not cost all earlier ones.
_ERA = 32
_WAYS = 96
_COUNTS = (2, 2, 2, 3, 3, 3, 3, 4, 4, 4)
_DRAW = {
    "count": count.draw,
    "attribute": attribute.draw,
    "presence": presence.draw,
    "spatial": spatial.draw,
}
_CORNERS = tuple((letter, state) for letter in (0, 1) for state in (0, 1))


@dataclass(frozen=True, slots=True)
class Block:
    """Sixteen specimens and the sums that the next block has to level."""

    specimens: tuple[Triplet, ...]
    sums: tuple[int, ...]
    units: tuple[int, ...]


def balanced(factor: str, index: int, seed: int, space: str) -> Triplet:
    """The specimen of an index of a name space ("audit" or "static"), without its id."""
    block, place = divmod(index, BLOCK)
    return _block(factor, block, seed, space).specimens[place]


def published(factor: str, index: int, seed: int) -> Triplet:
    """The specimen of an index by the published one-way design, without its id."""
    draws = Draws(seed, "published", factor, index)
    color = draws.pick(tuple(COLORS))
    other = draws.pick([name for name in COLORS if name != color])
    if factor == "attribute":
        color, other = draws.pick(attribute.TRANSITIONS)
    wish = Wish(
        quadrant=QUADRANTS[0],
        color=color,
        other=other,
        count=_count(seed, "published", index),
        published=True,
    )
    pair = _DRAW[factor](draws, wish)
    state = 0 if factor in ("count", "attribute") else 1
    return triplet_of(
        pair,
        state,
        "AB"[draws.below(2)],
        name=factor,
        seed=_render_seed(seed, "published", factor, index),
        draws=draws,
    )


@lru_cache(maxsize=4 * _ERA)
def _block(factor: str, number: int, seed: int, space: str) -> Block:
    draws = Draws(seed, space, factor, "block", number)
    quadrants = draws.shuffled([name for name in QUADRANTS for _ in range(BLOCK // 4)])
    colors = _colors(draws)
    pairs = []
    for place, (quadrant, (color, other)) in enumerate(zip(quadrants, colors, strict=True)):
        index = number * BLOCK + place
        wish = Wish(quadrant=quadrant, color=color, other=other, count=_count(seed, space, index))
        pairs.append(_DRAW[factor](Draws(seed, space, factor, "pair", index), wish))
    table = np.array([[_row(pair, state) for state in (0, 1)] for pair in pairs], dtype=np.int64)
    before = _block(factor, number - 1, seed, space) if number % _ERA else None
    units = np.array(before.units if before else _units(table), dtype=np.int64)
    scaled = table * 100 // units
    ways = np.array([_way(draws, quadrants) for _ in range(_WAYS)], dtype=np.int64)
    sums = _sums(scaled, ways)
    if before:
        sums = sums + np.array(before.sums, dtype=np.int64)
    best = int(np.argmin((sums * sums).sum(axis=1)))
    return Block(
        specimens=tuple(
            triplet_of(
                pair,
                state,
                "AB"[letter],
                name=factor,
                seed=_render_seed(seed, space, factor, number * BLOCK + place),
                draws=Draws(seed, space, factor, "names", number * BLOCK + place),
            )
            for place, (pair, (letter, state)) in enumerate(
                zip(pairs, ways[best].tolist(), strict=True)
            )
        ),
        sums=tuple(sums[best].tolist()),
        units=tuple(units.tolist()),
    )


def _way(draws: Draws, quadrants: list[str]) -> list[tuple[int, int]]:
    """Each (letter, state) once in every quadrant."""
    left = {name: draws.shuffled(_CORNERS) for name in QUADRANTS}
    return [left[name].pop() for name in quadrants]


def _sums(scaled: NDArray[np.int64], ways: NDArray[np.int64]) -> NDArray[np.int64]:
    """Signed sums by letter and by state, and plain ones; shape (ways, 3 · columns)."""
    rows = np.arange(scaled.shape[0])
    chosen = scaled[rows, ways[:, :, 1]]
    letter, state = 1 - 2 * ways[:, :, :1], 1 - 2 * ways[:, :, 1:]
    plain = chosen[:, :, -2 * len(COLORS) :]
    return np.concatenate(
        [(letter * chosen).sum(axis=1), (state * chosen).sum(axis=1), plain.sum(axis=1)], axis=1
    )


def _row(pair: Pair, state: int) -> list[int]:
    """The free variables of a pair with that state as its base, in thousandths."""
    specimen = triplet_of(pair, state, "A", name="x", seed=0, draws=Draws(0))
    values = [round(1000 * value) for _, value in sorted(cues(specimen).items())]
    text, wrong = specimen.candidates
    right = [1000 * ((text == color) - (wrong == color)) for color in COLORS]
    sign = 1000 if specimen.design["value"] == "yes" else -1000
    polar = "yes" in (text, wrong)
    asked = [sign * (polar and specimen.design["color"] == color) for color in COLORS]
    return values + right + asked


def _units(table: NDArray[np.int64]) -> list[int]:
    """Standard deviations in whole thousandths, so that no float decides between two ways."""
    rows = table.reshape(-1, table.shape[-1]).tolist()
    units = []
    for values in zip(*rows, strict=True):
        n, total = len(values), sum(values)
        units.append(max(250, isqrt(sum((n * value - total) ** 2 for value in values) // n**3)))
    return units


def _colors(draws: Draws) -> list[tuple[str, str]]:
    """Sixteen pairs of colours that look different: each colour twice first and twice second."""
    found: list[tuple[str, str]] = []
    while len(found) < BLOCK:
        second = draws.shuffled(list(COLORS))
        if not any(confusable(one, other) for one, other in zip(COLORS, second, strict=True)):
            found += draws.shuffled(list(zip(COLORS, second, strict=True)))
    return draws.shuffled(found)


def _count(seed: int, space: str, index: int) -> int:
    """Three twos, four threes and three fours in each ten."""
    decade, place = divmod(index, len(_COUNTS))
    return Draws(seed, space, "counts", decade).shuffled(_COUNTS)[place]


def _render_seed(seed: int, space: str, factor: str, index: int) -> int:
    return ids.seed(seed, space, factor, "render", index) % 2**31


__all__ = ["BLOCK", "Block", "balanced", "published"]
