"""A study, a runs folder of replayed answers, and a git history of made-up scorers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.cells import grid
from harness.data.load import load_dataset
from harness.identity import cell_identity, cell_key
from harness.store import CellStore
from harness.study import Study, load_study
from harness.types import Response, Status

ROOT = Path(__file__).parents[3]
STUDY = """
[study]
name = "made"
seed = 1
[tiers.full]
[experiments.made]
data = ["made"]
prompts = ["question"]
[models.maker.source]
kind = "fake"
behaviour = "gold"
[data.made]
reader = "pope"
split = "random"
path = "questions.json"
[prompts]
question = "{question}"
[decoding]
max_new_tokens = 8
batch_sizes = [8]
[gates]
level = 0.95
min_parse_rate = 0.9
max_infrastructure_share = 0.0
batch_invariance_n = 8
batch_invariance_size = 4
"""
# Reads the first word alone, and knows neither replies that begin with "Answer:" nor policies.
OLD = """
from harness.types import Answer, Score

VERSION = "1"


def grade(example, response):
    if response.text is None:
        return _score(example, response, "runtime_error", Answer(value=None, rule="not_read"))
    if response.text == "BOOM":
        raise RuntimeError("a scorer | that fails")
    word = response.text.split()[0].strip(".,").lower() if response.text.split() else ""
    value = word if word in ("yes", "no") else None
    answer = Answer(value=value, rule="first_word" if value else "no_first_word")
    return _score(example, response, "answered" if value else "review", answer)


def _score(example, response, outcome, answer):
    print("an old scorer that speaks")
    return Score(
        example_id=example.id, replicate=response.replicate, group="", role="",
        gold=example.gold, outcome=outcome, correct=answer.value == example.gold,
        counted=outcome in ("answered", "review"), answer=answer,
    )
"""


def questions(folder: Path, n: int) -> Study:
    """A study whose one data set asks `n` questions; the right answer is yes to even ones."""
    rows = (
        {
            "question_id": i,
            "image": f"{i}.jpg",
            "text": f"Is there a lamp in picture {i}?",
            "label": ("yes", "no")[i % 2],
        }
        for i in range(n)
    )
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "questions.json").write_text(text, encoding="utf-8")
    (folder / "made.toml").write_text(STUDY, encoding="utf-8")
    return load_study(folder / "made.toml")


def store(
    runs: Path,
    study: Study,
    texts: Sequence[str | None],
    *,
    view: str = "clean",
    variant: str = "",
    seal: bool = True,
) -> str:
    """Write one cell whose texts answer the first questions; None failed. Gives its key."""
    spec = study.data["made"]
    dataset = load_dataset(
        spec.reader, name=spec.name, split=spec.split, path=spec.path, options=spec.options
    )
    (made,) = grid(study.at("full", "made"), views=(view,))
    cell = replace(made, variant=variant)
    identity = cell_identity(cell, dataset, {"behaviour": "gold"})
    key = cell_key(identity)
    kept = CellStore(runs, key, identity)
    responses = [
        Response(
            example_id=example.id, status=_status(text), text=text, error=None if text else "x"
        )
        for example, text in zip(dataset.examples, texts, strict=False)
    ]
    with kept.generating(None):
        with kept.writing() as writer:
            slots = [[r.example_id, r.replicate, r.attempt] for r in responses]
            writer.append(responses, {"run": "made", "made": slots})
        if seal:
            kept.seal()
    return key


def _status(text: str | None) -> Status:
    return "error" if text is None else "ok"


def history(folder: Path, *scorings: str) -> list[str]:
    """A git checkout whose commits have these scorers, oldest first; gives the commits."""
    package = folder / "harness"
    (package / "scoring").mkdir(parents=True)
    for name in ("__init__", "types", "errors", "ids"):
        shutil.copy(ROOT / f"harness/{name}.py", package / f"{name}.py")
    git(folder, "init", "-q")
    commits = []
    for number, source in enumerate(scorings):
        (package / "scoring/__init__.py").write_text(source, encoding="utf-8")
        (package / "scoring/other.py").write_text(f"N = {number}\n", encoding="utf-8")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", f"scorer {number}")
        commits.append(git(folder, "rev-parse", "HEAD").strip())
    return commits


def git(folder: Path, *arguments: str) -> str:
    names = ("user.name=a", "user.email=a@example.org", "commit.gpgsign=false")
    settings = [part for name in names for part in ("-c", name)]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    done = subprocess.run(
        ["git", *settings, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def contents(folder: Path) -> Mapping[str, Any]:
    """Every file with its bytes and time of change."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        if path.is_file()
        else None
        for path in folder.rglob("*")
    }
