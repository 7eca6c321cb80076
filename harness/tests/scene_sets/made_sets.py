"""A small set made by the command, and faults planted in a copy of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from harness.data.manifest import pixel_digest
from harness.scene_sets import croissant
from harness.scene_sets.command import main
from harness.scene_sets.freezing import MANIFEST, read_manifest
from harness.scene_sets.plan import read, size_px
from harness.scene_sets.specimen import PICTURES
from harness.scenes.palette import COLORS
from harness.scenes.render import render
from harness.scenes.rows import picture_name
from harness.scenes.scene import Scene, SceneObject, from_json

SIZE = "96x72"
Row = dict[str, Any]
Fault = Callable[[Row, Path], Row]


def make(folder: Path) -> None:
    assert main(["make", str(folder), *choices(), "--jobs", "1"]) == 0


def choices(factor: str = "attribute", n: int = 8, size: str = SIZE) -> list[str]:
    return ["--factor", factor, "--n", str(n), "--size", size]


def content(folder: Path) -> dict[str, str]:
    """Manifest, tried rows and metadata as text, and each picture by its pixels."""
    names = (MANIFEST, "tried.jsonl", "croissant.json")
    texts = {name: (folder / name).read_text() for name in names}
    for path in sorted((folder / PICTURES).iterdir()):
        with Image.open(path) as image:
            texts[path.name] = pixel_digest(image)
    return texts


def planted(made: Path, folder: Path, faults: dict[str, Fault]) -> Path:
    """A copy with one fault in each named specimen; hashes and metadata follow the scenes."""
    shutil.copytree(made, folder)
    rows = [
        faults[row["id"]](row, folder) if row["id"] in faults else row
        for row in read_manifest(folder / MANIFEST)
    ]
    (folder / MANIFEST).write_text("".join(json.dumps(row) + "\n" for row in rows))
    croissant.write(read(folder), folder, rows)
    return folder


def picture(folder: Path, row: Row, variant: str) -> Path:
    name = row["id"] if row["kind"] == "static" else f"{row['id']}:{variant}"
    return folder / PICTURES / picture_name(name)


def redrawn(row: Row, folder: Path, change: Callable[[str, Scene], Scene]) -> Row:
    """The scenes changed, their pictures and hashes with them: only what is seen can tell."""
    size = read(folder).sizes[0]
    width, height = size_px(size)
    for variant, value in row["scenes"].items():
        scene = change(variant, from_json(value))
        image = Image.fromarray(render(scene, width=width, height=height).rgb)
        image.save(picture(folder, row, variant))
        row["scenes"][variant] = scene.to_json()
        row["images"][variant] = {size: pixel_digest(image)}
    return row


def swapped(scene: Scene, thing: SceneObject) -> Scene:
    """The scene with one of its objects changed."""
    return replace(scene, objects=tuple(thing if o.id == thing.id else o for o in scene.objects))


def bystander(row: Row) -> str:
    """An object that is not asked for and not edited."""
    named = {
        name for names in (*row["queried"].values(), *row["edited"].values()) for name in names
    }
    return min(o["id"] for o in row["scenes"]["base"]["objects"] if o["id"] not in named)


def hidden(row: Row, folder: Path) -> Row:
    """Another object stands before the one that is asked for."""
    target, other = row["queried"]["base"][0], bystander(row)

    def change(variant: str, scene: Scene) -> Scene:
        behind = next(o for o in from_json(row["scenes"]["base"]).objects if o.id == target)
        return swapped(scene, replace(scene[other], x=behind.x + 0.75, y=behind.y - 0.65))

    return redrawn(row, folder, change)


def recolored(row: Row, folder: Path) -> Row:
    """The object that is asked for has a third colour in the base picture."""
    target = row["queried"]["base"][0]
    color = next(name for name in COLORS if name not in (*row["candidates"], "gray", "purple"))

    def change(variant: str, scene: Scene) -> Scene:
        return swapped(scene, replace(scene[target], color=color)) if variant == "base" else scene

    return redrawn(row, folder, change)


def at_the_edge(row: Row, folder: Path) -> Row:
    """An object reaches the picture's border."""
    other = bystander(row)

    def change(variant: str, scene: Scene) -> Scene:
        return swapped(scene, replace(scene[other], x=-2.8, y=-3.4))

    return redrawn(row, folder, change)


def edited_twice(row: Row, folder: Path) -> Row:
    """The irrelevant edit recolours one more object."""
    other = bystander(row)

    def change(variant: str, scene: Scene) -> Scene:
        color = next(name for name in ("green", "cyan") if name != scene[other].color)
        edit = replace(scene[other], color=color)
        return swapped(scene, edit) if variant == "irrelevant" else scene

    return redrawn(row, folder, change)


def relabelled(row: Row, folder: Path) -> Row:
    row["gold"] = {v: "AB"[letter == "A"] for v, letter in row["gold"].items()}
    return row


def exchanged(row: Row, folder: Path) -> Row:
    """The pictures of two variants are in each other's place."""
    one, two = (picture(folder, row, variant) for variant in ("base", "relevant"))
    aside = one.with_suffix(".aside")
    one.rename(aside)
    two.rename(one)
    aside.rename(two)
    return row


def lost(row: Row, folder: Path) -> Row:
    picture(folder, row, "relevant").unlink()
    return row


def spotted(row: Row, folder: Path) -> Row:
    """One pixel of the irrelevant picture's upper left corner differs by one step."""
    path = picture(folder, row, "irrelevant")
    with Image.open(path) as image:
        rgb = np.array(image)
    rgb[0, 0, 0] += 1
    Image.fromarray(rgb).save(path)
    return row
