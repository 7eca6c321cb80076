"""Proposition 2: a dense reward teaches wrong answers to look well.

Among the wrong answers of a group a binary reward is equal; a dense one is what it pays for form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from harness.rewards.advantage import advantages
from harness.rewards.measure import Measure, correlation, share
from harness.rewards.rollouts import Rewarded, by_group

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values: TypeAlias = NDArray[np.float64]

FEATURES: dict[str, Callable[[Rewarded], float]] = {
    "box": lambda row: row.parts.fmt,
    "units": lambda row: row.parts.dim,
    "fraction": lambda row: row.parts.sym,
    "form": lambda row: row.form,
}


def proxy_measures(rows: Sequence[Rewarded], eps: float = 0.0) -> list[Measure]:
    """Measure what the two rewards make of the form of wrong answers.

    Parameters
    ----------
    rows : rewarded responses, of any number of groups.
    eps : ε of the advantages.

    Returns
    -------
    list of Measure
        For the box, the units, a fraction, and the form as a whole (what they are paid
        together): the share of pairs of two wrong answers that differ in it, the share of those
        in which the dense reward prefers the one that has more, and the correlation inside
        groups between a wrong answer's dense advantage and it. At the end, for either reward,
        the share of wrong answers with a positive advantage: none, by construction, where the
        reward is binary.

    Raises
    ------
    DataError
        As `harness.rewards.rollouts.by_group`.
    ValueError
        For an ε below 0.

    References
    ----------
    Physics-R1 (2026), proposition 2.
    """
    groups = list(by_group(rows).values())
    dense = [advantages([row.dense for row in group], eps) for group in groups]
    binary = [advantages([row.binary for row in group], eps) for group in groups]
    wrong = [np.array([not row.right for row in group]) for group in groups]
    made = []
    for name, feature in FEATURES.items():
        looks = [np.array([feature(row) for row in group]) for group in groups]
        counted = np.array(
            [
                _preferred(group, look[w], w)
                for group, look, w in zip(groups, looks, wrong, strict=True)
            ]
        )
        pairs, differ, better, worse = counted.T
        sums = [_products(a[w], x[w]) for a, x, w in zip(dense, looks, wrong, strict=True)]
        made += [
            share(f"{name}: pairs of two wrong answers that differ", differ, pairs),
            share(f"{name}: dense prefers the one with more", better, differ),
            share(f"{name}: dense prefers the one with less", worse, differ),
            correlation(f"{name}: correlation with the advantage of wrong answers", sums),
        ]
    n_wrong = np.array([int(w.sum()) for w in wrong])
    for reward, found in (("binary", binary), ("dense", dense)):
        up = [int((a[w] > 0).sum()) for a, w in zip(found, wrong, strict=True)]
        made.append(share(f"{reward}: wrong answers with a positive advantage", up, n_wrong))
    return made


def _preferred(
    group: Sequence[Rewarded], look: Values, wrong: NDArray[np.bool_]
) -> tuple[int, int, int, int]:
    """Pairs of two wrong answers; those that differ; with the better and the worse one ahead."""
    reward = np.array([row.dense for row in group])[wrong]
    first, second = np.triu_indices(len(look), k=1)
    more = np.sign(look[first] - look[second])
    ahead = np.sign(reward[first] - reward[second])
    same = more * ahead
    return len(more), int((more != 0).sum()), int((same > 0).sum()), int((same < 0).sum())


def _products(x: Values, y: Values) -> tuple[float, float, float]:
    if len(x) < 2:
        return 0.0, 0.0, 0.0
    a, b = x - x.mean(), y - y.mean()
    return float((a * a).sum()), float((b * b).sum()), float((a * b).sum())


__all__ = ["FEATURES", "proxy_measures"]
