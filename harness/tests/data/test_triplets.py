"""Triplets of a user: what is read, what is refused, and what is kept where that is asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from harness import ids
from harness.data.load import load_dataset
from harness.errors import DataError
from harness.types import Dataset

VARIANTS = ("base", "relevant", "irrelevant")
COMMON = {"question": "What color is the cube?", "candidates": {"A": "blue", "B": "red"}}
GOLD = {"base": "B", "relevant": "A", "irrelevant": "B"}


def pictures(folder: Path, names: Sequence[str], size: tuple[int, int] = (4, 3)) -> None:
    for shade, name in enumerate(names):
        Image.new("RGB", size, (shade, 0, len(name))).save(folder / name)


def lines(triplet: str, **changes: Any) -> list[dict[str, Any]]:
    """One record a picture; a change by variant replaces fields, None drops the record."""
    rows = [
        {
            "item_id": f"{triplet}:{v}", "triplet_id": triplet, "variant": v, "factor": "attribute",
            "gold": GOLD[v], "image": f"{triplet}_{v}.png", **COMMON,
        }
        for v in VARIANTS
    ]  # fmt: skip
    return [row | (changes.get(row["variant"], {}) or {}) for row in rows
            if changes.get(row["variant"], {}) is not None]  # fmt: skip


def whole(triplet: str, **changes: Any) -> dict[str, Any]:
    """One record for a triplet."""
    return {
        "id": triplet, "factor": "attribute", **COMMON, "gold": GOLD,
        "images": {v: f"{triplet}_{v}.png" for v in VARIANTS},
    } | changes  # fmt: skip


STATIC = {
    "id": "s1", "question": "Is it red?", "candidate_a": "yes", "candidate_b": "no", "gold": "A",
    "image": "s1.png",
}  # fmt: skip
FILES = [f"t{i}_{v}.png" for i in (1, 2) for v in VARIANTS] + ["s1.png"]


def read(
    folder: Path, rows: Sequence[Mapping[str, Any]], split: str = "audit", **o: Any
) -> Dataset:
    path = folder / "set.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    options = {"image_root": folder} | o
    return load_dataset("triplets", name="mine", split=split, path=path, options=options)


def test_both_forms_of_a_record_give_the_same_examples(tmp_path: Path) -> None:
    pictures(tmp_path, FILES)
    by_picture = read(tmp_path, [STATIC, *lines("t1"), *lines("t2")])
    by_triplet = read(tmp_path, [whole("t1"), whole("t2"), STATIC])
    assert by_picture.examples == by_triplet.examples
    assert by_picture.fingerprint == by_triplet.fingerprint
    first = by_picture.examples[1]
    assert (first.id, first.group, first.role, first.tags) == (
        "t1:relevant", "t1", "relevant", ("attribute",),
    )  # fmt: skip
    assert (first.kind, first.choices, first.gold) == ("preference", ("blue", "red"), "A")
    assert first.media[0].sha256 == ids.file_digest(tmp_path / "t1_relevant.png")
    assert by_picture.open_image(first.media[0]).getpixel((0, 0)) == (1, 0, 15)
    (static,) = read(tmp_path, [STATIC, *lines("t1")], "static").examples
    assert (static.id, static.group, static.role, static.tags) == ("s1", "", "", ())
    assert static.choices == ("yes", "no")
    assert len(read(tmp_path, [STATIC, *lines("t1")], "all").examples) == 4


def test_every_fault_is_named(tmp_path: Path) -> None:
    pictures(tmp_path, FILES)
    other = {"question": "Which?"}
    cases: list[tuple[list[Any], str]] = [
        (lines("t1", relevant=None), "t1: expected the variants .*found none of relevant"),
        (lines("t1") + lines("t1")[:1], "variant base stands 2 times"),
        ([*lines("t1"), *lines("t2", base={"item_id": "t1:base"})], "t1:base: the id occurs 2"),
        (lines("t1", relevant=other), "t1: expected one question for all variants"),
        (lines("t1", base={"candidates": ["red", "blue"]}), "t1: expected one candidates"),
        (lines("t1", base={"factor": "count"}), "t1: expected one factor"),
        (lines("t1", relevant={"gold": "B"}), "t1: expected the relevant edit to change the gold"),
        (lines("t1", irrelevant={"gold": "A"}), "t1: expected the irrelevant edit to keep"),
        (lines("t1", base={"gold": "C"}), "record 1: t1:base: expected gold A or B, found 'C'"),
        (lines("t1", base={"variant": "before"}), "record 1: expected variant of base"),
        (lines("t1", base={"variant": None}), "record 1: expected variant as text"),
        (lines("t1", base={"triplet_id": None}), "record 1: expected triplet_id as text"),
        (lines("t1", base={"candidates": ["red"]}), "record 1: expected candidates A and B"),
        (lines("t1", base={"image": "no.png"}), "expected the picture 'no.png'"),
        (lines("t1", base={"image": "../x.png"}), "inside the image folder"),
        ([whole("t1", images={"base": "t1_base.png"})], "record 1: expected relevant as text"),
        ([whole("t1", gold={"after": "A"})], "record 1: expected gold by base, relevant"),
        ([{**STATIC, "id": None}], "record 1: expected item_id or id as text"),
    ]
    for rows, message in cases:
        with pytest.raises(DataError, match=message):
            read(tmp_path, rows, "all")
    with pytest.raises(DataError, match=r"2 fault\(s\)(.|\n)*t1: expected one factor(.|\n)*t2: "):
        read(tmp_path, [*lines("t1", base={"factor": "c"}), *lines("t2", relevant=None)])
    for split, message in (("test", "expected a split of audit"), ("static", "the split is empty")):
        with pytest.raises(DataError, match=message):
            read(tmp_path, lines("t1"), split)


def test_pictures_of_unequal_size_are_named(tmp_path: Path) -> None:
    pictures(tmp_path, FILES)
    pictures(tmp_path, ["t1_irrelevant.png"], size=(3, 4))
    with pytest.raises(DataError, match="t1: .* one size, found base 4x3, .*irrelevant 3x4"):
        read(tmp_path, lines("t1"))
    turned = Image.new("RGB", (3, 4))
    turned.save(tmp_path / "t1_irrelevant.png", exif=_orientation(6))
    assert len(read(tmp_path, lines("t1")).examples) == 3
    pictures(tmp_path, ["t1_irrelevant.png"], size=(3, 4))
    rest = read(tmp_path, [*lines("t1"), *lines("t2")], exclude=["t1"])
    assert {e.group for e in rest.examples} == {"t2"}
    with pytest.raises(DataError, match="exclude: expected ids of triplets or static items"):
        read(tmp_path, lines("t2"), exclude=["t9"])


def _orientation(value: int) -> Any:
    exif = Image.Exif()
    exif[0x0112] = value
    return exif


def test_incomplete_triplets_and_missing_pictures_are_kept_where_asked(tmp_path: Path) -> None:
    pictures(tmp_path, FILES)
    (tmp_path / "t2_base.png").unlink()
    (tmp_path / "t2_relevant.png").write_bytes(b"no picture")
    rows = [*lines("t1", irrelevant=None), *lines("t2")]
    with pytest.raises(DataError, match=r"2 fault\(s\)"):
        read(tmp_path, rows)
    kept = read(tmp_path, rows, incomplete="keep")
    assert [e.id for e in kept.examples if e.media[0].sha256 is None] == ["t2:base"]
    assert [e.role for e in kept.examples if e.group == "t1"] == ["base", "relevant"]
    for place, message in ((2, "found no readable file"), (3, "cannot be decoded")):
        with pytest.raises(DataError, match=message):
            kept.open_image(kept.examples[place].media[0])
    pictures(tmp_path, ["t1_base.png"], size=(5, 5))
    with pytest.raises(DataError, match="changed since it was hashed"):
        kept.open_image(kept.examples[0].media[0])


def test_without_a_folder_pictures_have_no_hash(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(json.dumps(whole("t1")), encoding="utf-8")
    data = load_dataset("triplets", name="mine", split="audit", path=path, options={})
    assert {e.media[0].sha256 for e in data.examples} == {None}
    with pytest.raises(DataError, match="set image_root"):
        data.open_image(data.examples[0].media[0])


def test_a_pool_asks_for_the_best_of_several(tmp_path: Path) -> None:
    pictures(tmp_path, ["p.png"])
    pool = {
        "pool_id": "p1", "factor": "count", "question": "Which?", "candidates": list("abcd"),
        "gold": "C", "image": "p.png",
    }  # fmt: skip
    found = read(tmp_path, [pool, STATIC], "pools").examples
    assert [(e.id, e.kind, e.group, e.role, e.gold, e.tags) for e in found] == [
        ("p1", "choice", "p1", "pool-4", "C", ("count",))
    ]
    text = (Path(__file__).parents[3] / "docs/interventions.md").read_text(encoding="utf-8")
    documented = json.loads(re.findall(r'^\{"pool_id".*$', text, flags=re.MULTILINE)[0])
    pictures(tmp_path, [documented["image"]])
    (example,) = read(tmp_path, [documented], "pools").examples
    assert (example.role, example.gold, example.tags) == ("pool-4", "B", ("count",))
    for change in ({"gold": "E"}, {"candidates": ["a"]}, {"candidates": {"A": "a", "B": "b"}}):
        with pytest.raises(DataError, match="p1: expected"):
            read(tmp_path, [pool | change], "pools")
