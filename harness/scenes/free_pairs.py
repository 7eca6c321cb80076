"""Pairs of the free sampler that the published one has no law for."""

from __future__ import annotations

from harness.scenes.draws import Draws
from harness.scenes.pair import Objects, Pair, State, Wish, changed
from harness.scenes.palette import COLORS, MATERIALS, SHAPES, SIZES
from harness.scenes.placing import contrast, strong_as, thing, unlike
from harness.scenes.room import Room
from harness.scenes.scene import SceneObject
from harness.scenes.slots import quadrant
from harness.scenes.triplet import Query
from harness.scenes.wording import question_of

_STEP = (2.0, 3.2)
_BETWEEN = 0.6
_BEHIND = (0.3, 0.6)
_VARIANTS = ("base", "relevant", "irrelevant")


def valued(draws: Draws, room: Room, wish: Wish, factor: str, number: int) -> Pair | None:
    """Colour, material or size of one object; two others have one of the two values each.

    The target is the only one of its shape (colour), or of its colour and shape.
    """
    field = "color" if factor == "attribute" else factor
    values = {
        "color": (wish.color, wish.other),
        "material": MATERIALS,
        "size": tuple(SIZES),
    }[field]
    first, second = draws.shuffled(values)
    # Room is made for the larger size, whichever comes first.
    look = (draws.pick(SHAPES), draws.pick(MATERIALS), "large")
    places = draws.shuffled([room.put("g", look) for _ in range(3)])
    others = [room.put(f"x{place}") for place in range(number - 3)]
    if room.full:
        return None
    shape, size = look[0], look[2] if field == "size" else draws.pick(tuple(SIZES))
    rest = [name for name in SHAPES if name != shape]
    kind = (shape, look[1], size)
    target = thing(draws, "t", kind, wish.color, (places[0].x, places[0].y))
    twins = [
        thing(
            draws,
            name,
            kind if field != "color" else (draws.pick(rest), *kind[1:]),
            unlike(draws, wish.color),
            (place.x, place.y),
        )
        for name, place in zip(("m", "k"), places[1:], strict=True)
    ]
    shared = tuple(
        changed(one, **{field: value}) for one, value in zip(twins, (first, second), strict=True)
    ) + tuple(_dealt(draws, one, shape, wish.color, unique=field == "color") for one in others)

    def state(number: int, old: str, new: str) -> State:
        here = changed(target, **{field: old})
        twin = "mk"[number]
        return _state(
            ("first", "second")[number],
            old,
            ("forward", "back")[number],
            (here, *shared),
            (changed(here, **{field: new}), *shared),
            (here, *(changed(o, **{field: new}) if o.id == twin else o for o in shared)),
            ("t",),
            ("t", twin),
            here,
        )

    query = Query(factor=factor, shape=shape, color=None if field == "color" else wish.color)
    return Pair(
        query=query,
        question=question_of(query),
        states=(state(0, first, second), state(1, second, first)),
        names=tuple(one.id for one in (target, *shared)),
        facts={"first": first, "second": second, "objects": 1 + len(shared)},
    )


def spatial(draws: Draws, room: Room, wish: Wish, number: int) -> Pair | None:
    """Left or right of another object; a twin on either side can make the identical move."""
    step = draws.between(*_STEP)
    right = (-step * room.left[0], -step * room.left[1])
    look = (draws.pick(SHAPES), draws.pick(MATERIALS), draws.pick(tuple(SIZES)))
    still = room.put("b", None, wish.other)
    ways = []
    for name, sign in (("a", 1), ("d", 1), ("e", -1)):
        start = room.put(name, look)
        end = changed(start, x=start.x + sign * right[0], y=start.y + sign * right[1])
        room.placed.pop()
        if room.full or not room.put_all([start, end]):
            return None
        ways.append((start, end))
    others = [room.put(f"x{place}") for place in range(max(0, number - 6))]
    (left, moved), (d, d_end), (e, e_end) = ways
    if room.full or room.lateral(left, still) < _BETWEEN or room.lateral(moved, still) > -_BETWEEN:
        return None
    left, moved = changed(left, color=wish.color), changed(moved, color=wish.color)
    phrases = ((left.color, left.shape), (still.color, still.shape))
    tints = [strong_as(draws, contrast(wish.color), wish.color, wish.other) for _ in range(2)]
    d, d_end = changed(d, color=tints[0]), changed(d_end, color=tints[0])
    e, e_end = changed(e, color=tints[1]), changed(e_end, color=tints[1])
    shared = (still, *(_other(draws, one, phrases) for one in others))

    def state(number: int) -> State:
        here, there = (left, moved) if number else (moved, left)
        twins = (d_end, e) if number else (d, e_end)
        return _state(
            ("no", "yes")[number],
            ("no", "yes")[number],
            ("leftward", "rightward")[number],
            (here, d, e, *shared),
            (there, d, e, *shared),
            (here, *twins, *shared),
            ("a", "b"),
            ("a", "ed"[number]),
            here,
        )

    query = Query(factor="spatial", first=phrases[0], second=phrases[1])
    return Pair(
        query=query,
        question=question_of(query),
        states=(state(0), state(1)),
        names=("a", "d", "e", *(one.id for one in shared)),
        facts={"step": step, "objects": 3 + len(shared)},
    )


def occlusion(draws: Draws, room: Room, wish: Wish, number: int) -> Pair | None:
    """Which of two overlapping objects is in front; two others overlap likewise and swap too."""
    look = (draws.pick(SHAPES), draws.pick(MATERIALS), "large")
    rows = []
    for names in ("ab", "de"):
        front = room.put(names[0], look)
        gap = 2 * SIZES["large"] + draws.between(*_BEHIND)
        aside = draws.pick((-1, 1)) * draws.between(0.15, 0.45)
        back = changed(
            front,
            id=names[1],
            x=front.x + gap * room.away[0] + aside * room.left[0],
            y=front.y + gap * room.away[1] + aside * room.left[1],
        )
        own = room.placed.pop()
        if room.full or not room.put_all([own, back]):
            return None
        rows.append((front, back))
    others = [room.put(f"x{place}") for place in range(max(0, number - 4))]
    if room.full:
        return None
    a, b = (changed(o, color=c) for o, c in zip(rows[0], (wish.color, wish.other), strict=True))
    d, e = (changed(o, color=unlike(draws, wish.color, wish.other)) for o in rows[1])
    while d.color == e.color:
        e = changed(e, color=draws.pick([c for c in COLORS if c not in (wish.color, wish.other)]))
    phrases = ((a.color, a.shape), (b.color, b.shape))
    shared = tuple(_other(draws, one, phrases) for one in others)

    def state(number: int) -> State:
        here, there = ((a, b), _swapped(a, b)) if number == 0 else (_swapped(a, b), (a, b))
        return _state(
            ("first", "second")[number],
            " ".join(phrases[number]),
            ("forward", "back")[number],
            (*here, d, e, *shared),
            (*there, d, e, *shared),
            (*here, *_swapped(d, e), *shared),
            ("a", "b"),
            ("ab", "de"),
            here[number],
        )

    query = Query(factor="occlusion", first=phrases[0], second=phrases[1])
    return Pair(
        query=query,
        question=question_of(query),
        states=(state(0), state(1)),
        names=("a", "b", "d", "e", *(one.id for one in shared)),
        facts={"objects": 4 + len(shared)},
    )


def _swapped(one: SceneObject, other: SceneObject) -> Objects:
    return changed(one, x=other.x, y=other.y), changed(other, x=one.x, y=one.y)


def _dealt(draws: Draws, one: SceneObject, shape: str, color: str, *, unique: bool) -> SceneObject:
    """A colour, and where needed another shape, that keep the target's phrase unique."""
    if unique and one.shape == shape:
        one = changed(one, shape=draws.pick([name for name in SHAPES if name != shape]))
    if one.shape == shape:
        return changed(one, color=unlike(draws, color))
    return changed(one, color=draws.pick(tuple(COLORS)))


def _other(
    draws: Draws, one: SceneObject, phrases: tuple[tuple[str, str], tuple[str, str]]
) -> SceneObject:
    taken = [color for color, shape in phrases if shape == one.shape]
    return changed(one, color=unlike(draws, *taken) if taken else draws.pick(tuple(COLORS)))


def _state(
    value: str,
    text: str,
    direction: str,
    base: Objects,
    relevant: Objects,
    irrelevant: Objects,
    queried: tuple[str, ...],
    edited: tuple[str, str],
    target: SceneObject,
) -> State:
    return State(
        value=value,
        text=text,
        direction=direction,
        base=base,
        relevant=relevant,
        irrelevant=irrelevant,
        queried=dict.fromkeys(_VARIANTS, queried),
        edited={"relevant": tuple(edited[0]), "irrelevant": tuple(edited[1])},
        quadrant=quadrant(target.x, target.y),
    )


__all__ = ["occlusion", "spatial", "valued"]
