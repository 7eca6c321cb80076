"""The work of a scan, block by block: what any executor calls, and two executors."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from harness.audit.canaries import EVAL_SET
from harness.audit.cosine import NearParameters, near_block
from harness.audit.findings import Findings, Match
from harness.audit.index import Index
from harness.audit.join import audit_block
from harness.audit.nearness import Nearness
from harness.audit.vectors import EvalVectors
from harness.contamination.plan import Spec
from harness.contamination.rows import Row
from harness.embedding.base import Embedded, Embedder, has_text
from harness.embedding.cache import VectorCache
from harness.embedding.load import open_embedder
from harness.errors import ModelError

Embed = Callable[[Sequence[str]], Embedded]
Work = Callable[[Sequence[str], int], "Found"]
Texts = tuple[int, list[str]]

MOST_ROWS, MOST_CHARS, MOST_PICTURES = 2048, 1 << 19, 1 << 26


@dataclass(frozen=True, eq=False)
class Side:
    """The evaluation side, which every worker holds whole.

    Parameters
    ----------
    index : of stage 1, with the planted set.
    vectors, near : of stage 2; None leaves it out.
    embedder : fingerprint of what made the vectors.
    engine : of stage 1, as for `audit_block`.
    """

    index: Index
    vectors: EvalVectors | None = None
    near: NearParameters | None = None
    embedder: str = ""
    engine: str = "auto"


@dataclass(frozen=True)
class Found:
    """Of one block: both stages, and whether the count of rows cut by the embedder is estimated."""

    findings: Findings
    nearness: Nearness | None
    estimated: bool = False


@dataclass(frozen=True, eq=False)
class Task:
    """All that a worker has to be sent; `open` gives what it calls.

    Parameters
    ----------
    side : see there.
    embedder : as in the plan; None without stage 2.
    cache : folder of the vectors; None for none.
    embed : makes vectors in this process, where they are made already; not to be sent.
    """

    side: Side
    embedder: Spec | None = None
    cache: Path | None = None
    embed: Embed | None = None

    def open(self) -> Work:
        """Load the embedder, once for each worker."""
        embed = self.embed
        if embed is None and self.embedder is not None:
            embed = cached(open_embedder(self.embedder), self.cache)
        return lambda texts, start: scan_block(texts, self.side, embed, start)


def cached(embedder: Embedder, folder: Path | None) -> Embed:
    """The function that makes vectors, through the cache where there is one."""
    if folder is None:
        return embedder.embed
    store = VectorCache(folder)
    return lambda texts: store.embed(embedder, texts)


def scan_block(
    texts: Sequence[str], side: Side, embed: Embed | None = None, start: int = 0
) -> Found:
    """Both stages over a block of rows; pure if `embed` is.

    Parameters
    ----------
    texts : rows ``start`` to ``start + len(texts) - 1``; one without a letter or a digit has no
        vector.
    side : what they are compared with.
    embed : makes the vectors; not called where the side has none.

    Returns
    -------
    Found
        Without the planted set. Findings and nearness of all blocks are put together by
        `harness.audit.findings.merge` and `harness.audit.nearness.merge_near`.
    """
    words = audit_block(texts, side.index, start, side.engine)
    findings = Findings(_real(words.hits), _real(words.contained), words.spans)
    if side.vectors is None or side.near is None or embed is None:
        return Found(findings, None)
    present = np.array([has_text(text) for text in texts], bool)
    given = [text for text, there in zip(texts, present.tolist(), strict=True) if there]
    made = embed(given) if given else _none(side.vectors)
    nearness = near_block(
        made.vectors,
        side.vectors,
        side.near,
        start,
        present=present,
        truncated=int(made.truncated.sum()),
        embedder=side.embedder,
    )
    return Found(findings, nearness, bool(made.estimated.any()))


def cut(rows: Iterable[Row], start: int) -> Iterator[list[Row]]:
    """Consecutive rows in blocks of at most 2,048, about half a million characters, and 64 MiB of
    pictures that are in the file itself.

    Where blocks are cut depends on the rows and on `start` alone, so a scan that was
    interrupted finds its blocks again.
    """
    block: list[Row] = []
    size = weight = 0
    for row in rows:
        block.append(row)
        size += len(row.text)
        weight += sum(map(_weight, row.pictures))
        if len(block) >= MOST_ROWS or size >= MOST_CHARS or weight >= MOST_PICTURES:
            yield block
            block, size, weight = [], 0, 0
    if block:
        yield block


def in_process(task: Task, blocks: Iterable[Texts]) -> Iterator[Found]:
    """Scan blocks, given as (first row, texts), one after the other."""
    work: Work | None = None
    for start, texts in blocks:
        work = work or task.open()
        yield work(texts, start)


def in_processes(task: Task, blocks: Iterable[Texts], n_processes: int) -> Iterator[Found]:
    """The same by worker processes, in the same order; each holds the evaluation side.

    No more than two blocks for each process are read ahead.

    Raises
    ------
    ModelError
        When a process dies, as for want of memory.
    """
    waiting: deque[Future[Found]] = deque()
    pool = ProcessPoolExecutor(n_processes, get_context("spawn"), _begin, (task,))
    try:
        for start, texts in blocks:
            waiting.append(pool.submit(_scanned, texts, start))
            if len(waiting) >= 2 * n_processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise ModelError(
            f"audit: one of {n_processes} worker processes died, perhaps for want of memory; take "
            "fewer: what is finished is kept, and the same command goes on there"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _weight(picture: Any) -> int:
    if isinstance(picture, Mapping):
        return sum(map(_weight, picture.values()))
    return len(picture) if isinstance(picture, str | bytes) else 0


_tasks: list[Task] = []
_works: list[Work] = []


def _begin(task: Task) -> None:
    _tasks[:] = [task]


def _scanned(texts: Sequence[str], start: int) -> Found:
    # Opened here and not at the start, so that an error comes back as itself.
    if not _works:
        _works.append(_tasks[0].open())
    return _works[0](texts, start)


def _real(matches: Iterable[Match]) -> tuple[Match, ...]:
    return tuple(match for match in matches if match.eval_set != EVAL_SET)


def _none(vectors: EvalVectors) -> Embedded:
    none = np.zeros(0, bool)
    return Embedded(np.zeros((0, vectors.vectors.shape[1]), np.float32), none, none)


__all__ = ["Embed", "Found", "Side", "Task", "Work", "cached", "cut", "in_process", "in_processes"]
__all__ += ["scan_block"]
