"""One specimen: drawn, rendered, verified from its pixels, its pictures saved."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.data.manifest import pixel_digest
from harness.scene_sets.plan import Plan, size_px
from harness.scenes.findings import Check, checked
from harness.scenes.free import MASTER_SEED, free_triplet
from harness.scenes.limits import Limits, limits_for
from harness.scenes.render import Rendered, render
from harness.scenes.rows import picture_name, row_of
from harness.scenes.sampler import static_item, triplet
from harness.scenes.scene import Scene
from harness.scenes.triplet import Item, Triplet
from harness.scenes.verify import verify_item, verify_triplet

if TYPE_CHECKING:
    from PIL.Image import Image

PICTURES = "images"
FREE_HIDDEN = 0.5


def make(plan: Plan, factor: str, index: int, folder: Path) -> dict[str, Any]:
    """Make specimen `index` of a factor; a PASS leaves its pictures in the folder.

    Returns
    -------
    dict
        The manifest row with `index`, `verdict` and `findings`; equal for equal plans.
    """
    specimen = drawn(plan, factor, index)
    scenes = scenes_of(specimen)
    width, height = size_px(plan.sizes[0])
    rendered = {name: render(scene, width=width, height=height) for name, scene in scenes.items()}
    check = verify(plan, specimen, rendered)
    images = {name: {plan.sizes[0]: pixel_digest(picture(r))} for name, r in rendered.items()}
    if check.verdict == "PASS":
        for size in plan.sizes[1:]:
            small = size_px(size)
            for name, scene in scenes.items():
                seen = render(scene, width=small[0], height=small[1])
                images[name][size] = pixel_digest(picture(seen))
        for name, seen in rendered.items():
            save(picture(seen), folder / PICTURES / picture_name(item_id(specimen, name)))
    return {
        **row_of(specimen, images),
        "index": index,
        "verdict": check.verdict,
        "findings": [str(finding) for finding in check.findings],
    }


def drawn(plan: Plan, factor: str, index: int) -> Triplet | Item:
    """Specimen `index` of a factor, as data."""
    if plan.kind == "static":
        return static_item(factor, index, master_seed=plan.seed)
    if plan.kind == "free":
        return free_triplet(
            factor, index, master_seed=MASTER_SEED if plan.seed is None else plan.seed
        )
    return triplet(factor, index, master_seed=plan.seed, direction=plan.direction)


def scenes_of(specimen: Triplet | Item) -> dict[str, Scene]:
    """Its scenes by variant."""
    return {"base": specimen.scene} if isinstance(specimen, Item) else dict(specimen.scenes)


def item_id(specimen: Triplet | Item, variant: str) -> str:
    """The id of one picture's item."""
    return specimen.id if isinstance(specimen, Item) else f"{specimen.id}:{variant}"


def verify(plan: Plan, specimen: Triplet | Item, rendered: dict[str, Rendered]) -> Check:
    """The check of its pictures, by the thresholds of their size and of the plan."""
    height, width = rendered["base"].rgb.shape[:2]
    limits = limits_of(plan, width, height)
    if isinstance(specimen, Item):
        found = verify_item(specimen, rendered["base"], limits=limits)
        return checked(specimen.id, found)
    return verify_triplet(specimen, rendered, limits=limits)


def limits_of(plan: Plan, width: int, height: int) -> Limits:
    """Thresholds for a picture size: those of the plan's direction, or those of free scenes.

    Free scenes are crowded, as CLEVR's are: objects may look close to each other, and one that is
    neither asked for nor edited may be hidden by up to `FREE_HIDDEN`. All else is as for audits.
    """
    limits = limits_for(width, height, "published" if plan.direction == "published" else "ours")
    if plan.kind != "free":
        return limits
    return replace(limits, disc_gap_px=-math.inf, visible_other=1 - FREE_HIDDEN)


def picture(rendered: Rendered) -> Image:
    """A rendering as a picture."""
    from PIL import Image

    return Image.fromarray(rendered.rgb)


def save(image: Image, path: Path) -> None:
    """Write a PNG at once: what stands under its name is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_suffix(".tmp")
    image.save(scratch, format="PNG")
    os.replace(scratch, path)


__all__ = [
    "FREE_HIDDEN",
    "PICTURES",
    "drawn",
    "item_id",
    "limits_of",
    "make",
    "picture",
    "save",
    "scenes_of",
    "verify",
]
