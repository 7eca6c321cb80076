"""Train with a binary and a dense reward and compare: `python -m harness.micro.rl --out DIR`.

Finished runs in DIR are kept, so a broken-off command goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harness.micro import arguments as command_line
from harness.micro.rl import finish, pool, study
from harness.micro.rl.recipe import RECIPE, Recipe

_FIXTURES = Path(__file__).parents[3] / "fixtures" / "micro"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    recipe, start, out = _parsed(arguments)
    source = study.filtered(recipe, start, pool.questions(recipe.pool_seed, "train"))
    held = pool.questions(recipe.pool_seed, "held")
    saved = study.run_all(recipe, start, out, source, held, _say)
    test = pool.questions(recipe.pool_seed, "test")
    finish.finish(recipe, start, out, source, saved, test, _say)
    return 0


def _parsed(arguments: Sequence[str] | None) -> tuple[Recipe, Path, Path]:
    parser = argparse.ArgumentParser(prog="python -m harness.micro.rl", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for runs and comparison")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(RECIPE.seeds))
    parser.add_argument("--reward", choices=RECIPE.rewards, help="this one alone: no comparison")
    parser.add_argument("--steps", type=int, default=RECIPE.steps, help="updates at most, from 1")
    parser.add_argument("--start", type=Path, default=_FIXTURES / RECIPE.start)
    options = parser.parse_args(arguments)
    if options.steps < 1:
        parser.error(f"--steps: expected at least 1, found {options.steps}")
    if len(set(options.seeds)) < len(options.seeds):
        parser.error(f"--seeds: expected each seed once, found {options.seeds}")
    recipe = replace(
        RECIPE,
        seeds=tuple(options.seeds),
        steps=options.steps,
        rewards=(options.reward,) if options.reward else RECIPE.rewards,
    )
    return recipe, options.start, options.out


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    command_line.run(main)
