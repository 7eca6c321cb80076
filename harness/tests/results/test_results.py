import json
from dataclasses import replace

import pytest

from harness import ids
from harness.results import cell_metrics, frame, table
from harness.scoring import score
from harness.tests.gates.made_cells import CELL, result
from harness.types import Example, Response, Score


def scored(example: Example, text: str | None) -> Score:
    status = "oom" if text is None else "ok"
    return score(example, Response(example_id=example.id, status=status, text=text))  # type: ignore[arg-type]


def shape(name: str, gold: str, *tags: str) -> Example:
    return Example(id=name, kind="choice", question="?", gold=gold, choices=("x", "y"), tags=tags)


def test_choice_metrics_by_tag_without_excluded_rows() -> None:
    items = [shape("a", "A", "color"), shape("b", "B", "color", "new"), shape("c", "A", "size")]
    scores = [scored(e, t) for e, t in zip(items, ("A", "hm", None), strict=True)]
    assert cell_metrics(items, scores) == {
        "accuracy": 0.5,
        "parse_rate": 0.5,
        "accuracy[color]": 0.5,
        "accuracy[new]": 0.0,
        "accuracy[size]": None,
    }


def test_yes_no_metrics_are_popes() -> None:
    metrics = result(["yes", "yes", "A dog.", "A dog.", "no", "no", "oom"]).metrics
    assert {k: metrics[k] for k in ("tp", "fp", "tn", "fn")} == {"tp": 1, "fp": 1, "tn": 1, "fn": 1}
    assert (metrics["n_unparsed_yes"], metrics["n_unparsed_no"]) == (1, 1)
    assert metrics["accuracy"] == 2 / 6
    assert metrics["parse_rate"] == 4 / 6
    assert metrics["yes_ratio"] == 2 / 6
    assert "n" not in metrics


def test_mixed_kinds_have_no_pope_metrics() -> None:
    items = [shape("a", "A"), Example(id="b", kind="yesno", question="?", gold="yes")]
    assert set(cell_metrics(items, [scored(items[0], "A"), scored(items[1], "yes")])) == {
        "accuracy",
        "parse_rate",
    }


def test_no_counted_row_gives_none() -> None:
    metrics = result(["oom"]).metrics
    assert metrics["accuracy"] is None
    assert metrics["parse_rate"] is None
    assert metrics["f1"] is None


def test_rows_that_are_not_aligned_are_an_error() -> None:
    items = [shape("a", "A"), shape("b", "B")]
    scores = [scored(e, "A") for e in items]
    with pytest.raises(ValueError, match="aligned"):
        cell_metrics(items, scores[::-1])
    with pytest.raises(ValueError, match="aligned"):
        cell_metrics(items, scores[:1])


def test_table_is_plain_and_rounded() -> None:
    row = table(result(["yes", "yes", "no", "oom"]))
    assert json.loads(ids.canonical_json(row)) == row
    assert (row["n"], row["n_counted"], row["n_correct"]) == (4, 3, 1)
    assert row["outcomes"]["resource_error"] == 1
    assert row["metrics"]["accuracy"] == 0.333333333333
    assert row["metrics"]["tp"] == 1


def test_frame_has_one_row_per_response() -> None:
    other = result(["no"], cell=replace(CELL, variant="v"))
    rows = frame([result(["yes", "A dog."]), other])
    assert list(rows["example_id"]) == ["q0", "q1", "q0"]
    assert list(rows["outcome"]) == ["answered", "review", "answered"]
    assert list(rows["variant"]) == ["", "", "v"]
    assert rows.groupby("cell")["correct"].sum().to_dict() == {CELL.id: 1, other.cell.id: 0}
    assert list(frame([]).columns) == list(rows.columns)
