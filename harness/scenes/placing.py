"""Objects put on slots: the matched ones first, then company wherever it fits."""

from __future__ import annotations

from collections.abc import Sequence

from harness.errors import DataError
from harness.scenes.draws import Draws
from harness.scenes.palette import COLORS, MATERIALS, SHAPES, SIZES
from harness.scenes.scene import SceneObject
from harness.scenes.slots import SLOTS, SLOTS_IN, alike, confusable, distance, fits, quadrant

TRIES = 2000
# Distance from the camera up to which a small one has 250 full pixels at 320 × 240.
_SMALL_UP_TO = {"cylinder": 13.0, "sphere": 11.9, "cube": 12.8}
_LARGE_SHARE = 0.7
_COMPANY_TRIES = 6

# As rendered, relative to a gray sphere: area of the silhouette for one size at one distance, and
# mean difference from the ground.
_AREA = {"cube": 0.97, "sphere": 1.0, "cylinder": 1.41}
_CONTRAST = {
    "gray": 1.0,
    "red": 1.26,
    "blue": 1.12,
    "green": 1.47,
    "brown": 1.26,
    "purple": 0.98,
    "cyan": 0.86,
    "yellow": 0.89,
}
_COMPARABLE = 1.6

Kind = tuple[str, str, str]


def kind(
    draws: Draws, slots: Sequence[tuple[float, float]], shapes: Sequence[str] = SHAPES
) -> Kind:
    """Shape, material and size for objects that are edited, large enough to be seen changing.

    A small one has at least 250 full pixels at 320 × 240 only near the camera.
    """
    shape, material = draws.pick(shapes), draws.pick(MATERIALS)
    large = draws.chance(_LARGE_SHARE)
    near = all(seen_well(shape, "small", slot) for slot in slots)
    return shape, material, "large" if large or not near else "small"


def seen_well(shape: str, size: str, place: tuple[float, float]) -> bool:
    """Whether an object there is large enough in the picture to be edited."""
    return size == "large" or distance(*place) <= _SMALL_UP_TO[shape]


def thing(
    draws: Draws, name: str, look: Kind, color: str, place: tuple[float, float]
) -> SceneObject:
    """An object of a kind with a random turn."""
    shape, material, size = look
    return SceneObject(
        id=name,
        shape=shape,
        color=color,
        material=material,
        size=size,
        x=place[0],
        y=place[1],
        turn_deg=draws.between(0.0, 359.9, 1),
    )


def area(one: SceneObject) -> float:
    """About how much of the picture the object takes; only ratios mean anything."""
    width = SIZES[one.size] / distance(one.x, one.y)
    return _AREA[one.shape] * width * width


def comparable(
    one: SceneObject, other: SceneObject, *, recolor: bool = False, most: float = _COMPARABLE
) -> bool:
    """Whether adding, removing or moving either changes the picture about as much.

    With `recolor` the edit is one change of colour on both, and only their areas count.
    """
    ratio = area(one) / area(other)
    shares = [ratio] if recolor else [ratio, ratio * _CONTRAST[one.color] / _CONTRAST[other.color]]
    return all(1 / most <= share <= most for share in shares)


def together(objects: Sequence[SceneObject]) -> bool:
    """Whether all objects are in the frame with room between them."""
    return all(fits(one, objects[:number]) for number, one in enumerate(objects))


def twin(draws: Draws, slot: int, *, published: bool) -> int:
    """A slot about as far away as `slot`; by our design as deep on the other side.

    So a twin stands in each quadrant as often as the object that it is a twin of.
    """
    side, depth = quadrant(*SLOTS[slot]).split()
    across = SLOTS_IN[f"{'right' if side == 'left' else 'left'} {depth}"]
    return draws.pick(alike(slot, range(len(SLOTS)) if published else across))


def company(
    draws: Draws,
    slots: Sequence[int],
    placed: Sequence[SceneObject],
    shapes: Sequence[str] = SHAPES,
) -> list[SceneObject] | None:
    """One gray object a slot, named x0, x1, …; None where one of them finds no room.

    The caller deals colours and roles to them, in an order that does not depend on the slots.
    """
    found: list[SceneObject] = []
    for number, slot in enumerate(slots):
        for attempt in range(_COMPANY_TRIES):
            size = "large" if attempt < _COMPANY_TRIES // 2 and draws.chance(0.5) else "small"
            look = (draws.pick(shapes), draws.pick(MATERIALS), size)
            one = thing(draws, f"x{number}", look, "gray", SLOTS[slot])
            if fits(one, [*placed, *found]):
                found.append(one)
                break
        else:
            return None
    return found


def unlike(draws: Draws, *colors: str) -> str:
    """A colour that nobody takes for one of `colors`."""
    return draws.pick(
        [name for name in COLORS if not any(confusable(name, other) for other in colors)]
    )


def strong_as(draws: Draws, wanted: float, *colors: str) -> str:
    """One of the two colours nearest to a contrast among those unlike all of `colors`."""
    left = [name for name in COLORS if not any(confusable(name, other) for other in colors)]
    return draws.pick(sorted(left, key=lambda name: abs(_CONTRAST[name] / wanted - 1))[:2])


def contrast(color: str) -> float:
    """Mean difference of a colour from the ground as rendered, relative to gray."""
    return _CONTRAST[color]


def no_room(factor: str) -> DataError:
    """The error for a pair that cannot be placed; the index then has no specimen."""
    return DataError(
        f"{factor}: expected room for all objects within {TRIES} tries, found none; use the next "
        "index or another master seed"
    )


__all__ = [
    "TRIES",
    "Kind",
    "area",
    "company",
    "comparable",
    "contrast",
    "kind",
    "no_room",
    "seen_well",
    "strong_as",
    "thing",
    "together",
    "twin",
    "unlike",
]
