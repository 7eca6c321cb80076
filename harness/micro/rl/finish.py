"""What follows the runs: the comparison's files, and the best binary checkpoint with its card."""

from __future__ import annotations

import importlib.metadata
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness import ids
from harness.micro import checkpoint, measure
from harness.micro.rl import card, compare, report, study
from harness.micro.rl.pool import SOURCES, Question
from harness.micro.rl.recipe import Recipe
from harness.micro.rl.rewards import Mark
from harness.micro.rl.runs import Saved
from harness.micro.rl.trainer import best

STYLES = ("word", "evidence", "letter")
_PACKAGES = ("trl", "datasets", "accelerate")


def finish(
    recipe: Recipe,
    start: Path,
    out: Path,
    source: study.Filtered,
    saved: Sequence[Saved],
    test: Sequence[Question],
    say: study.Say,
) -> None:
    """Write `comparison.json` and `comparison.md` where both rewards ran, and the checkpoint.

    Parameters
    ----------
    recipe, start, out : parameters, the checkpoint before training, the folder to write to.
    source : what the filter left.
    saved : the finished runs.
    test : questions of the comparison.
    say : called with a line of progress.
    """
    before = study.marked(start, None, test, recipe.n_new_tokens)
    if {"binary", "dense"} <= {run.reward for run in saved}:
        found = compared(recipe, start, source, saved, test, before)
        text = json.dumps(found.plain(), indent=1, ensure_ascii=True, allow_nan=False)
        (out / "comparison.json").write_text(f"{text}\n", encoding="utf-8")
        (out / "comparison.md").write_text(report.page(found), encoding="utf-8")
        say(f"{out.name}: comparison written")
    binary = [run for run in saved if run.reward == "binary"]
    if binary:
        store(recipe, start, out / recipe.name, source, binary, test, before)
        say(f"{out.name}: {recipe.name} stored")


def compared(
    recipe: Recipe,
    start: Path,
    source: study.Filtered,
    saved: Sequence[Saved],
    test: Sequence[Question],
    before: Sequence[Mark],
) -> report.Comparison:
    """Mark both runs of each seed at their matched step, and compare."""
    run_of = {(run.reward, run.seed): run for run in saved}
    pairs: list[compare.Pair] = []
    after: dict[str, list[list[Mark]]] = {"binary": [], "dense": []}
    for seed in recipe.seeds:
        two = run_of["binary", seed], run_of["dense", seed]
        step = compare.matched_step(two[0].held, two[1].held)
        for run in two:
            found = study.marked(start, run.state(step), test, recipe.n_new_tokens)
            after[run.reward].append(found)
        pairs.append(
            compare.pair(
                seed, (two[0].held, two[1].held), before, after["binary"][-1], after["dense"][-1]
            )
        )
    shares = {"start": by_source(test, [before])}
    shares |= {name: by_source(test, found) for name, found in after.items()}
    return report.Comparison(
        recipe=recipe,
        counts=source.counts,
        start=compare.figures(before),
        pairs=tuple(pairs),
        by_source=shares,
        cpu_s=sum(run.cpu_s for run in saved),
    )


def by_source(asked: Sequence[Question], runs: Sequence[Sequence[Mark]]) -> dict[str, float]:
    """Accuracy on the questions of each source, over all runs together."""
    made = {}
    for name in SOURCES:
        right = [
            mark.right
            for found in runs
            for question, mark in zip(asked, found, strict=True)
            if question.source == name
        ]
        if right:
            made[name] = sum(right) / len(right)
    return made


def chosen(runs: Sequence[Saved]) -> tuple[Saved, int]:
    """The run and step with the highest held accuracy; of equal ones the first run and step."""
    run = max(runs, key=lambda r: r.held[best(r.held)])
    return run, best(run.held)


def store(
    recipe: Recipe,
    start: Path,
    folder: Path,
    source: study.Filtered,
    binary: Sequence[Saved],
    test: Sequence[Question],
    before: Sequence[Mark],
) -> Mapping[str, Any]:
    """Write the best binary checkpoint by the held questions, with its record and its card."""
    run, step = chosen(binary)
    model, processor = measure.load(start)
    model.load_state_dict(run.state(step))
    versions = {p: importlib.metadata.version(p) for p in (*checkpoint.PACKAGES, *_PACKAGES)}
    record = checkpoint.save(
        folder,
        model,
        processor.tokenizer,
        recipe,
        processor,
        start_sha256=ids.file_digest(start / checkpoint.WEIGHTS),
        reward=run.reward,
        seed=run.seed,
        step=step,
        held=run.held[step],
        held_start=run.held[0],
        n_before_filter=sum(c.n for c in source.counts),
        n_after_filter=len(source.kept),
        packages=versions,
    )
    after = study.marked(folder, None, test, recipe.n_new_tokens)
    first, last = by_source(test, [before]), by_source(test, [after])
    shares = {name: (first[name], last[name]) for name in first}
    rows = measure.measure(folder, STYLES)
    changed = measure.changed_by_batching(folder, STYLES)
    text = card.card(record, rows, changed, shares, run.cpu_s)
    (folder / "README.md").write_text(text, encoding="utf-8")
    return record


__all__ = ["by_source", "chosen", "compared", "finish", "store"]
