"""`python -m harness.bridge`: run lmms-eval, and read, score and compare what others stored."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

from harness.bridge.comparing import compare, rescore
from harness.bridge.faults import BridgeError, check_commit
from harness.bridge.inspect_logs import read_inspect
from harness.bridge.request import CLAIM_LEVELS, LmmsRequest, model_args
from harness.bridge.rows import Row, predictions
from harness.bridge.run import TIMEOUT_S, run_lmms_eval
from harness.bridge.samples import read_samples
from harness.bridge.vlmevalkit import read_vlmevalkit
from harness.errors import AssayError
from harness.models.predictions import write_predictions
from harness.output import written
from harness.stats.checks import StatisticsError
from harness.types import Kind

_KINDS = tuple(kind for kind in get_args(Kind) if kind not in ("preference", "retrieval"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command and print JSON; 2 and a message for a refusal or a failed run."""
    given = _parser().parse_args(arguments)
    return written(lambda: _run(given), "bridge")


def _run(given: argparse.Namespace) -> int:
    try:
        found = given.run(given)
    except (AssayError, StatisticsError, OSError) as error:
        text = f"bridge: {error}".encode("ascii", "backslashreplace").decode()
        print(text, file=sys.stderr)
        return 2
    print(json.dumps(found, indent=1, sort_keys=True, allow_nan=False))
    return 0


def _lmms_eval(given: argparse.Namespace) -> dict[str, Any]:
    request = LmmsRequest(
        adapter=given.model,
        model_args=model_args(given.model_args),
        public_model_id=given.public_model_id,
        model_revision=given.model_revision,
        upstream_revision=given.upstream_revision,
        tasks=tuple(given.tasks.split(",")),
        include_path=given.include_path,
        batch_size=given.batch_size,
        limit=given.limit,
        seed=given.seed,
        claim_level=given.claim_level,
    )
    return run_lmms_eval(
        request,
        given.output_dir,
        python=given.python,
        timeout_s=given.timeout_s,
        offline=not given.online,
        repairs=not given.no_repairs,
        dry_run=given.dry_run,
    )


def _read(given: argparse.Namespace) -> dict[str, Any]:
    rows = _rows(given.reader, given.file, given.task, given.score)
    scored = rescore(rows, given.kind)
    if given.predictions is not None:
        if any(row.replicate for row in rows):
            raise BridgeError("--predictions: expected one reply to each question")
        check_commit("--model-revision", given.model_revision)
        write_predictions(
            given.predictions,
            predictions(
                rows,
                given.kind,
                model_id=given.model_id or "unnamed",
                model_revision=given.model_revision,
                seed=given.seed,
            ),
        )
    return scored.document()


def _compare(given: argparse.Namespace) -> dict[str, Any]:
    a, b = (_rows(given.reader, path, given.task, "") for path in (given.a, given.b))
    unpaired = "report" if given.report_unpaired else "error"
    return compare(a, b, given.kind, on_unpaired=unpaired).document()


def _rows(reader: str, path: Path, task: str, score: str) -> tuple[Row, ...]:
    match reader:
        case "vlmevalkit":
            return read_vlmevalkit(path, task or "vlmevalkit")
        case "inspect":
            return read_inspect(path, scorer=score)
    if not path.is_file():
        raise BridgeError(f"{path.name}: no such file")
    return read_samples(path, task or path.stem.rpartition("samples_")[2], score=score)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m harness.bridge", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser("lmms-eval", help="run lmms-eval and summarise its results")
    run.set_defaults(run=_lmms_eval)
    for name in ("model", "public-model-id", "model-revision", "upstream-revision", "tasks"):
        run.add_argument(f"--{name}", required=True)
    run.add_argument("--model-args", default="", metavar="NAME=VALUE,…")
    run.add_argument("--output-dir", type=Path, required=True)
    run.add_argument("--include-path", type=Path, help="folder of one's own tasks")
    run.add_argument("--batch-size", type=int, default=1)
    run.add_argument("--limit", type=int, help="examples per task (default all)")
    run.add_argument("--seed", type=int, default=42)
    run.add_argument("--claim-level", choices=CLAIM_LEVELS, default="L3")
    run.add_argument("--python", default=sys.executable, help="interpreter that has lmms-eval")
    run.add_argument("--timeout-s", type=float, default=TIMEOUT_S)
    run.add_argument("--online", action="store_true", help="let it use the network")
    run.add_argument("--no-repairs", action="store_true", help="leave its adapter as it is")
    run.add_argument("--dry-run", action="store_true", help="write request.json, start nothing")
    for reader in ("samples", "vlmevalkit", "inspect"):
        read = commands.add_parser(reader, help=f"score a file of {reader} by our scorer")
        read.set_defaults(run=_read, reader=reader)
        read.add_argument("file", type=Path, metavar="FILE")
        read.add_argument("--score", default="", help="metric or scorer that says right or wrong")
        read.add_argument("--predictions", type=Path, metavar="FILE", help="write our rows too")
        read.add_argument("--model-id", default="")
        read.add_argument("--model-revision", default="")
        read.add_argument("--seed", type=int, default=0)
        _common(read)
    both = commands.add_parser("compare", help="two files pair by pair, second minus first")
    both.set_defaults(run=_compare)
    both.add_argument("reader", choices=("samples", "vlmevalkit", "inspect"))
    both.add_argument("a", type=Path)
    both.add_argument("b", type=Path)
    both.add_argument("--report-unpaired", action="store_true")
    _common(both)
    return parser


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kind", choices=_KINDS, required=True, help="how answers are read")
    parser.add_argument("--task", default="", help="part of every id")


__all__ = ["main"]
