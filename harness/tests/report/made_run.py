"""A made-up run: the flat rows of its items, and the metrics built from them."""

from __future__ import annotations

import json
from typing import Any

from harness.report.metrics import build

PROVENANCE = {
    "version": "0.1.0",
    "git_commit": "a" * 40,
    "git_dirty": True,
    "python": "3.11.7",
    "packages": {"torch": "2.13.0", "torchvision": None},
    "system": "Linux",
    "machine": "x86_64",
    "n_cpus": 2,
    "devices": ["cpu"],
}


def cell(model: str = "micro-sft", view: str = "clean", **changes: Any) -> dict[str, Any]:
    """The row of a complete cell; a change to None takes the property away."""
    facts: dict[str, Any] = {
        "kind": "cell",
        "id": f"canary:visual-shapes/visual-shapes/{model}/{view}/word",
        "experiment": "visual-shapes",
        "tier": "canary",
        "data": "visual-shapes",
        "split": "test",
        "model": model,
        "family": "generative",
        "view": view,
        "prompt": "word",
        "variant": "",
        "key": "0" * 32,
        "claim_level": "L0",
        "n": 60,
        "n_counted": 59,
        "n_correct": 56,
        "accuracy": 56 / 59,
        "parse_rate": 57 / 59,
        "outcome.answered": 57,
        "outcome.review": 1,
        "outcome.truncated": 1,
        "outcome.refused": 0,
        "outcome.resource_error": 1,
        "outcome.runtime_error": 0,
        "metric.accuracy[colour]": 0.95,
        "records_sha256": "b" * 64,
        "n_generated": 60,
        "batch_size": 16,
        "source": "local",
        "device": "cpu",
        "peak_memory_gib": 0.5,
        "seconds.generate": 1.25,
        "scorer_version": "1",
    }
    facts |= changes
    return {f"assay.{k}": v for k, v in facts.items() if v is not None}


def failed_cell() -> dict[str, Any]:
    """The row of a cell that failed before it had a result: names alone."""
    names = ("kind", "id", "experiment", "tier", "data", "model", "family", "view", "prompt")
    row = cell("micro-base")
    return {f"assay.{name}": row[f"assay.{name}"] for name in names}


def gate(go: bool = True, **changes: Any) -> dict[str, Any]:
    issue = {"code": "no-gain", "where": "micro-sft", "message": "clean does not exceed blank"}
    facts: dict[str, Any] = {
        "kind": "gate",
        "id": "canary:visual-dependency/micro-sft",
        "gate": "visual-dependency",
        "subject": "micro-sft",
        "tier": "canary",
        "go": go,
        "issues": json.dumps([] if go else [issue]),
        "facts": json.dumps({"difference": {"value": 0.57, "low": 0.45, "high": 0.69}, "n": 60}),
        "cells": json.dumps(["canary:visual-shapes/visual-shapes/micro-sft/clean/word"]),
    }
    facts |= changes
    return {f"assay.{k}": v for k, v in facts.items() if v is not None}


def shard() -> dict[str, Any]:
    keys = ("kind", "id", "tier", "key", "n", "n_generated", "batch_size", "seconds.generate")
    row = cell(kind="shard", id="canary:visual-shapes/visual-shapes/micro-sft/clean/word#0of2")
    return {f"assay.{key}": row[f"assay.{key}"] for key in keys}


def metrics(rows: list[dict[str, Any]] | None = None, **changes: Any) -> dict[str, Any]:
    """The metrics of a GO run, or of a NO-GO run when `reasons` are given."""
    rows = [cell(), cell(view="blank"), gate()] if rows is None else rows
    reasons = changes.pop("reasons", [])
    thresholds = {"level": 0.95, "min_parse_rate": 0.95, "published": {"pope": {"f1": 0.87}}}
    return build(
        rows=rows,
        reasons=reasons,
        failures=changes.pop("failures", {}),
        run={
            "id": "20261130-070434-canary-beef",
            "tiers": ["canary"],
            "started": "2026-11-30T07:04:34Z",
            "seconds": 12.5,
            "exit_status": 1 if reasons else 0,
            "n_collected": len(rows),
            "n_reported": len(rows),
            "n_workers": 0,
            "n_shards": 1,
            "device": "cpu",
            "generated": True,
            "selection": [],
        }
        | changes,
        study={
            "name": "mini",
            "sha256": "c" * 64,
            "seed": 1,
            "thresholds": thresholds,
            "thresholds_first": thresholds,
        },
        provenance=PROVENANCE,
        level=0.95,
    )
