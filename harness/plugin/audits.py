"""Audits before a run: an experiment that is `after` others makes no cell until they are GO."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from harness.errors import AssayError
from harness.gates.efficacy import efficacy_lock
from harness.plugin.collect import experiment_name
from harness.plugin.options import SESSION
from harness.types import Cell, CellResult, Gate, Issue, Tier, Verdict

Gates = Mapping[str, Gate] | None
Audits = dict[tuple[Tier, str], dict[str, Gates]]
AUDITS = pytest.StashKey[Audits]()


def pytest_configure(config: pytest.Config) -> None:
    """Lock what the study file locks, whatever is collected afterwards."""
    session = config.stash.get(SESSION, None)
    if session is not None:
        config.stash[AUDITS] = {
            (tier, name): dict.fromkeys(experiment.after)
            for tier in session.tiers
            for name, experiment in session.study.experiments.items()
            if experiment.after
        }


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Remember the gates of an experiment that others wait for, per tier."""
    session = metafunc.config.stash.get(SESSION, None)
    if session is None or not {"cell", "gate"} & set(metafunc.fixturenames):
        return
    experiment = experiment_name(metafunc.module.__name__)
    if callable(getattr(metafunc.module, "audits", None)):
        raise pytest.Collector.CollectError(
            f"experiment {experiment}: expected its lock in the study file, as "
            f'[experiments.{experiment}] after = ["PILOT"], found a function audits(study)'
        )
    make = getattr(metafunc.module, "gates", None)
    if not callable(make):
        return
    for (tier, _), audits in metafunc.config.stash[AUDITS].items():
        if experiment not in audits:
            continue
        try:
            made: list[Any] = list(make(session.study.at(tier, experiment)))
        except AssayError as error:
            raise pytest.Collector.CollectError(str(error)) from None
        audits[experiment] = {**(audits[experiment] or {}), **{gate.id: gate for gate in made}}


class Locks:
    """Which experiments may run; each is judged once per process, when its first cell comes."""

    def __init__(self, audits: Mapping[tuple[Tier, str], Mapping[str, Gates]]) -> None:
        self._audits = audits
        self._verdicts: dict[tuple[Tier, str], Verdict] = {}

    def require(self, cell: Cell, run: Callable[[Cell], CellResult]) -> None:
        """Raise `NoGo` with every issue of every audit, unless all are GO or none is asked for.

        `run` gives the results of an audit's own cells. What cannot be judged is raised as it
        is, and judged anew for the next cell. An audit whose file was not collected is NO-GO.
        """
        name = (cell.tier, cell.experiment)
        if name not in self._audits:
            return
        if name not in self._verdicts:
            # Until it is judged it is closed, also for audits that would pull its own cells.
            message = f"expected audits of other cells than those of {cell.experiment} itself"
            issue = Issue("circular_audit", cell.experiment, message)
            self._verdicts[name] = Verdict(gate="efficacy", issues=(issue,))
            try:
                self._verdicts[name] = efficacy_lock(list(_judged(self._audits[name], run)))
            except BaseException:
                del self._verdicts[name]
                raise
        self._verdicts[name].require()


def _judged(
    audits: Mapping[str, Gates], run: Callable[[Cell], CellResult]
) -> Iterator[tuple[str, Verdict]]:
    absent = [pilot for pilot, gates in audits.items() if not gates]
    for pilot in absent:
        message = (
            f"expected the gates of experiment {pilot} to be collected, found none; name its file "
            "too, or the whole folder of experiments"
        )
        issue = Issue("audit_not_collected", "", message)
        yield pilot, Verdict(gate="efficacy", issues=(issue,))
    if absent:
        return
    for gates in audits.values():
        for gate in (gates or {}).values():
            yield gate.id, gate.judge([run(pulled) for pulled in gate.cells])


__all__ = ["AUDITS", "Audits", "Gates", "Locks"]
