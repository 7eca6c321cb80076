"""The controller's side: counts reports, writes the run's files, says GO or NO-GO."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import pytest

from harness.errors import AssayError
from harness.plugin.options import SESSION, Session, is_worker
from harness.plugin.properties import FILES
from harness.provenance import provenance, scrub
from harness.report.metrics import build
from harness.report.write import write_reports
from harness.types import Issue, Tier

_NAME = "assay-reporter"


@dataclass
class Tally:
    """What was collected and what came back, keyed by node id."""

    collected: set[str] = field(default_factory=set)
    reported: set[str] = field(default_factory=set)
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    collection_errors: list[str] = field(default_factory=list)


def pytest_configure(config: pytest.Config) -> None:
    session = config.stash.get(SESSION, None)
    if session is None or is_worker(config):
        return
    folder = session.reports / session.run_id
    if not config.option.collectonly:
        if not hasattr(config.option, "xmlpath"):
            raise pytest.UsageError("expected pytest's junitxml plugin, found it switched off")
        if config.option.xmlpath is None:
            config.option.xmlpath = str(folder / "junit.xml")
        config.pluginmanager.register(Reporter(config, session, folder), _NAME)


class Reporter:
    """Registered on the controller alone, so that a worker can write nothing."""

    def __init__(self, config: pytest.Config, session: Session, folder: Path) -> None:
        self.config = config
        self.session = session
        self.folder = folder
        self.tally = Tally()
        self.workers: set[str] = set()
        self.partly = _selection(config)
        self.started = time.time()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.tally.collected |= {item.nodeid for item in session.items}

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        self.tally.collected |= set(ids)
        self.workers.add(node.gateway.id)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.tally.collection_errors.append(_first_lines(str(report.longrepr)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        nodeid = report.nodeid
        self._take_files(report)
        if report.when == "setup" and report.passed:
            return
        if report.when != "teardown":
            self.tally.reported.add(nodeid)
        row = {k: v for k, v in report.user_properties if str(k).startswith("assay.")}
        if row and report.when != "teardown":
            self.tally.rows[nodeid] = row
        if report.failed:
            self.tally.failures[nodeid] = _reason(report, row)
        elif report.skipped:
            self.tally.failures[nodeid] = "skipped: an experiment's item is never skipped"

    def _take_files(self, report: pytest.TestReport) -> None:
        """Tables and figures become files of their own: no other report has to carry them."""
        held = dict(report.user_properties).get(FILES)
        report.user_properties = [(k, v) for k, v in report.user_properties if k != FILES]
        if held is not None and report.when == "call":
            tier = dict(report.user_properties)["assay.tier"]
            for name, text in json.loads(str(held)).items():
                file = f"{tier}/{name}"
                owner = self.tally.owners.setdefault(file, report.nodeid)
                if owner == report.nodeid:
                    self.tally.files[file] = text
                else:
                    self.tally.failures[report.nodeid] = (
                        f"{file}: expected one item to write it, found {owner} too; name one of "
                        "the two otherwise"
                    )

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(
        self, session: pytest.Session, exitstatus: int
    ) -> Generator[None, None, None]:
        try:
            yield
        except OSError as error:
            self.tally.collection_errors.append(f"reports: cannot write: {error.strerror}")
        reasons = self._reasons(exitstatus)
        usual = (
            pytest.ExitCode.OK,
            pytest.ExitCode.TESTS_FAILED,
            pytest.ExitCode.NO_TESTS_COLLECTED,
        )
        if reasons and (exitstatus in usual or self.tally.collection_errors):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if self._close(int(session.exitstatus), reasons) and not session.exitstatus:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _reasons(self, exitstatus: int) -> list[str]:
        """Why this run is NO-GO, sorted; none for GO."""
        tally = self.tally
        reasons = [f"collection failed: {error}" for error in tally.collection_errors]
        for nodeid, reason in tally.failures.items():
            reasons.append(f"{_short(tally.rows.get(nodeid), nodeid)}: {reason}")
        lost = sorted(tally.collected - tally.reported)
        ended = (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR)
        if exitstatus in ended and not tally.collection_errors:
            how = pytest.ExitCode(exitstatus).name.lower()
            return [f"pytest ended early ({how}): {len(lost)} items have no report", *reasons]
        reasons += [f"{nodeid}: collected, but no report came back" for nodeid in lost]
        if not self.partly:
            reasons += [
                f"experiment {name}: named by the study, but no cell of it was collected; "
                f"expected a file test_{name.replace('-', '_')}.py"
                for name in self._absent()
            ]
        gates = [r for r in tally.rows.values() if r["assay.kind"] == "gate"]
        if not reasons and not gates:
            reasons.append("no gate was judged, so nothing can be said")
        reasons += [
            f"{_short(row, nodeid)}: passed without a result; expected it to end with "
            "run(cell) or judge(gate), and to let a NO-GO through"
            for nodeid, row in tally.rows.items()
            if nodeid not in tally.failures
            and not row.get("assay.go", row["assay.kind"] != "gate" and "assay.n" in row)
        ]
        return sorted(reasons)

    def _absent(self) -> list[str]:
        """Experiments of the study of which nothing ran."""
        rows = self.tally.rows.values()
        seen = {row.get("assay.experiment") for row in rows}
        # A gate over cells does not stand for them; one that has none is the experiment.
        seen |= {r["assay.subject"].split("/")[0] for r in rows if r.get("assay.cells") == "[]"}
        return sorted(set(self.session.study.experiments) - seen)

    def _close(self, exit_status: int, reasons: list[str]) -> list[str]:
        """Write the reports; gives the reasons, with what kept them from being written."""
        study = self.config.stash[SESSION].study
        reasons = [scrub(reason) for reason in reasons]
        metrics = build(
            rows=[self.tally.rows[k] for k in sorted(self.tally.rows)],
            reasons=reasons,
            failures={scrub(k): scrub(v) for k, v in sorted(self.tally.failures.items())},
            run={
                "id": self.session.run_id,
                "tiers": sorted({r["assay.tier"] for r in self.tally.rows.values()}),
                "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.started)),
                "seconds": round(time.time() - self.started, 3),
                "exit_status": exit_status,
                "n_collected": len(self.tally.collected),
                "n_reported": len(self.tally.reported),
                "n_workers": len(self.workers),
                "n_shards": self.session.n_shards,
                "device": self.session.device,
                "generated": self.session.allow_generate,
                "selection": self.partly,
            },
            study={
                "name": study.name,
                "sha256": study.sha256,
                "seed": study.seed,
                "thresholds": study.frozen,
                "thresholds_first": (
                    study.frozen if study.thresholds_first is None else dict(study.thresholds_first)
                ),
            },
            provenance=provenance(devices=self._devices()),
            level=study.thresholds["level"],
        )
        try:
            write_reports(self.folder, metrics, Path(self.config.option.xmlpath), self.tally.files)
        except (AssayError, OSError) as error:
            reasons = [*reasons, scrub(f"reports: {error}")]
            latest = self.session.reports / "latest"
            try:
                if latest.is_symlink():
                    latest.unlink()
            except OSError:
                reasons.append("reports: latest still shows an earlier run")
        self._say(reasons)
        return reasons

    def _devices(self) -> list[str]:
        return sorted({r["assay.device"] for r in self.tally.rows.values() if "assay.device" in r})

    def _say(self, reasons: list[str]) -> None:
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if terminal is None:
            return
        terminal.ensure_newline()
        shown = os.path.relpath(self.folder / "report.md", self.config.invocation_params.dir)
        terminal.write_line(f"report: {shown}")
        if not reasons:
            partly = f", in part: {'; '.join(self.partly)}" if self.partly else ""
            terminal.write_line(f"GO{partly}", green=True, bold=True)
            return
        terminal.write_line(f"NO-GO: {len(reasons)} reason(s)", red=True, bold=True)
        for reason in reasons:
            terminal.write_line(f"  {reason}")


def _selection(config: pytest.Config) -> list[str]:
    """What the command line leaves out, so that a GO over a part says so."""
    option = config.option
    found = [f"-k {option.keyword}"] if option.keyword else []
    if option.markexpr not in (*get_args(Tier), "canary or full"):
        found.append(f"-m {option.markexpr}")
    for name in ("deselect", "ignore", "ignore_glob", "lf", "stepwise"):
        if getattr(option, name, None):
            found.append(f"--{name.replace('_', '-')}")
    if config.args_source is pytest.Config.ArgsSource.ARGS:
        found.append(f"paths {' '.join(option.file_or_dir)}")
    return [scrub(text) for text in found]


def _short(row: dict[str, Any] | None, nodeid: str) -> str:
    if row is not None and "assay.id" in row:
        return f"{row['assay.kind']} {row['assay.id']}"
    return nodeid


def _reason(report: pytest.TestReport, row: dict[str, Any]) -> str:
    """The issues of a gate, else what the exception says, without the module of its type."""
    issues = [Issue(**issue) for issue in json.loads(row.get("assay.issues", "[]"))]
    if issues and report.when == "call":
        return _first_lines("\n".join(str(issue) for issue in issues))
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash is not None else str(report.longrepr)
    return _first_lines(re.sub(r"^(\w+\.)+(?=\w+: )", "", text))


def _first_lines(text: str, n_lines: int = 12, n_characters: int = 1200) -> str:
    lines = [line for line in text.strip().splitlines() if line.strip()]
    shown = "\n    ".join(lines[:n_lines])[:n_characters]
    return shown + (" …" if len(lines) > n_lines or len(shown) == n_characters else "")
