"""The comparison from end to end: filter, runs, marks on the questions of the test part."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import ids
from harness.micro import measure
from harness.micro.loop import repeatable
from harness.micro.rl import difficulty, pool, rollouts, runs, trainer
from harness.micro.rl.recipe import Recipe
from harness.micro.rl.rewards import Mark, marks

Say = Callable[[str], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Filtered:
    """The training questions that are kept, and what was dropped of each source."""

    kept: Sequence[pool.Question]
    counts: tuple[difficulty.Difficulty, ...]

    @property
    def fingerprint(self) -> str:
        """Of the names, in order."""
        return ids.digest([q.id for q in self.kept])


def filtered(recipe: Recipe, start: Path, asked: Sequence[pool.Question]) -> Filtered:
    """Draw replies of the start to each question and drop those that teach nothing."""
    model, processor = measure.load(start)
    with repeatable():
        groups = rollouts.sampled(model, processor, asked, recipe)
    right = [
        sum(m.right for m in marks(replies, [question.answer] * len(replies)))
        for question, replies in zip(asked, groups, strict=True)
    ]
    kept = [asked[place] for place in difficulty.mixed(right, recipe.n_filter)]
    counts = difficulty.by_source([q.source for q in asked], right, recipe.n_filter)
    return Filtered(kept=kept, counts=counts)


def run_all(
    recipe: Recipe,
    start: Path,
    out: Path,
    source: Filtered,
    held: Sequence[pool.Question],
    say: Say,
) -> list[runs.Saved]:
    """Train what is not there yet, seed by seed; finished runs of the same recipe are kept."""
    made = []
    for seed in recipe.seeds:
        for reward in recipe.rewards:
            folder = out / "runs" / f"{reward}-{seed}"
            if (folder / runs.RECORD).is_file():
                made.append(runs.opened(folder, recipe, source.fingerprint))
                say(f"{folder.name}: there already")
                continue
            began = time.process_time()
            look = _look(folder.name, say)
            run = trainer.train(recipe, reward, seed, start, source.kept, held, look)
            spent = time.process_time() - began
            made.append(runs.save(folder, run, recipe, source.fingerprint, spent))
    return made


def _look(name: str, say: Say) -> trainer.Look:
    return lambda step, value: say(f"{name}: step {step}, held {value:.3f}")


def marked(
    start: Path, state: dict[str, Any] | None, asked: Sequence[pool.Question], n_new_tokens: int
) -> list[Mark]:
    """Mark greedy replies of the start, or of the weights of a look.

    Parameters
    ----------
    start : directory of the checkpoint that the runs began with.
    state : weights to put in; None for the start's own.
    asked : questions.
    n_new_tokens : of a reply at most.
    """
    model, processor = measure.load(start)
    if state is not None:
        model.load_state_dict(state)
    with repeatable():
        replies = rollouts.greedy(model, processor, asked, n_new_tokens)
    return marks(replies, [q.answer for q in asked])


__all__ = ["Filtered", "Say", "filtered", "marked", "run_all"]
