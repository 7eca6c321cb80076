"""An experiment that is `after` another makes nothing before that one's gates are GO."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from harness.errors import NoGo, StoreError
from harness.plugin.audits import Locks
from harness.tests.gates.made_cells import CELL, result
from harness.tests.plugin.project import _ROOT, STUDY, Project
from harness.types import Cell, CellResult, Gate, Issue, Tier, Verdict

_EFFICACY = """
from harness import grid, standard_gates

def cells(study):
    return grid(study, views=("blank",))

def gates(study):
    return standard_gates(study, cells(study))

def test_cell(cell, run):
    run(cell)

def test_gate(gate, judge):
    judge(gate)
"""
_PILOT = """
from harness import grid, standard_gates

def cells(study):
    return grid(study, views=("clean",))

def gates(study):
    return [g for g in standard_gates(study, cells(study)) if g.name == "parseability"]

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
after = ["pilot"]
[models.good""",
)
# Pulls the efficacy run's cells from a file of another experiment.
_TABLES = """
from harness import grid, standard_gates

def cells(study):
    return grid(study, views=("clean",))

def gates(study):
    efficacy = study.at(study.tier, "efficacy")
    return standard_gates(efficacy, grid(efficacy, views=("blank",)))

def test_gate(gate, judge):
    judge(gate)
"""
FILES = ("evals/test_efficacy.py", "evals/test_pilot.py")


def formal(project: Project, study: str) -> None:
    project.study(study)
    for path, text in zip(FILES, (_EFFICACY, _PILOT), strict=True):
        project.write(path, text)


def test_a_formal_run_is_refused_with_every_reason(project: Project) -> None:
    formal(project, _STUDY.replace('"gold"', '"unparsable"'))
    found = project.run("-m", "canary", "-k", "efficacy and (test_cell or complete)", *FILES)
    assert found.ret == 1
    said = "\n".join(found.outlines)
    assert "efficacy: NO-GO, 1 issue(s)" in said
    assert "[parse_rate] canary:parseability/pilot/visual-shapes/good/clean/word" in said
    # The pilot's cell was made and no other, neither for a cell nor for a gate.
    assert len(project.records()) == 1
    assert project.n_records() == 24


def test_a_formal_run_starts_after_go(project: Project) -> None:
    formal(project, _STUDY)
    found = project.run("-m", "canary", "-k", "efficacy and (test_cell or completeness)", *FILES)
    assert found.ret == 0
    assert len(project.records()) == 2


def test_a_lock_holds_where_its_files_are_not_collected(project: Project) -> None:
    formal(project, _STUDY)
    project.write("evals/test_visual_shapes.py", _TABLES)
    found = project.run("-m", "canary", "-k", "completeness", "evals/test_visual_shapes.py")
    assert found.ret == 1
    said = "\n".join(found.outlines)
    assert "[audit_not_collected] pilot: expected the gates of experiment pilot" in said
    assert not project.records()


def test_the_documented_lock_is_collected_as_printed(project: Project) -> None:
    text = (_ROOT / "docs/audits.md").read_text(encoding="utf-8")
    table, code = (re.findall(rf"```{k}\n(.*?)```", text, re.DOTALL)[0] for k in ("toml", "python"))
    mini = (_ROOT / "evals/studies/mini.toml").read_text(encoding="utf-8")
    of_mini = re.compile(r"\[experiments\.signal-pilot\].*?(?=\n\[)", re.DOTALL)
    project.study(of_mini.sub(lambda _: table, mini))
    pilot = (_ROOT / "evals/signals/test_signal_pilot.py").read_text(encoding="utf-8")
    project.write("evals/test_signal_pilot.py", pilot)
    project.write("evals/test_formal_efficacy.py", code)
    found = project.run("-m", "full", "--collect-only", "-q", "-k", "signal_pilot or formal")
    assert found.ret == 0
    said = "\n".join(found.outlines)
    assert "full:formal-efficacy/mini-r1-642/r1-rl/downsample_25" in said
    assert "full:audit-signals/signal-pilot" in said


def test_a_lock_in_the_experiment_file_is_told_where_it_belongs(project: Project) -> None:
    formal(project, _STUDY)
    project.write(FILES[0], _EFFICACY + "\ndef audits(study):\n    return []\n")
    found = project.run("-m", "canary", "--collect-only", *FILES)
    assert found.ret == 2
    assert '[experiments.efficacy] after = ["PILOT"], found a function' in "\n".join(found.outlines)


def test_two_files_that_report_one_id_are_refused_by_name(project: Project) -> None:
    project.study(_STUDY)
    gates = "study.at(study.tier, 'pilot'), grid(study.at(study.tier, 'pilot'), views=('clean',))"
    project.write("evals/test_pilot.py", _PILOT)
    project.write("evals/test_efficacy.py", _EFFICACY.replace("study, cells(study)", gates))
    found = project.run("-m", "canary", "--collect-only", *FILES)
    assert found.ret == 2
    said = "\n".join(found.outlines)
    assert "expected unique ids over all files, found gate 'canary:parseability/pilot" in said
    assert all(f"{path}::test_gate" in said for path in FILES)


def gate(cell: Cell, *codes: str) -> Gate:
    verdict = Verdict(gate="g", issues=tuple(Issue(code, "", "x") for code in codes))
    return Gate(name="g", subject="s", tier="canary", cells=(cell,), judge=lambda _: verdict)


PILOT = Cell(**{n: getattr(CELL, n) for n in CELL.__slots__} | {"experiment": "pilot"})
FORMAL: tuple[Tier, str] = ("canary", "e")


def counting() -> tuple[list[str], Callable[[Cell], CellResult]]:
    pulled: list[str] = []

    def run(cell: Cell) -> CellResult:
        pulled.append(cell.id)
        return result(["yes"], cell=cell)

    return pulled, run


def test_an_audit_is_judged_once_per_process() -> None:
    pulled, run = counting()
    locks = Locks({FORMAL: {"pilot": {"a": gate(PILOT), "b": gate(PILOT, "low")}}})
    for _ in range(3):
        with pytest.raises(NoGo, match="low"):
            locks.require(CELL, run)
    assert pulled == [PILOT.id] * 2
    locks.require(PILOT, run)
    assert pulled == [PILOT.id] * 2


def test_no_audit_and_a_circular_one_are_no_go() -> None:
    _, run = counting()
    with pytest.raises(NoGo, match="no_audit"):
        Locks({FORMAL: {}}).require(CELL, run)
    locks = Locks({FORMAL: {"e": {"a": gate(CELL)}}})

    def nested(cell: Cell) -> CellResult:
        locks.require(cell, nested)
        return run(cell)

    for _ in range(2):
        with pytest.raises(NoGo, match="circular_audit"):
            locks.require(CELL, nested)


def test_an_audit_that_was_not_collected_is_no_go_and_pulls_nothing() -> None:
    pulled, run = counting()
    locks = Locks({FORMAL: {"other": {"a": gate(PILOT)}, "pilot": None}})
    with pytest.raises(NoGo, match="audit_not_collected"):
        locks.require(CELL, run)
    assert pulled == []


def test_what_could_not_be_judged_stays_closed_and_is_judged_anew() -> None:
    pulled, run = counting()
    locks = Locks({FORMAL: {"pilot": {"a": gate(PILOT)}}})

    def broken(_: Cell) -> CellResult:
        raise StoreError("damaged")

    for _ in range(2):
        with pytest.raises(StoreError, match="damaged"):
            locks.require(CELL, broken)
    locks.require(CELL, run)
    assert pulled == [PILOT.id]
