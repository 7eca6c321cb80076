"""From readings to counts: both policies, every reason, and identities of the states."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import DataError
from harness.interventions.counts import factor_counts
from harness.interventions.losses import dropped_triplets, losses
from harness.interventions.metrics import judge_cells, judge_metrics
from harness.interventions.readings import JudgeFactor, Reading, readings
from harness.stats.checks import StatisticsError
from harness.tests.interventions.made_judges import SETTINGS, audit, cell, statics, triplet
from harness.types import CellResult, Score

STATES = st.lists(st.text("01", min_size=3, max_size=3), max_size=12)
ANY = st.lists(st.text("01ue", min_size=3, max_size=3), max_size=12)


def one(*cells: CellResult) -> JudgeFactor:
    (found,) = readings(cells, SETTINGS).frozen
    return found


def synthetic(states: list[str]) -> JudgeFactor:
    """The same as `one(audit(...))` without a scorer, for properties."""

    def row(name: str, gold: str, bit: str) -> Reading:
        other = "B" if gold == "A" else "A"
        letter = {"1": gold, "0": other}.get(bit)
        reason = {"u": "unparsed", "e": "runtime_error"}.get(bit, "")
        return Reading(id=name, gold=gold, letter=letter, correct=bit == "1", reason=reason)

    triplets = {
        f"t{i}": (row("b", "A", s[0]), row("r", "B", s[1]), row("i", "A", s[2]))
        for i, s in enumerate(states)
    }
    return JudgeFactor(model="m", factor="f", triplets=triplets)


@settings(max_examples=40, deadline=None)
@given(STATES)
def test_where_all_is_read_the_letters_give_what_the_states_give(states: list[str]) -> None:
    """ΔC = ΔY xor ΔGold: flips counted by letters are the flips of the eight states."""
    for policy in ("drop_unparsed", "wrong"):
        found = factor_counts(synthetic(states), policy)
        m, kept = found.metrics, found.kept
        assert found.states.n_triplets == len(states) and not found.dropped
        if m.n_triplets:
            assert kept["relevant"].turned / m.n_triplets == m.flip_relevant
            assert kept["irrelevant"].turned / m.n_triplets == m.flip_irrelevant
        assert kept["relevant"].same_base == found.states.n_100 + found.states.n_101
        assert kept["irrelevant"].same_base == found.states.n_101 + found.states.n_111


@settings(max_examples=40, deadline=None)
@given(ANY)
def test_every_triplet_is_counted_or_named(states: list[str]) -> None:
    judge = synthetic(states)
    published, ours = (factor_counts(judge, policy) for policy in ("drop_unparsed", "wrong"))
    for found in (published, ours):
        assert set(found.bits) | set(found.dropped) == set(judge.triplets)
        assert not set(found.bits) & set(found.dropped)
        assert found.states.n_triplets == len(found.bits)
    assert set(published.bits) <= set(ours.bits)
    assert all("e" not in states[int(name[1:])] for name in ours.bits)
    lost = sum(bit in "ue" for state in states for bit in state)
    named = sum(int(str(row["n_rows"])) for row in losses([judge]).rows)
    assert named == lost
    listed = {(r["policy"], r["triplet"]) for r in dropped_triplets([judge]).rows}
    assert listed == {("drop_unparsed", t) for t in published.dropped} | {
        ("wrong", t) for t in ours.dropped
    }


def test_the_two_policies_and_a_missing_variant() -> None:
    items = [e for i in range(5) for e in triplet(f"t{i}")][:-1]
    made = cell("m1", "audit", items, list("1111u1e1111010"))
    found = one(made, statics("m1", ["1", "u", "0", "e"]))
    ours, published = factor_counts(found, "wrong"), factor_counts(found, "drop_unparsed")
    assert (ours.states.n_111, ours.states.n_101, ours.states.n_110) == (1, 1, 1)
    assert ours.dropped == {"t2": ("base:runtime_error",), "t4": ("irrelevant:missing_variant",)}
    assert set(published.bits) == {"t0", "t3"} and published.dropped["t1"] == ("relevant:unparsed",)
    assert (ours.static_correct, len(ours.static)) == (1, 3)
    assert (published.static_correct, len(published.static)) == (1, 2)
    # An unread letter neither stays nor turns.
    assert ours.kept["relevant"].turned == 2 and ours.kept["relevant"].same == 0
    rows = {(r["part"], r["reason"]): r for r in losses([found]).rows}
    assert rows["irrelevant", "missing_variant"]["ids"] == "t4:irrelevant"
    assert rows["static", "unparsed"]["wrong"] == "counted as wrong"
    assert rows["base", "runtime_error"]["wrong"] == "left out"


def test_ties_and_scores_that_are_no_numbers_are_named() -> None:
    made = audit("m1", ["1u1", "11u"])
    rules = iter(("tie", "nan"))

    def named(score: Score) -> Score:
        if score.outcome != "review":
            return score
        return replace(score, answer=replace(score.answer, rule=next(rules)))

    found = one(replace(made, scores=tuple(map(named, made.scores))))
    reasons = {(r["part"], r["reason"]) for r in losses([found]).rows}
    assert reasons == {("relevant", "tied_margin"), ("irrelevant", "nan_margin")}
    assert factor_counts(found, "wrong").states.n_101 == 1


def test_of_several_replicates_the_first_counts() -> None:
    made = statics("m1", ["1", "0"])
    wrong = statics("m1", ["0", "0"])
    again = tuple(replace(score, replicate=1) for score in wrong.scores)
    found = one(replace(made, scores=(*made.scores, *again)))
    assert factor_counts(found, "wrong").static_correct == 1


def test_swapped_letters_are_turned_back() -> None:
    found = readings([audit("m1", ["101"]), audit("m1", ["101"], swapped=True)], SETTINGS)
    (frozen,), (turned,) = found.frozen, found.swapped
    assert [r and (r.letter, r.gold) for r in frozen.triplets["t0"]] == [
        r and (r.letter, r.gold) for r in turned.triplets["t0"]
    ]
    assert found.missing == ("m1/static", "m2/audit", "m2/static")


def test_what_stands_twice_or_has_no_place_is_refused() -> None:
    twice = [*triplet("t0"), replace(triplet("t0")[0], id="again")]
    odd = [replace(triplet("t0")[0], role="near")]
    for cells, message in (
        ([audit("m1", ["111"]), audit("m1", ["111"])], "expected one cell"),
        ([cell("m1", "audit", twice, list("1111"))], "expected one base variant"),
        ([cell("m1", "audit", odd, ["1"])], "expected the role"),
    ):
        with pytest.raises(DataError, match=message):
            readings(cells, SETTINGS)
    with pytest.raises(StatisticsError, match="policy"):
        factor_counts(synthetic([]), "lenient")


def test_the_metrics_have_their_denominators_and_intervals() -> None:
    found = one(audit("m1", ["111"] * 34 + ["101"] * 166), statics("m1", ["1"] * 9 + ["0"]))
    counts = [factor_counts(found, "wrong")]
    (row,) = judge_cells(counts).rows
    assert (row["RA"], row["II"], row["flip_relevant"]) == (0.17, 1.0, 0.17)
    assert row["retention_relevant"] == 0.83
    rows = {r["metric"]: r for r in judge_metrics(counts, 0.95).rows}
    assert (rows["retention_relevant"]["k"], rows["retention_relevant"]["n"]) == (166, 200)
    assert rows["II"]["degenerate"] and rows["II"]["ci_low_pct"] == 100.0
    low = rows["II"]["wilson_low_pct"]
    assert isinstance(low, float) and 98 < low < 99
    assert "exact bootstrap" in str(rows["RA"]["ci_method"])
    assert "Wilson" in str(rows["static_accuracy"]["ci_method"])


def test_nothing_gives_nothing() -> None:
    counts = [factor_counts(synthetic([]), "wrong")]
    (row,) = judge_cells(counts).rows
    assert all(row[name] is None for name in ("RA", "II", "PFC", "static_accuracy", "U_at_2"))
    assert {r["value_pct"] for r in judge_metrics(counts, 0.95).rows} == {None}
