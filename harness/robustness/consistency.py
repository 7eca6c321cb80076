"""Several answers to one question: votes, two runs, and what each way of answering costs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from harness.robustness.archive import Archive, Place, StudyCell
from harness.robustness.counts import GateCounts, count_cell, count_gate, left_out
from harness.robustness.gate_rows import COST, CURVE, cost_row, gate_row
from harness.robustness.matrix import Measured, measured_of
from harness.robustness.settings import TableSettings
from harness.stats.agreement_gates import Gate
from harness.stats.selective import Selection
from harness.stats.voting import Replicates, self_consistency, two_run_gate
from harness.table import Table, Value, lacking

CONDITIONS = ("clean", "distractor_3", "downsample_25")
SINGLE, TWO = "single_stochastic_run", "same_prompt_two_run_agreement"
COST_THRESHOLDS = (0.625, 0.75)
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, kw_only=True, slots=True)
class Votes:
    """What repeated answers accept: the first alone, the first two, and votes by threshold."""

    single: GateCounts
    two: GateCounts
    votes: Mapping[float, GateCounts]
    n_tied: int = 0
    n_unparsed: int = 0


def count_votes(cell: StudyCell, settings: TableSettings) -> Votes:
    """Count over the examples that have all replicates, none of them failed.

    The others are dropped and listed: a share of votes over fewer answers is another signal.
    """
    table, dropped = [], []
    for name, rows in cell.rows.items():
        numbers = [row.response.replicate for row in rows]
        if numbers != list(range(settings.n_replicates)) or any(r.correct is None for r in rows):
            dropped.append(name)
            continue
        table.append(
            Replicates(
                id=name,
                answers=[row.answer for row in rows],
                correct=[int(row.correct is True) for row in rows],
            )
        )
    lost = tuple(sorted(dropped))
    first = sum(row.correct[0] for row in table)
    found = self_consistency(table, settings.thresholds, settings.n_replicates)

    def made(gate: Gate) -> GateCounts:
        m = gate.metrics
        return GateCounts(
            selection=Selection(
                n=m.n,
                n_correct=m.n_correct,
                n_accepted=m.n_accepted,
                n_accepted_correct=m.n_accepted_correct,
            ),
            dropped=lost,
        )

    n = len(table)
    single = Selection(n=n, n_correct=first, n_accepted=n, n_accepted_correct=first)
    return Votes(
        single=GateCounts(selection=single, dropped=lost),
        two=made(two_run_gate(table, settings.n_replicates)),
        votes={threshold: made(gate) for threshold, gate in found.gates},
        n_tied=found.n_tied,
        n_unparsed=found.n_unparsed,
    )


def vote_rows(condition: str, votes: Votes, settings: TableSettings) -> list[dict[str, Value]]:
    """The rows of `self_consistency_risk_coverage` for one view."""
    rows: list[dict[str, Value]] = []
    several = votes_name(settings.n_replicates)
    for method, threshold, counts in (
        (SINGLE, None, votes.single),
        (TWO, 1.0, votes.two),
        *((several, threshold, counts) for threshold, counts in votes.votes.items()),
    ):
        labels = {"condition": condition, "method": method, "threshold": threshold}
        chance = method != SINGLE
        rows.append(gate_row(labels, counts, settings, CURVE, with_random=chance))
    return rows


def votes_name(n: int) -> str:
    """The name of the vote over n answers.

    Examples
    --------
    >>> votes_name(8)
    'eight_run_majority_confidence'
    """
    number = _NUMBERS[n] if n < len(_NUMBERS) else str(n)
    return f"{number}_run_majority_confidence"


def self_consistency_risk_coverage(cells: Archive, settings: TableSettings) -> Table:
    """Risk and coverage of votes over repeated answers of the focus, by view and threshold."""
    name = "self_consistency_risk_coverage"
    places = [_sampled(settings, view) for view in CONDITIONS]
    found, missing = cells.take(places)
    if missing:
        return lacking(name, CURVE, missing)
    rows, named, ties = [], {}, []
    for place in places:
        votes = count_votes(found[place], settings)
        rows += vote_rows(place.condition, votes, settings)
        named[place.condition] = votes.single
        ties.append(f"{place.condition} {votes.n_tied} tied, {votes.n_unparsed} without an answer")
    note = (
        f"Examples with fewer than {settings.n_replicates} valid answers are dropped. A vote needs "
        "one leading answer; its confidence is the leader's share of the answers that were read. "
        "A tie is wrong and never accepted. The baseline of the votes is the accuracy of the "
        "majority, that of the other two rows the accuracy of the first answer. Intervals redraw "
        f"all questions (exact distribution, no seed). Votes: {'; '.join(ties)}. {left_out(named)}"
    )
    return Table(name=name, columns=CURVE, rows=tuple(rows), note=note.strip())


def inference_cost_summary(cells: Archive, settings: TableSettings) -> Table:
    """Generations, tokens and, where measured, seconds for a question, and what they buy."""
    name = "inference_cost_summary"
    paper = Place("design", settings.focus, "clean", settings.paper)
    evidence = paper._replace(prompt=settings.evidence)
    sampled = _sampled(settings, "clean")
    found, missing = cells.take((paper, evidence, sampled))
    if missing:
        return lacking(name, COST, missing)
    votes = count_votes(found[sampled], settings)
    once = count_cell(found[paper].first.values())
    dual = count_gate(found[paper].first, found[evidence].first, settings.on_unpaired)
    alone = Selection(
        n=once.n_valid,
        n_correct=once.n_correct,
        n_accepted=once.n_valid,
        n_accepted_correct=once.n_correct,
    )
    costs = {place: _cost(found[place]) for place in (paper, evidence, sampled)}
    rows = cost_rows(
        {"single": alone, "dual": dual.selection, "two": votes.two.selection}
        | {f"{t:g}": votes.votes[t].selection for t in COST_THRESHOLDS if t in votes.votes},
        {"paper": costs[paper], "evidence": costs[evidence], "sampled": costs[sampled]},
        settings,
    )
    note = (
        "A cost is the mean over one generation times the generations of a question; two of "
        "several answers cost their mean twice. "
        f"{left_out({'dual prompt': dual, 'votes': votes.single})}"
    ).strip()
    return Table(name=name, columns=COST, rows=tuple(rows), note=note)


Cost = tuple[float | None, float | None]


def cost_rows(
    selections: Mapping[str, Selection], costs: Mapping[str, Cost], settings: TableSettings
) -> list[dict[str, Value]]:
    """The rows of `inference_cost_summary`.

    Parameters
    ----------
    selections : of `single`, `dual`, `two` and of thresholds as text, such as "0.625".
    costs : (mean tokens, mean seconds) of one generation of `paper`, `evidence`, `sampled`.
    settings : `n_replicates` of them make a vote.
    """
    n = settings.n_replicates
    number = _NUMBERS[n].capitalize() if n < len(_NUMBERS) else str(n)
    ways: list[tuple[str, str, dict[str, int]]] = [
        ("Paper unconditional", "single", {"paper": 1}),
        ("Dual prompt", "dual", {"paper": 1, "evidence": 1}),
        ("Same prompt x2", "two", {"sampled": 2}),
    ]
    for name in selections:
        if name not in ("single", "dual", "two"):
            ways.append((f"{number}-run vote threshold {name}", name, {"sampled": n}))
    rows = []
    for title, name, outputs in ways:
        tokens, seconds = (
            _total([(costs[kind][which], times) for kind, times in outputs.items()])
            for which in (0, 1)
        )
        total = sum(outputs.values())
        rows.append(cost_row(title, total, tokens, seconds, selections[name]))
    return rows


def _total(parts: list[tuple[float | None, int]]) -> float | None:
    known = [(value, times) for value, times in parts if value is not None]
    if len(known) < len(parts):
        return None
    return math.fsum(value * times for value, times in known)


def _cost(cell: StudyCell) -> Cost:
    counts = count_cell(row for rows in cell.rows.values() for row in rows)
    told = measured_of(cell) or Measured()
    return counts.mean_tokens, told.mean_latency_s


def _sampled(settings: TableSettings, view: str) -> Place:
    return Place("design", settings.focus, view, settings.paper, "global", True)


__all__ = [
    "CONDITIONS",
    "SINGLE",
    "TWO",
    "Votes",
    "cost_rows",
    "count_votes",
    "inference_cost_summary",
    "self_consistency_risk_coverage",
    "vote_rows",
    "votes_name",
]
