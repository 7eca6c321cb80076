"""Advantages inside one group: rewards less their mean, over their spread."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Values: TypeAlias = NDArray[np.float64]

SPREADS = {"population": 0, "sample": 1}


def advantages(rewards: ArrayLike, eps: float = 0.0, spread: str = "population") -> Values:
    """Normalise the rewards of one group: (r − r̄) / (σ + ε).

    Parameters
    ----------
    rewards : of the K responses to one prompt, shape (K,), finite, of a range that is too.
    eps : ε of at least 0.
    spread : "population" divides the squares by K, "sample" by K − 1.

    Returns
    -------
    array of float64, shape (K,)
        With ε = 0 their squares have the mean 1 ("sample": (K − 1) / K) whatever the rewards are.
        Zeros where all rewards are equal, and so for K < 2.

    Raises
    ------
    ValueError
        For rewards that are no finite sequence or further apart than floats reach, an ε below 0,
        another spread.

    References
    ----------
    Physics-R1 (2026), section on GSPO; Z. Shao et al., "DeepSeekMath" (2024), section 4.1.

    Examples
    --------
    >>> advantages([1, 0, 0, 0, 0]).tolist()
    [2.0, -0.5, -0.5, -0.5, -0.5]
    >>> advantages([0.1, 0.1, 0.1]).tolist()
    [0.0, 0.0, 0.0]
    """
    given = np.asarray(rewards, dtype=np.float64)
    if given.ndim != 1 or not np.isfinite(given).all():
        raise ValueError(
            f"advantages: expected a sequence of finite rewards, found shape {given.shape} with "
            f"{int((~np.isfinite(given)).sum())} that are not finite"
        )
    if not (math.isfinite(eps) and eps >= 0):
        raise ValueError(f"advantages: expected eps finite and at least 0, found {eps}")
    if spread not in SPREADS:
        raise ValueError(f"advantages: expected spread {' or '.join(SPREADS)}, found {spread!r}")
    with np.errstate(over="ignore"):
        size = float(np.ptp(given)) if len(given) else 0.0
    if math.isinf(size):
        raise ValueError("advantages: expected rewards whose range is finite, found an overflow")
    if size == 0.0:
        return np.zeros(len(given))
    # In units of the range, so that the squares of tiny or huge rewards stay floats.
    off = given / size
    off = off - off.mean()
    sigma = math.sqrt(math.fsum(off * off) / (len(given) - SPREADS[spread]))
    made: Values = off / (sigma + eps / size)
    return made


def scale_gap(sigma: float, eps: float, scale: float) -> float:
    """What ε makes of the invariance to r → a·r + b, exactly.

    Parameters
    ----------
    sigma : the spread of the rewards before, above 0.
    eps : ε of at least 0.
    scale : a, above 0; b plays no part.

    Returns
    -------
    float
        The change of each advantage as a share of its value at ε = 0: |σ/(σ + ε/a) − σ/(σ + ε)|.
        It is 0 for ε = 0 or a = 1, and at most ε·|1 − 1/a| / σ.

    Raises
    ------
    ValueError
        For a σ or a scale of 0 or less, or an ε below 0.

    Examples
    --------
    >>> scale_gap(0.5, 0.0, 7.0), round(scale_gap(0.5, 1e-6, 0.1), 8)
    (0.0, 1.8e-05)
    """
    if not (sigma > 0 and scale > 0 and eps >= 0):
        raise ValueError(
            f"scale_gap: expected sigma and scale above 0 and eps of at least 0, found {sigma}, "
            f"{scale}, {eps}"
        )
    return abs(sigma / (sigma + eps / scale) - sigma / (sigma + eps))


__all__ = ["SPREADS", "advantages", "scale_gap"]
