"""Batches against a model's failures: a declared ladder of sizes, and a stop for broken models."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from harness.errors import ModelError
from harness.models.base import Generator, Hung, OutOfMemory
from harness.requests import Prepared, error_text
from harness.types import Decoding, Reply, Request
from harness.watchdog import watched

N_FIRST_FAILURES = 3
_N_SHOWN = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """Why a batch gave no reply; `cause` is kept for a stop, never stored.

    It is None where the batch is tried again or memory ran out.
    """

    kind: Literal["oom", "hung", "error"]
    text: str
    cause: Exception | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Finished:
    """One call of the model. No replies: the batch is tried again in smaller ones.

    `peak_memory_gib` is the highest device memory during the call, where the model tells it.
    """

    size: int
    items: tuple[Prepared, ...]
    replies: tuple[Reply, ...]
    seconds: float
    failure: Failure | None
    peak_memory_gib: float | None = None


class Ladder:
    """Runs batches, stepping down `decoding.batch_sizes` where the model fails.

    A batch that runs out of memory or hangs is repeated at the next size, one that breaks in
    another way at the smallest; a failure at the smallest becomes the reply of its requests
    alone. When no single request is to blame for running out of memory, the following
    batches start one size lower.

    Parameters
    ----------
    model, decoding : passed on.
    hang_timeout_s : seconds that one batch may take.
    trusted : True when the model is known to work, so that the stop is off.

    Raises
    ------
    ModelError
        From `run`, when the first three requests fail in the same way at their first attempt
        before any reply has come, or when the number of replies is wrong.
    """

    def __init__(
        self, model: Generator, decoding: Decoding, *, hang_timeout_s: float, trusted: bool
    ) -> None:
        self._model = model
        self._decoding = decoding
        self._timeout_s = hang_timeout_s
        self._trusted = trusted
        self._rung = 0
        self._held: list[Finished] = []

    @property
    def size(self) -> int:
        """The size of the next batch."""
        return self._decoding.batch_sizes[self._rung]

    def run(self, items: Sequence[Prepared]) -> Iterator[Finished]:
        """Every call made for one batch, in order; what is held back comes with a later one."""
        statuses = set()
        for finished in self._attempt(tuple(items), self._rung):
            if finished.failure is not None and finished.failure.kind == "oom":
                statuses.add("blamed" if finished.replies else "oom")
            yield from self._screened(finished)
        if statuses == {"oom"} and self._rung + 1 < len(self._decoding.batch_sizes):
            self._rung += 1

    def rest(self) -> Iterator[Finished]:
        """What was held back: too few failures to say that the model is broken."""
        held, self._held = self._held, []
        yield from held

    def _attempt(self, items: tuple[Prepared, ...], rung: int) -> Iterator[Finished]:
        finished = self._call(items)
        failure = finished.failure
        if failure is None:
            yield finished
            return
        sizes = self._decoding.batch_sizes
        lower = [r for r in range(rung + 1, len(sizes)) if sizes[r] < len(items)]
        if not lower:
            status: Literal["oom", "error"] = "oom" if failure.kind == "oom" else "error"
            text = failure.text if len(items) == 1 else f"batch of {len(items)}: {failure.text}"
            reply = Reply(text=None, status=status, error=text)
            yield replace(finished, replies=(reply,) * len(items))
            return
        rung = lower[-1] if failure.kind == "error" else lower[0]
        # The frames of the error hold the batch's tensors, which the smaller ones may need.
        stepped = replace(finished, failure=replace(failure, cause=None))
        del finished, failure
        yield stepped
        for start in range(0, len(items), sizes[rung]):
            yield from self._attempt(items[start : start + sizes[rung]], rung)

    def _call(self, items: tuple[Prepared, ...]) -> Finished:
        requests = [item.request for item in items if item.request is not None]
        names = ", ".join(repr(r.example.id) for r in requests[:_N_SHOWN])
        failure: Failure | None = None
        replies: list[Reply] = []
        start_s = time.monotonic()
        try:
            with watched(self._timeout_s, f"a batch of {len(requests)}, first {names}"):
                replies = list(self._model.generate(requests, self._decoding))
        except (OutOfMemory, MemoryError):
            text = f"out of memory at batch size {len(requests)}"
            failure = Failure(kind="oom", text=text, cause=None)
        except Hung as error:
            failure = Failure(kind="hung", text=error_text(error), cause=error)
        # Whatever a model raises is one request's failure until the ladder shows otherwise.
        except Exception as error:  # noqa: BLE001
            failure = Failure(kind="error", text=error_text(error), cause=error)
        seconds = time.monotonic() - start_s
        if failure is None:
            _check_count(requests, replies)
        return Finished(
            size=len(requests),
            items=items,
            replies=tuple(replies),
            seconds=seconds,
            failure=failure,
            peak_memory_gib=getattr(self._model, "peak_memory_gib", None),
        )

    def _screened(self, finished: Finished) -> Iterator[Finished]:
        """Hold back first failures until a reply comes; stop at the third of one type."""
        failure = finished.failure
        if self._trusted or not finished.replies:
            yield finished
            return
        first_attempts = all(item.task.attempt == 1 for item in finished.items)
        if failure is None or failure.kind == "oom" or not first_attempts:
            self._trusted = failure is None
            if self._trusted:
                yield from self.rest()
            yield finished
            return
        self._held.append(finished)
        causes = {type(held.failure.cause) for held in self._held if held.failure is not None}
        if len(causes) > 1:
            self._trusted = True
            yield from self.rest()
        elif len(self._held) >= N_FIRST_FAILURES:
            ids = [item.task.example.id for held in self._held for item in held.items]
            raise ModelError(
                f"the first {len(ids)} requests failed in the same way before any reply came, so "
                f"the model is taken for broken; none of them was stored: {ids[:_N_SHOWN]}: "
                f"{failure.text}"
            ) from failure.cause


def _check_count(requests: Sequence[Request], replies: Sequence[Reply]) -> None:
    if len(replies) != len(requests):
        raise ModelError(
            f"expected one reply per request, found {len(replies)} replies to "
            f"{len(requests)} requests, first {requests[0].example.id!r}"
        )


__all__ = ["Failure", "Finished", "Ladder"]
