"""The studies of drift and saturation through the whole path, with baselines and small models."""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.tests.reference.test_drift import LANGUAGES, knowing, language

pytestmark = pytest.mark.reference
ROOT = Path(__file__).parents[3]


def tables(study: str, folder: str, reports: Path) -> dict[str, list[dict[str, str]]]:
    assert os.environ.get("HARNESS_DATA"), (
        "HARNESS_DATA: expected the folder of real data, found it unset; the reference tier is "
        "for machines that have it"
    )
    command = [sys.executable, "-m", "pytest", "-m", "full", "--color=no", "-q"]
    file = study if study.endswith(".toml") else f"evals/studies/{study}.toml"
    command += [f"--study={file}", f"--reports={reports}", f"evals/{folder}"]
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


def test_stored_answers_on_mgsm_show_the_drift_that_was_planted(tmp_path: Path) -> None:
    text = (ROOT / "evals/studies/mgsm.toml").read_text(encoding="utf-8")
    shipped = text[text.index("[models.r1-rl]") : text.index("[data.mgsm-en]")]
    lines = ["[models.stored.source]", 'kind = "replay"', ""]
    for name in ("en", *LANGUAGES):
        share = {"sw": 0.5, "zh": 0.95}.get(name, 0.8)
        said = [{"id": e.id, "prediction": knowing(e, share, "")} for e in language(name).examples]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in said), encoding="utf-8")
        lines += [f"[models.stored.source.predictions.mgsm-{name}]", f'path = "{path}"', ""]
    study = tmp_path / "mgsm.toml"
    study.write_text(text.replace(shipped, "\n".join(lines) + "\n"), encoding="utf-8")
    rows = tables(str(study), "drift", tmp_path / "reports")["translation_drift"]
    better = {row["translated"]: row["better"] for row in rows}
    assert (better.pop("mgsm-sw"), better.pop("mgsm-zh")) == ("original", "translated")
    assert better == {f"mgsm-{name}": "not told apart" for name in ("de", "es", "fr", "ru")}
    assert {row["n"] for row in rows} == {"250"}


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
