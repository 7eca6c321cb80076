"""The gradient's study and gates, on tiny files in the layouts of its four sets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.cells import grid
from harness.data.load import load_dataset
from harness.errors import StudyError
from harness.saturation.gradient import Rung, gradient
from harness.saturation.plan import gradient_gates
from harness.stats.proportion import wilson
from harness.study import Study, load_study
from harness.tests.gates.made_cells import result
from harness.tests.saturation.gradient_files import RIGHT, SETS, STUDY, answers, write_sets
from harness.types import Cell, CellResult

NOVEL = dict.fromkeys(SETS, 0.0) | {"physolym": 0.998}


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    write_sets(tmp_path)
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path))
    return load_study(STUDY).at("canary", "gradient")


def answered(study: Study, cell: Cell) -> CellResult:
    entry = study.data[cell.data]
    data = load_dataset(
        entry.reader,
        name=cell.data,
        split=entry.split,
        path=Path(str(entry.path)),
        options=entry.options,
    )
    said = answers(cell.data)
    return result([said[e.id] for e in data.examples], cell=cell, items=data.examples)


def test_the_study_reads_every_layout_and_leaves_its_tables(study: Study) -> None:
    cells = grid(study, views=("clean",))
    (gate,) = gradient_gates(study, cells, list(NOVEL.items()))
    assert gate.name == "gradient"
    verdict = gate.judge([answered(study, cell) for cell in gate.cells])
    assert verdict.go
    tables = {table.name: table.rows for table in verdict.tables}
    rows = tables["saturation_gradient_r1-base"]
    assert {row["set"]: row["right"] for row in rows} == RIGHT
    assert {row["n"] for row in rows} == {10}
    assert [row["step"] for row in rows] == ["start", "format", "neither", "novelty"]
    assert [row["novel_pct"] for row in rows] == [0.0, 0.0, 0.0, 99.8]
    assert [row["headroom_pct"] for row in rows] == pytest.approx([20.0, 50.0, 50.0, 70.0])
    assert rows[0]["above_chance_pct"] == pytest.approx(100 * (0.8 - 0.25) / 0.75)
    assert all(row["low_pct"] < row["accuracy_pct"] < row["high_pct"] for row in rows)  # type: ignore[operator]
    (parts,) = tables["sub_parts_r1-base"]
    assert (parts["set"], parts["problems_right"], parts["parts_right"]) == ("physreason", 5, 13)
    graded = tables["accuracy_by_difficulty_physolym_r1-base"]
    assert [row["level"] for row in graded] == [*map(str, range(1, 10)), "not graded"]
    assert [row["right"] for row in graded] == [1, 1, 1, *[0] * 7]
    assert graded[0]["low_pct"] == pytest.approx(100 * (wilson(1, 1, 0.95).low or 0))
    assert "accuracy_by_difficulty_phyx_r1-base" not in tables
    assert "accuracy_by_difficulty_physreason_r1-base" not in tables


def test_sets_without_cells_are_left_out_and_two_are_needed(study: Study) -> None:
    cells = grid(study, views=("clean",))
    fewer = [cell for cell in cells if cell.data in ("phyx", "physolym")]
    (gate,) = gradient_gates(study, fewer, list(NOVEL.items()))
    table = gate.judge([answered(study, cell) for cell in gate.cells]).tables[0]
    assert [row["step"] for row in table.rows] == ["start", "format and novelty"]
    with pytest.raises(StudyError, match="at least two of phyx, .*, found phyx"):
        gradient_gates(study, fewer[:1], list(NOVEL.items()))
    with pytest.raises(StudyError, match="at a tier"):
        gradient_gates(replace(study, tier=None), cells, list(NOVEL.items()))
    loose = replace(study, thresholds={**study.thresholds, "level": 0.5})
    (gate,) = gradient_gates(loose, fewer, list(NOVEL.items()))
    narrow = gate.judge([answered(study, cell) for cell in gate.cells]).tables[0]
    assert narrow.rows[0]["low_pct"] > table.rows[0]["low_pct"]  # type: ignore[operator]


def test_chance_is_that_of_the_choices() -> None:
    five = Rung(name="a", form="choice", novel=0.0, right=6, n=10, n_choices=5)
    row = gradient([five], 0.95).rows[0]
    assert (row["chance_pct"], row["above_chance_pct"]) == (20.0, pytest.approx(50.0))
