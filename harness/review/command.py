"""`python -m harness review`: sample wrong answers for people, and summarise their labels."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.errors import AssayError, DataError, StudyError
from harness.output import written
from harness.provenance import scrub
from harness.review.choice import Choice
from harness.review.labels import judged
from harness.review.manifest import NAME, manifest_text, read_manifest, row_hashes
from harness.review.naming import AXES
from harness.review.page import page_text
from harness.review.pictures import save_pictures
from harness.review.sample import Plan, Sample, drawn, sheet_rows
from harness.review.sheet import read_sheet, sheet_text
from harness.review.summary import figures, text
from harness.scoring import VERSION
from harness.scoring.policies import policy_named
from harness.study import Study, load_study

_STUDIES = Path(__file__).resolve().parents[2] / "evals/studies"
_SEED = 20260724
_PER_CONDITION = 20
_SHOWN = 50


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `sample` or `summary`.

    The exit status is 0; 1 where a cell could not be read (sample) or a sheet has faults
    (summary); 2 for an error.
    """
    parser = argparse.ArgumentParser(prog="python -m harness review", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="{sample,summary}")
    one = commands.add_parser(
        "sample",
        help="draw wrong answers; write sheet, page, manifest",
        description="Draw wrong answers of one model. What is not chosen is what the robustness "
        "study sampled, where the cells are of it; otherwise the cells must leave no choice.",
    )
    one.add_argument("runs", type=Path, nargs="+", metavar="RUNS", help="folders of stored cells")
    one.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="new or empty")
    one.add_argument("--per-condition", type=_at_least_one, default=_PER_CONDITION, metavar="N")
    one.add_argument("--seed", type=int, default=_SEED, metavar="N", help=f"default {_SEED}")
    one.add_argument(
        "--view",
        action="append",
        default=[],
        metavar="NAME",
        help="a condition; repeat it in the order of their seeds",
    )
    for axis in AXES:
        one.add_argument(f"--{axis}", default="", metavar="NAME", help="as the study calls it")
    one.add_argument(
        "--study",
        type=Path,
        action="append",
        metavar="FILE",
        help="study whose data sets were answered; may be repeated (default evals/studies/*.toml)",
    )
    one.add_argument("--policy", default="default", metavar="NAME", help="of the scorer")
    two = commands.add_parser("summary", help="figures of a filled-in sheet")
    two.add_argument("sheets", type=Path, nargs="+", metavar="SHEET.csv")
    two.add_argument(
        "--sample", type=Path, metavar="FILE", help=f"manifest (default {NAME} beside the sheet)"
    )
    two.add_argument("--json", type=Path, metavar="FILE", help="write the figures as JSON too")
    given = parser.parse_args(arguments)
    return written(lambda: _guarded(given), "review")


def _at_least_one(value: str) -> int:
    """For --per-condition."""
    number = int(value)
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, found {value}")
    return number


def _guarded(given: argparse.Namespace) -> int:
    try:
        return _sample(given) if given.command == "sample" else _summary(given)
    except (AssayError, OSError) as error:
        _complain(str(error))
        return 2


def _sample(given: argparse.Namespace) -> int:
    _check_out(given.out, given.runs)
    policy_named(given.policy)
    if len(set(given.view)) < len(given.view):
        raise AssayError(f"--view: expected each name once, found {', '.join(given.view)}")
    names = {axis: getattr(given, axis) for axis in AXES}
    plan = Plan(
        per_condition=given.per_condition,
        seed=given.seed,
        choice=Choice(**names, views=tuple(given.view)),
        policy=given.policy,
    )
    studies = [load_study(path) for path in given.study] if given.study else _own()
    sample = drawn(given.runs, studies, plan)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".review-", dir=given.out.parent) as scratch:
        folder = Path(scratch) / "sample"
        folder.mkdir()
        write_sample(folder, plan, sample)
        os.replace(folder, given.out)
    _say(f"{sum(len(s.drawn) for s in sample.strata)} rows: sheet.csv, index.html, {NAME}")
    _say(", ".join(f"{axis} {sample.names[axis]}" for axis in AXES))
    for stratum in sample.strata:
        few = len(stratum.drawn) < plan.per_condition
        short = f"; fewer than the {plan.per_condition} asked for" if few else ""
        _say(
            f"{stratum.condition}: {len(stratum.drawn)} of {stratum.n_questions} questions with "
            f"a wrong answer ({stratum.n_wrong} of {stratum.n_counted} answers), seed "
            f"{stratum.seed}{short}"
        )
    for cell in sample.skipped:
        _complain(f"left out: {cell.key[:8]}: {cell.reason}")
    return 1 if sample.skipped else 0


def write_sample(folder: Path, plan: Plan, sample: Sample) -> None:
    """Write sheet.csv, index.html with its pictures, and the manifest.

    Parameters
    ----------
    folder : empty.
    plan, sample : as `harness.review.sample.drawn` takes and gives them.
    """
    rows = sheet_rows(sample.strata, plan.seed)
    columns = [row for row, _ in rows]
    pictures = {row["id"]: save_pictures(wrong, folder / "pictures") for row, wrong in rows}
    facts: dict[str, Any] = {
        "scorer": VERSION,
        "policy": plan.policy,
        "seed": plan.seed,
        "per_condition": plan.per_condition,
        **sample.names,
        "conditions": [
            {
                "condition": s.condition,
                "offset": s.offset,
                "seed": s.seed,
                "cell": s.cell,
                "n_counted": s.n_counted,
                "n_wrong": s.n_wrong,
                "n_questions": s.n_questions,
                "n_drawn": len(s.drawn),
                "complete": len(s.drawn) == plan.per_condition,
            }
            for s in sample.strata
        ],
        "skipped": [{"key": s.key, "reason": scrub(s.reason)} for s in sample.skipped],
    }
    entries = [
        {
            "id": row["id"],
            "condition": row["condition"],
            "cell": wrong.cell.key,
            "example_id": wrong.example.id,
            "replicate": wrong.response.replicate,
            "columns": row_hashes(row),
        }
        for row, wrong in rows
    ]
    sheet = b"\xef\xbb\xbf" + sheet_text(columns).encode("utf-8")
    (folder / "sheet.csv").write_bytes(sheet)
    (folder / "index.html").write_bytes(page_text(columns, pictures).encode("utf-8"))
    (folder / NAME).write_bytes(manifest_text(facts, entries).encode("ascii"))


def _summary(given: argparse.Namespace) -> int:
    manifest = read_manifest(given.sample or given.sheets[0].parent / NAME)
    rows, faults = judged(manifest, [read_sheet(path) for path in given.sheets])
    if faults:
        _complain(f"expected every label of the sample, found {len(faults)} fault(s):")
        for fault in faults[:_SHOWN]:
            _complain(f"  {fault}")
        if len(faults) > _SHOWN:
            _complain(f"  and {len(faults) - _SHOWN} more")
        return 1
    found = figures(manifest, rows)
    if given.json is not None:
        if given.json.resolve() in {path.resolve() for path in given.sheets}:
            raise AssayError("--json: expected another file than the sheet")
        given.json.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="ascii")
    _say(text(found))
    return 0


def _check_out(out: Path, runs: Sequence[Path]) -> None:
    """A sheet that people have filled in must not be overwritten, nor a runs folder touched."""
    if any(out.resolve().is_relative_to(folder.resolve()) for folder in runs):
        raise AssayError("--out: expected a folder outside the runs folders, which are only read")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise DataError(
            f"--out: expected a new or an empty folder, found {out.name} with something in it; "
            "labels that are filled in are never overwritten: name another"
        )


def _own() -> list[Study]:
    """This repository's studies, without those whose data are not on this machine."""
    studies = []
    for path in sorted(_STUDIES.glob("*.toml")):
        try:
            studies.append(load_study(path))
        except StudyError as error:
            _complain(f"left out: {error}")
    return studies


def _say(message: str) -> None:
    sys.stdout.buffer.write(f"{message}\n".encode("utf-8", "backslashreplace"))


def _complain(message: str) -> None:
    print(f"review: {message}".encode("ascii", "backslashreplace").decode(), file=sys.stderr)


__all__ = ["main", "write_sample"]
