from dataclasses import replace

import pytest

from harness.gates.completeness import completeness
from harness.tests.gates.made_cells import CELL, examples, result
from harness.types import CellResult, Verdict

IDS = ("q0", "q1", "q2", "q3")
WHOLE = result(["yes", "no", "yes", "no"])


def judge(cell: CellResult, ids: tuple[str, ...] = IDS, share: float = 0.0) -> Verdict:
    return completeness([cell], expected_ids=[ids], max_infrastructure_share=share)


def codes(verdict: Verdict) -> list[str]:
    return [issue.code for issue in verdict.issues]


def test_a_whole_cell_is_go() -> None:
    verdict = judge(WHOLE).require()
    assert verdict.facts["cells"][0]["n_present"] == 4


def test_missing() -> None:
    verdict = judge(replace(WHOLE, n_data=5), (*IDS, "q4"))
    assert codes(verdict) == ["missing"]
    assert "q4" in verdict.issues[0].message
    assert verdict.issues[0].where == CELL.id


def test_unexpected() -> None:
    assert codes(judge(replace(WHOLE, n_data=3), IDS[:3])) == ["unexpected"]


def test_duplicate() -> None:
    items = [*examples(4), examples(1)[0]]
    assert codes(judge(result(["yes"] * 5, items=items, n_data=4))) == ["duplicate"]


@pytest.mark.parametrize(("n", "n_data"), [(None, 5), (3, 4), (9, 5)])
def test_fewer_or_more_examples_than_the_data_set_gives(n: int | None, n_data: int) -> None:
    """The result's own list of ids is held against the size of the split."""
    verdict = judge(replace(WHOLE, cell=replace(CELL, n=n), n_data=n_data))
    assert codes(verdict) == ["sample_size"]


def test_misaligned() -> None:
    assert codes(judge(replace(WHOLE, responses=WHOLE.responses[::-1]))) == ["misaligned"]


def test_infrastructure_share_is_inclusive() -> None:
    one_lost = result(["yes", "no", "oom", "no"])
    assert codes(judge(one_lost)) == ["infrastructure"]
    assert codes(judge(one_lost, share=0.24)) == ["infrastructure"]
    assert judge(one_lost, share=0.25).go
    ten_lost = result(["error"] + ["yes"] * 9)
    assert judge(ten_lost, tuple(f"q{i}" for i in range(10)), share=0.1).go


def test_every_replicate_is_expected() -> None:
    twice = replace(WHOLE, cell=replace(CELL, replicates=2))
    verdict = judge(twice)
    assert codes(verdict) == ["missing"]
    assert "q0 (replicate 1)" in verdict.issues[0].message


def test_nothing_is_no_go() -> None:
    assert codes(completeness([], expected_ids=[], max_infrastructure_share=0.0)) == ["no_cells"]
    assert codes(judge(result([]), ())) == ["no_examples"]


def test_bad_calls_are_errors() -> None:
    with pytest.raises(ValueError, match="one list of ids per cell"):
        completeness([WHOLE], expected_ids=[], max_infrastructure_share=0.0)
    with pytest.raises(ValueError, match="hold one twice"):
        judge(WHOLE, (*IDS, "q0"))
    with pytest.raises(ValueError, match="share of 0 to 1"):
        judge(WHOLE, share=1.5)
