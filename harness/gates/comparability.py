"""Comparability: figures stand beside each other only when they were earned alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.types import CellResult, Issue, Verdict


def comparability(results: Sequence[CellResult]) -> Verdict:
    """Judge whether cells may be compared with each other.

    Parameters
    ----------
    results : the cells of one comparison.

    Returns
    -------
    Verdict
        Every cell is held against the first. Issues: `incomparable` with both cells, and the
        fields and values in which they differ, among data, split, data fingerprint, example
        ids, prompt, view, decoding (new-token budget, sampling, repetition penalty),
        replicates and image size; `mixed_families` when a generative, dual, reward or audio
        model stands beside one of another family; `no_cells`. A single cell is comparable
        with itself; `replayed` when replayed answers stand beside
        others. Facts: the cells and the shared fields.

    Raises
    ------
    ValueError
        When a cell's identity lacks the fingerprint or the split of its data.
    """
    if not results:
        issue = Issue("no_cells", "", "expected at least one cell, found none")
        return Verdict(gate="comparability", issues=(issue,), facts={"cells": []})
    first, budget = results[0], _budget(results[0])
    issues = []
    for other in results[1:]:
        where = f"{first.cell.id} and {other.cell.id}"
        families = (first.cell.model.family, other.cell.model.family)
        if families[0] != families[1]:
            issues.append(
                Issue("mixed_families", where, f"{families[0]} and {families[1]} are never ranked")
            )
        theirs = _budget(other)
        fields = [name for name in budget if budget[name] != theirs[name]]
        if fields:
            values = "; ".join(
                f"{name}: {_shown(name, budget[name])} against {_shown(name, theirs[name])}"
                for name in fields
            )
            issues.append(Issue("incomparable", where, f"they differ in {values}"))
    replayed = [r.cell.id for r in results if r.cell.model.source["kind"] == "replay"]
    if replayed and len(replayed) < len(results):
        issues.append(
            Issue(
                "replayed",
                ", ".join(replayed),
                "answers of others stand beside answers made here; by what prompt, decoding and "
                "picture size they were made is not known",
            )
        )
    facts = {
        "cells": [r.cell.id for r in results],
        "n_examples": len(first.example_ids),
        **{name: value for name, value in budget.items() if name != "example ids"},
    }
    return Verdict(gate="comparability", issues=tuple(sorted(issues)), facts=facts)


def _budget(result: CellResult) -> dict[str, Any]:
    cell, data = result.cell, result.identity.get("data", {})
    for name in ("split", "fingerprint"):
        if name not in data:
            raise ValueError(f"comparability: {cell.id}: the identity has no data.{name}")
    return {
        "data": cell.data,
        "split": data["split"],
        "data fingerprint": data["fingerprint"],
        "example ids": tuple(sorted(result.example_ids)),
        "prompt": cell.prompt.template,
        "view": [cell.view.name, [[op, dict(p)] for op, p in cell.view.steps], cell.view.seed],
        "max_new_tokens": cell.decoding.max_new_tokens,
        "temperature": cell.decoding.temperature,
        "top_p": cell.decoding.top_p,
        "top_k": cell.decoding.top_k,
        "repetition_penalty": cell.decoding.repetition_penalty,
        "replicates": cell.replicates,
        "max_image_side_px": cell.model.max_image_side_px,
    }


def _shown(name: str, value: Any) -> str:
    return f"{len(value)} ids" if name == "example ids" else repr(value)


__all__ = ["comparability"]
