"""Stored answers are scored alike in any process: nothing about an item is drawn again."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from harness import ids
from harness.run import run_cell
from harness.tests.run.stand_ins import Bench, Stub, cell, dataset
from harness.types import CellResult, Dataset, Example, Prompt, Request

ROOT = Path(__file__).parents[3]
PROMPT = Prompt(name="p", template="{question}\n{choices}")
FRUIT = ["apple", "pear", "plum", "fig"]


def fruits(n: int = 40) -> Dataset:
    """Each example has an order of the choices of its own, and says which fruit is meant."""
    examples = []
    for i in range(n):
        choices = tuple(random.Random(i).sample(FRUIT, 4))
        meant = FRUIT[i * 7 % 4]
        gold = "ABCD"[choices.index(meant)]
        question = f"Which letter stands before the {meant}?"
        examples.append(
            Example(id=f"f{i:03d}", kind="choice", question=question, gold=gold, choices=choices)
        )
    return replace(dataset(1), examples=tuple(examples), fingerprint=ids.digest(examples))


def read_prompt(request: Request) -> str:
    """The letter by the prompt alone; every fifth is wrong."""
    meant = request.prompt.partition(" the ")[2].partition("?")[0]
    line = next(x for x in request.prompt.splitlines() if x.endswith(meant))
    letter = line.lstrip("(")[0]
    return f"Answer: {letter if int(request.example.id[1:]) % 5 else 'ABCD'['BCDA'.index(letter)]}"


def summary(result: CellResult) -> str:
    return ids.canonical_json(
        {
            "scores": result.scores,
            "metrics": dict(result.metrics),
            "counts": dict(result.counts),
            "records": result.records_sha256,
        }
    )


def rescore(runs: Path) -> CellResult:
    return run_cell(cell(prompt=PROMPT), Bench(runs, fruits()).context(allow_generate=False))


def test_fresh_processes_score_stored_answers_alike(tmp_path: Path) -> None:
    """AT-28: whatever PYTHONHASHSEED and the global generator are."""
    made = Bench(tmp_path, fruits(), Stub(answer=read_prompt))
    first = run_cell(cell(prompt=PROMPT), made.context())
    assert first.accuracy == 0.8
    script = (
        "import pathlib, random, sys; from harness.tests.run import test_rescoring as t; "
        "random.seed(int(sys.argv[2])); print(t.summary(t.rescore(pathlib.Path(sys.argv[1]))))"
    )
    said = []
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path), seed],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            check=True,
            text=True,
        )
        said.append(done.stdout.strip())
    assert said == [summary(first)] * 2


def test_another_order_of_the_choices_is_another_cell(tmp_path: Path) -> None:
    """AT-28: answers to the old order are never scored against the new one."""
    data = fruits()
    run_cell(cell(prompt=PROMPT), Bench(tmp_path, data, Stub(answer=read_prompt)).context())
    turned = tuple(
        replace(e, choices=e.choices[::-1], gold="DCBA"["ABCD".index(e.gold)])
        for e in data.examples
    )
    other = replace(data, examples=turned, fingerprint=ids.digest(turned))
    again = run_cell(
        cell(prompt=PROMPT), Bench(tmp_path, other, Stub(answer=read_prompt)).context()
    )
    assert again.n_generated == 40
    assert again.accuracy == 0.8
