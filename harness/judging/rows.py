"""Stored judge replies, one record a judged answer, checked and read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import DataError
from harness.judging.verdicts import NOT_ASKED, judged, strict_match

_NAMES = ("judge", "model", "data", "id")
_SHOWN = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgeRow:
    """One judge's verdict on one model's answer to one example of a data set.

    `strict` and `liberal` are as in `harness.judging.verdicts.Judged`, and so is `rule`. `problem`
    is what a sub-question belongs to, "" for a whole question.
    """

    judge: str
    model: str
    data: str
    id: str
    strict: bool
    liberal: bool | None
    rule: str
    problem: str = ""


def judge_rows(
    records: Sequence[Mapping[str, Any]], *, strict_rule: str = "equal", undecided: str = "keep"
) -> list[JudgeRow]:
    """Read stored verdicts.

    Parameters
    ----------
    records : each with `judge`, `model`, `data` and `id`; `reply`, the judge's raw text (null
        where it was not asked), or `verdict`, true, false or null; `strict`, true or false, or
        `response` and `gold`, from which it is computed; perhaps `judgeable` (true unless stated)
        and `problem`.
    strict_rule : as `rule` of `harness.judging.verdicts.strict_match`.
    undecided : as in `harness.judging.verdicts.judged`.

    Returns
    -------
    list of JudgeRow
        In the order of the records.

    Raises
    ------
    DataError
        Listing the first faults with their record's number: a field that is missing or of the
        wrong type, both `reply` and `verdict`, an answer that one judge judged twice, two
        strict readings or problems of one answer; for another rule or policy.

    Examples
    --------
    >>> row = {"judge": "gpt-4o", "model": "m", "data": "d", "id": "q1", "strict": False}
    >>> [made.liberal for made in judge_rows([{**row, "reply": "Verdict: correct"}])]
    [True]
    """
    rows: list[JudgeRow] = []
    faults: list[str] = []
    seen: dict[tuple[str, ...], int] = {}
    shared: dict[tuple[str, ...], tuple[bool, str]] = {}
    for place, record in enumerate(records, start=1):
        fault = _fault(record)
        if fault:
            faults.append(f"record {place}: {fault}")
            continue
        row = _row(record, strict_rule, undecided)
        key = (row.judge, row.model, row.data, row.id)
        if key in seen:
            faults.append(
                f"record {place}: expected one verdict of {row.judge} on {row.model}, {row.data}, "
                f"{row.id}; found one in record {seen[key]} too"
            )
            continue
        seen[key] = place
        if shared.setdefault(key[1:], (row.strict, row.problem)) != (row.strict, row.problem):
            faults.append(
                f"record {place}: {row.model}, {row.data}, {row.id}: expected one strict reading "
                "and one problem for all judges, found two"
            )
            continue
        rows.append(row)
    if faults:
        more = f"\n  … and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        listed = "\n".join(f"  {fault}" for fault in faults[:_SHOWN])
        raise DataError(f"judge verdicts: {len(faults)} fault(s); correct them\n{listed}{more}")
    return rows


def _fault(record: Mapping[str, Any]) -> str:
    for name in _NAMES:
        value = record.get(name)
        if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
            return f"{name}: expected a text, found {value!r:.40}"
    if ("reply" in record) == ("verdict" in record):
        found = "both" if "reply" in record else "neither"
        return f"expected reply or verdict, found {found}"
    if not isinstance(record.get("reply"), str | None):
        return f"reply: expected a text or null, found {record['reply']!r:.40}"
    if not isinstance(record.get("verdict"), bool | None):
        return f"verdict: expected true, false or null, found {record['verdict']!r:.40}"
    if not isinstance(record.get("judgeable", True), bool):
        return f"judgeable: expected true or false, found {record['judgeable']!r:.40}"
    if not isinstance(record.get("problem", ""), str | int):
        return f"problem: expected a text, found {record['problem']!r:.40}"
    if "strict" in record:
        if not isinstance(record["strict"], bool):
            return f"strict: expected true or false, found {record['strict']!r:.40}"
    elif not all(isinstance(record.get(name), str) for name in ("response", "gold")):
        return "expected strict, or the texts response and gold"
    return ""


def _row(record: Mapping[str, Any], strict_rule: str, undecided: str) -> JudgeRow:
    strict = record.get("strict")
    if strict is None:
        strict = strict_match(record["response"], record["gold"], strict_rule)
    key = str(record["id"])
    found = judged(
        key,
        strict,
        record.get("reply"),
        judgeable=record.get("judgeable", True),
        undecided=undecided,
    )
    liberal, rule = found.liberal, found.rule
    if rule == NOT_ASKED and "verdict" in record and record["verdict"] is not None:
        liberal, rule = record["verdict"], "verdict"
    return JudgeRow(
        judge=str(record["judge"]),
        model=str(record["model"]),
        data=str(record["data"]),
        id=key,
        strict=strict,
        liberal=liberal,
        rule=rule,
        problem=str(record.get("problem", "")),
    )


__all__ = ["JudgeRow", "judge_rows"]
