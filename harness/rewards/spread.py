"""Proposition 3: what variance says, and what it does not.

For ε = 0 the advantages of any group whose rewards differ have the variance 1: no reward is
better than another by it. What differs is what the variance is spent on. The mean advantage of
the right answers of a group is that of the binary reward times the correlation of the two rewards
in the group, and the square of the correlation is the share of the variance that tells right from
wrong.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from harness.rewards.advantage import advantages
from harness.rewards.measure import Measure, share
from harness.rewards.rollouts import Rewarded, by_group

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values: TypeAlias = NDArray[np.float64]


def alignment(binary: Values, dense: Values) -> float | None:
    """Give the correlation of the two rewards of one group.

    Parameters
    ----------
    binary, dense : rewards of the K responses, shape (K,) each.

    Returns
    -------
    float or None
        In [−1, 1]: the mean dense advantage of right answers over their binary one, at ε = 0.
        None where one of the two rewards does not vary.

    Examples
    --------
    >>> round(alignment(np.array([1.0, 0, 0, 0]), np.array([1.0, 0.45, 0, 0])), 4)
    0.8947
    """
    first, second = advantages(binary), advantages(dense)
    if not (first.any() and second.any()):
        return None
    return max(-1.0, min(1.0, math.fsum(first * second) / len(first)))


def least_alignment(right_share: float, most_form: float) -> float:
    """Give the least alignment of a reward that is 1 for right answers and bounded for wrong ones.

    Parameters
    ----------
    right_share : p, the share of right answers of a group, strictly between 0 and 1.
    most_form : δ, the most that a wrong answer is paid, from 0 to below 1; the least is 0.

    Returns
    -------
    float
        1 / √(1 + δ² / (4 p (1 − δ))), reached where a share 1 / (2 − δ) of the wrong answers is
        paid δ and the others nothing. So right answers lose a share of the order δ² / p of
        their advantage, most where they are rare.

    Raises
    ------
    ValueError
        For values out of range.

    Examples
    --------
    >>> round(least_alignment(1 / 16, 0.45), 4), round(least_alignment(0.5, 0.45), 4)
    (0.6359, 0.919)
    """
    if not (0 < right_share < 1 and 0 <= most_form < 1):
        raise ValueError(
            f"least_alignment: expected a share in (0, 1) and a bound in [0, 1), found "
            f"{right_share} and {most_form}"
        )
    worst = most_form**2 / (4 * (1 - most_form))
    return 1 / math.sqrt(1 + worst / right_share)


def spread_measures(rows: Sequence[Rewarded], eps: float = 0.0) -> list[Measure]:
    """Measure the variance of both rewards and what it is spent on.

    Parameters
    ----------
    rows : rewarded responses, of any number of groups.
    eps : ε of the advantages.

    Returns
    -------
    list of Measure
        For either reward: groups whose rewards differ, the mean of σ² over all groups, the mean
        square of the advantages of the groups that differ, and the mean advantage of the right
        answers of mixed groups. Then, of the dense one: groups in which its σ is the larger of
        the two, of the mixed ones; the mean alignment; the share of the squared advantages that
        tells right from wrong, and that of all-wrong groups. Squares are those of ε = 0 there.

    Raises
    ------
    DataError
        As `harness.rewards.rollouts.by_group`.
    ValueError
        For an ε below 0.

    References
    ----------
    Physics-R1 (2026), proposition 3.
    """
    groups = list(by_group(rows).values())
    right = [np.array([row.right for row in group]) for group in groups]
    mixed = np.array([bool(r.any() and not r.all()) for r in right])
    failed = np.array([not r.any() for r in right])
    size = np.array([len(group) for group in groups], dtype=np.float64)
    rewards = {
        "binary": [np.array([row.binary for row in group]) for group in groups],
        "dense": [np.array([row.dense for row in group]) for group in groups],
    }
    differ = {name: np.array([np.ptp(r) > 0 for r in of]) for name, of in rewards.items()}
    square = {name: np.array([float(r.var()) for r in of]) for name, of in rewards.items()}
    made = []
    for name, of in rewards.items():
        gains = [advantages(r, eps) for r in of]
        energy = np.array([float((a * a).sum()) for a in gains])
        won = [float(a[r].sum()) * m for a, r, m in zip(gains, right, mixed, strict=True)]
        n_right = [int(r.sum()) * int(m) for r, m in zip(right, mixed, strict=True)]
        made += [
            share(f"{name}: groups whose rewards differ", differ[name], np.ones(len(groups))),
            share(f"{name}: variance of the rewards", square[name], np.ones(len(groups))),
            share(f"{name}: variance of the advantages", energy, size * differ[name]),
            share(f"{name}: advantage of right answers", won, n_right),
        ]
    aligned = np.array(
        [alignment(*both) or 0.0 for both in zip(rewards["binary"], rewards["dense"], strict=True)]
    )
    energy = size * differ["dense"]
    larger = mixed & (square["dense"] > square["binary"])
    return [
        *made,
        share("dense: mixed groups with a larger variance than binary", larger, mixed),
        share("dense: alignment with binary in mixed groups", aligned * mixed, mixed),
        share("dense: squared advantage that tells right from wrong", size * aligned**2, energy),
        share("dense: squared advantage in all-wrong groups", energy * failed, energy),
    ]


__all__ = ["alignment", "least_alignment", "spread_measures"]
