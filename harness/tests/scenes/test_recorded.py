"""The letter by the record: equal to the sampler's on every variant, and what it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.errors import DataError
from harness.scenes.recorded import recorded_letter
from harness.scenes.sampler import static_item, triplet
from harness.scenes.triplet import FACTORS, VARIANTS


@pytest.mark.parametrize("factor", FACTORS)
def test_it_is_the_gold_of_every_drawn_specimen(factor: str) -> None:
    items = [
        triplet(factor, index, direction=direction).item(variant)
        for direction in ("balanced", "published")
        for index in range(16)
        for variant in VARIANTS
    ]
    for item in [*items, *(static_item(factor, index) for index in range(16))]:
        assert recorded_letter(item.query, item.scene, item.candidates) == item.gold


def test_what_the_record_cannot_answer() -> None:
    item = static_item("attribute", 0)
    with pytest.raises(DataError, match="one object that the question names, found 0"):
        recorded_letter(item.query, replace(item.scene, objects=()), item.candidates)
    item = static_item("count", 0)
    with pytest.raises(DataError, match="one of the candidates"):
        recorded_letter(item.query, replace(item.scene, objects=()), item.candidates)
    free = replace(item.query, factor="material")
    assert recorded_letter(free, item.scene, item.candidates) is None
