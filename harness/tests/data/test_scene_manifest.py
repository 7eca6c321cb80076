"""A manifest's pictures: read or rendered, and refused where they are not those of the manifest."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from harness.data import scene_manifest
from harness.data.load import load_dataset
from harness.data.manifest import pixel_digest
from harness.errors import DataError
from harness.scenes.render import render
from harness.scenes.rows import picture_name, row_of
from harness.scenes.scene import Scene, SceneObject
from harness.scenes.triplet import VARIANTS, Item, Query, Triplet
from harness.types import Dataset

SIZES = ("32x24", "16x12")
QUERY = Query(factor="attribute", shape="cube")
TEXTS: dict[str, Any] = {
    "query": QUERY, "question": "What color is the cube?", "candidates": ("blue", "red"),
}  # fmt: skip


def scene(cube: str, ball: str) -> Scene:
    common = {"material": "rubber", "size": "large", "y": 0.0}
    return Scene(
        objects=(
            SceneObject(id="o1", shape="cube", color=cube, x=-1.0, **common),
            SceneObject(id="o2", shape="sphere", color=ball, x=1.0, **common),
        )
    )


TRIPLET = Triplet(
    id="attr_000001",
    gold={"base": "B", "relevant": "A", "irrelevant": "B"},
    scenes={
        "base": scene("red", "red"), "relevant": scene("blue", "red"),
        "irrelevant": scene("red", "blue"),
    },
    queried=dict.fromkeys(VARIANTS, ("o1",)),
    edited={"relevant": ("o1",), "irrelevant": ("o2",)},
    design={"letter": "B"},
    **TEXTS,
)  # fmt: skip
ITEM = Item(
    id="static_attr_000001", gold="A", scene=scene("blue", "green"), queried=("o1",), **TEXTS
)


def picture(of: Scene, size: str) -> Image.Image:
    width, height = (int(side) for side in size.split("x"))
    return Image.fromarray(render(of, width=width, height=height).rgb)


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    def digests(of: Scene) -> dict[str, str]:
        return {size: pixel_digest(picture(of, size)) for size in SIZES}

    return [
        row_of(TRIPLET, {variant: digests(TRIPLET.scenes[variant]) for variant in VARIANTS}),
        row_of(ITEM, {"base": digests(ITEM.scene)}),
    ]


def read(folder: Path, rows: list[dict[str, Any]], split: str = "audit", **options: Any) -> Dataset:
    path = folder / "manifest.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(r) + "\n" for r in rows).encode("ascii")))
    return load_dataset("scenes", name="set", split=split, path=path, options=options)


def test_pictures_are_read_or_rendered_and_equal(
    tmp_path: Path, rows: list[dict[str, Any]]
) -> None:
    data = read(tmp_path, rows, size="32x24")
    first = data.examples[0]
    assert [e.id for e in data.examples] == [f"attr_000001:{v}" for v in VARIANTS]
    assert (first.kind, first.group, first.role, first.tags, first.gold, first.choices) == (
        "preference", "attr_000001", "base", ("attribute",), "B", ("blue", "red"),
    )  # fmt: skip
    seen = {e.id: data.open_image(e.media[0]) for e in data.examples}
    assert {key: pixel_digest(image) for key, image in seen.items()} == {
        e.id: e.media[0].sha256 for e in data.examples
    }
    (static,) = read(tmp_path, rows, "static", size="16x12").examples
    assert (static.id, static.group, static.role) == (ITEM.id, "", "")
    for key, image in seen.items():
        image.save(tmp_path / picture_name(key))
    stored = read(tmp_path, rows, size="32x24", image_root=tmp_path)
    assert stored.fingerprint == data.fingerprint
    assert stored.open_image(first.media[0]).tobytes() == seen[first.id].tobytes()
    # The folder has another size, so this one is rendered.
    small = read(tmp_path, rows, size="16x12", image_root=tmp_path)
    assert small.open_image(small.examples[0].media[0]).size == (16, 12)


def test_a_picture_of_other_pixels_is_refused(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    wrong = picture(TRIPLET.scenes["relevant"], "32x24")
    wrong.save(tmp_path / picture_name("attr_000001:base"))
    data = read(tmp_path, rows, size="32x24", image_root=tmp_path)
    with pytest.raises(DataError, match="attr_000001:base: .* the file in the image folder"):
        data.open_image(data.examples[0].media[0])
    altered = json.loads(json.dumps(rows))
    altered[0]["images"]["base"]["32x24"] = "0" * 64
    data = read(tmp_path, altered, size="32x24")
    with pytest.raises(DataError, match="expected pixels of digest 000000000000.* rendered here"):
        data.open_image(data.examples[0].media[0])


def test_faults_of_a_manifest(tmp_path: Path, rows: list[dict[str, Any]]) -> None:
    with pytest.raises(DataError, match="expected `size` in the study, .* 16x12, 32x24"):
        read(tmp_path, rows)
    with pytest.raises(DataError, match="expected a digest of size 64x48, found 32x24, 16x12"):
        read(tmp_path, rows, size="64x48")
    lacking = json.loads(json.dumps(rows))
    del lacking[0]["scenes"]["relevant"]
    with pytest.raises(DataError, match="record 1: .*attr_000001"):
        read(tmp_path, lacking, size="32x24")
    with pytest.raises(DataError, match="variant base stands 2 times"):
        read(tmp_path, [rows[0], rows[0]], size="32x24")
    kept = json.loads(json.dumps(rows))
    for golds in ({"relevant": "B"}, {"base": "A", "relevant": "B", "irrelevant": "A"}):
        kept[0]["gold"].update(golds)
        with pytest.raises(DataError, match="expected the gold letter [AB] by the recorded"):
            read(tmp_path, kept, size="32x24")
    data = read(tmp_path, rows, size="32x24")
    with pytest.raises(DataError, match="no picture 'x' in this split"):
        data.open_image(replace(data.examples[0].media[0], name="x"))


def test_opened_pictures_are_copies_and_bounded_by_bytes(
    tmp_path: Path, rows: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = read(tmp_path, rows, size="32x24")
    first = data.open_image(data.examples[0].media[0])
    first.putpixel((0, 0), (1, 2, 3))
    again = data.open_image(data.examples[0].media[0])
    assert pixel_digest(again) == data.examples[0].media[0].sha256
    for example in data.examples:
        data.open_image(example.media[0])
    pictures: Any = data.open_image.__self__  # type: ignore[attr-defined]
    sizes = {name: len(packed) for name, packed in pictures._kept.items()}
    assert len(sizes) == len(data.examples) and sum(sizes.values()) == pictures._n_bytes
    *_, older, last = sizes
    monkeypatch.setattr(scene_manifest, "CACHE_BYTES", sizes[older] + sizes[last])
    pictures._kept.pop(last)
    pictures._n_bytes -= sizes[last]
    data.open_image(data.examples[-1].media[0])
    assert list(pictures._kept) == [older, last]
    assert pictures._n_bytes == sizes[older] + sizes[last]


def test_pictures_outside_the_folder_are_never_opened(
    tmp_path: Path, rows: list[dict[str, Any]]
) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    picture(ITEM.scene, SIZES[0]).save(tmp_path / "outside.png")
    (folder / "link.png").symlink_to(tmp_path / "outside.png")
    for key in ("../outside", "link"):
        path = tmp_path / "set.jsonl"
        path.write_text(json.dumps(rows[1] | {"id": key}), encoding="utf-8")
        found = scene_manifest.scenes(
            path, "made", split="static", size=SIZES[0], image_root=folder
        )
        with pytest.raises(DataError, match="inside the image folder"):
            found.open_image(found.examples[0].media[0])
    with pytest.raises(DataError, match="at most"):
        path.write_text(
            json.dumps(rows[1] | {"images": {"base": {"4096x4096": "0" * 64}}}), encoding="utf-8"
        )
        scene_manifest.scenes(path, "made", split="static")
