"""The conformance command: every case has its line, its time and its own fate."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from harness.conformance import __main__ as conformance
from harness.conformance import child as grading_child

ROOT = Path(__file__).parents[2]
FAULTY = """
import os, sys
sys.path.insert(0, sys.argv[1])
import harness.scoring as scoring
real = scoring.grade
def grade(kind, text, *rest, **more):
    print("a library speaks")
    os.write(1, b"and so does its C part\\n")
    if text == "hang":
        while True: pass
    if text == "die":
        os._exit(3)
    if text == "raise":
        raise RuntimeError("no\\nsuch")
    return real(kind, text, *rest, **more)
scoring.grade = grade
from harness.conformance import child
child.serve()
"""


def case(**fields: Any) -> dict[str, Any]:
    return {
        "id": "c1",
        "kind": "mcq",
        "response": "The answer is B.",
        "choices": ["red", "blue", "green", "grey"],
        "gold": "B",
        "expected_extracted": "B",
        "expected_correct": True,
        "extracted_check": "exact",
        **fields,
    }


def written(path: Path, *rows: Any) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], str]:
    status = conformance.main(arguments)
    said = capsys.readouterr()
    return status, said.out.splitlines(), said.err


def test_each_check_compares_what_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unread = {"response": "I see a picture.", "expected_extracted": None, "extracted_check": "null"}
    rows = [
        case(id="exact"),
        case(id="null", **unread, expected_correct=False),
        case(id="span", extracted_check="span", expected_extracted="(B)"),
        case(id="skip", extracted_check="skip", expected_extracted="D"),
        case(id="letters", choices=None, gold="F", response="Answer: F", expected_extracted="F"),
        case(id="named", choices={"b": "blue", "A": "red"}),
        case(id="yes", kind="yesno", choices=None, response="Yes.", gold="yes")
        | {"expected_extracted": "yes"},
        case(id="bad-exact", expected_extracted="C"),
        case(id="bad-null", expected_extracted=None, extracted_check="null"),
        case(id="bad-span", **unread | {"extracted_check": "span"}, expected_correct=False),
        case(id="bad-verdict", expected_correct=False),
        case(id="bad-skip", extracted_check="skip", expected_correct=False),
        case(id="bad-kind", kind="essay"),
    ]
    status, lines, _ = ran(capsys, "scorer", str(written(tmp_path / "c.jsonl", *rows)))
    assert status == 1
    assert lines[-1] == "7 passed, 6 failed"
    failed = [row["id"] for row in rows if row["id"].startswith("bad-")]
    assert [line.split("'")[1] for line in lines[:-1]] == failed
    assert "expected 'C', right, found 'B' by final_phrase, answered, right" in lines[0]


def test_extraction_compares_the_letter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = {"A": "red", "B": "blue", "C": "green", "D": "grey"}
    cases = [
        {"name": "right", "response": "Answer: B", "options": options, "gold": "B"},
        {"name": "none", "response": "A red car.", "options": options, "gold": None},
        {"name": "no list", "response": "Answer: B", "options": None, "gold": "B"},
        {"name": "wrong", "response": "Answer: B", "options": options, "gold": "C"},
        {"name": "read", "response": "Answer: B", "options": options, "gold": None},
    ]
    path = tmp_path / "c.json"
    path.write_text(json.dumps(cases), encoding="utf-8")
    status, lines, _ = ran(capsys, "extraction", str(path))
    assert (status, lines[-1]) == (1, "3 passed, 2 failed")
    assert [line.split("'")[1] for line in lines[:-1]] == ["wrong", "read"]
    assert "nothing read" in lines[1]


def test_a_hang_a_death_and_an_error_fail_their_own_case_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading_child, "_CODE", FAULTY)
    monkeypatch.setattr(conformance, "LIMIT_S", 0.4)
    texts = ["hang", "Answer: B", "die", "Answer: B", "raise", "Answer: B"]
    rows = [case(id=f"c{i}", response=text) for i, text in enumerate(texts)]
    status, lines, _ = ran(capsys, "scorer", str(written(tmp_path / "c.jsonl", *rows)))
    assert (status, lines[-1]) == (1, "3 passed, 3 failed")
    hung, died, raised = lines[:-1]
    assert "took longer than 0.4 s" in hung
    assert "exit status 3" in died
    assert "RuntimeError: no\\nsuch" in raised


def test_a_killed_child_is_gone() -> None:
    with grading_child.GradingChild() as child:
        question = {"kind": "choice", "text": "Answer: A", "choices": ["x", "y"]}
        assert child.ask(question, 5.0)["value"] == "A"
        process = child._process
        assert process is not None
    assert process.poll() == -9


def test_a_child_that_died_between_questions_is_replaced() -> None:
    question = {"kind": "choice", "text": "Answer: A", "choices": ["x", "y"]}
    with grading_child.GradingChild() as child:
        child.ask(question, 5.0)
        first = child._process
        assert first is not None
        assert child.ask(question, 5.0)["value"] == "A"
        assert child._process is first
        first.kill()
        first.wait()
        assert child.ask(question, 5.0)["value"] == "A"
        assert child._process is not first


def test_starting_is_not_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grading_child, "_CODE", "import time; time.sleep(1)" + FAULTY)
    monkeypatch.setattr(conformance, "LIMIT_S", 0.5)
    began = time.monotonic()
    status, lines, _ = ran(capsys, "scorer", str(written(tmp_path / "c.jsonl", case())))
    assert (status, lines) == (0, ["1 passed, 0 failed"])
    assert time.monotonic() - began > 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "no such file"),
        ("", "empty"),
        ("[]", "at least one case"),
        ('{"id": "c1"}\n{"id": ', "torn or bad line"),
        (json.dumps({"id": "c1"}), "lacks kind, response"),
        (json.dumps(case(extracted_check="equal")), "extracted_check"),
        (json.dumps(case(expected_correct="yes")), "true or false"),
        (json.dumps(case(choices="ABCD")), "choices: expected a list"),
    ],
)
def test_a_bad_file_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None, reason: str
) -> None:
    path = tmp_path / "c.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    status, lines, error = ran(capsys, "scorer", str(path))
    assert (status, lines) == (2, [])
    assert error.count("\n") == 1
    assert reason in error


def test_no_case_can_break_the_output(tmp_path: Path) -> None:
    """From another folder, beside a file named like a library, with an ASCII terminal."""
    (tmp_path / "json.py").write_text("raise SystemExit(9)", encoding="utf-8")
    rows = [
        case(id="a\nb\u202e\ud800", gold="\u00e9" * 500, expected_correct=True),
        case(response=None, expected_correct=False, extracted_check="null"),
        case(response="\ud800\x00" + "B" * 10**6, extracted_check="skip", expected_correct=False),
    ]
    path = written(tmp_path / "c.jsonl", *rows)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "harness.conformance", "scorer", str(path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    lines = done.stdout.decode("ascii").splitlines()
    assert done.returncode == 1, done.stderr
    assert lines[-1] == "2 passed, 1 failed"
    assert len(lines) == 2
    assert len(lines[0]) < 400


def test_it_is_light() -> None:
    code = "import sys, harness.conformance.__main__, harness.scoring; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    heavy = {"torch", "transformers", "pandas", "sklearn", "scipy", "pydantic", "pytest"}
    assert not heavy & set(done.stdout.split())
