"""The committed checkpoints of the study: what they say about themselves, and that they answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
import torch

from harness import ids
from harness.data.mini_r1 import Item, items
from harness.errors import ModelError
from harness.micro import checkpoint
from harness.micro import measure as first
from harness.micro.r1 import __main__ as command
from harness.micro.r1 import card, measure, prompts
from harness.micro.r1.recipe import RECIPES, Recipe, Reinforcement

ROOT = Path(__file__).parents[3] / "fixtures" / "micro"
LIMIT_BYTES = 1_500_000
N_ASKED = 32
MOVED = {"r1-base": 0.05, "r1-sft": 0.2, "r1-rl": 0.2}


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def asked() -> list[Item]:
    return list(items("test", N_ASKED))


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda r: r.name)
def test_record_agrees_with_files_and_recipe(recipe: Recipe | Reinforcement) -> None:
    directory = ROOT / recipe.name
    record = checkpoint.record(directory)
    assert record["weights_sha256"] == ids.file_digest(directory / checkpoint.WEIGHTS)
    assert record["recipe"] == json.loads(ids.canonical_json(recipe))
    if isinstance(recipe, Reinforcement):
        start = ROOT / recipe.start / checkpoint.WEIGHTS
        assert record["start_sha256"] == ids.file_digest(start)
    assert sum(f.stat().st_size for f in directory.iterdir()) <= LIMIT_BYTES
    config = json.loads((directory / "config.json").read_text(encoding="utf-8"))
    assert config["dtype"] == "float32"
    text = (directory / "README.md").read_text(encoding="utf-8")
    for part in ("Architecture", "Data", "Training", "Measured", "Use and limits", "Apache-2.0"):
        assert part in text


@pytest.mark.parametrize("name", [recipe.name for recipe in RECIPES])
def test_first_questions_are_answered_by_what_is_seen(name: str, asked: list[Item]) -> None:
    model, processor = first.load(ROOT / name)
    texts = [prompts.prompt(item, "paper") for item in asked]
    clean = [item.picture for item in asked]
    white = [PIL.Image.new("RGB", picture.size, "white") for picture in clean]
    replies = measure.replies(model, processor, texts, clean)
    scores = measure.scores(asked, replies)
    assert sum(s.outcome == "answered" for s in scores) >= 0.75 * N_ASKED
    other = measure.scores(asked, measure.replies(model, processor, texts, white))
    moved = [a.answer.value != b.answer.value for a, b in zip(scores, other, strict=True)]
    assert sum(moved) >= MOVED[name] * N_ASKED
    assert measure.replies(model, processor, texts[:2], clean[:2]) == replies[:2]


def test_tables_and_card_show_every_figure() -> None:
    rows = [
        measure.Row(
            style=style,
            n=942,
            accuracy=0.321,
            read=0.987,
            blank=0.198,
            moved=0.654,
            categories={"Physics": 0.3, "Biology": 0.4},
            families={"meter": 0.9, "wave": 0.1},
        )
        for style in prompts.STYLES
    ]
    for recipe in RECIPES:
        record = {"recipe": ids.plain(recipe), "n_parameters": 1234567}
        text = card.card(record, rows, 100.0)
        assert "| paper | 942 | 0.321 | 0.987 | 0.198 | 0.654 |" in text
        assert "| plain | 0.300 | 0.400 |" in text
        assert "1,234,567 parameters" in text
        assert "meter 0.90, wave 0.10." in text
        assert f"--only {recipe.name}" in text


def test_command_trains_all_or_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made: list[str] = []
    monkeypatch.setattr(command, "make", lambda recipe, directory: made.append(directory.name))
    assert command.main(["--out", str(tmp_path)]) == 0
    assert made == ["r1-base", "r1-sft", "r1-rl"]
    assert command.main(["--out", str(tmp_path), "--only", "r1-rl"]) == 0
    assert made[3:] == ["r1-rl"]


def test_command_measures(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    row = measure.Row(
        style="paper", n=5, accuracy=0.5, read=1, blank=0, moved=1, categories={}, families={}
    )
    monkeypatch.setattr(measure, "measure", lambda directory, split: [row])
    assert command.main(["--measure", str(ROOT / "r1-base"), "--split", "train"]) == 0
    assert "| paper | 5 | 0.500 | 1.000 | 0.000 | 1.000 |" in capsys.readouterr().out


def test_a_start_without_checkpoint_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"no config\.json"):
        command.main(["--out", str(tmp_path), "--only", "r1-rl"])
