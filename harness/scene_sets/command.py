"""`python -m harness scenes`: make a set of scenes, verify it from its pictures, show it."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from harness.errors import AssayError
from harness.output import written
from harness.scene_sets import blender, checking, croissant, freezing
from harness.scene_sets.making import make_all
from harness.scene_sets.plan import KINDS, Plan, read, settle
from harness.scene_sets.report import report
from harness.scene_sets.sheet import contact_sheet
from harness.scene_sets.whole import check_whole
from harness.scene_sets.workers import default_processes
from harness.scenes.engines import BLENDER_SAMPLES
from harness.scenes.sampler import DIRECTIONS
from harness.scenes.triplet import FACTORS, FREE_FACTORS

_N = 200
_SIZE = "320x240"
_ON_SHEET = 6
_AGAIN = 20
_EVERY_S = 2.0
_MOST_JOBS = 256


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0, 1 where something does not pass, 2 for an error."""
    parser = argparse.ArgumentParser(prog="python -m harness scenes", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("make", help="make, verify and freeze a set; goes on where it was")
    one.add_argument("folder", type=Path)
    one.add_argument(
        "--kind", choices=KINDS, default="audit", help="triplets, single items, free triplets"
    )
    one.add_argument(
        "--factor", choices=FREE_FACTORS, action="append", help="repeatable; default: all"
    )
    one.add_argument("--n", type=int, default=_N, metavar="N", help=f"per factor (default {_N})")
    one.add_argument(
        "--seed", type=int, metavar="N", help="master seed (default: each factor's own)"
    )
    one.add_argument("--direction", choices=DIRECTIONS, default="balanced")
    one.add_argument(
        "--size",
        action="append",
        metavar="WxH",
        help=f"of the pictures (default {_SIZE}); repeat it for sizes that are hashed only",
    )
    two = commands.add_parser(
        "verify", help="check every frozen specimen from its pictures; several sets share nothing"
    )
    two.add_argument("folders", type=Path, nargs="+", metavar="folder")
    for command in (one, two):
        command.add_argument("--jobs", type=_jobs, default=default_processes(), metavar="N")
    three = commands.add_parser("sheet", help="a contact sheet per factor")
    three.add_argument("folder", type=Path)
    three.add_argument("--n", type=int, default=_ON_SHEET, metavar="N")
    four = commands.add_parser("export", help="write the manifest as gzip, to keep or to publish")
    four.add_argument("folder", type=Path)
    four.add_argument("path", type=Path, metavar="manifest.jsonl.gz")
    blind = commands.add_parser("report", help="balance, side cues and judges that may not see")
    blind.add_argument("folder", type=Path)
    five = commands.add_parser("render-again", help="by Blender: do the labels hold there too?")
    five.add_argument("folder", type=Path)
    five.add_argument("--python", type=Path, required=True, help="an interpreter that has bpy")
    five.add_argument("--n", type=int, default=_AGAIN, metavar="N", help=f"default {_AGAIN}")
    five.add_argument("--samples", type=int, default=BLENDER_SAMPLES, metavar="N")
    given = parser.parse_args(arguments)
    return written(lambda: _guarded(given), "scenes")


def _jobs(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= _MOST_JOBS:
        raise argparse.ArgumentTypeError(f"expected 1 to {_MOST_JOBS}, found {text!r}")
    return int(text)


def _guarded(given: argparse.Namespace) -> int:
    try:
        match given.command:
            case "make":
                return _make(given)
            case "verify":
                return _verify(given)
            case "export":
                freezing.export(given.folder, given.path)
                return 0
            case "report":
                lines, n_issues = report(given.folder)
                print("\n".join(lines))
                return 1 if n_issues else 0
            case "render-again":
                return _again(given)
            case _:
                return _sheets(given.folder, given.n)
    except AssayError as error:
        print(f"scenes: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("scenes: interrupted; the same command goes on where it was", file=sys.stderr)
        return 130


def _make(given: argparse.Namespace) -> int:
    plan = Plan(
        kind=given.kind,
        factors=tuple(given.factor or (FREE_FACTORS if given.kind == "free" else FACTORS)),
        n=given.n,
        seed=given.seed,
        direction=given.direction,
        sizes=tuple(given.size or (_SIZE,)),
    )
    settle(plan, given.folder)
    started = last = time.monotonic()

    def progress(factor: str, n_made: int, n_passed: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY_S:
            last = time.monotonic()
            seconds = round(last - started)
            sys.stderr.write(
                f"{factor}: {n_made} made, {n_passed} of at least {plan.n} passed, {seconds} s\n"
            )

    rows = make_all(plan, given.folder, max(1, given.jobs), progress)
    frozen = freezing.write(plan, given.folder, rows)
    croissant.write(plan, given.folder, frozen)
    _sheets(given.folder, _ON_SHEET)
    print(f"{'factor':<12} {'made':>5} {'PASS':>5} {'BORDERLINE':>11} {'FAIL':>5} {'frozen':>7}")
    for factor in plan.factors:
        verdicts = Counter(row["verdict"] for row in rows if row["factor"] == factor)
        n_frozen = sum(row["factor"] == factor for row in frozen)
        print(
            f"{factor:<12} {verdicts.total():>5} {verdicts['PASS']:>5} "
            f"{verdicts['BORDERLINE']:>11} {verdicts['FAIL']:>5} {n_frozen:>7}"
        )
    return 0


def _verify(given: argparse.Namespace) -> int:
    whole = check_whole(given.folders)
    for issue in whole:
        print(issue)
    faulty = n_checked = 0
    for folder in given.folders:
        for name, issues in checking.check_set(folder, n_processes=max(1, given.jobs)):
            n_checked += 1
            faulty += bool(issues)
            for issue in issues:
                print(f"{folder}: {name}: {issue}")
    print(
        f"{len(given.folders)} set(s), {len(whole)} fault(s) of a set; {n_checked} specimens, "
        f"{faulty} with faults"
    )
    return 1 if whole or faulty or not n_checked else 0


def _again(given: argparse.Namespace) -> int:
    plan = read(given.folder)
    rows = freezing.read_manifest(given.folder / freezing.MANIFEST)
    # Spread over the manifest, and so over its factors.
    some = rows[:: max(1, len(rows) // max(1, given.n))][: given.n]
    n = wrong = n_objects = n_colors = 0
    for seen in blender.render_again(plan, some, given.folder, given.python, given.samples):
        n += 1
        wrong += not seen.label
        n_objects += seen.n_objects
        n_colors += seen.n_colors
        for message in seen.messages:
            print(f"{seen.id}: {message}")
    print(f"{n} pictures, {wrong} with another label; {n_colors} of {n_objects} colours as named")
    return 1 if wrong or not n else 0


def _sheets(folder: Path, n: int) -> int:
    rows = freezing.read_manifest(folder / freezing.MANIFEST)
    for factor in read(folder).factors:
        shown = [row for row in rows if row["factor"] == factor][:n]
        if shown:
            contact_sheet(shown, folder).save(folder / f"sheet-{factor}.png")
    return 0


__all__ = ["main"]
