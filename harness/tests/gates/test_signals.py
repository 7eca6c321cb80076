"""A confidence passes when it is there, calibrated, and higher for right answers; else not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from harness.gates.confidence import agreement, verbal, verbal_confidence, vote_share
from harness.gates.signals import (
    SignalCell,
    SignalLimits,
    SignalRow,
    signal_audit,
    signal_limits,
)
from harness.scoring import score
from harness.stats.checks import StatisticsError
from harness.tests.gates.made_cells import CELL, examples, result
from harness.types import CellResult, Response, Status, Verdict

LIMITS = SignalLimits(min_coverage=0.9, max_ece=0.1, min_auroc=0.7)
GOOD = [(0.95, True)] * 8 + [(0.05, False)] * 2
BELOW, UNDEFINED = (f"verbal_confidence_cell_{end}" for end in ("below_threshold", "undefined"))


def cell(pairs: Sequence[tuple[float | None, bool]], name: str = "c") -> SignalCell:
    rows = [
        SignalRow(example_id=f"q{i}", confidence=c, correct=right)
        for i, (c, right) in enumerate(pairs)
    ]
    return SignalCell(cell=name, signal="verbal", rows=tuple(rows))


def judge(pairs: Sequence[tuple[float | None, bool]], limits: SignalLimits = LIMITS) -> Verdict:
    return signal_audit([cell(pairs)], limits)


def test_a_good_signal_is_go_at_its_own_figures() -> None:
    (facts,) = judge(GOOD).require().facts["cells"]
    assert (facts["coverage"], facts["auroc"]) == (1.0, 1.0)
    assert facts["ece"] == pytest.approx(0.05)
    assert judge(GOOD, replace(LIMITS, max_ece=0.05, min_auroc=1.0, min_coverage=1.0)).go
    assert judge([*GOOD[:9], (None, False)], replace(LIMITS, min_coverage=0.9)).go


def test_planted_faults_are_named() -> None:
    for pairs, codes, named in [
        ([*GOOD[:8], (None, False), (0.05, False)], [], ""),
        ([*GOOD, (None, True), (None, True)], [BELOW], "coverage 10 of 12, expected at least 0.9"),
        ([(1.0, True)] * 5 + [(0.9, False)] * 5, [BELOW], "ECE 0.4500, expected at most 0.1"),
        ([(0.8, True)] * 8 + [(0.8, False)] * 2, [BELOW], "AUROC 0.5000"),
        ([(0.95, True)] * 10, [UNDEFINED], "AUROC (10 right, 0 wrong)"),
        ([(0.05, False)] * 10, [UNDEFINED], "AUROC (0 right, 10 wrong)"),
        ([(None, True), (None, False)], [BELOW, UNDEFINED], "coverage 0 of 2"),
        ([], [UNDEFINED], "coverage (no row counts)"),
    ]:
        verdict = judge(pairs)
        assert [issue.code for issue in verdict.issues] == codes, (named, verdict.issues)
        assert not named or named in verdict.issues[0].message
        assert verdict.go == (not codes)


def test_a_limit_that_was_not_frozen_is_no_pass() -> None:
    verdict = judge(GOOD, signal_limits({"max_ece": 0.1}))
    assert [i.where for i in verdict.issues] == ["min_auroc", "min_confidence_coverage"]
    assert {i.code for i in verdict.issues} == {"confidence_threshold_missing"}
    named = {"min_confidence_coverage": 0.9, "max_ece": 0.1, "min_auroc": 0.7, "ece_bins": None}
    assert signal_limits(named) == LIMITS
    assert signal_limits(named | {"ece_bins": 5}).n_bins == 5


def test_no_signal_or_the_same_twice_is_no_go() -> None:
    assert [i.code for i in signal_audit([], LIMITS).issues] == ["no_signals"]
    twice = signal_audit([cell(GOOD), cell(GOOD)], LIMITS)
    assert [i.code for i in twice.issues] == ["duplicate_signal"]


def test_bad_values_are_errors() -> None:
    with pytest.raises(StatisticsError):
        judge([(float("nan"), True)])
    with pytest.raises(StatisticsError):
        judge([(1.5, True)])
    with pytest.raises(ValueError, match="max_ece: expected 0 to 1"):
        judge(GOOD, replace(LIMITS, max_ece=2.0))


def test_confidence_in_words() -> None:
    for text, expected in [
        ("<answer>B</answer>\nConfidence: 85%", 0.85),
        ("**Confidence:** 85 %", 0.85),
        ("confidence level is 0.85.", 0.85),
        ("Confidence = 85/100", 0.85),
        ("Confidence score: 8/10, since the plot is clear", 0.8),
        ("I am 70% confident that it is B.", 0.7),
        ("Confidence: 85", 0.85),
        ("Confidence: 0", 0.0),
        ("Confidence: 1.0", 1.0),
        ("Confidence: 1%", 0.01),
        ("Confidence: 100%", 1.0),
        ("confidence: 40% <confidence>0.3</confidence> <confidence>0.6</confidence>", 0.6),
        ("Confidence: 80%. As I said, confidence: 80%", 0.8),
        ("<think>Confidence: 20%</think> Confidence: 90%", 0.9),
        ("<think>Confidence: 20%</think> B", None),
        ("Confidence: 80%. No, confidence: 60%", None),
        ("Confidence: 1", None),
        ("Confidence: 150%", None),
        ("Confidence: 80-90%", None),
        ("Confidence: 90—95%", None),
        ("I am 90-95% confident.", None),
        ("I am 90% - 95% confident.", None),
        ("I am 90 to 95 % sure.", None),
        ("Between 90 and 95% certain.", None),
        ("I am not 90% confident.", None),
        ("I am not even 90 % sure.", None),
        ("I don’t feel 90% confident", None),
        ("I am not sure of the axis, but 70% confident of B.", 0.7),
        ("I cannot read the axis so I am 70% confident of B.", 0.7),
        ("at least 90% confident", None),
        ("less than 50% confident", None),
        (">90% confident", None),
        ("-5% confident", None),
        ("1000% confident", None),
        ("- 90% confident", 0.9),
        ("Confidence is not 90%", None),
        ("Confidence: 1.5", None),
        ("Confidence: 8", None),
        ("<confidence>1.5</confidence>", None),
        ("Confidence: 10.5", 0.105),
        ("Confidence: 80 to 90%", None),
        ("Confidence: -5%", None),
        ("Confidence: 1.5.2", None),
        ("Confidence: high", None),
        ("Confidence: 0.8, or rather confidence: low", None),
        ("<confidence>high</confidence> Confidence: 80%", None),
        ("The answer is 85%.", None),
        ("", None),
        ("Confidence: 80%" + " " * 1_000_000, None),
    ]:
        assert verbal_confidence(text) == expected, text[:80]


def test_what_the_reader_meets_costs_little() -> None:
    for text in (
        "confidence " * 50_000,
        "confidence: " * 50_000,
        "9" * 200_000,
        "<confidence>" * 9,
        "not 90-95% sure " * 20_000,
    ):
        assert verbal_confidence(text) is None


def test_verbal_reads_each_row_and_drops_the_lost() -> None:
    made = result(["Yes. Confidence: 90%", "Yes.", "oom", "No. Confidence: 20%"])
    found = verbal(made)
    assert [(r.confidence, r.correct) for r in found.rows] == [
        (0.9, True),
        (None, False),
        (0.2, True),
    ]
    assert found.n_dropped == 1


def voted(answers: Sequence[Sequence[str | Status]]) -> CellResult:
    """A cell with as many replicates as each question has answers; golds alternate."""
    items = examples(len(answers))
    made = result(["Yes."] * len(items), cell=replace(CELL, replicates=len(answers[0])))
    responses = [
        Response(example_id=e.id, replicate=k, status="oom", error="x")
        if text == "oom"
        else Response(example_id=e.id, replicate=k, status="ok", text=text)
        for e, texts in zip(items, answers, strict=True)
        for k, text in enumerate(texts)
    ]
    by_id = {e.id: e for e in items}
    scores = tuple(score(by_id[r.example_id], r) for r in responses)
    return replace(made, responses=tuple(responses), scores=scores)


def test_votes() -> None:
    made = voted(
        [
            ("yes", "yes", "no", "yes"),
            ("yes", "no", "no", "?"),
            ("yes", "yes", "no", "no"),
            ("?", "?", "?", "?"),
            ("yes", "yes", "oom", "yes"),
        ]
    )
    found = vote_share(made)
    assert [(r.confidence, r.correct) for r in found.rows] == [
        (0.75, True),
        (2 / 3, True),
        (0.5, False),
        (None, False),
    ]
    assert found.n_dropped == 1
    cut = replace(made, scores=made.scores[1:])
    assert [r.example_id for r in vote_share(cut).rows] == ["q1", "q2", "q3"]
    assert vote_share(replace(made, scores=made.scores[::-1])).rows[::-1] == found.rows


def test_agreement_with_other_conditions() -> None:
    first = result(["yes", "yes", "?", "oom", "yes"])
    others = [result(["yes", "no", "no", "no", "no"]), result(["yes", "?", "no", "no", "yes"])]
    found = agreement(first, others)
    assert [(r.example_id, r.confidence, r.correct) for r in found.rows] == [
        ("q0", 1.0, True),
        ("q1", 0.0, False),
        ("q2", None, False),
        ("q4", 0.5, True),
    ]
    assert found.n_dropped == 1
    for bad in ([], [voted([("yes", "no")])]):
        with pytest.raises(ValueError, match="another cell"):
            agreement(first, bad)
