"""An experiment that names audits makes nothing before they are GO."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.errors import NoGo, StoreError
from harness.plugin.audits import Locks
from harness.tests.gates.made_cells import CELL, result
from harness.tests.plugin.project import STUDY, Project
from harness.types import Cell, CellResult, Gate, Issue, Verdict

_EFFICACY = """
from harness import grid, standard_gates

def cells(study):
    return grid(study, views=("blank",))

def gates(study):
    return standard_gates(study, cells(study))

def audits(study):
    pilot = study.at(study.tier, "pilot")
    return [g for g in standard_gates(pilot, grid(pilot, views=("clean",))) if "pars" in g.name]

def test_cell(cell, run):
    run(cell)

def test_gate(gate, judge):
    judge(gate)
"""
_STUDY = STUDY.replace(
    "[models.good",
    """[experiments.pilot]
data = ["visual-shapes"]
prompts = ["word"]
[experiments.efficacy]
data = ["visual-shapes"]
prompts = ["word"]
[models.good""",
)


def test_a_formal_run_is_refused_with_every_reason(project: Project) -> None:
    project.study(_STUDY.replace('"gold"', '"unparsable"'))
    project.write("evals/test_efficacy.py", _EFFICACY)
    found = project.run("-m", "canary", "-k", "test_cell or complete", "evals/test_efficacy.py")
    assert found.ret == 1
    said = "\n".join(found.outlines)
    assert "efficacy: NO-GO, 1 issue(s)" in said
    assert "[parse_rate] canary:parseability/pilot/visual-shapes/good/clean/word" in said
    # The pilot's cell was made and no other, neither for a cell nor for a gate.
    assert len(project.records()) == 1
    assert project.n_records() == 24


def test_a_formal_run_starts_after_go(project: Project) -> None:
    project.study(_STUDY)
    project.write("evals/test_efficacy.py", _EFFICACY)
    found = project.run("-m", "canary", "-k", "test_cell or completeness", "evals/test_efficacy.py")
    assert found.ret == 0
    assert len(project.records()) == 2


def gate(cell: Cell, *codes: str) -> Gate:
    verdict = Verdict(gate="g", issues=tuple(Issue(code, "", "x") for code in codes))
    return Gate(name="g", subject="s", tier="canary", cells=(cell,), judge=lambda _: verdict)


PILOT = Cell(**{n: getattr(CELL, n) for n in CELL.__slots__} | {"experiment": "pilot"})
FORMAL = ("canary", "e")


def counting() -> tuple[list[str], Callable[[Cell], CellResult]]:
    pulled: list[str] = []

    def run(cell: Cell) -> CellResult:
        pulled.append(cell.id)
        return result(["yes"], cell=cell)

    return pulled, run


def test_an_audit_is_judged_once_per_process() -> None:
    pulled, run = counting()
    locks = Locks({FORMAL: (gate(PILOT), gate(PILOT, "low"))})  # type: ignore[dict-item]
    for _ in range(3):
        with pytest.raises(NoGo, match="low"):
            locks.require(CELL, run)
    assert pulled == [PILOT.id] * 2
    locks.require(PILOT, run)
    assert pulled == [PILOT.id] * 2


def test_no_audit_and_a_circular_one_are_no_go() -> None:
    _, run = counting()
    with pytest.raises(NoGo, match="no_audit"):
        Locks({FORMAL: ()}).require(CELL, run)  # type: ignore[dict-item]
    locks = Locks({FORMAL: (gate(CELL),)})  # type: ignore[dict-item]

    def nested(cell: Cell) -> CellResult:
        locks.require(cell, nested)
        return run(cell)

    for _ in range(2):
        with pytest.raises(NoGo, match="circular_audit"):
            locks.require(CELL, nested)


def test_what_could_not_be_judged_stays_closed_and_is_judged_anew() -> None:
    pulled, run = counting()
    locks = Locks({FORMAL: (gate(PILOT),)})  # type: ignore[dict-item]

    def broken(_: Cell) -> CellResult:
        raise StoreError("damaged")

    for _ in range(2):
        with pytest.raises(StoreError, match="damaged"):
            locks.require(CELL, broken)
    locks.require(CELL, run)
    assert pulled == [PILOT.id]
