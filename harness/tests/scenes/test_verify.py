"""Verification: clean triplets pass, and every planted fault is found by its code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from harness.errors import DataError
from harness.scenes.edits import touched
from harness.scenes.findings import CODES, Finding, checked
from harness.scenes.limits import Limits, limits_for
from harness.scenes.render import render
from harness.scenes.scene import Scene
from harness.scenes.triplet import FREE_FACTORS, VARIANTS
from harness.scenes.verify import verify_item
from harness.tests.scenes import made
from harness.tests.scenes.specimen import Specimen


@pytest.mark.parametrize("factor", FREE_FACTORS)
def test_a_clean_triplet_passes(factor: str) -> None:
    check = Specimen.of(factor).check()
    assert check.findings == ()
    assert check.verdict == "PASS"
    assert set(check.facts) == {
        *("least_core_px", "least_margin", "least_border_px", "area_ratio", "change_ratio"),
    }


def swap_ids(s: Specimen) -> None:
    a, b, *rest = s.pictures["base"].object_ids
    s.arrays("base", object_ids=(b, a, *rest))


def stranger(s: Specimen) -> None:
    ids = s.pictures["base"].ids.copy()
    ids[0, 0] = 9
    s.arrays("base", ids=ids)


def stray_pixel_of_an_object(s: Specimen) -> None:
    ids = s.pictures["irrelevant"].ids.copy()
    ids[0, 0] = 1
    s.arrays("irrelevant", ids=ids)


def one_pixel(s: Specimen) -> None:
    rgb = s.pictures["irrelevant"].rgb.copy()
    rgb[1, 1, 2] += 1
    s.arrays("irrelevant", rgb=rgb)


def shadow_of_a_recoloured_object(s: Specimen) -> None:
    seen = s.pictures["relevant"]
    rgb = seen.rgb.copy()
    reached = seen.influence[1] & (seen.coverage.sum(axis=0) == 0)
    rgb[reached] -= 1
    s.arrays("relevant", rgb=rgb)


def half_the_core_back(s: Specimen) -> None:
    rgb = s.pictures["relevant"].rgb.copy()
    rgb[::2] = s.pictures["base"].rgb[::2]
    s.arrays("relevant", rgb=rgb)


def faint_edit(s: Specimen) -> None:
    base = s.pictures["base"].rgb.astype(int)
    change = s.pictures["irrelevant"].rgb - base
    faint = base + np.sign(change) * ((np.abs(change) + 8) // 9)
    s.arrays("irrelevant", rgb=faint.astype(np.uint8))


def smaller_picture(s: Specimen) -> None:
    s.pictures["relevant"] = render(s.triplet.scenes["relevant"], width=96, height=72)


def other_camera(s: Specimen) -> None:
    scenes = dict(s.triplet.scenes)
    scenes["irrelevant"] = replace(scenes["irrelevant"], seed=7)
    s.record(scenes=scenes)


def both_gold_letters_alike(s: Specimen) -> None:
    s.gold(relevant=s.triplet.gold["base"])


def turned(question: str) -> str:
    return question.replace("left", "right")


Fault = Callable[[Specimen], object]
FAULTS: list[tuple[str, str, Fault]] = [
    ("picture_size", "count", smaller_picture),
    ("ids", "count", stranger),
    ("ids", "count", lambda s: s.arrays("base", object_ids=("o1", "o2", "o9"))),
    ("color", "presence", swap_ids),
    ("shape", "attribute", swap_ids),
    ("pieces", "count", stray_pixel_of_an_object),
    ("core", "count", lambda s: s.limit(core_px=250)),
    ("occluded", "attribute", lambda s: s.rebuild("o3", "base", x=0.9, y=-0.5)),
    ("near", "count", lambda s: s.rebuild("o3", "base", x=1.8, y=0.6)),
    ("border", "count", lambda s: s.rebuild("o3", "base", x=4.4, y=0.9)),
    ("border_near", "count", lambda s: s.limit(border_near_px=25)),
    ("outline", "presence", lambda s: s.rebuild("o2", drawn=False, x=1.5)),
    ("shape", "presence", lambda s: s.rebuild("o2", drawn=False, shape="sphere")),
    ("shape", "presence", lambda s: s.rebuild("o2", drawn=False, size="small")),
    ("color", "count", lambda s: s.paint("base", "o2", lambda rgb: rgb * [2.4, 1, 0.2])),
    ("color", "attribute", lambda s: s.redraw("o3", "irrelevant", color="green")),
    ("margin", "count", lambda s: s.limit(margin=60)),
    ("chroma", "count", lambda s: s.paint("base", "o2", lambda rgb: 0.15 * rgb + 40)),
    ("clipped", "spatial", lambda s: s.paint("base", "o2", lambda rgb: rgb + 200)),
    ("candidate_difference", "attribute", lambda s: s.limit(candidate_difference=150)),
    ("count_range", "count", lambda s: s.record(candidates=("1", "3"))),
    ("count_range", "count", lambda s: s.limit(count_high=1)),
    ("question", "presence", lambda s: s.record(question="How many yellow spheres are there?")),
    ("question", "count", lambda s: s.record(question="How many blue objects are there?")),
    ("question", "attribute", lambda s: s.record(question="What color is the cube")),
    ("question", "spatial", lambda s: s.record(question=turned(s.triplet.question))),
    ("question", "material", lambda s: s.record(question=made.triplet("size").question)),
    ("question", "size", lambda s: s.record(question=made.triplet("material").question)),
    ("question", "occlusion", lambda s: s.record(question="Which is in front?")),
    ("candidates", "presence", lambda s: s.record(candidates=("no", "maybe"))),
    ("candidates", "presence", lambda s: s.record(candidates=("no", "Yes"))),
    ("candidates", "spatial", lambda s: s.record(candidates=("left", "right"))),
    ("candidates", "count", lambda s: s.record(candidates=("1 ", "2"))),
    ("candidates", "count", lambda s: s.record(candidates=("one", "two"))),
    ("candidates", "attribute", lambda s: s.record(candidates=("Red", "cyan"))),
    ("candidates", "occlusion", lambda s: s.record(candidates=s.triplet.candidates[:1] * 2)),
    ("candidates", "attribute", lambda s: s.record(candidates=("red", "pink"))),
    ("candidates", "count", lambda s: s.record(candidates=("1", "1"))),
    ("referent", "attribute", lambda s: s.rebuild("o3", "base", shape="cube")),
    ("referent", "presence", lambda s: s.rebuild("o1", "base", color="yellow")),
    ("queried", "attribute", lambda s: s.record(queried=dict.fromkeys(VARIANTS, ("o3",)))),
    ("left_right", "spatial", lambda s: s.rebuild("o1", "base", x=-0.6, y=0.84)),
    ("answer", "size", lambda s: s.record(candidates=("small", "large"))),
    ("answer", "material", lambda s: s.gold(relevant="B")),
    ("answer", "occlusion", lambda s: s.gold(irrelevant="A")),
    ("candidates", "material", lambda s: s.record(candidates=("metal", "wood"))),
    ("overlap", "occlusion", lambda s: s.limit(overlap=0.45)),
    ("occluded", "occlusion", lambda s: s.limit(visible_behind=0.9)),
    ("edited_core", "size", lambda s: s.limit(edited_core_px=400)),
    ("answer", "count", lambda s: s.gold(base="B")),
    ("answer", "attribute", lambda s: s.record(candidates=("cyan", "red"))),
    ("answer", "presence", lambda s: s.gold(irrelevant="A")),
    ("answer", "spatial", lambda s: s.record(candidates=("no", "yes"))),
    ("answer", "count", lambda s: s.redraw("o3", "base", color="red")),
    ("flip", "attribute", both_gold_letters_alike),
    ("keep", "spatial", lambda s: s.gold(irrelevant="B")),
    ("view", "attribute", other_camera),
    ("edited", "attribute", lambda s: s.rebuild("o3", "irrelevant", color="green")),
    ("edited", "count", lambda s: s.record(edited={"relevant": ("o4",), "irrelevant": ("o3",)})),
    ("unchanged", "attribute", lambda s: s.pictures.update(relevant=s.pictures["base"])),
    ("outside", "attribute", one_pixel),
    ("outside", "count", one_pixel),
    ("outside", "attribute", shadow_of_a_recoloured_object),
    ("outside", "presence", lambda s: s.redraw("o2", "irrelevant", color="green")),
    ("edit_ids", "attribute", lambda s: s.redraw("o3", "relevant", x=2.3)),
    ("core_changed", "attribute", half_the_core_back),
    ("others", "presence", lambda s: s.redraw("o2", "irrelevant", y=-1.3)),
    ("queried_change", "presence", lambda s: s.paint("irrelevant", "o4", lambda rgb: rgb + 9)),
    ("edited_core", "spatial", lambda s: s.limit(edited_core_px=400)),
    ("strength_area", "attribute", lambda s: s.limit(strength_high=1.3)),
    ("strength_change", "attribute", faint_edit),
]


@pytest.mark.parametrize("verdict", ["FAIL", "BORDERLINE"])
def test_every_planted_fault_is_found_by_its_code(verdict: str) -> None:
    lax = {"near", "border_near", "margin", "clipped", "strength_area"}
    missed = []
    for code, factor, spoil in FAULTS:
        if (code in lax) == (verdict == "FAIL"):
            continue
        specimen = Specimen.of(factor)
        spoil(specimen)
        check = specimen.check()
        grades = {finding.grade for finding in check.findings if finding.code == code}
        if grades != {verdict}:
            missed.append((code, factor, check.codes))
    assert not missed


def test_no_check_is_without_a_planted_fault() -> None:
    assert {code for code, _, _ in FAULTS} == set(CODES)


def test_what_is_within_the_limits_is_let_through() -> None:
    specimen = Specimen.of("presence")
    specimen.limit(queried_change=17)
    specimen.paint("irrelevant", "o4", lambda rgb: rgb + 9, core=9)
    assert "queried_change" not in specimen.check().codes
    # At its edge an object shows some of the ground, where a shadow may come and go.
    specimen = Specimen.of("presence")
    edge = specimen.pictures["irrelevant"].coverage[2] % 9 > 0
    rgb = specimen.pictures["irrelevant"].rgb.copy()
    rgb[edge] = 0
    specimen.arrays("irrelevant", rgb=rgb)
    assert specimen.check().codes == ("outside",)
    specimen = Specimen.of("count")
    # Adding an object may change its shadow on the ground, and does.
    base, variant = specimen.pictures["base"], specimen.pictures["relevant"]
    changed = (base.rgb != variant.rgb).any(axis=2)
    added = variant.coverage[variant.object_ids.index("o4")] > 0
    assert (changed & ~added).sum() > 20


def test_a_picture_alone_is_checked_without_the_edits() -> None:
    specimen = Specimen.of("spatial")
    item = specimen.triplet.item("relevant")
    limits = specimen.limits
    assert verify_item(item, specimen.pictures["relevant"]) == ()
    assert verify_item(item, specimen.pictures["relevant"], limits=limits) == ()
    codes = {f.code for f in verify_item(replace(item, gold="A"), specimen.pictures["relevant"])}
    assert codes == {"answer"}
    for query, fault in (
        (replace(item.query, factor="mood"), "a factor among"),
        (replace(item.query, color="red"), "a query of"),
        (replace(item.query, second=None), "a query of"),
    ):
        with pytest.raises(DataError, match=fault):
            verify_item(replace(item, query=query), specimen.pictures["relevant"])


def test_the_published_rule_is_laxer_on_left_and_right() -> None:
    specimen = Specimen.of("spatial")
    specimen.rebuild("o1", "base", "irrelevant", x=-1.0, y=0.6)
    assert "left_right" in specimen.check().codes
    specimen.limits = limits_for(made.WIDTH, made.HEIGHT, "published")
    assert "left_right" not in specimen.check().codes
    faint = Specimen.of("attribute")
    faint_edit(faint)
    faint.limits = specimen.limits
    strength = [f.grade for f in faint.check().findings if f.code == "strength_change"]
    assert strength == ["BORDERLINE"]


def test_a_missing_variant_is_an_error() -> None:
    specimen = Specimen.of("count")
    del specimen.pictures["irrelevant"]
    with pytest.raises(DataError, match="irrelevant missing"):
        specimen.check()


def test_limits_follow_the_size() -> None:
    small, large = limits_for(160, 120), limits_for(480, 320)
    assert (small.core_px, small.edited_core_px, small.border_px) == (45, 62.5, 3)
    assert (large.core_px, large.centroid_gap_px, large.margin) == (400, 48, 8)
    assert limits_for(320, 240) == Limits()
    published = limits_for(480, 320, "published")
    assert (published.core_px, published.left_dot, published.strength_low) == (400, 0.2, 0.25)
    with pytest.raises(DataError, match="'ours' or 'published'"):
        limits_for(320, 240, "mine")
    with pytest.raises(DataError, match="at least 1"):
        limits_for(0, 240)


def test_findings_add_up_to_the_worst_grade() -> None:
    lax = Finding(code="near", grade="BORDERLINE", where="base", message="")
    hard = Finding(code="core", grade="FAIL", where="base", message="")
    assert checked("x", [lax]).verdict == "BORDERLINE"
    assert checked("x", [lax, hard, hard]).verdict == "FAIL"
    assert checked("x", [lax, hard, hard]).codes == ("core", "near")
    with pytest.raises(ValueError, match="a known code"):
        Finding(code="fog", grade="FAIL", where="", message="")


def test_touched_tells_surface_from_place() -> None:
    one, two = made.thing("o1", "cube", "red", 0, 0), made.thing("o2", "cube", "red", 2, 0)
    base = Scene(objects=(one, two))
    for objects, names, surface in [
        ((two, one), set(), True),
        ((replace(one, color="blue", material="metal"), two), {"o1"}, True),
        ((replace(one, turn_deg=5), two), {"o1"}, False),
        ((one,), {"o2"}, False),
        ((one, two, made.thing("o3", "cube", "red", -2, 0)), {"o3"}, False),
    ]:
        assert touched(base, Scene(objects=objects)) == (names, surface)
