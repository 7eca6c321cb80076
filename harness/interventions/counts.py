"""What a judge's readings amount to under a named policy: states, flips, static answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from harness.interventions.readings import FAILED, MISSING, VARIANTS, JudgeFactor, Reading, Triple
from harness.interventions.settings import check_policy
from harness.stats.triplets import EightStates, TripletMetrics, eight_states, triplet_metrics

Bits = tuple[bool, bool, bool]


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """Letters of the complete triplets: how often an edit left the letter, or turned it.

    `same` and `turned` are of all complete triplets, `same_base` of the base-correct ones. A
    letter that was not read on a side is neither the same nor turned.
    """

    same: int
    turned: int
    same_base: int


@dataclass(frozen=True, kw_only=True, slots=True)
class FactorCounts:
    """One judge on one factor under one policy.

    `bits` maps each triplet that counts to base, relevant and irrelevant right; `static` each
    static item that counts to right or not; `pools` likewise by size. `dropped` maps each triplet
    that does not count to its reasons.
    """

    model: str
    kind: str
    factor: str
    policy: str
    states: EightStates
    metrics: TripletMetrics
    bits: Mapping[str, Bits]
    kept: Mapping[str, Kept]
    static: Mapping[str, bool]
    pools: Mapping[int, Mapping[str, bool]]
    dropped: Mapping[str, tuple[str, ...]]

    @property
    def static_correct(self) -> int:
        """Right static answers."""
        return sum(self.static.values())


def factor_counts(found: JudgeFactor, policy: str) -> FactorCounts:
    """Count one judge's readings of one factor.

    Parameters
    ----------
    found : its readings.
    policy : "drop_unparsed", as published, leaves out what holds no letter: a static item, and a
        triplet of which any variant has none. "wrong" counts an unread answer as wrong. Both
        leave out rows that are no answer of the judge (resource and runtime errors) and triplets
        without a variant.

    Returns
    -------
    FactorCounts
        Empty mappings and metrics of None where nothing counts.

    Raises
    ------
    StatisticsError
        `unknown_variant` for another policy.

    Examples
    --------
    >>> def row(letter, gold):
    ...     reason = "" if letter else "unparsed"
    ...     return Reading(id="x", gold=gold, letter=letter, correct=letter == gold, reason=reason)
    >>> judge = JudgeFactor(model="m", factor="count", triplets={
    ...     "t0": (row("A", "A"), row("A", "B"), row("A", "A")),
    ...     "t1": (row("A", "A"), row(None, "B"), row("A", "A"))})
    >>> factor_counts(judge, "wrong").states.n_101, factor_counts(judge, "drop_unparsed").dropped
    (2, {'t1': ('relevant:unparsed',)})
    """
    check_policy(policy)
    rows = [
        (name, *(right(reading, policy) for reading in three))
        for name, three in found.triplets.items()
    ]
    table = eight_states(rows, "drop")  # type: ignore[arg-type]
    out = set(table.dropped)
    complete = {name: three for name, three in found.triplets.items() if name not in out}
    return FactorCounts(
        model=found.model,
        kind=found.kind,
        factor=found.factor,
        policy=policy,
        states=table.states,
        metrics=triplet_metrics(table.states),
        bits={str(name): (bool(b), bool(r), bool(i)) for name, b, r, i in rows if name not in out},
        kept={edit: _kept(complete, place) for place, edit in enumerate(VARIANTS) if place},
        static=_answers(found.static, policy),
        pools={size: _answers(rows, policy) for size, rows in found.pools.items()},
        dropped={
            name: reasons(three, policy) for name, three in found.triplets.items() if name in out
        },
    )


def right(reading: Reading | None, policy: str) -> bool | None:
    """Whether a reading is right; None where the policy does not count it."""
    if reading is None or not reading.counted:
        return None
    if reading.reason and policy == "drop_unparsed":
        return None
    return reading.correct


def reasons(three: Triple, policy: str) -> tuple[str, ...]:
    """Why a triplet does not count, as variant:reason, base first."""
    found = []
    for variant, reading in zip(VARIANTS, three, strict=True):
        reason = MISSING if reading is None else reading.reason
        if reason and (policy == "drop_unparsed" or reason in (MISSING, *FAILED)):
            found.append(f"{variant}:{reason}")
    return tuple(found)


def _answers(rows: Mapping[str, Reading], policy: str) -> dict[str, bool]:
    judged = {name: right(reading, policy) for name, reading in rows.items()}
    return {name: bit for name, bit in judged.items() if bit is not None}


def _kept(complete: Mapping[str, Triple], place: int) -> Kept:
    same = turned = same_base = 0
    for three in complete.values():
        base, edited = three[0], three[place]
        if base is None or edited is None or base.letter is None or edited.letter is None:
            continue
        if base.letter == edited.letter:
            same, same_base = same + 1, same_base + base.correct
        else:
            turned += 1
    return Kept(same=same, turned=turned, same_base=same_base)


__all__ = ["FactorCounts", "Kept", "factor_counts", "reasons", "right"]
