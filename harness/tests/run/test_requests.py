"""Records cannot be changed, and preparing a request leaves nothing behind."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from harness import types
from harness.requests import prepare, tasks_of
from harness.tests.run.stand_ins import cell, dataset, pixel_hash
from harness.types import Example, Prompt
from harness.vision.views import named

RECORDS = [v for v in vars(types).values() if dataclasses.is_dataclass(v) and isinstance(v, type)]


def test_every_record_is_frozen() -> None:
    """AT-66."""
    assert len(RECORDS) > 15
    assert [r.__name__ for r in RECORDS if not r.__dataclass_params__.frozen] == []  # type: ignore[attr-defined]
    example = dataset(1).examples[0]
    with pytest.raises(dataclasses.FrozenInstanceError):
        example.question = "Another?"  # type: ignore[misc]


@pytest.mark.parametrize(
    "view", ["clean", "blank", "shuffled", "distractor_3", "control_noise_1_left"]
)
def test_prepared_twice_is_equal(view: str) -> None:
    """AT-66: the prompt, the pictures and the seed of a task are made anew, and the same."""
    data, one = dataset(4, images=True), cell(view=named(view))
    before = [dataclasses.asdict(e) for e in data.examples]
    slots = {(e.id, 0): 1 for e in data.examples}

    def prepared() -> list[tuple[Any, ...]]:
        tasks = tasks_of(one, data, {"base_seed": None}, "key", slots)
        return [_content(prepare(one, data, task).request) for task in tasks]

    assert prepared() == prepared()
    assert [dataclasses.asdict(e) for e in data.examples] == before


def test_only_a_view_of_several_pictures_brings_its_note() -> None:
    data, asked = dataset(2, images=True), Prompt(name="p", template="{question}\n{views: Parts.}")
    for name, note in (("global_plus_quadrants", "\nParts."), ("distractor_3", "")):
        one = cell(view=named(name), prompt=asked)
        tasks = tasks_of(one, data, {"base_seed": None}, "key", {("q000", 0): 1})
        assert [task.prompt.removeprefix("Is it 0?") for task in tasks] == [note or "\n"]


def _content(request: types.Request | None) -> tuple[Example, str, list[str], int]:
    assert request is not None
    hashes = [pixel_hash(image) for image in request.images]
    return request.example, request.prompt, hashes, request.seed
