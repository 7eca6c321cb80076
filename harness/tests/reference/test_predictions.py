"""ScienceQA's published answers through a study, out as prediction files, and scored again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.predictions.__main__ import main

pytestmark = pytest.mark.reference

ROOT = Path(__file__).parents[3]
STUDY = ROOT / "evals/studies/scienceqa.toml"
N, N_IMAGE, N_TEXT = 4241, 2017, 2224
# Right by the published rule, and by this package's reader. Of GPT-3's published 3,188, 127 are
# random draws for 249 outputs that the rule could not read: 3,188 - 127 = 3,061.
RIGHT = {
    "llava-v1.5-13b": (3155, 3155),
    "llava-13b-v0": (3855, 3855),
    "llava-13b-lcs558k": (3863, 3864),
    "gpt3-qcm-ale": (3061, 3066),
}
PUBLISHED = {"llava-v1.5-13b": 3155, "llava-13b-v0": 3855, "llava-13b-lcs558k": 3863}
UNREAD = {"llava-v1.5-13b": 38, "gpt3-qcm-ale": 249}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole study's report and runs."""
    assert os.environ.get("HARNESS_DATA"), (
        "HARNESS_DATA: expected the folder of real data, found it unset; the reference tier is "
        "for machines that have it"
    )
    found = tmp_path_factory.mktemp("scienceqa")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-m", "full", "--color=no", "-q"),
            *(f"--study={STUDY}", f"--reports={found}/reports", f"--runs={found}/runs"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.rstrip().endswith("\nGO")
    return found


def test_the_published_figures_come_out_of_the_study(folder: Path) -> None:
    metrics = json.loads((folder / "reports/latest/metrics.json").read_text(encoding="utf-8"))
    cells = {cell["model"]: cell for cell in metrics["cells"]}
    assert {name: cell["n_correct"] for name, cell in cells.items()} == {
        name: ours for name, (_, ours) in RIGHT.items()
    }
    assert all(cell["n"] == N and cell["claim_level"] == "L2" for cell in cells.values())
    slices = cells["llava-v1.5-13b"]["metrics"]
    assert round(slices["accuracy[image]"] * N_IMAGE) == 1445
    assert round(slices["accuracy[text]"] * N_TEXT) == 1710
    assert [round(100 * slices[f"accuracy[{tag}]"], 2) for tag in ("image", "text")] == [
        71.64,
        76.89,
    ]


@pytest.mark.parametrize("model", RIGHT)
def test_exported_files_score_as_published(folder: Path, model: str, tmp_path: Path) -> None:
    path, out = tmp_path / "p.jsonl", tmp_path / "s.json"
    command = ["export", str(folder / "runs"), "--out", str(path), "--study", str(STUDY)]
    assert main([*command, "--model", model]) == 0
    found = _scored(path, out, "scienceqa_official")
    stated = json.loads(
        (Path(os.environ["HARNESS_DATA"]) / "scienceqa/published_accuracy.json").read_bytes()
    )
    by_rule, ours = RIGHT[model]
    assert _right(found, "scienceqa_official of raw_prediction") == by_rule
    assert _right(found, "scienceqa_official of prediction") == ours
    assert _right(found, "protocol of prediction") == ours
    if model in UNREAD:
        rate = _metric(found, "scienceqa_official of raw_prediction", "parse_rate")["value"]
        assert N - round(rate * N) == UNREAD[model]
    if model in PUBLISHED:
        assert PUBLISHED[model] == by_rule in {entry["correct"] for entry in stated.values()}
    image = _metric(found, "protocol of raw_prediction", "accuracy[image]")
    assert image["n"] == N_IMAGE and image["low"] < image["value"] < image["high"]


def _scored(path: Path, out: Path, policy: str) -> dict[str, Any]:
    command = ["score", str(path), "--study", str(STUDY), "--data", "scienceqa"]
    assert main([*command, "--policy", policy, "--json", str(out)]) == 0
    return dict(json.loads(out.read_bytes()))


def _metric(found: dict[str, Any], reading: str, name: str) -> dict[str, Any]:
    return dict(found["scorers"][reading]["by_seed"][0][name])


def _right(found: dict[str, Any], reading: str) -> int:
    metric = _metric(found, reading, "accuracy")
    accuracy: float = metric["value"]
    n: int = metric["n"]
    return round(accuracy * n)
