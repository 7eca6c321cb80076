import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from harness import ids
from harness.data.load import load_dataset
from harness.data.pope import pope
from harness.data.records import read_records
from harness.errors import DataError
from harness.results import cell_metrics
from harness.scoring import score
from harness.types import Response


def row(number: int, label: str = "yes", **fields: Any) -> dict[str, Any]:
    return {
        "question_id": number, "image": "a.png", "text": f"Is it {number}?", "label": label,
    } | fields  # fmt: skip


def write(folder: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path = folder / "coco_pope_x.json"
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return path


def test_examples_are_as_in_the_file(tmp_path: Path) -> None:
    dataset = pope(write(tmp_path, [row(2), row(1, "no")]), "pope-x", split="x")
    first, second = dataset.examples
    assert (first.id, first.kind, first.question, first.gold) == ("2", "yesno", "Is it 2?", "yes")
    assert (second.id, second.gold) == ("1", "no")
    assert (first.media[0].name, first.media[0].sha256) == ("a.png", None)
    assert (dataset.name, dataset.split, dataset.claim_level) == ("pope-x", "x", "L2")
    with pytest.raises(DataError, match="names no image folder"):
        dataset.open_image(first.media[0])


def test_pictures_are_hashed_and_opened(tmp_path: Path) -> None:
    Image.new("L", (2, 2), 7).save(tmp_path / "a.png")
    path = write(tmp_path, [row(1)])
    dataset = pope(path, "p", split="x", image_root=tmp_path)
    media = dataset.examples[0].media[0]
    assert media.sha256 == ids.file_digest(tmp_path / "a.png")
    assert dataset.open_image(media).getpixel((0, 0)) == (7, 7, 7)
    Image.new("L", (2, 2), 8).save(tmp_path / "a.png")
    assert pope(path, "p", split="x", image_root=tmp_path).fingerprint != dataset.fingerprint


def test_faults_are_listed_together(tmp_path: Path) -> None:
    bad = [row(1), row(1, "maybe"), row(2, "Yes")]
    with pytest.raises(DataError) as caught:
        pope(write(tmp_path, bad), "p", split="x")
    for part in ("3 fault(s)", "1: the id occurs 2 times", "gold 'maybe'", "gold 'Yes'"):
        assert part in str(caught.value)
    fields = [row(1, text=""), row(2, image="../b.png"), {"question_id": None}]
    with pytest.raises(DataError) as caught:
        pope(write(tmp_path, fields), "p", split="x")
    for part in (
        "6 fault(s)",
        "record 1: expected text as text, found ''",
        "record 2: expected image as a bare file name",
        "record 3: expected question_id as a number or text, found None",
    ):
        assert part in str(caught.value)
    with pytest.raises(DataError, match=r"picture 'a.png': expected it in the image folder"):
        pope(write(tmp_path, [row(1)]), "p", split="x", image_root=tmp_path)


def test_a_torn_line_and_an_empty_file_are_errors(tmp_path: Path) -> None:
    path = write(tmp_path, [row(1), row(2)])
    path.write_text(path.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    with pytest.raises(DataError, match=r"coco_pope_x.json:2: "):
        pope(path, "p", split="x")
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(DataError, match="the split is empty"):
        pope(path, "p", split="x")


@pytest.mark.reference
@pytest.mark.parametrize(
    ("split", "n", "counts", "f1_percent"),
    [
        ("random", 2910, (1182, 31, 1379, 318), 87.14),
        ("popular", 3000, (1182, 59, 1441, 318), 86.25),
        ("adversarial", 3000, (1182, 117, 1383, 318), 84.46),
    ],
)
def test_published_answers_give_the_published_figures(
    split: str, n: int, counts: tuple[int, ...], f1_percent: float
) -> None:
    folder = os.environ.get("HARNESS_DATA")
    assert folder, "HARNESS_DATA: expected the folder of real data, found it unset"
    answers = Path(folder) / "pope/predictions_llava-v1.5-13b.jsonl.gz"
    dataset = load_dataset(
        "pope",
        name=f"pope-{split}",
        split=split,
        path=Path(folder) / f"pope/coco_pope_{split}.json",
        options={"ids": {"path": answers, "where": {"split": split}}},
    )
    text = {str(r["question_id"]): r["prediction"] for r in read_records(answers, {"split": split})}
    scores = [
        score(e, Response(example_id=e.id, status="ok", text=text[e.id])) for e in dataset.examples
    ]
    metrics = cell_metrics(dataset.examples, scores)
    assert len(scores) == n
    assert tuple(metrics[k] for k in ("tp", "fp", "tn", "fn")) == counts
    assert metrics["f1"] is not None
    assert round(100 * metrics["f1"], 2) == f1_percent
    assert metrics["parse_rate"] == 1.0
