from __future__ import annotations

from fractions import Fraction

import numpy as np
from PIL import ImageColor
from scipy import ndimage

from harness.data.mini_r1.draws import Draws
from harness.data.mini_r1.figure import COLORS
from harness.data.mini_r1.schedule import FAMILIES


def test_the_pictures_hold_the_answers() -> None:
    """Three families read off their pixels, without what the generator knows."""
    by_name = {family.name: family for family in FAMILIES}
    for draw in range(4):
        made = {name: by_name[name].make(Draws("pixels", draw)) for name in READ}
        for name, read in READ.items():
            pixels = np.asarray(made[name].figure.image(), dtype=np.int16)
            assert read(made[name].question, pixels) == made[name].answer, (name, draw)


def _shares(question: str, pixels: np.ndarray) -> str:
    areas = {name: int(_near(pixels, code).sum()) for name, code in COLORS.items()}
    asked = areas[question.rstrip("?").split()[-1]]
    share = Fraction(asked, sum(areas.values()))
    possible = [Fraction(k, parts) for parts in (6, 8, 10, 12) for k in range(1, parts)]
    return str(min(possible, key=lambda value: abs(value - share)))


def _bacteria(question: str, pixels: np.ndarray) -> str:
    rods = []
    for blob in _blobs(pixels):
        spread_px = np.linalg.eigvalsh(np.cov(np.nonzero(blob)))
        rods.append(spread_px[1] > 3 * spread_px[0])
    return str(sum(rods) if "rod" in question else len(rods) - sum(rods))


def _affected(question: str, pixels: np.ndarray) -> str:
    full = [blob.mean() > 0.9 for blob in _blobs(pixels)]
    return str(len(full) - sum(full) if "females are" in question else sum(full))


def _blobs(pixels: np.ndarray) -> list[np.ndarray]:
    inked = np.any([_near(pixels, code) for code in COLORS.values()], axis=0)
    labels, _ = ndimage.label(inked)
    found = [labels[box] == i for i, box in enumerate(ndimage.find_objects(labels), start=1)]
    return [blob for blob in found if blob.sum() > 100]


def _near(pixels: np.ndarray, code: str) -> np.ndarray:
    return abs(pixels - ImageColor.getrgb(code)).max(axis=2) < 12


READ = {"spinner": _shares, "microscope": _bacteria, "pedigree": _affected}
