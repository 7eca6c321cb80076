"""Readers of PhyX, OlympiadBench, PhysReason, PHYSOLYM-A, MGSM and XCOPA, on rows made by hand."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from harness.data.language_pairs import mgsm, xcopa
from harness.data.olympiadbench import olympiadbench
from harness.data.physolym import physolym
from harness.data.physreason import physreason
from harness.data.phyx import phyx
from harness.errors import DataError
from harness.types import Dataset

PHYX = {
    "index": 7,
    "question": "A block slides. What is its speed?",
    "question_simply": "What is its speed?",
    "description": "A block on a slope.",
    "options": "A: 3 m/s\nB: 4 m/s\nC: 5 m/s\nD: 6 m/s",
    "answer": "C",
    "category": "Mechanics",
    "subfield": "Kinematics",
    "reasoning_type": ["Multi-Formula"],
}
OLYMPIAD = {
    "id": 1,
    "context": "A rod of length L.",
    "question": "Find its period in seconds.",
    "final_answer": ["$2.5$"],
    "is_multiple_answer": False,
    "unit": "s",
    "answer_type": "Numerical",
    "error": "1e-1",
    "subject": "Physics",
    "subfield": "Mechanics",
    "language": "English",
    "difficulty": "Competition",
}
REASON = {
    "problem_id": "cal_1",
    "question_structure": {
        "context": "A car brakes.",
        "sub_question_1": "What is its acceleration?",
        "sub_question_2": "How far does it go?",
    },
    "answer": ["-4 m/s^2", "50 m"],
    "difficulty": "easy",
}
OLYM = {
    "source": "estonian",
    "messages": [
        {"role": "system", "content": "Answer in a box."},
        {"role": "user", "content": [{"type": "text", "text": "Leia kiirus."}]},
        {"role": "assistant", "content": r"\boxed{9}"},
    ],
    "solution": r"Energy gives \boxed{3 m/s}.",
    "metadata": {"difficulty": 4, "language": "et", "licence": "CC BY 4.0"},
}


def png(colour: str = "red") -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (3, 2), colour).save(stream, "PNG")
    return stream.getvalue()


def write(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_phyx(tmp_path: Path) -> None:
    picture = base64.b64encode(png()).decode()
    path = write(tmp_path, {**PHYX, "image": picture}, {**PHYX, "index": 8, "answer": "6 m/s"})
    found = phyx(path, "phyx", split="mini")
    first, second = found.examples
    assert (first.id, first.kind, first.gold, second.gold) == ("7", "choice", "C", "D")
    assert first.choices == ("3 m/s", "4 m/s", "5 m/s", "6 m/s")
    assert first.tags == ("subject:Kinematics", "reasoning:Multi-Formula")
    assert first.media[0].sha256 is not None
    assert found.open_image(first.media[0]).size == (3, 2)
    assert second.media == ()
    simple = phyx(path, "phyx", split="mini", text="question_simply", exclude=("8",))
    assert [e.question for e in simple.examples] == ["A block on a slope.\nWhat is its speed?"]


def test_olympiadbench(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png())
    rows = [
        {**OLYMPIAD, "images": ["a.png"]},
        {**OLYMPIAD, "id": 2, "subject": "Math"},
        {
            **OLYMPIAD,
            "id": 3,
            "final_answer": [r"$\frac{1}{2} g t^2$"],
            "unit": "",
            "answer_type": "Expression",
        },
        {**OLYMPIAD, "id": 4, "final_answer": ["1.2 m"], "unit": "m", "context": None},
    ]
    found = olympiadbench(write(tmp_path, *rows), "o", split="x", image_root=tmp_path)
    assert [(e.id, e.kind, e.gold) for e in found.examples] == [
        ("1", "number", "2.5 s"),
        ("3", "expression", r"\frac{1}{2} g t^2"),
        ("4", "number", "1.2 m"),
    ]
    first = found.examples[0]
    assert first.question == "A rod of length L.\nFind its period in seconds."
    assert first.tags == (
        *("difficulty:Competition", "language:English", "answer:Numerical", "tolerance:1e-1"),
    )
    assert found.open_image(first.media[0]).size == (3, 2)
    (tmp_path / "a.png").write_bytes(png("blue"))
    with pytest.raises(DataError, match="changed since"):
        found.open_image(first.media[0])
    everything = olympiadbench(write(tmp_path, *rows), "o", split="x", subject=None)
    assert len(everything.examples) == 4
    assert everything.examples[0].media[0].sha256 is None
    with pytest.raises(DataError, match="set image_root"):
        everything.open_image(everything.examples[0].media[0])


def test_physreason_in_a_file_and_in_a_folder(tmp_path: Path) -> None:
    problem = tmp_path / "set" / "cal_1"
    (problem / "images").mkdir(parents=True)
    (problem / "problem.json").write_text(json.dumps(REASON), encoding="utf-8")
    (problem / "images" / "1.png").write_bytes(png())
    (problem / "images" / "notes.txt").write_text("x", encoding="utf-8")
    folder = physreason(tmp_path / "set", "r", split="full")
    assert [len(e.media) for e in folder.examples] == [1, 1]
    file = physreason(write(tmp_path, REASON), "r", split="full")
    for found in (folder, file):
        assert [(e.id, e.group, e.role, e.gold) for e in found.examples] == [
            ("cal_1/1", "cal_1", "part-1", "-4 m/s^2"),
            ("cal_1/2", "cal_1", "part-2", "50 m"),
        ]
        assert found.examples[0].tags == ("difficulty:easy", "parts:2")
    assert folder.examples[0].question == "A car brakes.\n(1) What is its acceleration?"
    assert folder.examples[1].question.endswith("(2) How far does it go?\nAnswer (2).")
    assert folder.open_image(folder.examples[0].media[0]).size == (3, 2)
    assert file.examples[0].media == ()


def test_physolym(tmp_path: Path) -> None:
    rows = [
        OLYM,
        {**OLYM, "metadata": {**OLYM["metadata"], "language": "en-et"}},
        {**OLYM, "id": "z", "solution": "7 kg", "metadata": {"language": "en", "license": "MIT"}},
        {**OLYM, "id": "n", "solution": "See the marking scheme.\n\nPart 1: one point"},
    ]
    path = write(tmp_path, *rows)
    with pytest.raises(DataError, match="n: expected a solution that states an answer"):
        physolym(path, "p", split="a")
    found = physolym(path, "p", split="a", unjudgeable="drop")
    assert [(e.id, e.gold, e.group) for e in found.examples] == [
        ("estonian-1", "3 m/s", "estonian"),
        ("estonian-2", "3 m/s", "estonian"),
        ("z", "7 kg", "estonian"),
    ]
    assert found.examples[0].question == "Leia kiirus."
    assert found.examples[0].tags == ("difficulty:4", "language:et", "licence:CC BY 4.0")
    assert found.examples[2].tags == ("language:en", "licence:MIT")
    english = physolym(path, "p", split="a", unjudgeable="drop", language="en")
    assert [e.id for e in english.examples] == ["estonian-2", "z"]


def test_physolym_pictures_grades_and_short_solutions(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png())
    (tmp_path / "b.png").write_bytes(png("blue"))
    asked = [{"type": "text", "text": "Find it."}, {"type": "image", "image": "a.png"}]
    rows: list[dict[str, Any]] = [
        {
            **OLYM,
            "id": "x",
            "messages": [{"role": "user", "content": asked}],
            "images": ["b.png"],
            "metadata": {"language": "en", "native_difficulty": 10},
        },
        {**OLYM, "id": "long", "solution": "word " * 60},
    ]
    path = write(tmp_path, *rows)
    found = physolym(path, "p", split="a", unjudgeable="drop", image_root=tmp_path)
    assert [e.id for e in found.examples] == ["x"]
    assert [media.name for media in found.examples[0].media] == ["a.png", "b.png"]
    assert found.examples[0].tags == ("difficulty:10", "language:en")
    for grade in (0.5, 11, "hard"):
        bad = write(tmp_path, {**OLYM, "metadata": {"language": "et", "difficulty": grade}})
        with pytest.raises(DataError, match="a difficulty from 1 to 10, found"):
            physolym(bad, "p", split="a")


def test_physreason_parts_must_be_whole(tmp_path: Path) -> None:
    parts = {"sub_question_1": "One?", "sub_question_2": " "}
    for row, message in (
        ({**REASON, "question_structure": parts}, "found 0 and 2"),
        ({**REASON, "question_structure": {"sub_question_2": "Two?"}}, "found 0 and 2"),
        ({**REASON, "answer": ["1 m", ""]}, "found 2 and 2"),
        ({**REASON, "answer": ["1 m", None]}, "found 2 and 1"),
    ):
        with pytest.raises(DataError, match=message):
            physreason(write(tmp_path, row), "r", split="full")


def test_what_phyx_and_olympiadbench_let_in(tmp_path: Path) -> None:
    bare = {key: value for key, value in PHYX.items() if key != "options"}
    columns = {**bare, "index": 1, "A": "1", "B": "2", "C": "3", "answer": "c"}
    inside = {**bare, "index": 2, "question": "How fast?\nA. 1 m\nB. 2 m\nC. 3 m", "answer": "C."}
    found = phyx(write(tmp_path, columns, inside), "x", split="mini")
    assert [(e.gold, len(e.choices)) for e in found.examples] == [("C", 3), ("C", 3)]
    bent = {**PHYX, "options": ["1 m", "2 m"], "answer": "3 m"}
    with pytest.raises(DataError, match="found 2 choices and the answer '3 m'"):
        phyx(write(tmp_path, bent), "x", split="mini")
    unnamed = {key: value for key, value in PHYX.items() if key != "index"}
    with pytest.raises(DataError, match="expected an id"):
        phyx(write(tmp_path, unnamed), "x", split="mini")
    rows = [
        {**OLYMPIAD, "id": 5, "subject": "physics", "unit": ""},
        {**OLYMPIAD, "id": 6, "final_answer": ["1", "2"], "is_multiple_answer": True},
    ]
    several = olympiadbench(write(tmp_path, *rows), "o", split="x")
    assert [(e.gold, e.kind) for e in several.examples] == [
        ("2.5", "number"),
        ("1, 2", "expression"),
    ]


def test_languages(tmp_path: Path) -> None:
    tsv = tmp_path / "mgsm_en.tsv"
    tsv.write_text("How many\teggs?\t18\nAnd now?\t-3\n", encoding="utf-8")
    found = mgsm(tsv, "m", split="en")
    assert [(e.id, e.question, e.gold, e.exact) for e in found.examples] == [
        ("mgsm-1", "How many\teggs?", "18", True),
        ("mgsm-2", "And now?", "-3", True),
    ]
    tsv.write_bytes(b"\xef\xbb\xbfHow many?\t18\r\n")
    (marked,) = mgsm(tsv, "m", split="en").examples
    assert (marked.question, marked.gold) == ("How many?", "18")
    tsv.write_bytes(b"How many?\t18\n\xff\t2\n")
    with pytest.raises(DataError, match="cannot be read"):
        mgsm(tsv, "m", split="en")
    row = {"premise": "Ma jooksin.", "choice1": "a", "choice2": "b", "question": "effect"}
    path = write(tmp_path, {**row, "label": 1, "idx": 0}, {**row, "label": 0, "idx": 1})
    estonian = xcopa(path, "x", split="test", language="et")
    assert [(e.id, e.gold) for e in estonian.examples] == [("xcopa-0", "B"), ("xcopa-1", "A")]
    assert estonian.examples[0].question == "Ma jooksin. Mis selle tagajärjel juhtus?"


def refused() -> list[tuple[str, dict[str, Any], Callable[[Path], Dataset]]]:
    def read(reader: Callable[..., Dataset], **fields: Any) -> Callable[[Path], Dataset]:
        return lambda path: reader(path, "n", split="s", **fields)

    one = {"premise": "p", "choice1": "a", "choice2": "b", "question": "cause", "idx": 1}
    language = {**OLYM, "metadata": {"language": "fi", "difficulty": 11}}
    return [
        ("found 0 choices", {**PHYX, "options": ""}, read(phyx)),
        ("answer 'E'", {**PHYX, "answer": "E"}, read(phyx)),
        ("occurs 2 times", {**PHYX, "options": ["1", "1"], "answer": "A"}, read(phyx)),
        ("text: expected one of", PHYX, read(phyx, text="caption")),
        ("no such example", PHYX, read(phyx, exclude=("9",))),
        ("expected image_root|base64", {**PHYX, "image": "??"}, read(phyx)),
        ("found 0 answers", {**OLYMPIAD, "final_answer": []}, read(olympiadbench)),
        ("found 2 and 1", {**REASON, "answer": ["1"]}, read(physreason)),
        ("found 0 and 2", {**REASON, "question_structure": None}, read(physreason)),
        ("a user message with text", {**OLYM, "messages": []}, read(physolym)),
        ("found 'fi'; a difficulty from 1 to 10, found '11'", language, read(physolym)),
        ("language: expected one of", OLYM, read(physolym, language="fi")),
        ("unjudgeable: expected", OLYM, read(physolym, unjudgeable="keep")),
        ("label 0 or 1, found 2", {**one, "label": 2}, read(xcopa, language="en")),
        ("label 0 or 1, found True", {**one, "label": True}, read(xcopa, language="en")),
        ("cause or effect", {**one, "question": "why"}, read(xcopa, language="en")),
        ("add its two questions", one, read(xcopa, language="qu")),
        ("line 1: expected a question", one, read(mgsm)),
    ]


def test_faults_are_named(tmp_path: Path) -> None:
    for message, row, reader in refused():
        with pytest.raises(DataError, match=message):
            reader(write(tmp_path, row))
    with pytest.raises(DataError, match="fetch the data first"):
        mgsm(tmp_path / "none.tsv", "m", split="en")
