"""Retrain or measure the judges: `python -m harness.micro.judges --out DIR`."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from harness import ids
from harness.micro import arguments as command_line
from harness.micro import checkpoint
from harness.micro.judges import architecture, card, measure, pool, train
from harness.micro.judges.recipe import RECIPES, Recipe
from harness.micro.loop import Report

_load = lru_cache(maxsize=1)(pool.load)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    options = command_line.parsed(
        arguments,
        prog="python -m harness.micro.judges",
        description=__doc__,
        out_help="train into OUT/<name>; the others start from the judge-look there",
        names=[recipe.name for recipe in RECIPES],
        splits=("val", "test"),
    )
    if options.measure is not None:
        (rows,) = measure.measure([options.measure], options.split)
        sys.stdout.write(f"{card.table(rows)}\n")
        return 0
    made = {}
    for recipe in RECIPES:
        if options.only in (None, recipe.name):
            directory = options.out / recipe.name
            made[directory] = make(recipe, directory)
    describe(made)
    return 0


def make(recipe: Recipe, directory: Path) -> float:
    """Train and save one judge; returns the processor seconds of the training."""
    start = directory.parent / recipe.start if recipe.start else None
    facts = {} if start is None else {"start_sha256": ids.file_digest(start / checkpoint.WEIGHTS)}
    source = _load(recipe.n_each)
    started = time.process_time()
    model, words = train.train(recipe, source, start, _progress(recipe))
    cpu_s = time.process_time() - started
    checkpoint.save(directory, model, words, recipe, architecture.processor(words), **facts)
    return cpu_s


def describe(made: Mapping[Path, float]) -> None:
    """Measure saved judges on validation and test pictures and write their cards.

    Parameters
    ----------
    made : processor seconds of the training by directory.
    """
    val, test = (measure.measure(list(made), split) for split in ("val", "test"))
    for directory, on_val, on_test in zip(made, val, test, strict=True):
        text = card.card(checkpoint.record(directory), on_val, on_test, made[directory])
        (directory / "README.md").write_text(text, encoding="utf-8")


def _progress(recipe: Recipe) -> Report:
    total = recipe.n_steps

    def report(step: int, loss: float) -> None:
        if (step + 1) % 50 == 0 or step + 1 == total:
            sys.stderr.write(f"{recipe.name}: step {step + 1} of {total}, loss {loss:.3f}\n")

    return report


if __name__ == "__main__":
    command_line.run(main)
