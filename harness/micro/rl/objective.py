"""The published objective in plain arrays, to hold a trainer's loss against; it trains nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Values: TypeAlias = NDArray[np.float64]


def sequence_ratios(new: ArrayLike, old: ArrayLike, mask: ArrayLike) -> Values:
    """The ratio of each sequence: (π / π_old)^(1/|y|).

    Parameters
    ----------
    new, old : (n, length) natural logarithms of the tokens' probabilities, under the policy and
        under the one that the replies were drawn from.
    mask : (n, length), 1 for the tokens of the reply, 0 behind its end.

    Returns
    -------
    array of float64, shape (n,)
        Above 0; 1 for a sequence without a token.

    Raises
    ------
    ValueError
        For arrays of different shapes, or not of two dimensions.

    Examples
    --------
    >>> sequence_ratios([[-1.0, -1.0]], [[-1.5, -1.5]], [[1, 1]]).round(4).tolist()
    [1.6487]
    """
    after, before, given = _checked(new, old, mask)
    lengths = np.maximum(given.sum(axis=1), 1.0)
    made: Values = np.exp(((after - before) * given).sum(axis=1) / lengths)
    return made


def divergences(new: ArrayLike, base: ArrayLike, mask: ArrayLike) -> Values:
    """The KL term of each sequence: the mean over its tokens of q − log q − 1, q = π_base / π.

    Parameters
    ----------
    new, base : (n, length) log-probabilities under the policy and under the anchor.
    mask : as in `sequence_ratios`.

    Returns
    -------
    array of float64, shape (n,)
        At least 0; 0 for a sequence without a token. For tokens drawn from π its expectation is
        the divergence of π from the anchor, token by token.

    Raises
    ------
    ValueError
        As `sequence_ratios`.

    References
    ----------
    J. Schulman, "Approximating KL divergence" (2020), k3; Physics-R1 (2026) names no estimator.

    Examples
    --------
    >>> divergences([[-1.0, -1.0]], [[-1.0, -9.0]], [[1, 0]]).tolist()
    [0.0]
    """
    after, anchor, given = _checked(new, base, mask)
    off = anchor - after
    lengths = np.maximum(given.sum(axis=1), 1.0)
    made: Values = ((np.exp(off) - off - 1.0) * given).sum(axis=1) / lengths
    return made


def loss(
    new: ArrayLike,
    old: ArrayLike,
    base: ArrayLike,
    mask: ArrayLike,
    advantages: ArrayLike,
    *,
    epsilon: float = 0.2,
    epsilon_high: float = 0.28,
    beta: float = 1e-3,
) -> float:
    """−mean min(w A, clip(w, 1 − ε, 1 + ε_high) A) + β mean KL, both means over sequences.

    Parameters
    ----------
    new, old, base, mask : as in `sequence_ratios` and `divergences`.
    advantages : (n,), constant over a sequence.
    epsilon, epsilon_high : the lower and the upper clip.
    beta : weight of the KL term.

    Returns
    -------
    float
        The loss whose gradient a step descends; a long reply weighs as much as a short one.

    Raises
    ------
    ValueError
        As `sequence_ratios`, for advantages of another length, and without a sequence.

    References
    ----------
    Physics-R1 (2026), L_GSPO; C. Zheng et al., "Group sequence policy optimization" (2025); the
    wider upper clip is DAPO's (Q. Yu et al., 2025).

    Examples
    --------
    >>> loss([[0.0]], [[-1.0]], [[0.0]], [[1]], [1.0])
    -1.28
    """
    ratios = sequence_ratios(new, old, mask)
    gains = np.asarray(advantages, dtype=np.float64)
    if gains.shape != ratios.shape or not len(gains):
        raise ValueError(
            f"loss: expected one advantage for each of at least one sequence, found {gains.shape} "
            f"for {len(ratios)}"
        )
    clipped = np.clip(ratios, 1.0 - epsilon, 1.0 + epsilon_high)
    terms = np.minimum(ratios * gains, clipped * gains)
    return float(-terms.mean() + beta * divergences(new, base, mask).mean())


def _checked(new: ArrayLike, old: ArrayLike, mask: ArrayLike) -> tuple[Values, Values, Values]:
    arrays = tuple(np.asarray(a, dtype=np.float64) for a in (new, old, mask))
    shapes = [a.shape for a in arrays]
    if len(set(shapes)) > 1 or len(shapes[0]) != 2:
        raise ValueError(f"objective: expected three arrays (n, length), found shapes {shapes}")
    return arrays[0], arrays[1], arrays[2]


__all__ = ["divergences", "loss", "sequence_ratios"]
