"""Rows of other harnesses under our scorer, and two sets of them pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from harness.bridge.faults import BridgeError
from harness.bridge.rows import Row
from harness.scoring import VERSION, score
from harness.stats.accuracy import Accuracy, accuracy
from harness.stats.estimate import PairedTest
from harness.stats.paired import paired_test
from harness.stats.pairing import PairedTable, pair
from harness.types import Kind, Score


@dataclass(frozen=True, kw_only=True, slots=True)
class Rescored:
    """Rows under our scorer beside the other harness's own scores.

    `theirs` is the mean of its scores, None where it gave none. `differ` lists the ids where
    its right or wrong is not ours, over the `n_both` rows that both count and that it scored 0
    or 1.
    """

    kind: Kind
    scorer: str
    policy: str
    scores: tuple[Score, ...]
    ours: Accuracy
    theirs: float | None
    n_theirs: int
    n_both: int
    differ: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """As JSON values, without the single scores."""
        return {
            "kind": self.kind,
            "scorer": self.scorer,
            "policy": self.policy,
            "ours": {**asdict(self.ours), "n_by_outcome": dict(self.ours.n_by_outcome)},
            "theirs": {"mean": self.theirs, "n": self.n_theirs},
            "n_both": self.n_both,
            "differ": list(self.differ),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """Two models on the same questions: the pairs, and the test of their difference."""

    pairs: PairedTable
    test: PairedTest

    def document(self) -> dict[str, Any]:
        """As JSON values."""
        return {"pairs": asdict(self.pairs), "test": asdict(self.test)}


def rescore(rows: Sequence[Row], kind: Kind, policy: str = "default") -> Rescored:
    """Score rows by `harness.scoring`.

    Parameters
    ----------
    rows : of one file; replicates count as rows of their own.
    kind : "choice", "yesno", "number", "expression" or "text": how answers are read. The other
        harness does not say it, and a guess would change the score.
    policy : as for `harness.scoring.score`.

    Raises
    ------
    DataError
        For an unknown kind or policy, or a gold that is no letter of its choices.

    Examples
    --------
    >>> row = Row(id="q", task="t", question="?", gold="yes", text="Yes, it is.", theirs=1.0)
    >>> rescore([row], "yesno").ours.accuracy
    1.0
    """
    scores = tuple(score(row.example(kind), row.response(), policy) for row in rows)
    named = [f"{row.id}\0{row.replicate}" for row in rows]
    given = [row.theirs for row in rows if row.theirs is not None]
    both = [
        (row, found)
        for row, found in zip(rows, scores, strict=True)
        if found.counted and row.theirs in (0.0, 1.0)
    ]
    return Rescored(
        kind=kind,
        scorer=VERSION,
        policy=policy,
        scores=scores,
        ours=accuracy((n, s.outcome, s.correct) for n, s in zip(named, scores, strict=True)),
        theirs=sum(given) / len(given) if given else None,
        n_theirs=len(given),
        n_both=len(both),
        differ=tuple(row.id for row, found in both if found.correct != (row.theirs == 1.0)),
    )


def compare(
    a: Sequence[Row],
    b: Sequence[Row],
    kind: Kind,
    *,
    on_unpaired: str = "error",
    policy: str = "default",
    level: float = 0.95,
    power: float = 0.8,
) -> Compared:
    """Compare two models' rows on the same questions, under one scorer.

    Parameters
    ----------
    a, b : rows of the first and the second model, without replicates.
    kind, policy : as for `rescore`.
    on_unpaired : "error" refuses questions that one side lacks, "report" lists them. Ids carry
        a hash of question and gold, so another version of the questions never pairs.
    level, power : of the interval, and of the minimum detectable effect.

    Returns
    -------
    Compared
        Second minus first; exact two-sided McNemar, exact percentile interval. Rows that an
        error took out of either side are dropped from both and listed.

    Raises
    ------
    BridgeError
        For replicates, which are no pairs.
    StatisticsError
        `unpaired_ids` under "error".
    """
    if any(row.replicate for row in (*a, *b)):
        raise BridgeError("compare: expected one reply to each question, found replicates")
    first, second = rescore(a, kind, policy).scores, rescore(b, kind, policy).scores
    table = pair(_rights(first), _rights(second), on_unpaired)
    test = paired_test(
        table.n01,
        table.n10,
        table.n_pairs,
        level=level,
        interval="percentile",
        variant="exact",
        alpha=round(1 - level, 12),
        power=power,
    )
    return Compared(pairs=table, test=test)


def _rights(scores: Sequence[Score]) -> list[tuple[str | int, bool | None]]:
    return [(s.example_id, s.correct if s.counted else None) for s in scores]


__all__ = ["Compared", "Rescored", "compare", "rescore"]
