"""A whole set made by several processes; the same files whatever their number."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import closing
from pathlib import Path
from typing import Any

from harness.errors import DataError
from harness.scene_sets.freezing import picked
from harness.scene_sets.journal import Journal
from harness.scene_sets.plan import Plan
from harness.scene_sets.specimen import make
from harness.scene_sets.workers import workers
from harness.scenes.rows import specimen_of
from harness.scenes.triplet import Item, Triplet

# Of free scenes, crowded as they are, one in four passes, left and right one in fourteen.
MOST_PER_FROZEN = {"audit": 6, "static": 6, "free": 40}
_AT_LEAST = 64
_AHEAD = 4
Report = Callable[[str, int, int], None]


def make_all(plan: Plan, folder: Path, n_processes: int, report: Report) -> list[dict[str, Any]]:
    """Make specimens until every factor has its frozen number.

    Parameters
    ----------
    plan : what is made; a folder that already holds some of it is gone on with.
    folder : of the set.
    n_processes : at least 1.
    report : called with the factor, how many of its specimens were made and how many passed.

    Returns
    -------
    list of dict
        All rows up to the last one that is needed, by factor and index; FAIL rows among them.

    Raises
    ------
    DataError
        When a factor has tried `MOST_PER_FROZEN` times its number, and 64 more, and is still
        short; for a journal that is damaged, or held by another process; when a worker dies.
    """
    rows: list[dict[str, Any]] = []
    with Journal(folder) as log, workers(n_processes) as pool:
        for factor in plan.factors:
            with closing(_in_order(pool, plan, factor, folder, log, n_processes)) as stream:
                rows += _enough(plan, factor, stream, report)
    return rows


def _enough(
    plan: Plan, factor: str, stream: Generator[dict[str, Any], None, None], report: Report
) -> list[dict[str, Any]]:
    """Rows until those that pass can be frozen."""
    rows: list[dict[str, Any]] = []
    passed: list[Triplet | Item] = []
    short = ""
    while len(rows) < MOST_PER_FROZEN[plan.kind] * plan.n + _AT_LEAST:
        rows.append(next(stream))
        found = rows[-1]["verdict"] == "PASS"
        if found:
            passed.append(specimen_of(rows[-1])[0])
        report(factor, len(rows), len(passed))
        if found and len(passed) >= plan.n:
            try:
                picked(plan, passed)
                return rows
            except DataError as error:
                short = str(error)
    raise DataError(
        f"{plan.kind} {factor}: expected {plan.n} specimens that pass and balance among "
        f"{len(rows)}, found {len(passed)} that pass; see `findings` in the journal. {short}"
    )


def _in_order(
    pool: Executor,
    plan: Plan,
    factor: str,
    folder: Path,
    log: Journal,
    n_processes: int,
) -> Generator[dict[str, Any], None, None]:
    """Specimens 0, 1, … of a factor, a few made ahead; each is logged once."""
    running: dict[Future[dict[str, Any]], int] = {}
    index = following = 0
    try:
        while True:
            while len(running) < _AHEAD * n_processes and following < index + 8 * n_processes:
                if (factor, following) not in log.done:
                    running[pool.submit(make, plan, factor, following, folder)] = following
                following += 1
            while (factor, index) not in log.done:
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    del running[future]
                    log.add(future.result())
            yield log.done[factor, index]
            index += 1
    finally:
        for future in running:
            future.cancel()


__all__ = ["MOST_PER_FROZEN", "make_all"]
