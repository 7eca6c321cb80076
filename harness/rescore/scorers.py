"""Two scorers, each in a process of its own, over the same stored responses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from harness.errors import AssayError
from harness.rescore import driver
from harness.rescore.archive import StoredCell
from harness.rescore.compare import Pair, Scored
from harness.rescore.history import find_commit, unpack, version_in
from harness.scoring.policies import policy_named

_PACKAGE = Path(__file__).resolve().parents[1]
_MOST_PARTS = 8
_SENT = ("id", "kind", "question", "gold", "choices", "group", "role", "tags", "exact")


@dataclass(frozen=True, kw_only=True)
class Scorer:
    """A folder that holds `harness`, and a policy of it ("": its default).

    `version` is what its `harness.scoring.VERSION` says; `commit` is empty for the package as
    it lies on the disk.
    """

    folder: Path
    version: str
    policy: str = ""
    commit: str = ""

    @property
    def name(self) -> str:
        commit = f"commit {self.commit[:12]}" if self.commit else "as it lies here"
        policy = f", policy {self.policy}" if self.policy else ""
        return f"scorer {self.version}{policy} ({commit})"


def present(policy: str = "") -> Scorer:
    """The scorer of this package."""
    source = (_PACKAGE / "scoring/__init__.py").read_text(encoding="utf-8")
    if policy:
        policy_named(policy)
    return Scorer(folder=_PACKAGE.parent, version=version_in(source), policy=policy)


def reference(against: str, scratch: Path, repository: Path) -> Scorer:
    """The scorer to compare with: `policy:NAME` of this package, or one of the history.

    Raises
    ------
    AssayError
        As `find_commit` and `unpack`.
    """
    kind, _, policy = against.partition(":")
    if kind == "policy" and policy:
        return present(policy)
    commit = find_commit(against, repository)
    return Scorer(folder=scratch, version=unpack(commit, repository, scratch), commit=commit)


def scored(
    cells: Sequence[StoredCell], old: Scorer, new: Scorer, scratch: Path, timeout_s: float
) -> list[list[Pair]]:
    """Score every row of every cell twice, both scorers at once.

    Parameters
    ----------
    cells : what is scored.
    old, new : the scorers.
    scratch : an empty folder for rows and scores.
    timeout_s : seconds that either scorer may take for everything.

    Returns
    -------
    list of list of Pair
        Per cell, in the order of its rows.

    Raises
    ------
    AssayError
        When a scorer dies, is late, or does not score every row.
    """
    rows = _write(scratch, cells)
    deadline = time.monotonic() + timeout_s
    with ExitStack() as stack:
        started = [
            (_start(stack, scorer, part, part.with_suffix(side)), scorer, part.with_suffix(side))
            for side, scorer in ((".old", old), (".new", new))
            for part in rows
        ]
        for process, scorer, out in started:
            _finish(process, scorer, deadline, out)
    n = sum(len(cell.rows) for cell in cells)
    pairs = zip(
        _scores([part.with_suffix(".old") for part in rows], old, n),
        _scores([part.with_suffix(".new") for part in rows], new, n),
        strict=True,
    )
    return [
        [
            Pair(example.id, response.replicate, example.gold, *next(pairs))
            for example, response in cell.rows
        ]
        for cell in cells
    ]


def _write(folder: Path, cells: Sequence[StoredCell]) -> list[Path]:
    """The rows in as many files of about equal length as there are processors, in order."""
    places: dict[int, int] = {}
    examples: list[dict[str, object]] = []
    rows = [row for cell in cells for row in cell.rows]
    for example, _ in rows:
        # Cells of one data set share its records.
        if id(example) not in places:
            places[id(example)] = len(examples)
            examples.append({name: getattr(example, name) for name in _SENT})
    head = json.dumps(examples) + "\n"
    n_parts = min(len(os.sched_getaffinity(0)), _MOST_PARTS)
    size = max(1, -(-len(rows) // n_parts))
    paths = []
    for first in range(0, len(rows), size):
        paths.append(folder / f"{first}.jsonl")
        with open(paths[-1], "w", encoding="ascii") as handle:
            handle.write(head)
            for example, response in rows[first : first + size]:
                row = [places[id(example)], response.replicate, response.status, response.text]
                handle.write(json.dumps(row) + "\n")
    return paths


def _start(stack: ExitStack, scorer: Scorer, rows: Path, out: Path) -> subprocess.Popen[bytes]:
    source = Path(driver.__file__).read_text(encoding="utf-8")
    with open(rows, "rb") as stdin, open(out, "wb") as stdout, open(f"{out}.log", "wb") as log:
        process = subprocess.Popen(
            # Isolated: with nothing of this package's but what lies in the folder.
            [sys.executable, "-I", "-B", "-c", source, str(scorer.folder), scorer.policy],
            stdin=stdin,
            stdout=stdout,
            stderr=log,
            cwd=rows.parent,
            env={"LC_ALL": "C.UTF-8"},
        )
    stack.callback(_kill, process)
    return process


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
        process.wait()


def _finish(process: subprocess.Popen[bytes], scorer: Scorer, deadline: float, out: Path) -> None:
    try:
        status = process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise AssayError(
            f"{scorer.name}: not done in time; give it more with --timeout-s"
        ) from None
    if status:
        log = Path(f"{out}.log").read_text(encoding="utf-8", errors="replace").strip()
        said = log.splitlines()[-1][:300] if log else "no message"
        raise AssayError(f"{scorer.name}: ended with status {status}: {said}")


def _scores(paths: Sequence[Path], scorer: Scorer, n: int) -> list[Scored]:
    rows = []
    for path in paths:
        with open(path, "rb") as handle:
            rows += [json.loads(line) for line in handle]
    if len(rows) != n:
        raise AssayError(f"{scorer.name}: expected {n} scores, found {len(rows)}")
    return [Scored(*row) if len(row) > 1 else Scored(error=row[0]) for row in rows]


__all__ = ["Scorer", "present", "reference", "scored"]
