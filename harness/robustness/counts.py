"""From rows to counts: a cell, a pair of cells, a gate over two prompts."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.robustness.archive import Row
from harness.stats.agreement import answer_agreement
from harness.stats.agreement_gates import dual_prompt_gate
from harness.stats.checks import StatisticsError
from harness.stats.pairing import pair
from harness.stats.selective import Selection

_FEW = 5
_FAILED = ("resource_error", "runtime_error")


@dataclass(frozen=True, kw_only=True, slots=True)
class CellCounts:
    """What a cell amounts to.

    `n` counts rows, `n_unique` examples, `n_errors` the rows that failed and leave accuracy,
    `n_resource_error` those of them that ran out of memory. `n_unread` are the rows without an
    answer that could be read, failed ones among them. `n_parsed` are the rows that count as
    parsed. `mean_tokens` is over the rows whose tokens were counted, None without any.
    """

    n: int
    n_unique: int
    n_correct: int
    n_errors: int
    n_unread: int
    n_parsed: int
    n_resource_error: int = 0
    mean_tokens: float | None = None

    @property
    def n_valid(self) -> int:
        return self.n - self.n_errors


@dataclass(frozen=True, kw_only=True, slots=True)
class PairedCounts:
    """Two cells on the same examples.

    `n` pairs count on both sides: `both_correct`, `left_only`, `right_only` and the rest.
    `n_agree` pairs have the same answer, `n_unparsed` lack one on a side (None: not known).
    `dropped` are the ids that a side excludes, `unpaired` those that a side lacks.
    """

    n: int
    both_correct: int
    left_only: int
    right_only: int
    n_agree: int
    n_unparsed: int | None = None
    dropped: tuple[str, ...] = ()
    unpaired: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class GateCounts:
    """What a gate accepts of a set of questions, and the ids that it could not judge."""

    selection: Selection
    dropped: tuple[str, ...] = ()
    unpaired: tuple[str, ...] = ()


def count_cell(rows: Iterable[Row]) -> CellCounts:
    """Count the rows of a cell, every replicate a row of its own."""
    listed = list(rows)
    tokens = [r.response.n_tokens for r in listed if r.response.n_tokens is not None]
    n_read = sum(row.answer is not None for row in listed)
    return CellCounts(
        n=len(listed),
        n_unique=len({row.example.id for row in listed}),
        n_correct=sum(row.correct is True for row in listed),
        n_errors=sum(row.outcome in _FAILED for row in listed),
        n_unread=len(listed) - n_read,
        n_parsed=n_read,
        n_resource_error=sum(row.outcome == "resource_error" for row in listed),
        mean_tokens=math.fsum(tokens) / len(tokens) if tokens else None,
    )


def count_pairs(
    left: Mapping[str, Row], right: Mapping[str, Row], on_unpaired: str
) -> PairedCounts:
    """Join two cells by example id.

    Parameters
    ----------
    left, right : rows by example id.
    on_unpaired : "error" or "report", as in `harness.stats.pairing.pair`.

    Raises
    ------
    StatisticsError
        `unpaired_ids`, `unknown_policy`.
    """
    table = pair(_outcomes(left), _outcomes(right), on_unpaired)
    dropped, unpaired = set(table.dropped), {*table.only_a, *table.only_b}
    kept = [name for name in left if name not in dropped and name not in unpaired]
    agreed = answer_agreement([left[i].answer for i in kept], [right[i].answer for i in kept])
    return PairedCounts(
        n=table.n_pairs,
        both_correct=table.n11,
        left_only=table.n10,
        right_only=table.n01,
        n_agree=agreed.n_agree,
        n_unparsed=agreed.n_unparsed,
        dropped=tuple(sorted(map(str, dropped))),
        unpaired=tuple(sorted(map(str, unpaired))),
    )


def count_gate(
    paper: Mapping[str, Row],
    evidence: Mapping[str, Row],
    on_unpaired: str,
    ids: Collection[str] | None = None,
) -> GateCounts:
    """Count what the agreement of two prompts accepts; the first prompt's answer is scored.

    Parameters
    ----------
    paper, evidence : rows by example id.
    on_unpaired : as in `count_pairs`.
    ids : the questions to judge; None for all.

    Raises
    ------
    StatisticsError
        As `count_pairs`.
    """
    wanted = {*paper, *evidence} if ids is None else set(ids)
    first = {name: row for name, row in paper.items() if name in wanted}
    second = {name: row for name, row in evidence.items() if name in wanted}
    table = pair(_outcomes(first), _outcomes(second), on_unpaired)
    left_out = {*table.dropped, *table.only_a, *table.only_b}
    kept = [name for name in first if name not in left_out]
    found = dual_prompt_gate(
        kept,
        [first[name].answer for name in kept],
        [second[name].answer for name in kept],
        [first[name].correct is True for name in kept],
    ).metrics
    return GateCounts(
        selection=Selection(
            n=found.n,
            n_correct=found.n_correct,
            n_accepted=found.n_accepted,
            n_accepted_correct=found.n_accepted_correct,
        ),
        dropped=tuple(map(str, table.dropped)),
        unpaired=tuple(sorted(map(str, (*table.only_a, *table.only_b)))),
    )


def joined(parts: Sequence[Mapping[str, Row]]) -> dict[str, Row]:
    """Rows of several cells as one; an id in two of them is a `duplicate_id`."""
    rows: dict[str, Row] = {}
    for part in parts:
        for name, row in part.items():
            if name in rows:
                raise StatisticsError(
                    "duplicate_id", f"expected each example in one part, found {name!r} in two"
                )
            rows[name] = row
    return rows


def left_out(named: Mapping[str, PairedCounts | GateCounts]) -> str:
    """A sentence on every comparison that excludes or lacks examples; empty where none does."""
    said = []
    for name, counts in named.items():
        for ids, why in ((counts.dropped, "excluded"), (counts.unpaired, "unpaired")):
            if ids:
                few = ", ".join(ids[:_FEW]) + (", …" if len(ids) > _FEW else "")
                said.append(f"{name}: {len(ids)} {why} ({few})")
    return f"Left out: {'; '.join(said)}." if said else ""


def _outcomes(rows: Mapping[str, Row]) -> list[tuple[str | int, bool | None]]:
    return [(name, row.correct) for name, row in rows.items()]


__all__ = [
    "CellCounts",
    "GateCounts",
    "PairedCounts",
    "count_cell",
    "count_gate",
    "count_pairs",
    "joined",
    "left_out",
]
