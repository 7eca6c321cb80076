"""Command-line options, and the one session record that every part of the plugin reads."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import pytest
from _pytest.mark.expression import Expression

from harness.errors import AssayError
from harness.plugin import thresholds
from harness.study import Study, load_study
from harness.types import Tier

_DEFAULT_STUDY = "evals/studies/mini.toml"
_RESTARTS = 10_000
_MODES = ("no", "load", "worksteal")


@dataclass(frozen=True, kw_only=True)
class Session:
    """What one run is about; made once by the controller and repeated on every worker."""

    study: Study
    tiers: tuple[Tier, ...]
    run_id: str
    runs: Path
    reports: Path
    device: str
    allow_generate: bool
    n_shards: int


SESSION = pytest.StashKey[Session]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("assay", "vision-language model evaluation")
    group.addoption("--study", metavar="FILE", help=f"study file (default {_DEFAULT_STUDY})")
    group.addoption("--reports", metavar="DIR", help="where reports go (default reports)")
    group.addoption(
        "--runs", metavar="DIR", help="where raw responses are kept (default <reports>/runs)"
    )
    group.addoption("--device", default="auto", help="auto, cpu, cuda, or cuda:<i> (default auto)")
    group.addoption(
        "--no-generate",
        action="store_true",
        help="use stored responses alone; what is missing is a failure that lists it",
    )
    group.addoption(
        "--shards", type=int, default=1, metavar="N", help="split every cell into N items"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    markexpr = config.option.markexpr
    # An evaluation names its tier; without one, only tests of other kinds run.
    tiers: tuple[Tier, ...] = selected(markexpr, get_args(Tier)) if markexpr else ()
    if not tiers:
        return
    _check_distribution(config)
    if getattr(config.option, "maxworkerrestart", 0) is None:
        # pytest-xdist gives up after 4 crashes per worker and drops the items that are left.
        config.option.maxworkerrestart = str(_RESTARTS)
    if config.option.shards < 1:
        raise pytest.UsageError(f"--shards: expected at least 1, found {config.option.shards}")
    given = getattr(config, "workerinput", {}).get("assay") or _paths(config, tiers)
    if given is None:
        return
    path, runs = Path(given["study"]), Path(given["runs"])
    try:
        study = load_study(path)
        # A worker takes what its controller has found before it started any.
        own = given["first"] if "first" in given else thresholds.first(study, runs, {})
        study = replace(study, thresholds_first=own, runs=runs)
    except AssayError as error:
        raise pytest.UsageError(str(error)) from None
    present = tuple(t for t in tiers if t in study.tiers)
    if not present:
        raise pytest.UsageError(
            f"-m {markexpr!r}: expected {path.name} to have a table [tiers.{tiers[0]}], "
            f"found {sorted(study.tiers)}"
        )
    config.stash[SESSION] = Session(
        study=study,
        tiers=present,
        run_id=given["run_id"],
        runs=runs,
        reports=Path(given["reports"]),
        device=config.option.device,
        allow_generate=not config.option.no_generate,
        n_shards=config.option.shards,
    )


def _paths(config: pytest.Config, tiers: tuple[Tier, ...]) -> dict[str, Any] | None:
    """Where a run reads and writes; what the user names is taken from the current folder."""
    option, here = config.option, config.invocation_params.dir
    if option.study is None and not (config.rootpath / _DEFAULT_STUDY).exists():
        return None
    study = config.rootpath / _DEFAULT_STUDY if option.study is None else here / option.study
    reports = config.rootpath / "reports" if option.reports is None else here / option.reports
    runs = reports / "runs" if option.runs is None else here / option.runs
    return {
        "study": str(study),
        "reports": str(reports),
        "runs": str(runs),
        "run_id": _new_run_id(tiers),
    }


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand the controller's run to a worker, so that all of them write one run."""
    session = node.config.stash.get(SESSION, None)
    if session is not None:
        node.workerinput["assay"] = {
            "study": str(session.study.path),
            "reports": str(session.reports),
            "runs": str(session.runs),
            "run_id": session.run_id,
            "first": session.study.thresholds_first,
        }


def selected(markexpr: str, marks: Sequence[Any]) -> tuple[Any, ...]:
    """Those of `marks` that a `-m` expression can select, alone or on a gate.

    >>> selected("canary and not gate", ("canary", "full"))
    ('canary',)
    >>> selected("", ("canary", "full"))
    ('canary', 'full')
    """
    if not markexpr:
        return tuple(marks)
    expression = Expression.compile(markexpr)

    def selects(*present: str) -> bool:
        def matches(name: str, /, **_: str | int | bool | None) -> bool:
            return name in present

        return expression.evaluate(matches)

    return tuple(mark for mark in marks if selects(mark) or selects(mark, "gate"))


def pytest_report_header(config: pytest.Config) -> str | None:
    if SESSION in config.stash or config.option.markexpr:
        return None
    return "assay: no tier named, so no experiment is collected; -m canary or -m full runs them"


def is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def _check_distribution(config: pytest.Config) -> None:
    """Refuse what would lose goldens or cells, on the controller, before any worker starts."""
    mode = getattr(config.option, "dist", "no")
    if mode not in _MODES:
        raise pytest.UsageError(
            f"--dist {mode}: expected one of {', '.join(_MODES)}; the other modes lose the rest "
            "of a group, or never end, once a worker dies, or run every item several times"
        )
    if getattr(config.option, "update_snapshots", False) and mode != "no":
        raise pytest.UsageError(
            "--snapshot-update with workers: expected one process, since workers that see a part "
            "of the items each can lose goldens; run it again without -n"
        )


def _new_run_id(tiers: tuple[Tier, ...]) -> str:
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    return f"{stamp}-{'-'.join(tiers)}-{secrets.token_hex(2)}"
