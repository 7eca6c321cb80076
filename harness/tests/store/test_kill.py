"""Workers killed at any moment, in any number: the finished records are those of a quiet run."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness.run import run_cell
from harness.tests.run.stand_ins import Bench, cell, dataset, record_lines
from harness.tests.store.kill_server import N

N_KILLS = 50
ROOT = Path(__file__).parents[3]


class Workers:
    """Light processes that each run one cell or shard."""

    def __init__(self, server: subprocess.Popen[str]) -> None:
        self._server = server

    def ask(self, job: dict[str, Any]) -> int:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(job) + "\n")
        self._server.stdin.flush()
        return int(self._server.stdout.readline())

    def start(self, runs: Path, shard: tuple[int, int] | None) -> int:
        return self.ask({"runs": str(runs), "shard": shard})

    def end(self, process: int) -> int:
        """The number of kills that this took: 1, or 0 for a worker that was done before."""
        status = self.ask({"wait": process})
        if os.WIFSIGNALED(status):
            assert os.WTERMSIG(status) == signal.SIGKILL
            return 1
        assert os.WEXITSTATUS(status) == 0
        return 0


@contextmanager
def workers() -> Iterator[Workers]:
    with subprocess.Popen(
        [sys.executable, "-m", "harness.tests.store.kill_server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as server:
        yield Workers(server)
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(10) == 0


def crew(rng: random.Random) -> list[tuple[int, int] | None]:
    """One worker, two on the same cell, or some shards of some count."""
    if rng.random() < 0.4:
        return [None] * rng.choice([1, 2])
    count = rng.choice([2, 3, 8, 400])
    return [(i, count) for i in rng.sample(range(count), min(count, 3))]


def torn(runs: Path) -> int:
    files = runs.glob("*/responses/*.jsonl")
    return sum(not f.read_bytes().endswith(b"\n") for f in files if f.stat().st_size)


def test_fifty_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    rng = random.Random(20)
    run_cell(cell(), Bench(tmp_path / "quiet", dataset(N)).context())
    quiet = record_lines(tmp_path / "quiet")
    n_kills = n_torn = campaign = 0
    with workers() as team:
        # On a busy machine few kills hit a write: go on until one has.
        while n_kills < N_KILLS or (n_torn == 0 and n_kills < 10 * N_KILLS):
            campaign += 1
            runs = tmp_path / f"killed-{campaign}"
            for _ in range(rng.randint(4, 8)):
                processes = [team.start(runs, shard) for shard in crew(rng)]
                for process in processes:
                    time.sleep(rng.uniform(0.0, 0.06))
                    os.kill(process, signal.SIGKILL)
                n_kills += sum(team.end(process) for process in processes)
                n_torn += torn(runs) if runs.exists() else 0
            assert team.end(team.start(runs, None)) == 0
            assert record_lines(runs) == quiet
            assert len(list(runs.glob("*/SEALED.json"))) == 1
    assert n_torn > 0
    assert len(set(quiet)) == N
