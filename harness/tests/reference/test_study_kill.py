"""The whole robustness study, small: killed five times, it ends as if it had never been.

The experiments, models and limits are those of the mini study; its questions are 40 of 942, 15 of
them for development. Moments are drawn from a fixed seed. A few minutes on two cores.
"""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from harness import ids
from harness.data.load import load_dataset
from harness.plugin.properties import MEASURED

ROOT = Path(__file__).parents[3]
_SEED = 20260723
_N_PER_CATEGORY = 8
_N_DESIGN = 15
_FOLDERS = ("evals/robustness", "evals/selective", "evals/signals")
_WORKERS = ("2", "0", "3", "1", "2")
_TIMEOUT_S = 1200


@pytest.mark.reference
def test_a_study_killed_five_times_ends_as_one_that_was_not(tmp_path: Path) -> None:
    study = small_study(tmp_path)
    done = start(study, tmp_path / "whole", "2")
    assert done.wait(_TIMEOUT_S) in (0, 1)
    whole, tables = judged(tmp_path / "whole"), files(tmp_path / "whole")
    assert len(tables) > 40
    n_records = stored(tmp_path / "whole")
    assert n_records > 1500

    killed = tmp_path / "killed"
    for workers, share, delay_s in zip(_WORKERS, *moments(), strict=True):
        kill(start(study, killed, workers), killed, int(share * n_records), delay_s)
    assert not (killed / "latest").exists()
    assert start(study, killed, "2").wait(_TIMEOUT_S) == done.returncode
    assert judged(killed) == whole
    assert files(killed) == tables
    for told in (seconds(tmp_path / "whole"), seconds(killed)):
        assert len(told) == 3 + 5 + 12 + 94
        assert min(told) > 0
    assert stored(killed) == n_records


def small_study(folder: Path) -> Path:
    """The mini study's text without its two other experiments, on some of its questions."""
    mini = (ROOT / "evals/studies/mini.toml").read_text(encoding="utf-8")
    for name in ("visual-shapes", "digits-qa"):
        mini = re.sub(rf"\[experiments\.{name}\]\n(?:.+\n)+", "", mini)
    questions = load_dataset("mini-r1", name="mini-r1", split="test", path=None, options={})
    drawn = sorted(questions.examples, key=lambda e: ids.seed(_SEED, "small study", e.id))
    kept = [
        {"id": e.id}
        for category in sorted({e.group for e in drawn})
        for e in [e for e in drawn if e.group == category][:_N_PER_CATEGORY]
    ]
    (folder / "ids.json").write_text(json.dumps(kept), encoding="utf-8")
    listed = 'reader = "mini-r1"\nids = { path = "ids.json" }\n'
    mini = mini.replace('reader = "mini-r1"\n', listed).replace("n = 300", f"n = {_N_DESIGN}")
    mini = mini.replace("../../fixtures", str(ROOT / "fixtures"))
    path = folder / "mini.toml"
    path.write_text(mini.replace("batch_invariance_n = 16", "batch_invariance_n = 8"), "utf-8")
    return path


def moments() -> tuple[list[float], list[float]]:
    """Shares of the records, rising, at which to kill, and seconds to wait from there on.

    All but the last are drawn; there the gates are being judged, which generate the last records.
    """
    shares, delays_s = (
        [ids.seed(_SEED, what, i) % 1000 / 1000 for i in range(len(_WORKERS))]
        for what in ("share", "delay")
    )
    return [*sorted(shares[:-1]), 0.97], delays_s


def start(study: Path, reports: Path, workers: str) -> subprocess.Popen[bytes]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "pytest", "-m", "full", "-q", "-n", workers),
            *(f"--study={study}", f"--reports={reports}", "--device=cpu", *_FOLDERS),
        ],
        cwd=ROOT,
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def kill(process: subprocess.Popen[bytes], reports: Path, n_records: int, delay_s: float) -> None:
    """SIGKILL a run and its workers some time after so many records are stored."""
    deadline = time.monotonic() + _TIMEOUT_S
    while stored(reports) < n_records and time.monotonic() < deadline:
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.1)
    time.sleep(delay_s)
    os.killpg(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


def stored(reports: Path) -> int:
    paths = (reports / "runs").glob("*/responses/*.jsonl")
    return sum(path.read_bytes().count(b"\n") for path in paths)


def files(reports: Path) -> dict[str, bytes]:
    """Every table and figure of the latest report that has to be equal, as bytes."""
    folder = reports / "latest/tables"
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.parent.name != MEASURED
    }


def seconds(reports: Path) -> list[float]:
    """The times for one response that the latest report tells, at least one for each cell."""
    folder = reports / "latest/tables/full" / MEASURED
    columns = {
        "reproduction_models": "latency_seconds_mean",
        "inference_cost_summary": "sum_recorded_latency_seconds",
        "multiview_budgeted_summary": "mean_latency_seconds",
        "generation_cost": "seconds_per_response",
    }
    return [
        float(row[column])
        for name, column in columns.items()
        for row in csv.DictReader((folder / f"{name}.csv").read_text("utf-8").splitlines())
    ]


def judged(reports: Path) -> dict[str, Any]:
    """What the latest report says: verdict, gates with all facts, and each cell's records."""
    metrics = json.loads((reports / "latest/metrics.json").read_text(encoding="utf-8"))
    cells = {c["id"]: (c["records_sha256"], c["outcomes"], c["metrics"]) for c in metrics["cells"]}
    return {"verdict": metrics["verdict"], "gates": metrics["gates"], "cells": cells}
