"""Presence: "Is there a red cube?", with yes and no as the candidates.

State 1 shows the object and loses it; state 0 does not and gets it. Both states have the same
objects at the same places: in state 0 the object's own place holds one of another colour. Both
hold a second object of the shape and one free place.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.scenes.draws import Draws
from harness.scenes.pair import Objects, Pair, State, Wish, changed
from harness.scenes.palette import COLORS
from harness.scenes.placing import (
    TRIES,
    company,
    comparable,
    kind,
    no_room,
    thing,
    together,
    twin,
    unlike,
)
from harness.scenes.scene import SceneObject
from harness.scenes.slots import (
    FRONT_Y,
    OPPOSITE,
    SLOTS,
    SLOTS_IN,
    confusable,
    quadrant,
)
from harness.scenes.triplet import Query
from harness.scenes.wording import question_of

_FRONT = tuple(number for number, slot in enumerate(SLOTS) if slot[1] < FRONT_Y)
_COMPANY = (3, 4)


def draw(draws: Draws, wish: Wish) -> Pair:
    """Draw a pair for `wish.color` and a shape.

    Parameters
    ----------
    draws : the stream of this specimen.
    wish : place of the edit and colour. As published, state 1 is the base and the object stands
        on a slot with y < -0.8.

    Returns
    -------
    Pair
        Of 5 or 6 objects. The two edited objects of a state have equal shape, size and material
        and differ in colour.

    Raises
    ------
    DataError
        When no placing is found.

    Examples
    --------
    >>> wish = Wish(quadrant="left far", color="red", other="red", count=2)
    >>> [state.text for state in draw(Draws(1, "a"), wish).states]
    ['no', 'yes']
    """
    for _ in range(TRIES):
        found = _attempt(draws, wish)
        if found is not None:
            return found
    raise no_room("presence")


def _attempt(draws: Draws, wish: Wish) -> Pair | None:
    kept = draws.pick(_FRONT if wish.published else SLOTS_IN[wish.quadrant])
    elsewhere = SLOTS_IN[OPPOSITE[wish.quadrant]]
    if wish.published:
        elsewhere = tuple(slot for slot in range(len(SLOTS)) if slot != kept)
    free = draws.pick(elsewhere)
    other = twin(draws, kept, published=wish.published)
    if other == free:
        return None
    rest = draws.shuffled([s for s in range(len(SLOTS)) if s not in (kept, free, other)])
    color = wish.color
    look = kind(draws, [SLOTS[slot] for slot in (kept, other, free)])
    p = thing(draws, "p", look, color, SLOTS[kept])
    q = thing(draws, "q", look, unlike(draws, color), SLOTS[other])
    f = thing(draws, "f", look, color, SLOTS[free])
    if not comparable(p, q) or not together((p, q, f)):
        return None
    slots = rest[: draws.pick(_COMPANY)]
    others = company(draws, slots, (p, q, f))
    if others is None:
        return None
    return arranged(draws, wish, (p, q, f), others)


def arranged(
    draws: Draws,
    wish: Wish,
    matched: tuple[SceneObject, SceneObject, SceneObject],
    others: Sequence[SceneObject],
) -> Pair:
    """Deal colours and roles to objects that are placed.

    `matched` are the asked object that is removed, its twin, and the object that is added.
    """
    p, q, f = matched
    color, shape = wish.color, p.shape
    shared = (q, *(changed(one, color=_color(draws, one.shape, shape, color)) for one in others))
    ghost = changed(p, color=unlike(draws, color))
    without = (ghost, *shared)
    states = (
        _state(0, without, (*without, f), (*without, changed(f, color=unlike(draws, color))), f),
        _state(1, (p, *shared), shared, (p, *shared[1:]), p),
    )
    query = Query(factor="presence", color=color, shape=shape)
    return Pair(
        query=query,
        question=question_of(query),
        states=states,
        names=tuple(one.id for one in (p, f, *shared)),
        facts={"color": color, "shape": shape},
    )


def _color(draws: Draws, own: str, shape: str, color: str) -> str:
    """Any colour, unless the shape is the asked one."""
    return draws.pick([c for c in COLORS if own != shape or not confusable(c, color)])


def _state(
    state: int, base: Objects, relevant: Objects, irrelevant: Objects, target: SceneObject
) -> State:
    seen = (target.id,)
    return State(
        value=("no", "yes")[state],
        text=("no", "yes")[state],
        direction=("add", "remove")[state],
        base=base,
        relevant=relevant,
        irrelevant=irrelevant,
        queried={
            "base": seen if state else (),
            "relevant": () if state else seen,
            "irrelevant": seen if state else (),
        },
        edited={"relevant": seen, "irrelevant": ("q",) if state else seen},
        quadrant=quadrant(target.x, target.y),
    )


__all__ = ["arranged", "draw"]
