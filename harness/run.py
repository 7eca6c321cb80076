"""One cell from its data set to its scores: the function that every run goes through."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.batches import N_FIRST_FAILURES
from harness.errors import DataError, MissingResponses, StoreError
from harness.generation import Generated, generate
from harness.identity import cell_identity, cell_key
from harness.isolation import preserved
from harness.models.base import Generator
from harness.records import FAILED
from harness.requests import tasks_of
from harness.results import cell_metrics
from harness.sample import SWAPPED, select, shown
from harness.scoring import gold_fault, score
from harness.store import CellStore
from harness.types import OUTCOMES, Cell, CellResult, Dataset, Example, ModelSpec

_N_SHOWN = 5
Slot = tuple[str, int]


@dataclass(kw_only=True)
class RunContext:
    """What a run needs from outside, the same for all of its cells.

    Attributes
    ----------
    runs : the folder of the stored cells.
    run_id : one name per run, shared by all its workers.
    device, n_threads : where models run; the threads also decode pictures ahead.
    allow_generate : False to read only, which neither generates, seals nor retries.
    hang_timeout_s : seconds that one batch may take.
    max_attempts : attempts at an example that fails, over all runs.
    dataset : a data set by the study's name for it, cached by the caller.
    fingerprint : of a model's content, without loading it.
    model : a loaded model, pooled by the caller.
    progress : called with (done, wanted) after every batch.
    """

    runs: Path
    run_id: str
    device: str
    n_threads: int
    allow_generate: bool
    hang_timeout_s: float
    max_attempts: int
    dataset: Callable[[str], Dataset]
    fingerprint: Callable[[ModelSpec, str], Mapping[str, Any]]
    model: Callable[[ModelSpec, str], Generator]
    progress: Callable[[int, int], None] | None = None


@dataclass(frozen=True, kw_only=True)
class _Work:
    """A cell whose store is open: what is asked for, and where it is kept."""

    cell: Cell
    context: RunContext
    dataset: Dataset
    examples: tuple[Example, ...]
    identity: Mapping[str, Any]
    key: str
    store: CellStore
    retry_failed: bool

    @property
    def slots(self) -> list[Slot]:
        return [(e.id, r) for e in self.examples for r in range(self.cell.replicates)]

    @property
    def any_answer(self) -> bool:
        stored = (self.store.effective(slot) for slot in self.slots)
        return any(r is not None and r.status not in FAILED for r in stored)


def run_cell(cell: Cell, context: RunContext, *, retry_failed: bool = True) -> CellResult:
    """Read what is stored of a cell, generate the rest, seal it and score it.

    Parameters
    ----------
    cell : a shard item generates and returns its own examples alone, and does not seal.
    context : stores, models and limits.
    retry_failed : try stored failures again, in so far as attempts are left and this run has
        not tried them yet.

    Returns
    -------
    CellResult
        Responses and scores in the order of the examples, replicates next to each other. A
        shard without examples gives an empty result.

    Raises
    ------
    MissingResponses
        When responses are missing and generating is not allowed.
    DataError
        When the data set is empty, has duplicate ids, or a gold that does not match itself.
    StoreError
        When the stored cell is damaged, of another configuration, or cannot be written.
    ModelError
        When the model is not on this machine or fails from the start.
    """
    start_s = time.monotonic()
    work = _opened(cell, context, retry_failed)
    generated = Generated()
    if not context.allow_generate:
        _refuse_missing(work)
    elif _attempts(work) or not (cell.shard or work.store.sealed):
        with work.store.generating(cell.shard):
            work.store.refuse_foreign({e.id for e in work.dataset.examples})
            # Another worker may have finished some of it while this one waited.
            if attempts := _attempts(work):
                generated = _generate(work, attempts)
            if not cell.shard and not work.store.sealed:
                work.store.seal()
    generated.timing_s["total"] = time.monotonic() - start_s
    return _result(work, generated)


def _opened(cell: Cell, context: RunContext, retry_failed: bool) -> _Work:
    dataset = context.dataset(cell.data)
    if cell.variant == SWAPPED:
        dataset = replace(dataset, examples=tuple(shown(cell, e) for e in dataset.examples))
    ids = Counter(e.id for e in dataset.examples)
    twice = sorted(i for i, n in ids.items() if n > 1)
    if not ids or twice:
        raise DataError(
            f"{dataset.name}/{dataset.split}: expected examples with unique ids, found "
            f"{len(dataset.examples)} with {len(twice)} id(s) twice, first {twice[:_N_SHOWN]}"
        )
    examples = select(dataset.examples, cell.n, cell.base_seed)
    if cell.shard is not None:
        index, count = cell.shard
        examples = examples[index::count]
    elif not examples:
        raise DataError(f"{cell.id}: expected at least one example, found none (n = {cell.n})")
    _prove_scorer(examples)
    identity = cell_identity(cell, dataset, context.fingerprint(cell.model, cell.data))
    key = cell_key(identity)
    store = CellStore(context.runs, key, identity)
    store.refuse_foreign(ids)
    return _Work(
        cell=cell,
        context=context,
        dataset=dataset,
        examples=examples,
        identity=identity,
        key=key,
        store=store,
        retry_failed=retry_failed,
    )


def _prove_scorer(examples: Sequence[Example]) -> None:
    """Hold every gold against itself before any model is loaded."""
    for example in examples:
        if fault := gold_fault(example):
            raise DataError(
                f"example {example.id!r} ({example.kind}): {fault}; mend the gold or the scorer "
                "before generating"
            )


def _refuse_missing(work: _Work) -> None:
    missing = [slot for slot in work.slots if work.store.effective(slot) is None]
    if missing:
        raise MissingResponses(
            f"{work.cell.id}: expected {len(work.slots)} stored responses, {len(missing)} missing "
            f"in {work.key}, first {[example_id for example_id, _ in missing[:_N_SHOWN]]}; run "
            "again with generation allowed"
        )


def _attempts(work: _Work) -> dict[Slot, int]:
    """The attempts to make: 1 for what is missing, the next number for what may be retried."""
    stored = {slot: work.store.effective(slot) for slot in work.slots}
    attempts = {slot: 1 for slot, response in stored.items() if response is None}
    failed = {
        slot: response.attempt
        for slot, response in stored.items()
        if response is not None
        and response.status in FAILED
        and response.attempt < work.context.max_attempts
    }
    if work.retry_failed and failed:
        tried = work.store.tried(work.context.run_id)
        attempts |= {s: n + 1 for s, n in failed.items() if (*s, n) not in tried}
    return attempts


def _generate(work: _Work, attempts: Mapping[Slot, int]) -> Generated:
    cell, context = work.cell, work.context
    tasks = tasks_of(cell, work.dataset, work.identity, work.key, attempts)
    n_fresh = sum(attempt == 1 for attempt in attempts.values())
    start_s = time.monotonic()
    with preserved():
        model = context.model(cell.model, cell.data)
        load_s = time.monotonic() - start_s
        with work.store.writing() as writer:
            generated = generate(
                model,
                tasks,
                cell=cell,
                dataset=work.dataset,
                run_id=context.run_id,
                hang_timeout_s=context.hang_timeout_s,
                n_threads=context.n_threads,
                # A few leftovers of a model that has answered before are their own fault.
                trusted=n_fresh <= N_FIRST_FAILURES and work.any_answer,
                writer=writer,
                progress=context.progress,
            )
    generated.timing_s["load"] = load_s
    return generated


def _result(work: _Work, generated: Generated) -> CellResult:
    pairs = [
        (example, response)
        for example in work.examples
        for replicate in range(work.cell.replicates)
        if (response := work.store.effective((example.id, replicate))) is not None
    ]
    if len(pairs) != len(work.slots):
        raise StoreError(
            f"{work.cell.id}: expected {len(work.slots)} responses after generating, found "
            f"{len(pairs)} in {work.key}: was the folder changed from outside?"
        )
    scores = [score(example, response) for example, response in pairs]
    counts = Counter(s.outcome for s in scores)
    return CellResult(
        cell=work.cell,
        key=work.key,
        identity=work.identity,
        examples=work.examples,
        n_data=len(work.dataset.examples),
        responses=tuple(response for _, response in pairs),
        scores=tuple(scores),
        counts={outcome: counts[outcome] for outcome in OUTCOMES},
        metrics=cell_metrics([e for e, _ in pairs], scores) if scores else {},
        records_sha256=work.store.records_sha256(work.slots),
        n_generated=generated.n,
        batch_size=generated.batch_size,
        timing_s=generated.timing_s,
        peak_memory_gib=generated.peak_memory_gib,
        measured=work.store.spent(work.slots),
    )


__all__ = ["RunContext", "run_cell"]
