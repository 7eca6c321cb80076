"""The metrics of a file under several scorers, with their intervals."""

from __future__ import annotations

import pytest

from harness.errors import DataError
from harness.predictions.figures import Reading, covered, figures, readings, scores
from harness.predictions.rows import Row
from harness.stats.binary_metrics import pope_metrics
from harness.stats.proportion import wilson
from harness.types import Example

CHOICE = [
    Example(id=str(i), kind="choice", question="?", gold="A", choices=("x", "y"), tags=(tag,))
    for i, tag in enumerate(("image", "text", "text", "image"))
]


def rows(*said: tuple[str, str | None]) -> dict[str, Row]:
    return {str(i): Row(id=str(i), prediction=p, raw=raw) for i, (p, raw) in enumerate(said)}


def test_raw_text_and_prediction_are_judged_apart() -> None:
    given = rows(
        ("A", "It is not B."), ("__invalid__", "The answer is A."), ("B", "A"), ("0", "x")
    )  # fmt: skip
    found = {r.name: scores(CHOICE, given, r) for r in readings([*given.values()], "choice")}
    assert list(found) == [
        "default of raw_prediction",
        "default of prediction",
        "protocol of raw_prediction",
        "protocol of prediction",
    ]
    right = {name: [s.correct for s in ss] for name, ss in found.items()}
    assert right["default of prediction"] == [True, False, False, False]
    # A digit string is an index by the published rule alone.
    assert right["protocol of prediction"] == [True, False, False, True]
    assert right["default of raw_prediction"] == [False, True, True, True]
    metrics = figures(CHOICE, found["protocol of prediction"])
    assert metrics["accuracy"] == wilson(2, 4, 0.95)
    assert metrics["accuracy[image]"] == wilson(2, 2, 0.95)
    assert metrics["accuracy[text]"] == wilson(0, 2, 0.95)
    assert metrics["parse_rate"] == wilson(3, 4, 0.95)


def test_without_raw_texts_the_prediction_is_all_there_is() -> None:
    given = [*rows(("A", None), ("B", None)).values()]
    assert readings(given, "choice") == [
        Reading(policy="default", field="prediction"),
        Reading(policy="protocol", field="prediction"),
    ]
    assert readings(given, "number") == [Reading(policy="default", field="prediction")]
    assert len(readings(given, "choice", "protocol")) == 1
    with pytest.raises(DataError, match="in all 2 rows or in none, found it in 1"):
        readings([given[0], Row(id="2", prediction="A", raw="A")], "choice")


def test_yes_no_metrics_are_those_of_the_cell_with_intervals() -> None:
    golds = ["yes"] * 6 + ["no"] * 4
    said = ["yes", "yes", "yes", "no", "no", "maybe", "yes", "no", "no", "no"]
    examples = [Example(id=str(i), kind="yesno", question="?", gold=g) for i, g in enumerate(golds)]
    given = rows(*((text, None) for text in said))
    found = figures(
        examples, scores(examples, given, Reading(policy="default", field="prediction"))
    )
    expected = pope_metrics(3, 1, 3, 2, 1, 0)
    for name in ("accuracy", "precision", "recall", "f1", "yes_ratio", "parse_rate"):
        one = found[name]
        assert one.value == pytest.approx(expected[name])
        assert one.low is not None and one.high is not None
        assert one.low < one.value < one.high  # type: ignore[operator]
    again = figures(
        examples, scores(examples, given, Reading(policy="default", field="prediction"))
    )
    assert again == found


def test_an_empty_slice_is_undefined() -> None:
    reading = Reading(policy="default", field="prediction")
    images = [CHOICE[0]]
    found = figures(images, scores(images, rows(("A", None)), reading))
    assert "accuracy[text]" not in found
    assert figures([], [])["accuracy"].value is None
    with pytest.raises(DataError, match="aligned with 2 examples"):
        figures(CHOICE[:2], scores(images, rows(("A", None)), reading))


def test_a_file_covers_the_data_or_says_that_it_does_not() -> None:
    given = rows(("A", None), ("B", None))
    assert covered(CHOICE[:2], given, partial=False, where="p") == CHOICE[:2]
    assert covered(CHOICE, given, partial=True, where="p") == CHOICE[:2]
    with pytest.raises(DataError, match=r"p: 2 of 4 examples have no row: 2, 3; .*--partial"):
        covered(CHOICE, given, partial=False, where="p")
    with pytest.raises(DataError, match="1 of 2 rows belong to no example: 1"):
        covered(CHOICE[:1], given, partial=True, where="p")
