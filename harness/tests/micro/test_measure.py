from __future__ import annotations

import pytest

from harness import ids
from harness.micro import card, measure
from harness.micro.recipe import SFT
from harness.types import Example

EXAMPLE = Example(
    id="a", kind="choice", question="What shape is it?", choices=("square", "cross"), gold="B"
)


@pytest.mark.parametrize(
    ("reply", "style", "letter"),
    [
        ("cross", "word", "B"),
        (" square\n", "word", "A"),
        ("circle", "word", None),
        ("cross.", "word", None),
        ("", "word", None),
        ("red cross. <answer>cross</answer>", "evidence", "B"),
        ("red cross. <answer>cross", "evidence", None),
        ("cross", "evidence", None),
        ("B", "letter", "B"),
        ("C", "letter", None),
        ("AB", "letter", None),
        ("", "letter", None),
    ],
)
def test_reading_is_exact(reply: str, style: str, letter: str | None) -> None:
    assert measure.read(reply, EXAMPLE, style) == letter


def test_prompts_of_the_three_styles() -> None:
    assert [measure.prompt(EXAMPLE, s) for s in ("word", "evidence", "letter")] == [
        "What shape is it?",
        "What shape is it? Think first.",
        "What shape is it? Options: (A) square (B) cross",
    ]


def test_the_card_shows_every_measured_row() -> None:
    rows = [
        measure.Row(data="visual_shapes", style="word", condition=c, n=120, accuracy=a, listed=1.0)
        for c, a in zip(measure.CONDITIONS, (0.975, 0.358, 0.367), strict=True)
    ]
    record = {"recipe": ids.plain(SFT), "n_parameters": 554432}
    text = card.card(record, rows, {"batch 8": 0}, 800.0)
    assert "| visual_shapes | word | 120 | 0.975 | 0.358 | 0.367 | 1.000 |" in text
    assert "554,432 parameters" in text
    assert "batch 8: 0 differ" in text
    with pytest.raises(ValueError, match="zip"):
        card.table(rows[:2])
