"""Proposition 1: advantages keep the order of rewards alone, so what does a dense one reorder?

An affine map a·r + b with a > 0 changes no advantage (`harness.rewards.advantage`). A dense reward
acts only where it orders a group's responses otherwise than the binary one, or spaces them
otherwise. With the published weights and one comparison of answers for both rewards, a right
answer has at least 1 − 0.25 and a wrong one at most 0.45: no pair of a right and a wrong one is
turned round, and the pairs of a dense reward that differ are ties of the binary one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from harness.rewards.measure import Measure, share
from harness.rewards.rollouts import Rewarded, by_group

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts: TypeAlias = NDArray[np.int64]

COLUMNS = (
    *("pairs", "inverted", "broken", "made", "wrong_pairs", "wrong_broken"),
    *("all_wrong", "all_right", "changed_in_all_wrong", "changed_in_all_right"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class PairCounts:
    """Pairs of responses of one group, counted group by group; shape (G,) each.

    `inverted` pairs have the opposite order in the dense reward, `broken` ones are equal in the
    binary reward alone, `made` ones in the dense one alone. `wrong_pairs` are pairs of two wrong
    answers, `wrong_broken` those of them that the dense reward orders. `all_wrong` and `all_right`
    are 1 for a group without a right or a wrong answer.
    """

    pairs: Counts
    inverted: Counts
    broken: Counts
    made: Counts
    wrong_pairs: Counts
    wrong_broken: Counts
    all_wrong: Counts
    all_right: Counts
    changed_in_all_wrong: Counts
    changed_in_all_right: Counts

    @property
    def changed(self) -> Counts:
        """Pairs that the two rewards do not order alike."""
        return self.inverted + self.broken + self.made


def pair_counts(rows: Sequence[Rewarded]) -> PairCounts:
    r"""Count the pairs of every group by what the dense reward makes of their binary order.

    Parameters
    ----------
    rows : rewarded responses, of any number of groups.

    Returns
    -------
    PairCounts
        Groups in the order of their first response; a group of one response has no pair.

    Raises
    ------
    DataError
        Without a response, and for a group without a name.

    References
    ----------
    Physics-R1 (2026), proposition 1.

    Examples
    --------
    >>> from harness.rewards.rollouts import Rollout, rewarded
    >>> from harness.scoring.policy import Item
    >>> item, texts = Item(kind="text", gold="3"), (r"\boxed{3}", r"\boxed{4}", "4")
    >>> found = pair_counts(rewarded([Rollout(group="q", item=item, text=t) for t in texts]))
    >>> found.pairs.tolist(), found.inverted.tolist(), found.broken.tolist()
    ([3], [0], [1])
    """
    return PairCounts(
        **dict(
            zip(
                COLUMNS,
                np.array([_counted(group) for group in by_group(rows).values()]).T,
                strict=True,
            )
        )
    )


def order_measures(rows: Sequence[Rewarded]) -> list[Measure]:
    """Measure how a dense reward orders pairs, against the binary one.

    Parameters
    ----------
    rows : as for `pair_counts`.

    Returns
    -------
    list of Measure
        Shares of pairs, of changed pairs, and of groups; undefined without a pair.
    """
    n = pair_counts(rows)
    mixed = n.changed - n.changed_in_all_wrong - n.changed_in_all_right
    every = np.ones(len(n.pairs))
    return [
        share("pairs changed", n.changed, n.pairs),
        share("pairs inverted", n.inverted, n.pairs),
        share("ties broken", n.broken, n.pairs),
        share("ties made", n.made, n.pairs),
        share("changed pairs that are in all-wrong groups", n.changed_in_all_wrong, n.changed),
        share("changed pairs that are in mixed groups", mixed, n.changed),
        share("changed pairs that are two wrong answers", n.wrong_broken, n.changed),
        share("pairs of two wrong answers that are ordered", n.wrong_broken, n.wrong_pairs),
        share("groups all wrong", n.all_wrong, every),
        share("groups all right", n.all_right, every),
    ]


def _counted(group: Sequence[Rewarded]) -> list[int]:
    above = np.triu_indices(len(group), k=1)
    before, after = (
        np.sign(values[above[0]] - values[above[1]])
        for values in (
            np.array([row.binary for row in group]),
            np.array([row.dense for row in group]),
        )
    )
    right = np.array([row.right for row in group])
    wrong = ~right[above[0]] & ~right[above[1]]
    all_wrong, all_right = not right.any(), bool(right.all())
    inverted = int((before * after < 0).sum())
    broken = int(((before == 0) & (after != 0)).sum())
    made = int(((before != 0) & (after == 0)).sum())
    changed = inverted + broken + made
    return [
        *(len(before), inverted, broken, made),
        *(int(wrong.sum()), int((wrong & (after != 0)).sum())),
        *(int(all_wrong), int(all_right), all_wrong * changed, all_right * changed),
    ]


__all__ = ["COLUMNS", "PairCounts", "order_measures", "pair_counts"]
