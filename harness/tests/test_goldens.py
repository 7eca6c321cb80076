"""The goldens of the embedded study: none is an orphan, and an independent loop agrees."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.cells import grid
from harness.data.load import load_dataset
from harness.sample import select
from harness.study import load_study
from harness.types import Cell, Dataset

ROOT = Path(__file__).parents[2]
STUDY = load_study(ROOT / "evals/studies/mini.toml")
VIEWS = ("clean", "shuffled", "blank")


def planned() -> list[Cell]:
    return [
        cell
        for tier in STUDY.tiers
        for experiment, scope in STUDY.experiments.items()
        if scope.golden
        for cell in grid(STUDY.at(tier, experiment), views=VIEWS)
    ]


def golden(cell: Cell) -> Path:
    return ROOT / "golden/cells/mini" / (cell.id.replace(":", "/", 1) + ".json")


def test_every_golden_belongs_to_a_cell_and_every_cell_has_one() -> None:
    found = set((ROOT / "golden/cells/mini").rglob("*.json"))
    assert found == {golden(cell) for cell in planned()}


def answer(model: Any, processor: Any, dataset: Dataset, index: int) -> str:
    """The shortest correct loop: one example, the library's own calls, no batch."""
    import torch

    example = dataset.examples[index]
    content = [{"type": "image"}, {"type": "text", "text": example.question}]
    text = processor.apply_chat_template(
        [{"role": "user", "content": content}], add_generation_prompt=True
    )
    inputs = processor(
        text=text, images=[dataset.open_image(example.media[0])], return_tensors="pt"
    )
    with torch.no_grad():
        out = model.generate(**inputs, max_new_tokens=8, do_sample=False)
    new = out[0, inputs["input_ids"].shape[1] :]
    return str(processor.decode(new, skip_special_tokens=True))


@pytest.mark.parametrize("data", ["visual-shapes", "digits"])
@pytest.mark.parametrize("name", ["micro-base", "micro-sft"])
def test_an_independent_loop_gives_the_same_accuracy(data: str, name: str) -> None:
    import torch
    from transformers import AutoModelForImageTextToText, AutoProcessor

    cell = next(
        c
        for c in planned()
        if (c.tier, c.data, c.model.name, c.view.name) == ("canary", data, name, "clean")
    )
    folder = cell.model.source["path"]
    processor: Any = AutoProcessor.from_pretrained(folder, local_files_only=True)
    model = AutoModelForImageTextToText.from_pretrained(
        folder, dtype=torch.float32, local_files_only=True
    ).eval()
    spec = STUDY.data[data]
    dataset = load_dataset(spec.reader, name=data, split=spec.split, path=None, options={})
    chosen = {e.id for e in select(dataset.examples, cell.n, cell.base_seed)}
    n_correct = sum(
        answer(model, processor, dataset, i) == e.choices["ABCDEFGHIJ".index(e.gold)]
        for i, e in enumerate(dataset.examples)
        if e.id in chosen
    )
    pinned = json.loads(golden(cell).read_text(encoding="utf-8"))
    assert (pinned["n"], pinned["n_correct"]) == (60, n_correct)
