"""The command line of the two families of checkpoints: train one or all, or measure one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from harness.errors import ModelError


def parsed(
    arguments: Sequence[str] | None,
    *,
    prog: str,
    description: str | None,
    out_help: str,
    names: Sequence[str],
    splits: Sequence[str],
) -> argparse.Namespace:
    """Read `--out` with `--only`, or `--measure` with `--split`, of which the last is the default.

    Parameters
    ----------
    arguments : None for those of the process.
    prog, description, out_help : for the help.
    names : of the checkpoints.
    splits : that can be measured on.
    """
    parser = argparse.ArgumentParser(prog=prog, description=description)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=Path, help=out_help)
    what.add_argument("--measure", type=Path, help="measure one checkpoint directory")
    parser.add_argument("--only", choices=names, help="with --out: train this one alone")
    parser.add_argument("--split", choices=splits, default=splits[-1])
    return parser.parse_args(arguments)


def run(main: Callable[[], int]) -> NoReturn:
    """End the process with the status of a command line, or the message of its error."""
    try:
        sys.exit(main())
    except ModelError as error:
        sys.exit(f"error: {error}")


__all__ = ["parsed", "run"]
