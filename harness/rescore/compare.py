"""What changes between two scorings of the same responses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from harness.stats.estimate import Estimate
from harness.stats.paired import mcnemar, paired_difference

Change = Literal["up", "down", "outcome", "answer", "rule", "same"]
LEVEL = 0.95


class Scored(NamedTuple):
    """One response under one scorer; `error` where the scorer raised, and nothing else then."""

    value: str | None = None
    rule: str = ""
    outcome: str = ""
    correct: bool = False
    counted: bool = False
    error: str = ""


class Pair(NamedTuple):
    """One response under both scorers."""

    example_id: str
    replicate: int
    gold: str
    old: Scored
    new: Scored

    @property
    def where(self) -> str:
        return f"{self.example_id}#{self.replicate}" if self.replicate else self.example_id

    @property
    def comparable(self) -> bool:
        """Whether both scorers scored it and count it in the denominator."""
        return self.old.counted and self.new.counted

    @property
    def counted_once(self) -> bool:
        """Whether both scorers scored it, and only one counts it in the denominator."""
        return not (self.old.error or self.new.error) and self.old.counted != self.new.counted

    @property
    def change(self) -> Change:
        """The gravest difference; up: wrong before and right now."""
        old, new = self.old, self.new
        if old.correct != new.correct:
            return "up" if new.correct else "down"
        if old.outcome != new.outcome:
            return "outcome"
        if old.value != new.value:
            return "answer"
        return "same" if old.rule == new.rule else "rule"


@dataclass(frozen=True, kw_only=True)
class Tally:
    """The aggregates of some pairs, old before new, over the comparable ones alone.

    `n` comparable pairs; `n_excluded` that a scorer leaves out of the denominator,
    `n_unscored` that a scorer raised an error on. `difference` is the change of the accuracy
    with its exact bootstrap interval, which takes the rows as independent; `p` is McNemar's,
    exact and two-sided.
    """

    n: int
    n_excluded: int
    n_unscored: int
    n_correct: tuple[int, int]
    changes: Mapping[Change, int]
    outcomes: tuple[Mapping[str, int], Mapping[str, int]]
    difference: Estimate
    p: float

    @property
    def n_review(self) -> tuple[int, int]:
        return self.outcomes[0].get("review", 0), self.outcomes[1].get("review", 0)

    def share(self, n: int) -> float | None:
        return n / self.n if self.n else None

    @property
    def parse_rate(self) -> tuple[float | None, float | None]:
        """Share of the comparable rows with an answer that could be read."""
        old, new = (outcomes.get("answered", 0) for outcomes in self.outcomes)
        return self.share(old), self.share(new)


def tally(pairs: Iterable[Pair]) -> Tally:
    """Count what changes.

    Parameters
    ----------
    pairs : rows of one cell or of many.

    Returns
    -------
    Tally
        With no comparable pair every share and the difference are None and p is 1.
    """
    all_pairs = list(pairs)
    rows = [pair for pair in all_pairs if pair.comparable]
    n_unscored = sum(bool(pair.old.error or pair.new.error) for pair in all_pairs)
    changes = Counter(pair.change for pair in rows)
    return Tally(
        n=len(rows),
        n_excluded=len(all_pairs) - len(rows) - n_unscored,
        n_unscored=n_unscored,
        n_correct=(sum(p.old.correct for p in rows), sum(p.new.correct for p in rows)),
        changes=changes,
        outcomes=(Counter(p.old.outcome for p in rows), Counter(p.new.outcome for p in rows)),
        difference=paired_difference(
            changes["up"], changes["down"], len(rows), LEVEL, "percentile"
        ),
        p=mcnemar(changes["up"], changes["down"], "exact"),
    )


def errors(cells: Iterable[Sequence[Pair]]) -> tuple[Counter[str], Counter[str]]:
    """How often each error was raised, by the old scorer and by the new one."""
    old: Counter[str] = Counter()
    new: Counter[str] = Counter()
    for pairs in cells:
        old.update(pair.old.error for pair in pairs if pair.old.error)
        new.update(pair.new.error for pair in pairs if pair.new.error)
    return old, new


__all__ = ["LEVEL", "Change", "Pair", "Scored", "Tally", "errors", "tally"]
