"""One run of GSPO: TRL's trainer with the settings that make its loss the published objective."""

from __future__ import annotations

import importlib
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from harness.errors import DataError, ModelError
from harness.micro import measure
from harness.micro.loop import repeatable
from harness.micro.rl.pool import Question
from harness.micro.rl.recipe import Recipe
from harness.micro.rl.rewards import marks
from harness.micro.rl.rollouts import greedy, kept_out

Look = Callable[[int, float], None]
_LOGGED = {
    "loss": "loss",
    "reward": "reward",
    "kl": "kl",
    "grad_norm": "grad_norm",
    "frac_reward_zero_std": "frac_reward_zero_std",
    "clip_ratio/region_mean": "clipped",
    "completions/mean_length": "length",
}


@dataclass(kw_only=True)
class Run:
    """What one run left: accuracy on the held questions by step, weights there, and its log.

    `states` holds the weights of every look, float32, by step; step 0 is the start.
    """

    reward: str
    seed: int
    held: dict[int, float] = field(default_factory=dict)
    states: dict[int, dict[str, Any]] = field(default_factory=dict)
    log: list[dict[str, float]] = field(default_factory=list)


def settings(recipe: Recipe, seed: int, folder: Path) -> dict[str, Any]:
    """What TRL is told.

    `loss_type="grpo"` is the mean over sequences; with `importance_sampling_level="sequence"`
    the ratio is one number a sequence, so that a sequence's term is min(w A, clip(w) A) whatever
    its length: the published objective. TRL's `dapo` divides by the number of tokens instead,
    which would weight sequences by length. DAPO's share in the recipe is the wider upper clip and
    the difficulty filter. By default TRL multiplies the KL term by the ratio; the objective does
    not, so `use_bias_correction_kl` is off. With `steps_per_generation` above 1 the later updates
    are off-policy, and the clip has something to do.
    """
    return {
        "output_dir": str(folder),
        "importance_sampling_level": "sequence",
        "loss_type": "grpo",
        "scale_rewards": "group",
        "epsilon": recipe.epsilon,
        "epsilon_high": recipe.epsilon_high,
        "beta": recipe.beta,
        "use_bias_correction_kl": False,
        "num_iterations": 1,
        "num_generations": recipe.n_samples,
        "per_device_train_batch_size": recipe.n_asked * recipe.n_samples,
        "gradient_accumulation_steps": 1,
        "steps_per_generation": recipe.n_updates,
        "max_completion_length": recipe.n_new_tokens,
        "temperature": recipe.temperature,
        "top_k": 0,
        "top_p": 1.0,
        "max_steps": recipe.steps,
        "learning_rate": recipe.learning_rate,
        "lr_scheduler_type": "constant_with_warmup",
        "warmup_steps": recipe.warmup_steps,
        "weight_decay": 0.0,
        "adam_beta2": 0.95,
        "max_grad_norm": recipe.clip_norm,
        "seed": seed,
        "data_seed": seed,
        "bf16": False,
        "use_cpu": True,
        "gradient_checkpointing": False,
        "dataloader_pin_memory": False,
        "logging_steps": 1,
        "save_strategy": "no",
        "report_to": "none",
        "disable_tqdm": True,
    }


def train(
    recipe: Recipe,
    reward: str,
    seed: int,
    start: Path,
    asked: Sequence[Question],
    held: Sequence[Question],
    look: Look = lambda step, accuracy: None,
) -> Run:
    """Train once from a checkpoint.

    Parameters
    ----------
    recipe : all parameters.
    reward : "binary" or "dense".
    seed : of the order of the questions and of the sampling.
    start : directory of the checkpoint to start from, which is also the KL's anchor.
    asked : questions to train on, the difficulty filter behind them.
    held : questions whose greedy accuracy decides when to stop.
    look : called with (step, accuracy) at each look at them.

    Returns
    -------
    Run
        Equal on the same machine and package versions; torch is held to one thread meanwhile.

    Raises
    ------
    ModelError
        When `trl` is not installed, or `start` holds no checkpoint.
    DataError
        For fewer questions than one drawing of replies takes.
    ValueError
        For another reward.
    """
    if reward not in ("binary", "dense"):
        raise ValueError(f"train: expected the reward binary or dense, found {reward!r}")
    model, processor = measure.load(start)
    run = Run(reward=reward, seed=seed)
    with repeatable(), _others(), tempfile.TemporaryDirectory() as folder:
        trainer = make_trainer(recipe, reward, seed, model, processor, asked, Path(folder))

        def see(step: int) -> bool:
            model.eval()
            replies = greedy(model, processor, held, recipe.n_new_tokens)
            model.train()
            right = [m.right for m in marks(replies, [q.answer for q in held])]
            run.held[step] = sum(right) / len(right)
            run.states[step] = {k: v.detach().clone() for k, v in model.state_dict().items()}
            look(step, run.held[step])
            return stops(run.held, recipe.patience)

        see(0)
        trainer.add_callback(_callback(see, recipe.held_every, run.log))
        trainer.train()
    return run


def make_trainer(
    recipe: Recipe,
    reward: str,
    seed: int,
    model: Any,
    processor: Any,
    asked: Sequence[Question],
    folder: Path,
) -> Any:
    """TRL's trainer over the questions; its reward comes from `harness.micro.rl.rewards`."""
    wanted = recipe.n_asked * recipe.n_updates
    if len(asked) < wanted:
        raise DataError(
            f"harness.micro.rl: expected at least {wanted} questions, {recipe.n_asked} for each of "
            f"{recipe.n_updates} updates, found {len(asked)} behind the difficulty filter"
        )
    try:
        trl: Any = importlib.import_module("trl")
        datasets: Any = importlib.import_module("datasets")
    except ImportError as error:
        raise ModelError(
            "harness.micro.rl: needs trl; install this project with its extra `rl`"
        ) from error

    def paid(completions: Sequence[Any], answer: Sequence[str], **_: Any) -> list[float]:
        said = marks([c[0]["content"] for c in completions], answer)
        return [m.binary if reward == "binary" else m.dense for m in said]

    rows = [
        {"prompt": [{"role": "user", "content": q.prompt}], "image": q.picture, "answer": q.answer}
        for q in asked
    ]
    options = settings(recipe, seed, folder)
    options["generation_kwargs"] = {"suppress_tokens": kept_out(processor.tokenizer)}
    made = trl.GRPOTrainer(
        model=model,
        reward_funcs=paid,
        args=trl.GRPOConfig(**options),
        train_dataset=datasets.Dataset.from_list(rows),
        processing_class=processor,
    )
    made.remove_callback(importlib.import_module("transformers").PrinterCallback)
    return made


@contextmanager
def _others() -> Iterator[None]:
    """TRL seeds every generator there is; afterwards they are as they were before."""
    plain, arrays = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(plain)
        np.random.set_state(arrays)


def stops(held: Mapping[int, float], patience: int) -> bool:
    """Whether the last `patience` looks brought nothing better than what was seen before them.

    Examples
    --------
    >>> stops({0: 0.5, 6: 0.7, 12: 0.6, 18: 0.7}, 2), stops({0: 0.5, 6: 0.7, 12: 0.6}, 2)
    (True, False)
    """
    seen = [held[step] for step in sorted(held)]
    return len(seen) > patience and max(seen[-patience:]) <= max(seen[:-patience])


def best(held: Mapping[int, float]) -> int:
    """The step with the highest accuracy, the first of equal ones."""
    return min(held, key=lambda step: (-held[step], step))


def _callback(see: Callable[[int], bool], every: int, log: list[dict[str, float]]) -> Any:
    import transformers

    base: Any = transformers.TrainerCallback

    class Looks(base):  # type: ignore[misc]
        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            if "loss" in (logs or {}):
                kept = {new: float(logs[old]) for old, new in _LOGGED.items() if old in logs}
                log.append({"step": float(state.global_step), **kept})

        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if state.global_step % every == 0 and see(state.global_step):
                control.should_training_stop = True

    return Looks()


__all__ = ["Look", "Run", "best", "make_trainer", "settings", "stops", "train"]
