"""The free sampler: three to ten objects anywhere, the camera and the lights moved a little."""

from __future__ import annotations

from dataclasses import replace

from harness import ids
from harness.errors import DataError
from harness.scenes import count, presence
from harness.scenes.draws import Draws
from harness.scenes.free_pairs import occlusion, spatial, valued
from harness.scenes.pair import Pair, Wish, triplet_of
from harness.scenes.palette import COLORS, MATERIALS, SHAPES, SIZES
from harness.scenes.placing import thing, unlike
from harness.scenes.room import Room
from harness.scenes.scene import LIGHTS, Camera, Light, Vector
from harness.scenes.slots import QUADRANTS
from harness.scenes.triplet import FREE_FACTORS, FREE_PREFIXES, Triplet

MASTER_SEED = 2026091245
LEAST, MOST = 3, 10
JITTER = 0.5
_RESTARTS = 4000
_CORNERS = tuple((letter, state) for letter in "AB" for state in (0, 1))


def free_triplet(factor: str, index: int, *, master_seed: int = MASTER_SEED) -> Triplet:
    """Draw a triplet by CLEVR's laws of placing (Johnson et al. 2017); equal arguments, equal one.

    Parameters
    ----------
    factor : one of `FREE_FACTORS`: the published four, "material" and "size" of a named object,
        and "occlusion": which of two overlapping objects is in front.
    index : from 0; the id is free_<prefix>_<six digits>.
    master_seed : of the whole sequence.

    Returns
    -------
    Triplet
        Of 3 to 10 objects in each scene (occlusion and spatial: at least 4), one camera and one
        set of lights, each coordinate moved by up to 0.5 from CLEVR's. Surfaces are at least 0.25
        apart, and centres at least 0.4 along each of the picture's ground directions; but the
        pairs of an occlusion item stand behind each other. Letter × base state is level in each
        4 indices from a multiple of 4.

    Raises
    ------
    DataError
        For an unknown factor, an index outside 0 … 999999, and where no placing is found.

    Examples
    --------
    >>> found = free_triplet("material", 3)
    >>> found.id, sorted(found.candidates)
    ('free_mate_000003', ['metal', 'rubber'])
    """
    if factor not in FREE_FACTORS:
        raise DataError(f"factor: expected one of {', '.join(FREE_FACTORS)}, found {factor!r}")
    if not 0 <= index <= 999_999:
        raise DataError(f"index: expected 0 to 999999, found {index}")
    draws = Draws(master_seed, "free", factor, index)
    corners = Draws(master_seed, "free", factor, "block", index // 4).shuffled(_CORNERS)
    letter, state = corners[index % 4]
    # Drawn once, since crowded scenes are drawn anew more often. An added object is the tenth.
    number = LEAST + draws.below(MOST - LEAST + (factor not in ("count", "presence")))
    for _ in range(_RESTARTS):
        pair = _attempt(draws, factor, number)
        if pair is not None:
            break
    else:
        raise DataError(
            f"free {factor}: expected room within {_RESTARTS} restarts, found none; use the next "
            "index or another master seed"
        )
    return triplet_of(
        pair,
        state,
        letter,
        name=f"free_{FREE_PREFIXES[factor]}_{index:06d}",
        seed=ids.seed(master_seed, "free", factor, "render", index) % 2**31,
        draws=draws,
    )


def _attempt(draws: Draws, factor: str, number: int) -> Pair | None:
    camera = Camera(position=_moved(draws, Camera().position))
    lights = tuple(_lit(draws, light) for light in LIGHTS)
    room = Room(draws, camera)
    colors = draws.shuffled(list(COLORS))
    wish = Wish(quadrant=QUADRANTS[0], color=colors[0], other=unlike(draws, colors[0]), count=1)
    pair = _pair(draws, factor, room, wish, number)
    return None if pair is None else replace(pair, camera=camera, lights=lights)


def _pair(draws: Draws, factor: str, room: Room, wish: Wish, number: int) -> Pair | None:
    if factor == "spatial":
        return spatial(draws, room, wish, number)
    if factor == "occlusion":
        return occlusion(draws, room, wish, number)
    if factor in ("attribute", "material", "size"):
        return valued(draws, room, wish, factor, number)
    look = (draws.pick(SHAPES), draws.pick(MATERIALS), draws.pick(tuple(SIZES)))
    matched = [room.put("g", look) for _ in range(3)]
    others = [room.put(f"x{place}") for place in range(number - 2)]
    if room.full:
        return None
    one, other, third = draws.shuffled(matched)
    p = thing(draws, "p", look, wish.color, (one.x, one.y))
    q = thing(draws, "q", look, unlike(draws, wish.color), (other.x, other.y))
    f = thing(draws, "f", look, wish.color, (third.x, third.y))
    if factor == "presence":
        return presence.arranged(draws, wish, (p, q, f), others)
    asked = 1 + draws.below(min(4, len(others)))
    wish = replace(wish, count=asked)
    return count.arranged(draws, wish, (p, q, f), others, len(others) - asked + 2)


def _moved(draws: Draws, place: Vector) -> Vector:
    x, y, z = (round(part + draws.between(-JITTER, JITTER), 4) for part in place)
    return x, y, z


def _lit(draws: Draws, light: Light) -> Light:
    return replace(light, position=_moved(draws, light.position))


__all__ = ["JITTER", "LEAST", "MASTER_SEED", "MOST", "free_triplet"]
