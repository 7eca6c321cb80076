"""The formal efficacy run is refused while an audit of its pilot says NO-GO."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.errors import NoGo
from harness.gates.summary import STAGES, summary_faults, unified
from harness.types import Issue, Verdict


def efficacy_lock(audits: Sequence[tuple[str, Verdict]]) -> Verdict:
    """Judge whether a formal run may start, from the audits that it names.

    Parameters
    ----------
    audits : (name of the audit, its verdict).

    Returns
    -------
    Verdict
        The issues of every audit, with the audit's name before the place; `no_audit` when none
        is named, since a run that nothing qualifies is refused too. Facts: the decision by
        audit.

    Examples
    --------
    >>> found = Verdict(gate="record_audit", issues=(Issue("missing_records", "m/clean", "1"),))
    >>> efficacy_lock([("pilot", found)]).issues[0].where
    'pilot: m/clean'
    """
    issues = [
        Issue(issue.code, f"{name}: {issue.where}" if issue.where else name, issue.message)
        for name, verdict in audits
        for issue in unified(verdict)
    ]
    if not audits:
        issues.append(_no_audit())
    return Verdict(
        gate="efficacy",
        issues=tuple(sorted(issues)),
        facts={"audits": {name: "GO" if v.go else "NO-GO" for name, v in audits}},
    )


def requires_go(summaries: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a formal run unless both audits, of signals and of scorer, are there and say GO.

    Parameters
    ----------
    summaries : as `AuditSummary.as_json` writes them; a summary that is not whole is no GO.

    Raises
    ------
    NoGo
        With every reason at once: each issue code and its count per NO-GO summary, each fault
        of an invalid summary (`invalid_summary`), and `no_audit` for each stage without a valid
        summary, once when there is no summary at all.

    Examples
    --------
    >>> requires_go([])
    Traceback (most recent call last):
    harness.errors.NoGo: efficacy: NO-GO, 1 issue(s)
    """
    issues = [] if summaries else [_no_audit()]
    stages = set()
    for place, summary in enumerate(summaries):
        faults = summary_faults(summary)
        if faults:
            issues += [Issue("invalid_summary", f"summary {place}", fault) for fault in faults]
            continue
        stages.add(summary["stage"])
        where = f"{summary['stage']} audit of {summary['subject']}"
        issues += [
            Issue(
                code, where, f"{count} issue(s); permitted: {summary['permitted_interpretation']}"
            )
            for code, count in summary["issue_counts"].items()
        ]
    if summaries:
        issues += [_no_audit(stage) for stage in STAGES if stage not in stages]
    if issues:
        raise NoGo("efficacy", issues)


def _no_audit(stage: str = "") -> Issue:
    kind = f"valid summary of the {stage} audit" if stage else "audit"
    message = f"expected at least one {kind} that qualifies the formal run, found none"
    return Issue("no_audit", stage, message)


__all__ = ["efficacy_lock", "requires_go"]
