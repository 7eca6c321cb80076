"""Whether an edit changed its object and nothing else, and whether two edits are alike in size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from harness.scenes.findings import Finding, borderline, fail
from harness.scenes.limits import Limits
from harness.scenes.scene import Scene
from harness.scenes.seen import SUBSAMPLES, Seen
from harness.scenes.triplet import Triplet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from harness.scenes.render import Rendered

    Mask = NDArray[np.bool_]


def touched(base: Scene, variant: Scene) -> tuple[frozenset[str], bool]:
    """The ids whose records differ between two scenes, and whether only surfaces do.

    A surface is colour and material; anything else, and an object in one scene only, can
    change the id pass and the shadows.

    Examples
    --------
    >>> from harness.scenes.scene import SceneObject
    >>> one = SceneObject(
    ...     id="o1", shape="cube", color="red", material="metal", size="large", x=0, y=0
    ... )
    >>> found = touched(Scene(objects=(one,)), Scene(objects=(replace(one, color="blue"),)))
    >>> sorted(found[0]), found[1]
    (['o1'], True)
    """
    before = {thing.id: thing for thing in base.objects}
    after = {thing.id: thing for thing in variant.objects}
    names = frozenset(
        name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
    )
    surface = all(
        name in before
        and name in after
        and replace(before[name], color="gray", material="rubber")
        == replace(after[name], color="gray", material="rubber")
        for name in names
    )
    return names, surface


def edit_findings(
    triplet: Triplet,
    edit: str,
    pictures: Mapping[str, Rendered],
    views: Mapping[str, Seen],
    limits: Limits,
) -> Iterator[Finding]:
    """Compare an edited picture with its base, pixel by pixel.

    A change of surface may change the object's own pixels only, and has to change nearly all
    of its core. Any other edit may change what the object can influence before or after
    (silhouette, shadow, ambient occlusion). Not one pixel may change outside.
    """
    before, after = pictures["base"], pictures[edit]
    base, variant = triplet.scenes["base"], triplet.scenes[edit]
    names, surface = touched(base, variant)
    if names != set(triplet.edited[edit]):
        yield fail(
            "edited",
            edit,
            f"expected changes of {sorted(triplet.edited[edit])}, the records of "
            f"{sorted(names)} differ",
        )
    if (base.camera, base.lights, base.seed) != (variant.camera, variant.lights, variant.seed):
        yield fail("view", edit, "expected the camera, the lights and the seed of the base")
    changes = np.abs(after.rgb.astype(np.int16) - before.rgb).max(axis=2)
    changed = changes > 0
    if not changed.any():
        yield fail("unchanged", edit, "expected a picture that differs from the base")
    reach = "coverage" if surface else "influence"
    allowed = _union([before, after], names, reach)
    outside = int((changed & ~allowed).sum())
    if outside:
        y, x = (int(value) for value in np.argwhere(changed & ~allowed)[0])
        yield fail(
            "outside",
            edit,
            f"expected no change beyond {sorted(names)}, found {outside} px, the first at "
            f"column {x}, row {y}",
        )
    if surface:
        yield from _surface(before, after, names, changed, limits, edit)
    yield from _others(triplet, edit, pictures, names, changes, limits)
    for name in sorted(names):
        cores = [
            view.objects[name].core for view in (views["base"], views[edit]) if name in view.objects
        ]
        # Of an edit of the size the larger state counts; the smaller one has a core to keep.
        resized = len({scene[name].size for scene in (base, variant) if name in _ids(scene)}) > 1
        core = (max if resized else min)(cores, default=0)
        if core < limits.edited_core_px:
            yield fail(
                "edited_core",
                f"{edit} {name}",
                f"expected {limits.edited_core_px:g} px of core, found {core}",
            )


def strength_findings(
    triplet: Triplet, pictures: Mapping[str, Rendered], limits: Limits
) -> tuple[dict[str, float], list[Finding]]:
    """Compare the sizes of the two edits.

    Returns
    -------
    facts : `area_ratio`, pixels that show an edited object before or after, and `change_ratio`,
        sum of absolute differences of all channels, each relevant over irrelevant. A ratio
        with nothing below the line is left out.
    findings : BORDERLINE outside the narrow bounds, FAIL outside the wide ones.
    """
    areas, sums = [], []
    before = pictures["base"]
    for edit in ("relevant", "irrelevant"):
        after = pictures[edit]
        names, _ = touched(triplet.scenes["base"], triplet.scenes[edit])
        areas.append(int(_union([before, after], names, "coverage").sum()))
        sums.append(int(np.abs(after.rgb.astype(np.int16) - before.rgb).sum(dtype=np.int64)))
    facts: dict[str, float] = {}
    findings = []
    for code, name, (relevant, irrelevant) in (
        ("strength_area", "area_ratio", areas),
        ("strength_change", "change_ratio", sums),
    ):
        if not irrelevant:
            findings.append(fail(code, "irrelevant", "expected an edit that shows, found none"))
            continue
        ratio = facts[name] = relevant / irrelevant
        if limits.strength_low <= ratio <= limits.strength_high:
            continue
        wide = limits.strength_wide_low <= ratio <= limits.strength_wide_high
        findings.append(
            (borderline if wide else fail)(
                code,
                "relevant irrelevant",
                f"expected a ratio in [{limits.strength_low:g}, {limits.strength_high:g}], found "
                f"{ratio:.2f}",
            )
        )
    return facts, findings


def _surface(
    before: Rendered,
    after: Rendered,
    names: Iterable[str],
    changed: Mask,
    limits: Limits,
    edit: str,
) -> Iterator[Finding]:
    same = before.object_ids == after.object_ids
    if not same or not (
        np.array_equal(before.ids, after.ids) and np.array_equal(before.coverage, after.coverage)
    ):
        yield fail("edit_ids", edit, "expected the id pass of the base, found another")
        return
    for name in sorted(names):
        core = before.coverage[before.object_ids.index(name)] == SUBSAMPLES
        share = float(changed[core].mean()) if core.any() else 0.0
        if share < limits.core_changed:
            yield fail(
                "core_changed",
                f"{edit} {name}",
                f"expected {limits.core_changed:.0%} of the core to change, found {share:.1%}",
            )


def _others(
    triplet: Triplet,
    edit: str,
    pictures: Mapping[str, Rendered],
    names: frozenset[str],
    changes: NDArray[np.int16],
    limits: Limits,
) -> Iterator[Finding]:
    before, after = pictures["base"], pictures[edit]
    queried = {*triplet.queried["base"], *triplet.queried[edit]}
    for k, name in enumerate(before.object_ids):
        if name in names or name not in after.object_ids:
            continue
        owned = before.ids == k
        if not np.array_equal(owned, after.ids == after.object_ids.index(name)):
            yield fail("others", f"{edit} {name}", "expected the pixels of the base, found others")
        # An edge pixel mixes in the ground behind the object, whose shadow may well change.
        core = before.coverage[k] == SUBSAMPLES
        most = int(changes[core].max(initial=0))
        if name in queried and most > limits.queried_change:
            yield fail(
                "queried_change",
                f"{edit} {name}",
                f"expected a change of at most {limits.queried_change:g}/255, found {most}",
            )


def _ids(scene: Scene) -> set[str]:
    return {thing.id for thing in scene.objects}


def _union(pictures: Iterable[Rendered], names: Iterable[str], array: str) -> Mask:
    """Pixels where one of the arrays of one of the objects is not zero."""
    found: Mask | None = None
    for picture in pictures:
        stack = getattr(picture, array)
        found = np.zeros(stack.shape[1:], bool) if found is None else found
        for name in names:
            if name in picture.object_ids:
                found |= stack[picture.object_ids.index(name)] > 0
    return np.zeros((0, 0), bool) if found is None else found


__all__ = ["edit_findings", "strength_findings", "touched"]
