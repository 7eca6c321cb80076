"""Proposition 4: how far a reward hangs on the harness, its extractor and the form it reads."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.errors import DataError
from harness.rewards.measure import Measure, share
from harness.rewards.rollouts import Rewarded, by_group

REWARDS = ("binary", "dense")


def portability_measures(reference: Sequence[Rewarded], other: Sequence[Rewarded]) -> list[Measure]:
    """Measure how many rewards change when the same responses are read otherwise.

    Parameters
    ----------
    reference, other : the same responses in the same order, rewarded in two ways.

    Returns
    -------
    list of Measure
        For either reward, the share of responses whose reward differs, and the share of those
        wrong both times. Then the share of groups whose order changes in some pair, for either.

    Raises
    ------
    DataError
        Where the two are not the same responses, and as `by_group`.

    References
    ----------
    Physics-R1 (2026), proposition 4.
    """
    if [row.group for row in reference] != [row.group for row in other]:
        raise DataError(
            f"portability: expected the same responses twice, found {len(reference)} and "
            f"{len(other)} of other groups"
        )
    before, after = list(by_group(reference).values()), list(by_group(other).values())
    size = np.array([len(group) for group in before])
    wrong = np.array(
        [
            sum(not (a.right or b.right) for a, b in zip(*both, strict=True))
            for both in zip(before, after, strict=True)
        ]
    )
    made = []
    for name in REWARDS:
        old = [np.array([getattr(row, name) for row in group]) for group in before]
        new = [np.array([getattr(row, name) for row in group]) for group in after]
        differ = [a != b for a, b in zip(old, new, strict=True)]
        missed = [
            int(
                sum(
                    bool(d) and not (x.right or y.right) for d, x, y in zip(ds, xs, ys, strict=True)
                )
            )
            for ds, xs, ys in zip(differ, before, after, strict=True)
        ]
        turned = [_ordered(a) != _ordered(b) for a, b in zip(old, new, strict=True)]
        made += [
            share(f"{name}: responses whose reward changes", [int(d.sum()) for d in differ], size),
            share(f"{name}: changed, of those wrong both times", missed, wrong),
            share(f"{name}: groups in another order", turned, np.ones(len(size))),
        ]
    return made


def _ordered(rewards: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> tuple[int, ...]:
    """Ranks from the bottom, ties sharing one."""
    return tuple(np.unique(rewards, return_inverse=True)[1].tolist())


__all__ = ["REWARDS", "portability_measures"]
