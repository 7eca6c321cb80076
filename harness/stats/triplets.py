"""Triplets of a base item, a relevant and an irrelevant edit: what a judge gets right of each.

The eight states count complete triplets by three bits, base, relevant, irrelevant: `n_101` has
base and irrelevant right and the relevant edit wrong. All metrics follow from the states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, fields

import numpy as np

from harness.stats.checks import StatisticsError, check_choice, check_count, check_ids, check_part

_BINARY = (bool, int, np.bool_, np.integer)
_POLICIES = ("refuse", "drop", "wrong")


@dataclass(frozen=True, kw_only=True, slots=True)
class EightStates:
    """Complete triplets by which of base, relevant and irrelevant are right; refuses non-counts."""

    n_000: int
    n_001: int
    n_010: int
    n_011: int
    n_100: int
    n_101: int
    n_110: int
    n_111: int

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, check_count(field.name, getattr(self, field.name)))

    @property
    def n_triplets(self) -> int:
        """All complete triplets."""
        return self.n_000 + self.n_001 + self.n_010 + self.n_011 + self.n_base_correct

    @property
    def n_base_correct(self) -> int:
        """Triplets whose base item is right: the denominator of RA and II."""
        return self.n_100 + self.n_101 + self.n_110 + self.n_111


@dataclass(frozen=True, kw_only=True, slots=True)
class TripletTable:
    """The eight states with the ids of the triplets that the policy left out."""

    states: EightStates
    incomplete: str
    dropped: tuple[Hashable, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class TripletMetrics:
    """What the eight states say; each is a share in [0, 1], None where its denominator is 0.

    `relevant_adaptation` (RA) and `irrelevant_invariance` (II) are shares of the base-correct
    triplets, `pfc` = P(base and relevant right) and `psc` = P(base and irrelevant right) of
    all. `flip_relevant` and `flip_irrelevant` are the shares of triplets whose binary answer
    differs from the base answer. `joint` is P(relevant and irrelevant right | base right),
    which RA and II alone bound by `joint_low` and `joint_high`.
    """

    n_triplets: int
    n_base_correct: int
    base_accuracy: float | None
    relevant_adaptation: float | None
    irrelevant_invariance: float | None
    pfc: float | None
    psc: float | None
    flip_relevant: float | None
    flip_irrelevant: float | None
    joint: float | None
    joint_low: float | None
    joint_high: float | None


def eight_states(
    triplets: Iterable[tuple[Hashable, bool | None, bool | None, bool | None]], incomplete: str
) -> TripletTable:
    """Count triplets by which of their three items are right.

    Parameters
    ----------
    triplets : (id, base, relevant, irrelevant), each right (True) or not; None where the item
        is missing, failed or could not be read.
    incomplete : what to do with a triplet that holds a None: "refuse" it, "drop" it and list
        its id, or count that item as "wrong".

    Returns
    -------
    TripletTable
        The states, all 0 without triplets, and the ids that were dropped, in the given order.

    Raises
    ------
    StatisticsError
        `unknown_variant` for another policy; `missing_id`; `duplicate_id`; `not_binary` for
        what is neither True, False, 0 or 1; `incomplete_triplet` under "refuse".

    References
    ----------
    The protocol's per-triplet bits B, R and I over complete triplets (docs/statistics.md).

    Examples
    --------
    >>> rows = [("t0", True, True, True), ("t1", True, False, True), ("t2", True, None, True)]
    >>> table = eight_states(rows, "drop")
    >>> table.states.n_111, table.states.n_101, table.dropped
    (1, 1, ('t2',))
    """
    check_choice("incomplete", incomplete, _POLICIES)
    rows = list(triplets)
    check_ids("triplets", [given for given, *_ in rows])
    counts: Counter[str] = Counter()
    dropped: list[Hashable] = []
    for given, base, relevant, irrelevant in rows:
        bits = (base, relevant, irrelevant)
        if not all(bit is None or (isinstance(bit, _BINARY) and bit in (0, 1)) for bit in bits):
            raise StatisticsError(
                "not_binary", f"{given!r}: expected right (True) or wrong, found {bits!r}"
            )
        if None in bits and incomplete == "refuse":
            raise StatisticsError(
                "incomplete_triplet", f"{given!r}: expected three outcomes, found {bits!r}"
            )
        if None in bits and incomplete == "drop":
            dropped.append(given)
        else:
            counts["n_" + "".join("1" if bit else "0" for bit in bits)] += 1
    states = EightStates(**{field.name: counts[field.name] for field in fields(EightStates)})
    return TripletTable(states=states, incomplete=incomplete, dropped=tuple(dropped))


def triplet_metrics(states: EightStates) -> TripletMetrics:
    """Compute base accuracy, RA, II, PFC, PSC and the flip rates from the eight states.

    Answers are binary and the gold answer flips on the relevant edit alone. So the answer
    flips on the relevant edit where base and relevant are both right or both wrong, and on
    the irrelevant edit where exactly one of base and irrelevant is right.

    Parameters
    ----------
    states : counts of complete triplets.

    Returns
    -------
    TripletMetrics
        Shares in [0, 1]; all None without triplets, RA, II and joint without a base-correct one.

    Raises
    ------
    StatisticsError
        `invalid_count`, on making the states.

    References
    ----------
    docs/statistics.md; for the bounds M. Fréchet, Fundamenta Mathematicae 25 (1935), 379-387.

    Examples
    --------
    >>> found = triplet_metrics(EightStates(n_000=0, n_001=0, n_010=0, n_011=0,
    ...                                     n_100=0, n_101=166, n_110=0, n_111=34))
    >>> found.relevant_adaptation, found.irrelevant_invariance, found.flip_relevant
    (0.17, 1.0, 0.17)
    """
    n, base = states.n_triplets, states.n_base_correct
    adapted, invariant = states.n_110 + states.n_111, states.n_101 + states.n_111
    flips_relevant = states.n_000 + states.n_001 + adapted
    flips_irrelevant = states.n_001 + states.n_011 + states.n_100 + states.n_110
    return TripletMetrics(
        n_triplets=n,
        n_base_correct=base,
        base_accuracy=_share(base, n),
        relevant_adaptation=_share(adapted, base),
        irrelevant_invariance=_share(invariant, base),
        pfc=_share(adapted, n),
        psc=_share(invariant, n),
        flip_relevant=_share(flips_relevant, n),
        flip_irrelevant=_share(flips_irrelevant, n),
        joint=_share(states.n_111, base),
        joint_low=_share(max(0, adapted + invariant - base), base),
        joint_high=_share(min(adapted, invariant), base),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Adaptation:
    """RA and II from counts; None where the denominator is 0 or unknown."""

    n_base_correct: int
    base_accuracy: float | None
    relevant_adaptation: float | None
    irrelevant_invariance: float | None


def ra_from_counts(n_triplets: int, n_base_correct: int, n_adapted: int) -> Adaptation:
    """Give base accuracy and relevant adaptation from published counts.

    Parameters
    ----------
    n_triplets : complete triplets.
    n_base_correct : those with the base item right, at most n_triplets.
    n_adapted : base-correct triplets with the relevant edit right too, at most n_base_correct.

    Returns
    -------
    Adaptation
        Shares in [0, 1]; RA is None without a base-correct triplet, base accuracy without
        triplets; II is not known and None.

    Raises
    ------
    StatisticsError
        `invalid_count` for counts that are no integers, negative or more than their whole.

    References
    ----------
    The protocol's RA = P(relevant right | base right) (docs/statistics.md).

    Examples
    --------
    >>> ra_from_counts(200, 200, 34).relevant_adaptation
    0.17
    """
    _, n_triplets = check_part("n_base_correct", n_base_correct, "n_triplets", n_triplets)
    n_adapted, n_base_correct = check_part("n_adapted", n_adapted, "n_base_correct", n_base_correct)
    return Adaptation(
        n_base_correct=n_base_correct,
        base_accuracy=_share(n_base_correct, n_triplets),
        relevant_adaptation=_share(n_adapted, n_base_correct),
        irrelevant_invariance=None,
    )


def ra_ii_from_states(n_100: int, n_101: int, n_110: int, n_111: int) -> Adaptation:
    """Give relevant adaptation and irrelevant invariance from the four base-correct states.

    Parameters
    ----------
    n_100, n_101, n_110, n_111 : base-correct triplets by relevant and irrelevant right.

    Returns
    -------
    Adaptation
        RA and II in [0, 1], None when all four are 0; base accuracy is not known and None.

    Raises
    ------
    StatisticsError
        `invalid_count` for counts that are no integers or negative.

    References
    ----------
    The protocol's RA and II over the judge's own base-correct triplets (docs/statistics.md).

    Examples
    --------
    >>> ra_ii_from_states(1, 131, 7, 26).relevant_adaptation
    0.2
    """
    found = triplet_metrics(
        EightStates(
            n_000=0, n_001=0, n_010=0, n_011=0, n_100=n_100, n_101=n_101, n_110=n_110, n_111=n_111
        )
    )
    return Adaptation(
        n_base_correct=found.n_base_correct,
        base_accuracy=None,
        relevant_adaptation=found.relevant_adaptation,
        irrelevant_invariance=found.irrelevant_invariance,
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


__all__ = [
    "Adaptation",
    "EightStates",
    "TripletMetrics",
    "TripletTable",
    "eight_states",
    "ra_from_counts",
    "ra_ii_from_states",
    "triplet_metrics",
]
