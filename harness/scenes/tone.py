"""From linear light to 8-bit sRGB by a table of thresholds: no power is taken of a pixel."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from harness.scenes.rays import Floats


def to_linear(value: float) -> float:
    """Linear light of an sRGB value in [0, 255] (IEC 61966-2-1), in [0, 1].

    >>> to_linear(255.0)
    1.0
    """
    share = value / 255.0
    linear = share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
    # A C library's power may differ in its last bits; what is left after rounding may not.
    return round(linear, 12)


_THRESHOLDS = np.array([to_linear(level + 0.5) for level in range(255)])
# Light up to here is kept; above, it goes up to 1 ever more slowly.
_KNEE = 0.6


def shoulder(light: Floats) -> Floats:
    """Bring linear light of at least 0 into [0, 1): the identity up to 0.6, smooth above it.

    >>> shoulder(np.array([0.0, 0.6, 1.0])).tolist()
    [0.0, 0.6, 0.8]
    """
    over = np.maximum(light - _KNEE, 0.0) * (1.0 / (1.0 - _KNEE))
    found: Floats = np.minimum(light, _KNEE) + (1.0 - _KNEE) * (over / (1.0 + over))
    return found


def to_srgb(linear: Floats) -> npt.NDArray[np.uint8]:
    """The nearest 8-bit sRGB level of linear light; below 0 gives 0, above 1 gives 255.

    >>> to_srgb(np.array([-1.0, 0.0, 0.2140, 1.0, 9.0])).tolist()
    [0, 0, 127, 255, 255]
    """
    levels: npt.NDArray[np.uint8] = np.searchsorted(_THRESHOLDS, linear, side="right").astype(
        np.uint8
    )
    return levels


__all__ = ["shoulder", "to_linear", "to_srgb"]
