"""Colour as seen: sRGB to CIE L*a*b*, and the palette class nearest to a colour in a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from harness.errors import DataError

Lab = tuple[float, float, float]

# IEC 61966-2-1, linear sRGB to XYZ; the rows' sums are its white (D65), so that gray is neutral.
_TO_XYZ = (
    (0.4124, 0.3576, 0.1805),
    (0.2126, 0.7152, 0.0722),
    (0.0193, 0.1192, 0.9505),
)
_KNEE = 6 / 29
LIGHTNESS_WEIGHT = 0.5


def lab(red: float, green: float, blue: float) -> Lab:
    """Convert a colour of the picture to CIE 1976 L*a*b* under D65.

    Parameters
    ----------
    red, green, blue : sRGB values in [0, 255]; halves are allowed, as a median gives them.

    Returns
    -------
    tuple of float
        L* in [0, 100], a* and b*, rounded to 4 decimals so that a last bit of the power
        function never shows. Gray has a* = b* = 0.

    Raises
    ------
    DataError
        For a value outside [0, 255].

    References
    ----------
    IEC 61966-2-1:1999 (transfer function, matrix). CIE 15:2004, section 8.2.1.

    Examples
    --------
    >>> lab(255, 255, 255)
    (100.0, 0.0, 0.0)
    >>> lab(255, 0, 0)
    (53.2329, 80.1053, 67.2228)
    """
    if not all(0 <= value <= 255 for value in (red, green, blue)):
        raise DataError(f"expected sRGB values in [0, 255], found {(red, green, blue)}")
    linear = [_linear(value / 255) for value in (red, green, blue)]
    x, y, z = (
        _root(sum(m * c for m, c in zip(row, linear, strict=True)) / sum(row)) for row in _TO_XYZ
    )
    values = 116 * y - 16, 500 * (x - y), 200 * (y - z)
    light, a, b = (round(value, 4) + 0.0 for value in values)
    return light, a, b


def chroma(color: Lab) -> float:
    """Distance from the gray axis, sqrt(a*² + b*²)."""
    return math.hypot(color[1], color[2])


def difference(one: Lab, other: Lab, weight: float = 1.0) -> float:
    """Euclidean colour difference; `weight` scales the lightness (1: the dE of CIE 1976)."""
    return math.hypot(weight * (one[0] - other[0]), one[1] - other[1], one[2] - other[2])


def nearest(color: Lab, centroids: Mapping[str, Sequence[Lab]]) -> tuple[str, float]:
    """Name the palette class of a colour, and by how much it wins.

    A class may have several centroids (one a material) and is as far away as the nearest of
    them. Lightness counts half, since shading moves it most.

    Parameters
    ----------
    color : L*a*b* as seen.
    centroids : at least two classes with at least one centroid each.

    Returns
    -------
    name : the nearest class; of equally near ones the first in the table.
    margin : distance of the second nearest class minus that of the nearest, at least 0.

    Raises
    ------
    DataError
        For fewer than two classes.

    Examples
    --------
    >>> nearest((50, 60, 0), {"red": [(50, 60, 10)], "gray": [(50, 0, 0)]})
    ('red', 50.0)
    """
    if len(centroids) < 2:
        raise DataError(f"expected two or more colour classes, found {len(centroids)}")
    far = {
        name: min(difference(color, centre, LIGHTNESS_WEIGHT) for centre in centres)
        for name, centres in centroids.items()
    }
    first, second = sorted(far, key=lambda name: far[name])[:2]
    return first, far[second] - far[first]


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else math.pow((value + 0.055) / 1.055, 2.4)


def _root(value: float) -> float:
    if value > _KNEE**3:
        return math.pow(value, 1 / 3)
    return value / (3 * _KNEE**2) + 4 / 29


__all__ = ["LIGHTNESS_WEIGHT", "Lab", "chroma", "difference", "lab", "nearest"]
