"""Binary against dense at matched steps: per seed, over seeds, and question by question."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from harness.micro.rl.rewards import Mark
from harness.micro.rl.trainer import best
from harness.stats.estimate import PairedTest
from harness.stats.paired import paired_test
from harness.stats.seeds import SeedComparison, compare_seeds

LEVEL = 0.95
_ALPHA, _POWER = 0.05, 0.8


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """Shares of the replies to one set of questions, each 0 to 1; None over no reply.

    `tagged` have a closed answer; `listing` name at least two things before it. `wrong_form` is
    the mean pay for form of the replies that are wrong.
    """

    n: int
    accuracy: float
    tagged: float
    listing: float
    wrong_form: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """One seed: both rewards at the same step, on the same questions.

    `step` is the last one that both runs reached; `binary_best` and `dense_best` are the steps at
    which each was best on the held questions. `binary` and `dense` are figures at `step`, `paired`
    is binary minus dense question by question, `gained` binary minus the start.
    """

    seed: int
    step: int
    binary_best: int
    dense_best: int
    binary: Figures
    dense: Figures
    paired: PairedTest
    gained: PairedTest
    dense_gained: PairedTest


def matched_step(binary: Mapping[int, float], dense: Mapping[int, float]) -> int:
    """The last look that both runs have: the one that stopped sooner decides.

    Parameters
    ----------
    binary, dense : held accuracy by step, of two runs of one seed.

    Raises
    ------
    ValueError
        When they share no step.

    Examples
    --------
    >>> matched_step({0: 0.1, 6: 0.2, 12: 0.3}, {0: 0.1, 6: 0.4})
    6
    """
    shared = binary.keys() & dense.keys()
    if not shared:
        raise ValueError(
            f"matched_step: expected a step that both runs looked at, found {sorted(binary)} and "
            f"{sorted(dense)}"
        )
    return max(shared)


def figures(found: Sequence[Mark]) -> Figures:
    """Summarise marks.

    Raises
    ------
    ValueError
        Without a mark.
    """
    if not found:
        raise ValueError("figures: expected at least one mark, found none")
    n = len(found)
    wrong = [m.form for m in found if not m.right]
    return Figures(
        n=n,
        accuracy=sum(m.right for m in found) / n,
        tagged=sum(m.fmt > 0 for m in found) / n,
        listing=sum(m.listing > 0 for m in found) / n,
        wrong_form=sum(wrong) / len(wrong) if wrong else None,
    )


def pair(
    seed: int,
    held: tuple[Mapping[int, float], Mapping[int, float]],
    start: Sequence[Mark],
    binary: Sequence[Mark],
    dense: Sequence[Mark],
) -> Pair:
    """Compare the two runs of a seed.

    Parameters
    ----------
    seed : of both.
    held : held accuracy by step, of the binary and of the dense run.
    start, binary, dense : marks on the same questions, before training and at the matched step.
    """
    return Pair(
        seed=seed,
        step=matched_step(*held),
        binary_best=best(held[0]),
        dense_best=best(held[1]),
        binary=figures(binary),
        dense=figures(dense),
        paired=question_by_question(dense, binary),
        gained=question_by_question(start, binary),
        dense_gained=question_by_question(start, dense),
    )


def question_by_question(first: Sequence[Mark], second: Sequence[Mark]) -> PairedTest:
    """Second minus first on the same questions: exact interval and exact McNemar."""
    both = list(zip(first, second, strict=True))
    return paired_test(
        sum(b.right and not a.right for a, b in both),
        sum(a.right and not b.right for a, b in both),
        len(both),
        level=LEVEL,
        interval="percentile",
        variant="exact",
        alpha=_ALPHA,
        power=_POWER,
    )


def over_seeds(pairs: Sequence[Pair], name: str = "accuracy") -> SeedComparison:
    """Binary minus dense over the seeds, with a t interval.

    Parameters
    ----------
    pairs : one for each seed.
    name : of a figure; a `wrong_form` over no wrong reply counts as 0.
    """
    values: list[dict[Hashable, float]] = [
        {p.seed: float(getattr(side, name) or 0.0) for p, side in sides}
        for sides in ([(p, p.dense) for p in pairs], [(p, p.binary) for p in pairs])
    ]
    return compare_seeds(values[0], values[1], LEVEL)


def gain_over_seeds(pairs: Sequence[Pair], start: float, reward: str) -> SeedComparison:
    """A reward's accuracy minus the start's over the seeds, with a t interval."""
    after: dict[Hashable, float] = {p.seed: getattr(p, reward).accuracy for p in pairs}
    return compare_seeds(dict.fromkeys(after, start), after, LEVEL)


__all__ = [
    "LEVEL",
    "Figures",
    "Pair",
    "figures",
    "gain_over_seeds",
    "matched_step",
    "over_seeds",
    "pair",
    "question_by_question",
]
