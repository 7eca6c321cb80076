"""Panels of judges, families, and the gate of a judged benchmark."""

from __future__ import annotations

import pytest

from harness.errors import DataError
from harness.judging.families import FAMILIES, family, own_judge_lift, self_preference
from harness.judging.gates import judge_gate
from harness.judging.noise import noise_floor
from harness.judging.panel import agreement_table, panel

NAMES = [
    ("claude-sonnet-4.5", "claude"),
    ("Haiku-4.5", "claude"),
    ("gpt-4o-2024-08-06", "gpt"),
    ("o3-mini", "gpt"),
    ("o1", "gpt"),
    ("Qwen/Qwen3-VL-8B-Thinking", "qwen"),
    ("OpenGVLab/InternVL3-8B", "internvl"),
    ("gemini-2.5-pro", "gemini"),
    ("HuggingFaceTB/SmolVLM2-256M-Video-Instruct", "smolvlm"),
    ("meta-llama/Llama-3.1-8B", "llama"),
    ("physics-r1", None),
    ("deepseek-r1-distill-qwen-32b", None),
    ("foo1", None),
    ("graphite", None),
    ("", None),
]


def kappa_44() -> dict[str, dict[str, bool | None]]:
    """Two judges on 50 items with the published kappa of 0.44."""
    rows = [(True, True)] * 17 + [(False, False)] * 19 + [(True, False)] * 8 + [(False, True)] * 6
    return {
        name: {str(n): row[place] for n, row in enumerate(rows)}
        for place, name in enumerate(("sonnet", "gpt-4o"))
    }


def test_families() -> None:
    for name, expected in NAMES:
        assert family(name) == expected, name
    words = [word for members in FAMILIES.values() for word in members]
    assert len(set(words)) == len(words)
    assert family("mine", {"mine": "qwen"}) == "qwen"


def test_self_preference_needs_both_families() -> None:
    assert self_preference("sonnet", "claude-opus-4").shared is True
    assert self_preference("sonnet", "gpt-4o").shared is False
    assert self_preference("sonnet", "mine").shared is None
    assert self_preference("sonnet", "mine", {"mine": "claude"}).shared is True


def test_the_panel_decides_by_more_than_half_of_all_judges() -> None:
    votes = {
        "a": [True, True, False, None, True],
        "b": [True, False, False, None, None],
        "c": [False, None, False, True, None],
    }
    found = panel({name: dict(enumerate_ids(row)) for name, row in votes.items()})
    assert list(found.majority.values()) == [True, None, False, None, None]
    assert found.disputed == ("0", "1")
    assert found.open == ("1", "3", "4")
    assert found.disagreement == 0.4
    assert (found.fleiss.n, found.fleiss.n_raters) == (2, 3)
    first = found.pairs[0]
    # Undecided on both sides agrees with nothing: 2 of 5, and kappa over the 3 that both decided.
    assert (first.agreement, first.kappa.n, first.only_a, first.only_b) == (0.4, 3, 1, 0)


def test_a_panel_without_items_or_with_other_items() -> None:
    empty = panel({"a": {}, "b": {}})
    assert empty.disagreement is None
    assert empty.pairs[0].agreement is None
    assert len(agreement_table(empty, 0.95).rows) == 1
    assert panel({"a": {"x": True}}).pairs == ()
    split = panel({"a": {"x": True}, "b": {"x": False}})
    assert (dict(split.majority), split.open, split.disputed) == ({"x": None}, ("x",), ("x",))
    with pytest.raises(DataError, match="at least one judge"):
        panel({})
    with pytest.raises(DataError, match="one alone has: x, y"):
        panel({"a": {"x": True}, "b": {"y": True}})


def test_the_published_kappa_from_a_table_that_gives_it() -> None:
    found = panel(kappa_44())
    assert found.pairs[0].kappa.kappa == pytest.approx(0.44, abs=0.005)
    table = agreement_table(found, 0.95, {"sonnet": "claude", "gpt-4o": "gpt"})
    row = table.rows[0]
    assert (row["n"], row["agreement"], row["same_family"]) == (50, 0.72, False)
    assert agreement_table(found, 0.95).rows[0]["same_family"] is None
    assert "14 items disputed (28.0 %)" in table.note


def test_the_lift_of_an_own_judge() -> None:
    judges = kappa_44()
    lift = own_judge_lift(judges["sonnet"], judges["gpt-4o"], level=0.95, alpha=0.05, power=0.8)
    assert (lift.n01, lift.n10, lift.n) == (8, 6, 50)
    assert lift.difference.value == 0.04
    with pytest.raises(DataError, match="same items"):
        own_judge_lift({"x": True}, {}, level=0.95, alpha=0.05, power=0.8)


def test_the_gate_names_every_reason() -> None:
    floor = noise_floor(167, 70, 500, 0.95)
    pairs = [self_preference("sonnet", "claude-opus-4"), self_preference("sonnet", "mine")]
    verdict = judge_gate([("m/physolym", floor), ("n", noise_floor(0, 0, 0, 0.95))], pairs, None)
    codes = [issue.code for issue in verdict.issues]
    assert codes == ["family_unknown", "no_verdicts", "one_judge", "self_judged", "undecided_above"]
    assert "0.3340 to 0.4740" in str(verdict.issues[-1])
    low = judge_gate([("m", noise_floor(1, 1, 20, 0.95))], [], panel(kappa_44()))
    assert [issue.code for issue in low.issues] == ["kappa_below"]
    same = panel({"a": {"x": True}, "b": {"x": True}})
    codes = [issue.code for issue in judge_gate([], [], same).issues]
    assert codes == ["kappa_undefined", "no_verdicts"]
    kept = judge_gate([("m", noise_floor(1, 1, 20, 0.95))], [], panel(kappa_44()), min_kappa=0.4)
    assert kept.go
    assert kept.facts["undecided"] == {"m": 0.05}
    for limits in ({"max_undecided": 2.0}, {"min_kappa": -2.0}):
        with pytest.raises(ValueError, match="expected"):
            judge_gate([], [], None, **limits)


def test_the_limits_are_inclusive_and_one_judge_is_no_panel() -> None:
    rows = [(True, True)] * 3 + [(False, False)] * 3 + [(True, False), (False, True)]
    half = panel({name: {str(n): r[i] for n, r in enumerate(rows)} for i, name in enumerate("ab")})
    assert half.pairs[0].kappa.kappa == 0.5
    floors = [("m", noise_floor(5, 1, 20, 0.95))]
    assert judge_gate(floors, [], half, min_kappa=0.5).go
    assert not judge_gate(floors, [], half, min_kappa=0.51).go
    alone = judge_gate(floors, [], panel({"a": {"x": True}}))
    assert [issue.code for issue in alone.issues] == ["one_judge"]


def enumerate_ids(row: list[bool | None]) -> list[tuple[str, bool | None]]:
    return [(str(place), verdict) for place, verdict in enumerate(row)]
