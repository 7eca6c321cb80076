"""A map-only flow of blocks over Ray Data: one dataset that the driver feeds as it reads."""

from __future__ import annotations

import asyncio
import os
import pickle
import threading
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import Any

from harness.contamination.blocks import Found, Task, Texts, Work
from harness.errors import AssayError, DataError

_AHEAD = 4
_END_S = 10


@dataclass(frozen=True)
class Served:
    """Of one block: its number, its first row, how many, and the node and process it was with."""

    number: int
    start: int
    rows: int
    node: str
    process: int


class Feed:
    """An actor that holds the blocks that were read and are not scanned yet.

    What a reader asked for once it may ask for again, so a reader that was lost starts over: of
    a block that is scanned an empty one is left in its place.
    """

    def __init__(self) -> None:
        self._held: dict[int, bytes] = {}
        self._end: int | None = None
        self._changed = asyncio.Condition()

    async def put(self, number: int, block: bytes) -> None:
        """Hold a block."""
        async with self._changed:
            self._held[number] = block
            self._changed.notify_all()

    async def end(self, number: int) -> None:
        """There is no block of this number or above."""
        async with self._changed:
            self._end = number
            self._changed.notify_all()

    async def done(self, number: int) -> None:
        """The block is scanned."""
        self._held[number] = b""

    async def take(self, number: int) -> bytes | None:
        """The block, once it is there; None for none any more."""

        def known() -> bool:
            return number in self._held or (self._end is not None and number >= self._end)

        async with self._changed:
            await self._changed.wait_for(known)
            return self._held.get(number)


class Worker:
    """What an actor of the pool runs: the embedder and the evaluation side are opened once."""

    def __init__(self, task: Any) -> None:
        # A reference: numpy arrays in it are views of the node's one copy.
        self._task = task
        self._work: Work | None = None

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """One block, given and told as bytes."""
        ray: Any = import_module("ray")
        (number,), (data,) = batch["number"].tolist(), batch["data"].tolist()
        said = pickle.dumps(None)
        if data:
            start, texts = pickle.loads(data)
            node = ray.get_runtime_context().get_node_id()
            served = Served(number, start, len(texts), node, os.getpid())
            said = pickle.dumps((served, self._scanned(texts, start)), 5)
        return {"number": [number], "data": [said]}

    def _scanned(self, texts: list[str], start: int) -> Found | Exception:
        ray: Any = import_module("ray")
        # An error is sent as itself, so that the driver raises what one process would.
        try:
            if self._work is None:
                task: Task = ray.get(self._task)
                self._work = task.open()
            return self._work(texts, start)
        except Exception as error:  # noqa: BLE001
            return _sendable(error)


class Flow:
    """A running dataset; blocks go in and come out in one order.

    Memory of the driver does not depend on the number of blocks: no more than four for each
    actor are between reading and result.

    Parameters
    ----------
    task : sent once, through the object store.
    n_actors, n_cpus, n_gpus : of the pool, and of each of it.
    wait_s : seconds without a result while one is due, before it is an error.
    """

    def __init__(
        self, task: Task, n_actors: int, n_cpus: float, n_gpus: float, wait_s: float
    ) -> None:
        ray: Any = import_module("ray")
        self._ray = ray
        self._wait_s = wait_s
        self._ahead = _AHEAD * n_actors
        self._results: SimpleQueue[Any] = SimpleQueue()
        here = import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy(
            ray.get_runtime_context().get_node_id(), soft=False
        )
        self._feed = ray.remote(Feed).options(num_cpus=0, scheduling_strategy=here).remote()
        # Kept: an actor that starts again asks for it again.
        self._task = ray.put(task)
        self._data = _dataset(self._feed, self._task, n_actors, n_cpus, n_gpus)
        self._others = set(threading.enumerate())
        self._thread = threading.Thread(target=self._collect, daemon=True)
        self._thread.start()

    def run(self, blocks: Iterable[Texts]) -> Iterator[tuple[Served, Found]]:
        """Scan blocks.

        Raises
        ------
        DataError
            When no block is finished for too long, and when Ray gives up.
        """
        ready: dict[int, tuple[Served, Found]] = {}
        given = taken = 0
        for block in blocks:
            self._feed.put.remote(given, pickle.dumps(block, 5))
            given += 1
            while given - taken >= self._ahead:
                yield self._next(ready, taken)
                taken += 1
        self._feed.end.remote(given)
        while taken < given:
            yield self._next(ready, taken)
            taken += 1

    def close(self) -> None:
        """End the dataset, whatever is left of it."""
        # Ray Data ends with its iterator, which another thread waits in; its own thread can be
        # told.
        for thread in set(threading.enumerate()) - self._others:
            if type(thread).__name__ == "StreamingExecutor":
                thread.shutdown(force=True)  # type: ignore[attr-defined]
        self._ray.kill(self._feed)
        self._thread.join(timeout=_END_S)

    def _next(self, ready: dict[int, tuple[Served, Found]], number: int) -> tuple[Served, Found]:
        while number not in ready:
            try:
                batch = self._results.get(timeout=self._wait_s)
            except Empty:
                raise DataError(
                    f"ray: expected a block within {self._wait_s:g} s, found none after "
                    f"{number} blocks; see whether the actors start (memory, the embedder's "
                    "files on every node), or allow more time (wait_s)"
                ) from None
            if isinstance(batch, Exception):
                raise DataError(f"ray: expected a result, found: {_said(batch)}") from batch
            for data in batch["data"].tolist():
                found = pickle.loads(data)
                if found is None or found[0].number < number:
                    continue
                ready[found[0].number] = found
                self._feed.done.remote(found[0].number)
        served, found = ready.pop(number)
        if isinstance(found, Exception):
            raise found
        return served, found

    def _collect(self) -> None:
        try:
            for batch in self._data.iter_batches(
                batch_size=None, prefetch_batches=0, batch_format="numpy"
            ):
                self._results.put(batch)
            self._results.put(EOFError("the end before the last block"))
        except Exception as error:  # noqa: BLE001
            # Told to the thread that waits, whatever it is.
            self._results.put(error)


def _dataset(feed: Any, task: Any, n_actors: int, n_cpus: float, n_gpus: float) -> Any:
    data: Any = import_module("ray.data")
    context = data.DataContext.get_current().copy()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    # No block may wait for the next to be joined with: the next is read when this one is done.
    context.target_max_block_size = 1
    # The wait is measured here, where a driver that reads slowly is not taken for a fault.
    context.execution_no_progress_timeout_s = -1
    with data.DataContext.current(context):
        # The reader waits nearly all the time; without a slot of its own it cannot lack one.
        blocks = data.read_datasource(_source(feed), override_num_blocks=1, num_cpus=0)
        return blocks.map_batches(
            Worker,
            batch_size=1,
            batch_format="numpy",
            fn_constructor_args=(task,),
            compute=data.ActorPoolStrategy(size=n_actors),
            num_cpus=n_cpus,
            num_gpus=n_gpus or None,
        )


def _source(feed: Any) -> Any:
    ray: Any = import_module("ray")
    arrow: Any = import_module("pyarrow")
    block: Any = import_module("ray.data.block")
    source: Any = import_module("ray.data.datasource")

    def blocks() -> Iterator[Any]:
        number = 0
        while (data := ray.get(feed.take.remote(number))) is not None:
            yield arrow.table(
                {"number": [number], "data": arrow.array([data], arrow.large_binary())}
            )
            number += 1

    class Blocks(source.Datasource):  # type: ignore[misc]
        """One task, which gives the blocks one by one."""

        def estimate_inmemory_data_size(self) -> int | None:
            return None

        def get_read_tasks(self, *_: Any, **__: Any) -> list[Any]:
            unknown = block.BlockMetadata(
                num_rows=None, size_bytes=None, input_files=None, exec_stats=None
            )
            return [source.ReadTask(blocks, unknown)]

    return Blocks()


def _sendable(error: Exception) -> Exception:
    trace = "".join(traceback.format_exception(error))
    if not isinstance(error, AssayError):
        error.add_note(trace)
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001
        return RuntimeError(trace)
    return error


def _said(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[-1].strip() if lines else ''}"


__all__ = ["Feed", "Flow", "Served", "Worker"]
