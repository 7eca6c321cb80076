"""ESC-50: the official table, its parts and its faults."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness import ids
from harness.data.esc50 import esc50, open_clip
from harness.data.load import load_dataset
from harness.errors import DataError
from harness.types import Media

HEAD = "filename,fold,target,category,esc10,src_file,take\r\n"
ROWS = (
    "1-17-A-0.wav,1,0,dog,True,17,A",
    "1-17-B-0.wav,1,0,dog,TRUE,17,B",
    "2-18-A-11.wav,2,11,sea_waves,true,18,A",
    "5-19-A-36.wav,5,36,vacuum_cleaner,FALSE,19,A",
)


def table(folder: Path, *rows: str, head: str = HEAD) -> Path:
    path = folder / "esc50.csv"
    path.write_text(head + "".join(f"{row}\r\n" for row in rows), encoding="utf-8")
    return path


def clip(folder: Path, name: str, value: int = 7) -> None:
    data = struct.pack("<4h", value, 0, 0, 0)
    head = struct.pack("<HHIIHH", 1, 1, 8000, 16000, 2, 16)
    body = b"WAVEfmt " + struct.pack("<I", 16) + head + b"data" + struct.pack("<I", 8) + data
    (folder / name).write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)


def test_the_whole_table(tmp_path: Path) -> None:
    dataset = esc50(table(tmp_path, *ROWS), "sounds", split="esc50")
    first, *_, last = dataset.examples
    assert [e.id for e in dataset.examples] == [row.split(",")[0] for row in ROWS]
    assert (first.kind, first.gold, first.group, first.role) == ("retrieval", "dog", "17", "fold1")
    assert first.choices == ("dog", "sea waves", "vacuum cleaner") == last.choices
    assert last.gold == "vacuum cleaner"
    assert first.media == (Media(kind="audio", name="1-17-A-0.wav", sha256=None),)
    assert (dataset.name, dataset.split, dataset.claim_level) == ("sounds", "esc50", "L2")
    with pytest.raises(DataError, match="is audio, not a picture"):
        dataset.open_image(first.media[0])


@pytest.mark.parametrize(
    ("split", "found", "n_labels"),
    [
        ("esc10", ["1-17-A-0.wav", "1-17-B-0.wav", "2-18-A-11.wav"], 2),
        ("esc10-fold2", ["2-18-A-11.wav"], 2),
        ("esc50-fold5", ["5-19-A-36.wav"], 3),
    ],
)
def test_splits_keep_the_classes_of_all_folds(
    tmp_path: Path, split: str, found: list[str], n_labels: int
) -> None:
    dataset = esc50(table(tmp_path, *ROWS), "s", split=split)
    assert [e.id for e in dataset.examples] == found
    assert {len(e.choices) for e in dataset.examples} == {n_labels}


@pytest.mark.parametrize("split", ["esc50-fold6", "esc50-fold0", "test", "esc5", "esc10-fold"])
def test_an_unknown_split_or_fold(tmp_path: Path, split: str) -> None:
    with pytest.raises(DataError, match="expected the split esc50 or esc10"):
        esc50(table(tmp_path, *ROWS), "s", split=split)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (("1-17-A-0.wav,6,0,dog,True,17,A",), "line 2: fold: expected 1 to 5, found '6'"),
        (("1-17-A-0.wav,x,0,dog,True,17,A",), "fold: expected 1 to 5"),
        (("1-17-A-0.wav,1,,dog,True,17,A",), "target: expected 0 to 49, found ''"),
        (("1-17-A-0.wav,1,0,,True,17,A",), "category: expected words"),
        (("1-17-A-0.wav,1,0,dog,1,17,A",), "esc10: expected true or false, found '1'"),
        (("../1-17-A-0.wav,1,0,dog,True,17,A",), "filename: expected FOLD-"),
        (("2-17-A-0.wav,1,0,dog,True,17,A",), "names fold 2 and target 0"),
        (("1-17-A-3.wav,1,0,dog,True,17,A",), "names fold 1 and target 3"),
        ((ROWS[0], ROWS[0]), "1-17-A-0.wav: the id stands 2 times"),
        ((ROWS[0], "1-20-A-0.wav,1,0,cat,True,20,A"), "target 0: expected one class"),
        ((ROWS[0], "1-20-A-1.wav,1,1,dog,True,20,A"), "dog: expected one target, found 0, 1"),
        ((ROWS[0], "1-20-A-0.wav,1,0,dog,False,20,A"), "dog: expected all or none"),
        (("1-17-A-0.wav,1",), "target: expected"),
        ((), "the split is empty"),
        (('1-17-A-0.wav,1,0,"dog,True',), "cannot be read as CSV"),
    ],
)
def test_faults_of_the_table(tmp_path: Path, rows: tuple[str, ...], said: str) -> None:
    with pytest.raises(DataError) as caught:
        esc50(table(tmp_path, *rows), "s", split="esc50")
    assert said in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def test_a_table_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        esc50(tmp_path / "esc50.csv", "s", split="esc50")
    with pytest.raises(DataError, match="found none named esc10"):
        esc50(table(tmp_path, head="filename,fold,target,category\r\n"), "s", split="esc50")
    (tmp_path / "esc50.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="UTF-8"):
        esc50(tmp_path / "esc50.csv", "s", split="esc50")


def test_clips_are_hashed_and_opened(tmp_path: Path) -> None:
    path = table(tmp_path, *ROWS[:2])
    clip(tmp_path, "1-17-A-0.wav")
    with pytest.raises(DataError, match="1-17-B-0.wav: expected it in the audio folder"):
        esc50(path, "s", split="esc50", audio_root=tmp_path)
    clip(tmp_path, "1-17-B-0.wav", value=9)
    dataset = esc50(path, "s", split="esc50", audio_root=tmp_path)
    media = dataset.examples[0].media[0]
    assert media.sha256 == ids.file_digest(tmp_path / media.name)
    assert open_clip(media, tmp_path, 16000).shape == (8,)
    assert open_clip(media, tmp_path, 8000)[0] == np.float32(7 / 32768)
    clip(tmp_path, "1-17-A-0.wav", value=8)
    with pytest.raises(DataError, match="changed since it was hashed"):
        open_clip(media, tmp_path, 8000)
    with pytest.raises(DataError, match="expected an audio clip"):
        open_clip(Media(kind="image", name="a.png", sha256=None), tmp_path, 8000)
    again = esc50(path, "s", split="esc50", audio_root=tmp_path)
    assert again.fingerprint != dataset.fingerprint


def test_as_a_study_opens_it(tmp_path: Path) -> None:
    path = table(tmp_path, *ROWS)
    options: dict[str, Any] = {"exclude": ["1-17-B-0.wav"]}
    dataset = load_dataset("esc50", name="s", split="esc10", path=path, options=options)
    assert len(dataset.examples) == 2
    with pytest.raises(DataError, match="exclude: expected ids of the table, found 'x'"):
        load_dataset("esc50", name="s", split="esc10", path=path, options={"exclude": ["x"]})
