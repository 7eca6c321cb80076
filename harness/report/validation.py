"""Whether `metrics.json` keeps its schema, and whether its verdict follows from its numbers."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from harness.errors import AssayError

_SCHEMA_FILE = "metrics.schema.json"
_SHOWN = 10


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of `metrics.json`, as shipped with the package."""
    text = resources.files("harness.report").joinpath(_SCHEMA_FILE).read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def validate(metrics: Mapping[str, Any]) -> None:
    """Refuse metrics that break the schema or contradict themselves.

    Beyond the schema: no NaN or infinity, unique ids, counts that add up, and a GO that the
    numbers support. A well-formed NO-GO passes.

    Raises
    ------
    AssayError
        Up to 10 faults, sorted, each with its path (such as ``cells[2].n``), and their
        number in all.
    """
    faults = sorted(set(_schema_faults(metrics)))
    if not faults:
        faults = sorted({*_not_finite(metrics, ""), *_contradictions(metrics)})
    if faults:
        more = [f"… and {len(faults) - _SHOWN} more"] if len(faults) > _SHOWN else []
        lines = [f"metrics do not validate against {_SCHEMA_FILE}: {len(faults)} fault(s)"]
        raise AssayError("\n  ".join(lines + faults[:_SHOWN] + more))


def _schema_faults(metrics: Mapping[str, Any]) -> Iterator[str]:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    for error in Draft202012Validator(schema()).iter_errors(metrics):
        deepest = best_match([error]) or error
        yield f"{_dotted(deepest.absolute_path)}: {deepest.message[:300]}"


def _dotted(path: Any) -> str:
    text = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path)
    return text.removeprefix(".") or "(top)"


def _not_finite(value: Any, path: str) -> Iterator[str]:
    if isinstance(value, float) and not math.isfinite(value):
        yield f"{path}: expected a finite number or null, found {value}"
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _not_finite(inner, f"{path}.{key}".removeprefix("."))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _not_finite(inner, f"{path}[{index}]")


def _contradictions(metrics: Mapping[str, Any]) -> Iterator[str]:
    for part in ("cells", "shards", "gates"):
        seen = Counter(entry["id"] for entry in metrics[part])
        for name, count in seen.items():
            if count > 1:
                yield f"{part}: expected unique ids, found {name!r} {count} times"
    for index, cell in enumerate(metrics["cells"]):
        if cell["complete"]:
            yield from _count_faults(cell, f"cells[{index}]")
    for index, gate in enumerate(metrics["gates"]):
        if gate["go"] and gate["issues"]:
            yield f"gates[{index}].go: expected false beside {len(gate['issues'])} issue(s)"
    yield from _verdict_faults(metrics)


def _count_faults(cell: Mapping[str, Any], where: str) -> Iterator[str]:
    outcomes, counted, correct = cell["outcomes"], cell["n_counted"], cell["n_correct"]
    inside = sum(outcomes[o] for o in ("answered", "review", "truncated", "refused"))
    if counted != inside:
        yield f"{where}.n_counted: expected {inside}, as its outcomes say, found {counted}"
    if correct > outcomes["answered"]:
        yield (
            f"{where}.n_correct: expected at most {outcomes['answered']}, the answered rows, "
            f"found {correct}"
        )


def _verdict_faults(metrics: Mapping[str, Any]) -> Iterator[str]:
    """A GO must be earned; a NO-GO needs a reason and nothing else."""
    verdict, run = metrics["verdict"], metrics["run"]
    if verdict["go"] == bool(verdict["reasons"]):
        n_reasons = len(verdict["reasons"])
        yield f"verdict.go: expected {n_reasons == 0} with {n_reasons} reasons"
    if not verdict["go"]:
        if run["exit_status"] == 0:
            yield "run.exit_status: expected other than 0 for a NO-GO"
        return
    against = {
        "no gate was judged": not metrics["gates"],
        "a gate is not GO": any(gate["go"] is not True for gate in metrics["gates"]),
        "a cell is incomplete": any(not c["complete"] for c in metrics["cells"]),
        "a shard is incomplete": any(not s["complete"] for s in metrics["shards"]),
        "items failed": bool(metrics["items_failed"]),
        "the exit status is not 0": run["exit_status"] != 0,
        "an item left no report": run["n_reported"] < run["n_collected"],
    }
    for why, holds in against.items():
        if holds:
            yield f"verdict.go: expected false, since {why}"


__all__ = ["schema", "validate"]
