"""The study of format × novelty through the whole path, on tiny files in its sets' layouts."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.tests.saturation.gradient_files import RIGHT, STUDY, write_answers, write_sets

pytestmark = pytest.mark.reference
ROOT = Path(__file__).parents[3]
SHIPPED = '[models.r1-base]\nsource = { kind = "local", path = "../../fixtures/micro/r1-base" }\n'


def tables(folder: Path, models: str) -> dict[str, list[dict[str, str]]]:
    text = STUDY.read_text(encoding="utf-8")
    assert SHIPPED in text
    study = folder / "gradient.toml"
    study.write_text(text.replace(SHIPPED, models), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-m", "canary", "--color=no", "-q"]
    command += [f"--study={study}", f"--reports={folder / 'reports'}", "evals/saturation"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "HARNESS_DATA": str(folder)},
    )
    assert done.returncode == 0, done.stdout
    found = {}
    for path in (folder / "reports/latest/tables/canary").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as lines:
            found[path.stem] = list(csv.DictReader(lines))
    return found


def test_stored_answers_show_the_gradient_parts_and_levels(tmp_path: Path) -> None:
    write_sets(tmp_path)
    found = tables(tmp_path, write_answers(tmp_path))
    rows = found["saturation_gradient_stored"]
    assert {row["set"]: int(row["right"]) for row in rows} == RIGHT
    assert [row["step"] for row in rows] == ["start", "format", "neither", "novelty"]
    assert [float(row["step_pp"]) for row in rows[1:]] == pytest.approx([-30.0, 0.0, -20.0])
    assert all(row["step_low_pp"] and row["step_high_pp"] for row in rows[1:])
    parts = found["sub_parts_stored"][0]
    assert (parts["problems_pct"], parts["parts_right"], parts["parts"]) == ("50.0", "13", "20")
    levels = [row["level"] for row in found["accuracy_by_difficulty_physolym_stored"]]
    assert levels == [*map(str, range(1, 10)), "not graded"]


def test_the_shipped_model_runs_on_them(tmp_path: Path) -> None:
    write_sets(tmp_path)
    local = SHIPPED.replace("../../fixtures", str(ROOT / "fixtures"))
    rows = tables(tmp_path, local)["saturation_gradient_r1-base"]
    assert [row["n"] for row in rows] == ["10"] * 4
