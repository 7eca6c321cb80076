"""Real input through the whole path: official POPE files, LLaVA-1.5-13B's published answers.

The expected counts are those of the published answers; the F1 figures are the paper's.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PUBLISHED = {
    "pope-random": ((1182, 31, 1379, 318), 87.14, 2910),
    "pope-popular": ((1182, 59, 1441, 318), 86.25, 3000),
    "pope-adversarial": ((1182, 117, 1383, 318), 84.46, 3000),
}


def run(study: Path, reports: Path) -> tuple[subprocess.CompletedProcess[str], dict[str, object]]:
    assert os.environ.get("HARNESS_DATA"), (
        "HARNESS_DATA: expected the folder of real data, found it unset; the reference tier is "
        "for machines that have it"
    )
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-m", "full", "--color=no", "-q"),
            *(f"--study={study}", f"--reports={reports}"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    metrics = json.loads((reports / "latest/metrics.json").read_text(encoding="utf-8"))
    return done, metrics


@pytest.mark.reference
def test_the_published_figures_come_out(tmp_path: Path) -> None:
    done, metrics = run(ROOT / "evals/studies/pope.toml", tmp_path)
    assert done.returncode == 0, done.stdout
    assert done.stdout.rstrip().endswith("\nGO")
    cells = {c["data"]: c for c in metrics["cells"]}  # type: ignore[attr-defined]
    for name, (counts, f1, n) in PUBLISHED.items():
        got = cells[name]["metrics"]
        assert tuple(got[k] for k in ("tp", "fp", "tn", "fn")) == counts
        assert round(100 * got["f1"], 2) == f1
        assert cells[name]["n"] == n


@pytest.mark.reference
def test_another_figure_is_no_go(tmp_path: Path) -> None:
    text = (ROOT / "evals/studies/pope.toml").read_text(encoding="utf-8")
    study = tmp_path / "pope.toml"
    study.write_text(text.replace("fp = 117", "fp = 116"), encoding="utf-8")
    done, _ = run(study, tmp_path)
    assert done.returncode == 1
    assert "published/pope/pope-adversarial" in done.stdout.rpartition("NO-GO")[2]
