"""Processes that render: each ends with the process that started it, even one that is killed."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import Any

from harness.errors import DataError


def default_processes() -> int:
    """One for each processor that this process may use."""
    return len(os.sched_getaffinity(0))


@contextmanager
def workers(n_processes: int) -> Iterator[Executor]:
    """A pool of processes without inherited state; for one, the work is done in this process.

    Raises
    ------
    DataError
        When one of them dies.
    """
    if n_processes <= 1:
        yield _Here()
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(n_processes, mp_context=context, initializer=_end_with_parent)
    try:
        yield pool
    except BrokenProcessPool as error:
        raise DataError(
            "expected every worker to end its work, found one that died (memory?); run the same "
            "command again, with fewer --jobs"
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


class _Here(Executor):
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future

    def map(self, fn: Callable[..., Any], *iterables: Iterable[Any], **_: Any) -> Iterator[Any]:
        return map(fn, *iterables)


def _end_with_parent() -> None:
    # A worker waits on a pipe of which it holds both ends, so a killed parent does not end it.
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


__all__ = ["default_processes", "workers"]
