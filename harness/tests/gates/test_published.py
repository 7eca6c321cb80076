from dataclasses import replace

import pytest

from harness.gates.published import published
from harness.tests.gates.made_cells import result

CELL = replace(result(["yes"]), metrics={"f1": 0.8714, "tp": 1182, "recall": None})


def test_equal_figures_are_go_and_the_tolerance_is_inclusive() -> None:
    assert published(CELL, {"f1": 0.8714, "tp": 1182}, 0.0).go
    assert published(CELL, {"f1": 0.8713}, 0.0001).go
    assert published(CELL, {"f1": 0.8715}, 0.0001).go
    assert not published(CELL, {"f1": 0.8716}, 0.0001).go


def test_another_figure_is_no_go() -> None:
    verdict = published(CELL, {"tp": 1181, "f1": 0.8714}, 0.00005)
    (issue,) = verdict.issues
    assert issue.code == "differs"
    assert "tp: expected the published 1181" in issue.message
    assert verdict.facts["figures"]["tp"] == {"published": 1181, "found": 1182}


def test_what_cannot_be_compared_is_no_go() -> None:
    codes = [i.code for i in published(CELL, {"recall": 0.5, "mAP": 0.5}, 1.0).issues]
    assert codes == ["no_such_metric", "undefined"]
    assert [i.code for i in published(CELL, {}, 0.0).issues] == ["nothing_expected"]


@pytest.mark.parametrize("tolerance", [-0.1, float("nan")])
def test_a_bad_tolerance_is_an_error(tolerance: float) -> None:
    with pytest.raises(ValueError, match="tolerance"):
        published(CELL, {"f1": 0.87}, tolerance)
