"""A rescoring as text for people and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from harness import ids
from harness.report.escape import inline, table
from harness.rescore.archive import Skipped, StoredCell
from harness.rescore.compare import LEVEL, Pair, Scored, Tally, errors, tally
from harness.types import OUTCOMES

SCHEMA = "assay.rescore/1"
_SHOWN_CHARS = 60
_HEADS = (
    *("cell", "n", "correct", "up", "down", "review", "other changes", "parse rate"),
    *("accuracy", f"change [{LEVEL:.0%}]", "McNemar p"),
)


@dataclass(frozen=True, kw_only=True)
class Rescoring:
    """Cells with the pairs of their rows, what was left out, and the scorers' names."""

    old: str
    new: str
    cells: tuple[tuple[StoredCell, tuple[Pair, ...]], ...]
    skipped: tuple[Skipped, ...] = ()

    @property
    def pairs(self) -> list[Pair]:
        return [pair for _, pairs in self.cells for pair in pairs]

    @property
    def complete(self) -> bool:
        """Whether every cell was read, and every row scored by the new scorer."""
        return not self.skipped and not any(pair.new.error for pair in self.pairs)


def text(found: Rescoring) -> str:
    """The report as Markdown: aggregates, outcomes, every flip and every row that only one scorer
    counts, what was left out."""
    total = tally(found.pairs)
    lines = [
        "# Rescoring",
        "",
        f"old: {inline(found.old)}",
        f"new: {inline(found.new)}",
        "",
        f"{len(found.cells)} cells, {len(found.pairs):,} responses, {total.n:,} scored and "
        f"counted by both; {total.n_excluded:,} outside the denominator, {total.n_unscored:,} "
        f"without a score; {len(found.skipped)} cells skipped",
        "",
        f"correct {_moved(total.n_correct)}: {total.changes.get('up', 0):,} up, "
        f"{total.changes.get('down', 0):,} down; review {_moved(total.n_review)}",
        "",
        *_aggregates(found, total),
        f"Intervals: {total.difference.method}, rows taken as independent. p: exact two-sided "
        "McNemar test. Other changes: of the outcome, the answer or the rule alone.",
        "",
        *_outcomes(total),
        *_flips(found, "up"),
        *_flips(found, "down"),
        *_counted_once(found),
        *_left_out(found),
    ]
    return "\n".join(lines)


def document(found: Rescoring) -> dict[str, Any]:
    """The report as JSON values: the aggregates, and every row that changes in any way."""
    return {
        "schema": SCHEMA,
        "old": found.old,
        "new": found.new,
        "total": _facts(tally(found.pairs)),
        "cells": [
            {
                "key": cell.key,
                "name": cell.name,
                **_facts(tally(pairs)),
                "changed": [_row(pair) for pair in pairs if pair.comparable and _changes(pair)],
                "counted_once": [_row(pair) for pair in pairs if pair.counted_once],
                "unscored": [_row(pair) for pair in pairs if pair.old.error or pair.new.error],
            }
            for cell, pairs in found.cells
        ],
        "skipped": [{"key": s.key, "reason": s.reason} for s in found.skipped],
    }


def _aggregates(found: Rescoring, total: Tally) -> list[str]:
    rows = [
        [inline(f"{cell.name} ({cell.key[:8]})"), *_figures(tally(pairs))]
        for cell, pairs in found.cells
    ]
    return table(list(_HEADS), [*rows, ["all", *_figures(total)]])


def _figures(t: Tally) -> list[str]:
    other = {name: n for name in ("outcome", "answer", "rule") if (n := t.changes.get(name, 0))}
    difference = t.difference
    change = "–"
    if difference.value is not None:
        low, high = cast(float, difference.low), cast(float, difference.high)
        change = f"{difference.value:+.4f} [{low:+.4f}, {high:+.4f}]"
    return [
        f"{t.n:,}",
        _moved(t.n_correct),
        f"{t.changes.get('up', 0):,}",
        f"{t.changes.get('down', 0):,}",
        _moved(t.n_review),
        ", ".join(f"{n:,} {name}" for name, n in other.items()) or "0",
        " → ".join(_share(rate) for rate in t.parse_rate),
        " → ".join(_share(t.share(n)) for n in t.n_correct),
        change,
        f"{t.p:.3g}",
    ]


def _outcomes(total: Tally) -> list[str]:
    old, new = total.outcomes
    rows = [
        [name, f"{old.get(name, 0):,}", f"{new.get(name, 0):,}"]
        for name in OUTCOMES
        if old.get(name) or new.get(name)
    ]
    return table(["outcome", "old", "new"], rows)


def _flips(found: Rescoring, way: str) -> Iterator[str]:
    rows = [
        [
            inline(pair.where),
            cell.key[:8],
            f"{_answer(pair.old)} → {_answer(pair.new)}",
            inline(_cut(pair.gold)),
        ]
        for cell, pairs in found.cells
        for pair in pairs
        if pair.comparable and pair.change == way
    ]
    yield f"## Flips {way}: {len(rows):,}"
    yield ""
    if rows:
        yield from table(["example", "cell", "answer (rule)", "gold"], rows)


def _counted_once(found: Rescoring) -> Iterator[str]:
    rows = [
        [
            inline(pair.where),
            cell.key[:8],
            f"{_answer(pair.old)} → {_answer(pair.new)}",
            "old" if pair.old.counted else "new",
        ]
        for cell, pairs in found.cells
        for pair in pairs
        if pair.counted_once
    ]
    if rows:
        yield f"## Counted by one scorer alone: {len(rows):,}"
        yield ""
        yield from table(["example", "cell", "answer (rule)", "counted by"], rows)


def _left_out(found: Rescoring) -> Iterator[str]:
    for side, raised in zip(("old", "new"), errors(p for _, p in found.cells), strict=True):
        if raised:
            yield f"## Without a score by the {side} scorer: {raised.total():,}"
            yield ""
            yield from (f"- {n:,}: {inline(error)}" for error, n in _most(raised))
            yield ""
    if found.skipped:
        yield f"## Skipped cells: {len(found.skipped)}"
        yield ""
        yield from (f"- {inline(s.key[:8])}: {inline(s.reason)}" for s in found.skipped)
        yield ""


def _most(raised: Counter[str]) -> list[tuple[str, int]]:
    return sorted(raised.items(), key=lambda item: (-item[1], item[0]))[:20]


def _answer(scored: Scored) -> str:
    value = "–" if scored.value is None else inline(_cut(scored.value))
    rule = scored.rule if scored.outcome == "answered" else f"{scored.rule}, {scored.outcome}"
    return f"{value} ({inline(_cut(rule))})"


def _cut(value: str) -> str:
    return value if len(value) <= _SHOWN_CHARS else f"{value[:_SHOWN_CHARS]}…"


def _moved(counts: Sequence[int]) -> str:
    return " → ".join(f"{n:,}" for n in counts)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"


def _changes(pair: Pair) -> bool:
    return pair.change != "same"


def _row(pair: Pair) -> dict[str, Any]:
    return {
        "example_id": pair.example_id,
        "replicate": pair.replicate,
        "gold": pair.gold,
        "change": pair.change if pair.comparable else None,
        "old": pair.old._asdict(),
        "new": pair.new._asdict(),
    }


def _facts(t: Tally) -> dict[str, Any]:
    return {
        "n": t.n,
        "n_excluded": t.n_excluded,
        "n_unscored": t.n_unscored,
        "n_correct": list(t.n_correct),
        "n_review": list(t.n_review),
        "changes": dict(sorted(t.changes.items())),
        "outcomes": [dict(sorted(side.items())) for side in t.outcomes],
        "parse_rate": list(t.parse_rate),
        "accuracy": [t.share(n) for n in t.n_correct],
        "accuracy_change": ids.plain(t.difference),
        "mcnemar_p": t.p,
    }


__all__ = ["SCHEMA", "Rescoring", "document", "text"]
