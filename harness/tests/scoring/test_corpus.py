"""Every case of fixtures/scorer comes out as expected and as golden/scores/VERSION.json pins it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.scoring import VERSION
from harness.tests.plugin.project import Project
from harness.tests.scoring.corpus import (
    cases,
    differences,
    faults,
    graded,
    pinned,
    unexpected,
)
from harness.tests.scoring.corpus import pin as pin_scores
from harness.types import Answer, Score

ROOT = Path(__file__).parents[3]
CASES = cases(ROOT / "fixtures/scorer")
CASE: dict[str, Any] = {
    "id": "x",
    "kind": "yesno",
    "response": "Yes.",
    "gold": "yes",
    "answer": "yes",
    "correct": True,
    "why": "one word",
}


@pytest.fixture(scope="module")
def scores() -> list[Score]:
    return [graded(case) for case in CASES]


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    return Project(pytester)


def test_every_case_is_whole() -> None:
    assert len(CASES) >= 150
    assert faults(CASES) == []


def test_every_case_comes_out_as_expected(scores: list[Score]) -> None:
    wrong = [
        fault
        for case, score in zip(CASES, scores, strict=True)
        if (fault := unexpected(case, score)) is not None
    ]
    assert not wrong, f"{len(wrong)} case(s):\n" + "\n".join(wrong)


@pytest.mark.parametrize(("excuse", "most"), [("accept_null", 0.41), ("undecided_ok", 0.46)])
def test_most_cases_need_no_excuse(scores: list[Score], excuse: str, most: float) -> None:
    """325 of 803 cases with `accept_null` need it (40.5 %); `undecided_ok`: 486 of 1,082 (44.9 %).

    Without a bound a scorer that reads nothing would pass them all.
    """
    excused = [(c, s) for c, s in zip(CASES, scores, strict=True) if c.get(excuse)]
    needed = [
        case["id"]
        for case, score in excused
        if unexpected({key: case[key] for key in case.keys() - {excuse}}, score) is not None
    ]
    assert len(needed) <= most * len(excused), f"{len(needed)} of {len(excused)}"


def test_every_case_is_pinned(
    scores: list[Score], golden: Callable[[str, Any], None], request: pytest.FixtureRequest
) -> None:
    new = {case["id"]: pinned(score) for case, score in zip(CASES, scores, strict=True)}
    update = bool(request.config.option.update_snapshots)
    pin_scores(VERSION, new, ROOT / "golden/scores", golden, update=update)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"why": " "}, "a case has a reason"),
        ({"kind": "essay"}, "kind"),
        ({"correct": "yes"}, "correct: found 'yes'"),
        ({"because": "x"}, "because: no such key"),
        ({"outcome": "odd"}, "outcome"),
    ],
)
def test_a_faulty_case_is_found(changes: dict[str, Any], fault: str) -> None:
    (found,) = faults([CASE | changes])
    assert fault in found


def test_an_id_that_occurs_twice_and_a_missing_key_are_found() -> None:
    without = {key: value for key, value in CASE.items() if key not in ("why", "answer")}
    assert faults([CASE, CASE]) == ["x: occurs 2 times"]
    assert faults([without]) == [
        "x: why: missing",
        "x: why: a case has a reason",
        "x: expected answer or parsed",
    ]


def score(value: str | None, *, correct: bool = False, outcome: Any = "answered") -> Score:
    return Score(
        gold="yes",
        outcome=outcome,
        correct=correct,
        counted=True,
        answer=Answer(value=value, rule="r"),
    )


@pytest.mark.parametrize(
    ("changes", "found", "expected"),
    [
        ({}, score("yes", correct=True), True),
        ({}, score("no"), False),
        ({}, score("yes"), False),
        ({}, score(None, outcome="review"), False),
        ({"accept_null": True}, score(None, outcome="review"), True),
        ({"accept_null": True}, score("no"), False),
        ({"outcome": "review"}, score("yes", correct=True), False),
        ({"answer": None, "correct": False}, score(None, outcome="review"), True),
        ({"answer": None, "correct": False}, score("yes", correct=True), False),
    ],
)
def test_an_answer_is_held_against_the_expected_one(
    changes: dict[str, Any], found: Score, expected: bool
) -> None:
    assert (unexpected(CASE | changes, found) is None) == expected


@pytest.mark.parametrize(
    ("changes", "found", "expected"),
    [
        ({"parsed": True}, score("7", correct=True), True),
        ({"parsed": True}, score(None, outcome="review"), False),
        ({"parsed": False, "correct": False}, score("7"), False),
        ({"parsed": True}, score("7", outcome="review"), False),
        ({"parsed": True, "undecided_ok": True}, score("7", outcome="review"), True),
        ({"parsed": True, "undecided_ok": True}, score("7"), False),
        ({"parsed": True, "undecided_ok": True, "correct": False}, score("7"), True),
        (
            {"parsed": True, "undecided_ok": True, "correct": False},
            score("7", correct=True),
            False,
        ),
    ],
)
def test_a_free_answer_is_held_against_parsed_and_correct(
    changes: dict[str, Any], found: Score, expected: bool
) -> None:
    case = {key: value for key, value in CASE.items() if key != "answer"} | changes
    assert (unexpected(case, found) is None) == expected


def test_the_table_has_verdict_flips_first_then_answers_then_rules() -> None:
    old = {
        "a": "answered wrong | leading | A",
        "b": "answered wrong | leading | A",
        "c": "answered right | leading | B",
        "d": "answered wrong | leading | C",
        "e": "review wrong | none",
        "same": "review wrong | none",
    }
    new = {
        "a": "answered wrong | boxed | A",
        "b": "answered wrong | boxed | B | C",
        "c": "review wrong | none",
        "d": "answered right | boxed | D",
        "e": "answered wrong | boxed | D",
        "same": "review wrong | none",
        "added": "review wrong | none",
    }
    head, _, *rows = differences(old, new)
    assert head == "2 verdict, 1 outcome, 1 answer, 1 rule"
    assert [row.split()[0] for row in rows] == ["c", "d", "e", "b", "a"]
    assert rows[0] == "c       | 'B' (leading) answered right → nothing (none) review wrong"
    assert "'B | C' (boxed)" in rows[3]
    assert differences(old, old) == []


PINNING = """
import json
from pathlib import Path

from harness.tests.scoring.corpus import pin

def test_pins(golden, request):
    given = json.loads(Path("given.json").read_text())
    update = bool(request.config.option.update_snapshots)
    pin(given["version"], given["scores"], Path("golden/scores"), golden, update=update)
"""


def test_pins_in_real_runs(project: Project) -> None:
    """A version's file only grows; a new version makes a new one beside it."""
    project.write("test_pins.py", PINNING)
    right, wrong = "answered right | leading | A", "answered wrong | boxed | B"
    folder = project.path / "golden/scores"

    def run(version: str, scores: dict[str, str], *options: str) -> tuple[int, str]:
        project.write("given.json", json.dumps({"version": version, "scores": scores}))
        done = project.run("test_pins.py", *options)
        return int(done.ret), done.stdout.str()

    def kept(version: str) -> Any:
        return json.loads((folder / f"{version}.json").read_text())

    status, said = run("1", {"a": right, "b": wrong})
    assert (status, "golden/scores/1.json is not there" in said) == (1, True)
    assert run("1", {"a": right, "b": wrong}, "--snapshot-update")[0] == 0
    assert kept("1") == {"a": right, "b": wrong}
    assert run("1", {"b": wrong, "a": right})[0] == 0

    status, said = run("1", {"a": right, "b": wrong, "c": right})
    assert (status, "1 case(s) are not in golden/scores/1.json: c" in said) == (1, True)
    assert run("1", {"a": right, "b": wrong, "c": right}, "--snapshot-update")[0] == 0

    for options in ((), ("--snapshot-update",)):
        status, said = run("1", {"a": wrong, "b": wrong, "c": right}, *options)
        assert status == 1
        assert "a       | 'A' (leading) answered right → 'B' (boxed) answered wrong" in said
        assert "change harness.scoring.VERSION and accept with --snapshot-update" in said
        status, said = run("1", {"a": right, "c": right}, *options)
        assert (status, "no longer there: b" in said) == (1, True)
    assert kept("1") == {"a": right, "b": wrong, "c": right}

    status, said = run("2", {"a": wrong, "b": wrong, "c": right})
    assert (status, "against 1.json" in said, "1 verdict" in said) == (1, True, True)
    assert run("2", {"a": wrong, "b": wrong, "c": right}, "--snapshot-update")[0] == 0
    assert kept("1") == {"a": right, "b": wrong, "c": right}
    assert kept("2") == {"a": wrong, "b": wrong, "c": right}


def test_no_comparison_of_the_corpus_hides_a_fault_of_ours(scores: list[Score]) -> None:
    assert not [s for s in scores if s.compared.startswith("fault:")]
