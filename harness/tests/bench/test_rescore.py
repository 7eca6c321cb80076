"""Rescoring as many replies as one published archive holds, end to end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.rescore.command import rescore
from harness.rescore.report import document, text
from harness.tests.bench.replies import yesno_replies
from harness.tests.rescore.made_runs import questions, store

N_QUESTIONS = 3089
N_CELLS = 12


@pytest.mark.bench
@pytest.mark.parametrize("length", [500, 2000])
def test_37068_replies(tmp_path: Path, benchmark: Any, length: int) -> None:
    """Reading, two scorers at once, both reports; as many processes a scorer as processors."""
    study = questions(tmp_path / "study", N_QUESTIONS)
    replies = yesno_replies(N_QUESTIONS, length)
    for number in range(N_CELLS):
        store(tmp_path / "runs", study, replies, variant=f"v{number}")

    def all_of_it() -> int:
        found = rescore(tmp_path / "runs", against="policy:default", studies=[study])
        assert text(found)
        return int(document(found)["total"]["n"])

    assert benchmark.pedantic(all_of_it, rounds=1) == 37_068
