"""Audits over whole cells: each planted fault is NO-GO by name, and the same cells without it GO.

The stages that were published come out of made rows by their counts. The thresholds that the
published audits used are not published, so those here are made up to fit the counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import NoGo, StudyError
from harness.gates.audit import AuditRow, record_audit
from harness.gates.qualification import audit_gates, parse_floors, scorer_audit
from harness.gates.signals import SignalCell, SignalLimits, SignalRow, signal_audit
from harness.gates.summary import summarise, summary_faults
from harness.scoring import score
from harness.study import Study, load_study
from harness.tests.gates.made_cells import CELL, examples, result
from harness.types import Answer, Cell, CellResult, ModelSpec, Prompt, Response, Verdict
from harness.vision.views import named

_MINI = load_study(Path(__file__).parents[3] / "evals/studies/mini.toml")
LIMITS = {
    "min_parse_rate": 0.95,
    "max_infrastructure_share": 0.0,
    "min_confidence_coverage": 0.9,
    "max_ece": 0.1,
    "min_auroc": 0.7,
}
ASKING = Prompt(name="asking", template="{question} How sure are you?")
PILOT = tuple(
    replace(CELL, model=ModelSpec(name=name, source={"kind": "fake"}), prompt=ASKING)
    for name in ("base", "rl")
)
Fault = Callable[[CellResult], CellResult]


def study(**first: object) -> Study:
    made = replace(_MINI, thresholds=LIMITS).at("canary", "signal-pilot")
    return replace(made, thresholds_first={**made.frozen, **first})


def pilot(cell: Cell) -> CellResult:
    """20 questions, 16 of them right and sure, 4 wrong and unsure."""
    said = [("No", "Yes")[(i % 2 == 0) == (i < 16)] for i in range(20)]
    texts = [f"{word}. Confidence: {95 if i < 16 else 5}%" for i, word in enumerate(said)]
    return result(texts, cell=cell)


def answering(*places: int, text: str = "I cannot tell.") -> Fault:
    """The cell with other texts at some places, scored anew."""

    def plant(made: CellResult) -> CellResult:
        responses, scores = list(made.responses), list(made.scores)
        for place in places:
            responses[place] = replace(responses[place], text=text)
            scores[place] = score(made.examples[place], responses[place])
        return replace(made, responses=tuple(responses), scores=tuple(scores))

    return plant


def spoilt(made: CellResult, *places: int) -> CellResult:
    """The cell with some scores turned round, as a faulty scorer would have them."""
    scores = list(made.scores)
    for place in places:
        other = {"yes": "no", "no": "yes"}[str(scores[place].answer.value)]
        answer = Answer(value=other, rule="planted")
        scores[place] = replace(scores[place], answer=answer, correct=other == scores[place].gold)
    return replace(made, scores=tuple(scores))


def without_first(made: CellResult) -> CellResult:
    return replace(made, responses=made.responses[1:], scores=made.scores[1:])


def doubled(made: CellResult) -> CellResult:
    return replace(
        made,
        responses=(*made.responses, made.responses[0]),
        scores=(*made.scores, made.scores[0]),
    )


def foreign(made: CellResult) -> CellResult:
    lone = replace(made.responses[0], example_id="z9")
    return replace(
        made,
        responses=(*made.responses, lone),
        scores=(*made.scores, replace(made.scores[0], example_id="z9")),
    )


def lost(made: CellResult) -> CellResult:
    response = Response(example_id="q3", status="oom", error="x")
    scores, responses = list(made.scores), list(made.responses)
    responses[3], scores[3] = response, score(made.examples[3], response)
    return replace(made, responses=tuple(responses), scores=tuple(scores))


def audits(results: Sequence[CellResult], of: Study) -> dict[str, Verdict]:
    gates = audit_gates(of, [r.cell for r in results], verbal_prompts=["asking"])
    return {gate.name: gate.judge(results) for gate in gates}


def test_the_pilot_without_a_fault_is_go() -> None:
    found = audits([pilot(cell) for cell in PILOT], study())
    assert list(found) == ["audit-signals", "audit-scorer"]
    for verdict in found.values():
        summary = verdict.require().facts["summary"]
        assert summary["decision"] == "GO"
        assert summary_faults(summary) == []
    facts = found["audit-signals"].facts
    assert facts["summary"]["expected_records"] == facts["record_audit"]["unique_records"] == 40
    assert [c["auroc"] for c in facts["signal_audit"]["cells"]] == [1.0, 1.0]


def test_each_planted_fault_is_no_go_and_named() -> None:
    unread = answering(16, 17, text="Unsure. Confidence: 5%")
    unsure = answering(*range(0, 16, 2), text="Yes.")
    overconfident = answering(*range(0, 20, 2), text="No. Confidence: 95%")
    signals, scorer, sure = "audit-signals", "audit-scorer", "verbal_confidence_cell"
    for fault, gate, code, said in [
        (without_first, signals, "missing_records", "q0"),
        (doubled, signals, "duplicate_records", "q0"),
        (foreign, signals, "unexpected_records", "z9"),
        (lost, signals, "infrastructure_failures", "q3 (resource_error)"),
        (unread, signals, "answer_parseability_cell_below_threshold", "18 of 20 (90.00%)"),
        (unsure, signals, f"{sure}_below_threshold", "coverage 12 of 20"),
        (overconfident, signals, f"{sure}_below_threshold", "AUROC"),
        (lambda r: replace(r, n_data=21), signals, "sample_size", "of the data set's 21"),
        (lambda r: spoilt(r, 4), scorer, "canary_role_equivalence_failed", "base"),
        (lambda r: spoilt(r, 4), scorer, "canary_aggregate_equivalence_failed", "finds 15 right"),
    ]:
        verdict = audits([fault(pilot(PILOT[0])), pilot(PILOT[1])], study())[gate]
        with pytest.raises(NoGo, match=code):
            verdict.require()
        assert any(said in str(i) for i in verdict.issues if i.code == code), verdict.issues
        summary = verdict.facts["summary"]
        assert summary["decision"] == "NO-GO"
        assert summary_faults(summary) == []


def test_thresholds_that_are_not_the_first_ones_close_both() -> None:
    results, edited = [pilot(cell) for cell in PILOT], "threshold_changed_after_first_response"
    for first, code in (({"min_auroc": 0.9}, edited), ({"unknown": ["m"]}, "thresholds_unknown")):
        for verdict in audits(results, study(**first)).values():
            (issue,) = verdict.issues
            assert (issue.code, issue.where) == (code, "min_auroc" if code == edited else "m")
            assert "none: the threshold" in verdict.facts["summary"]["permitted_interpretation"]


def test_a_limit_that_the_study_does_not_state_is_no_go() -> None:
    bare = replace(study(), thresholds={k: v for k, v in LIMITS.items() if k != "min_auroc"})
    bare = replace(bare, thresholds_first=bare.frozen)
    verdict = audits([pilot(cell) for cell in PILOT], bare)["audit-signals"]
    assert [(i.code, i.where) for i in verdict.issues] == [
        ("confidence_threshold_missing", "min_auroc")
    ]


def test_signals_come_from_replicates_and_agreeing_prompts() -> None:
    plain = replace(PILOT[0], prompt=CELL.prompt)
    results = [pilot(PILOT[0]), result(["Yes."] * 20, cell=plain)]
    (gate, _) = audit_gates(study(), [PILOT[0], plain], agreeing_prompts=["asking", "p"])
    (found,) = gate.judge(results).facts["signal_audit"]["cells"]
    assert (found["signal"], found["cell"], found["n"]) == ("agreement", PILOT[0].id, 20)
    (gate, _) = audit_gates(study(), [PILOT[0]])
    assert "no_signals" in {i.code for i in gate.judge(results[:1]).issues}


def test_a_signal_that_was_asked_for_does_not_vanish() -> None:
    plain = replace(PILOT[0], prompt=CELL.prompt)
    for cells, asked in [
        (PILOT, {"verbal_prompts": ["p"]}),
        (PILOT, {"agreeing_prompts": ["asking"]}),
        (PILOT, {"agreeing_prompts": ["asking", "p"]}),
        ((*PILOT, plain), {"agreeing_prompts": ["asking", "p"]}),
    ]:
        with pytest.raises(StudyError, match="prompts"):
            audit_gates(study(), cells, **asked)
    with pytest.raises(ValueError, match="at a tier"):
        audit_gates(_MINI, PILOT)


def test_floors_by_answer_type() -> None:
    assert parse_floors({"min_parse_rate": 0.9}) == {
        "multiple_choice": 0.9,
        "free_response": 0.9,
    }


def test_an_oracle_that_reads_nothing_is_no_go() -> None:
    items = [replace(e, kind="text", gold="red") for e in examples(3)]
    verdict = scorer_audit([result(["red"] * 3, items=items)])
    assert [i.code for i in verdict.issues] == ["nothing_checked"]
    assert [i.code for i in scorer_audit([]).issues] == ["no_cells"]


def test_the_published_signal_pilot() -> None:
    """10,080 records in 63 conditions: 123 of 126 parse cells and 5 of 6 signals fail."""
    floors = {"multiple_choice": 0.95, "free_response": 0.8}
    rows: list[AuditRow] = []
    for kind, n, sure, n_parsed in [
        ("multiple_choice", 128, [125, 125], 7244),
        ("free_response", 32, [30], 1202),
    ]:
        share, more = divmod(n_parsed - sum(sure), 63 - len(sure))
        sizes = sure + [share + (i < more) for i in range(63 - len(sure))]
        rows += [
            AuditRow(
                cell=f"condition-{c:02}",
                example_id=f"{kind}-{i}",
                answer_type=kind,  # type: ignore[arg-type]
                outcome="answered" if i < size else "review",
            )
            for c, size in enumerate(sizes)
            for i in range(n)
        ]
    records = record_audit(
        rows,
        expected=[row.slot for row in rows],
        floors=floors,
        max_infrastructure_share=0.0,
    )
    limits = SignalLimits(min_coverage=0.9, max_ece=0.1, min_auroc=0.6)
    good = [(0.95, True)] * 19 + [(0.05, False)]
    cells = [
        SignalCell(
            cell=f"model-{c}",
            signal="verbal",
            rows=tuple(
                SignalRow(example_id=f"q{i}", confidence=None if i < 3 * (c > 0) else p, correct=y)
                for i, (p, y) in enumerate(good)
            ),
        )
        for c in range(6)
    ]
    summary = summarise("signals", "pilot", [records, signal_audit(cells, limits)]).as_json()
    assert summary_faults(summary) == []
    assert summary == {
        "schema": "assay-audit-summary/1",
        "stage": "signals",
        "subject": "pilot",
        "decision": "NO-GO",
        "efficacy_analysis_performed": False,
        "expected_records": 10080,
        "observed_records": 10080,
        "unique_records": 10080,
        "missing_records": 0,
        "duplicate_records": 0,
        "unexpected_records": 0,
        "infrastructure_failures": 0,
        "parseability": {
            "multiple_choice": {"denominator": 8064, "rate": 0.8983134920634921},
            "free_response": {"denominator": 2016, "rate": 0.5962301587301587},
        },
        "issue_counts": {
            "answer_parseability_cell_below_threshold": 123,
            "verbal_confidence_cell_below_threshold": 5,
        },
        "role_equivalence_failures_by_model": {},
        "permitted_interpretation": "engineering integrity of the records only; no claim on "
        "accuracy, calibration, ranking or efficacy",
    }
    assert len(records.facts["cells"]) == 126


def test_the_published_scorer_canary() -> None:
    """46 roles (23, 15, 8 by checkpoint), 5 aggregates and 2 winners are 53 issues."""
    right, wrong = ["Yes.", "No."] * 20, ["No.", "Yes."] * 20
    results = []
    for model, view, n_right, places in [
        ("base", "clean", 20, range(20, 32)),
        ("sft", "clean", 25, range(8)),
        ("rl", "clean", 30, range(4)),
        ("base", "blank", 20, [*range(6), *range(20, 25)]),
        ("sft", "blank", 25, [*range(4), *range(25, 28)]),
        ("rl", "blank", 30, [0, 1, 30, 31]),
    ]:
        spec = ModelSpec(name=model, source={"kind": "fake"})
        cell = replace(CELL, model=spec, view=named(view))
        results.append(spoilt(result(right[:n_right] + wrong[n_right:], cell=cell), *places))
    verdict = scorer_audit(results)
    summary = summarise("scorer", "canary", [verdict]).as_json()
    assert summary_faults(summary) == []
    assert len(verdict.issues) == 53
    assert summary["issue_counts"] == {
        "canary_aggregate_equivalence_failed": 5,
        "canary_role_equivalence_failed": 46,
        "canary_winner_mismatch": 2,
    }
    assert summary["role_equivalence_failures_by_model"] == {"base": 23, "rl": 8, "sft": 15}
    assert summary["permitted_interpretation"] == (
        "scorer requalification on canary rows only; no result of any model"
    )
