from dataclasses import replace

import pytest

from harness.gates.comparability import comparability
from harness.tests.gates.made_cells import CELL, result, with_view
from harness.types import Cell, Prompt

TEXTS = ["yes", "no"]
OTHER = replace(CELL, model=replace(CELL.model, name="other"))


def test_cells_earned_alike_are_go() -> None:
    facts = comparability([result(TEXTS), result(TEXTS, cell=OTHER)]).require().facts
    assert facts["n_examples"] == 2
    assert comparability([result(TEXTS)]).go


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        (replace(OTHER, decoding=replace(OTHER.decoding, max_new_tokens=9)), "max_new_tokens"),
        (replace(OTHER, prompt=Prompt(name="p", template="Now: {question}")), "prompt"),
        (replace(OTHER, view=with_view("blank").view), "view"),
        (replace(OTHER, model=replace(OTHER.model, max_image_side_px=64)), "max_image_side_px"),
        (replace(OTHER, data="d2"), "data"),
        (
            replace(OTHER, decoding=replace(OTHER.decoding, repetition_penalty=1.1)),
            "repetition_penalty",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_another_budget_names_both_cells_and_the_field(changed: Cell, field: str) -> None:
    verdict = comparability([result(TEXTS), result(TEXTS, cell=changed)])
    (issue,) = verdict.issues
    assert issue.code == "incomparable"
    assert CELL.id in issue.where
    assert changed.id in issue.where
    assert f"{field}: " in issue.message


def test_other_data_or_examples_are_no_go() -> None:
    data = {"name": "d", "split": "val", "fingerprint": "0" * 64}
    (issue,) = comparability([result(TEXTS), result(TEXTS, identity={"data": data})]).issues
    assert "split: 'test' against 'val'" in issue.message
    assert "data fingerprint" in issue.message
    (issue,) = comparability([result(TEXTS), result(["yes", "no", "no"])]).issues
    assert "example ids: 2 ids against 3 ids" in issue.message


def test_families_are_never_mixed() -> None:
    dual = replace(OTHER, model=replace(OTHER.model, family="dual"))
    (issue,) = comparability([result(TEXTS), result(TEXTS, cell=dual)]).issues
    assert issue.code == "mixed_families"


def test_nothing_is_no_go_and_an_identity_without_data_is_an_error() -> None:
    assert [i.code for i in comparability([]).issues] == ["no_cells"]
    with pytest.raises(ValueError, match=r"no data.split"):
        comparability([result(TEXTS, identity={"data": {}})])


def test_replayed_answers_stand_beside_no_others() -> None:
    replay = replace(OTHER, model=replace(OTHER.model, source={"kind": "replay"}))
    (issue,) = comparability([result(TEXTS), result(TEXTS, cell=replay)]).issues
    assert (issue.code, issue.where) == ("replayed", replay.id)
    both = [result(TEXTS, cell=replay), result(TEXTS, cell=replace(replay, tier="full"))]
    assert comparability(both).go
