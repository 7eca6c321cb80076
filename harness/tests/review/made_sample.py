"""A study of generated pictures, runs folders of made-up answers, and filled-in sheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.cells import grid
from harness.data.load import load_dataset
from harness.identity import cell_identity, cell_key
from harness.models.fingerprint import model_fingerprint
from harness.store import CellStore
from harness.study import Study, load_study
from harness.types import Dataset, Example, Response

STUDY = """
[study]
name = "made"
seed = 1
[tiers.full]
[experiments.made]
data = ["shapes"]
prompts = ["question"]
[models.maker.source]
kind = "fake"
behaviour = "gold"
[data.shapes]
reader = "visual-shapes"
split = "test"
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
Texts = Sequence[str | None]
Rows = list[dict[str, str]]


def made_study(folder: Path) -> Study:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "made.toml").write_text(STUDY, encoding="utf-8")
    return load_study(folder / "made.toml")


def examples(study: Study) -> tuple[Example, ...]:
    return _dataset(study).examples


def right(example: Example) -> str:
    return f"<answer>{example.gold}</answer>"


def wrong(example: Example) -> str:
    return f"<answer>{'B' if example.gold == 'A' else 'A'}</answer>"


def store(
    runs: Path,
    study: Study,
    view: str,
    texts: Texts,
    *,
    backwards: bool = False,
    start: int = 0,
    replicate: int = 0,
) -> str:
    """Write one cell whose texts answer the questions from `start`; None failed. Gives its key."""
    dataset = _dataset(study)
    (cell,) = grid(study.at("full", "made"), views=(view,))
    identity = cell_identity(cell, dataset, model_fingerprint(cell.model, dataset.name))
    key = cell_key(identity)
    kept = CellStore(runs, key, identity)
    responses = [
        Response(
            example_id=example.id,
            replicate=replicate,
            status="oom" if text is None else "ok",
            text=text,
            error=None if text is not None else "memory",
        )
        for example, text in zip(dataset.examples[start:], texts, strict=False)
    ]
    with kept.generating(None), kept.writing() as writer:
        made = [[r.example_id, r.replicate, r.attempt] for r in responses]
        order = responses[::-1] if backwards else responses
        writer.append(order, {"run": "made", "made": made})
    return key


def rows_of(sheet: Path) -> Rows:
    """The rows of a sheet as any CSV reader sees them, guards and all."""
    return list(csv.DictReader(io.StringIO(sheet.read_text("utf-8-sig"), newline="")))


def save(
    path: Path,
    rows: Rows,
    *,
    separator: str = ",",
    encoding: str = "utf-8-sig",
    line_end: str = "\r\n",
    alter: Callable[[str], str] = str,
) -> Path:
    """Save rows as a spreadsheet program would; `alter` is done to every cell."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator=line_end)
    writer.writerow(rows[0])
    writer.writerows([alter(cell) for cell in row.values()] for row in rows)
    path.write_bytes(out.getvalue().encode(encoding))
    return path


def labelled(rows: Rows, labels: Sequence[str]) -> Rows:
    """The rows with labels such as "PP" (two annotators) or "PRR" (and adjudicated), in turn."""
    filled = []
    for number, row in enumerate(rows):
        marks = labels[number % len(labels)].ljust(3)
        names = ("annotator_1", "annotator_2", "adjudicated")
        filled.append({**row, **dict(zip(names, map(str.strip, marks), strict=True))})
    return filled


def _dataset(study: Study) -> Dataset:
    spec = study.data["shapes"]
    return load_dataset(
        spec.reader, name=spec.name, split=spec.split, path=None, options=spec.options
    )
