"""Opposite directions behind equal quantities are not the same answer."""

from __future__ import annotations

import pytest

from harness.scoring import grade
from harness.scoring.quantities.directions import directions

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("answer", "gold", "outcome"),
    [
        ("40 m south", "40 m north", "review"),
        ("40 m to the south", "40 m north", "review"),
        ("8 N downward", "8 N upward", "review"),
        ("8 N to the right", "8 N to the left", "review"),
        ("3 A anticlockwise", "3 A clockwise", "review"),
        ("6 V/m out of the page", "6 V/m into the page", "review"),
        ("30° east of north", "30° north of east", "review"),
        ("40 m northward", "40 m north", "right"),
        ("40 m", "40 m north", "right"),
        ("40 m south", "40 m", "right"),
        ("41 m south", "40 m north", "wrong"),
    ],
)
def test_compared(answer: str, gold: str, outcome: str) -> None:
    score = grade("number", f"Answer: {answer}", (), gold)
    assert score.outcome == ("review" if outcome == "review" else "answered")
    assert score.correct == (outcome == "right")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", ()),
        ("12", ()),
        ("at least 5 m", ()),
        ("5 m north-east", ("north", "east")),
        ("5 A counter-clockwise", ("counter", "clockwise")),
        ("5 N upwards", ("up",)),
    ],
)
def test_named(text: str, named: tuple[str, ...]) -> None:
    assert directions(text) == named
