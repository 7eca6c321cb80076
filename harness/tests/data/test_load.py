import json
from pathlib import Path

import pytest

from harness.data.load import load_dataset
from harness.data.visual_shapes import visual_shapes
from harness.errors import DataError


def listing(folder: Path, names: list[str]) -> dict[str, object]:
    path = folder / "ids.jsonl"
    path.write_text("".join(json.dumps({"id": n}) + "\n" for n in names), encoding="utf-8")
    return {"ids": {"path": path, "where": {}}}


def test_embedded_readers_carry_the_studys_name() -> None:
    shapes = load_dataset("visual-shapes", name="s", split="val", path=None, options={})
    assert (shapes.name, shapes.split, len(shapes.examples)) == ("s", "val", 120)
    assert shapes.fingerprint == visual_shapes("val").fingerprint
    digits = load_dataset("digits", name="d", split="val", path=None, options={})
    assert (digits.name, digits.split, digits.examples[0].kind) == ("d", "val", "choice")


def test_a_declared_subset_has_its_own_fingerprint_and_the_sets_order(tmp_path: Path) -> None:
    whole = visual_shapes("val")
    names = [whole.examples[i].id for i in (7, 3)]
    part = load_dataset(
        "visual-shapes", name="s", split="val", path=None, options=listing(tmp_path, names)
    )
    assert [e.id for e in part.examples] == names[::-1]
    assert part.fingerprint != whole.fingerprint
    assert part.open_image(part.examples[0].media[0]).size == (32, 32)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["nobody"], "1 id.s. of ids.jsonl are not in the split: nobody"),
        (["visual-shapes-val-0001"] * 2, "listed more than once"),
        ([""], "record 1: expected an id under id or question_id, found ''"),
    ],
)
def test_faulty_listings_are_errors(tmp_path: Path, names: list[str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        load_dataset(
            "visual-shapes", name="s", split="val", path=None, options=listing(tmp_path, names)
        )


def test_bad_calls_are_errors(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="unknown reader 'coco'; expected one of: digits, "):
        load_dataset("coco", name="c", split="test", path=None, options={})
    with pytest.raises(DataError, match="expects no path"):
        load_dataset("digits", name="d", split="test", path=tmp_path, options={})
    with pytest.raises(DataError, match="expects the path of its file"):
        load_dataset("pope", name="p", split="random", path=None, options={})
    with pytest.raises(DataError, match="knows no option image_root; expected only: ids"):
        load_dataset("digits", name="d", split="t", path=None, options={"image_root": tmp_path})
    with pytest.raises(DataError, match="unknown split"):
        load_dataset("visual-shapes", name="s", split="tset", path=None, options={})
