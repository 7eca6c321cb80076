"""Generated physics problems as twins, choice or open; half of them marked as flagged."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.data import manifest
from harness.errors import DataError
from harness.saturation.problems import FLAGGED_TAG, planted
from harness.saturation.twins import CHOICE, OPEN, Twins, twins
from harness.types import Dataset, Media

if TYPE_CHECKING:
    from PIL.Image import Image

SEED, N_PROBLEMS, PLANTED = 20261130, 200, 0.5


def twin_problems(name: str, *, split: str) -> Dataset:
    """Give one side of the generated twin problems.

    Parameters
    ----------
    name : how the study names the data set.
    split : "choice" or "open": the same ids in the same order.

    Returns
    -------
    Dataset
        200 problems of mechanics, electricity and waves, without pictures. Half of them, drawn by
        lot, carry the tag "flagged": `harness.saturation.problems.problem` gives the paraphrases
        that a contaminated training set would hold. Claim level L0.

    Raises
    ------
    DataError
        For another split.

    Examples
    --------
    >>> found = twin_problems("twins", split="open")
    >>> len(found.examples), sum("flagged" in e.tags for e in found.examples)
    (200, 100)
    """
    if split not in (CHOICE, OPEN):
        raise DataError(f"{name}: expected the split choice or open, found {split!r}")
    made = _made()
    examples = made.choice if split == CHOICE else made.open

    def open_image(media: Media) -> Image:
        raise DataError(f"{name}/{split}: no picture {media.name!r}: these problems have none")

    return Dataset(
        name=name,
        split=split,
        examples=examples,
        fingerprint=manifest.fingerprint(examples),
        open_image=open_image,
        claim_level="L0",
    )


@lru_cache(maxsize=1)
def _made() -> Twins:
    rows, flagged = planted(SEED, N_PROBLEMS, PLANTED)
    marked = [
        replace(row, tags=(*row.tags, FLAGGED_TAG)) if row.id in flagged else row for row in rows
    ]
    made = twins(marked, SEED)
    if made.left_out:
        raise DataError(f"twin problems: expected a twin of each, found none of {made.left_out}")
    for side in (made.choice, made.open):
        manifest.check(side, "twin problems")
    return made


__all__ = ["N_PROBLEMS", "PLANTED", "SEED", "twin_problems"]
