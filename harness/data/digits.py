"""Digits: the 1,797 scanned handwritten digits that scikit-learn ships (claim level L1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from harness import ids
from harness.data import manifest
from harness.errors import DataError
from harness.types import Dataset, Example, Media

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

SEED = 2026
SIDE_PX = 64
N_SCANS = 1797
SIZES = {"train": 997, "val": 400, "test": 400}
QUESTION = "Which digit is shown?"
CHOICES = tuple("0123456789")


def digits(split: str) -> Dataset:
    """Read one split of scikit-learn's handwritten digits.

    The scans are 8×8 with 17 grey levels (0 is paper, 16 is ink), rescaled to 0..255 and
    enlarged to 64×64 by bilinear interpolation: light strokes on a dark ground. The splits
    are stratified by class with a fixed seed and do not overlap.

    Parameters
    ----------
    split : "train" (997 examples), "val" (400) or "test" (400).

    Returns
    -------
    Dataset
        Kind `choice` with the choices "0" to "9" (letters A to J), in the order of the
        source; the media's name holds the row in the source.

    Raises
    ------
    DataError
        For an unknown split, or a source of another size than 1,797 scans; from
        `open_image`, for a picture that is not of this split.

    Notes
    -----
    Source: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine
    Learning Repository, 1998 (its test part, as packaged by scikit-learn).
    """
    if split not in SIZES:
        raise DataError(f"digits: unknown split {split!r}; valid splits are {', '.join(SIZES)}")
    scans, labels = _source()
    rows = partition(labels)[split]
    images = {f"digits-row-{row:04d}.png": scans[row] for row in rows}
    examples = tuple(
        _example(split, position, name, scan, int(labels[row]))
        for position, (row, (name, scan)) in enumerate(zip(rows, images.items(), strict=True))
    )
    manifest.check(examples, f"digits/{split}")

    def open_image(media: Media) -> Image:
        if media.name not in images:
            raise DataError(
                f"digits/{split}: no picture {media.name!r}; expected a name like "
                f"{examples[0].media[0].name!r} from this split"
            )
        return picture(images[media.name])

    return Dataset(
        name="digits",
        split=split,
        examples=examples,
        fingerprint=manifest.fingerprint(examples),
        open_image=open_image,
        claim_level="L1",
    )


def partition(labels: NDArray[np.int64]) -> dict[str, list[int]]:
    """Split rows by class: val and test hold each class's share to within one row.

    Parameters
    ----------
    labels : (n,), the class of each row; n must be the sum of `SIZES`.

    Returns
    -------
    dict
        Split name to rising row numbers; sizes are exactly `SIZES`, rows occur once.
    """
    classes = [int(c) for c in np.unique(labels)]
    members = {}
    for label in classes:
        rng = np.random.Generator(np.random.PCG64(ids.seed(SEED, "digits", label)))
        members[label] = [int(row) for row in rng.permutation(np.flatnonzero(labels == label))]
    counts = {label: len(members[label]) for label in classes}
    rows: dict[str, list[int]] = {}
    for split in ("val", "test"):
        quota = _shares(counts, SIZES[split])
        rows[split] = sorted(row for c in classes for row in members[c][: quota[c]])
        members = {c: members[c][quota[c] :] for c in classes}
    rows["train"] = sorted(row for c in classes for row in members[c])
    return rows


def picture(scan: NDArray[np.float64]) -> Image:
    """Enlarge one 8×8 scan of levels 0..16 to a 64×64 RGB picture, light on dark."""
    from PIL import Image

    grey = np.rint(np.clip(scan / 16.0, 0.0, 1.0) * 255.0).astype(np.uint8)
    small = Image.fromarray(grey)
    return small.resize((SIDE_PX, SIDE_PX), Image.Resampling.BILINEAR).convert("RGB")


def _shares(counts: dict[int, int], total: int) -> dict[int, int]:
    """Allocate `total` in proportion to `counts` by largest remainder, in integers."""
    n = sum(counts.values())
    shares = {label: total * count // n for label, count in counts.items()}
    left = total - sum(shares.values())
    by_remainder = sorted(counts, key=lambda label: (-(total * counts[label] % n), label))
    for label in by_remainder[:left]:
        shares[label] += 1
    return shares


def _source() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    from sklearn.datasets import load_digits

    bunch = load_digits()
    scans, labels = np.asarray(bunch.images), np.asarray(bunch.target)
    if scans.shape != (N_SCANS, 8, 8):
        raise DataError(
            f"digits: scikit-learn gave scans of shape {scans.shape}, expected "
            f"({N_SCANS}, 8, 8); install a release whose load_digits has all scans"
        )
    return scans, labels


def _example(
    split: str, position: int, name: str, scan: NDArray[np.float64], label: int
) -> Example:
    return Example(
        id=f"digits-{split}-{position:04d}",
        kind="choice",
        question=QUESTION,
        choices=CHOICES,
        gold=manifest.LETTERS[label],
        media=(Media(kind="image", name=name, sha256=manifest.pixel_digest(picture(scan))),),
        tags=("digit",),
    )


__all__ = ["CHOICES", "QUESTION", "SIDE_PX", "digits", "partition", "picture"]
