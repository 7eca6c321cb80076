"""Spatial: "Is the red cube left of the blue sphere?", with yes and no as the candidates.

The first object, the referent, stands left (state 1) or right (state 0) of the second, and is
moved across. Two objects of its kind stand left and right in another row; the irrelevant edit
moves the one on the referent's side by the identical displacement, past the other one. So all but
the referent is the same in both states. The middle of either move lies beside the picture's by one
law, now inward and now outward, so that no picture tells which of the two edits it is.
"""

from __future__ import annotations

from harness.scenes.draws import Draws
from harness.scenes.pair import Objects, Pair, State, Wish, changed
from harness.scenes.palette import MATERIALS, SHAPES
from harness.scenes.placing import (
    TRIES,
    area,
    comparable,
    contrast,
    no_room,
    strong_as,
    thing,
    together,
)
from harness.scenes.scene import SceneObject
from harness.scenes.slots import LEFT_OF, at, awayness, leftness
from harness.scenes.triplet import Query
from harness.scenes.wording import question_of

# The published move is 4.8 along x, which is 3.15 along the camera's left; ours is that alone.
MOVE_X = 4.8
SHIFT = 3.15
# How far the middle of a move lies beside the picture's, so that two objects of the other row
# have room where one passes the other.
_ASIDE = {"small": (0.65, 0.8), "large": (1.0, 1.1)}
# How far behind the referent's row the anchor stands: clear of the shadows that fall along it.
_BEHIND = {
    ("small", "near"): (0.1, 0.4),
    ("small", "far"): (0.85, 1.15),
    ("large", "near"): (0.35, 0.6),
    ("large", "far"): (1.2, 1.4),
}
# The picture's middle lies a little right of the scene's.
_MIDDLE = -0.33
# Distance behind the scene's middle of the near and the far row; large objects need more room.
_SMALL_ROWS = {"near": (-2.1, -1.6), "far": (0.6, 1.0)}
_LARGE_ROWS = {"near": (-2.0, -1.7), "far": (1.3, 1.6)}
_KINDS = (("cube", "small"), ("sphere", "small"), ("cylinder", "small"), ("sphere", "large"))
_KEPT = 40
# Greatest ratio of the two edits, which are in rows of different distance.
_MOST = 1.85
# Published: two layouts, each the start of the referent, the anchor, the start of the distractor.
_LAYOUTS = (
    ((-2.4, -1.8), (-0.1, -1.9), (-2.4, 0.2)),
    ((-2.4, -1.8), (0.0, -1.8), (-2.4, 0.0)),
)


def left_of(one: SceneObject, other: SceneObject) -> bool:
    """The relation as CLEVR and the study have it, by the records: dot(difference, left) > 0.2."""
    return leftness(one.x - other.x, one.y - other.y) > LEFT_OF


def draw(draws: Draws, wish: Wish) -> Pair:
    """Draw a pair for a referent of `wish.color` and an anchor of `wish.other`.

    Parameters
    ----------
    draws : the stream of this specimen.
    wish : the two colours and the quadrant, whose depth is the referent's row and whose side the
        anchor's place. As published, state 1 is the base, the referent stands in the front row,
        and the move is 4.8 along x.

    Returns
    -------
    Pair
        Of 4 objects (as published 3); the displacement of both edits is the same vector.

    Raises
    ------
    DataError
        When no placing is found.

    Examples
    --------
    >>> wish = Wish(quadrant="left far", color="red", other="blue", count=2)
    >>> [left_of(s.base[0], s.base[1]) for s in draw(Draws(1, "a"), wish).states]
    [False, True]
    """
    # Kinds differ in how often they find room; so the kind is drawn first and kept for a while.
    look = draws.pick(_KINDS)
    for attempt in range(TRIES):
        if attempt % _KEPT == _KEPT - 1:
            look = draws.pick(_KINDS)
        found = _published(draws, wish) if wish.published else _attempt(draws, wish, look)
        if found is not None:
            return found
    raise no_room("spatial")


def _attempt(draws: Draws, wish: Wish, form: tuple[str, str]) -> Pair | None:
    side, depth = wish.quadrant.split()
    aside = draws.between(*_ASIDE[form[1]]) * (1 if side == "left" else -1)
    rows = _SMALL_ROWS if form[1] == "small" else _LARGE_ROWS
    row = draws.between(*rows[depth])
    behind = row + draws.between(*_BEHIND[form[1], depth])
    other = draws.between(*rows["near" if depth == "far" else "far"])
    middle = _MIDDLE + aside
    anchor = at(middle, behind)
    here = (at(middle - SHIFT / 2, row), at(middle + SHIFT / 2, row))
    # Both start outside and move inward, or the other way round, alike in both states.
    past = draws.between(*_ASIDE[form[1]]) * draws.pick((-1, 1)) + SHIFT / 2
    ends = (at(_MIDDLE - past, other), at(_MIDDLE + past, other))
    look = (form[0], draws.pick(MATERIALS), form[1])
    moved = [thing(draws, "a", look, wish.color, place) for place in here[:1]]
    moved.append(changed(moved[0], x=here[1][0], y=here[1][1]))
    still = _anchor(draws, wish, anchor)
    nearness = area(moved[0]) / area(thing(draws, "d", look, "gray", ends[0]))
    wanted = contrast(wish.color) * nearness

    def color() -> str:
        return strong_as(draws, wanted, wish.color, wish.other)

    apart = [
        thing(draws, name, look, color(), place)
        for name, place in zip(("d", "e"), ends, strict=True)
    ]
    if not all(
        comparable(one, other, recolor=True, most=_MOST) for one in moved for other in apart
    ):
        return None
    landed = [
        changed(one, x=one.x + to.x - from_.x, y=one.y + to.y - from_.y)
        for one, from_, to in zip(apart, moved, moved[::-1], strict=True)
    ]
    rooms = (
        (still, *moved, *apart),
        (still, *moved, landed[0], apart[1]),
        (still, *moved, apart[0], landed[1]),
    )
    if not all(together(room) for room in rooms):
        return None
    states = (
        _state(0, (*moved,), still, (apart[0], apart[1]), landed[0], wish.quadrant),
        _state(1, (*moved[::-1],), still, (apart[0], apart[1]), landed[1], wish.quadrant),
    )
    return _pair(wish, moved[0], still, states, ("d", "e"))


def _published(draws: Draws, wish: Wish) -> Pair | None:
    number = draws.below(len(_LAYOUTS))
    start, middle, apart = _LAYOUTS[number]
    end = (start[0] + MOVE_X, start[1])
    look = (draws.pick(("cube", "cylinder")), draws.pick(MATERIALS), "small")
    left = thing(draws, "a", look, wish.color, start)
    right = changed(left, x=end[0])
    still = _anchor(draws, wish, middle)
    tint = strong_as(draws, contrast(wish.color), wish.color, wish.other)
    one = thing(draws, "d", look, tint, apart)
    landed = changed(one, x=round(one.x + MOVE_X, 4))
    if not together((still, left, right, one)) or not together((still, left, right, landed)):
        return None
    quadrant = f"{'left' if leftness(*middle) > 0 else 'right'} " + (
        "far" if awayness(*start) > 0 else "near"
    )
    states = (
        _state(0, (right, left), still, (landed,), one, quadrant),
        _state(1, (left, right), still, (one,), landed, quadrant),
    )
    pair = _pair(wish, left, still, states, ("d",))
    return Pair(
        query=pair.query,
        question=pair.question,
        states=pair.states,
        names=pair.names,
        facts={**pair.facts, "layout": number},
    )


def _anchor(draws: Draws, wish: Wish, place: tuple[float, float]) -> SceneObject:
    return thing(
        draws, "b", (draws.pick(SHAPES), draws.pick(MATERIALS), "small"), wish.other, place
    )


def _state(
    state: int,
    moved: tuple[SceneObject, ...],
    still: SceneObject,
    apart: Objects,
    landed: SceneObject,
    quadrant: str,
) -> State:
    base = (moved[0], still, *apart)
    return State(
        value=("no", "yes")[state],
        text=("no", "yes")[state],
        direction=("leftward", "rightward")[state],
        base=base,
        relevant=(moved[1], still, *apart),
        irrelevant=(
            moved[0],
            still,
            *(landed if one.id == landed.id else one for one in apart),
        ),
        queried=dict.fromkeys(("base", "relevant", "irrelevant"), ("a", "b")),
        edited={"relevant": ("a",), "irrelevant": (landed.id,)},
        quadrant=quadrant,
    )


def _pair(
    wish: Wish,
    first: SceneObject,
    second: SceneObject,
    states: tuple[State, State],
    names: tuple[str, ...],
) -> Pair:
    query = Query(
        factor="spatial", first=(first.color, first.shape), second=(second.color, second.shape)
    )
    return Pair(
        query=query,
        question=question_of(query, published=wish.published),
        states=states,
        names=("a", "b", *names),
        facts={"color": wish.color, "other": wish.other},
    )


__all__ = ["MOVE_X", "SHIFT", "draw", "left_of"]
