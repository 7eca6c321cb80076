"""The thresholds of verification, for one picture size."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace

from harness.errors import DataError


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """What a picture has to keep; the values given here are for 320×240.

    A value beyond a limit FAILs, but for those marked †, whose verdict is BORDERLINE. Where the
    published rule of the study (RewardLens, checks after rendering) is laxer, ours decides;
    where it is stricter, it adds BORDERLINE. In the list `published` names what it says.

    Attributes
    ----------
    core_px : least core of any object; published: radius of 6 px by formula, BORDERLINE. Ours
        is the stricter one (a disc of 6 px has 113 px).
    edited_core_px : least core of an edited object.
    visible : least visible share of queried and edited objects; published: centres closer than
        0.55 of the smaller radius, BORDERLINE. Ours is the stricter one.
    visible_other : the same for all others.
    visible_behind, overlap : where the question is which of two objects is in front: least
        visible share of any object in place of both, and least hidden share of the one behind.
    disc_gap_px † : between the discs about two objects.
    border_px : free pixels around an object's box; published: outside the frame, FAIL. Ours is
        the stricter one.
    border_near_px † : published, and stricter: within 8 px of the border.
    silhouette : least fit of an object to the outline of its record.
    margin † : lead of the nearest colour class over the second.
    chroma_colored, chroma_gray : least and greatest distance from the gray axis.
    candidate_difference : least dE (CIE 1976) between the two colours that are the candidates.
    clipped † : greatest share of a core with all channels at 250 or more.
    count_low, count_high : least and greatest number of the counted colour.
    box_gap_px, centroid_gap_px : between the two objects of a left/right question.
    left_dot : least distance along the camera's left, scene units; published: 0.2, laxer.
    core_changed : least share of a recoloured core that changes.
    queried_change : greatest change of a channel on the core of a queried object that was not
        edited.
    strength_low, strength_high † : ratio of the relevant to the irrelevant edit, by area and by
        sum of absolute changes.
    strength_wide_low, strength_wide_high : published, and laxer, on the mean change: outside
        it BORDERLINE there; here FAIL, since the narrower bounds are BORDERLINE already.
    """

    core_px: float = 180
    edited_core_px: float = 250
    visible: float = 1.0
    visible_other: float = 0.98
    visible_behind: float = 0.5
    overlap: float = 0.05
    disc_gap_px: float = 5
    border_px: float = 6
    border_near_px: float = 8
    silhouette: float = 0.9
    margin: float = 8
    chroma_colored: float = 18
    chroma_gray: float = 6
    candidate_difference: float = 20
    clipped: float = 0.15
    count_low: float = 1
    count_high: float = 6
    box_gap_px: float = 8
    centroid_gap_px: float = 32
    left_dot: float = 0.4
    core_changed: float = 0.95
    queried_change: float = 8
    strength_low: float = 0.5
    strength_high: float = 2.0
    strength_wide_low: float = 0.25
    strength_wide_high: float = 4.0


_BASE = Limits()
_LARGE = replace(
    _BASE, core_px=400, edited_core_px=555, disc_gap_px=8, border_px=9, border_near_px=12,
    box_gap_px=12, centroid_gap_px=48,
)  # fmt: skip
_PUBLISHED: dict[str, float] = {
    "box_gap_px": -math.inf,
    "centroid_gap_px": 0.0,
    "left_dot": 0.2,
    "queried_change": 255,
    "strength_low": 0.25,
    "strength_high": 4.0,
    "strength_wide_low": 0.0,
    "strength_wide_high": math.inf,
}
_AREAS = ("core_px", "edited_core_px")


def limits_for(width: int, height: int, rule: str = "ours") -> Limits:
    """Scale the thresholds to a picture size.

    Those of 320×240 and 480×320 are set by hand. For any other size lengths grow with the
    square root of the area and areas with the area, from 320×240; all others stay.

    Parameters
    ----------
    width, height : of the picture, pixels.
    rule : "ours", or "published" for a set with the published one-way edits, whose layouts for
        left/right do not keep ours: left and right then need no gap in pixels and 0.2 along
        the camera's left, edits may shade queried objects, and the strength of edits is
        BORDERLINE outside [0.25, 4] and never FAILs. All else stays ours.

    Raises
    ------
    DataError
        For a side below 1 and another rule.

    Examples
    --------
    >>> limits_for(480, 320).core_px, limits_for(160, 120).core_px, limits_for(160, 120).border_px
    (400, 45.0, 3.0)
    """
    if rule == "published":
        return replace(limits_for(width, height), **_PUBLISHED)
    if rule != "ours":
        raise DataError(f"expected the rule 'ours' or 'published', found {rule!r}")
    if width < 1 or height < 1:
        raise DataError(f"expected a picture of at least 1×1, found {width}×{height}")
    known = {(320, 240): _BASE, (480, 320): _LARGE}.get((width, height))
    if known is not None:
        return known
    area = width * height / (320 * 240)
    scaled = {
        field.name: getattr(_BASE, field.name) * (area if field.name in _AREAS else math.sqrt(area))
        for field in fields(Limits)
        if field.name.endswith("_px")
    }
    return replace(_BASE, **scaled)


__all__ = ["Limits", "limits_for"]
