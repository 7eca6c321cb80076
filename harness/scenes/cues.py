"""What a specimen shows besides the asked fact: the free variables that must not tell the label."""

from __future__ import annotations

from collections.abc import Iterator

from harness.scenes.palette import COLORS
from harness.scenes.scene import Scene, SceneObject
from harness.scenes.slots import awayness, leftness
from harness.scenes.triplet import Item, Triplet


def cues(specimen: Triplet | Item) -> dict[str, float]:
    """The free variables of a base picture and, for a triplet, of its two edits.

    The asked fact is left out: colours other than those of the text, and for a left/right
    question (`query.first`) the place of the first object and which side is edited.

    Returns
    -------
    dict
        Name → value. Counts of objects by kind; places in scene units along the camera's left
        and away from it; 0 or 1 for each colour that the question or a candidate names. The
        names are the same for all specimens of a factor.

    Examples
    --------
    >>> from harness.scenes.sampler import triplet
    >>> found = cues(triplet("count", 0, master_seed=1))
    >>> found["objects"], sorted(found)[:2]
    (6, ['away mean', 'away spread'])
    """
    scene = specimen.scenes["base"] if isinstance(specimen, Triplet) else specimen.scene
    found: dict[str, float] = dict(_kinds("", scene.objects))
    found["objects"] = len(scene.objects)
    sided = specimen.query.first is not None
    queried = specimen.queried["base"] if isinstance(specimen, Triplet) else specimen.queried
    shown = [one for one in scene.objects if not (sided and one.id == queried[0])]
    for name, along in (("left", leftness), ("away", awayness)):
        places = [along(one.x, one.y) for one in shown]
        middle = sum(places) / max(1, len(places))
        found[f"{name} mean"] = middle
        found[f"{name} spread"] = sum(abs(place - middle) for place in places)
    if isinstance(specimen, Triplet):
        for edit in ("relevant", "irrelevant"):
            one = _edited(specimen.scenes["base"], specimen.scenes[edit], specimen.edited[edit])
            found |= dict(_kinds(f"{edit} ", one))
            found[f"{edit} away"] = sum(awayness(thing.x, thing.y) for thing in one)
            if not sided:
                found[f"{edit} left"] = sum(leftness(thing.x, thing.y) for thing in one)
    words = f"{specimen.question} {' '.join(specimen.candidates)}"
    found |= {f"says {color}": float(color in words) for color in COLORS}
    return found


def _kinds(prefix: str, things: tuple[SceneObject, ...]) -> Iterator[tuple[str, float]]:
    yield f"{prefix}large", sum(one.size == "large" for one in things)
    yield f"{prefix}metal", sum(one.material == "metal" for one in things)
    for shape in ("cube", "sphere", "cylinder"):
        yield f"{prefix}{shape}", sum(one.shape == shape for one in things)


def _edited(base: Scene, other: Scene, names: tuple[str, ...]) -> tuple[SceneObject, ...]:
    here = {one.id: one for one in (*other.objects, *base.objects)}
    return tuple(here[name] for name in names)


__all__ = ["cues"]
