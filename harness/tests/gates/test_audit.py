"""Records planted as missing, doubled, foreign, lost or unreadable are named; others are GO."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.gates.audit import AuditRow, audit_rows, expected_slots, record_audit
from harness.tests.gates.made_cells import CELL, result
from harness.types import Example, Verdict

FLOORS = {"multiple_choice": 0.9, "free_response": 0.6}


def row(name: str, outcome: str = "answered", *, cell: str = "c", free: bool = False) -> AuditRow:
    kind = "free_response" if free else "multiple_choice"
    return AuditRow(cell=cell, example_id=name, answer_type=kind, outcome=outcome)  # type: ignore[arg-type]


ROWS = [row(f"q{i}") for i in range(10)] + [row(f"f{i}", free=True) for i in range(5)]


def judge(rows: Sequence[AuditRow], share: float = 0.0, **floors: float) -> Verdict:
    return record_audit(
        rows,
        expected=[r.slot for r in ROWS],
        floors=FLOORS | floors,
        max_infrastructure_share=share,
    )


def swapped(**outcomes: str) -> list[AuditRow]:
    return [replace(r, outcome=outcomes.get(r.example_id, r.outcome)) for r in ROWS]  # type: ignore[arg-type]


def test_whole_records_are_go() -> None:
    facts = judge(ROWS).require().facts
    assert (facts["expected_records"], facts["observed_records"], facts["unique_records"]) == (
        15,
        15,
        15,
    )
    assert facts["parseability"]["free_response"]["rate"] == 1.0
    assert judge(ROWS[::-1]) == judge(ROWS)


def test_planted_faults_are_named() -> None:
    bare = "answer_parseability_cell"
    for rows, code, named in [
        (ROWS[1:], "missing_records", "1 missing record(s): q0"),
        (ROWS[9:], "missing_records", "9 missing record(s): q0, q1, q2, q3, q4 …"),
        ([*ROWS, ROWS[0]], "duplicate_records", "q0"),
        ([*ROWS, replace(ROWS[0], replicate=2)], "unexpected_records", "q0 (replicate 2)"),
        ([*ROWS, row("z")], "unexpected_records", "z"),
        ([*ROWS, row("q0", cell="other")], "unexpected_records", "q0"),
        (swapped(q3="resource_error"), "infrastructure_failures", "q3 (resource_error)"),
        (swapped(q0="review", q1="truncated"), f"{bare}_below_threshold", "8 of 10 (80.00%)"),
        (swapped(f0="review", f1="refused", f2="review"), f"{bare}_below_threshold", "2 of 5"),
    ]:
        verdict = judge(rows)
        assert [issue.code for issue in verdict.issues] == [code], named
        assert named in verdict.issues[0].message
    assert judge([*ROWS, row("z", cell="d")]).issues[0].where == "d"


def test_floors_and_shares_are_inclusive_and_exact() -> None:
    assert judge(swapped(q0="review")).go
    assert judge(swapped(f0="review", f1="review")).go
    assert not judge(swapped(f0="review", f1="review"), free_response=0.6000001).go
    lost = swapped(q0="runtime_error", q1="resource_error", q2="runtime_error")
    assert judge(lost, 0.2).go
    assert not judge(lost, 0.19).go
    assert judge(lost, 0.2).facts["infrastructure_failures"] == 3


def test_lost_records_leave_the_denominator() -> None:
    rows = swapped(q0="resource_error", f0="review")
    found = judge(rows, 0.2).facts["parseability"]
    assert (found["multiple_choice"]["denominator"], found["multiple_choice"]["rate"]) == (9, 1.0)
    assert (found["free_response"]["denominator"], found["free_response"]["rate"]) == (5, 0.8)
    strangers = [replace(row("z"), outcome="review"), replace(ROWS[0], outcome="review")]
    assert judge([*ROWS, *strangers]).facts["parseability"]["multiple_choice"]["rate"] == 1.0
    gone = swapped(**{f"f{i}": "runtime_error" for i in range(5)})
    verdict = judge(gone, 1.0)
    assert [i.code for i in verdict.issues] == ["answer_parseability_cell_undefined"]
    assert verdict.facts["parseability"]["free_response"]["rate"] is None


def test_nothing_to_judge_is_no_go() -> None:
    assert [i.code for i in _bare([], []).issues] == ["no_records"]
    verdict = _bare([row("q0")], [row("q0").slot])
    assert [i.code for i in verdict.issues] == ["answer_parseability_floor_missing"]


def _bare(rows: list[AuditRow], expected: list[tuple[str, str, int]]) -> Verdict:
    return record_audit(rows, expected=expected, floors={}, max_infrastructure_share=0)


def test_bad_calls_are_errors() -> None:
    with pytest.raises(ValueError, match="each slot once"):
        _bare([], [("c", "q0", 0)] * 2)
    with pytest.raises(ValueError, match="free_response: expected a share"):
        judge(ROWS, free_response=1.5)
    with pytest.raises(ValueError, match="max_infrastructure_share"):
        judge(ROWS, float("nan"))
    with pytest.raises(ValueError, match="answer types among"):
        judge([replace(ROWS[0], answer_type="essay")])  # type: ignore[arg-type]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2)), max_size=25))
def test_the_counts_add_up(slots: list[tuple[int, int]]) -> None:
    rows = [replace(row(f"q{i}"), replicate=k) for i, k in slots]
    expected = [("c", f"q{i}", k) for i in range(3) for k in range(2)]
    facts = record_audit(rows, expected=expected, floors=FLOORS, max_infrastructure_share=0).facts
    assert facts["observed_records"] == facts["unique_records"] + facts["duplicate_records"]
    assert facts["unique_records"] == (
        facts["expected_records"] - facts["missing_records"] + facts["unexpected_records"]
    )


def test_cells_become_rows_of_their_answer_type() -> None:
    items = [
        Example(id="a", kind="choice", question="?", gold="A", choices=("x", "y")),
        Example(id="b", kind="number", question="?", gold="7"),
        Example(id="c", kind="yesno", question="?", gold="yes"),
    ]
    made = result(["A", "7", "oom"], items=items)
    assert [(r.answer_type, r.outcome) for r in audit_rows([made])] == [
        ("multiple_choice", "answered"),
        ("free_response", "answered"),
        ("multiple_choice", "resource_error"),
    ]
    twice = replace(made, cell=replace(CELL, replicates=2))
    assert expected_slots([twice])[:3] == [(CELL.id, "a", 0), (CELL.id, "a", 1), (CELL.id, "b", 0)]
