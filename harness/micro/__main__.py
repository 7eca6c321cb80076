"""Retrain or measure the micro checkpoints: `python -m harness.micro --out DIR`.

The checkpoints of the robustness study have their own command, `python -m harness.micro.r1`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from harness.micro import arguments as command_line
from harness.micro import card, checkpoint, measure, train
from harness.micro.recipe import RECIPES, Recipe

_STYLES = ("word", "evidence", "letter")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    options = command_line.parsed(
        arguments,
        prog="python -m harness.micro",
        description=__doc__,
        out_help="train from scratch into OUT/<name>",
        names=[recipe.name for recipe in RECIPES],
        splits=("val", "test"),
    )
    if options.measure is not None:
        rows = measure.measure(options.measure, styles_of(options.measure), options.split)
        sys.stdout.write(f"{card.table(rows)}\n")
        return 0
    for recipe in RECIPES:
        if options.only in (None, recipe.name):
            make(recipe, options.out / recipe.name)
    return 0


def styles_of(directory: Path) -> tuple[str, ...]:
    """The styles that a checkpoint was trained in, read from its record."""
    return tuple(s for s in _STYLES if s in checkpoint.record(directory)["recipe"]["styles"])


def make(recipe: Recipe, directory: Path) -> None:
    """Train, save, measure and describe one checkpoint."""
    started = time.process_time()
    model, tokenizer = train.train(recipe, _progress(recipe))
    cpu_s = time.process_time() - started
    record = checkpoint.save(directory, model, tokenizer, recipe)
    describe(directory, record, cpu_s)


def describe(directory: Path, record: dict[str, object], cpu_s: float) -> None:
    """Measure a saved checkpoint on the test splits and write its card."""
    styles = styles_of(directory)
    rows = measure.measure(directory, styles)
    changed = measure.changed_by_batching(directory, styles)
    text = card.card(record, rows, changed, cpu_s)
    (directory / "README.md").write_text(text, encoding="utf-8")


def _progress(recipe: Recipe) -> train.Report:
    total = recipe.vision_steps + recipe.text_steps

    def report(step: int, loss: float) -> None:
        if (step + 1) % 100 == 0 or step + 1 == total:
            sys.stderr.write(f"{recipe.name}: step {step + 1} of {total}, loss {loss:.3f}\n")

    return report


if __name__ == "__main__":
    command_line.run(main)
