"""From tasks to stored responses: the loop between a loaded model and a segment."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial

from harness.batches import Finished, Ladder
from harness.models import base
from harness.records import FAILED
from harness.requests import Prepared, Task, ahead, error_text, prepare
from harness.segments import SegmentWriter
from harness.types import Cell, Dataset, Reply, Response

_WINDOW_BATCHES = 4


@dataclass(kw_only=True)
class Generated:
    """What was done in this session: responses stored, last batch size, seconds by part."""

    n: int = 0
    batch_size: int | None = None
    peak_memory_gib: float | None = None
    timing_s: dict[str, float] = field(default_factory=dict)


def generate(
    model: base.Generator,
    tasks: Sequence[Task],
    *,
    cell: Cell,
    dataset: Dataset,
    run_id: str,
    hang_timeout_s: float,
    n_threads: int,
    trusted: bool,
    writer: SegmentWriter,
    progress: Callable[[int, int], None] | None,
) -> Generated:
    """Generate `tasks` in order, storing every batch before the next one is asked for.

    Pictures are decoded ahead by `n_threads` threads. A picture that cannot be opened, and
    a request that fails at the end of the ladder, become responses of their own; see `Ladder`
    for what stops everything.
    """
    done = Generated(timing_s={"generate": 0.0})
    ladder = Ladder(model, cell.decoding, hang_timeout_s=hang_timeout_s, trusted=trusted)
    n_ahead = _WINDOW_BATCHES * cell.decoding.batch_sizes[0]
    windows = ahead(tasks, partial(prepare, cell, dataset), n_ahead, n_threads)
    with closing(windows), closing(_calls(ladder, windows)) as calls:
        for finished in calls:
            responses = [
                _response(item.task, reply)
                for item, reply in zip(finished.items, finished.replies, strict=False)
            ]
            writer.append(responses, _event(finished, responses, run_id))
            done.n += len(responses)
            done.timing_s["generate"] += finished.seconds
            if finished.peak_memory_gib is not None:
                done.peak_memory_gib = max(done.peak_memory_gib or 0.0, finished.peak_memory_gib)
            if progress is not None:
                progress(done.n, len(tasks))
    done.batch_size = ladder.size
    return done


def _calls(ladder: Ladder, windows: Iterable[list[Prepared]]) -> Generator[Finished, None, None]:
    """Every call of the model, and the pictures of each window that could not be opened."""
    for window in windows:
        if broken := [item for item in window if item.request is None]:
            yield _unopened(broken)
        ready = [item for item in window if item.request is not None]
        while ready:
            batch, ready = ready[: ladder.size], ready[ladder.size :]
            yield from ladder.run(batch)
    yield from ladder.rest()


def _unopened(broken: Sequence[Prepared]) -> Finished:
    replies = tuple(Reply(text=None, status="error", error=item.error) for item in broken)
    return Finished(size=0, items=tuple(broken), replies=replies, seconds=0.0, failure=None)


def _response(task: Task, reply: Reply) -> Response:
    """The record of a reply; one that contradicts itself is a failure, never an answer."""
    status, error = reply.status, reply.error
    if status in FAILED:
        error = error_text(error or reply.text or "the model failed without a message")
    elif not isinstance(reply.text, str) or error is not None:
        error = f"contradictory reply: status {status}, error {error_text(str(error))}"
        status = "error"
    failed = status in FAILED
    return Response(
        example_id=task.example.id,
        replicate=task.replicate,
        status=status,
        text=None if failed else reply.text,
        error=error,
        n_tokens=None if failed else reply.n_tokens,
        seed=task.seed,
        attempt=task.attempt,
    )


def _event(finished: Finished, responses: Sequence[Response], run_id: str) -> dict[str, object]:
    """When and by whom: `made` lists the responses stored, `asked` what the call was for."""
    return {
        "run": run_id,
        "batch_size": finished.size,
        "asked": [[item.task.example.id, item.task.replicate] for item in finished.items],
        "made": [[r.example_id, r.replicate, r.attempt] for r in responses],
        "seconds": round(finished.seconds, 6),
        "peak_memory_gib": finished.peak_memory_gib,
        "failure": finished.failure.text if finished.failure else None,
    }


__all__ = ["Generated", "generate"]
