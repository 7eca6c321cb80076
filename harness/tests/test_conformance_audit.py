"""The audit's cases: what is compared, and what a bad file is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.conformance import __main__ as conformance

CASE = {
    "id": "tie",
    "a": "ball car disk lens wire coil alpha",
    "b": "ball car disk lens wire coil beta gamma",
    "expected_jaccard": "2/5",
    "flag_at_0.4": True,
}


def ran(capsys: pytest.CaptureFixture[str], path: Path, *rows: Any) -> tuple[int, str, str]:
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    status = conformance.main(["audit", str(path)])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_what_comes_out_as_expected(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    other = {"id": "none", "a": "", "b": "x", "expected_jaccard": "0", "flag_at_0.4": False}
    assert ran(capsys, tmp_path / "c.jsonl", CASE, other) == (0, "2 passed, 0 failed\n", "")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"expected_jaccard": "1/2"}, ["expected J 1/2", "J 2/5 of the strings", "a hit of 2/5"]),
        ({"flag_at_0.4": False}, ["no hit at 2/5", "a hit of 2/5 by numpy, b against a"]),
        ({"a": CASE["a"] + " more"}, ["J 1/3 of the strings", "no hit by numpy, a against b"]),
    ],
)
def test_what_does_not(
    change: dict[str, Any], words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, _ = ran(capsys, tmp_path / "c.jsonl", CASE | change)
    first, last = out.splitlines()
    assert (status, last) == (1, "0 passed, 1 failed")
    assert [word for word in words if word not in first] == []


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"id": "x"}, "case 1 lacks a, b, expected_jaccard, flag_at_0.4"),
        (CASE | {"b": 3}, "case 1: b: expected a text, found 3"),
        (CASE | {"expected_jaccard": "1/0"}, "expected a fraction such as"),
        (CASE | {"expected_jaccard": None}, "expected a fraction such as"),
        (CASE | {"flag_at_0.4": 1}, "flag_at_0.4: expected true or false, found 1"),
    ],
)
def test_a_bad_file(
    row: Any, words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, err = ran(capsys, tmp_path / "c.jsonl", row)
    assert (status, out) == (2, "")
    assert words in err
