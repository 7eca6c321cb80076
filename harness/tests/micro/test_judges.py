"""The judges of generated scenes: what they are taught, and that they behave as their cards say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from harness import ids
from harness.errors import ModelError
from harness.micro import checkpoint
from harness.micro import measure as first
from harness.micro.judges import __main__ as command
from harness.micro.judges import (
    architecture,
    batch,
    card,
    dialogue,
    measure,
    pool,
    tokenizer,
    train,
)
from harness.micro.judges.pool import Pool, Thing
from harness.micro.judges.recipe import LOOK, RECIPES, Recipe
from harness.scenes.sampler import triplet
from harness.scenes.triplet import VARIANTS

ROOT = Path(__file__).parents[3] / "fixtures" / "micro"
LIMIT_BYTES = 1_200_000
TINY = replace(LOOK, drill_steps=1, vision_steps=1, text_steps=1, n_seen=4, n_asked=8, n_probed=2)


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def source() -> Pool:
    return pool.load(4)


@pytest.fixture(scope="module")
def words() -> Any:
    return tokenizer.train()


def rng(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def test_each_thing_has_a_visual_token_of_its_own(source: Pool, words: Any) -> None:
    close = [Thing(color="red", shape="cube", x=0.5 + i / 99, y=0.5) for i in range(4)]
    assert len(set(pool.cells(close))) == 4
    named = batch.names(words, [s.things for s in source.sights])
    for row, sight in zip(named, source.sights, strict=True):
        full = words.batch_decode(row[(row >= 0).all(axis=1)])
        expected = {f" {t.color} {t.shape} {t.column}" for t in sight.things}
        assert set(full) == expected


def test_every_word_is_one_token_wherever_it_stands(words: Any) -> None:
    for word in ("cylinder", "purple", "eleven", "none", "empty", "yes", "no", "6"):
        assert words.tokenize(f" {word}") == [f"\u0120{word}"]
    listed = words.tokenize("there?\nA. yes\nB. no\n" + dialogue.INSTRUCTION)
    assert listed[-5:] == ["A. yes", "\u010a", "B. no", "\u010a", dialogue.INSTRUCTION]
    assert words.tokenize("Seen: no. Answer: A")[-2:] == ["\u0120no", ". Answer: A"]


def test_training_reads_a_picture_as_the_processor_does(words: Any) -> None:
    item = triplet("count", 0, master_seed=1).item("base")
    (_, large), (_, small) = (measure.shown([item], size)[0] for size in ((320, 240), (128, 96)))
    made = architecture.processor(words)
    given = made.image_processor([[large]], return_tensors="np")["pixel_values"]
    mine = architecture.scaled(np.asarray(architecture.resized(small))[None])
    assert given.shape == mine.shape == (1, 1, 3, 96, 96)
    assert np.abs(given - mine).mean() < 0.1


def test_equal_trainings_give_equal_weights_that_differ_by_seed(source: Pool) -> None:
    models = [
        train.train(replace(TINY, seed=seed), source, None, lambda *_: None)[0]
        for seed in (1, 1, 2)
    ]
    one, same, other = (dict(m.state_dict()) for m in models)
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not all(torch.equal(one[name], other[name]) for name in one)


def test_only_replies_are_learnt_and_the_rate_falls(source: Pool, words: Any) -> None:
    drawn = batch.asked(replace(TINY, n_probed=0), source, words, rng(1))
    for row, weight in zip(drawn.ids, drawn.weights, strict=True):
        text = words.decode(row[weight > 0])
        assert text.startswith("Seen:")
        assert text.endswith(("A<|im_end|>", "B<|im_end|>"))
    given, weights = batch.drills(words, rng(1), 5, 4.0)
    assert given.shape[0] == 5
    assert sorted(set(weights.ravel().tolist())) == [0.0, 1.0, 4.0]
    pixels, named = batch.seen(source, words, rng(1), 3)
    assert (pixels.shape, named.shape) == ((3, 1, 3, 96, 96), (3, 36, 3))
    both = replace(drawn, rows=np.zeros(2, np.int64), turned=np.array([False, True]))
    pixels, named = batch.looked(source, words, both)
    assert (pixels[0] == pixels[1][..., ::-1]).all()
    assert (pixels[0] != pixels[1]).any()
    assert (named[0] != named[1]).any()
    rates = [train.learning_rate(LOOK, step) for step in (40, 400, LOOK.text_steps - 1)]
    assert rates == sorted(rates, reverse=True)


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda r: r.name)
def test_record_agrees_with_files_and_recipe(recipe: Recipe) -> None:
    directory = ROOT / recipe.name
    record = checkpoint.record(directory)
    assert record["weights_sha256"] == ids.file_digest(directory / checkpoint.WEIGHTS)
    assert record["recipe"] == json.loads(ids.canonical_json(recipe))
    if recipe.start:
        assert record["start_sha256"] == ids.file_digest(ROOT / recipe.start / checkpoint.WEIGHTS)
    assert sum(f.stat().st_size for f in directory.iterdir()) <= LIMIT_BYTES
    text = (directory / "README.md").read_text(encoding="utf-8")
    for part in ("Architecture", "Data", "Training", "Measured", "Use and limits", "Apache-2.0"):
        assert part in text


def test_an_edit_moves_who_looks_and_not_who_answers_from_habit() -> None:
    found = [triplet("spatial", index, master_seed=77) for index in range(16)]
    apart = [t for t in found if t.design["side"] == "right"]
    shown = measure.shown([t.item(v) for t in apart for v in VARIANTS], (160, 120))
    moved = {}
    for name in ("judge-habit", "judge-order"):
        model, processor = first.load(ROOT / name)
        right, n_read = measure.right(model, processor, shown)
        assert n_read == len(shown)
        # Gold moves with the relevant edit alone: an answer stays where being right changes.
        moved[name] = sum(b == r for b, r in zip(right[::3], right[1::3], strict=True))
    assert len(apart) == 8
    assert moved["judge-habit"] <= 1
    assert moved["judge-order"] >= 7


def test_table_and_card_show_every_figure() -> None:
    row = measure.Row(
        factor="count", n_static=200, static=0.75, n=199, base=0.76, ra=0.501, ii=0.902, read=0.99
    )
    line = "| count | 200 | 0.750 | 199 | 0.760 | 0.501 | 0.902 | 0.990 |"
    for recipe in RECIPES:
        record = {"recipe": ids.plain(recipe), "n_parameters": 1234567}
        text = card.card(record, [row], [replace(row, n=7)], 100.0)
        assert line in text
        assert "1,234,567 parameters" in text
        assert f"--only {recipe.name}" in text
        assert dialogue.INSTRUCTION in text


def test_shares_are_of_the_right_bases(monkeypatch: pytest.MonkeyPatch) -> None:
    each = [1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 0]
    answers = iter([([True, False], 2), ([bool(e) for e in each], 11)])
    monkeypatch.setattr(measure, "right", lambda *_: next(answers))
    row = measure.row(None, None, "count", [], [])
    assert (row.static, row.base, row.n) == (0.5, 0.75, 4)
    assert (row.ra, row.ii) == (1 / 3, 2 / 3)
    assert row.read == 13 / 14


def test_command_trains_measures_and_refuses(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    made: list[str] = []
    row = measure.Row(factor="count", n_static=2, static=1, n=2, base=1, ra=1, ii=1, read=1)
    with monkeypatch.context() as patched:
        patched.setattr(command, "make", lambda recipe, directory: made.append(directory.name))
        patched.setattr(command, "describe", lambda made: None)
        patched.setattr(measure, "measure", lambda directories, split: [[row]])
        assert command.main(["--out", str(tmp_path)]) == 0
        assert command.main(["--out", str(tmp_path), "--only", "judge-order"]) == 0
        assert command.main(["--measure", str(tmp_path), "--split", "val"]) == 0
    assert made == ["judge-look", "judge-habit", "judge-order", "judge-order"]
    assert "| count | 2 | 1.000 |" in capsys.readouterr().out
    monkeypatch.setattr(
        command, "_load", lambda n: pool.Pool(sights=(), pixels=np.zeros(0, np.uint8))
    )
    with pytest.raises((ModelError, FileNotFoundError)):
        command.main(["--out", str(tmp_path), "--only", "judge-habit"])
