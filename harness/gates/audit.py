"""Record audit: which responses are there, and how many of them can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

from harness.types import CellResult, Issue, Outcome, Verdict

AnswerType = Literal["multiple_choice", "free_response"]
ANSWER_TYPES: tuple[AnswerType, ...] = get_args(AnswerType)
Slot = tuple[str, str, int]
_CLOSED = ("choice", "yesno", "preference")
_INFRASTRUCTURE = ("resource_error", "runtime_error")
_SHOWN = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditRow:
    """One observed record: whose it is, what kind of answer is asked for, what became of it."""

    cell: str
    example_id: str
    replicate: int = 0
    answer_type: AnswerType
    outcome: Outcome

    @property
    def slot(self) -> Slot:
        return self.cell, self.example_id, self.replicate


def record_audit(
    rows: Sequence[AuditRow],
    *,
    expected: Sequence[Slot],
    floors: Mapping[str, float],
    max_infrastructure_share: float,
) -> Verdict:
    """Judge whether a pilot's records are all there, once each, and readable.

    Parameters
    ----------
    rows : the observed records.
    expected : (cell, example id, replicate) of every record that should be there, each once.
    floors : smallest permitted share of readable answers by answer type, inclusive, 0 to 1.
    max_infrastructure_share : largest permitted share of a cell's expected records that are
        resource or runtime errors, inclusive, 0 to 1.

    Returns
    -------
    Verdict
        Issues, each per cell: `missing_records`, `duplicate_records`, `unexpected_records`,
        `infrastructure_failures`; per cell and answer type
        `answer_parseability_cell_below_threshold`, and `answer_parseability_cell_undefined`
        where every record was lost to the machine; per answer type without a floor
        `answer_parseability_floor_missing`; `no_records` when none is expected. Facts: the seven
        counts, the parseability per answer type, and per cell and answer type. A record is
        readable when its outcome is `answered`; the denominator holds expected records, each
        once, without resource and runtime errors. A rate over nothing is None.

    Raises
    ------
    ValueError
        For a slot expected twice, an answer type that does not exist, and a limit outside 0
        to 1.

    Examples
    --------
    >>> row = AuditRow(
    ...     cell="m/clean", example_id="q1", answer_type="free_response", outcome="review"
    ... )
    >>> verdict = record_audit(
    ...     [row],
    ...     expected=[("m/clean", "q1", 0), ("m/clean", "q2", 0)],
    ...     floors={"free_response": 0.9},
    ...     max_infrastructure_share=0,
    ... )
    >>> [issue.code for issue in verdict.issues]
    ['answer_parseability_cell_below_threshold', 'missing_records']
    """
    _check(rows, expected, {**floors, "max_infrastructure_share": max_infrastructure_share})
    wanted, present = set(expected), Counter(row.slot for row in rows)
    lists = {
        "missing": sorted(wanted - set(present)),
        "duplicate": sorted(slot for slot, count in present.items() if count > 1),
        "unexpected": sorted(set(present) - wanted),
    }
    issues = [issue for code, slots in lists.items() for issue in _named(code, slots)]
    if not expected:
        issues.append(Issue("no_records", "", "expected at least one record, found none expected"))
    issues += _infrastructure(rows, expected, max_infrastructure_share)
    first = {row.slot: row for row in reversed(rows) if row.slot in wanted}
    cells = _parse_cells(first.values())
    issues += [issue for cell in cells if (issue := _parse_issue(cell, floors)) is not None]
    issues += [
        Issue(
            "answer_parseability_floor_missing",
            kind,
            f"expected a frozen floor for answers of type {kind}, found floors for "
            f"{sorted(floors) or 'none'}; set it in the study's [gates]",
        )
        for kind in sorted({cell["answer_type"] for cell in cells} - set(floors))
    ]
    facts = {
        "expected_records": len(wanted),
        "observed_records": len(rows),
        "unique_records": len(present),
        "missing_records": len(lists["missing"]),
        "duplicate_records": len(rows) - len(present),
        "unexpected_records": len(lists["unexpected"]),
        "infrastructure_failures": sum(row.outcome in _INFRASTRUCTURE for row in rows),
        "max_infrastructure_share": max_infrastructure_share,
        "parseability": _by_type(cells, floors),
        "cells": cells,
    }
    return Verdict(gate="record_audit", issues=tuple(sorted(issues)), facts=facts)


def audit_rows(results: Sequence[CellResult]) -> list[AuditRow]:
    """Take the observed records of cells from their scores.

    An answer from a closed set (a choice, yes or no, a preference) is `multiple_choice`, every
    other one `free_response`; so is that to an example that the cell does not hold.
    """
    rows = []
    for result in results:
        kinds = {example.id: example.kind for example in result.examples}
        rows += [
            AuditRow(
                cell=result.cell.id,
                example_id=score.example_id,
                replicate=score.replicate,
                answer_type=(
                    "multiple_choice" if kinds.get(score.example_id) in _CLOSED else "free_response"
                ),
                outcome=score.outcome,
            )
            for score in result.scores
        ]
    return rows


def expected_slots(results: Sequence[CellResult]) -> list[Slot]:
    """Every example of every cell, once per replicate."""
    return [
        (result.cell.id, name, replicate)
        for result in results
        for name in result.example_ids
        for replicate in range(result.cell.replicates)
    ]


def _check(rows: Sequence[AuditRow], expected: Sequence[Slot], shares: Mapping[str, float]) -> None:
    if len(set(expected)) < len(expected):
        twice = [slot for slot, count in Counter(expected).items() if count > 1]
        raise ValueError(f"record_audit: expected each slot once, found twice: {twice[:_SHOWN]}")
    foreign = {str(row.answer_type) for row in rows} - set(ANSWER_TYPES)
    if foreign:
        raise ValueError(
            f"record_audit: expected answer types among {list(ANSWER_TYPES)}, found "
            f"{sorted(foreign)}"
        )
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise ValueError(f"record_audit: {name}: expected a share of 0 to 1, found {share}")


def _named(code: str, slots: Sequence[Slot]) -> list[Issue]:
    by_cell: dict[str, list[str]] = {}
    for cell, name, replicate in slots:
        shown = f"{name} (replicate {replicate})" if replicate else name
        by_cell.setdefault(cell, []).append(shown)
    return [
        Issue(
            f"{code}_records",
            cell,
            f"{len(names)} {code} record(s): {', '.join(names[:_SHOWN])}"
            + (" …" if len(names) > _SHOWN else ""),
        )
        for cell, names in sorted(by_cell.items())
    ]


def _infrastructure(
    rows: Sequence[AuditRow], expected: Sequence[Slot], limit: float
) -> list[Issue]:
    sizes = Counter(cell for cell, _, _ in expected)
    lost: dict[str, list[str]] = {}
    for row in rows:
        if row.outcome in _INFRASTRUCTURE:
            lost.setdefault(row.cell, []).append(f"{row.example_id} ({row.outcome})")
    return [
        Issue(
            "infrastructure_failures",
            cell,
            f"{len(names)} of {sizes[cell]} records were lost to the machine, permitted share "
            f"{limit}: {', '.join(names[:_SHOWN])}" + (" …" if len(names) > _SHOWN else ""),
        )
        for cell, names in sorted(lost.items())
        if not sizes[cell] or Fraction(len(names), sizes[cell]) > _exact(limit)
    ]


def _parse_cells(rows: Iterable[AuditRow]) -> list[dict[str, Any]]:
    """Per cell and answer type: how many records count, and how many of them are readable."""
    counted: Counter[tuple[str, str]] = Counter()
    parsed: Counter[tuple[str, str]] = Counter()
    for row in rows:
        key = (row.cell, row.answer_type)
        counted[key] += row.outcome not in _INFRASTRUCTURE
        parsed[key] += row.outcome == "answered"
    return [
        {"cell": cell, "answer_type": kind, "n_parsed": parsed[cell, kind], "n": n}
        for (cell, kind), n in sorted(counted.items())
    ]


def _parse_issue(cell: Mapping[str, Any], floors: Mapping[str, float]) -> Issue | None:
    kind, n_parsed, n = cell["answer_type"], cell["n_parsed"], cell["n"]
    where = f"{cell['cell']} {kind}"
    if n == 0:
        message = "no record counts, so there is no share of readable answers to judge"
        return Issue("answer_parseability_cell_undefined", where, message)
    if kind not in floors or Fraction(n_parsed, n) >= _exact(floors[kind]):
        return None
    return Issue(
        "answer_parseability_cell_below_threshold",
        where,
        f"expected a readable answer in at least {floors[kind]:.2%} of the records, found "
        f"{n_parsed} of {n} ({n_parsed / n:.2%})",
    )


def _by_type(
    cells: Sequence[Mapping[str, Any]], floors: Mapping[str, float]
) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for kind in ANSWER_TYPES:
        mine = [cell for cell in cells if cell["answer_type"] == kind]
        n, n_parsed = sum(cell["n"] for cell in mine), sum(cell["n_parsed"] for cell in mine)
        if mine:
            found[kind] = {
                "denominator": n,
                "n_parsed": n_parsed,
                "rate": n_parsed / n if n else None,
                "floor": floors.get(kind),
                "n_cells": len(mine),
            }
    return found


def _exact(limit: float) -> Fraction:
    return Fraction(repr(float(limit)))


__all__ = [
    "ANSWER_TYPES",
    "AnswerType",
    "AuditRow",
    "Slot",
    "audit_rows",
    "expected_slots",
    "record_audit",
]
