"""The flat rows of a run's items become `metrics.json`, as a plain dict."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness import ids
from harness.stats.proportion import wilson
from harness.types import OUTCOMES

SCHEMA = "assay.metrics/1"
_PREFIX = "assay."
_NAMES = (
    "id",
    "experiment",
    "tier",
    "data",
    "split",
    "model",
    "family",
    "source",
    "view",
    "prompt",
)
_COUNTS = ("n", "n_counted", "n_correct", "n_generated", "batch_size")
_DENOMINATOR = ("answered", "review", "truncated", "refused")


def build(
    *,
    rows: Iterable[Mapping[str, Any]],
    reasons: Sequence[str],
    failures: Mapping[str, str],
    run: Mapping[str, Any],
    study: Mapping[str, Any],
    provenance: Mapping[str, Any],
    level: float,
) -> dict[str, Any]:
    """Everything that a run says, as JSON values; `docs/metrics.md` explains each field.

    Parameters
    ----------
    rows : the properties of each reported item, flat, with keys ``assay.<name>``. A row
        whose item failed early may name itself and nothing more; its numbers are None.
    reasons : why the run is NO-GO; empty for GO.
    failures : node id -> reason, for each item that did not pass.
    run : id, tiers, started, seconds, exit_status, n_collected, n_reported, n_workers,
        n_shards, device, generated.
    study : name, sha256, seed, thresholds, thresholds_first.
    provenance : what `harness.provenance.provenance` returns.
    level : confidence level of the intervals, in (0, 1).

    Raises
    ------
    ValueError
        For a row of a kind other than cell, shard or gate.
    """
    by_kind: dict[str, list[dict[str, Any]]] = {"cell": [], "shard": [], "gate": []}
    for row in rows:
        facts = {k.removeprefix(_PREFIX): v for k, v in row.items() if k.startswith(_PREFIX)}
        if facts.get("kind") not in by_kind:
            raise ValueError(
                f"row {facts.get('id')!r}: expected assay.kind to be one of {sorted(by_kind)}, "
                f"found {facts.get('kind')!r}"
            )
        by_kind[facts["kind"]].append(facts)
    cells = sorted((_cell(f, level) for f in by_kind["cell"]), key=_by_id)
    return {
        "schema": SCHEMA,
        "run": dict(run),
        "study": _study(study, cells),
        "verdict": {"go": not reasons, "reasons": list(reasons)},
        "cells": cells,
        "shards": sorted((_shard(f) for f in by_kind["shard"]), key=_by_id),
        "gates": sorted((_gate(f) for f in by_kind["gate"]), key=_by_id),
        "items_failed": [
            {"item": item, "reason": reason} for item, reason in sorted(failures.items())
        ],
        "conventions": _conventions(by_kind["cell"], level),
        "provenance": dict(provenance),
    }


def _by_id(entry: Mapping[str, Any]) -> str:
    return str(entry["id"])


def _study(study: Mapping[str, Any], cells: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    claims = [cell["claim_level"] for cell in cells if cell["claim_level"] is not None]
    return {
        "name": study["name"],
        "sha256": study["sha256"],
        "seed": study["seed"],
        "claim_level": min(claims, default=None),
        "thresholds": study["thresholds"],
        "thresholds_sha256": ids.digest(study["thresholds"]),
        "thresholds_first": study["thresholds_first"],
    }


def _cell(facts: Mapping[str, Any], level: float) -> dict[str, Any]:
    counts = {outcome: facts.get(f"outcome.{outcome}") for outcome in OUTCOMES}
    complete = facts.get("n") is not None
    return {
        **{name: facts.get(name) for name in _NAMES},
        "variant": facts.get("variant") or None,
        "key": facts.get("key"),
        "claim_level": facts.get("claim_level"),
        "complete": complete,
        **{name: facts.get(name) for name in _COUNTS},
        "outcomes": counts if complete else None,
        "accuracy": _accuracy(facts, level) if complete else None,
        "parse_rate": facts.get("parse_rate"),
        "metrics": _under(facts, "metric."),
        "records_sha256": facts.get("records_sha256"),
        "scorer_version": _text(facts.get("scorer_version")),
        "seconds": _under(facts, "seconds."),
        "peak_memory_gib": facts.get("peak_memory_gib"),
        "device": facts.get("device"),
        "busy_share": _busy_share(facts),
    }


def _busy_share(facts: Mapping[str, Any]) -> float | None:
    """The share of a cell's time, loading left out, in which the model was at work."""
    names = ("total", "load", "generate")
    total, load, generate = (facts.get(f"seconds.{name}") for name in names)
    if not facts.get("n_generated") or total is None or load is None or generate is None:
        return None
    return min(1.0, generate / (total - load)) if total > load else None


def _accuracy(facts: Mapping[str, Any], level: float) -> dict[str, Any]:
    estimate = wilson(facts["n_correct"], facts["n_counted"], level)
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "level": estimate.level,
        "n": estimate.n,
        "method": estimate.method,
    }


def _shard(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": facts["id"],
        "tier": facts.get("tier"),
        "key": facts.get("key"),
        "complete": facts.get("n") is not None,
        "n": facts.get("n"),
        "n_generated": facts.get("n_generated"),
        "batch_size": facts.get("batch_size"),
        "seconds": _under(facts, "seconds."),
        "peak_memory_gib": facts.get("peak_memory_gib"),
    }


def _gate(facts: Mapping[str, Any]) -> dict[str, Any]:
    """A gate that never came to a verdict has `go` None, which is not GO."""
    return {
        "id": facts["id"],
        "gate": facts.get("gate"),
        "subject": facts.get("subject"),
        "tier": facts.get("tier"),
        "go": facts.get("go"),
        "issues": json.loads(facts.get("issues", "[]")),
        "facts": json.loads(facts.get("facts", "{}")),
        "cells": json.loads(facts.get("cells", "[]")),
    }


def _conventions(cells: Sequence[Mapping[str, Any]], level: float) -> dict[str, Any]:
    versions = {_text(cell.get("scorer_version")) for cell in cells} - {None}
    return {
        "accuracy_denominator": list(_DENOMINATOR),
        "outside_denominator": [o for o in OUTCOMES if o not in _DENOMINATOR],
        "accuracy_interval": "wilson",
        "level": level,
        "pairing": "example id",
        "scorer_versions": sorted(str(version) for version in versions),
    }


def _under(facts: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    return {k.removeprefix(prefix): v for k, v in sorted(facts.items()) if k.startswith(prefix)}


def _text(value: object) -> str | None:
    return None if value is None else str(value)


__all__ = ["SCHEMA", "build"]
