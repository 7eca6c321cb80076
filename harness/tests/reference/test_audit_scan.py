"""A scan of 2,000 rows against 500 items, made and real, by every way: the same, and exact."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.contamination.plan import AuditPlan
from harness.contamination.scan import Scan, read_scan
from harness.contamination.scanning import scan_file
from harness.contamination.shards import merge_scans
from harness.contamination.sources import Source
from harness.embedding.base import has_text
from harness.embedding.hashing import Hashing
from harness.tests.audit.reference import every_pair, found, made_texts
from harness.tests.reference.published import data

pytestmark = pytest.mark.reference


def real_texts() -> tuple[list[str], dict[str, list[str]]]:
    """GSM8K: 1,750 rows of train and 250 rephrased test items against 500 of the test set."""
    with gzip.open(data("gsm8k/train.jsonl.gz"), "rt", encoding="utf-8") as handle:
        train = [json.loads(line)["question"] for line in handle][:1750]
    lines = data("contamination/gsm8k_test_vs_rephrase_pairs.jsonl").read_text("utf-8")
    pairs = [json.loads(line) for line in lines.splitlines()][:500]
    sets = {
        "a": [one["original"] for one in pairs[:200]],
        "b": [p["original"] for p in pairs[200:]],
    }
    return train + [one["rephrase"] for one in pairs[::2]], sets


def source(path: Path, texts: Sequence[str]) -> Source:
    path.write_text("".join(json.dumps({"problem": text}) + "\n" for text in texts))
    return Source(str(path))


def shown(scan: Scan) -> str:
    return json.dumps(scan.to_json(), sort_keys=True)


@pytest.mark.parametrize("kind", ["made", "real"])
def test_every_way_gives_the_same_scan(kind: str, tmp_path: Path) -> None:
    train, sets = made_texts(2000, 500, "ways") if kind == "made" else real_texts()
    sets = {name: texts for name, texts in sets.items() if texts}
    evals = tuple((name, source(tmp_path / f"{name}.jsonl", sets[name])) for name in sets)
    plan = AuditPlan(source(tmp_path / "t.jsonl", train), evals, embedder="hashing", k=3)
    whole = scan_file(plan, engine="numpy")
    assert found(whole.findings) == every_pair(train, sets, plan.words)
    assert {c.key for c in whole.candidates if 2 in c.stages} == nearest(train, sets, 3)
    kept: dict[str, Any] = {"cache": tmp_path / "vectors", "work": tmp_path / "work"}
    for way in ({"engine": "numba"}, {"n_processes": 2, **kept}, {"engine": "numpy", **kept}):
        assert shown(scan_file(plan, **way)) == shown(whole), way
    for n in (2, 3, 7):
        parts = [scan_file(plan, shard=(i, n), cache=kept["cache"]) for i in range(n, 0, -1)]
        merged = merge_scans(merge_scans(*parts[:1]), merge_scans(*parts[1:]))
        assert shown(merged) == shown(whole)


def nearest(train: Sequence[str], sets: dict[str, list[str]], k: int) -> set[str]:
    """Keys of the k nearest items of each row and set from the threshold on, by all products."""
    hashing = Hashing()
    rows = [row for row, text in enumerate(train) if has_text(text)]
    ours = hashing.embed([train[row] for row in rows]).vectors.astype(np.float64)
    keys = set()
    for name, texts in sets.items():
        items = [item for item, text in enumerate(texts) if has_text(text)]
        theirs = hashing.embed([texts[item] for item in items]).vectors.astype(np.float64)
        lengths = np.outer(np.sqrt((ours**2).sum(1)), np.sqrt((theirs**2).sum(1)))
        cosines = np.round(ours @ theirs.T / lengths, 12)
        order = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
        for place, row in enumerate(rows):
            keys |= {
                f"{row}/{name}/{items[one]}"
                for one in order[place]
                if cosines[place, one] >= hashing.threshold
            }
    return keys


def test_a_killed_audit_goes_on_where_it_was(tmp_path: Path) -> None:
    texts, sets = made_texts(1500, 60, "killed")
    source(tmp_path / "t.jsonl", [f"{text} {k}" for k in range(6) for text in texts])
    source(tmp_path / "e.jsonl", sets["two"])
    call = [sys.executable, "-m", "harness", "audit", "--train", "t.jsonl", "--eval", "e=e.jsonl"]
    call += ["--embedder", "hashing", "--sample", "0", "--max-removed-share", "1", "--out"]
    kept = tmp_path / "one/scan/1-of-1/blocks.jsonl"
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    with subprocess.Popen([*call, "one"], cwd=tmp_path, env=env) as process:
        while not kept.exists() or kept.read_bytes().count(b"\n") < 2:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
    before = kept.read_bytes()
    assert not (tmp_path / "one/scan.json").exists()
    with open(kept, "ab") as handle:
        handle.write(before[:1000])
    for out in ("one", "two"):
        subprocess.run([*call, out, "--stop-after", "scan"], cwd=tmp_path, env=env, check=True)
    assert kept.read_bytes().startswith(before)
    starts = []
    for line in kept.read_bytes().split(b"\n"):
        if line and line != before[:1000]:
            starts.append(json.loads(line)["part"]["start"])
    assert starts == sorted(set(starts))
    assert len(starts) > 3
    one, two = (read_scan(tmp_path / out / "scan.json") for out in ("one", "two"))
    assert one == two
    assert replace(one, plan=two.plan).complete
