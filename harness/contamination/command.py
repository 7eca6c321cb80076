"""`python -m harness audit`: which training rows repeat evaluation items, and a file without them.

Exit status: 0 GO, 1 NO-GO, 2 for a wrong call or data that cannot be used.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence, Set
from dataclasses import replace
from pathlib import Path

from harness.audit.pairs import Judge
from harness.contamination.arguments import add_files, add_judging, changes, plan_of
from harness.contamination.judges import open_judge
from harness.contamination.judging import judged
from harness.contamination.outcome import Outcome, outcome
from harness.contamination.plan import AuditPlan
from harness.contamination.ray_engine import ray_executor
from harness.contamination.scan import Scan, read_scan, write_scan
from harness.contamination.scanning import Executor, scan_file
from harness.contamination.shards import check_complete, merge_scans
from harness.contamination.texts import TEXTS
from harness.contamination.triage import triage
from harness.contamination.writing import refuse_before, refuse_other, write
from harness.errors import AssayError, DataError
from harness.ids import file_digest
from harness.output import written

SCAN, SHARDS = "scan.json", "scan-*-of-*.json"
_MOST_PROCESSES = 256


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the audit, or `merge`; 0, 1 for NO-GO, 2 for an error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    run = _merged if given[:1] == ["merge"] else _audited

    def command() -> int:
        try:
            return run(given[1:] if run is _merged else given)
        except AssayError as error:
            print(f"audit: {error}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print("audit: interrupted; the same command goes on where it was", file=sys.stderr)
            return 130

    return written(command, "audit")


def _audited(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m harness audit", description=__doc__)
    parser.epilog = "`audit merge PART … --out DIR` puts the scans of shards together."
    add_files(parser)
    add_judging(parser)
    _add_running(parser)
    running = parser.add_argument_group("running")
    running.add_argument("--shard", metavar="I/N", help="scan the I-th of N parts; then merge")
    running.add_argument(
        "--processes", type=_number, metavar="N", help="default 1; of ray: as many as there is room"
    )
    running.add_argument("--engine", choices=("local", "ray"), default="local")
    running.add_argument(
        "--ray-address", metavar="ADDRESS", help="default: a cluster of this machine"
    )
    running.add_argument("--gpus-per-process", type=float, default=0, metavar="X", help="of ray")
    running.add_argument(
        "--join", choices=("auto", "numpy", "numba"), default="auto", help="code of stage 1"
    )
    running.add_argument("--cache", type=Path, metavar="DIR", help="vectors (default OUT/vectors)")
    given = parser.parse_args(arguments)
    plan = plan_of(given)
    shard = _shard(given.shard)
    place = f"{shard[0]}-of-{shard[1]}"
    only_scan = given.stop_after == "scan" or shard != (1, 1)
    _tell_of_pictures(plan)
    judges = [] if only_scan else _judges(plan, given.out)
    _made(given.out)
    refuse_before(plan, given.out)
    scan = scan_file(
        plan,
        shard=shard,
        work=given.out / "scan" / place,
        cache=given.cache or given.out / "vectors",
        n_processes=given.processes or 1,
        executor=_executor(given),
        engine=given.join,
        progress=_tell if not given.quiet else lambda _: None,
    )
    _keep(scan, given.out, SCAN if shard[1] == 1 else f"scan-{place}.json")
    return _told(scan) if only_scan else _finish(scan, judges, given.out)


def _merged(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m harness audit merge",
        description="Put the scans of shards together, in any order and in any groups.",
    )
    parser.add_argument(
        "parts", nargs="+", type=Path, metavar="PART", help="folders with scans, or files"
    )
    parser.add_argument("--train", type=Path, metavar="FILE", help="the file that was scanned")
    add_judging(parser)
    _add_running(parser)
    given = parser.parse_args(arguments)
    scan = merge_scans(*(read_scan(path) for part in given.parts for path in _files(part)))
    only_scan = given.stop_after == "scan"
    judges: list[Judge] = []
    if not only_scan:
        check_complete(scan)
        if given.train is None:
            raise DataError("merge: expected --train FILE, which the cleaned set is copied from")
        scan = _judged_by(scan, given)
        judges = _judges(scan.plan, given.out)
    _keep(scan, given.out)
    return _told(scan) if only_scan else _finish(scan, judges, given.out)


def _files(part: Path) -> list[Path]:
    """The scans of a folder: of shards, if there are any; else the whole one."""
    if not part.is_dir():
        return [part]
    return sorted(part.glob(SHARDS)) or [part / SCAN]


def _judged_by(scan: Scan, given: argparse.Namespace) -> Scan:
    """The scan with the judges and limits of this command, and the way to its training file."""
    changed = changes(given)
    for name in ("threshold", "floor", "border", "max_row_bytes"):
        if name in changed:
            raise DataError(
                f"merge: --{name.replace('_', '-')} decides the scan; give it to each shard"
            )
    source = replace(scan.plan.train, path=str(given.train))
    if file_digest_of(given.train) != scan.train.sha256:
        raise DataError(
            f"{given.train.name}: expected the file that was scanned, found other content; name "
            f"the {scan.train.file} of the shards"
        )
    if "judges" in changed:
        changed["judges"] = tuple(changed["judges"])
    return replace(scan, plan=replace(scan.plan, train=source, **changed))


def file_digest_of(path: Path) -> str:
    """SHA-256 of a file.

    Raises
    ------
    DataError
        When it cannot be read.
    """
    try:
        return file_digest(path)
    except OSError as error:
        raise DataError(f"{path.name}: expected a readable file, found: {error.strerror}") from None


def _made(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"--out {out.name}: expected a folder, found: {error.strerror}") from None


def _keep(scan: Scan, out: Path, name: str = SCAN) -> None:
    _made(out)
    refuse_other(scan, out)
    write_scan(scan, out / name)


def _finish(scan: Scan, judges: Sequence[Judge], out: Path) -> int:
    chosen = triage(scan)
    judgements = []
    if judges and chosen.asked:
        judgements = judged(chosen.asked, scan.pair, judges, out / "judges")
    _tell_of_labels(judges, {scan.pair(one).key for one in chosen.asked})
    found = outcome(scan, judgements)
    write(found, scan, out, judges=judges)
    _show(found, out)
    return 0 if found.go else 1


def _show(found: Outcome, out: Path) -> None:
    texts = TEXTS["en"]
    print(f"{'':40}{texts['rows']:>12}{texts['pairs']:>12}")
    for row in found.stages.rows:
        name, *counts = row.values()
        shown = ["" if one is None else f"{one:,}" for one in counts]
        print(f"{texts[f'step_{name}']:40}" + "".join(f"{one:>12}" for one in shown).rstrip())
    verdict = "GO" if found.go else "NO-GO"
    removed, rows = len(found.removals), found.scan.train.rows
    print(f"{verdict}: {removed:,} of {rows:,} rows removed; {out.resolve().name}/report.html")
    for issue in found.issues:
        print(f"  {issue}")


def _told(scan: Scan) -> int:
    counts = scan.findings.counts()
    parts = ", ".join(f"{start} to {stop - 1}" for start, stop in scan.ranges) or "none"
    print(
        f"rows {parts} of {scan.train.rows:,} scanned: {counts['hits']:,} hits by words, "
        f"{len(scan.candidates):,} candidates"
    )
    return 0


def _judges(plan: AuditPlan, out: Path) -> list[Judge]:
    opened = [open_judge(one, out / "judges") for one in plan.judges]
    for judge in opened:
        for note in getattr(judge, "notes", ()):
            _tell(f"judge {judge.name}: {note}")
    return opened


def _tell_of_labels(judges: Sequence[Judge], asked: Set[str]) -> None:
    for judge in judges:
        unused = sorted(getattr(judge, "keys", frozenset()) - asked)
        if unused:
            _tell(f"{judge.name}: {len(unused):,} are of no judged pair, the first {unused[0]!r}")


def _tell_of_pictures(plan: AuditPlan) -> None:
    sides = [plan.train, *plan.sources.values()]
    if any(one.image_field for one in sides) and not plan.compares_pictures:
        _tell(
            "pictures are named on one side only and not compared; give --image-field and "
            "--eval-image-field NAME=FIELD"
        )


def _executor(given: argparse.Namespace) -> Executor | None:
    if given.engine == "local":
        return None
    gpus = given.gpus_per_process
    return ray_executor(given.ray_address, given.processes, gpus_per_actor=gpus)


def _add_running(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--stop-after", choices=("scan",), help="judge and write nothing yet")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")


def _shard(text: str | None) -> tuple[int, int]:
    if text is None:
        return 1, 1
    i, slash, n = text.partition("/")
    if not (slash and i.isascii() and i.isdigit() and n.isascii() and n.isdigit()):
        raise DataError(f"--shard: expected I/N as in 2/8, found {text!r}")
    return int(i), int(n)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= _MOST_PROCESSES):
        raise argparse.ArgumentTypeError(f"expected 1 to {_MOST_PROCESSES}, found {text!r}")
    return int(text)


def _tell(line: str) -> None:
    print(f"audit: {line}", file=sys.stderr, flush=True)


__all__ = ["SCAN", "main"]
