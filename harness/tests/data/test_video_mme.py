"""Video-MME-v2: the official layout, its faults, its letters and the scores of its groups."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from harness.data.load import load_dataset
from harness.data.video_mme import video_mme
from harness.errors import DataError
from harness.sample import select
from harness.scoring import score
from harness.scoring.question_groups import group_score, score_groups, structure_of
from harness.types import Response

OPTIONS = tuple(
    f"thing {word}" for word in ("ant", "bee", "cow", "dog", "elk", "fox", "gnu", "hen")
)
LINES = "\n".join(f"{letter}. {text}" for letter, text in zip("ABCDEFGH", OPTIONS, strict=True))


def row(video: str, number: int, **changed: Any) -> dict[str, Any]:
    last = number == 4
    return {
        "video_id": video,
        "url": "https://example.org/v",
        "group_type": "relevance",
        "group_structure": None,
        "question_id": f"{video}-{number}",
        "question": f"What is seen at {number}?",
        "options": LINES,
        "answer": "ABCDEFGH"[number - 1],
        "level": 2 if last else None,
        "second_head": "Order" if last else None,
        "third_head": None,
    } | changed


def group(key: str, **changed: Any) -> list[dict[str, Any]]:
    return [row(key, number) | changed for number in (1, 2, 3, 4)]


def write(folder: Path, rows: Sequence[Mapping[str, Any]], name: str = "test.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return path


LOGIC = {"group_type": "logic", "group_structure": "[1, [2, 3], 4]"}


def test_examples_are_as_in_the_table(tmp_path: Path) -> None:
    path = write(tmp_path, group("001") + group("002", **LOGIC))
    dataset = video_mme(path, "v", split="test")
    first, last = dataset.examples[0], dataset.examples[-1]
    assert [e.id for e in dataset.examples] == [f"00{v}-{q}" for v in (1, 2) for q in (1, 2, 3, 4)]
    assert (first.kind, first.gold, first.choices) == ("choice", "A", OPTIONS)
    assert (first.group, first.role, last.role) == ("001", "part-1", "part-4")
    assert first.tags == ("group:relevance", "level:2", "second_head:Order")
    assert last.tags[:2] == ("group:logic", "structure:[1,[2,3],4]")
    assert [media.name for media in first.media[::31]] == ["001.mp4#1/32", "001.mp4#32/32"]
    assert {(media.kind, media.sha256) for media in first.media} == {("image", None)}
    assert dataset.claim_level == "L2"
    with pytest.raises(DataError, match="set image_root"):
        dataset.open_image(first.media[0])


def test_a_sample_takes_whole_videos(tmp_path: Path) -> None:
    rows = [r for number in range(1, 7) for r in group(f"{number:03d}")]
    examples = video_mme(write(tmp_path, rows), "v", split="test").examples
    chosen = select(examples, 5, 1)
    assert len(chosen) == 8
    assert len({example.group for example in chosen}) == 2


@pytest.mark.parametrize(
    "options",
    [
        LINES,
        LINES.replace(". ", ") "),
        list(OPTIONS),
        LINES.split("\n"),
        json.dumps(list(OPTIONS)),
        str(LINES.split("\n")),
    ],
)
def test_options_in_each_form(tmp_path: Path, options: Any) -> None:
    path = write(tmp_path, group("001", options=options))
    assert {e.choices for e in video_mme(path, "v", split="test").examples} == {OPTIONS}


def test_a_letter_inside_an_option_is_no_label(tmp_path: Path) -> None:
    lines = "A. Plan B: run. C. Day left.\nB. Plan C) hide\nand wait\nC. None. D. Lo"
    path = write(tmp_path, group("001", options=lines, answer="C"))
    found = video_mme(path, "v", split="test").examples[0].choices
    assert found == ("Plan B: run. C. Day left.", "Plan C) hide\nand wait", "None. D. Lo")


def test_hashes_are_of_video_place_and_rule(tmp_path: Path) -> None:
    path = write(tmp_path, group("001") + group("002"))
    (tmp_path / "001.mp4").write_bytes(b"one")
    with pytest.raises(DataError, match="002: expected 002.mp4 in the video folder"):
        video_mme(path, "v", split="test", video_root=tmp_path)
    (tmp_path / "002.mp4").write_bytes(b"two")
    whole = video_mme(path, "v", split="test", video_root=tmp_path)
    seen = {media.sha256 for example in whole.examples for media in example.media}
    assert len(seen) == 64
    fewer = video_mme(path, "v", split="test", video_root=tmp_path, n_frames=16)
    assert seen.isdisjoint(media.sha256 for media in fewer.examples[0].media)
    (tmp_path / "002.mp4").write_bytes(b"2")
    again = video_mme(path, "v", split="test", video_root=tmp_path)
    assert again.fingerprint != whole.fingerprint
    assert again.examples[0] == whole.examples[0]
    part = video_mme(path, "v", split="test", exclude=("002",), n_frames=1)
    assert [e.group for e in part.examples] == ["001"] * 4


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (group("001", question=""), "record 1: expected question as text, found ''"),
        (group("001", answer=None), "expected answer as text, found None"),
        (group("001", video_id=None), "expected video_id as text or a number"),
        (group("001", video_id="../1"), "bare name of a video file, found '../1.mp4'"),
        (group("001", video="a/b.mp4"), "bare name of a video file"),
        (group("001", video="a.txt"), "bare name of a video file"),
        (group("001", questions=[]), "found a list of questions"),
        (group("001", answer="I"), "001-1: expected the answer A to H, found 'I'"),
        (group("001", answer="a"), "found 'a'"),
        (group("001", answer="AB"), "found 'AB'"),
        (group("001", options=["x", "y"], answer="C"), "expected the answer A to B"),
        (group("001", options=["x"]), "expected 2 to 8 options, found 1"),
        (group("001", options=[*OPTIONS, "nine"]), "expected 2 to 8 options, found 9"),
        (group("001", options=None), "found 0"),
        (group("001", options=["x", "x", "y", "z", "q"]), "choice 'x' occurs 2 times"),
        (group("001")[:3], "expected questions numbered -1 to -4, found 001-1, 001-2, 001-3"),
        ([*group("001"), row("001", 4)], "expected questions numbered -1 to -4"),
        ([*group("001")[:3], row("001", 4, group_type="logic")], "expected one group_type"),
        (group("001", group_type="other"), "expected group_type relevance or logic"),
        (group("001", group_type="logic"), "group_structure: expected a list, found None"),
        (group("001", **LOGIC | {"group_structure": "[4,3,2,1]"}), "expected group_structure ["),
        (group("001", **LOGIC | {"group_structure": "exit()"}), "expected a list, found 'exit()'"),
        ([*group("001")[:3], row("001", 4, **LOGIC)], "expected one group_type"),
        ([*group("001", level=1)[:3], row("001", 4)], "expected one level, found 1, 2"),
        ([*group("001"), *group("002", question_id="001-1")], "expected questions numbered"),
        ([], "the split is empty"),
    ],
)
def test_faults_are_named(tmp_path: Path, rows: list[dict[str, Any]], said: str) -> None:
    with pytest.raises(DataError) as caught:
        video_mme(write(tmp_path, rows) if rows else _empty(tmp_path), "v", split="test")
    assert said in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def _empty(folder: Path) -> Path:
    path = folder / "test.json"
    path.write_text("[]", encoding="utf-8")
    return path


def test_one_id_in_two_videos(tmp_path: Path) -> None:
    twice = [row("x", number, video_id="002") for number in (1, 2, 3, 4)]
    with pytest.raises(DataError, match="x-1: the id stands twice"):
        video_mme(write(tmp_path, group("x") + twice), "v", split="test")


def test_rows_of_the_first_version(tmp_path: Path) -> None:
    rows = [
        {
            "video_id": "001",
            "videoID": "fFjv93ACGo8",
            "question_id": f"001-{number}",
            "question": "Which?",
            "options": ["A. Apples.", "B. Candles.", "C. Berries.", "D. All."],
            "answer": "C",
        }
        for number in (1, 2, 3)
    ]
    dataset = video_mme(write(tmp_path, rows), "v", split="test", n_frames=2)
    assert [e.role for e in dataset.examples] == ["part-1", "part-2", "part-3"]
    assert dataset.examples[0].media[1].name == "fFjv93ACGo8.mp4#2/2"
    assert dataset.examples[0].tags == ()


def test_as_a_study_opens_it(tmp_path: Path) -> None:
    path = write(tmp_path, group("001") + group("002"))
    options: dict[str, Any] = {"exclude": ["001"], "frames": 2}
    dataset = load_dataset("video-mme-v2", name="v", split="test", path=path, options=options)
    assert len(dataset.examples) == 4
    assert [media.name for media in dataset.examples[0].media] == ["002.mp4#1/2", "002.mp4#2/2"]
    with pytest.raises(DataError, match="'esc50' knows no option frames"):
        load_dataset("esc50", name="s", split="esc10", path=path, options={"frames": 2})
    with pytest.raises(DataError, match="exclude: expected ids of videos, found '3'"):
        load_dataset("video-mme-v2", name="v", split="test", path=path, options={"exclude": ["3"]})
    with pytest.raises(DataError, match="at least one frame"):
        video_mme(path, "v", split="test", n_frames=0)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("the cat", None),
        ("A cat sits there.", None),
        ("He has had a bad age", None),
        ("Option B", "B"),
        ("I think it is C", "C"),
        ("H", "H"),
        ("(H) thing hen", "H"),
        ("The answer is G.", "G"),
        ("I", None),
    ],
)
def test_letters_are_not_found_inside_words(tmp_path: Path, text: str, answer: str | None) -> None:
    example = video_mme(write(tmp_path, group("001", answer="H")), "v", split="test").examples[0]
    found = score(example, Response(example_id=example.id, status="ok", text=text))
    assert found.answer.value == answer
    assert found.outcome == ("answered" if answer else "review")
    assert found.correct is (answer == "H")


# The worth of each pattern of rights, first to last question, as the published scorer gives it.
CHAINS = {
    "[1,2,3,4]": "0111=0 1011=1/16 1101=4/16 1110=9/16 1111=1",
    "[1,[2,3],4]": "0111=0 1000=1/12 1001=1/12 1010=4/12 1011=4/12 1101=4/12 1110=7/12 1111=1",
    "[[1,2],3,4]": "0011=0 1000=1/10 0100=1/10 0111=1/10 1011=1/10 1101=2/10 1110=5/10 1111=1",
}


@pytest.mark.parametrize("structure", CHAINS)
def test_scores_of_logic_groups(structure: str) -> None:
    for pattern, _, worth in (part.partition("=") for part in CHAINS[structure].split()):
        found = group_score([c == "1" for c in pattern], "logic", structure)
        assert found == Fraction(worth), pattern


def test_scores_of_relevance_groups() -> None:
    for right in itertools.product((False, True), repeat=4):
        assert group_score(right, "relevance") == Fraction(sum(right) ** 2, 16)
    for bad in (([True] * 3, "relevance", ""), ([True] * 4, "logic", ""), ([True] * 4, "x", "")):
        with pytest.raises(DataError, match="expected"):
            group_score(*bad)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "bad", [None, "", "1", "[", "[1, 'a']", [True], [1.0], "[" * 99, "x" * 200]
)
def test_structures_that_are_none(bad: Any) -> None:
    with pytest.raises(ValueError, match="group_structure: expected"):
        structure_of(bad)


def test_groups_without_an_outcome_are_left_out() -> None:
    groups: Any = {
        "1": ("relevance", "", ("a", "b", "c", "d")),
        "2": ("logic", "[1,2,3,4]", ("e", "f", "g", "h")),
    }
    right = dict.fromkeys("abcdefg", True)
    assert [g.group for g in score_groups(right, groups)] == ["1"]
    found = score_groups(right | {"h": False}, groups)
    assert [(g.score, g.accuracy) for g in found] == [
        (Fraction(1), Fraction(1)),
        (Fraction(9, 16), Fraction(3, 4)),
    ]
    with pytest.raises(DataError, match="0 repeated and 1 in none: z"):
        score_groups({"z": True}, groups)
    with pytest.raises(DataError, match="4 repeated"):
        score_groups({}, {"1": groups["1"], "3": groups["1"]})
