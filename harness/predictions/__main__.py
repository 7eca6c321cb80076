"""`python -m harness.predictions`: export stored responses as prediction files, and score such."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from harness.data.load import load_dataset
from harness.errors import AssayError
from harness.output import written
from harness.predictions.export import export
from harness.predictions.report import scored, text
from harness.predictions.seeds import seed_paths
from harness.scoring.policies import policy_named
from harness.study import load_study
from harness.types import Dataset

_COMMIT = re.compile(r"[0-9a-f]{40}")
_AXES = ("data", "model", "view", "prompt", "decoding")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0, 1 where something was left out, 2 for an error."""
    given = _parser().parse_args(arguments)
    return written(lambda: _run(given), "predictions")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m harness.predictions", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    out = commands.add_parser("export", help="stored responses of one cell as a prediction file")
    out.add_argument("runs", type=Path, nargs="+", metavar="RUNS", help="folders, only read")
    out.add_argument("--out", required=True, metavar="F", help="file; {seed} for several seeds")
    out.add_argument("--study", type=Path, action="append", required=True, metavar="FILE")
    for axis in _AXES:
        out.add_argument(f"--{axis}", metavar="NAME", help=f"the cell's {axis}")
    out.add_argument("--model-id", metavar="ID", help="public id of a checkpoint from a folder")
    out.add_argument("--model-revision", metavar="COMMIT", help="its commit, 40 hex digits")
    judge = commands.add_parser("score", help="score prediction files, whoever wrote them")
    judge.add_argument("file", metavar="F", help="prediction file; {seed} for several seeds")
    judge.add_argument("--study", type=Path, required=True, metavar="FILE")
    judge.add_argument("--data", required=True, metavar="NAME", help="data set of the study")
    judge.add_argument("--seeds", metavar="S,S,…", help="of the files")
    judge.add_argument("--policy", default="default", metavar="NAME", help="this package's scorer")
    judge.add_argument("--partial", action="store_true", help="the file is of a subset")
    judge.add_argument("--json", type=Path, metavar="FILE", help="write the figures as JSON too")
    return parser


def _run(given: argparse.Namespace) -> int:
    try:
        return _export(given) if given.command == "export" else _score(given)
    except (AssayError, OSError) as error:
        message = str(error).encode("ascii", "backslashreplace").decode()
        print(f"predictions: {message}", file=sys.stderr)
        return 2


def _export(given: argparse.Namespace) -> int:
    stated = (given.model_id, given.model_revision)
    if (None in stated) != (stated == (None, None)):
        raise AssayError("expected --model-id and --model-revision together, found one of them")
    if given.model_revision is not None and not _COMMIT.fullmatch(given.model_revision):
        raise AssayError(
            "--model-revision: expected 40 hex digits (an immutable commit), found "
            f"{given.model_revision!r}"
        )
    files = export(
        given.runs,
        [load_study(path) for path in given.study],
        given.out,
        only={axis: getattr(given, axis) for axis in _AXES if getattr(given, axis)},
        model=None if None in stated else stated,
    )
    for file in files:
        print(f"{file.path.name}: {file.n_rows} rows, {file.n_new} new")
        if file.left_out:
            print(f"  without an answer of the model: {', '.join(file.left_out)}")
    return 1 if any(file.left_out for file in files) else 0


def _score(given: argparse.Namespace) -> int:
    policy_named(given.policy)
    try:
        seeds = [int(seed) for seed in given.seeds.split(",")] if given.seeds else []
    except ValueError:
        raise AssayError(
            f"--seeds: expected whole numbers with commas between, found {given.seeds!r}"
        ) from None
    document = scored(
        seed_paths(given.file, seeds) if seeds else Path(given.file),
        _dataset(given.study, given.data),
        policy=given.policy,
        partial=given.partial,
    )
    if given.json is not None:
        lines = json.dumps(document, indent=1, sort_keys=True)
        given.json.write_text(f"{lines}\n", encoding="ascii")
    sys.stdout.buffer.write(text(document).encode("utf-8", "backslashreplace"))
    return 0


def _dataset(path: Path, name: str) -> Dataset:
    study = load_study(path)
    if name not in study.data:
        raise AssayError(f"--data: expected one of {', '.join(study.data)}, found {name!r}")
    spec = study.data[name]
    return load_dataset(
        spec.reader, name=spec.name, split=spec.split, path=spec.path, options=spec.options
    )


if __name__ == "__main__":
    sys.exit(main())

__all__ = ["main"]
