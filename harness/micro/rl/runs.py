"""Finished runs on disk: the weights of every look, and the record that makes them whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import ids
from harness.errors import ModelError
from harness.micro.rl.recipe import Recipe
from harness.micro.rl.trainer import Run

RECORD = "run.json"


@dataclass(frozen=True, kw_only=True, slots=True)
class Saved:
    """One finished run: `held` is the accuracy on the held questions by step."""

    folder: Path
    reward: str
    seed: int
    held: Mapping[int, float]
    cpu_s: float

    def state(self, step: int) -> dict[str, Any]:
        """The weights at a look, as float32 after the rounding to what is stored.

        Raises
        ------
        ModelError
            When there was no look at that step.
        """
        if step not in self.held:
            raise ModelError(
                f"{self.folder}: no look at step {step}; expected one of {sorted(self.held)}"
            )
        import safetensors.torch

        loaded = safetensors.torch.load_file(self.folder / _weights(step))
        return {name: value.float() for name, value in loaded.items()}


def save(folder: Path, run: Run, recipe: Recipe, kept: str, cpu_s: float) -> Saved:
    """Write a run: float16 weights first, its record last, so that a record means a whole run.

    Parameters
    ----------
    folder : of this run; made if absent.
    run, recipe : what it left, and its parameters.
    kept : fingerprint of the questions that it was trained on.
    cpu_s : processor seconds that it took.
    """
    import safetensors.torch
    import torch

    folder.mkdir(parents=True, exist_ok=True)
    for step, state in run.states.items():
        halves = {name: value.to(torch.float16).contiguous() for name, value in state.items()}
        safetensors.torch.save_file(halves, folder / _weights(step))
    record = {
        "recipe": _shared(recipe),
        "kept": kept,
        "reward": run.reward,
        "seed": run.seed,
        "cpu_s": round(cpu_s, 1),
        "held": {str(step): value for step, value in sorted(run.held.items())},
        "log": run.log,
    }
    text = json.dumps(record, indent=1, ensure_ascii=True)
    (folder / RECORD).write_text(f"{text}\n", encoding="utf-8")
    return opened(folder, recipe, kept)


def opened(folder: Path, recipe: Recipe, kept: str) -> Saved:
    """Open a finished run.

    Raises
    ------
    ModelError
        When it was made with other parameters or from other questions; `seeds` and `rewards`,
        which say which runs there are, may differ.
    """
    path = folder / RECORD
    record = json.loads(path.read_text(encoding="utf-8"))
    if record["recipe"] != _shared(recipe) or record["kept"] != kept:
        raise ModelError(
            f"{path}: expected a run with the present recipe and questions, found another; "
            "choose an empty folder, or remove it"
        )
    return Saved(
        folder=folder,
        reward=record["reward"],
        seed=record["seed"],
        held={int(step): value for step, value in record["held"].items()},
        cpu_s=record["cpu_s"],
    )


def _shared(recipe: Recipe) -> Any:
    plain: Any = ids.plain(recipe)
    return {name: plain[name] for name in sorted(plain) if name not in ("seeds", "rewards")}


def _weights(step: int) -> str:
    return f"step-{step:03d}.safetensors"


__all__ = ["RECORD", "Saved", "opened", "save"]
