"""The audits of a pilot as gates: signals and scorer, each with its summary among the facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from harness import ids
from harness.errors import StudyError
from harness.gates.audit import ANSWER_TYPES, audit_rows, expected_slots, record_audit
from harness.gates.completeness import completeness
from harness.gates.confidence import agreement, verbal, vote_share
from harness.gates.frozen import frozen_thresholds
from harness.gates.scorer_integrity import Oracle, scorer_integrity
from harness.gates.signals import SignalCell, signal_audit, signal_limits
from harness.gates.summary import Stage, summarise, unified
from harness.scoring.oracle import oracle_answer
from harness.study import Study
from harness.types import Cell, CellResult, Gate, Issue, Verdict

Frozen = tuple[Mapping[str, Any], Mapping[str, Any]]
Condition = tuple[str, str, str, str]
_SCORER_CODES = {
    "scorer-response": "canary_role_equivalence_failed",
    "scorer-aggregate": "canary_aggregate_equivalence_failed",
    "scorer-winner": "canary_winner_mismatch",
    "nothing-checked": "nothing_checked",
}
_RECORD_CODES = {"misaligned": "records_misaligned", "sample_size": "sample_size"}


def scorer_audit(results: Sequence[CellResult], oracle: Oracle = oracle_answer) -> Verdict:
    """Judge whether the scorer of a run and a second reader are equivalent on its canary.

    Parameters
    ----------
    results : the cells, with their examples.
    oracle : the second reader; see `scorer_integrity`.

    Returns
    -------
    Verdict
        Issues: `canary_role_equivalence_failed` per response that the two readers, each in its
        role, read or judge differently; `canary_aggregate_equivalence_failed` per cell whose
        number of right or read answers differs; `canary_winner_mismatch` per pair of comparable
        cells whose order differs; `no_cells`; `nothing_checked` where no response at all is of a
        kind that the second reader reads. Facts: those of `scorer_integrity`, and
        `role_failures_by_model`.
    """
    found = scorer_integrity(results, oracle)
    issues = [Issue(_SCORER_CODES.get(i.code, i.code), i.where, i.message) for i in found.issues]
    if results and not found.facts["n_checked"] and not issues:
        message = "expected at least one response that the second reader reads, found none"
        issues.append(Issue("nothing_checked", "", message))
    models = {result.cell.id: result.cell.model.name for result in results}
    failures = Counter(dict.fromkeys(models.values(), 0))
    # A cell's id holds no blank, so what stands before the first one names the cell.
    failures.update(
        models[i.where.partition(" ")[0]] for i in found.issues if i.code == "scorer-response"
    )
    return Verdict(
        gate="scorer_audit",
        issues=tuple(sorted(issues)),
        facts={**found.facts, "role_failures_by_model": dict(sorted(failures.items()))},
    )


def audit_gates(
    study: Study,
    cells: Sequence[Cell],
    *,
    verbal_prompts: Collection[str] = (),
    agreeing_prompts: Sequence[str] = (),
) -> list[Gate]:
    """Make the audits of a pilot: one gate for its records and signals, one for its scorer.

    The thresholds are the study's `[gates]`: `min_parse_rate_by_type` (else `min_parse_rate`),
    `max_infrastructure_share`, `min_confidence_coverage`, `max_ece`, `min_auroc`. A confidence
    limit that the study does not state is an issue, and so is one that is not what it was at the
    first response.

    Parameters
    ----------
    study : at a tier, as the plugin hands it to `gates(study)`.
    cells : of the pilot. Those with several replicates give the signal `vote_share`.
    verbal_prompts : names of the prompts that ask for a confidence in figures.
    agreeing_prompts : names of two or more prompts whose answers are held against each other,
        per data set, model, view and variant; the first one's answer counts.

    Raises
    ------
    ValueError
        For a study without a tier.
    StudyError
        For a prompt without a cell, a single agreeing prompt, and cells of which some have one
        of the agreeing prompts and not the others.
    """
    if study.tier is None:
        raise ValueError("audit_gates() needs a study at a tier")
    _check_prompts(cells, verbal_prompts, agreeing_prompts)
    subject = ids.slug(study.experiment)
    limits = study.thresholds
    first = study.frozen if study.thresholds_first is None else study.thresholds_first
    judges = {
        "signals": partial(
            _judge_signals,
            subject=subject,
            thresholds=limits,
            frozen=(study.frozen, first),
            verbal_prompts=tuple(verbal_prompts),
            agreeing_prompts=tuple(agreeing_prompts),
        ),
        "scorer": partial(_judge_scorer, subject=subject, frozen=(study.frozen, first)),
    }
    return [
        Gate(
            name=f"audit-{stage}",
            subject=subject,
            tier=study.tier,
            cells=tuple(cells),
            judge=judge,
        )
        for stage, judge in judges.items()
    ]


def parse_floors(thresholds: Mapping[str, Any]) -> dict[str, float]:
    """The floor of readable answers by answer type; the general one where a type has none.

    Examples
    --------
    >>> parse_floors({"min_parse_rate": 0.9, "min_parse_rate_by_type": {"free_response": 0.6}})
    {'multiple_choice': 0.9, 'free_response': 0.6}
    """
    by_type = thresholds.get("min_parse_rate_by_type") or {}
    general = thresholds["min_parse_rate"]
    return {kind: by_type.get(kind, general) for kind in ANSWER_TYPES}


def _judge_signals(
    results: Sequence[CellResult],
    *,
    subject: str,
    thresholds: Mapping[str, Any],
    frozen: Frozen,
    verbal_prompts: Sequence[str],
    agreeing_prompts: Sequence[str],
) -> Verdict:
    share = thresholds["max_infrastructure_share"]
    records = record_audit(
        audit_rows(results),
        expected=expected_slots(results),
        floors=parse_floors(thresholds),
        max_infrastructure_share=share,
    )
    whole = completeness(
        results,
        expected_ids=[result.example_ids for result in results],
        max_infrastructure_share=share,
    )
    others = [
        Issue(_RECORD_CODES[i.code], i.where, i.message)
        for i in whole.issues
        if i.code in _RECORD_CODES
    ]
    records = Verdict(
        gate=records.gate, issues=tuple(sorted([*records.issues, *others])), facts=records.facts
    )
    signals = signal_audit(
        _signals(results, verbal_prompts, agreeing_prompts), signal_limits(thresholds)
    )
    return _merged("signals", subject, [records, signals, frozen_thresholds(*frozen)])


def _judge_scorer(results: Sequence[CellResult], *, subject: str, frozen: Frozen) -> Verdict:
    return _merged("scorer", subject, [scorer_audit(results), frozen_thresholds(*frozen)])


def _merged(stage: Stage, subject: str, verdicts: Sequence[Verdict]) -> Verdict:
    summary = summarise(stage, subject, verdicts).as_json()
    facts = {v.gate: dict(v.facts) for v in verdicts if v.gate != "frozen_thresholds"}
    return Verdict(
        gate=f"audit_{stage}",
        issues=tuple(sorted(issue for verdict in verdicts for issue in unified(verdict))),
        facts={"summary": summary, **facts},
    )


def _check_prompts(
    cells: Sequence[Cell], verbal_prompts: Collection[str], agreeing_prompts: Sequence[str]
) -> None:
    """A signal that was asked for must not vanish for want of cells."""
    names = {cell.prompt.name for cell in cells}
    foreign = sorted({*verbal_prompts, *agreeing_prompts} - names)
    if foreign:
        raise StudyError(f"audit_gates: expected prompts among {sorted(names)}, found {foreign}")
    if not agreeing_prompts:
        return
    wanted = set(agreeing_prompts)
    groups: dict[Condition, set[str]] = {}
    for cell in cells:
        if cell.replicates == 1 and cell.prompt.name in wanted:
            groups.setdefault(_condition(cell), set()).add(cell.prompt.name)
    if len(wanted) < 2 or not groups or any(found != wanted for found in groups.values()):
        raise StudyError(
            "audit_gates: expected two or more agreeing prompts, each with a cell of one replicate "
            f"wherever another has one, found {list(agreeing_prompts)}"
        )


def _condition(cell: Cell) -> Condition:
    return cell.data, cell.model.name, cell.view.name, cell.variant


def _signals(
    results: Sequence[CellResult], verbal_prompts: Sequence[str], agreeing_prompts: Sequence[str]
) -> list[SignalCell]:
    found = [verbal(r) for r in results if r.cell.prompt.name in verbal_prompts]
    found += [vote_share(r) for r in results if r.cell.replicates > 1]
    groups: dict[Condition, dict[str, CellResult]] = {}
    for result in results:
        cell = result.cell
        if cell.replicates == 1 and cell.prompt.name in agreeing_prompts:
            groups.setdefault(_condition(cell), {})[cell.prompt.name] = result
    for group in groups.values():
        first, *others = (group[name] for name in dict.fromkeys(agreeing_prompts))
        found.append(agreement(first, others))
    return found


__all__ = ["audit_gates", "parse_floors", "scorer_audit"]
