"""The samplers of the four factors: what every specimen keeps, and the published facts."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import DataError
from harness.scenes import sampler, schedule
from harness.scenes.attribute import TRANSITIONS
from harness.scenes.scene import Scene, SceneObject, from_json
from harness.scenes.slots import SLOTS, confusable, distance, leftness
from harness.scenes.spatial import MOVE_X, SHIFT, left_of
from harness.scenes.triplet import FACTORS, VARIANTS, Query, Triplet

BOTH = pytest.mark.parametrize("direction", sampler.DIRECTIONS)
EACH = pytest.mark.parametrize("factor", FACTORS)
N = 48


@cache
def drawn(factor: str, direction: str = "balanced", n: int = N) -> list[Triplet]:
    return [sampler.triplet(factor, index, direction=direction) for index in range(n)]


def named(scene: Scene, phrase: tuple[str, str]) -> list[SceneObject]:
    return [o for o in scene.objects if (o.color, o.shape) == phrase]


def answer(query: Query, scene: Scene) -> str:
    """The right candidate by the record of the scene, through the query alone."""
    if query.factor == "count":
        return str(sum(one.color == query.color for one in scene.objects))
    if query.factor == "attribute":
        (one,) = (one for one in scene.objects if one.shape == query.shape)
        return one.color
    if query.factor == "presence":
        found = named(scene, (str(query.color), str(query.shape)))
        assert len(found) <= 1
        return "yes" if found else "no"
    assert query.first and query.second
    (one,), (other,) = named(scene, query.first), named(scene, query.second)
    return "yes" if left_of(one, other) else "no"


@BOTH
@EACH
def test_every_specimen_keeps_its_question_and_its_gold(factor: str, direction: str) -> None:
    for found in drawn(factor, direction):
        base = found.scenes["base"]
        for variant in VARIANTS:
            scene, letter = found.scenes[variant], found.gold[variant]
            assert found.candidates["AB".index(letter)] == answer(found.query, scene), found.id
            assert (scene.camera, scene.lights, scene.seed) == (base.camera, base.lights, base.seed)
            assert from_json(scene.to_json()) == scene
            present = {one.id for one in scene.objects}
            assert set(found.queried[variant]) <= present
        assert found.gold["irrelevant"] == found.gold["base"] != found.gold["relevant"]
        for edit in ("relevant", "irrelevant"):
            other = found.scenes[edit]
            here = {one.id: one for one in base.objects}
            there = {one.id: one for one in other.objects}
            assert here != there
            touched = {name for name in {*here, *there} if here.get(name) != there.get(name)}
            assert touched == set(found.edited[edit]), found.id
            assert len(other.objects) - len(base.objects) == {
                "add": 1,
                "remove": -1,
            }.get(str(found.design["direction"]), 0)


@BOTH
@EACH
def test_the_two_edits_are_alike(factor: str, direction: str) -> None:
    for found in drawn(factor, direction):
        pair = []
        for edit in ("relevant", "irrelevant"):
            (name,) = found.edited[edit]
            scenes = found.scenes["base"], found.scenes[edit]
            both = [one for scene in scenes for one in scene.objects if one.id == name]
            pair.append((both[0], both[-1]))
        (one, one_after), (two, two_after) = pair
        assert (one.size, one.material) == (two.size, two.material)
        if factor != "attribute":
            assert one.shape == two.shape
        if factor == "spatial":
            move = (one_after.x - one.x, one_after.y - one.y)
            assert move == pytest.approx((two_after.x - two.x, two_after.y - two.y), abs=2e-4)
            size = MOVE_X if direction == "published" else SHIFT
            assert sum(part * part for part in move) ** 0.5 == pytest.approx(size, rel=0.003)
        elif direction == "balanced":
            assert abs(distance(one.x, one.y) - distance(two.x, two.y)) <= 1.6


def test_the_balanced_design_never_offers_two_colours_that_look_alike() -> None:
    for found in drawn("attribute"):
        assert not confusable(*found.candidates)
    for factor in ("count", "presence"):
        for found in drawn(factor):
            (name,) = found.edited["irrelevant"]
            scene = found.scenes["base" if found.design["direction"] == "remove" else "irrelevant"]
            assert not confusable(scene[name].color, str(found.query.color))


@EACH
def test_both_directions_start_with_equally_many_objects(factor: str) -> None:
    sizes: dict[object, dict[object, set[int]]] = {}
    for found in drawn(factor):
        by_value = sizes.setdefault(found.design.get("count", 0), {})
        seen = by_value.setdefault(found.design["value"], set())
        seen.add(len(found.scenes["base"].objects))
    for by_value in sizes.values():
        one, other = by_value.values()
        assert one == other


def test_facts_of_the_published_design() -> None:
    counts = drawn("count", "published")
    for number in range(4):
        ten = counts[10 * number : 10 * number + 10]
        assert Counter(found.design["count"] for found in ten) == {2: 3, 3: 4, 4: 3}
    for found in counts:
        n = int(found.design["count"])
        base = found.scenes["base"]
        assert set(found.candidates) == {str(n), str(n + 1)}
        assert found.design["value"] == "smaller"
        assert len(base.objects) - n in (2, 3)
        (name,), (other,) = found.edited["relevant"], found.edited["irrelevant"]
        one, two = found.scenes["relevant"][name], found.scenes["irrelevant"][other]
        assert (one.x, one.y, one.turn_deg) == (two.x, two.y, two.turn_deg)
        assert one.y < -0.8
    changes = set()
    for found in drawn("attribute", "published", 96):
        (name,), (other,) = found.edited["relevant"], found.edited["irrelevant"]
        base = found.scenes["base"]
        assert base[name].color == base[other].color
        assert abs(base[name].y - base[other].y) <= 0.35
        assert len(base.objects) == 4
        changes.add((base[name].color, found.scenes["relevant"][name].color))
    assert changes == set(TRANSITIONS)
    for found in drawn("presence", "published"):
        assert found.design["value"] == "yes"
        assert found.scenes["base"][found.edited["relevant"][0]].y < -0.8
    layouts = set()
    for found in drawn("spatial", "published"):
        assert found.design["value"] == "yes"
        layouts.add(found.design["layout"])
    assert layouts == {0, 1}
    for factor in FACTORS:
        spots = {(o.x, o.y) for t in drawn(factor, "published") for o in t.scenes["base"].objects}
        assert factor == "spatial" or spots <= set(SLOTS)
    assert [found.id for found in (counts[0], sampler.triplet("attribute", 7))] == [
        "count_000000",
        "attr_000007",
    ]
    assert (sampler.MASTER_SEEDS["count"], sampler.MASTER_SEEDS["spatial"]) == (
        2026091205,
        2026091235,
    )


def test_left_of_is_the_published_dot_product() -> None:
    def one(x: float, y: float) -> SceneObject:
        return SceneObject(
            id="o1", shape="cube", color="red", material="metal", size="small", x=x, y=y
        )

    assert leftness(1, 0) == pytest.approx(-0.6563)
    assert leftness(0, 1) == pytest.approx(-0.7545)
    cases = [(-0.3, 0.0, False), (-0.31, 0.0, True), (0.0, -0.28, True), (0.0, -0.26, False)]
    for x, y, expected in cases:
        assert left_of(one(x, y), one(0, 0)) is expected


@EACH
def test_a_specimen_does_not_depend_on_what_was_drawn_before(factor: str) -> None:
    forth = [sampler.triplet(factor, index, master_seed=5) for index in range(20)]
    schedule._block.cache_clear()
    back = [sampler.triplet(factor, index, master_seed=5) for index in reversed(range(20))]
    assert forth == back[::-1]
    lazy = sampler.candidates(factor, master_seed=5, start=3)
    assert [next(lazy) for _ in range(4)] == forth[3:7]
    assert forth[0] != sampler.triplet(factor, 0, master_seed=6)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**40), index=st.integers(0, 15), factor=st.sampled_from(FACTORS))
def test_any_seed_gives_sound_specimens(seed: int, index: int, factor: str) -> None:
    found = sampler.triplet(factor, index, master_seed=seed)
    for variant in VARIANTS:
        right = found.candidates["AB".index(found.gold[variant])]
        assert right == answer(found.query, found.scenes[variant])
        names = {one.id for one in found.scenes[variant].objects}
        assert names <= {f"o{number}" for number in range(1, 10)}


@EACH
def test_static_items_have_their_own_draws(factor: str) -> None:
    static = [sampler.static_item(factor, index) for index in range(32)]
    audit = {scene.sha256 for found in drawn(factor) for scene in found.scenes.values()}
    seeds = {scene.seed for found in drawn(factor) for scene in found.scenes.values()}
    assert len({one.scene.sha256 for one in static}) == 32
    for one in static:
        assert one.scene.sha256 not in audit
        assert one.scene.seed not in seeds
        assert one.candidates["AB".index(one.gold)] == answer(one.query, one.scene)
        assert one.design["letter"] == one.gold


def test_ids_and_order_of_objects_tell_nothing() -> None:
    spots: Counter[str] = Counter()
    for found in drawn("count"):
        (name,) = found.edited["relevant"]
        spots[name] += 1
        names = [one.id for one in found.scenes["base"].objects]
        assert len(set(names)) == len(names)
    assert len(spots) >= 6
    assert max(spots.values()) < N / 3
    first = Counter(t.scenes["base"].objects[0].id in t.queried["base"] for t in drawn("spatial"))
    assert min(first.values()) > N / 5


@pytest.mark.parametrize(
    ("factor", "index", "direction", "message"),
    [
        ("color", 0, "balanced", "expected one of count, attribute"),
        ("count", -1, "balanced", "0 to 999999"),
        ("count", 10**6, "balanced", "0 to 999999"),
        ("count", 0, "both", "balanced, published"),
    ],
)
def test_what_cannot_be_drawn_is_said(
    factor: str, index: int, direction: str, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        sampler.triplet(factor, index, direction=direction)


def test_both_edits_of_a_left_right_question_move_by_one_law() -> None:
    inward = {"relevant": 0, "irrelevant": 0}
    drawn = [sampler.triplet("spatial", index) for index in range(128)]
    for found in drawn:
        for edit in inward:
            (name,) = found.edited[edit]
            here, there = found.scenes["base"][name], found.scenes[edit][name]
            # Distance from the line through the picture's middle, before and after.
            before, after = (abs(leftness(one.x, one.y) + 0.33) for one in (here, there))
            inward[edit] += after < before
    assert all(44 <= n <= 84 for n in inward.values()), inward
