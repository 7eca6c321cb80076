"""The fixtures of an experiment file: `run(cell)` and `judge(gate)`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from harness import ids
from harness.data.load import load_dataset
from harness.errors import AssayError, ModelError
from harness.models.fingerprint import model_fingerprint
from harness.models.load import ModelPool, count_cuda, device_kind
from harness.models.readiness import check_ready
from harness.plugin import devices, preflight, properties, thresholds
from harness.plugin.audits import AUDITS, Audits, Locks
from harness.plugin.options import SESSION, Session, is_worker
from harness.results import table
from harness.run import RunContext, run_cell
from harness.study import DataSpec
from harness.types import Cell, CellResult, Dataset, Example, Gate, ModelSpec, Verdict

_ON_DEVICE = ("local", "hub")
_OF_ONE_SPLIT = ("ids", "subset", "fingerprint", "exclude")
WORKBENCH = pytest.StashKey["Workbench"]()


class Workbench:
    """What one process keeps between items: opened data sets, one model, its device."""

    def __init__(self, session: Session, n_workers: int, audits: Audits) -> None:
        self.session = session
        self._locks = Locks(audits)
        self.dataset: Callable[[str], Dataset] = cache(self._dataset)
        self._n_threads = devices.n_threads(n_workers)
        self._models = ModelPool()
        self._leases = ExitStack()
        self._broken: dict[tuple[str, str], str] = {}
        self._content = ""
        self._fit: Callable[[str, str], Dataset] = cache(self._fit_split)

    def _dataset(self, name: str) -> Dataset:
        return _open(self.session.study.data[name])

    def _fit_split(self, name: str, split: str) -> Dataset:
        spec = self.session.study.data[name]
        # What restricts or pins the one split says nothing of the other.
        own = {k: v for k, v in spec.options.items() if k not in _OF_ONE_SPLIT}
        return load_dataset(spec.reader, name=spec.name, split=split, path=spec.path, options=own)

    def fingerprint(self, spec: ModelSpec, data: str) -> Mapping[str, Any]:
        """What a model is made of; for a fitted baseline, its data too."""
        found = model_fingerprint(spec, data)
        if spec.source["kind"] == "baseline" and spec.source["name"] == "majority":
            found["fit_sha256"] = self._fit(data, spec.source["fit"]).fingerprint
        return found

    def ready(self, spec: ModelSpec, data: str) -> None:
        """Raise what can be known of a model without loading it."""
        check_ready(spec, self.dataset(data), self._fit_of(spec, data))
        self.fingerprint(spec, data)

    def _fit_of(self, spec: ModelSpec, data: str) -> Callable[[], Sequence[Example]]:
        return lambda: self._fit(data, spec.source["fit"]).examples

    @property
    def device(self) -> str:
        if not hasattr(self, "_device"):
            names = devices.wanted(self.session.device, os.environ, count_cuda)
            self._device = self._leases.enter_context(devices.lease(names, os.environ))
        return self._device

    @property
    def device_kind(self) -> str | None:
        """What the leased device is, in words; None before a model was opened."""
        return device_kind(self._device) if hasattr(self, "_device") else None

    def model(self, spec: ModelSpec, data: str) -> Any:
        """The loaded model; one that could not be loaded is not tried again."""
        name = (spec.name, data)
        if name in self._broken:
            raise ModelError(self._broken[name])
        content = ids.digest(self.fingerprint(spec, data))
        if content != self._content:
            # Files that changed under an open model must not answer under their new key.
            self._models.close()
            self._content = content
        try:
            return self._models.get(
                spec,
                self.dataset(data),
                device=self.device if spec.source["kind"] in _ON_DEVICE else "cpu",
                n_threads=self._n_threads,
                fit=self._fit_of(spec, data),
            )
        except ModelError as error:
            self._broken[name] = str(error)
            raise

    def run(self, cell: Cell, *, retry_failed: bool) -> CellResult:
        """`run_cell`, with the device leased before the cell is locked.

        A worker that waited for a device while it held a cell could wait for one that waits
        for that cell. A cell of an experiment that is `after` others is refused until those are GO.
        """
        self._locks.require(cell, lambda pulled: self.run(pulled, retry_failed=False))
        if cell.model.source["kind"] in _ON_DEVICE and self.session.allow_generate:
            _ = self.device
        return run_cell(cell, self.context(), retry_failed=retry_failed)

    def context(self) -> RunContext:
        study = self.session.study
        return RunContext(
            runs=self.session.runs,
            run_id=self.session.run_id,
            device=self.session.device,
            n_threads=self._n_threads,
            allow_generate=self.session.allow_generate,
            hang_timeout_s=study.hang_timeout_s,
            max_attempts=study.max_attempts,
            dataset=self.dataset,
            fingerprint=self.fingerprint,
            model=self.model,
        )

    def close(self) -> None:
        self._models.close()
        self._leases.close()


def _open(spec: DataSpec) -> Dataset:
    return load_dataset(
        spec.reader, name=spec.name, split=spec.split, path=spec.path, options=spec.options
    )


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Check on the controller, before any worker starts and any model is loaded."""
    run = session.config.stash.get(SESSION, None)
    if run is None:
        return
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    bench = session.config.stash[WORKBENCH] = Workbench(
        run, workers, session.config.stash.setdefault(AUDITS, {})
    )
    if is_worker(session.config) or session.config.option.collectonly:
        return
    try:
        if run.device != "auto":
            devices.wanted(run.device, os.environ, count_cuda)
        preflight.check(run, bench.dataset, bench.ready)
        questions = thresholds.asked(run.study, bench.dataset, bench.fingerprint)
        if run.allow_generate:
            thresholds.freeze(run.study, run.runs, questions)
        first = thresholds.first(run.study, run.runs, questions)
    except AssayError as error:
        raise pytest.UsageError(str(error)) from None
    run = replace(run, study=replace(run.study, thresholds_first=first))
    session.config.stash[SESSION] = bench.session = run


@pytest.fixture(scope="session")
def workbench(request: pytest.FixtureRequest) -> Iterator[Workbench]:
    bench = request.config.stash[WORKBENCH]
    yield bench
    bench.close()


@pytest.fixture
def run(request: pytest.FixtureRequest, workbench: Workbench) -> Callable[[Cell], CellResult]:
    """Generate what is missing of a cell, score it, and report its facts.

    Where the study or the experiment says `golden = true`, the aggregate row must equal its
    golden file.
    """

    study = workbench.session.study

    def call(cell: Cell) -> CellResult:
        result = workbench.run(cell, retry_failed=True)
        level = workbench.dataset(cell.data).claim_level
        properties.add_result(request.node, result, level, workbench.device_kind)
        if study.experiments[cell.experiment].golden and cell.shard is None:
            compare = request.getfixturevalue("golden")
            name = cell.id.replace(":", "/", 1)
            compare(f"cells/{study.name}/{name}", table(result))
        return result

    return call


@pytest.fixture
def judge(request: pytest.FixtureRequest, workbench: Workbench) -> Callable[[Gate], Verdict]:
    """Pull the cells of a gate, judge them, report the verdict, and fail on NO-GO."""

    def call(gate: Gate) -> Verdict:
        # A variant has no item of its own, so nobody else tries its failures again.
        results = [workbench.run(cell, retry_failed=bool(cell.variant)) for cell in gate.cells]
        verdict = gate.judge(results)
        properties.add_verdict(request.node, verdict)
        return verdict.require()

    return call
