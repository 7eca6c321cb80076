from dataclasses import replace

import pytest

from harness.gates.visual_dependency import visual_dependency
from harness.tests.gates.made_cells import CELL, examples, result, with_view
from harness.types import Verdict

RIGHT = ["yes", "no"] * 10
BLIND = ["yes"] * 20


def codes(verdict: Verdict) -> list[str]:
    return [issue.code for issue in verdict.issues]


def test_a_model_that_looks_is_go() -> None:
    verdict = visual_dependency(
        result(RIGHT), result(BLIND, cell=with_view("blank")), level=0.95
    ).require()
    facts = verdict.facts
    assert (facts["n10"], facts["n01"], facts["n_pairs"]) == (10, 0, 20)
    assert facts["difference"] == 0.5
    assert facts["low"] > 0
    assert (facts["accuracy_clean"], facts["accuracy_control"]) == (1.0, 0.5)
    assert facts["answer_agreement"] == 0.5
    mute = result(["mumble"] * 20, cell=with_view("blank"))
    assert visual_dependency(mute, mute, level=0.95).facts["answer_agreement"] == 0.0


def test_a_model_that_does_not_look_is_no_go() -> None:
    verdict = visual_dependency(result(BLIND), result(BLIND, cell=with_view("blank")), level=0.95)
    assert codes(verdict) == ["no_dependency"]
    assert verdict.facts["difference"] == 0.0


def test_a_fall_within_noise_is_no_go() -> None:
    nearly = ["yes", "yes"] + ["yes", "no"] * 9
    verdict = visual_dependency(result(RIGHT), result(nearly, cell=with_view("blank")), level=0.95)
    assert verdict.facts["difference"] == 0.05
    assert verdict.facts["low"] == 0.0
    assert codes(verdict) == ["no_dependency"]


def test_a_handful_of_pairs_proves_nothing() -> None:
    """The interval of all-equal pairs is one point, above zero and worthless."""
    verdict = visual_dependency(
        result(["no"] * 2, items=[replace(e, gold="no") for e in examples(2)]),
        result(
            ["yes"] * 2, items=[replace(e, gold="no") for e in examples(2)], cell=with_view("blank")
        ),
        level=0.95,
    )
    assert verdict.facts["low"] == 1.0
    assert verdict.facts["p_value"] == 0.5
    assert codes(verdict) == ["no_dependency"]


def test_a_better_control_is_no_go() -> None:
    verdict = visual_dependency(result(BLIND), result(RIGHT, cell=with_view("blank")), level=0.95)
    assert verdict.facts["difference"] == -0.5
    assert codes(verdict) == ["no_dependency"]


def test_rows_are_joined_by_id_not_by_position() -> None:
    items = examples(20)
    control = result(BLIND[::-1], items=items[::-1], cell=with_view("blank"))
    verdict = visual_dependency(result(RIGHT), control, level=0.95)
    assert verdict.facts["n10"] == 10


def test_excluded_rows_are_dropped_on_either_side_and_counted() -> None:
    clean = result(["oom", *RIGHT[1:]])
    control = result(["yes", "error", *BLIND[2:]], cell=with_view("blank"))
    facts = visual_dependency(clean, control, level=0.95).facts
    assert (facts["n_pairs"], facts["n_dropped"]) == (18, 2)


def test_no_pairs_is_no_go() -> None:
    verdict = visual_dependency(
        result(["oom"]), result(["yes"], cell=with_view("blank")), level=0.95
    )
    assert codes(verdict) == ["no_pairs"]
    assert verdict.facts["difference"] is None


def test_cells_that_are_no_pair_are_no_go() -> None:
    blank = with_view("blank")
    assert "unpaired" in codes(visual_dependency(result(RIGHT), result(BLIND[:18], cell=blank),
                                                 level=0.95))  # fmt: skip
    doubled = result([*BLIND, "yes"], items=[*examples(20), examples(1)[0]], cell=blank)
    assert "duplicate" in codes(visual_dependency(result(RIGHT), doubled, level=0.95))
    other = result(BLIND, cell=blank, identity={"model": "another"})
    verdict = visual_dependency(result(RIGHT), other, level=0.95)
    assert codes(verdict) == ["not_a_pair"]
    assert "model" in verdict.issues[0].message


def test_replicates_are_refused() -> None:
    twice = replace(result(RIGHT), cell=replace(CELL, replicates=2))
    with pytest.raises(ValueError, match="one replicate"):
        visual_dependency(twice, twice, level=0.95)
