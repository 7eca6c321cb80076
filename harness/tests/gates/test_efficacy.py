"""A formal run needs audits, all of them whole and all of them GO."""

from __future__ import annotations

from typing import Any

import pytest

from harness.errors import NoGo
from harness.gates.efficacy import efficacy_lock, requires_go
from harness.gates.summary import (
    AuditSummary,
    permitted_interpretation,
    summarise,
    summary_faults,
)
from harness.types import Issue, Verdict

RECORDS = {
    "expected_records": 4,
    "observed_records": 4,
    "unique_records": 4,
    "missing_records": 0,
    "duplicate_records": 0,
    "unexpected_records": 0,
    "infrastructure_failures": 0,
}
GO = AuditSummary(
    stage="signals",
    subject="pilot",
    issue_counts={},
    records=RECORDS,
    parseability={
        "multiple_choice": {"denominator": 3, "rate": 2 / 3},
        "free_response": {"denominator": 1, "rate": 1.0},
    },
).as_json()
SCORER = AuditSummary(stage="scorer", subject="canary", issue_counts={}).as_json()


def no_go(stage: str, **counts: int) -> dict[str, Any]:
    return AuditSummary(
        stage=stage,  # type: ignore[arg-type]
        subject="pilot",
        issue_counts=counts,
        records=RECORDS if stage == "signals" else None,
    ).as_json()


def test_go_summaries_let_the_run_start() -> None:
    requires_go([GO, SCORER])


def test_every_reason_is_given_at_once() -> None:
    faulty = [GO, no_go("signals", a_low=2, b_low=1), no_go("scorer", c_differs=53), {"go": True}]
    with pytest.raises(NoGo) as caught:
        requires_go(faulty)
    found = {(i.code, i.where) for i in caught.value.issues if i.code != "invalid_summary"}
    assert found == {
        ("a_low", "signals audit of pilot"),
        ("b_low", "signals audit of pilot"),
        ("c_differs", "scorer audit of pilot"),
    }
    assert "53 issue(s); permitted: scorer requalification" in str(caught.value)
    assert "[invalid_summary] summary 3: decision: expected a value" in str(caught.value)


def test_one_stage_alone_is_no_go() -> None:
    for summaries, absent in [
        ([GO], "scorer"),
        ([GO, GO], "scorer"),
        ([SCORER], "signals"),
        ([SCORER, {**GO, "expected_records": 5}], "signals"),
    ]:
        with pytest.raises(NoGo) as caught:
            requires_go(summaries)
        found = [i for i in caught.value.issues if i.code == "no_audit"]
        assert [i.where for i in found] == [absent]
        assert f"expected at least one valid summary of the {absent} audit" in found[0].message


def test_no_audit_is_no_go() -> None:
    with pytest.raises(NoGo, match="no_audit"):
        requires_go([])
    assert [i.code for i in efficacy_lock([]).issues] == ["no_audit"]


def test_a_summary_that_was_tampered_with_is_invalid() -> None:
    bad = no_go("signals", parse_low=1)
    rows: list[tuple[Any, str]] = [
        (None, "expected an object"),
        ([], "expected an object"),
        ({**GO, "extra": 1}, "extra: expected no such field"),
        ({k: v for k, v in GO.items() if k != "stage"}, "stage: expected a value"),
        ({**GO, "schema": "x/1"}, "schema"),
        ({**GO, "stage": "efficacy"}, "stage"),
        ({**GO, "subject": 3}, "subject"),
        ({**bad, "decision": "GO"}, "decision: expected 'NO-GO'"),
        ({**bad, "issue_counts": {}}, "decision: expected 'GO'"),
        ({**bad, "issue_counts": {"parse_low": 0}}, "issue_counts"),
        ({**bad, "issue_counts": {"parse_low": True}}, "issue_counts"),
        ({**bad, "issue_counts": []}, "issue_counts"),
        ({**bad, "issue_counts": {"Parse low": 1}}, "issue_counts: expected a code"),
        ({**bad, "efficacy_analysis_performed": True}, "efficacy_analysis_performed"),
        ({**bad, "efficacy_analysis_performed": 0}, "efficacy_analysis_performed"),
        ({**bad, "permitted_interpretation": "it works"}, "permitted_interpretation"),
        ({**GO, "missing_records": 1}, "unique_records: expected 3, found 4"),
        ({**GO, "missing_records": 1, "unexpected_records": 1}, "expected missing_records for 1"),
        ({**GO, "observed_records": 5}, "observed_records: expected 4, found 5"),
        ({**GO, "observed_records": "4"}, "records: expected counts"),
        ({**GO, "expected_records": None}, "records: expected counts"),
        ({**GO, "infrastructure_failures": 5}, "infrastructure_failures: expected at most 4"),
        ({**GO, "parseability": 1}, "parseability: expected an object"),
        ({**GO, "parseability": {"essay": {}}}, "parseability.essay"),
        ({**GO, "parseability": {"free_response": {"rate": 1}}}, "denominator and rate"),
        (rated(-1, 0.5), "denominator: expected a count"),
        (rated(3, 0.5), "rate: expected a share"),
        (rated(3, None), "rate: expected a share"),
        (rated(0, 0.0), "rate: expected a share"),
        # What was not judged is no GO.
        (
            {**GO, **dict.fromkeys(RECORDS, 0)},
            "expected_records: expected at least 1 at GO, found 0",
        ),
        (
            {**GO, "infrastructure_failures": 4},
            "infrastructure_failures: expected fewer than 4 at GO",
        ),
        (
            {**GO, "infrastructure_failures": 1},
            "parseability: expected denominators of 3 in all at GO",
        ),
        (
            {**GO, "parseability": {}},
            "parseability: expected denominators of 4 in all at GO, found 0",
        ),
        (rated(4, 0.0), "parseability.free_response.rate: expected above 0 at GO, found 0.0"),
        (rated(0, None), "parseability.free_response.rate: expected above 0 at GO, found None"),
        (rated(3, 1 / 3), "parseability: expected denominators of 4 in all at GO, found 3"),
        (rated(3, float("nan")), "rate: expected a share"),
        ({**SCORER, "role_equivalence_failures_by_model": {"rl": -1}}, "by_model"),
    ]
    for value, said in rows:
        faults = summary_faults(value)
        assert any(said in fault for fault in faults), (said, faults)
        with pytest.raises(NoGo, match="invalid_summary"):
            requires_go([value])
    for sound in (rated(4, 1 / 4), bad, {**bad, "parseability": {}}, SCORER):
        assert summary_faults(sound) == []


def rated(denominator: int, rate: float | None) -> dict[str, Any]:
    figures = {"denominator": denominator, "rate": rate}
    return {**GO, "parseability": {"free_response": figures}}


def test_what_may_be_claimed() -> None:
    changed = "threshold_changed_after_first_response"
    for stage, codes, said in [
        ("signals", [], "may enter the formal efficacy run"),
        ("signals", ["verbal_confidence_cell_below_threshold"], "engineering integrity"),
        ("signals", ["missing_records", "low"], "none: the records"),
        ("scorer", [], "may score the formal run"),
        ("scorer", ["canary_role_equivalence_failed"], "requalification on canary rows only"),
        ("scorer", ["low", changed], "none: the thresholds changed"),
        ("signals", ["missing_records", changed], "none: the thresholds changed"),
        ("scorer", ["low", "thresholds_unknown"], "none: the thresholds of the first response"),
    ]:
        assert said in permitted_interpretation(stage, codes)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected one of"):
        permitted_interpretation("efficacy", [])  # type: ignore[arg-type]


def test_a_lock_names_the_audit_and_the_place() -> None:
    good = Verdict(gate="audit_scorer", issues=())
    bad = Verdict(gate="audit_signals", issues=(Issue("missing_records", "m/clean", "1: q0"),))
    edited = Verdict(gate="frozen_thresholds", issues=(Issue("changed", "level", "0.9"),))
    assert efficacy_lock([("a", good)]).go
    verdict = efficacy_lock([("a", good), ("b", bad), ("c", edited)])
    assert [(i.code, i.where) for i in verdict.issues] == [
        ("missing_records", "b: m/clean"),
        ("threshold_changed_after_first_response", "c: level"),
    ]
    assert verdict.facts["audits"] == {"a": "GO", "b": "NO-GO", "c": "NO-GO"}


def test_nothing_to_summarise_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one verdict"):
        summarise("signals", "pilot", [])
