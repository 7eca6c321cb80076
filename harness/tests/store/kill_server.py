"""Forks a worker for every job on standard input, so that each one starts in a millisecond.

A job is {"runs": folder, "shard": [index, count] or null}, answered by the worker's process
id; {"wait": process id} is answered by its wait status.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from harness.run import run_cell
from harness.tests.run.stand_ins import Bench, Stub, cell, dataset

N = 300
_PIECE = 97
_write = os.write


def write_in_pieces(descriptor: int, data: bytes) -> int:
    """A slow disk: a kill lands inside a line as easily as between two."""
    time.sleep(3e-5)
    return _write(descriptor, bytes(data[:_PIECE]))


def work(job: dict[str, Any]) -> None:
    setattr(os, "write", write_in_pieces)  # noqa: B010
    made = Bench(Path(job["runs"]), dataset(N), Stub(slow_s=0.001))
    shard = tuple(job["shard"]) if job["shard"] else None
    run_cell(cell(shard=shard), made.context())


def main() -> None:
    for line in sys.stdin:
        job = json.loads(line)
        if "wait" in job:
            print(os.waitpid(job["wait"], 0)[1], flush=True)
            continue
        process = os.fork()
        if process == 0:
            try:
                work(job)
            except BaseException:  # noqa: BLE001
                sys.excepthook(*sys.exc_info())
                os._exit(1)
            os._exit(0)
        print(process, flush=True)


if __name__ == "__main__":
    main()
