"""Audits of a study as gates: training rows against the study's data or against files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from harness.contamination.exported import export
from harness.contamination.judges import open_judge
from harness.contamination.judging import judged
from harness.contamination.outcome import Outcome, outcome
from harness.contamination.plan import AuditPlan, plan_from
from harness.contamination.scanning import scan_file
from harness.contamination.sources import Source
from harness.contamination.triage import triage
from harness.data.load import load_dataset
from harness.errors import DataError, StudyError
from harness.sample import select
from harness.study import Study
from harness.table import Table
from harness.types import CellResult, Gate, Issue, Verdict

_SHOWN = 5


def contamination_gates(study: Study) -> list[Gate]:
    """One gate for each audit under the study's `[contamination]`.

    Data of the study are audited as the tier samples them, files whole. What is finished stays
    in `audits/` of the runs folder, so that a run that was interrupted goes on there, and no
    endpoint is asked twice.

    Parameters
    ----------
    study : at a tier.

    Returns
    -------
    list of Gate
        Each is NO-GO where the audit cannot be trusted (a planted row not found, pairs that no
        judge decided, limits exceeded) and, unless it says `expect = "report"`, where a judge
        confirmed a duplicate.

    Raises
    ------
    StudyError
        Without a tier or an audit, and for settings that are no plan.
    """
    if study.tier is None:
        raise StudyError("contamination_gates() needs a study at a tier")
    if not study.contamination:
        raise StudyError(
            f"experiment {study.experiment}: expected a table [contamination.NAME] in "
            f"{study.path.name}, found none"
        )
    gates = []
    for name, audit in study.contamination.items():
        sides = {"train": Source("train.jsonl"), "evals": (("evals", Source("evals.jsonl")),)}
        _plan(study, name, audit, sides)  # settings are checked before anything runs
        gates.append(
            Gate(
                name="contamination",
                subject=f"{study.experiment}/{name}",
                tier=study.tier,
                cells=(),
                judge=partial(_judge, study=study, name=name, audit=audit),
            )
        )
    return gates


def _judge(
    _: Sequence[CellResult], *, study: Study, name: str, audit: Mapping[str, Any]
) -> Verdict:
    if study.runs is None or study.tier is None:
        raise StudyError(f"contamination.{name}: expected a run, which has a folder for the audit")
    folder = study.runs / "audits" / f"{study.tier}-{name}"
    train = audit["train"]
    rows = (
        _file(study, audit["train_file"], f"contamination.{name}.train_file")
        if train is None
        else _exported(study, train, folder)
    )
    sets = {one: _exported(study, one, folder) for one in audit["evals"]}
    for one, table in audit["eval_files"].items():
        sets[one] = _file(study, table, f"contamination.{name}.eval_files.{one}")
    plan = _plan(study, name, audit, {"train": rows, "evals": tuple(sets.items())})
    return _verdict(_conducted(plan, folder), name, audit["expect"])


def _conducted(plan: AuditPlan, folder: Path) -> Outcome:
    judges = [open_judge(one, folder / "judges") for one in plan.judges]
    scan = scan_file(plan, work=folder / "scan", cache=folder / "vectors")
    asked = triage(scan).asked
    opinions = judged(asked, scan.pair, judges, folder / "judges") if judges and asked else []
    return outcome(scan, opinions)


def _verdict(found: Outcome, name: str, expect: str) -> Verdict:
    issues = list(found.issues)
    if expect == "clean" and found.removals:
        shown = ", ".join(one.row.id for one in found.removals[:_SHOWN])
        issues.append(
            Issue(
                code="contaminated",
                where=found.scan.train.file,
                message=f"{len(found.removals)} of {found.scan.train.rows} rows are duplicates of "
                f"evaluation items, the first: {shown}; train without them, or drop the items",
            )
        )
    planted = {one.name: one.ok for one in found.scan.sightings}
    vectors = {one.name: one.ok for one in found.scan.vector_sightings if one.ok is not None}
    return Verdict(
        gate="contamination",
        issues=tuple(issues),
        facts={
            "rows": found.scan.train.rows,
            "candidates": len(found.judgements),
            "duplicates": len(found.removals),
            "short_generic": len(found.generic),
            "embedder": None if found.scan.embedder is None else found.scan.embedder.name,
            "canaries": {"words": planted, "vectors": vectors},
        },
        # A study may have several audits, and its tables lie in one folder.
        tables=tuple(
            replace(one, name=f"{name}_{one.name}") for one in (*found.tables, _removed(found))
        ),
    )


def _removed(found: Outcome) -> Table:
    columns = ("row", "eval_set", "item", "jaccard", "cosine", "reason")
    rows = []
    for removal in found.removals:
        nearest = removal.pairs[0]
        pair = nearest.candidate
        item = found.scan.item_of[pair.eval_set, pair.item]
        rows.append(
            {
                "row": removal.row.id,
                "eval_set": pair.eval_set,
                "item": item.id,
                "jaccard": None if pair.jaccard is None else float(pair.jaccard),
                "cosine": pair.cosine,
                "reason": next((one.reason for one in nearest.opinions if one.label), ""),
            }
        )
    return Table(name="contaminated_rows", columns=columns, rows=tuple(rows))


def _plan(study: Study, name: str, audit: Mapping[str, Any], sides: Mapping[str, Any]) -> AuditPlan:
    blank = {"train": {"path": "x.jsonl"}, "evals": {"x": {"path": "x.jsonl"}}}
    try:
        settings = plan_from({**blank, **audit["settings"]}, "settings")
    except DataError as error:
        raise StudyError(f"{study.path.name}: contamination.{name}: {error}") from None
    given = {key: getattr(settings, key) for key in audit["settings"]}
    return AuditPlan(**sides, **given)


def _exported(study: Study, name: str, folder: Path) -> Source:
    spec = study.data[name]
    dataset = load_dataset(
        spec.reader, name=name, split=spec.split, path=spec.path, options=spec.options
    )
    tier = study.tier
    n = None if tier is None else spec.n.get(tier, study.tiers[tier])
    return export(
        dataset, select(dataset.examples, n, study.seed), folder / "rows" / f"{name}.jsonl"
    )


def _file(study: Study, table: Mapping[str, Any], where: str) -> Source:
    given = dict(table)
    if isinstance(given.get("path"), str):
        expanded = os.path.expandvars(given["path"])
        given["path"] = str(study.path.parent / expanded)
    plan = plan_from({"train": given, "evals": {"x": {"path": "x.jsonl"}}}, where)
    return plan.train


__all__ = ["contamination_gates"]
