"""The verdict on a picture and on a triplet, from pixels; the record is only compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from harness.errors import DataError
from harness.scenes.answers import Sight, read_answer
from harness.scenes.edits import edit_findings, strength_findings
from harness.scenes.findings import Check, Finding, borderline, checked, fail
from harness.scenes.hues import difference
from harness.scenes.limits import Limits, limits_for
from harness.scenes.palette import COLORS
from harness.scenes.seen import Seen, SeenObject, pair, see
from harness.scenes.silhouette import shape_fits
from harness.scenes.tints import TINTS
from harness.scenes.triplet import VARIANTS, Item, Triplet

if TYPE_CHECKING:
    from harness.scenes.render import Rendered


def verify_item(
    item: Item,
    rendered: Rendered,
    *,
    limits: Limits | None = None,
    edited: tuple[str, ...] = (),
    seen: Seen | None = None,
) -> tuple[Finding, ...]:
    """Check one picture against its question and its record.

    Read from pixels: which objects there are, their areas, gaps, hidden parts and colours, the
    shape and size that fit each silhouette best, and from these the answer. Not read from
    pixels: material, and turn and place beyond what the fit of the outline confirms.

    Parameters
    ----------
    item : the scene, the question, its candidates and gold letter.
    rendered : the picture with its arrays.
    limits : thresholds; by default those of the picture's size.
    edited : objects that an edit touches, which must be wholly visible.
    seen : the picture as measured, where that was done before.

    Returns
    -------
    tuple of Finding
        Sorted; empty for a picture that passes.

    Raises
    ------
    DataError
        For arrays that disagree in size, and a factor or query that cannot be read.
    """
    variant = item.id.partition(":")[2] or "base"
    seen = see(rendered) if seen is None else seen
    limits = limits_for(seen.width, seen.height) if limits is None else limits
    names = {thing.id for thing in item.scene.objects}
    if set(seen.objects) != names or seen.strangers:
        return (
            fail(
                "ids",
                variant,
                f"expected the objects {sorted(names)}, found {sorted(seen.objects)} and "
                f"unknown values {list(seen.strangers)}",
            ),
        )
    # Where objects overlap on purpose, gaps are not asked for and visibility is another matter.
    overlapping = item.query.factor == "occlusion"
    if overlapping:
        limits = replace(limits, visible=limits.visible_behind, visible_other=limits.visible_behind)
    findings = [*_places(seen, limits, {*item.queried, *edited}, variant)]
    if not overlapping:
        findings += _gaps(seen, limits, variant)
    kinds = {}
    for k, name in enumerate(rendered.object_ids):
        fits = shape_fits(rendered.solo[k], item.scene.camera, item.scene[name])
        thing, best = item.scene[name], max(fits, key=lambda kind: fits[kind])
        if fits[best] > 0:
            kinds[name] = best
        own = fits[thing.shape, thing.size]
        if own < limits.silhouette:
            findings.append(
                fail(
                    "outline",
                    f"{variant} {name}",
                    f"expected {limits.silhouette:.0%} shared with the outline of a "
                    f"{thing.size} {thing.shape}, found {own:.1%}",
                )
            )
        if best != (thing.shape, thing.size):
            findings.append(
                fail(
                    "shape",
                    f"{variant} {name}",
                    f"expected a {thing.size} {thing.shape}, a {best[1]} {best[0]} fits best",
                )
            )
        findings += _colors(seen.objects[name], thing.color, limits, f"{variant} {name}")
    colors = {name: o.color.name for name, o in seen.objects.items() if o.color is not None}
    sight = Sight(
        seen=seen,
        colors=colors,
        shapes={name: kind[0] for name, kind in kinds.items()},
        sizes={name: kind[1] for name, kind in kinds.items()},
    )
    findings += read_answer(item, sight, limits, variant)
    if item.query.factor == "attribute":
        findings += _apart(item, seen, limits, variant)
    return tuple(sorted(findings))


def verify_triplet(
    triplet: Triplet, pictures: Mapping[str, Rendered], *, limits: Limits | None = None
) -> Check:
    """Check a base picture and its two edits, each alone and against each other.

    Parameters
    ----------
    triplet : scenes, question, gold letters and the ids that each edit names.
    pictures : one for each of base, relevant and irrelevant.
    limits : thresholds; by default those of the base picture's size.

    Returns
    -------
    Check
        PASS without findings. `facts` holds `least_core_px`, `least_margin`, `least_border_px`,
        `area_ratio` and `change_ratio` (relevant to irrelevant), where they could be measured.

    Raises
    ------
    DataError
        For a missing variant, as in `verify_item`.
    """
    missing = [variant for variant in VARIANTS if variant not in pictures]
    if missing:
        raise DataError(f"{triplet.id}: expected three pictures, {', '.join(missing)} missing")
    sizes = {variant: pictures[variant].rgb.shape[:2] for variant in VARIANTS}
    if len(set(sizes.values())) > 1:
        return checked(
            triplet.id, [fail("picture_size", "", f"expected pictures of one size, found {sizes}")]
        )
    views = {variant: see(pictures[variant]) for variant in VARIANTS}
    if limits is None:
        limits = limits_for(views["base"].width, views["base"].height)
    findings = [*_letters(triplet)]
    every = (*triplet.edited["relevant"], *triplet.edited["irrelevant"])
    for variant in VARIANTS:
        names = {thing.id for thing in triplet.scenes[variant].objects}
        findings += verify_item(
            triplet.item(variant),
            pictures[variant],
            limits=limits,
            edited=tuple(name for name in every if name in names),
            seen=views[variant],
        )
    facts = _facts(views)
    if not any(finding.code == "ids" for finding in findings):
        for edit in ("relevant", "irrelevant"):
            findings += edit_findings(triplet, edit, pictures, views, limits)
        ratios, more = strength_findings(triplet, pictures, limits)
        facts |= ratios
        findings += more
    return checked(triplet.id, findings, facts)


def _places(seen: Seen, limits: Limits, whole: set[str], variant: str) -> Iterator[Finding]:
    for name, thing in seen.objects.items():
        where = f"{variant} {name}"
        if thing.pieces != 1:
            yield fail("pieces", where, f"expected one piece, found {thing.pieces}")
        if thing.core < limits.core_px:
            yield fail("core", where, f"expected {limits.core_px:g} px of core, found {thing.core}")
        least = limits.visible if name in whole else limits.visible_other
        if thing.visible < least:
            yield fail(
                "occluded", where, f"expected {least:.0%} visible, found {thing.visible:.2%}"
            )
        gap = seen.border_gap(name)
        if gap is not None and gap < limits.border_px:
            yield fail(
                "border", where, f"expected {limits.border_px:g} px to the border, found {gap}"
            )
        elif gap is not None and gap < limits.border_near_px:
            yield borderline(
                "border_near",
                where,
                f"expected {limits.border_near_px:g} px to the border, found {gap}",
            )


def _gaps(seen: Seen, limits: Limits, variant: str) -> Iterator[Finding]:
    for one, other in combinations(seen.objects.values(), 2):
        between = pair(one, other)
        if between is not None and between.disc_gap < limits.disc_gap_px:
            yield borderline(
                "near",
                f"{variant} {one.id} {other.id}",
                f"expected {limits.disc_gap_px:g} px between their discs, found "
                f"{between.disc_gap:.1f}",
            )


def _colors(thing: SeenObject, recorded: str, limits: Limits, where: str) -> Iterator[Finding]:
    color = thing.color
    if color is None:
        yield fail("color", where, f"expected {recorded}, found no core to read a colour from")
        return
    if color.name != recorded:
        yield fail("color", where, f"expected {recorded}, the core looks {color.name} {color.rgb}")
    if color.margin < limits.margin:
        yield borderline(
            "margin", where, f"expected a lead of {limits.margin:g}, found {color.margin:.1f}"
        )
    if recorded == "gray" and color.chroma > limits.chroma_gray:
        yield fail(
            "chroma", where, f"expected at most {limits.chroma_gray:g}, found {color.chroma:.1f}"
        )
    if recorded != "gray" and color.chroma < limits.chroma_colored:
        yield fail(
            "chroma",
            where,
            f"expected at least {limits.chroma_colored:g}, found {color.chroma:.1f}",
        )
    if color.clipped > limits.clipped:
        yield borderline(
            "clipped", where, f"expected at most {limits.clipped:.0%}, found {color.clipped:.0%}"
        )


def _apart(item: Item, seen: Seen, limits: Limits, variant: str) -> Iterator[Finding]:
    """The colour seen against the nearest look of the candidate that it is not."""
    for name in item.queried:
        color = seen.objects[name].color if name in seen.objects else None
        for text in item.candidates:
            if color is None or text not in COLORS or text == color.name:
                continue
            found = min(difference(color.lab, tint) for tint in TINTS[text])
            if found < limits.candidate_difference:
                yield fail(
                    "candidate_difference",
                    f"{variant} {name}",
                    f"expected dE {limits.candidate_difference:g} from {text}, found {found:.1f}",
                )


def _letters(triplet: Triplet) -> Iterator[Finding]:
    base = triplet.gold["base"]
    if triplet.gold["relevant"] == base:
        yield fail("flip", "relevant", f"expected the other letter than {base}")
    if triplet.gold["irrelevant"] != base:
        yield fail("keep", "irrelevant", f"expected {base}, found {triplet.gold['irrelevant']}")


def _facts(views: Mapping[str, Seen]) -> dict[str, float]:
    things = [(view, thing) for view in views.values() for thing in view.objects.values()]
    borders = [view.border_gap(thing.id) for view, thing in things]
    values = {
        "least_core_px": [float(thing.core) for _, thing in things],
        "least_margin": [thing.color.margin for _, thing in things if thing.color],
        "least_border_px": [float(gap) for gap in borders if gap is not None],
    }
    return {name: min(found) for name, found in values.items() if found}


__all__ = ["verify_item", "verify_triplet"]
