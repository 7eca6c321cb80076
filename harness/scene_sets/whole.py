"""What holds of a set as a whole, and between sets: numbers, balance, nothing twice."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import DataError
from harness.scene_sets import croissant
from harness.scene_sets.freezing import MANIFEST, read_manifest
from harness.scene_sets.plan import Plan, read
from harness.scene_sets.specimen import PICTURES, item_id, scenes_of
from harness.scenes.balance import unbalanced
from harness.scenes.rows import Hashes, picture_name, specimen_of
from harness.scenes.triplet import Item, Triplet
from harness.types import Issue

Specimen = Triplet | Item


def check_whole(folders: Sequence[Path]) -> list[Issue]:
    """Check one or several made sets as wholes, from their files.

    Parameters
    ----------
    folders : of sets; more than one are also held to share nothing.

    Returns
    -------
    list of Issue
        "number" (of a factor), "unbalanced" (letter, value, direction or place), "stranger" (a
        file among the pictures that no row names), "metadata" (of another manifest), and "same_id",
        "same_picture" and "same_scene" (twice in the sets together; scenes by everything but the
        renderer's seed). Rows that cannot be read are left out: `check_set` names them.

    Raises
    ------
    DataError
        When a folder holds no set.
    """
    issues: list[Issue] = []
    places: dict[tuple[str, str], list[str]] = defaultdict(list)
    for folder in folders:
        plan = read(folder)
        made = list(_readable(read_manifest(folder / MANIFEST)))
        specimens = [specimen for specimen, _ in made]
        issues += [*_numbers(plan, specimens), *_files(folder, specimens)]
        for specimen, images in made:
            for code, mark, name in _marks(specimen, images):
                places[code, mark].append(f"{folder}: {name}")
    issues += [
        Issue(code, found[0], f"expected it once, found also {', '.join(found[1:])}")
        for (code, _), found in places.items()
        if len(found) > 1
    ]
    return issues


def _readable(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[Specimen, Hashes]]:
    for row in rows:
        try:
            yield specimen_of(row)
        except DataError:
            continue


def _numbers(plan: Plan, specimens: Sequence[Specimen]) -> list[Issue]:
    found = Counter(specimen.query.factor for specimen in specimens)
    issues = [
        Issue("number", name, f"expected {plan.n}, found {found[name]}")
        for name in dict.fromkeys((*plan.factors, *found))
        if found[name] != (plan.n if name in plan.factors else 0)
    ]
    if plan.exact and len({specimen.id for specimen in specimens}) == len(specimens):
        issues += unbalanced(specimens)
    return issues


def _files(folder: Path, specimens: Sequence[Specimen]) -> Iterator[Issue]:
    named = {picture_name(item_id(s, variant)) for s in specimens for variant in scenes_of(s)}
    held = sorted(path.name for path in (folder / PICTURES).glob("*"))
    for name in held:
        if name not in named:
            yield Issue("stranger", f"{PICTURES}/{name}", "expected pictures of the manifest alone")
    expected = ids.file_digest(folder / MANIFEST)
    try:
        found = json.loads((folder / croissant.NAME).read_text(encoding="ascii"))
        digest = found["distribution"][0]["sha256"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        digest = type(error).__name__
    if digest != expected:
        message = f"expected the manifest {expected[:16]}…, found {digest[:16]}"
        yield Issue("metadata", croissant.NAME, message)


def _marks(specimen: Specimen, images: Hashes) -> Iterator[tuple[str, str, str]]:
    yield "same_id", specimen.id, specimen.id
    for variant, scene in scenes_of(specimen).items():
        name = item_id(specimen, variant)
        yield "same_scene", replace(scene, seed=0).sha256, name
        for digest in images[variant].values():
            yield "same_picture", digest, name


__all__ = ["check_whole"]
