"""A scan: stages 1 and 2 over a training file or a shard of it, resumable."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from harness.audit.findings import merge
from harness.audit.nearness import merge_near
from harness.contamination.blocks import (
    Found,
    Task,
    Texts,
    cached,
    cut,
    in_process,
    in_processes,
)
from harness.contamination.evaluation import Evaluation, evaluation
from harness.contamination.plan import AuditPlan
from harness.contamination.rows import count_rows, read_rows, settled
from harness.contamination.scan import VERSION, ItemText, Part, Scan, TrainFile
from harness.contamination.training import Block, TrainSide
from harness.contamination.typed import jsonable, record
from harness.embedding.load import open_embedder
from harness.errors import DataError
from harness.ids import digest, file_digest

Executor = Callable[[Task, Iterable[Texts]], Iterator[Found]]
_EVERY_S = 2.0


def scan_file(
    plan: AuditPlan,
    *,
    shard: tuple[int, int] = (1, 1),
    work: Path | None = None,
    cache: Path | None = None,
    n_processes: int = 1,
    executor: Executor | None = None,
    engine: str = "auto",
    progress: Callable[[str], None] = lambda _: None,
) -> Scan:
    """Scan a training file.

    Parameters
    ----------
    plan : of the audit.
    shard : (i, n) scans the i-th of n parts, i from 1; parts differ by one row at most.
    work : folder that keeps what is finished, so that a scan that was interrupted goes on there;
        what another plan, file or embedder left in it is not used.
    cache : folder of the vectors; None embeds without one.
    n_processes : workers; 1 for none but this process.
    executor : takes the place of the processes, such as an engine over several machines.
    engine : of stage 1, as for `audit_block`.
    progress : is told a line now and then.

    Returns
    -------
    Scan
        The same for any `work`, `cache`, number of processes, executor and engine. Scans of all
        shards are put together by `harness.contamination.shards.merge_scans`.

    Raises
    ------
    DataError
        For a shard that is none, a file that cannot be read, and, unless the plan counts them,
        for a row that cannot.
    """
    source = settled(plan.train, plan.max_row_bytes)
    train = TrainFile(
        *(source.name, file_digest(source.path), source.fields),
        count_rows(source, plan.max_row_bytes),
    )
    start, stop = part_of(train.rows, shard)
    names = ", ".join(name for name, _ in plan.evals)
    progress(f"{stop - start:,} of {train.rows:,} rows of {train.file}, against {names}")
    embedder = None if plan.embedder is None else open_embedder(plan.embedder)
    embed = None if embedder is None else cached(embedder, cache)
    evals = evaluation(plan, embedder, embed, engine)
    run = executor
    if run is None and n_processes > 1:
        run = partial(in_processes, n_processes=n_processes)
    task = Task(evals.side, plan.embedder, cache, embed if run is None else None)
    run = run or in_process
    finished = _Finished(work, _key(plan, train, evals))
    look = TrainSide(source, evals, embed, stop, progress)
    parts = _parts(plan, look, (start, stop), task, run, finished)
    kept, estimated = [], False
    begun = told = time.monotonic()
    for part, guess in parts:
        kept.append(part)
        estimated |= guess
        if time.monotonic() - told >= _EVERY_S or part.stop == stop:
            told = time.monotonic()
            progress(_said(kept, stop, told - begun))
    return _scan(plan, train, evals, kept, estimated)


def part_of(n_rows: int, shard: tuple[int, int]) -> tuple[int, int]:
    """First row of a shard, and the one after its last.

    Raises
    ------
    DataError
        When it is not one of 1 to n.

    Examples
    --------
    >>> [part_of(10, (i, 3)) for i in (1, 2, 3)]
    [(0, 3), (3, 6), (6, 10)]
    """
    i, n = shard
    if not 1 <= i <= n:
        raise DataError(f"shard: expected i/n with i from 1 to n, found {i}/{n}")
    return n_rows * (i - 1) // n, n_rows * i // n


def _parts(
    plan: AuditPlan,
    look: TrainSide,
    rows: tuple[int, int],
    task: Task,
    run: Executor,
    finished: _Finished,
) -> Iterator[tuple[Part, bool]]:
    """Finished parts as they come in the file, scanned ones among them."""
    start, stop = rows
    bad, most = plan.on_bad_row, plan.max_row_bytes
    reader = read_rows(look.source, start, stop, on_bad=bad, most_bytes=most)
    blocks: list[Block | None] = []
    ready: list[tuple[Part, bool] | None] = []

    def asked() -> Iterator[Texts]:
        for block in cut(reader, start):
            known = finished.get(block[0].number, block[-1].number + 1)
            ready.append(known)
            blocks.append(look.block(block) if known is None else None)
            if known is None:
                yield block[0].number, [row.text for row in block]

    for found in run(task, asked()):
        while ready and ready[0] is not None:
            blocks.pop(0)
            yield ready.pop(0)  # type: ignore[misc]
        ready.pop(0)
        block = blocks.pop(0)
        assert block is not None
        part = look.part(block, found)
        finished.add(part, found.estimated)
        yield part, found.estimated
    yield from (one for one in ready if one is not None)


def _scan(
    plan: AuditPlan, train: TrainFile, evals: Evaluation, parts: list[Part], estimated: bool
) -> Scan:
    near = [part.nearness for part in parts if part.nearness is not None]
    items: set[ItemText] = {item for part in parts for item in part.items}
    return Scan(
        plan=plan,
        train=train,
        evals=evals.sets,
        ranges=((parts[0].start, parts[-1].stop),) if parts else (),
        findings=merge(*(part.findings for part in parts)),
        nearness=None if evals.side.near is None else merge_near(*near),
        rows=tuple(row for part in parts for row in part.rows),
        items=tuple(sorted(items)),
        faults=tuple(fault for part in parts for fault in part.faults),
        sightings=evals.sightings,
        vector_sightings=evals.vector_sightings,
        embedder=evals.identity,
        near=evals.side.near,
        estimated=estimated,
        pictures=tuple(one for part in parts for one in part.pictures),
    )


class _Finished:
    """Parts that are done, one a line: what a kill leaves unfinished is done again."""

    def __init__(self, folder: Path | None, key: str) -> None:
        self._path = None if folder is None else folder / "blocks.jsonl"
        self._key = key
        self._known: dict[tuple[int, int], Any] = {}
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        text = self._path.read_bytes() if self._path.exists() else b""
        for line in text.split(b"\n"):
            try:
                given = json.loads(line)
                if given["key"] == key:
                    self._known[given["part"]["start"], given["part"]["stop"]] = given
            except (ValueError, TypeError, KeyError):
                continue
        if text and not text.endswith(b"\n"):
            with open(self._path, "ab") as handle:
                handle.write(b"\n")

    def get(self, start: int, stop: int) -> tuple[Part, bool] | None:
        given = self._known.pop((start, stop), None)
        if given is None:
            return None
        try:
            return record(Part, given["part"], "block"), bool(given["estimated"])
        except (DataError, KeyError):
            return None

    def add(self, part: Part, estimated: bool) -> None:
        if self._path is not None:
            made = {"key": self._key, "estimated": estimated, "part": jsonable(part)}
            with open(self._path, "ab") as handle:
                handle.write(json.dumps(made, allow_nan=False).encode() + b"\n")


def _key(plan: AuditPlan, train: TrainFile, evals: Evaluation) -> str:
    side = evals.side
    vectors = "" if side.vectors is None else side.vectors.fingerprint
    parts = (VERSION, plan.scan_fingerprint, train, evals.sets, side.index.fingerprint, vectors)
    return digest([*parts, side.near])


def _said(parts: list[Part], stop: int, seconds: float) -> str:
    done = parts[-1].stop - parts[0].start
    hits = sum(len(part.findings.hits) for part in parts)
    near = sum(len(part.nearness.near) for part in parts if part.nearness is not None)
    rate = done / seconds if seconds else 0.0
    return (
        f"row {parts[-1].stop:,} of {stop:,}: {hits:,} hits by words, {near:,} near pairs, "
        f"{rate:,.0f} rows/s"
    )


__all__ = ["Executor", "part_of", "scan_file"]
