"""Rescoring as many replies as one published archive holds, end to end, and every kind at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.rescore.archive import StoredCell
from harness.rescore.command import rescore
from harness.rescore.report import Rescoring, document, text
from harness.rescore.scorers import present, reference, scored
from harness.tests.bench.replies import CHOICES, letter_replies, yesno_replies
from harness.tests.bench.test_scoring import FORMULAS, NUMBERS
from harness.tests.rescore.made_runs import ROOT, questions, store
from harness.types import Example, Response

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


@pytest.mark.bench
def test_37068_replies_of_every_kind_against_a_commit(tmp_path: Path, benchmark: Any) -> None:
    """The scorer of the last commit, unpacked, beside this one."""
    rows = tuple(
        (example, Response(example_id=example.id, status="ok", text=reply))
        for example, reply in mixed(N_QUESTIONS)
    )
    cells = [StoredCell(key=f"{n:032}", name=f"made/v{n}", rows=rows) for n in range(N_CELLS)]

    def all_of_it() -> int:
        for name in ("old", "scores"):
            (tmp_path / name).mkdir()
        old, new = reference("HEAD", tmp_path / "old", ROOT), present("")
        pairs = scored(cells, old, new, tmp_path / "scores", 600)
        found = Rescoring(
            old=old.name, new=new.name, cells=tuple(zip(cells, map(tuple, pairs), strict=True))
        )
        assert text(found)
        return int(document(found)["total"]["n"])

    assert benchmark.pedantic(all_of_it, rounds=1) == 37_068


def mixed(n: int) -> list[tuple[Example, str]]:
    """Letters, yes and no, numbers, formulas and text in turn, each with its reply."""
    found: list[tuple[Example, str]] = []
    for i, (letter, word) in enumerate(
        zip(letter_replies(n, 500), yesno_replies(n, 500), strict=True)
    ):
        number, formula = NUMBERS[i % len(NUMBERS)], FORMULAS[i % len(FORMULAS)]
        kind, gold, reply = (
            ("choice", "ABCD"[i % 4], letter),
            ("yesno", ("yes", "no")[i % 2], word),
            ("number", number[1], number[0]),
            ("expression", formula[1], formula[0]),
            ("text", "red cube", f"The answer is {CHOICES[i % 4]}."),
        )[i % 5]
        choices = CHOICES if kind == "choice" else ()
        example = Example(id=str(i), kind=kind, question="?", gold=gold, choices=choices)
        found.append((example, reply))
    return found
