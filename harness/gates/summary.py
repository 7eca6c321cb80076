"""An audit in one small record: what was decided, on which counts, and what may be claimed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from harness.gates.audit import ANSWER_TYPES
from harness.gates.judged import unjudged
from harness.types import Issue, Verdict

SCHEMA = "assay-audit-summary/1"
Stage = Literal["signals", "scorer"]
STAGES: tuple[Stage, ...] = get_args(Stage)
RECORD_FIELDS = (
    "expected_records",
    "observed_records",
    "unique_records",
    "missing_records",
    "duplicate_records",
    "unexpected_records",
    "infrastructure_failures",
)
THRESHOLDS_CHANGED = "threshold_changed_after_first_response"
_THRESHOLDS_UNKNOWN = "thresholds_unknown"
_UNSOUND = (
    "missing_records",
    "duplicate_records",
    "unexpected_records",
    "infrastructure_failures",
    "no_records",
    "records_misaligned",
    "sample_size",
)
_FIELDS = {
    "schema",
    "stage",
    "subject",
    "decision",
    "efficacy_analysis_performed",
    *RECORD_FIELDS,
    "parseability",
    "issue_counts",
    "role_equivalence_failures_by_model",
    "permitted_interpretation",
}
_CODE = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditSummary:
    """The outcome of one audit.

    `records` holds `RECORD_FIELDS`, None at a stage that does not count records;
    `parseability` holds denominator and rate by answer type; `issue_counts` the issues by code,
    none at GO; `failures_by_model` the responses on which two readers differ.
    """

    stage: Stage
    subject: str
    issue_counts: Mapping[str, int]
    records: Mapping[str, int] | None = None
    parseability: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    failures_by_model: Mapping[str, int] = field(default_factory=dict)

    @property
    def go(self) -> bool:
        return not self.issue_counts

    def as_json(self) -> dict[str, Any]:
        """The summary as JSON values, with its decision and what it permits to claim."""
        records = self.records or {}
        return {
            "schema": SCHEMA,
            "stage": self.stage,
            "subject": self.subject,
            "decision": "GO" if self.go else "NO-GO",
            "efficacy_analysis_performed": False,
            **{name: records.get(name) for name in RECORD_FIELDS},
            "parseability": {
                kind: {"denominator": found["denominator"], "rate": found["rate"]}
                for kind, found in sorted(self.parseability.items())
            },
            "issue_counts": dict(sorted(self.issue_counts.items())),
            "role_equivalence_failures_by_model": dict(sorted(self.failures_by_model.items())),
            "permitted_interpretation": permitted_interpretation(self.stage, self.issue_counts),
        }


def permitted_interpretation(stage: Stage, issue_codes: Iterable[str]) -> str:
    """Say what may be claimed from an audit, by its stage and the codes of its issues.

    Examples
    --------
    >>> permitted_interpretation("signals", ["missing_records"])
    'none: the records themselves are not sound'
    """
    codes = set(issue_codes)
    if stage not in STAGES:
        raise ValueError(f"permitted_interpretation: expected one of {STAGES}, found {stage!r}")
    if THRESHOLDS_CHANGED in codes:
        return "none: the thresholds changed after the first response"
    if _THRESHOLDS_UNKNOWN in codes:
        return "none: the thresholds of the first response are not known"
    if codes & set(_UNSOUND):
        return "none: the records themselves are not sound"
    if stage == "signals":
        return (
            "engineering integrity of the records only; no claim on accuracy, calibration, "
            "ranking or efficacy"
            if codes
            else "the signals may enter the formal efficacy run; the pilot itself is no evidence "
            "of efficacy"
        )
    return (
        "scorer requalification on canary rows only; no result of any model"
        if codes
        else "the scorer may score the formal run; its agreement with the second reader is no "
        "result of any model"
    )


def summarise(stage: Stage, subject: str, verdicts: Sequence[Verdict]) -> AuditSummary:
    """Count the issues of an audit's parts.

    Parameters
    ----------
    stage : what was audited.
    subject : whose cells, such as the experiment.
    verdicts : of `record_audit`, `signal_audit`, `scorer_audit` and `frozen_thresholds`; the
        records and their parseability are taken from the first, disagreements by model from
        the third.

    Raises
    ------
    ValueError
        Without a verdict, which would be GO for want of a question.
    """
    if not verdicts:
        raise ValueError(f"summarise: {stage} {subject}: expected at least one verdict, found none")
    facts = {verdict.gate: verdict.facts for verdict in verdicts}
    records = facts.get("record_audit")
    counts = Counter(issue.code for verdict in verdicts for issue in unified(verdict))
    return AuditSummary(
        stage=stage,
        subject=subject,
        issue_counts=dict(counts),
        records=None if records is None else {name: records[name] for name in RECORD_FIELDS},
        parseability={} if records is None else records["parseability"],
        failures_by_model=facts.get("scorer_audit", {}).get("role_failures_by_model", {}),
    )


def unified(verdict: Verdict) -> tuple[Issue, ...]:
    """A verdict's issues by the codes of an audit."""
    if verdict.gate != "frozen_thresholds":
        return verdict.issues
    return tuple(
        Issue(THRESHOLDS_CHANGED if i.code == "changed" else i.code, i.where, i.message)
        for i in verdict.issues
    )


def summary_faults(value: object) -> list[str]:
    """Find what is wrong with a summary that was read from a file.

    Parameters
    ----------
    value : JSON values, of whatever shape.

    Returns
    -------
    list of str
        Sorted; empty for a summary that `AuditSummary.as_json` can have written: every field
        and no other, counts that add up, a decision that follows from the issues (GO at the
        signals stage needs records that were read), and the interpretation that it permits.

    Examples
    --------
    >>> summary = AuditSummary(stage="scorer", subject="e", issue_counts={})
    >>> summary_faults(summary.as_json())
    []
    >>> summary_faults({**summary.as_json(), "issue_counts": {"no_cells": 1}})[0]
    "decision: expected 'NO-GO', found 'GO'"
    """
    if not isinstance(value, Mapping):
        return [f"expected an object, found {type(value).__name__}"]
    faults = [f"{name}: expected a value, found none" for name in _FIELDS - set(value)]
    faults += [f"{name}: expected no such field" for name in set(value) - _FIELDS]
    if faults:
        return sorted(map(str, faults))
    if value["schema"] != SCHEMA:
        faults.append(f"schema: expected {SCHEMA!r}, found {value['schema']!r}")
    if value["stage"] not in STAGES:
        return [*faults, f"stage: expected one of {STAGES}, found {value['stage']!r}"]
    if not isinstance(value["subject"], str):
        faults.append(f"subject: expected text, found {value['subject']!r}")
    for name in ("issue_counts", "role_equivalence_failures_by_model"):
        if not _are_counts(value[name], least=name == "issue_counts"):
            faults.append(f"{name}: expected counts by name, found {value[name]!r}")
    faults += _record_faults(value) + _parse_faults(value)
    if not _are_counts(value["issue_counts"], least=1):
        return sorted(faults)
    codes = value["issue_counts"]
    if not faults and not codes and value["stage"] == "signals":
        faults += unjudged(value)
    faults += [f"issue_counts: expected a code, found {c!r}" for c in codes if not _CODE.match(c)]
    expected = {
        "decision": "NO-GO" if codes else "GO",
        "efficacy_analysis_performed": False,
        "permitted_interpretation": permitted_interpretation(value["stage"], codes),
    }
    faults += [
        f"{name}: expected {want!r}, found {value[name]!r}"
        for name, want in expected.items()
        if type(value[name]) is not type(want) or value[name] != want
    ]
    return sorted(faults)


def _record_faults(value: Mapping[str, Any]) -> list[str]:
    counts = {name: value[name] for name in RECORD_FIELDS}
    if value["stage"] != "signals" and all(count is None for count in counts.values()):
        return []
    if not _are_counts(counts, least=0):
        return [f"records: expected counts, found {counts}"]
    expected, observed, unique, missing, duplicate, unexpected, lost = counts.values()
    faults = []
    if observed != unique + duplicate:
        faults.append(f"observed_records: expected {unique + duplicate}, found {observed}")
    if unique != expected - missing + unexpected:
        faults.append(f"unique_records: expected {expected - missing + unexpected}, found {unique}")
    if lost > observed:
        faults.append(f"infrastructure_failures: expected at most {observed}, found {lost}")
    codes = value["issue_counts"]
    if isinstance(codes, Mapping):
        faults += [
            f"issue_counts: expected {name} for {counts[name]} of them, found none"
            for name in ("missing_records", "duplicate_records", "unexpected_records")
            if counts[name] and name not in codes
        ]
    return faults


def _parse_faults(value: Mapping[str, Any]) -> list[str]:
    found = value["parseability"]
    if not isinstance(found, Mapping):
        return [f"parseability: expected an object, found {found!r}"]
    faults = []
    for kind, figures in found.items():
        where = f"parseability.{kind}"
        if kind not in ANSWER_TYPES:
            faults.append(f"{where}: expected one of {ANSWER_TYPES}")
        elif not isinstance(figures, Mapping) or set(figures) != {"denominator", "rate"}:
            faults.append(f"{where}: expected denominator and rate, found {figures!r}")
        elif not _are_counts({"n": figures["denominator"]}, least=0):
            faults.append(f"{where}.denominator: expected a count, found {figures!r}")
        elif not _is_rate(figures["rate"], figures["denominator"]):
            faults.append(f"{where}.rate: expected a share of the denominator, found {figures!r}")
    return faults


def _is_rate(rate: object, denominator: int) -> bool:
    if denominator == 0 or rate is None:
        return denominator == 0 and rate is None
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
        return False
    return round(rate * denominator) / denominator == rate


def _are_counts(value: object, *, least: int) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(name, str) and type(count) is int and count >= least
        for name, count in value.items()
    )


__all__ = [
    "RECORD_FIELDS",
    "SCHEMA",
    "STAGES",
    "THRESHOLDS_CHANGED",
    "AuditSummary",
    "Stage",
    "permitted_interpretation",
    "summarise",
    "summary_faults",
    "unified",
]
