"""The studies of drift and saturation through the whole path, with baselines and small models."""

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.reference
ROOT = Path(__file__).parents[3]


def tables(study: str, folder: str, reports: Path) -> dict[str, list[dict[str, str]]]:
    assert os.environ.get("HARNESS_DATA"), (
        "HARNESS_DATA: expected the folder of real data, found it unset; the reference tier is "
        "for machines that have it"
    )
    command = [sys.executable, "-m", "pytest", "-m", "full", "--color=no", "-q"]
    command += [f"--study=evals/studies/{study}.toml", f"--reports={reports}", f"evals/{folder}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
    found = {}
    for path in (reports / "latest/tables/full").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as lines:
            found[path.stem] = list(csv.DictReader(lines))
    return found


def test_models_that_know_no_language_show_no_drift(tmp_path: Path) -> None:
    rows = tables("drift", "drift", tmp_path)["translation_drift"]
    assert {row["model"] for row in rows} == {"random", "r1-rl"}
    for row in rows:
        assert (row["n"], row["better"]) == ("500", "not told apart")
        assert float(row["low_pp"]) < 0 < float(row["high_pp"])


def test_models_that_know_no_physics_show_a_format_effect_on_the_raw_scale_alone(
    tmp_path: Path,
) -> None:
    rows = tables("saturation", "saturation", tmp_path)["format_by_audit_r1-base"]
    found = {(row["scale"], row["effect"]): row for row in rows}
    assert float(found["raw", "format"]["low_pp"]) > 10
    above = found["above chance", "format"]
    assert float(above["low_pp"]) < 0 < float(above["high_pp"])
    for scale in ("raw", "above chance"):
        row = found[scale, "interaction"]
        assert float(row["low_pp"]) < 0 < float(row["high_pp"])
