"""Count: "How many red objects are there?", with n and n + 1 as the candidates.

State 0 shows n objects of the colour and gets one more; state 1 shows n + 1 and loses one. Both
states have the same objects at the same places: one of them, the swing, has the asked colour in
state 1 only. Both hold a matched pair (one asked, one of another colour) and one free place, so
that neither the pair nor the gap tells which edit follows.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.scenes.draws import Draws
from harness.scenes.pair import Objects, Pair, State, Wish, changed
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
from harness.scenes.slots import FRONT_Y, OPPOSITE, SLOTS, SLOTS_IN, quadrant
from harness.scenes.triplet import Query
from harness.scenes.wording import question_of

_FRONT = tuple(number for number, slot in enumerate(SLOTS) if slot[1] < FRONT_Y)
_DISTRACTORS = (2, 3)


def draw(draws: Draws, wish: Wish) -> Pair:
    """Draw a pair for `wish.count` and `wish.color`.

    Parameters
    ----------
    draws : the stream of this specimen.
    wish : place of the edit, colour and number. As published, state 0 is the base and the added
        object stands on a slot with y < -0.8.

    Returns
    -------
    Pair
        Of 5 to 7 objects (count + 3; as published count + 2 or + 3). The two edited objects of a
        state have equal shape, size and material; those added stand on one place, those removed
        at similar distance from the camera.

    Raises
    ------
    DataError
        When no placing is found.

    Examples
    --------
    >>> wish = Wish(quadrant="left far", color="red", other="red", count=2)
    >>> [len(state.base) for state in draw(Draws(1, "a"), wish).states]
    [5, 5]
    """
    for _ in range(TRIES):
        found = _attempt(draws, wish)
        if found is not None:
            return found
    raise no_room("count")


def _attempt(draws: Draws, wish: Wish) -> Pair | None:
    if wish.published:
        free = draws.pick(_FRONT)
        kept = draws.pick([slot for slot in range(len(SLOTS)) if slot != free])
    else:
        kept = draws.pick(SLOTS_IN[wish.quadrant])
        free = draws.pick(SLOTS_IN[OPPOSITE[wish.quadrant]])
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
    distractors = draws.pick(_DISTRACTORS) if wish.published else 3
    slots = rest[: wish.count + distractors - 2]
    others = company(draws, slots, (p, q, f))
    if others is None:
        return None
    return arranged(draws, wish, (p, q, f), others, distractors)


def arranged(
    draws: Draws,
    wish: Wish,
    matched: tuple[SceneObject, SceneObject, SceneObject],
    company: Sequence[SceneObject],
    distractors: int,
) -> Pair:
    """Deal colours and roles to objects that are placed.

    `matched` are the asked object that is removed, its twin, and the object that is added;
    state 0 has `distractors` objects of other colours, at least 2, and `wish.count` asked ones.
    """
    color = wish.color
    p, q, f = matched
    others = draws.shuffled(company)
    swing, apart, asked = others[0], others[1 : distractors - 1], others[distractors - 1 :]
    shared = (
        p,
        q,
        *(changed(one, color=unlike(draws, color)) for one in apart),
        *(changed(one, color=color) for one in asked),
    )
    few = (*shared, changed(swing, color=unlike(draws, color)))
    many = (*shared, changed(swing, color=color))
    stray = changed(f, color=unlike(draws, color))
    states = (
        _state(wish, 0, few, (*few, f), (*few, stray), ("f", "f"), f.x, f.y),
        _state(wish, 1, many, _without(many, "p"), _without(many, "q"), ("p", "q"), p.x, p.y),
    )
    query = Query(factor="count", color=color)
    return Pair(
        query=query,
        question=question_of(query),
        states=states,
        names=tuple(one.id for one in (*few, f)),
        facts={"color": color, "count": wish.count},
    )


def _state(
    wish: Wish,
    state: int,
    base: Objects,
    relevant: Objects,
    irrelevant: Objects,
    edited: tuple[str, str],
    x: float,
    y: float,
) -> State:
    variants = {"base": base, "relevant": relevant, "irrelevant": irrelevant}
    return State(
        value=("smaller", "larger")[state],
        text=str(wish.count + state),
        direction=("add", "remove")[state],
        base=base,
        relevant=relevant,
        irrelevant=irrelevant,
        queried={
            name: tuple(one.id for one in objects if one.color == wish.color)
            for name, objects in variants.items()
        },
        edited={"relevant": edited[:1], "irrelevant": edited[1:]},
        quadrant=quadrant(x, y),
    )


def _without(objects: Objects, name: str) -> Objects:
    return tuple(one for one in objects if one.id != name)


__all__ = ["arranged", "draw"]
