"""Attribute: "What color is the cube?", with two colours as the candidates.

The states differ in the target's colour alone. Two other objects of its size and material have
one candidate colour each; the irrelevant edit recolours the one that starts as the target does,
so that the colours around the target never tell its own.
"""

from __future__ import annotations

from harness.scenes.draws import Draws
from harness.scenes.pair import Objects, Pair, State, Wish, changed
from harness.scenes.palette import SHAPES
from harness.scenes.placing import (
    TRIES,
    company,
    comparable,
    kind,
    no_room,
    seen_well,
    thing,
    together,
    unlike,
)
from harness.scenes.scene import SceneObject
from harness.scenes.slots import SAME_DEPTH_Y, SLOTS, SLOTS_IN, alike, quadrant
from harness.scenes.triplet import Query
from harness.scenes.wording import question_of

# The ten published colour changes, each from the base's colour to the edit's.
TRANSITIONS = (
    ("red", "blue"),
    ("blue", "red"),
    ("green", "yellow"),
    ("yellow", "green"),
    ("purple", "cyan"),
    ("cyan", "purple"),
    ("brown", "gray"),
    ("gray", "brown"),
    ("red", "yellow"),
    ("blue", "green"),
)
_NEAR = 1.6


def draw(draws: Draws, wish: Wish) -> Pair:
    """Draw a pair for the colours `wish.color` (state 0) and `wish.other` (state 1).

    Parameters
    ----------
    draws : the stream of this specimen.
    wish : place of the target and the two colours. As published, state 0 is the base, the two
        extra objects have colours of their own, and the recoloured objects stand in one row
        (|Δy| ≤ 0.35); otherwise they stand at similar distance from the camera.

    Returns
    -------
    Pair
        Of 4 objects; the target's shape occurs once.

    Raises
    ------
    DataError
        When no placing is found.

    Examples
    --------
    >>> wish = Wish(quadrant="left far", color="red", other="blue", count=2)
    >>> [state.text for state in draw(Draws(1, "a"), wish).states]
    ['red', 'blue']
    """
    for _ in range(TRIES):
        found = _attempt(draws, wish)
        if found is not None:
            return found
    raise no_room("attribute")


def _attempt(draws: Draws, wish: Wish) -> Pair | None:
    everywhere = range(len(SLOTS))
    own = draws.pick(everywhere if wish.published else SLOTS_IN[wish.quadrant])
    rest = draws.shuffled([slot for slot in everywhere if slot != own])
    if wish.published:
        near = [s for s in rest if abs(SLOTS[s][1] - SLOTS[own][1]) <= SAME_DEPTH_Y]
        twins = near[:1]
    else:
        twins = alike(own, rest, _NEAR)[:2]
    if len(twins) < (1 if wish.published else 2):
        return None
    first, second = wish.color, wish.other
    places = [SLOTS[slot] for slot in (own, *twins)]
    shape, material, size = kind(draws, places)
    shapes = [name for name in SHAPES if name != shape]
    target = thing(draws, "t", (shape, material, size), first, places[0])
    same = [
        thing(draws, name, (draws.pick(shapes), material, size), color, place)
        for name, color, place in zip(("m", "k"), (first, second), places[1:], strict=False)
    ]
    if not all(seen_well(one.shape, size, (one.x, one.y)) for one in same):
        return None
    if not all(comparable(target, one, recolor=True) for one in same):
        return None
    if not together((target, *same)):
        return None
    slots = [slot for slot in rest if slot not in twins][: 3 - len(same)]
    others = company(draws, slots, (target, *same), shapes)
    if others is None:
        return None
    extra = [changed(one, color=unlike(draws, first, second)) for one in others]
    shared = (*same, *extra)
    states = (
        _state(0, target, shared, "m", first, second),
        _state(1, changed(target, color=second), shared, same[-1].id, second, first),
    )
    query = Query(factor="attribute", shape=shape)
    return Pair(
        query=query,
        question=question_of(query),
        states=states,
        names=tuple(one.id for one in (target, *shared)),
        facts={"color": first, "other": second, "shape": shape},
    )


def _state(
    state: int, target: SceneObject, shared: Objects, matched: str, old: str, new: str
) -> State:
    return State(
        value=("first", "second")[state],
        text=old,
        direction=("forward", "back")[state],
        base=(target, *shared),
        relevant=(changed(target, color=new), *shared),
        irrelevant=(
            target,
            *(changed(one, color=new) if one.id == matched else one for one in shared),
        ),
        queried=dict.fromkeys(("base", "relevant", "irrelevant"), ("t",)),
        edited={"relevant": ("t",), "irrelevant": (matched,)},
        quadrant=quadrant(target.x, target.y),
    )


__all__ = ["TRANSITIONS", "draw"]
