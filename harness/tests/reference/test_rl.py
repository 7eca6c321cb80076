"""GSPO through TRL: its loss is the published one, it learns, and the command ends whole."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from harness import ids
from harness.errors import DataError, ModelError
from harness.micro import checkpoint, measure
from harness.micro.loop import repeatable
from harness.micro.rl import __main__ as command
from harness.micro.rl import objective, pool, rollouts, study, trainer
from harness.micro.rl.recipe import RECIPE
from harness.micro.rl.rewards import marks
from harness.rewards.advantage import advantages

START = Path(__file__).parents[3] / "fixtures" / "micro" / "micro-sft"
# TRL's own ε, which is no setting of it.
EPS = 1e-4
SMALL = {"grid": 12, "visual_shapes": 4, "digits": 4}
TINY = replace(
    RECIPE, seeds=(1, 2), steps=2, n_asked=2, n_samples=4, n_updates=2, n_filter=4, held_every=1
)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def token_logps(model: Any, inputs: dict[str, Any]) -> Any:
    """Log-probabilities of the replies' tokens, by one plain forward pass: (n, length)."""
    tokens = torch.cat([inputs["prompt_ids"], inputs["completion_ids"]], dim=1)
    mask = torch.cat([inputs["prompt_mask"], inputs["completion_mask"]], dim=1)
    with torch.no_grad():
        logits = model(
            input_ids=tokens, attention_mask=mask, pixel_values=inputs["pixel_values"]
        ).logits
    n = inputs["completion_ids"].shape[1]
    logged = torch.log_softmax(logits[:, -n - 1 : -1].double(), dim=-1)
    return logged.gather(-1, inputs["completion_ids"].unsqueeze(-1)).squeeze(-1).numpy()


@pytest.mark.reference
@pytest.mark.parametrize("reward", ["binary", "dense"])
def test_the_loss_is_the_published_formula(reward: str, tmp_path: Path) -> None:
    asked = pool.questions(5, "train", SMALL)
    with repeatable(), trainer._others():
        model, processor = measure.load(START)
        recipe = replace(TINY, n_asked=8, n_samples=4, beta=0.3)
        made = trainer.make_trainer(recipe, reward, 7, model, processor, asked, tmp_path)
        made.current_gradient_accumulation_steps = 1
        model.train()
        inputs = made._prepare_inputs(next(iter(made.get_train_dataloader())))
        mask = inputs["completion_mask"].numpy()
        old = token_logps(model, inputs)
        known = inputs["old_per_token_logps"].numpy()
        assert np.allclose(known * mask, old * mask, atol=1e-4)
        check_advantages(made._buffered_inputs, processor, asked, reward)
        generator = torch.Generator().manual_seed(3)
        with torch.no_grad():
            for parameter in model.parameters():
                parameter += 0.02 * torch.randn(parameter.shape, generator=generator)
        new = token_logps(model, inputs)
        base = token_logps(measure.load(START)[0], inputs)
        value = float(made.compute_loss(model, inputs).detach())
    gains = inputs["advantages"].double().numpy()
    ratios = objective.sequence_ratios(new, old, mask)
    clipped = ((ratios > 1.28) & (gains > 0)) | ((ratios < 0.8) & (gains < 0))
    assert clipped.any()
    assert len(set(mask.sum(axis=1))) > 1
    expected = objective.loss(new, old, base, mask, gains, beta=0.3)
    assert value == pytest.approx(expected, rel=1e-5, abs=1e-6)
    assert objective.loss(new, old, base, mask, gains, beta=0.0) != pytest.approx(value, rel=1e-2)


def check_advantages(
    parts: list[dict[str, Any]], processor: Any, asked: list[pool.Question], reward: str
) -> None:
    """Hold the advantages of one drawing, cut in parts, against rewards of the decoded replies."""
    shown = processor.image_processor([[q.picture] for q in asked], return_tensors="np")
    known = {
        p.astype(np.float32).tobytes(): q for p, q in zip(shown["pixel_values"], asked, strict=True)
    }
    groups = defaultdict(list)
    for part in parts:
        texts = processor.batch_decode(part["completion_ids"], skip_special_tokens=True)
        for row, text in enumerate(texts):
            question = known[part["pixel_values"][row].numpy().tobytes()]
            groups[question.id].append((text, question.answer, float(part["advantages"][row])))
    assert len(groups) == TINY.n_updates * 8
    seen = 0
    for rows in groups.values():
        assert len(rows) == TINY.n_samples
        said = marks([text for text, _, _ in rows], [answer for _, answer, _ in rows])
        paid = [m.binary if reward == "binary" else m.dense for m in said]
        expected = advantages(paid, eps=EPS, spread="sample")
        assert [gain for _, _, gain in rows] == pytest.approx(expected, abs=2e-4)
        seen += bool(np.any(expected))
    assert seen


@pytest.mark.reference
def test_two_steps_change_the_weights_and_equal_seeds_give_equal_runs() -> None:
    asked, held = pool.questions(5, "train", SMALL), pool.questions(5, "held", SMALL)
    random.seed(1)
    before = (random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state())
    first, again, other = (
        trainer.train(TINY, "binary", seed, START, asked, held) for seed in (1, 1, 2)
    )
    after = (random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state())
    assert before[:2] == after[:2]
    assert torch.equal(before[2], after[2])
    assert sorted(first.held) == [0, 1, 2]
    moved = {name: not torch.equal(v, first.states[2][name]) for name, v in first.states[0].items()}
    assert sum(moved.values()) > 0.9 * len(moved)
    assert first.log == again.log
    assert first.held == again.held
    assert all(torch.equal(v, again.states[2][k]) for k, v in first.states[2].items())
    assert any(not torch.equal(v, other.states[2][k]) for k, v in first.states[2].items())
    with pytest.raises(ValueError, match="binary or dense"):
        trainer.train(TINY, "sparse", 1, START, asked, held)
    with pytest.raises(DataError, match="at least 4 questions, .* found 3"):
        trainer.train(TINY, "binary", 1, START, asked[:3], held)
    with pytest.raises(ModelError, match="no config"):
        trainer.train(TINY, "binary", 1, START / "none", asked, held)


@pytest.mark.reference
def test_the_filter_drops_what_no_or_every_reply_answers() -> None:
    asked = pool.questions(5, "train", {"grid": 40, "visual_shapes": 10, "digits": 10})
    found = study.filtered(TINY, START, asked)
    model, processor = measure.load(START)
    with repeatable():
        groups = rollouts.sampled(model, processor, asked, TINY)
    kept = {q.id for q in found.kept}
    for question, replies in zip(asked, groups, strict=True):
        # MATCH reads past blanks.
        wanted = f"<answer>{question.answer}</answer>".replace(" ", "")
        right = sum(wanted in reply.replace(" ", "") for reply in replies)
        assert (question.id in kept) == (0 < right < TINY.n_filter), (question, replies)
    assert 0 < len(kept) < len(asked)
    assert sum(c.kept for c in found.counts) == len(kept)


@pytest.mark.reference
def test_the_command_ends_whole_and_goes_on_where_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "RECIPE", TINY)
    for part in pool.SIZES:
        monkeypatch.setitem(pool.SIZES, part, SMALL)
    rows = [
        measure.Row(data="digits", style="word", condition=c, n=4, accuracy=0.5, listed=1.0)
        for c in measure.CONDITIONS
    ]
    monkeypatch.setattr(measure, "measure", lambda folder, styles: rows)
    monkeypatch.setattr(measure, "changed_by_batching", lambda folder, styles: {"batch 8": 0})
    arguments = ["--out", str(tmp_path), "--steps", "2", "--seeds", "1", "2"]
    assert command.main([*arguments, "--reward", "binary"]) == 0
    assert not (tmp_path / "comparison.json").exists()
    assert command.main(arguments) == 0
    assert "binary-1: there already" in capsys.readouterr().err
    text = (tmp_path / "comparison.md").read_text(encoding="utf-8")
    assert "| 1 | 2 | " in text
    assert "| 2 | 2 | " in text
    record = checkpoint.record(tmp_path / "micro-rl")
    weights = tmp_path / "micro-rl" / checkpoint.WEIGHTS
    assert record["weights_sha256"] == ids.file_digest(weights)
    assert record["held"] >= record["held_start"]
    assert "trl" in record["packages"]
    model, _ = measure.load(tmp_path / "micro-rl")
    assert next(model.parameters()).dtype == torch.float32
    card = (tmp_path / "micro-rl" / "README.md").read_text(encoding="utf-8")
    assert "| digits | word | 4 | 0.500 |" in card
