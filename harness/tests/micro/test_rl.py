"""GSPO on the embedded model, as far as it needs no trainer: filter, steps, figures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from harness.errors import ModelError
from harness.micro.rl import __main__ as command
from harness.micro.rl import compare, difficulty, finish, pool, report, runs
from harness.micro.rl.recipe import RECIPE, Recipe
from harness.micro.rl.rewards import Mark, marks
from harness.micro.rl.trainer import Run, best, stops
from harness.micro.rl.trainer import settings as told

SMALL = {"grid": 6, "visual_shapes": 4, "digits": 3}
RIGHT = Mark(right=True, fmt=0.1, places=0.15, listing=0.0)
WRONG = Mark(right=False, fmt=0.1, places=0.15, listing=0.2)
BARE = Mark(right=False, fmt=0.0, places=0.0, listing=0.0)


def test_trainer_is_told_the_published_settings() -> None:
    options = told(RECIPE, 42, Path("x"))
    assert options["importance_sampling_level"] == "sequence"
    assert options["loss_type"] == "grpo"
    assert options["use_bias_correction_kl"] is False
    assert (options["epsilon"], options["epsilon_high"], options["beta"]) == (0.2, 0.28, 1e-3)
    assert 8 <= options["num_generations"] <= 16
    assert options["per_device_train_batch_size"] % options["num_generations"] == 0
    assert options["steps_per_generation"] > 1
    assert len(RECIPE.seeds) >= 3


def test_filter_drops_none_and_all() -> None:
    right = [0, 1, 15, 16, 0, 16, 8]
    assert difficulty.mixed(right, 16) == [1, 2, 6]
    found = difficulty.by_source(list("aabbbbb"), right, 16)
    assert [(d.source, d.n, d.never, d.always, d.kept) for d in found] == [
        ("a", 2, 1, 0, 1),
        ("b", 5, 1, 2, 2),
    ]
    assert [d.dropped_share for d in found] == [0.5, 0.6]
    assert difficulty.Difficulty(source="x", n=0, never=0, always=0).dropped_share is None
    for counts, n, said in (([17], 16, "question 0: expected 0 to 16"), ([0], 0, "at least 1")):
        with pytest.raises(ValueError, match=said):
            difficulty.mixed(counts, n)


def test_rewards_pay_for_the_answer_and_dense_for_form_too() -> None:
    two = "blue cross top left, red circle bottom right."
    rows = [
        ("red cross top left. <answer>red</answer>", "red", 1.0, 1.0),
        ("<answer>red</answer>", "red", 1.0, 1.0),
        ("red", "red", 0.0, 0.0),
        ("<answer>blue</answer>", "red", 0.0, 0.1),
        ("red cross top left. <answer>blue</answer>", "red", 0.0, 0.25),
        (f"{two} <answer>4</answer>", "2", 0.0, 0.45),
        (f"{two} <answer>2</answer>", "2", 1.0, 1.0),
        (two, "2", 0.0, 0.35),
        ("pink cross top left. <answer>blue</answer>", "red", 0.0, 0.1),
        ("red cross top left. <answer></answer>", "red", 0.0, 0.15),
        ("digit 7. <answer>7</answer>", "7", 1.0, 1.0),
        ("blue cross top center. <answer>top center</answer>", "top center", 1.0, 1.0),
        ("<answer>top left</answer>", "top center", 0.0, 0.1),
        ("", "red", 0.0, 0.0),
    ]
    found = marks([r[0] for r in rows], [r[1] for r in rows])
    for (reply, _, binary, dense), mark in zip(rows, found, strict=True):
        assert mark.binary == binary, reply
        assert mark.dense == pytest.approx(dense), reply


def test_a_run_stops_after_looks_without_a_better_one() -> None:
    held = {0: 0.5, 6: 0.7, 12: 0.7, 18: 0.6}
    assert not stops(held, 3)
    assert stops(held, 2)
    assert best(held) == 6
    assert not stops({0: 0.5}, 1)
    assert not stops({0: 0.5, 6: 0.5, 12: 0.8}, 2)


def test_steps_are_matched_by_the_run_that_stopped_sooner() -> None:
    assert compare.matched_step({0: 0.1, 6: 0.2, 12: 0.3}, {0: 0.1, 6: 0.9}) == 6
    with pytest.raises(ValueError, match=r"found \[6\] and \[7\]"):
        compare.matched_step({6: 0.1}, {7: 0.1})


def pairs(*rights: tuple[int, int]) -> list[compare.Pair]:
    """A seed for each pair of right answers, binary and dense, out of 100."""
    held = ({0: 0.5, 6: 0.6}, {0: 0.5, 6: 0.7, 12: 0.65})
    start = [RIGHT] * 50 + [BARE] * 50
    return [
        compare.pair(
            seed, held, start, [RIGHT] * b + [BARE] * (100 - b), [RIGHT] * d + [WRONG] * (100 - d)
        )
        for seed, (b, d) in enumerate(rights)
    ]


def test_binary_against_dense_within_a_seed_and_over_seeds() -> None:
    found = pairs((60, 55), (61, 56), (62, 57))
    one = found[0]
    assert (one.step, one.binary_best, one.dense_best) == (6, 6, 6)
    assert (one.paired.n01, one.paired.n10) == (5, 0)
    assert one.paired.p == pytest.approx(2 / 2**5)
    assert one.gained.difference.value == pytest.approx(0.1)
    assert one.dense.wrong_form == pytest.approx(0.45)
    assert one.binary.wrong_form == 0.0
    assert (one.dense.listing, one.dense.tagged, one.binary.tagged) == (0.45, 1.0, 0.6)
    over = compare.over_seeds(found)
    assert over.difference.value == pytest.approx(0.05)
    assert report.verdict(over) == "higher"
    # t with two degrees of freedom: 4.303 sd / √3.
    wide = compare.over_seeds(pairs((60, 55), (60, 58), (60, 61)))
    assert wide.difference.value == pytest.approx(0.02)
    assert wide.radius == pytest.approx(4.3027 * 0.03 / 3**0.5, rel=1e-4)
    assert report.verdict(wide) == "not told apart"
    assert report.verdict(compare.over_seeds(pairs((50, 70), (51, 71), (52, 72)))) == "lower"
    assert report.verdict(compare.over_seeds(found[:2])) == "not told apart"
    gain = compare.gain_over_seeds(found, one.gained.difference.value or 0.0, "dense")
    assert gain.differences == pytest.approx((0.45, 0.46, 0.47))


def test_figures_need_replies() -> None:
    with pytest.raises(ValueError, match="at least one"):
        compare.figures([])
    assert compare.figures([RIGHT]).wrong_form is None


def test_page_and_json_hold_the_figures() -> None:
    counts = difficulty.by_source(["grid"] * 4 + ["digits"], [0, 3, 16, 16, 2], 16)
    shares = {"start": {"grid": 0.5, "digits": 0.25}, "binary": {"grid": 0.6, "digits": 0.75}}
    found = report.Comparison(
        recipe=RECIPE,
        counts=counts,
        start=compare.figures([RIGHT, BARE]),
        pairs=tuple(pairs((60, 55), (61, 56), (62, 57))),
        by_source=shares,
        cpu_s=1.0,
    )
    text = report.page(found)
    assert "| grid | 4 | 1 | 2 | 1 | 75.0 % |" in text
    assert "| all | 5 | 1 | 2 | 2 | 60.0 % |" in text
    assert (
        "| 0 | 6 | 0.500 | 0.600 | 0.550 | +5.0 [+1.0, +10.0] | 5, 0 | 0.062 | 6.0 | 6 | 6 |"
        in text
    )
    assert "with 3 seeds it is wide: t has 2 degrees" in text
    assert "| binary − dense | right | +0.050 | [+0.050, +0.050] | higher |" in text
    assert "| binary | 0.600 | 0.750 |" in text
    plain = json.loads(json.dumps(found.plain(), allow_nan=False))
    assert plain["filter"][0] == {"source": "grid", "n": 4, "never": 1, "always": 2}
    assert plain["binary_minus_dense"]["accuracy"]["difference"]["value"] == pytest.approx(0.05)
    assert "has none" in report.page(replace(found, pairs=found.pairs[:1]))


def test_parts_of_the_pool_share_nothing_and_are_drawn_alike() -> None:
    parts = {part: pool.questions(7, part, SMALL) for part in ("train", "held", "test")}  # type: ignore[arg-type]
    names = [q.id for asked in parts.values() for q in asked]
    pictures = [q.picture.tobytes() for asked in parts.values() for q in asked]
    assert len(set(names)) == len(set(pictures)) == 3 * sum(SMALL.values())
    again = pool.questions(7, "held", SMALL)
    assert [(q.id, q.prompt, q.answer, q.picture.tobytes()) for q in again] == [
        (q.id, q.prompt, q.answer, q.picture.tobytes()) for q in parts["held"]
    ]
    assert {q.source for q in again} == set(pool.SOURCES)
    assert all(q.prompt.endswith("? Think.") for q in again)
    for part, split in (("train", "train"), ("held", "train"), ("test", "test")):
        assert all(f"-{split}-" in q.id for q in parts[part] if q.source != "grid")
    # Behind the last row of the training part, whatever the sizes that are asked for.
    first = next(q.id for q in again if q.source == "digits")
    assert first == f"digits-train-{pool.SIZES['train']['digits']:04d}"


def saved(folder: Path, recipe: Recipe) -> runs.Saved:
    run = Run(
        reward="dense",
        seed=3,
        held={0: 0.5, 6: 0.75},
        states={0: {"w": torch.tensor([1.0])}, 6: {"w": torch.tensor([1.0001, 3.0])}},
        log=[{"step": 1.0, "loss": 0.5}],
    )
    return runs.save(folder, run, recipe, "kept", 12.34)


def test_a_run_is_found_again_and_one_of_another_recipe_refused(tmp_path: Path) -> None:
    made = saved(tmp_path / "a", RECIPE)
    other = replace(RECIPE, seeds=(1,), rewards=("dense",))
    assert runs.opened(tmp_path / "a", other, "kept") == made
    assert (made.reward, made.seed, made.held[6], made.cpu_s) == ("dense", 3, 0.75, 12.3)
    # Rounded to half precision, as the stored checkpoint is.
    assert made.state(6)["w"].tolist() == [1.0, 3.0]
    with pytest.raises(ModelError, match=r"no look at step 7; expected one of \[0, 6\]"):
        made.state(7)
    for recipe, kept in ((replace(RECIPE, beta=0.1), "kept"), (RECIPE, "others")):
        with pytest.raises(ModelError, match="remove it"):
            runs.opened(tmp_path / "a", recipe, kept)


def test_the_stored_checkpoint_is_the_best_by_the_held_questions(tmp_path: Path) -> None:
    first = saved(tmp_path / "a", RECIPE)
    low = replace(first, seed=1, held={0: 0.5, 6: 0.7})
    tied = replace(first, seed=4, held={0: 0.5, 6: 0.6, 12: 0.75})
    assert finish.chosen([low, first, tied]) == (first, 6)


def test_accuracy_by_source_is_over_all_runs() -> None:
    asked = pool.questions(7, "train", {"grid": 2, "visual_shapes": 0, "digits": 1})
    found = finish.by_source(asked, [[RIGHT, WRONG, RIGHT], [RIGHT, RIGHT, BARE]])
    assert found == {"grid": 0.75, "digits": 0.5}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--out", "x", "--steps", "0"], "expected at least 1, found 0"),
        (["--out", "x", "--seeds", "4", "4"], "each seed once"),
        (["--out", "x", "--reward", "sparse"], "invalid choice"),
        ([], "--out"),
    ],
)
def test_command_refuses(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command.main(arguments)
    assert said in capsys.readouterr().err


def test_command_reads_seeds_reward_and_steps() -> None:
    recipe, start, out = command._parsed(
        ["--out", "x", "--seeds", "1", "2", "--reward", "binary", "--steps", "9"]
    )
    assert (recipe.seeds, recipe.rewards, recipe.steps) == ((1, 2), ("binary",), 9)
    assert (start.name, out) == ("micro-sft", Path("x"))
    assert command._parsed(["--out", "x"])[0] == RECIPE
