"""The schema is closed, documented, and joined by checks that no schema can state."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from harness.errors import AssayError
from harness.report.metrics import SCHEMA
from harness.report.validation import schema, validate
from harness.tests.report.made_run import cell, gate, metrics, shard

_OPEN = {"thresholds", "thresholds_first", "facts"}
_DOCUMENT = Path(__file__).parents[3] / "docs/metrics.md"


def _objects(node: Any, name: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(node, dict):
        if node.get("type") == "object" and "additionalProperties" not in node:
            yield name, node
        for key, value in node.items():
            if key not in ("then", "if"):
                yield from _objects(value, key)
    elif isinstance(node, list):
        for value in node:
            yield from _objects(value, name)


def _property_names(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        yield from node.get("properties", {})
        for value in node.values():
            yield from _property_names(value)
    elif isinstance(node, list):
        for value in node:
            yield from _property_names(value)


def test_the_schema_is_a_valid_closed_schema_of_this_version() -> None:
    Draft202012Validator.check_schema(schema())
    assert schema()["properties"]["schema"] == {"const": SCHEMA}
    assert {name for name, _ in _objects(schema())} == _OPEN


def test_every_field_is_documented() -> None:
    documented = set(re.findall(r"`([a-z0-9_]+)`", _DOCUMENT.read_text(encoding="utf-8")))
    assert set(_property_names(schema())) - documented == set()


def test_go_and_no_go_are_both_valid() -> None:
    validate(metrics())
    validate(metrics([cell(), gate(go=False)], reasons=["gate x: NO-GO"], failures={"x": "NO-GO"}))
    validate(metrics([], reasons=["collection failed"], n_collected=3, n_reported=0))


def _set(*path: str | int, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(tree: Any) -> None:
        for step in path[:-1]:
            tree = tree[step]
        tree[path[-1]] = to

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set("extra", to=1), r"\(top\): .*'extra'"),
        (_set("cells", 0, "mood", to=1), r"cells\[0\]: .*'mood'"),
        (_set("cells", 1, "n", to=-1), r"cells\[1\]\.n: -1 is less than"),
        (_set("cells", 0, "n", to=None), r"cells\[0\]\.n: None is not of type 'integer'"),
        (_set("cells", 0, "outcomes", to=None), r"cells\[0\]\.outcomes"),
        (_set("cells", 0, "accuracy", "value", to=1.5), r"cells\[0\]\.accuracy.*1\.5"),
        (_set("cells", 0, "claim_level", to="L9"), r"cells\[0\]\.claim_level"),
        (_set("gates", 0, "issues", to=[{"code": "x"}]), r"gates\[0\]\.issues\[0\].*'where'"),
        (_set("schema", to="assay.metrics/2"), r"schema: 'assay\.metrics/1' was expected"),
        (_set("cells", 0, "parse_rate", to=float("nan")), r"cells\[0\]\.parse_rate: .*nan"),
        (_set("gates", 0, "facts", "x", to=[float("inf")]), r"gates\[0\]\.facts\.x\[0\]: .*inf"),
        (_set("cells", 0, "id", to=metrics()["cells"][1]["id"]), r"cells: expected unique ids"),
        (_set("cells", 0, "n_counted", to=60), r"cells\[0\]\.n_counted: expected 59"),
        (_set("cells", 0, "n_correct", to=58), r"cells\[0\]\.n_correct: expected at most 57"),
        (_set("gates", 0, "go", to=None), r"verdict\.go: .*a gate is not GO"),
        (_set("gates", to=[]), r"verdict\.go: .*no gate was judged"),
        (_set("cells", 0, "complete", to=False), r"verdict\.go: .*a cell is incomplete"),
        (_set("run", "exit_status", to=1), r"verdict\.go: .*exit status"),
        (_set("run", "n_reported", to=2), r"verdict\.go: .*left no report"),
        (_set("items_failed", to=[{"item": "x", "reason": ""}]), r"verdict\.go: .*items failed"),
        (_set("verdict", "reasons", to=["x"]), r"verdict\.go: expected False with 1 reasons"),
        (_set("verdict", "go", to=False), r"run\.exit_status: expected other than 0"),
    ],
)
def test_a_fault_is_refused_with_its_path(
    change: Callable[[dict[str, Any]], None], message: str
) -> None:
    tree = metrics()
    validate(tree)
    change(tree)
    with pytest.raises(AssayError, match=message):
        validate(tree)


def test_a_gate_with_issues_cannot_be_go() -> None:
    tree = metrics([cell(), gate(go=False) | {"assay.go": True}])
    with pytest.raises(AssayError, match=r"gates\[0\]\.go: expected false beside 1 issue"):
        validate(tree)


def test_an_incomplete_shard_cannot_be_go() -> None:
    row = {k: v for k, v in shard().items() if k != "assay.n"}
    with pytest.raises(AssayError, match="a shard is incomplete"):
        validate(metrics([cell(), row, gate()]))


def test_many_faults_are_counted_and_the_first_shown() -> None:
    tree = metrics()
    for i in range(14):
        tree[f"extra{i:02}"] = i
        tree["cells"].append(i)
    with pytest.raises(AssayError, match=r"15 fault\(s\)") as caught:
        validate(tree)
    assert str(caught.value).count("\n") == 11
    assert "5 more" in str(caught.value)
