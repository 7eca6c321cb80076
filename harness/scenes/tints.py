"""The palette as rendered: where each colour class lies in L*a*b* under this renderer's lights.

One centroid for each of `MATERIALS` (rubber, metal), made by `calibrate.tint` at 320×240. To be
made again whenever shading, lights or exposure change; a test makes part of it anew.
"""

from __future__ import annotations

from harness.scenes.hues import Lab

TINTS: dict[str, tuple[Lab, ...]] = {
    "gray": ((44.4, 0.2, 1.6), (50.6, 0.1, 0.2)),
    "red": ((35.8, 50.6, 33.3), (40.7, 55.6, 36.1)),
    "blue": ((35.3, 34.2, -66.8), (40.4, 37.0, -73.2)),
    "green": ((38.1, -38.0, 36.5), (43.8, -42.4, 40.4)),
    "brown": ((37.0, 19.4, 36.0), (42.3, 20.8, 39.6)),
    "purple": ((34.8, 57.2, -55.8), (39.9, 63.9, -63.4)),
    "cyan": ((69.9, -37.3, -9.1), (78.1, -40.0, -11.5)),
    "yellow": ((82.5, -13.9, 74.6), (88.7, -16.6, 78.1)),
}

__all__ = ["TINTS"]
