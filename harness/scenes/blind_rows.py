"""What a judge that may not see knows of a picture: counts and places, texts, and means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from harness.errors import DataError
from harness.scenes.palette import MATERIALS, SHAPES, SIZES
from harness.scenes.scene import Scene
from harness.scenes.triplet import Item, Triplet

if TYPE_CHECKING:
    from harness.scenes.classify import Features
    from harness.scenes.render import Rendered

Statistics = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, kw_only=True, slots=True)
class BlindRow:
    """One picture with what a blind judge may know of it.

    Attributes
    ----------
    group : the triplet or static item; rows of a group never split over folds.
    factor : of the question.
    features : by family ("scene", "text", "picture"): names to numbers or texts.
    targets : what should not be guessable: names to one of two labels.
    """

    group: str
    factor: str
    features: Mapping[str, Features]
    targets: Mapping[str, str]


def triplet_rows(
    triplets: Sequence[Triplet], statistics: Statistics | None = None
) -> tuple[BlindRow, ...]:
    """Rows for the base pictures, and a pair of rows for the two edits of each triplet.

    Base rows have the targets `letter` (gold) and `value` (which of the two candidates is
    right when they stand in a fixed order: smaller and larger number, no and yes, colours by
    name), which implies the direction of the relevant edit. Edit rows have the target `edit`:
    which of the two is the relevant one.

    Parameters
    ----------
    triplets : of any factors.
    statistics : of pictures by item id ("count_000001:base"), as `picture_statistics` gives
        them, with more (such as `file_bytes`) added freely. Without them there is no family
        "picture".

    Returns
    -------
    tuple of BlindRow
        The queried fact is masked: no colour of any object, and in left/right questions no
        place of a queried object. Edit rows hold how counts and picture statistics
        change from the base; places are left out, as moving is what some edits do.
    """
    rows = list(item_rows([triplet.item("base") for triplet in triplets], statistics))
    for triplet in triplets:
        base = _global_features(triplet.item("base"), statistics)
        for edit in ("relevant", "irrelevant"):
            after = _global_features(triplet.item(edit), statistics)
            rows.append(
                BlindRow(
                    group=triplet.id,
                    factor=triplet.query.factor,
                    features={family: _change(base[family], after[family]) for family in after},
                    targets={"edit": edit},
                )
            )
    return tuple(rows)


def item_rows(items: Sequence[Item], statistics: Statistics | None = None) -> tuple[BlindRow, ...]:
    """Rows for single pictures; see `triplet_rows`."""
    return tuple(
        BlindRow(
            group=item.id.partition(":")[0],
            factor=item.query.factor,
            features=_item_features(item, statistics),
            targets={"letter": item.gold, "value": _value(item)},
        )
        for item in items
    )


def picture_statistics(rendered: Rendered) -> dict[str, float]:
    """What a picture shows at a glance: mean channels, number of objects, their total area.

    Returns
    -------
    dict of str to float
        `red`, `green`, `blue` in [0, 255]; `objects` that show anywhere; `object_share` of the
        pixels.
    """
    red, green, blue = (float(value) for value in rendered.rgb.mean(axis=(0, 1)))
    return {
        "red": red,
        "green": green,
        "blue": blue,
        "objects": float(len(np.unique(rendered.ids[rendered.ids >= 0]))),
        "object_share": float((rendered.ids >= 0).mean()),
    }


def _item_features(item: Item, statistics: Statistics | None) -> dict[str, Features]:
    hidden = item.queried if item.query.factor == "spatial" else ()
    return {
        "scene": {**_counts(item.scene), **_places(item.scene, hidden)},
        "text": {"question": item.question, "A": item.candidates[0], "B": item.candidates[1]},
        **_picture(item.id, statistics),
    }


def _global_features(item: Item, statistics: Statistics | None) -> dict[str, Features]:
    return {"scene": _counts(item.scene), **_picture(item.id, statistics)}


def _picture(item_id: str, statistics: Statistics | None) -> dict[str, Features]:
    if statistics is None:
        return {}
    if item_id not in statistics:
        raise DataError(f"expected picture statistics of {item_id}, found none")
    return {"picture": statistics[item_id]}


def _counts(scene: Scene) -> dict[str, float]:
    found = {"objects": float(len(scene.objects))}
    for name, values in (("shape", SHAPES), ("material", MATERIALS), ("size", tuple(SIZES))):
        for value in values:
            found[value] = float(sum(getattr(thing, name) == value for thing in scene.objects))
    return found


def _places(scene: Scene, hidden: Sequence[str]) -> dict[str, float]:
    """How the objects that are not hidden are spread over the ground."""
    placed = [thing for thing in scene.objects if thing.id not in hidden]
    found: dict[str, float] = {}
    for axis in ("x", "y"):
        values = [getattr(thing, axis) for thing in placed] or [0.0]
        mean = sum(values) / len(values)
        found |= {
            f"{axis}_mean": mean,
            f"{axis}_spread": math.sqrt(sum((v - mean) ** 2 for v in values) / len(values)),
            f"{axis}_low": min(values),
            f"{axis}_high": max(values),
        }
    return found


def _change(before: Features, after: Features) -> dict[str, float]:
    return {
        name: float(value) - float(before.get(name, 0.0))
        for name, value in after.items()
        if not isinstance(value, str)
    }


def _value(item: Item) -> str:
    right = item.candidates["AB".index(item.gold)]
    numbers = all(text.strip().isdecimal() for text in item.candidates)
    ordered = sorted(item.candidates, key=(lambda text: int(text)) if numbers else None)
    return "second" if right == ordered[1] else "first"


__all__ = ["BlindRow", "item_rows", "picture_statistics", "triplet_rows"]
