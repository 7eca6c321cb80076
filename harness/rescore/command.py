"""`python -m harness rescore`: stored responses under an old scorer and under this one."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from harness.errors import AssayError, StudyError
from harness.output import written
from harness.rescore.archive import Skipped, StoredCell, stored_cells
from harness.rescore.report import Rescoring, document, text
from harness.rescore.scorers import present, reference, scored
from harness.study import Study, load_study

_REPOSITORY = Path(__file__).resolve().parents[2]
_STUDIES = _REPOSITORY / "evals/studies"
_TIMEOUT_S = 600.0


def rescore(
    runs: Path,
    *,
    against: str,
    studies: Sequence[Study],
    policy: str = "",
    repository: Path = _REPOSITORY,
    timeout_s: float = _TIMEOUT_S,
) -> Rescoring:
    """Score every stored response under two scorers.

    Parameters
    ----------
    runs : a folder of cells; it is only read.
    against : the old scorer: a git ref, a scorer's version (the newest commit that has it), or
        `policy:NAME` of this package.
    studies : those whose data sets were answered.
    policy : of the new scorer; "" is its default.
    repository : the git checkout that the old scorer is taken from.
    timeout_s : seconds that either scorer may take for everything.

    Returns
    -------
    Rescoring
        Cells that cannot be read are listed in it with the reason.

    Raises
    ------
    AssayError
        When there is nothing to score, the old scorer is not found, or one of the two dies.
    """
    read = list(stored_cells(runs, studies))
    cells = sorted(
        (cell for cell in read if isinstance(cell, StoredCell)), key=lambda c: (c.name, c.key)
    )
    skipped = tuple(cell for cell in read if isinstance(cell, Skipped))
    with tempfile.TemporaryDirectory(prefix="assay-rescore-") as name:
        scratch = Path(name)
        (scratch / "old").mkdir()
        (scratch / "scores").mkdir()
        new = present(policy)
        old = reference(against, scratch / "old", repository)
        pairs = scored(cells, old, new, scratch / "scores", timeout_s) if cells else []
    return Rescoring(
        old=old.name,
        new=new.name,
        cells=tuple(zip(cells, map(tuple, pairs), strict=True)),
        skipped=skipped,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report; the exit status is 0, 1 where something was left out, 2 for an error.

    Flips are what the command is asked for and no failure.
    """
    parser = argparse.ArgumentParser(prog="python -m harness rescore", description=__doc__)
    parser.add_argument("runs", type=Path, metavar="RUNS", help="folder of stored cells, only read")
    parser.add_argument(
        "--against",
        required=True,
        metavar="REF",
        help="the old scorer: a git ref, a scorer's version such as 1 or version:1, or policy:NAME",
    )
    parser.add_argument(
        "--study",
        type=Path,
        action="append",
        metavar="FILE",
        help="study whose data sets were answered; may be repeated (default evals/studies/*.toml)",
    )
    parser.add_argument("--policy", default="", metavar="NAME", help="policy of the new scorer")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the report as JSON too")
    parser.add_argument("--timeout-s", type=_seconds, default=_TIMEOUT_S, metavar="S")
    given = parser.parse_args(arguments)
    return written(lambda: _run(given), "rescore")


def _seconds(value: str) -> float:
    """For --timeout-s."""
    seconds = float(value)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"expected seconds above 0, found {value}")
    return seconds


def _run(given: argparse.Namespace) -> int:
    try:
        if given.json is not None and _inside(given.json, given.runs):
            raise AssayError("--json: expected a file outside the runs folder, which is only read")
        found = rescore(
            given.runs,
            against=given.against,
            studies=[load_study(path) for path in given.study] if given.study else _own(),
            policy=given.policy,
            timeout_s=given.timeout_s,
        )
        if given.json is not None:
            given.json.write_text(
                json.dumps(document(found), indent=1, sort_keys=True) + "\n", encoding="ascii"
            )
    except (AssayError, OSError) as error:
        _complain(str(error))
        return 2
    sys.stdout.buffer.write(text(found).encode("utf-8", "backslashreplace"))
    return 0 if found.complete else 1


def _own() -> list[Study]:
    """This repository's studies, without those whose data are not on this machine."""
    studies = []
    for path in sorted(_STUDIES.glob("*.toml")):
        try:
            studies.append(load_study(path))
        except StudyError as error:
            _complain(f"left out: {error}")
    return studies


def _complain(message: str) -> None:
    print(f"rescore: {message}".encode("ascii", "backslashreplace").decode(), file=sys.stderr)


def _inside(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


__all__ = ["main", "rescore"]
