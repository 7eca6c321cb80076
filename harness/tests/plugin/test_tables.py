"""The tables of a gate leave their worker and become files, and burden no other report."""

from __future__ import annotations

import json

import pytest

from harness.tests.plugin.project import Project

_EXPERIMENT = """
from harness import Gate, Verdict, grid
from harness.table import Table

def cells(study):
    return grid(study, views=("clean",))

def gates(study):
    def judge(results):
        rows = tuple({"id": s.example_id, "right": s.correct} for s in results[0].scores)
        table = Table(name="every_row", columns=("id", "right"), rows=rows, note="of one cell")
        took = results[0].measured.seconds_per_response
        times = Table(name="every_row", columns=("seconds",), rows=({"seconds": took},))
        return Verdict(gate="tables", issues=(), tables=(table,), figures={"one": "<svg/>"},
                       measured=(times,))
    cells_ = tuple(cells(study))
    return [Gate(name="tables", subject="x", tier=study.tier, cells=cells_, judge=judge)]

def test_cell(cell, run):
    run(cell)

def test_gate(gate, judge):
    judge(gate)
"""


@pytest.mark.parametrize("workers", ["0", "2"])
def test_tables_reach_their_files(project: Project, workers: str) -> None:
    project.write("evals/test_visual_shapes.py", _EXPERIMENT)
    assert project.run("-m", "canary", "-n", workers).ret == 0
    folder = project.latest / "tables/canary"
    assert sorted(path.name for path in folder.iterdir()) == [
        "every_row.csv",
        "every_row.json",
        "measured",
        "one.svg",
    ]
    rows = (folder / "every_row.csv").read_text("utf-8").splitlines()
    assert rows[0] == "id,right" and len(rows) == 25
    assert json.loads((folder / "every_row.json").read_text("utf-8"))["note"] == "of one cell"
    before = seconds(project)
    assert project.run("-m", "canary", "-n", "0").ret == 0
    assert seconds(project) == before > 0
    for name in ("junit.xml", "metrics.json", "report.md"):
        assert "of one cell" not in (project.latest / name).read_text("utf-8")


def seconds(project: Project) -> float:
    """What a response took, as the folder of measured tables tells."""
    path = project.latest / "tables/canary/measured/every_row.csv"
    return float(path.read_text("utf-8").splitlines()[1])


def test_two_items_that_write_one_table_are_no_go(project: Project) -> None:
    other = 'Gate(name="again", subject="x", tier=study.tier, cells=cells_, judge=judge)'
    twice = _EXPERIMENT.replace("judge=judge)]", f"judge=judge), {other}]")
    assert twice != _EXPERIMENT
    project.write("evals/test_visual_shapes.py", twice)
    result = project.run("-m", "canary", "-n", "0")
    assert result.ret == 1
    assert "expected one item to write it" in "\n".join(result.outlines)
