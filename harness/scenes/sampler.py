"""Specimens by index: triplets of the audit and single pictures of the static set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count as from_

from harness.errors import DataError
from harness.scenes.schedule import balanced, published
from harness.scenes.triplet import FACTORS, PREFIXES, Item, Triplet

# Published for count and spatial; the two between them follow the same step.
MASTER_SEEDS = {
    "count": 2026091205,
    "attribute": 2026091215,
    "presence": 2026091225,
    "spatial": 2026091235,
}
DIRECTIONS = ("balanced", "published")


def triplet(
    factor: str, index: int, *, master_seed: int | None = None, direction: str = "balanced"
) -> Triplet:
    """Draw the triplet of an index; equal arguments, equal triplets, in any order of calls.

    Parameters
    ----------
    factor : one of `FACTORS`.
    index : from 0. The id is the factor's prefix and the index with six digits.
    master_seed : of the whole sequence; None for the factor's own in `MASTER_SEEDS`.
    direction : "balanced" draws the pair first and balances letter, base value, direction and
        place of the target exactly in each 16 indices from a multiple of 16. "published" keeps
        the one-way edits of the study (count adds, presence removes, spatial starts left), its
        ten colour changes and its front slots.

    Returns
    -------
    Triplet
        Its `design` has letter, value, direction, side and depth of the target (left or right,
        near or far), and what else the factor drew. It was not rendered: whether its pictures
        show what it says is for `harness.scenes.verify`; a rejected one is replaced by the next
        index, never edited.

    Raises
    ------
    DataError
        For an unknown factor or direction, an index outside 0 … 999999, and where no placing is
        found.

    Examples
    --------
    >>> found = triplet("presence", 7)
    >>> found.id, found.candidates in (("yes", "no"), ("no", "yes"))
    ('pres_000007', True)
    >>> found.gold["relevant"] != found.gold["base"] == found.gold["irrelevant"]
    True
    """
    seed = _checked(factor, index, master_seed)
    if direction not in DIRECTIONS:
        raise DataError(f"direction: expected one of {', '.join(DIRECTIONS)}, found {direction!r}")
    drawn = (
        balanced(factor, index, seed, "audit")
        if direction == "balanced"
        else published(factor, index, seed)
    )
    return replace(drawn, id=f"{PREFIXES[factor]}_{index:06d}")


def static_item(factor: str, index: int, *, master_seed: int | None = None) -> Item:
    """Draw the single picture of an index: by the laws of a balanced triplet's base.

    Parameters
    ----------
    factor, index, master_seed : as in `triplet`, but drawn in a name space of its own, so that
        no static item shares draws with a triplet. The id is static_<prefix>_<six digits>.

    Returns
    -------
    Item
        Letter, value and place are balanced as for triplets, and in its `design`.

    Raises
    ------
    DataError
        As `triplet`.

    Examples
    --------
    >>> static_item("count", 0).id
    'static_count_000000'
    """
    drawn = balanced(factor, index, _checked(factor, index, master_seed), "static")
    return replace(drawn.item("base"), id=f"static_{PREFIXES[factor]}_{index:06d}")


def candidates(
    factor: str,
    *,
    master_seed: int | None = None,
    direction: str = "balanced",
    start: int = 0,
) -> Iterator[Triplet]:
    """Triplets of rising index without end, each drawn when it is asked for."""
    for index in from_(start):
        yield triplet(factor, index, master_seed=master_seed, direction=direction)


def _checked(factor: str, index: int, master_seed: int | None) -> int:
    if factor not in FACTORS:
        raise DataError(f"factor: expected one of {', '.join(FACTORS)}, found {factor!r}")
    if not 0 <= index <= 999_999:
        raise DataError(f"index: expected 0 to 999999, found {index}")
    return MASTER_SEEDS[factor] if master_seed is None else master_seed


__all__ = [
    "DIRECTIONS",
    "MASTER_SEEDS",
    "candidates",
    "static_item",
    "triplet",
]
