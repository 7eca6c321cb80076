"""The gates of an intervention study: each fault by its code, and GO without one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.interventions.gates import disjoint_images, signal_gate, triplets_complete
from harness.tests.interventions.made_judges import audit, picture, static, statics, triplet
from harness.types import Example


def codes(examples: list[Example]) -> list[str]:
    return [issue.code for issue in triplets_complete(examples).issues]


def test_whole_triplets_go() -> None:
    examples = [e for i in range(3) for e in triplet(f"t{i}")] + [static("s0")]
    verdict = triplets_complete(examples)
    assert verdict.go
    assert verdict.facts == {
        "n_triplets": 3,
        "n_whole": 3,
        "n_static": 1,
        "triplets_by_factor": {"count": 3},
    }


def test_each_fault_of_a_triplet_has_its_code() -> None:
    base, relevant, irrelevant = triplet("t0")
    for examples, expected in (
        ([], ["no_triplets"]),
        ([base, relevant], ["missing_variant"]),
        ([base, relevant, irrelevant, replace(base, id="b2")], ["duplicate_variant"]),
        ([base, relevant, replace(irrelevant, role="near")], ["missing_variant", "unknown_role"]),
        ([replace(base, group=""), relevant, irrelevant], ["missing_variant", "no_group"]),
        ([base, replace(relevant, question="Other?"), irrelevant], ["question_changed"]),
        ([base, replace(relevant, choices=("x", "y")), irrelevant], ["candidates_changed"]),
        ([base, replace(relevant, tags=("spatial",)), irrelevant], ["factor_changed"]),
        ([base, replace(relevant, gold=base.gold), irrelevant], ["label_kept"]),
        ([base, relevant, replace(irrelevant, gold="B")], ["label_flipped"]),
        ([base, replace(relevant, media=base.media), irrelevant], ["same_picture"]),
    ):
        assert codes(examples) == expected, expected


def test_parts_share_no_picture() -> None:
    audit_set, items = triplet("t0"), [static("s0"), static("s1")]
    assert disjoint_images([("audit", audit_set), ("static", items)]).go
    shared = [items[0], replace(items[1], media=audit_set[1].media)]
    verdict = disjoint_images([("audit", audit_set), ("static", shared)])
    (issue,) = verdict.issues
    assert issue.code == "shared_image" and "t0:relevant = s1" in issue.message
    unhashed = [replace(items[0], media=(replace(picture("x")[0], sha256=None),))]
    found = disjoint_images([("audit", audit_set), ("static", unhashed)])
    assert [i.code for i in found.issues] == ["unhashed_image"]


def test_signal_at_the_limits() -> None:
    # Golds alternate, so a judge that is always right says A half of the time.
    fair = statics("m1", ["1"] * 10)
    constant = statics("m2", ["A"] * 10)
    assert signal_gate([fair]).go
    both = signal_gate([fair, constant])
    assert both.go and both.facts["judges"]["m2"]["constant"] is True
    assert [i.code for i in signal_gate([constant]).issues] == ["constant_letter"]
    for most, least in ("AB", "BA"):  # exactly 0.95 and 0.05
        edge = statics("m1", [most] * 19 + [least])
        assert [i.code for i in signal_gate([edge]).issues] == ["constant_letter"]
    assert signal_gate([statics("m1", ["A"] * 18 + ["B"] * 2)]).go
    assert signal_gate([statics("m1", ["1"] * 8 + ["u"] * 2)]).go  # exactly 0.80
    low = signal_gate([statics("m1", ["1"] * 7 + ["u"] * 3)])
    assert [i.code for i in low.issues] == ["parse_rate_below"]


def test_signal_counts_a_judge_over_its_cells_and_leaves_out_what_was_lost() -> None:
    verdict = signal_gate([audit("m1", ["1e1", "111"]), statics("m1", ["u", "1", "1", "1"])])
    assert verdict.facts["judges"]["m1"]["n"] == 9
    assert verdict.facts["judges"]["m1"]["n_read"] == 8
    assert [i.code for i in signal_gate([]).issues] == ["no_judges"]
    silent = signal_gate([statics("m1", ["u"])])
    assert [i.code for i in silent.issues] == ["constant_letter", "no_answers", "parse_rate_below"]
    with pytest.raises(ValueError, match="low at most high"):
        signal_gate([], low=0.9, high=0.1)
    with pytest.raises(ValueError, match="min_parse_rate"):
        signal_gate([], min_parse_rate=2)
