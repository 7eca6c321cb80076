"""Scorer integrity: a second, independent reader must agree with every score of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from harness.types import CellResult, Example, Issue, Response, Score, Verdict

Oracle = Callable[[str, str, tuple[str, ...]], str | None]
KINDS = ("choice", "yesno")
_NOTHING_TO_CHECK = "checks letters and yes or no; none here"
_TEXT_CHARS = 80
_READ = ("answered", "review")


@dataclass(frozen=True)
class _Row:
    """A response that both read: what the run's scorer made of it, and what the oracle does."""

    example: Example
    response: Response
    score: Score
    value: str | None

    @property
    def correct(self) -> bool:
        return self.value is not None and self.value == self.example.gold

    @property
    def agrees(self) -> bool:
        same = self.score.answer.value == self.value
        return same and self.score.correct == self.correct


def scorer_integrity(results: Sequence[CellResult], oracle: Oracle) -> Verdict:
    """Judge whether a slow, independently written reader comes to the scores of a run.

    Parameters
    ----------
    results : the cells, with their examples.
    oracle : gives the answer in a text of a kind, or None; such as
        `harness.scoring.oracle.oracle_answer`.

    Returns
    -------
    Verdict
        Issues: `scorer-response` for every response whose answer or correctness differs;
        `scorer-aggregate` for every cell whose number of right or of read answers differs;
        `scorer-winner` for every pair of cells of the same data, view, prompt and size whose
        order by right answers differs; `no_cells`; `nothing-checked` where no row at all could
        be read again, unless every one is of a kind that the oracle does not read: then the
        fact `nothing_to_check` says so. Rows that the response's status decided (failures,
        refusals, cut-off texts) are not read again. Facts: the counts, with `n_unchecked` rows
        of kinds that the oracle does not read, or without an example.
    """
    issues: list[Issue] = []
    if not results:
        issues.append(Issue("no_cells", "", "expected at least one cell, found none"))
    read = [_rows(result, oracle) for result in results]
    for result, rows in zip(results, read, strict=True):
        issues += [_response(result, row) for row in rows if not row.agrees]
        issues += _aggregate(result, rows)
    issues += _winners(results, read)
    n_checked = sum(len(rows) for rows in read)
    n_decided = sum(_decided(r, s) for result in results for r, s in _pairs(result))
    n_rows = sum(len(result.scores) for result in results)
    other_kinds = n_rows > 0 and all(map(_of_other_kinds, results))
    if results and not n_checked and not other_kinds:
        issues.append(
            Issue(
                "nothing-checked",
                "",
                f"expected at least one of {n_rows} responses to be read again, found none",
            )
        )
    counts = {
        f"n_{name}": sum(issue.code == f"scorer-{name}" for issue in issues)
        for name in ("response", "aggregate", "winner")
    }
    return Verdict(
        gate="scorer_integrity",
        issues=tuple(sorted(issues)),
        facts={
            "n_cells": len(results),
            "n_rows": n_rows,
            "n_checked": n_checked,
            "n_decided_by_status": n_decided,
            "n_unchecked": n_rows - n_checked - n_decided,
            "disagreements": counts,
            **({"nothing_to_check": _NOTHING_TO_CHECK} if other_kinds else {}),
        },
    )


def _of_other_kinds(result: CellResult) -> bool:
    """Whether every row is known to be of a kind that the oracle does not read."""
    kinds = {example.id: example.kind for example in result.examples}
    return all(kinds.get(s.example_id, KINDS[0]) not in KINDS for s in result.scores)


def _pairs(result: CellResult) -> list[tuple[Response, Score]]:
    return list(zip(result.responses, result.scores, strict=True))


def _decided(response: Response, score: Score) -> bool:
    """Whether the status, and not what the text says, decided the outcome."""
    return response.status != "ok" and score.outcome not in _READ


def _rows(result: CellResult, oracle: Oracle) -> list[_Row]:
    examples = {example.id: example for example in result.examples}
    rows = []
    for response, score in _pairs(result):
        example = examples.get(score.example_id)
        if example is None or example.kind not in KINDS or _decided(response, score):
            continue
        value = oracle(example.kind, response.text or "", example.choices)
        rows.append(_Row(example, response, score, value))
    return rows


def _response(result: CellResult, row: _Row) -> Issue:
    replicate = f" (replicate {row.score.replicate})" if result.cell.replicates > 1 else ""
    return Issue(
        "scorer-response",
        f"{result.cell.id} {row.score.example_id}{replicate}",
        f"the run reads {row.score.answer.value!r} ({row.score.answer.rule}), "
        f"{_right(row.score.correct)}; the oracle {row.value!r}, {_right(row.correct)}: "
        f"{_short(row.response.text or '')}",
    )


def _aggregate(result: CellResult, rows: Sequence[_Row]) -> list[Issue]:
    ours, theirs = _counts(rows)
    if ours == theirs:
        return []
    message = (
        f"of {len(rows)} responses the run reads {ours[1]} and finds {ours[0]} right; the oracle "
        f"reads {theirs[1]} and finds {theirs[0]} right"
    )
    return [Issue("scorer-aggregate", result.cell.id, message)]


def _counts(rows: Sequence[_Row]) -> tuple[tuple[int, int], tuple[int, int]]:
    """(right, read) of the run's scorer and of the oracle."""
    ours = sum(r.score.correct for r in rows), sum(r.score.outcome == "answered" for r in rows)
    return ours, (sum(r.correct for r in rows), sum(r.value is not None for r in rows))


def _winners(results: Sequence[CellResult], read: Sequence[Sequence[_Row]]) -> list[Issue]:
    issues = []
    for (one, rows), (other, other_rows) in combinations(zip(results, read, strict=True), 2):
        if not rows or _field(one, rows) != _field(other, other_rows):
            continue
        (ours, theirs), (other_ours, other_theirs) = _counts(rows), _counts(other_rows)
        before, after = ours[0] - other_ours[0], theirs[0] - other_theirs[0]
        if _sign(before) != _sign(after):
            issues.append(
                Issue(
                    "scorer-winner",
                    f"{one.cell.id} and {other.cell.id}",
                    f"right answers {ours[0]} and {other_ours[0]} by the run, {theirs[0]} and "
                    f"{other_theirs[0]} by the oracle: another order",
                )
            )
    return issues


def _field(result: CellResult, rows: Sequence[_Row]) -> tuple[object, ...]:
    cell = result.cell
    names = (cell.data, cell.view.name, cell.prompt.name, cell.variant)
    return (*names, result.example_ids, cell.replicates, len(rows))


def _sign(n: int) -> int:
    return (n > 0) - (n < 0)


def _right(correct: bool) -> str:
    return "right" if correct else "wrong"


def _short(text: str) -> str:
    return repr(text) if len(text) <= _TEXT_CHARS else f"{text[:_TEXT_CHARS]!r} …"


__all__ = ["KINDS", "Oracle", "scorer_integrity"]
