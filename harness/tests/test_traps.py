"""docs/traps.md tells the truth: every trap has its row, and every test it names exists."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUNNING = [
    *(23, 27, 28, 30, 31, 32, 33, 37, 38, 39, 40, 41, 43, 44, 46, 47, 48, 49, 51, 53, 54, 56, 58),
    *(59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 72),
    *(104, 105, 108, 109, 110, 111, 112, 113),
]
EXPECTED = [f"AT-{n:02d}" for n in RUNNING] + [f"P-{n:02d}" for n in range(1, 11)]
ROW = re.compile(r"\| ((?:AT|P)-\d+) \| (.+) \| (.+) \|")
TEST = re.compile(r"`([^`]*::[^`]*)`")


def tables() -> tuple[dict[str, str], dict[str, str]]:
    """The last column by id, of each of the two tables; no id stands twice."""
    text = (ROOT / "docs/traps.md").read_text(encoding="utf-8")
    parts = text.split("\n## ")[1:]
    found = [[ROW.fullmatch(x) for x in p.splitlines() if x.startswith("| ")][1:] for p in parts]
    rows = [[m.groups() for m in part if m is not None] for part in found]
    assert [len(r) for r in rows] == [len(part) for part in found], "a row of another form"
    twice = [i for i, n in Counter(row[0] for part in rows for row in part).items() if n > 1]
    assert not twice
    first, second = ({name: where for name, _, where in part} for part in rows)
    return first, second


@cache
def functions(path: str) -> frozenset[str]:
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    body = ast.parse(file.read_text(encoding="utf-8")).body
    return frozenset(node.name for node in body if isinstance(node, ast.FunctionDef))


def faults(name: str, where: str) -> Iterator[str]:
    """What is wrong with the last column of a row."""
    tests = TEST.findall(where)
    for test in tests:
        path, _, function = test.partition("::")
        if function not in functions(path) or not function.startswith("test_"):
            yield f"{name}: there is no {test}"
    if not tests and "by design" not in where and "not covered yet" not in where:
        yield f"{name}: names no test and gives no reason"
    if ("by design" in where) != (name in by_design()):
        yield f"{name}: the table and decision 0002 disagree on whether it can occur"


@cache
def by_design() -> frozenset[str]:
    path = ROOT / "docs/decisions/0002-traps-that-cannot-occur.md"
    return frozenset(re.findall(r"\b(?:AT|P)-\d+\b", path.read_text(encoding="utf-8")))


def test_every_trap_of_running_has_one_row() -> None:
    first, second = tables()
    assert sorted(first) == sorted(EXPECTED)
    assert by_design() <= first.keys() | second.keys()


def test_every_named_test_exists() -> None:
    first, second = tables()
    assert len(second) > 20
    assert [f for row in (first | second).items() for f in faults(*row)] == []


@pytest.mark.parametrize(
    ("name", "where", "fault"),
    [
        ("AT-23", "`harness/tests/test_traps.py::test_nowhere`", "there is no"),
        ("AT-23", "`harness/tests/test_nowhere.py::test_traps`", "there is no"),
        ("AT-23", "`harness/tests/test_traps.py::faults`", "there is no"),
        ("AT-23", "surely somewhere", "names no test"),
        ("AT-23", "by design", "disagree"),
        ("AT-48", "`harness/tests/test_traps.py::test_every_named_test_exists`", "disagree"),
    ],
)
def test_a_planted_fault_is_found(name: str, where: str, fault: str) -> None:
    (found,) = faults(name, where)
    assert fault in found
