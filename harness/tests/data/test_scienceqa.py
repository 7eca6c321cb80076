"""ScienceQA's official folder and its files of problems, read and refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from harness import ids
from harness.data.load import load_dataset
from harness.data.scienceqa import scienceqa
from harness.errors import DataError
from harness.results import cell_metrics
from harness.scoring import score
from harness.types import Response

SPLITS = {"train": ["1"], "val": ["2"], "test": ["4", "3"], "minitest": ["3"]}


def problem(split: str = "test", **fields: Any) -> dict[str, Any]:
    return {
        "question": "Which?", "choices": ["a", "b", "c"], "answer": 1, "hint": "", "image": None,
        "subject": "natural science", "split": split,
    } | fields  # fmt: skip


def problems() -> dict[str, dict[str, Any]]:
    return {
        "1": problem("train"),
        "2": problem("val"),
        "3": problem(image="image.png", hint="A picture is shown."),
        "4": problem(answer=0, subject="social science"),
    }


def write(
    folder: Path, found: dict[str, dict[str, Any]] | None = None, splits: Any = SPLITS
) -> Path:
    text = json.dumps(problems() if found is None else found)
    (folder / "problems.json").write_text(text, encoding="utf-8")
    (folder / "pid_splits.json").write_text(json.dumps(splits), encoding="utf-8")
    return folder


def picture(path: Path, shade: int = 7) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", (2, 2), shade).save(path)
    return path


def faults(*args: Any, **options: Any) -> str:
    with pytest.raises(DataError) as caught:
        scienceqa(*args, **{"split": "test"} | options)
    return str(caught.value)


def test_the_order_is_that_of_the_splits(tmp_path: Path) -> None:
    dataset = scienceqa(write(tmp_path), "sqa", split="test")
    text, image = dataset.examples
    assert (text.id, text.kind, text.gold, text.media) == ("4", "choice", "A", ())
    assert (text.question, text.tags) == ("Which?", ("text", "social science"))
    assert (image.id, image.gold, image.tags) == ("3", "B", ("image", "natural science"))
    assert image.question == "A picture is shown.\n\nWhich?"
    assert (image.media[0].name, image.media[0].sha256) == ("test/3/image.png", None)
    assert (dataset.name, dataset.split, dataset.claim_level) == ("sqa", "test", "L2")
    with pytest.raises(DataError, match="names no image folder"):
        dataset.open_image(image.media[0])
    bare = scienceqa(tmp_path, "sqa", split="test", hint=False)
    assert bare.examples[1].question == "Which?"
    assert bare.fingerprint != dataset.fingerprint
    mini = scienceqa(tmp_path, "sqa", split="minitest")
    assert mini.examples == (image,)


def test_a_split_of_two_others_keeps_their_folders(tmp_path: Path) -> None:
    found = problems()
    found["2"]["image"] = "image.png"
    both = {"train": ["1"], "val": ["2"], "trainval": ["1", "2"]}
    picture(tmp_path / "images/val/2/image.png")
    dataset = scienceqa(
        write(tmp_path, found, both), "s", split="trainval", image_root=tmp_path / "images"
    )
    assert [e.id for e in dataset.examples] == ["1", "2"]
    assert dataset.examples[1].media[0].name == "val/2/image.png"
    both["trainval"] = ["3"]
    assert "3: assigned to trainval, but its own split is 'test'" in faults(
        write(tmp_path, found, both), "s", split="trainval"
    )


def test_a_file_of_problems_alone_gives_its_own_split(tmp_path: Path) -> None:
    whole = scienceqa(write(tmp_path), "sqa", split="test")
    packed = tmp_path / "p.json.gz"
    packed.write_bytes(gzip.compress(json.dumps(problems()).encode()))
    lines = tmp_path / "p.jsonl"
    rows = [{"id": int(key), **p} for key, p in problems().items()]
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    for path in (packed, lines):
        alone = scienceqa(path, "sqa", split="test")
        assert [e.id for e in alone.examples] == ["3", "4"]
        assert alone.fingerprint == whole.fingerprint
    lines.write_text(json.dumps(rows[2]) + "\n" + json.dumps(rows[2]) + "\n", encoding="utf-8")
    assert "the problem '3' stands twice" in faults(lines, "sqa")
    lines.write_text(json.dumps(problem()), encoding="utf-8")
    assert "expected an id, found None" in faults(lines, "sqa")


@pytest.mark.parametrize(
    "place", ["test/3/image.png", "3/image.png", "test/image.png", "image.png"]
)
def test_pictures_are_found_in_every_layout(tmp_path: Path, place: str) -> None:
    file = picture(tmp_path / "images" / place)
    root = tmp_path / "images"
    dataset = scienceqa(write(tmp_path), "sqa", split="test", image_root=root)
    media = dataset.examples[1].media[0]
    assert (media.name, media.sha256) == ("test/3/image.png", ids.file_digest(file))
    assert dataset.open_image(media).getpixel((0, 0)) == (7, 7, 7)
    picture(file, 8)
    with pytest.raises(DataError, match="changed since it was hashed"):
        dataset.open_image(media)


def test_one_file_is_not_the_picture_of_two_problems(tmp_path: Path) -> None:
    found = problems() | {"4": problem(image="image.png")}
    picture(tmp_path / "image.png")
    said = faults(write(tmp_path, found), "sqa", image_root=tmp_path)
    assert "2 fault(s)" in said and "4: expected its picture at test/4/image.png" in said
    picture(tmp_path / "3/image.png")
    assert "1 fault(s)" in faults(tmp_path, "sqa", image_root=tmp_path)


def test_an_unknown_split_is_refused(tmp_path: Path) -> None:
    write(tmp_path)
    said = faults(tmp_path, "sqa", split="dev")
    assert "minitest, test, train, val" in said and "'dev'" in said
    assert "test, train, val; found 'dev'" in faults(tmp_path / "problems.json", "s", split="dev")


@pytest.mark.parametrize(
    ("splits", "said"),
    [
        ({"test": ["3", "9"]}, "9: expected a problem of this id in problems.json"),
        ({"test": ["3", "3"]}, "3: stands twice in test"),
        ({"train": ["3"], "test": ["3"]}, "3: assigned to train and to test"),
        ({"test": ["1"]}, "1: assigned to test, but its own split is 'train'"),
        ({"test": []}, "the split is empty"),
    ],
)
def test_a_split_that_does_not_fit_is_refused(tmp_path: Path, splits: Any, said: str) -> None:
    assert said in faults(write(tmp_path, splits=splits), "sqa")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"answer": 3}, "expected answer as an index of 3 choices, found 3"),
        ({"answer": -1}, "found -1"),
        ({"answer": True}, "found True"),
        ({"choices": []}, "expected choices as a list of texts"),
        ({"choices": ["a", "a"]}, "choice 'a' occurs 2 times"),
        ({"question": ""}, "expected question as text"),
        ({"hint": 1}, "expected hint as text or null"),
        ({"image": "../x.png"}, "bare file names, found '../x.png'"),
    ],
)
def test_a_broken_problem_is_named(tmp_path: Path, fields: dict[str, Any], said: str) -> None:
    found = problems() | {"3": problem(**fields)}
    message = faults(write(tmp_path, found), "sqa")
    assert said in message and "3: " in message


def test_an_id_twice_in_the_object_is_refused(tmp_path: Path) -> None:
    write(tmp_path)
    text = json.dumps(problem())
    (tmp_path / "problems.json").write_text(f'{{"3": {text}, "3": {text}}}', encoding="utf-8")
    assert "names a key twice: 3" in faults(tmp_path, "sqa")


def test_a_file_that_is_missing_or_no_object_of_problems_is_named(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "problems.json").write_text('{"3": 1}', encoding="utf-8")
    assert "3: expected a problem as an object" in faults(tmp_path, "sqa")
    write(tmp_path)
    (tmp_path / "pid_splits.json").unlink()
    assert "pid_splits.json: no such file" in faults(tmp_path, "sqa")


def test_slices_and_parse_rate_are_metrics_of_the_cell(tmp_path: Path) -> None:
    dataset = load_dataset(
        "scienceqa", name="sqa", split="test", path=write(tmp_path), options={"hint": "none"}
    )
    assert dataset.examples[1].question == "Which?"
    texts = {"4": "B", "3": "The answer is B."}
    scores = [
        score(e, Response(example_id=e.id, status="ok", text=texts[e.id])) for e in dataset.examples
    ]
    metrics = cell_metrics(dataset.examples, scores)
    assert metrics["accuracy"] == 0.5 and metrics["parse_rate"] == 1.0
    assert (metrics["accuracy[image]"], metrics["accuracy[text]"]) == (1.0, 0.0)
