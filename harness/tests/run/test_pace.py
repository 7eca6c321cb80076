"""AT-108: the last batch of a long cell costs what the first one did."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

from harness.run import run_cell
from harness.tests.run.stand_ins import Bench, cell, dataset
from harness.types import Decoding


def test_work_per_batch_does_not_grow(tmp_path: Path) -> None:
    """Counted in calls, Python's and the interpreter's own, which no busy machine disturbs."""
    n_calls = 0
    at_batch: list[int] = []

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal n_calls
        n_calls += event in ("call", "c_call")

    decoding = Decoding(max_new_tokens=8, batch_sizes=(5, 1))
    made = Bench(tmp_path, dataset(500))
    context = made.context(progress=lambda done, wanted: at_batch.append(n_calls))
    sys.setprofile(count)
    try:
        run_cell(cell(decoding=decoding), context)
    finally:
        sys.setprofile(None)
    assert len(at_batch) == 100
    # The first batches wait for pictures; from then on every batch does the same work.
    early, late = at_batch[49] - at_batch[9], at_batch[99] - at_batch[59]
    assert early > 0
    assert late <= 1.1 * early
