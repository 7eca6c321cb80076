"""A pair: one scene in two states that differ in the asked fact, and how either becomes a triplet.

The pair is drawn first, and without knowing which state will be the base; so nothing that a pair
holds can tell the answer, the order of the candidates or the direction of the edit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.scenes.draws import Draws
from harness.scenes.scene import LIGHTS, Camera, Light, Scene, SceneObject
from harness.scenes.triplet import VARIANTS, Query, Triplet

CAMERA = Camera()

Objects = tuple[SceneObject, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """What the schedule asks of one pair, before anything is drawn.

    Attributes
    ----------
    quadrant : where the edited object of state 1 stands; that of state 0 stands opposite.
    color, other : colours that the question is about (`other`: the second candidate, or that of
        the second object).
    count : candidates are this number and the next.
    published : whether the pair follows the published one-way design.
    """

    quadrant: str
    color: str
    other: str
    count: int
    published: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class State:
    """One state as the base of a triplet.

    `value` is the base's answer and `text` its candidate; `base`, `relevant` and `irrelevant` are
    the objects of the variants; `queried` and `edited` are as in `Triplet`; `quadrant` is the
    target's place in the base.
    """

    value: str
    text: str
    direction: str
    base: Objects
    relevant: Objects
    irrelevant: Objects
    queried: Mapping[str, tuple[str, ...]]
    edited: Mapping[str, tuple[str, ...]]
    quadrant: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """A question and the two states of its scene.

    `names` are the ids of all objects that either state uses in any variant; `facts` join the
    triplet's design.
    """

    query: Query
    question: str
    states: tuple[State, State]
    names: tuple[str, ...]
    facts: Mapping[str, str | int | float] = field(default_factory=dict)
    camera: Camera = CAMERA
    lights: tuple[Light, ...] = LIGHTS


def triplet_of(
    pair: Pair, state: int, letter: str, *, name: str, seed: int, draws: Draws
) -> Triplet:
    """Make a triplet of a pair.

    Parameters
    ----------
    pair : the two states.
    state : 0 or 1, the one that becomes the base.
    letter : "A" or "B", the base's right answer.
    name : the triplet's id.
    seed : the renderer's.
    draws : for ids and the order of the objects, which then tell nothing.
    """
    base, other = pair.states[state], pair.states[1 - state]
    # The ids run over both states, so that a missing number does not tell the direction either.
    fresh = {
        old: f"o{number}" for number, old in enumerate(draws.shuffled(sorted(pair.names)), start=1)
    }
    order = {old: place for place, old in enumerate(draws.shuffled(sorted(pair.names)))}
    variants = {"base": base.base, "relevant": base.relevant, "irrelevant": base.irrelevant}
    wrong = "B" if letter == "A" else "A"
    texts = {letter: base.text, wrong: other.text}
    side, depth = base.quadrant.split()
    return Triplet(
        id=name,
        query=pair.query,
        question=pair.question,
        candidates=(texts["A"], texts["B"]),
        gold={"base": letter, "relevant": wrong, "irrelevant": letter},
        scenes={
            variant: Scene(
                objects=tuple(
                    _renamed(thing, fresh[thing.id])
                    for thing in sorted(objects, key=lambda thing: order[thing.id])
                ),
                camera=pair.camera,
                lights=pair.lights,
                seed=seed,
            )
            for variant, objects in variants.items()
        },
        queried={
            variant: tuple(sorted(fresh[old] for old in base.queried[variant]))
            if pair.query.first is None
            else tuple(fresh[old] for old in base.queried[variant])
            for variant in VARIANTS
        },
        edited={edit: tuple(fresh[old] for old in found) for edit, found in base.edited.items()},
        design={
            "letter": letter,
            "value": base.value,
            "direction": base.direction,
            "side": side,
            "depth": depth,
            **pair.facts,
        },
    )


def _renamed(thing: SceneObject, name: str) -> SceneObject:
    return changed(thing, id=name)


def changed(thing: SceneObject, **fields: str | float) -> SceneObject:
    """A copy of an object with some fields replaced."""
    values: dict[str, str | float] = {
        "id": thing.id,
        "shape": thing.shape,
        "color": thing.color,
        "material": thing.material,
        "size": thing.size,
        "x": thing.x,
        "y": thing.y,
        "turn_deg": thing.turn_deg,
    }
    values.update(fields)
    return SceneObject(**values)  # type: ignore[arg-type]


__all__ = ["Objects", "Pair", "State", "Wish", "changed", "triplet_of"]
