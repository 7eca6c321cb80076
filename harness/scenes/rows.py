"""Triplets and static items as JSON rows: the lines of a set's manifest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from harness.errors import DataError
from harness.scenes.scene import Scene, from_json
from harness.scenes.triplet import VARIANTS, Item, Query, Triplet

Hashes = Mapping[str, Mapping[str, str]]


def row_of(specimen: Triplet | Item, images: Hashes) -> dict[str, Any]:
    """One specimen as JSON values.

    Parameters
    ----------
    specimen : a triplet, or a static item (its one variant is "base").
    images : per variant and size, such as "320x240", the hash of its RGB pixels
        (`harness.data.manifest.pixel_digest`).
    """
    shared: dict[str, Any] = {
        "id": specimen.id,
        "factor": specimen.query.factor,
        "question": specimen.question,
        "candidates": list(specimen.candidates),
        "query": {key: value for key, value in asdict(specimen.query).items() if value is not None},
        "images": {variant: dict(sizes) for variant, sizes in images.items()},
    }
    if isinstance(specimen, Item):
        return {
            "kind": "static",
            **shared,
            "gold": {"base": specimen.gold},
            "queried": {"base": list(specimen.queried)},
            "design": dict(specimen.design),
            "scenes": {"base": specimen.scene.to_json()},
        }
    return {
        "kind": "triplet",
        **shared,
        "gold": dict(specimen.gold),
        "queried": {variant: list(found) for variant, found in specimen.queried.items()},
        "edited": {edit: list(found) for edit, found in specimen.edited.items()},
        "design": dict(specimen.design),
        "scenes": {variant: scene.to_json() for variant, scene in specimen.scenes.items()},
    }


def specimen_of(row: Mapping[str, Any]) -> tuple[Triplet | Item, Hashes]:
    """Read a row back, with the hashes of its pictures.

    Raises
    ------
    DataError
        For a missing or unknown field or variant, and for scenes that cannot be.
    """
    if not isinstance(row, Mapping):
        raise DataError(f"manifest: expected an object as a row, found {type(row).__name__}")
    try:
        kind, name = str(row["kind"]), str(row["id"])
        query = Query(**_query(row["query"]))
        wanted = VARIANTS if kind == "triplet" else ("base",)
        scenes = {variant: from_json(row["scenes"][variant]) for variant in wanted}
        a, b = (str(text) for text in row["candidates"])
        gold = {variant: str(row["gold"][variant]) for variant in wanted}
        queried = {variant: _names(row["queried"][variant]) for variant in wanted}
        images = {str(v): {str(s): str(h) for s, h in row["images"][v].items()} for v in wanted}
        faults = [f"gold of {v} {gold[v]!r}" for v in wanted if gold[v] not in ("A", "B")]
        faults += [f"variant {v!r}" for v in row["scenes"] if v not in wanted]
        if kind not in ("triplet", "static") or faults:
            raise ValueError("; ".join(faults) or f"kind {kind!r}")
        common: dict[str, Any] = {
            "id": name,
            "query": query,
            "question": str(row["question"]),
            "candidates": (a, b),
            "design": dict(row["design"]),
        }
        if kind == "static":
            return _static(common, gold, scenes, queried), images
        edited = {edit: _names(row["edited"][edit]) for edit in VARIANTS[1:]}
        return (
            Triplet(
                **common,
                gold=gold,
                scenes=scenes,
                queried=queried,
                edited=edited,
            ),
            images,
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"manifest row {str(row.get('id', '?'))!r}: expected a triplet or a static item as "
            f"`scenes make` writes it, found a fault: {type(error).__name__}: {error}"
        ) from error


def picture_name(item_id: str) -> str:
    """The file name of an item's picture.

    >>> picture_name("count_000001:base"), picture_name("static_count_000001")
    ('count_000001_base.png', 'static_count_000001.png')
    """
    return item_id.replace(":", "_") + ".png"


def _static(
    common: dict[str, Any],
    gold: Mapping[str, str],
    scenes: Mapping[str, Scene],
    queried: Mapping[str, tuple[str, ...]],
) -> Item:
    return Item(**common, gold=gold["base"], scene=scenes["base"], queried=queried["base"])


def _query(value: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(item) if isinstance(item, list) else item for key, item in value.items()}


def _names(value: Any) -> tuple[str, ...]:
    return tuple(str(name) for name in value)


__all__ = ["Hashes", "picture_name", "row_of", "specimen_of"]
