"""Retrain or measure the checkpoints of the study: `python -m harness.micro.r1 --out DIR`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from harness import ids
from harness.micro import arguments as command_line
from harness.micro import checkpoint
from harness.micro.r1 import architecture, card, measure, reinforce, train
from harness.micro.r1.recipe import RECIPES, Recipe, Reinforcement


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    options = command_line.parsed(
        arguments,
        prog="python -m harness.micro.r1",
        description=__doc__,
        out_help="train into OUT/<name>; r1-rl starts from the r1-sft there",
        names=[recipe.name for recipe in RECIPES],
        splits=("train", "test"),
    )
    if options.measure is not None:
        rows = measure.measure(options.measure, split=options.split)
        sys.stdout.write(f"{card.tables(rows)}\n")
        return 0
    for recipe in RECIPES:
        if options.only in (None, recipe.name):
            make(recipe, options.out / recipe.name)
    return 0


def make(recipe: Recipe | Reinforcement, directory: Path) -> None:
    """Train, save, measure and describe one checkpoint."""
    started = time.process_time()
    facts = {}
    if isinstance(recipe, Reinforcement):
        start = directory.parent / recipe.start
        model, words = reinforce.train(recipe, start, _progress(recipe.name, recipe.steps))
        facts["start_sha256"] = ids.file_digest(start / checkpoint.WEIGHTS)
    else:
        total = recipe.vision_steps + recipe.text_steps
        model, words = train.train(recipe, _progress(recipe.name, total))
    cpu_s = time.process_time() - started
    made = architecture.processor(words)
    record = checkpoint.save(directory, model, words, recipe, made, **facts)
    describe(directory, record, cpu_s)


def describe(directory: Path, record: dict[str, object], cpu_s: float) -> None:
    """Measure a saved checkpoint on the test split and write its card."""
    text = card.card(record, measure.measure(directory), cpu_s)
    (directory / "README.md").write_text(text, encoding="utf-8")


def _progress(name: str, total: int) -> Callable[[int, float], None]:
    recent: list[float] = []

    def report(step: int, value: float) -> None:
        recent.append(value)
        if (step + 1) % 50 == 0 or step + 1 == total:
            mean = sum(recent) / len(recent)
            sys.stderr.write(f"{name}: step {step + 1} of {total}, mean {mean:.3f}\n")
            recent.clear()

    return report


if __name__ == "__main__":
    command_line.run(main)
