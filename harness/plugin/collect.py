"""Experiment files become items: `cells(study)` and `gates(study)` as parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from harness.cells import shards
from harness.errors import AssayError
from harness.plugin.options import SESSION, Session
from harness.study import Study
from harness.types import Cell, Gate, Tier

_REPORTS = {"cell": "run", "gate": "judge"}
_MAKERS = ("cells", "gates")
_OWNERS = pytest.StashKey[dict[tuple[str, str], str]]()


def experiment_name(module_name: str) -> str:
    """`evals.protocol.test_visual_shapes` -> `visual-shapes`."""
    return module_name.rpartition(".")[2].removeprefix("test_").replace("_", "-")


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> list[pytest.Item] | None:
    """Leave out the cells and gates of an experiment that the study does not name."""
    module = collector.getparent(pytest.Module)
    if module is None or not any(callable(getattr(module.obj, m, None)) for m in _MAKERS):
        return None
    code = getattr(obj, "__code__", None)
    if code is None or not {"cell", "gate"} & set(code.co_varnames[: code.co_argcount]):
        return None
    session = collector.config.stash.get(SESSION, None)
    if session is None or experiment_name(module.obj.__name__) not in session.study.experiments:
        return []
    return None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    session = metafunc.config.stash.get(SESSION, None)
    if session is None:
        return
    for fixture, source, mark in (("cell", "cells", None), ("gate", "gates", pytest.mark.gate)):
        if fixture not in metafunc.fixturenames:
            continue
        make = getattr(metafunc.module, source, None)
        if make is None:
            raise pytest.UsageError(
                f"{metafunc.module.__name__}: a test takes `{fixture}`, so the file is expected "
                f"to define {source}(study)"
            )
        experiment = experiment_name(metafunc.module.__name__)
        values = list(_values(session, experiment, make))
        if _REPORTS[fixture] in metafunc.fixturenames:
            _own(metafunc, fixture, [value.id for _, value in values])
        metafunc.parametrize(
            fixture,
            [
                pytest.param(value, id=value.id, marks=[getattr(pytest.mark, tier), *_some(mark)])
                for tier, value in values
            ],
        )


def _own(metafunc: pytest.Metafunc, kind: str, names: Iterable[str]) -> None:
    """Refuse a cell or gate that another test reports too: a report holds each id once."""
    owners = metafunc.config.stash.setdefault(_OWNERS, {})
    here = metafunc.definition.nodeid
    for name in names:
        owner = owners.setdefault((kind, name), here)
        if owner != here:
            raise pytest.Collector.CollectError(
                f"expected unique ids over all files, found {kind} {name!r} in {owner} and in "
                f"{here}; name one of the two otherwise"
            )


def _some(mark: pytest.MarkDecorator | None) -> list[pytest.MarkDecorator]:
    return [] if mark is None else [mark]


def _values(
    session: Session, experiment: str, make: Callable[[Study], Iterable[Any]]
) -> Iterator[tuple[Tier, Cell | Gate]]:
    for tier in session.tiers:
        try:
            values = list(make(session.study.at(tier, experiment)))
        except AssayError as error:
            raise pytest.Collector.CollectError(str(error)) from None
        if not values:
            raise pytest.Collector.CollectError(
                f"experiment {experiment}: expected {make.__name__}(study) to give at least one "
                f"value at tier {tier}, found none"
            )
        cells = [v for v in values if isinstance(v, Cell)]
        if session.n_shards > 1:
            values = shards(cells, session.n_shards) + values
        seen: set[str] = set()
        for value in values:
            if value.id in seen:
                raise pytest.Collector.CollectError(
                    f"experiment {experiment}: expected unique ids, found {value.id!r} twice"
                )
            seen.add(value.id)
            yield tier, value


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Shards, then cells (one model after another, longest first), then gates.

    Ties go by name, so that workers agree on the order whatever `cells(study)` returned it
    in. Items of other kinds keep their place before them.
    """
    items.sort(key=_order)


def _order(item: pytest.Item) -> tuple[int, str, int, str]:
    value = parameter(item)
    if isinstance(value, Cell):
        budget = value.decoding.max_new_tokens * (value.n if value.n is not None else 10**9)
        return (1 if value.shard else 2, value.model.name, -budget, item.nodeid)
    return (3, "", 0, item.nodeid) if isinstance(value, Gate) else (0, "", 0, "")


def parameter(item: pytest.Item) -> Cell | Gate | None:
    """The cell or gate behind an item; None for any other test."""
    callspec = getattr(item, "callspec", None)
    if callspec is None:
        return None
    value = callspec.params.get("cell", callspec.params.get("gate"))
    return value if isinstance(value, Cell | Gate) else None


def pytest_report_collectionfinish(
    config: pytest.Config, items: list[pytest.Item]
) -> list[str] | None:
    """The plan, in the header: cells, gates and rows."""
    session = config.stash.get(SESSION, None)
    values = [v for v in map(parameter, items) if v is not None]
    if session is None or not values:
        return None
    cells = [v for v in values if isinstance(v, Cell)]
    known = sum(c.n * c.replicates for c in cells if c.n is not None and c.shard is None)
    open_ended = sum(c.n is None and c.shard is None for c in cells)
    rows = f"{known} rows" + (f" + {open_ended} whole data sets" if open_ended else "")
    n_gates = len(values) - len(cells)
    return [f"assay: study {session.study.name}, {len(cells)} cells, {n_gates} gates, {rows}"]
