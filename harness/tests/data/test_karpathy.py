"""Karpathy's splits: ids in their published order, pairs by id, and every fault with its record."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.data.karpathy import CaptionSet, karpathy
from harness.errors import DataError


def coco() -> list[dict[str, Any]]:
    """Three images of the official layout, two of them in the test split."""
    records = []
    for imgid, (cocoid, split) in enumerate([(391895, "test"), (42, "train"), (60623, "test")]):
        sentids = [10 * imgid, 10 * imgid + 1]
        records.append(
            {
                "filepath": "val2014",
                "filename": f"COCO_val2014_{cocoid:012}.jpg",
                "cocoid": cocoid,
                "imgid": imgid,
                "split": split,
                "sentids": sentids,
                "sentences": [
                    {"raw": f"Caption {s}. ", "sentid": s, "imgid": imgid, "tokens": ["caption"]}
                    for s in sentids
                ],
            }
        )
    return records


def read(folder: Path, records: list[dict[str, Any]], split: str = "test") -> CaptionSet:
    path = folder / "dataset.json"
    path.write_text(json.dumps({"images": records, "dataset": "coco"}), encoding="utf-8")
    return karpathy(path, "coco", split=split)


def without(records: list[dict[str, Any]], *keys: str) -> list[dict[str, Any]]:
    return [{k: v for k, v in record.items() if k not in keys} for record in records]


def test_the_official_layout(tmp_path: Path) -> None:
    found = read(tmp_path, coco())
    assert [image.id for image in found.images] == ["391895", "60623"]
    assert found.images[0].file == "val2014/COCO_val2014_000000391895.jpg"
    assert [(c.id, c.image_id, c.text) for c in found.captions] == [
        ("0", "391895", "Caption 0."),
        ("1", "391895", "Caption 1."),
        ("20", "60623", "Caption 20."),
        ("21", "60623", "Caption 21."),
    ]
    assert found.pairs().i2t.of(1).tolist() == [2, 3]


def test_a_permuted_file_gives_the_same_pairs(tmp_path: Path) -> None:
    def joined(found: CaptionSet) -> set[tuple[str, str, str]]:
        return {(caption.id, caption.image_id, caption.text) for caption in found.captions}

    records = coco()
    expected = joined(read(tmp_path, records))
    for record in records:
        record["sentences"].reverse()
    assert joined(read(tmp_path, records[::-1])) == expected


@pytest.mark.parametrize(
    ("dropped", "ids"),
    [
        ((), ["391895", "60623"]),
        (("cocoid",), ["0", "2"]),
        (("cocoid", "imgid"), ["391895", "60623"]),  # of the file's name
        (("cocoid", "imgid", "filename"), ["0", "2"]),  # the place in the file
    ],
)
def test_an_image_id_is_the_first_there_is(
    dropped: tuple[str, ...], ids: list[str], tmp_path: Path
) -> None:
    assert [image.id for image in read(tmp_path, without(coco(), *dropped)).images] == ids
    named = [{**one, "image_id": f"n{k}"} for k, one in enumerate(without(coco(), *dropped))]
    if "imgid" in dropped:
        assert [image.id for image in read(tmp_path, named).images] == ["n0", "n2"]


def test_a_caption_id_is_the_first_there_is(tmp_path: Path) -> None:
    records = without(coco(), "sentids")
    for record in records:
        record["sentences"] = without(record["sentences"], "sentid")
    assert [c.id for c in read(tmp_path, records).captions][:2] == ["391895#0", "391895#1"]
    for record in records:
        for place, sentence in enumerate(record["sentences"]):
            sentence["id"] = f"{record['imgid']}-{place}"
    assert [c.id for c in read(tmp_path, records).captions][:2] == ["0-0", "0-1"]


def test_a_list_of_one_split_gzipped(tmp_path: Path) -> None:
    path = tmp_path / "test.json.gz"
    records = [
        {"image": "val2014/COCO_val2014_000000000042.jpg", "caption": ["One. ", "Two."]},
        {"image": "flickr30k-images/1000092795.jpg", "caption": "Alone."},
    ]
    path.write_bytes(gzip.compress(json.dumps(records).encode()))
    found = karpathy(path, "coco", split="test")
    assert [image.id for image in found.images] == ["42", "1000092795.jpg"]
    assert [(c.id, c.text) for c in found.captions] == [
        ("42#0", "One."),
        ("42#1", "Two."),
        ("1000092795.jpg#0", "Alone."),
    ]


def test_pictures_are_looked_for_where_a_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(json.dumps({"images": coco()}), encoding="utf-8")
    (tmp_path / "val2014").mkdir()
    (tmp_path / "val2014/COCO_val2014_000000391895.jpg").touch()
    with pytest.raises(DataError, match="1 fault.*\n.*'60623'.*no such file"):
        karpathy(path, "coco", split="test", image_root=tmp_path)
    (tmp_path / "val2014/COCO_val2014_000000060623.jpg").touch()
    assert len(karpathy(path, "coco", split="test", image_root=tmp_path).images) == 2


def changed(**fields: Any) -> Callable[[list[dict[str, Any]]], Any]:
    return lambda records: records[0].update(fields)


def sentence(**fields: Any) -> Callable[[list[dict[str, Any]]], Any]:
    return lambda records: records[0]["sentences"][1].update(fields)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (changed(sentences=[], sentids=[]), r"image '391895' \(record 1\): expected captions"),
        (changed(cocoid=60623), "image id '60623' stands twice"),
        (changed(cocoid=None), r"1 image record\(s\): expected a number or text as cocoid"),
        (lambda records: records[0].pop("cocoid"), "as cocoid, as others"),
        (sentence(sentid=20), "caption id '20' stands twice"),
        (sentence(sentid=5), "with the ids of sentids, found others"),
        (sentence(imgid=2), "caption 2 of image '391895'.*stands with another image"),
        (sentence(raw="  "), "expected a text as raw"),
        (sentence(raw=None), "expected a text as raw"),
        (lambda records: records[0]["sentences"][1].pop("sentid"), r"caption record\(s\)"),
        (changed(filename="../../x.jpg"), "below the image folder"),
        (changed(filepath="/root"), "below the image folder"),
        (changed(split="dev"), "in a split of train, restval, val, test, found 'dev'"),
        (lambda records: records[1].pop("split"), "found None"),
    ],
)
def test_every_fault_is_named(change: Any, fault: str, tmp_path: Path) -> None:
    records = coco()
    change(records)
    with pytest.raises(DataError, match=fault):
        read(tmp_path, records)


def test_a_split_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected a split of"):
        read(tmp_path, coco(), "dev")
    with pytest.raises(DataError, match="images of the split 'val', found none"):
        read(tmp_path, coco(), "val")


def test_images_that_are_no_list(tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    path.write_text('{"images": {"0": 1}}', encoding="utf-8")
    with pytest.raises(DataError, match="list of objects"):
        karpathy(path, "coco", split="test")
