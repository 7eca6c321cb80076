"""What leaves a worker: flat primitive properties on the test report, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from typing import Any

import pytest

from harness import ids
from harness.plugin.collect import parameter
from harness.scoring import VERSION
from harness.types import Cell, CellResult, Gate, Verdict

Primitive = str | int | float | bool | None
FILES = "assay.files"
# The folder of what differs between equal runs; everything beside it is equal byte for byte.
MEASURED = "measured"


def primitive(value: Any) -> Primitive:
    """A value that xdist can carry: numpy scalars by `.item()`, all else by `str`.

    A Path or a numpy scalar in a property of a failing test loses the whole report under
    workers, and the session then exits 0.
    """
    if type(value) is str:
        return encodable(value)
    if value is None or type(value) in (int, float, bool):
        return value  # type: ignore[no-any-return]
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "ndim", None) == 0:
        return primitive(item())
    return str(value)


def encodable(text: str) -> str:
    """Lone surrogates as escapes: a report with one in it does not leave a worker."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    report.user_properties = [(encodable(str(k)), primitive(v)) for k, v in report.user_properties]
    report.sections = [(encodable(name), encodable(text)) for name, text in report.sections]
    text = str(report.longrepr)
    if report.failed and encodable(text) != text:
        report.longrepr = encodable(text)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Name the item before anything can fail, so that a failure is never anonymous."""
    value = parameter(item)
    if isinstance(value, Cell):
        item.user_properties += _prefixed(cell_names(value))
    elif isinstance(value, Gate):
        item.user_properties += _prefixed(gate_names(value))


def _prefixed(facts: Mapping[str, Any]) -> list[tuple[str, Primitive]]:
    return [(f"assay.{k}", primitive(v)) for k, v in facts.items() if v is not None]


def cell_names(cell: Cell) -> dict[str, Any]:
    return {
        "kind": "cell" if cell.shard is None else "shard",
        "id": cell.id,
        "experiment": cell.experiment,
        "tier": cell.tier,
        "data": cell.data,
        "model": cell.model.name,
        "family": cell.model.family,
        "source": cell.model.source["kind"],
        "view": cell.view.name,
        "prompt": cell.prompt.name,
        "variant": cell.variant,
    }


def gate_names(gate: Gate) -> dict[str, Any]:
    return {
        "kind": "gate",
        "id": gate.id,
        "gate": gate.name,
        "subject": gate.subject,
        "tier": gate.tier,
        "cells": json.dumps([c.id for c in gate.cells]),
    }


def add_result(item: pytest.Item, result: CellResult, claim_level: str, device: str | None) -> None:
    """Put a cell's facts on its item; an undefined metric stays, as None."""
    facts: dict[str, Any] = {
        "split": result.identity["data"]["split"],
        "claim_level": claim_level,
        "key": result.key,
        "n": len(result.example_ids),
        "n_counted": result.n_counted,
        "n_correct": result.n_correct,
        "accuracy": result.accuracy,
        "parse_rate": result.parse_rate,
        "records_sha256": result.records_sha256,
        "n_generated": result.n_generated,
        "batch_size": result.batch_size,
        "peak_memory_gib": result.peak_memory_gib,
        "scorer_version": VERSION,
        "device": device if result.n_generated else None,
    }
    facts |= {f"outcome.{k}": v for k, v in result.counts.items()}
    facts |= {f"seconds.{k}": v for k, v in result.timing_s.items()}
    item.user_properties += _prefixed(facts)
    metrics = [(f"assay.metric.{k}", primitive(v)) for k, v in result.metrics.items()]
    item.user_properties += metrics


def add_verdict(item: pytest.Item, verdict: Verdict) -> None:
    """Put a gate's verdict on its item, before it may raise."""
    issues = [
        {"code": i.code, "where": i.where, "message": i.message} for i in sorted(verdict.issues)
    ]
    item.user_properties += _prefixed(
        {
            "go": verdict.go,
            "issues": json.dumps(issues),
            "facts": json.dumps(dict(verdict.facts), sort_keys=True, allow_nan=False),
        }
    )
    texts = {f"{ids.slug(name)}.svg": svg for name, svg in verdict.figures.items()}
    named = [(ids.slug(table.name), table) for table in verdict.tables]
    named += [(f"{MEASURED}/{ids.slug(table.name)}", table) for table in verdict.measured]
    for name, table in named:
        texts |= {f"{name}.csv": table.to_csv(), f"{name}.json": table.to_json()}
    if texts:
        item.user_properties.append((FILES, json.dumps(texts)))
