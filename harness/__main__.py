"""`python -m harness COMMAND`: the command lines of the package."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

COMMANDS = {
    "audit": "harness.contamination.command",
    "conformance": "harness.conformance.__main__",
    "judges": "harness.review.judges",
    "rescore": "harness.rescore.command",
    "review": "harness.review.command",
    "scenes": "harness.scene_sets.command",
}


def main(arguments: Sequence[str]) -> int:
    """Run one command; 2 for one that does not exist.

    Each takes `--help`. Only the command's own libraries are loaded.
    """
    if not arguments or arguments[0] not in COMMANDS:
        asked = arguments[0] if arguments else ""
        into = sys.stdout if asked in ("-h", "--help") else sys.stderr
        print(f"usage: python -m harness {{{','.join(COMMANDS)}}} ...", file=into)
        return 0 if asked in ("-h", "--help") else 2
    run = import_module(COMMANDS[arguments[0]]).main
    return int(run(arguments[1:]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

__all__ = ["COMMANDS", "main"]
