"""Audits before a run: an experiment with `audits(study)` makes no cell until all are GO."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from harness.errors import AssayError
from harness.gates.efficacy import efficacy_lock
from harness.plugin.collect import experiment_name
from harness.plugin.options import SESSION
from harness.types import Cell, CellResult, Gate, Issue, Tier, Verdict

Audits = dict[tuple[Tier, str], tuple[Gate, ...]]
AUDITS = pytest.StashKey[Audits]()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Remember the audits that an experiment file names, per tier."""
    session = metafunc.config.stash.get(SESSION, None)
    make = getattr(metafunc.module, "audits", None)
    if session is None or not callable(make) or not {"cell", "gate"} & set(metafunc.fixturenames):
        return
    experiment = experiment_name(metafunc.module.__name__)
    audits = metafunc.config.stash.setdefault(AUDITS, {})
    for tier in session.tiers:
        if (tier, experiment) in audits:
            continue
        try:
            audits[tier, experiment] = tuple(make(session.study.at(tier, experiment)))
        except AssayError as error:
            raise pytest.Collector.CollectError(str(error)) from None


class Locks:
    """Which experiments may run; each is judged once per process, when its first cell comes."""

    def __init__(self, audits: Mapping[tuple[Tier, str], tuple[Gate, ...]]) -> None:
        self._audits = audits
        self._verdicts: dict[tuple[Tier, str], Verdict] = {}

    def require(self, cell: Cell, run: Callable[[Cell], CellResult]) -> None:
        """Raise `NoGo` with every issue of every audit, unless all are GO or none is asked for.

        `run` gives the results of an audit's own cells. What cannot be judged is raised as it
        is, and judged anew for the next cell.
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
                self._verdicts[name] = efficacy_lock(
                    [
                        (gate.id, gate.judge([run(pulled) for pulled in gate.cells]))
                        for gate in self._audits[name]
                    ]
                )
            except BaseException:
                del self._verdicts[name]
                raise
        self._verdicts[name].require()


__all__ = ["AUDITS", "Audits", "Locks"]
