import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.stats.agreement import agree
from harness.stats.agreement_gates import dual_prompt_gate, gate
from harness.stats.checks import StatisticsError
from harness.stats.voting import Replicates, self_consistency, two_run_gate, vote

ANSWER = st.sampled_from(["A", "B", "C", None, "", " "])
ANSWERS = st.lists(ANSWER, max_size=9)
TABLE = st.lists(st.lists(ANSWER, min_size=4, max_size=4), max_size=8)


def rows(answers: list[list[str | None]], gold: str = "A") -> list[Replicates]:
    return [
        Replicates(id=place, answers=given, correct=[int(a == gold) for a in given])
        for place, given in enumerate(answers)
    ]


@given(ANSWERS, st.randoms(use_true_random=False))
def test_a_vote_counts_what_is_parsed(answers: list[str | None], dice: Any) -> None:
    found = vote(answers)
    counts = Counter(a for a in answers if a and a.strip())
    top = max(counts.values(), default=0)
    assert (found.n_votes, found.n_valid) == (top, sum(counts.values()))
    assert found.n_replicates == len(answers)
    assert found.tied == (list(counts.values()).count(top) > 1)
    assert (found.answer is not None) == (bool(counts) and not found.tied)
    assert found.confidence == (top / found.n_valid if counts else None)
    dice.shuffle(answers)
    assert vote(answers) == found


def test_votes_at_the_edges() -> None:
    assert vote([]).answer is vote([]).confidence is None
    assert not vote([]).tied
    unparsed = vote([None, "", "  "])
    assert (unparsed.answer, unparsed.confidence, unparsed.n_valid) == (None, None, 0)
    assert vote([None, "B"]).confidence == 1.0
    tie = vote(["A", "B", "B", "A", "C"])
    assert (tie.answer, tie.confidence, tie.tied) == (None, 0.4, True)
    assert vote(["a", "A", "A "]).tied  # canonical answers are compared verbatim


def test_ties_are_never_accepted_and_stay_among_all() -> None:
    table = rows([["A", "A", "B", "B"], ["A", "A", "A", "B"], ["B", "B", "B", None], [None] * 4])
    found = self_consistency(table, [0.0, 0.5, 0.75, 1.0], 4)
    assert [g.accepted for _, g in found.gates] == [(1, 2), (1, 2), (1, 2), (2,)]
    assert (found.n_tied, found.n_unparsed, found.correct) == (1, 1, (0, 1, 0, 0))
    for _, accepted in found.gates:
        assert (accepted.metrics.n, accepted.metrics.n_correct) == (4, 1)
    assert found.gates[-1][1].metrics.selective_accuracy == 0.0


def test_a_threshold_is_met_as_a_decimal() -> None:
    table = rows([["A"] * 7 + ["B"] * 3])
    found = self_consistency(table, [0.7, 0.7000000000000001], 10)
    assert [len(g.accepted) for _, g in found.gates] == [1, 0]
    assert 0.55 * 100 > 55  # as floats
    table = rows([["A"] * 45 + ["B"] * 55])
    assert self_consistency(table, [0.55], 100).gates[0][1].metrics.coverage == 1.0


@settings(max_examples=40)
@given(TABLE)
def test_a_higher_threshold_accepts_no_more(answers: list[list[str | None]]) -> None:
    found = self_consistency(rows(answers), [0.5, 0.625, 0.75, 0.875, 1.0], 4)
    accepted = [set(g.accepted) for _, g in found.gates]
    assert all(a >= b for a, b in itertools.pairwise(accepted))
    assert found.n_mixed == 0
    for place, (given_answers, right) in enumerate(zip(answers, found.correct, strict=True)):
        assert right == (vote(given_answers).answer == "A"), place


def test_a_vote_is_scored_by_its_first_replicate() -> None:
    row = Replicates(id="q", answers=["B", "A", "A"], correct=[0, 1, 0])
    found = self_consistency([row], [0.5], 3)
    assert (found.correct, found.n_mixed) == ((1,), 1)


def test_no_rows() -> None:
    found = self_consistency([], [0.5], 8)
    assert found.gates[0][1].metrics.coverage is None
    assert two_run_gate([], 2).metrics.selective_accuracy is None
    assert dual_prompt_gate([], [], [], []).accepted == ()


def test_incomplete_rows_are_named() -> None:
    table = [
        Replicates(id="whole", answers=["A", "A"], correct=[1, 1]),
        Replicates(id="short", answers=["A"], correct=[1]),
        Replicates(id="uneven", answers=["A", "B"], correct=[1]),
        Replicates(id="long", answers=["A"] * 3, correct=[1] * 3),
    ]
    calls: list[Callable[[], object]] = [
        lambda: self_consistency(table, [0.5], 2),
        lambda: two_run_gate(table, 2),
    ]
    for call in calls:
        with pytest.raises(StatisticsError, match=r"'short', 'uneven', 'long'") as caught:
            call()
        assert caught.value.reason == "incomplete_row"


def test_the_two_run_gate_scores_the_first_run() -> None:
    table = [
        Replicates(id=1, answers=["A", "A", "B"], correct=[1, 0, 0]),
        Replicates(id=2, answers=["B", "B", "A"], correct=[0, 1, 1]),
        Replicates(id=3, answers=["A", "B", "A"], correct=[1, 0, 1]),
        Replicates(id=4, answers=[None, None, "A"], correct=[0, 0, 1]),
    ]
    found = two_run_gate(table, 3)
    assert found.accepted == (1, 2)
    assert found.metrics.selective_accuracy == 0.5
    assert found.metrics.full_accuracy == 0.5


@given(ANSWER, ANSWER)
def test_agreement_is_symmetric_and_needs_two_answers(a: str | None, b: str | None) -> None:
    assert agree(a, b) == agree(b, a) == (a == b and bool(a) and a != " ")


def test_the_dual_prompt_gate() -> None:
    found = dual_prompt_gate(
        ["p", "q", "r", "s"], ["A", "B", None, " "], ["A", "C", None, " "], [True, 0, 0, 1]
    )
    assert found.accepted == ("p",)
    assert (found.metrics.coverage, found.metrics.selective_accuracy) == (0.25, 1.0)
    assert found.metrics.rejected_error == 2 / 3


BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: vote(["A", 1]), "invalid_answer"),
    (lambda: agree("A", float("nan")), "invalid_answer"),
    (lambda: dual_prompt_gate([1, 1], ["A"] * 2, ["A"] * 2, [1, 1]), "duplicate_id"),
    (lambda: dual_prompt_gate([1, 2], ["A"] * 2, ["A"], [1, 1]), "length_mismatch"),
    (lambda: dual_prompt_gate([1], ["A"], ["A"], [None]), "not_binary"),
    (lambda: gate([1], [2], [True]), "not_binary"),
    (lambda: self_consistency(rows([["A"]]) * 2, [0.5], 1), "duplicate_id"),
    (lambda: self_consistency(rows([["A"]]), [1.5], 1), "invalid_threshold"),
    (lambda: self_consistency(rows([["A"]]), [float("nan")], 1), "invalid_threshold"),
    (lambda: self_consistency(rows([["A"]]), [0.5], 0), "invalid_count"),
    (lambda: self_consistency(rows([["A"]]), [0.5], 1.0), "invalid_count"),
    (lambda: self_consistency([replace(rows([["A"]])[0], correct=[2])], [0.5], 1), "not_binary"),
    (lambda: two_run_gate(rows([["A"]]), 1), "invalid_count"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "reason"), BAD)
def test_what_is_refused(call: Callable[[], object], reason: str) -> None:
    with pytest.raises(StatisticsError) as caught:
        call()
    assert caught.value.reason == reason
